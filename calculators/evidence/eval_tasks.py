"""What is known of evaluation tasks from their names: the ability tested, the score of guessing."""

from __future__ import annotations

import re

_ABILITIES = (
    (
        "long context",
        r"ruler|longbench|niah|needle|infinitebench|babilong|scrolls|qasper|loft|l-?eval",
    ),
    (
        "code",
        r"humaneval|mbpp|apps|conala|codexglue|multipl-?e|livecodebench|bigcode|ds-?1000|code",
    ),
    (
        "languages",
        r"xnli|xcopa|xstory|xwino|belebele|mgsm|_mt_|paws|pawsx|afri|global_mmlu|m_?mmlu|mmmlu|"
        r"translation|wmt\d|flores|french|german|arabic|turkish|basque|catalan|galician|spanish|"
        r"portuguese|chinese|cmmlu|ceval|korean|kmmlu|kobest|japanese|indic|okapi|tydi|"
        r"(^|_)(de|fr|es|it|pt|ru|zh|ja|ko|ar|hi|sw|swa|tr|eu|vi|th|id|bn|ta|te|ur|yor|ibo|hau)(_|$)",
    ),
    (
        "arithmetic",
        r"gsm|math|minerva|asdiv|svamp|arithmetic|algebra|statistics|aime|geometry|numbers|theorem",
    ),
    (
        "knowledge",
        r"mmlu|hendryckstest|trivia|(^|_)nq|natural_questions|arc[_:]|openbook|sciq|truthfulqa|popqa|"
        r"gpqa|medqa|pubmed|webqs|wmdp|agieval|race",
    ),
    (
        "reasoning",
        r"hellaswag|winogrande|piqa|siqa|boolq|bbh|copa|musr|logiqa|lambada|cb$|rte|wic|wsc|anli|"
        r"mnli|qnli|glue|cola|sst|mrpc|qqp|drop|storycloze|strategyqa|commonsense|csqa|swag",
    ),
    ("instructions", r"ifeval|mt_?bench|alpaca|instruct"),
    ("language modelling", r"wikitext|pile|c4|ptb|paloma|perplexity|lm1b"),
    ("safety and bias", r"crows|toxi|ethics|bbq|winogender|bias|safety|scheming|hate"),
)
_CHANCE = (
    (r"mmlu_pro|mmlu-pro", 0.1),
    (
        r"mmlu|hendryckstest|hellaswag|arc[_:]|openbook|sciq|wmdp|gpqa|race|belebele|ceval|medqa",
        0.25,
    ),
    (r"winogrande|piqa|boolq|copa|storycloze|xwino|rte|wic|wsc|sst|mrpc|qqp|qnli|paws|cb$", 0.5),
    (r"mnli|anli|xnli|siqa", 1 / 3),
)


def ability_of(task: str) -> str:
    """Return the ability that a task tests, told from its name.

    Parameters
    ----------
    task : str [name]

    Returns
    -------
    ability : str [group]

    Notes
    -----
    The first that fits of: long context, code, languages, arithmetic, knowledge, reasoning,
    instructions, language modelling, safety and bias; otherwise `other`. Basis: convention.

    References
    ----------
    Task names of lm-evaluation-harness and lighteval.

    Examples
    --------
    >>> ability_of("leaderboard|gsm8k"), ability_of("mgsm_direct_sw"), ability_of("xyz")
    ('arithmetic', 'languages', 'other')
    """
    name = task.lower()
    return next((a for a, pattern in _ABILITIES if re.search(pattern, name)), "other")


def chance_frac(task: str, n_choices: int | None = None) -> float | None:
    """Return the score of guessing, where the task has a fixed number of choices.

    chance = 1 / n_choices

    Parameters
    ----------
    task : str [name]
    n_choices : int or None [choices, from the file's configuration]

    Returns
    -------
    chance : float or None [0 to 1]

    Notes
    -----
    Always answering the commonest choice can score more. Basis: convention.

    References
    ----------
    Task definitions of lm-evaluation-harness.

    Examples
    --------
    >>> chance_frac("mmlu_anatomy"), chance_frac("gsm8k"), chance_frac("new_task", 5)
    (0.25, None, 0.2)
    """
    if n_choices and n_choices > 1:
        return 1 / n_choices
    name = task.lower()
    return next((chance for pattern, chance in _CHANCE if re.search(pattern, name)), None)
