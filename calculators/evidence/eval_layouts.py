"""Where the versions of lm-evaluation-harness and lighteval keep model, tool and settings."""

from __future__ import annotations

import re
from typing import Any

_SETTINGS = {
    "limit": ("config", "limit"),
    "chat template": ("chat_template_sha", None),
    "system instruction": ("system_instruction_sha", None),
    "few-shot as turns": ("fewshot_as_multiturn", None),
    "generation settings": ("config", "gen_kwargs"),
    "few-shot seed": ("config", "fewshot_seed"),
    "greatest length": ("max_length", None),
    "samples at most": ("config_general", "max_samples"),
    "few-shot seeds": ("config_general", "num_fewshot_seeds"),
    "backend": ("config", "model"),
}
_MODEL_KEYS = ("pretrained", "model", "path", "model_name", "model_id", "engine")


def split_metric(name: str) -> tuple[str, str]:
    """Return metric and filter of a result key: `exact_match,strict-match` has both.

    Parameters
    ----------
    name : str [key of a task's results]

    Returns
    -------
    metric, filter : str, str [the filter is empty in files before 0.4]

    Notes
    -----
    Basis: convention.

    References
    ----------
    lm-evaluation-harness 0.4, lm_eval/evaluator_utils.py.

    Examples
    --------
    >>> split_metric("acc,none"), split_metric("acc_norm")
    (('acc', 'none'), ('acc_norm', ''))
    """
    metric, _, filter_name = name.partition(",")
    return metric.strip(), filter_name.strip()


def split_task(raw: str) -> tuple[str, int | None]:
    """Return task and few-shot count of a result entry: lighteval writes both into the name.

    Parameters
    ----------
    raw : str [`suite|task|shots`, `suite|task|shots|truncate`, or a plain name]

    Returns
    -------
    task, n_shot : str, int or None [shots]

    Notes
    -----
    Basis: convention.

    References
    ----------
    lighteval, task specification strings.

    Examples
    --------
    >>> split_task("leaderboard|arc:challenge|25"), split_task("arc_easy")
    (('leaderboard|arc:challenge', 25), ('arc_easy', None))
    """
    parts = raw.split("|")
    if len(parts) > 2 and all(re.fullmatch(r"\d{1,4}", part) for part in parts[2:]):
        return "|".join(parts[:2]), int(parts[2])
    if len(parts) == 2 and re.fullmatch(r"\d{1,4}", parts[1]):
        return parts[0], int(parts[1])
    return raw, None


def tool_of(document: dict[str, Any]) -> str:
    """Return the tool that wrote a file, as exactly as the file says.

    Parameters
    ----------
    document : dict [a result file]

    Returns
    -------
    tool : str [name and version]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness and lighteval result layouts.

    Examples
    --------
    >>> tool_of({"lm_eval_version": "0.4.12"}), tool_of({"config_general": {}})
    ('lm-evaluation-harness 0.4.12', 'lighteval')
    """
    version = document.get("lm_eval_version")
    if isinstance(version, str):
        return f"lm-evaluation-harness {version[:20]}"
    if isinstance(document.get("config_general"), dict):
        return "lighteval"
    if "n-shot" in document or "configs" in document or "n-samples" in document:
        return "lm-evaluation-harness 0.4 (version not in the file)"
    names = [str(name) for row in part_of(document, "results").values() for name in _keys(row)]
    if any("," in name for name in names):
        return "lm-evaluation-harness 0.4 (settings not in the file)"
    return "lm-evaluation-harness 0.3 or before"


def model_of(document: dict[str, Any]) -> str | None:
    """Return the model that a file names, or None.

    Parameters
    ----------
    document : dict [a result file]

    Returns
    -------
    model : str or None [name]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness: `model_name`, `config.model_args`; lighteval: `config_general`.

    Examples
    --------
    >>> model_of({"config": {"model": "hf", "model_args": "pretrained=a/b,dtype=auto"}})
    'a/b'
    """
    general = part_of(document, "config_general")
    nested = part_of(general, "model_config")
    config = part_of(document, "config")
    candidates = [document.get("model_name"), general.get("model_name"), nested.get("model_name")]
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(pair.split("=", 1) for pair in arguments.split(",") if "=" in pair)
    if isinstance(arguments, dict):
        candidates += [arguments.get(key) for key in _MODEL_KEYS]
    candidates.append(document.get("model"))
    return next((name[:200] for name in candidates if isinstance(name, str) and name), None)


def settings_of(document: dict[str, Any]) -> dict[str, str]:
    """Return the settings of a run that change scores, as text, those that the file has.

    Parameters
    ----------
    document : dict [a result file]

    Returns
    -------
    settings : dict of str to str [name to value]

    Notes
    -----
    The model's own name is left out of its arguments: it differs in every comparison.
    Basis: as given.

    References
    ----------
    lm-evaluation-harness and lighteval result layouts.

    Examples
    --------
    >>> settings_of({"config": {"limit": 100.0}})
    {'limit': '100.0'}
    """
    settings = {}
    for label, (section, key) in _SETTINGS.items():
        holder = part_of(document, section) if key else document
        name = key or section
        if name in holder and not isinstance(holder[name], list):
            value = holder[name]
            settings[label] = str(value)[:80] if value not in (None, {}, "") else "none"
    arguments = part_of(document, "config").get("model_args")
    if isinstance(arguments, dict):
        arguments = ",".join(f"{key}={value}" for key, value in arguments.items())
    if isinstance(arguments, str):
        kept = [a for a in arguments.split(",") if a.split("=", 1)[0].strip() not in _MODEL_KEYS]
        settings["model arguments"] = ",".join(sorted(kept))[:200] or "none"
    return settings


def part_of(document: Any, key: str) -> dict[str, Any]:
    """Return a section of a result file, empty where there is none or it is something else.

    Parameters
    ----------
    document : object [a result file or a section of one]
    key : str [name of the section]

    Returns
    -------
    part : dict [section]

    Notes
    -----
    Basis: as given.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> part_of({"config": None}, "config")
    {}
    """
    part = document.get(key) if isinstance(document, dict) else None
    return part if isinstance(part, dict) else {}


def _keys(row: Any) -> list[Any]:
    return list(row) if isinstance(row, dict) else []
