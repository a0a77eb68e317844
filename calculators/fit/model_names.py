"""Models by the names that people, files and checkpoints give them."""

from __future__ import annotations

import re
from functools import lru_cache

from calculators.specs import Catalog

# What a name says about storage, tuning or release, not about the shape of the model.
_FORMATS = (
    r"(?:bf16|fp16|f16|fp32|fp8|fp4|nvfp4|mxfp4|mxfp8|nf4|int[48]|w4a16|w4a8|w8a8|w8a16|awq|gptq|"
    r"bnb|4bit|8bit|exl[23]|gguf|ggml|mlx|autoround|dynamic|block|quantized|smoothquant|kv|"
    r"i?q\d(?:_[0-9k])?(?:_(?:xxs|xs|s|m|l|xl|nl))?|ud|imatrix|marlin|qat|unquantized)"
)
_TUNING = (
    r"(?:instruct|chat|it|hf|base|preview|thinking|reasoning|text|pt|sft|dpo|rl|online|"
    r"mtp|latest|exp|fast|class)"
)
_RELEASE = r"(?:20\d\d(?:\d\d)?|2[3-9](?:0[1-9]|1[0-2])|0[1-9]\d\d|1[0-2]\d\d|v0?\.\d|\d{6,8})"
_SUFFIX = re.compile(rf"[-_ .:+]+(?:{_FORMATS}|{_TUNING}|{_RELEASE})$", re.I)
_FILE = re.compile(r"(?:-\d{5}-of-\d{5})?\.(?:gguf|safetensors|bin|json|engine)$", re.I)
_MARKS = re.compile(r"[\s_./:-]+")


def bare_name(text: str) -> str:
    """A model's name without organisation, file ending, format, tuning and release.

    Parameters
    ----------
    text : name, repository or file name

    Returns
    -------
    str, lower case, without spaces, dashes and dots

    Examples
    --------
    >>> bare_name("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic"), bare_name("Llama 3.3 70B")
    ('llama3370b', 'llama3370b')
    >>> bare_name("Qwen3-1.7B-Q4_K_M.gguf"), bare_name("deepseek-coder-v2:16b")
    ('qwen317b', 'deepseekcoderv216b')
    """
    name = _FILE.sub("", re.sub(r"\(.*?\)", " ", text).strip()).rsplit("/", 1)[-1].strip()
    name = re.sub(r"^meta[- ](?=llama)", "", name, flags=re.I)
    while (shorter := _SUFFIX.sub("", name)) not in (name, ""):
        name = shorter
    return _MARKS.sub("", name.lower())


def resolve_model_name(catalog: Catalog, text: str) -> str | None:
    """The id of the model that a name means, whatever its organisation, format and tuning.

    The exact id, name, alias or repository first; else the bare name, if it means one model only.

    Parameters
    ----------
    catalog : Catalog
    text : name, repository or file name

    Returns
    -------
    str or None where no model, or more than one shape, has that name

    Examples
    --------
    `python -m app score` and `fit` look up the models of their rows with it.
    """
    found = catalog.find("models", text.strip())
    if found is not None:
        return found
    index = _bare_index(catalog)
    for name in (text, text.partition("_")[2]):  # some files begin with the organisation
        ids = index.get(bare_name(name), frozenset())
        if len(ids) == 1:
            return next(iter(ids))
    return None


@lru_cache(maxsize=8)
def _bare_index(catalog: Catalog) -> dict[str, frozenset[str]]:
    index: dict[str, set[str]] = {}
    for id_, model in catalog.models.items():
        for name in (id_, model.name, *model.aliases, *model.hf_ids):
            index.setdefault(bare_name(name), set()).add(id_)
    return {name: frozenset(ids) for name, ids in index.items()}
