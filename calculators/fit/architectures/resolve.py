"""Which recipe reads a config: by its model type, its architectures, or the model inside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from calculators.fit.architectures.defaults import DEFAULTS
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.families import RECIPES
from calculators.fit.architectures.key_names import HIDDEN, LAYERS
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.refusals import refuse
from calculators.fit.architectures.wrappers import SECTIONS, WRAPPERS, Wrapper

ALIASES = {
    "deci_lm": "deci",
    "minimaxm1": "minimax_m1",
    "qwen2_5_vl_text": "qwen2",
    "qwen2_vl_text": "qwen2",
    "qwen3_vl_moe_text": "qwen3_moe",
    "qwen3_vl_text": "qwen3",
    "rw": "falcon",
}
HEADS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "Model")
TOWER_SECTIONS = {
    "vision_config": "vision",
    "vit_config": "vision",
    "visual": "vision",
    "audio_config": "audio",
    "speech_config": "audio",
}


@dataclass(frozen=True, slots=True)
class Resolved:
    """A recipe's name, the section that it reads, and the whole file with its wrapper."""

    kind: str
    text: Keys
    top: Keys
    wrapper: Wrapper | None = None
    tower_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def by_architecture(names: list[str]) -> str | None:
    """The recipe that a class name such as `Qwen2ForCausalLM` means."""
    table = {kind.replace("_", "").replace("-", ""): kind for kind in (*RECIPES, *WRAPPERS)}
    for name in names:
        for head in HEADS:
            kind = table.get(name.removesuffix(head).lower().replace("_", ""))
            if name.endswith(head) and kind:
                return kind
    return None


def recipe_name(kind: str | None) -> str | None:
    """The recipe of a model type, whatever its case or older name."""
    if kind is None:
        return None
    lower = kind.lower()
    return next((k for k in (kind, lower, ALIASES.get(lower, "")) if k in RECIPES), None)


def resolved(keys: Keys) -> Resolved | None:
    """The recipe of a config; None where it is not known. Raises for what is known to be none."""
    kind = keys.text("model_type", default=None)
    names = keys.words("architectures", default=[]) or []
    refuse(keys, kind)
    notes: tuple[str, ...] = ()
    nested = next((name for name in SECTIONS if keys.has(name)), None)
    if kind not in WRAPPERS and recipe_name(kind) is None and nested is None:
        found = by_architecture(names)
        if found is None:
            return None
        notes = (f"Read as {found} by its architectures; the model type is {kind or 'absent'}.",)
        kind = found
    if kind in WRAPPERS or nested:
        return wrapped(keys, kind, nested, notes)
    name = recipe_name(kind) or ""
    needed(keys, name)
    text = Keys(keys.data, defaults=DEFAULTS.get(name, {}), assumed=keys.assumed)
    return Resolved(name, text, keys, tower_names=tower_names(keys), notes=notes)


def wrapped(
    keys: Keys, kind: str | None, nested: str | None, notes: tuple[str, ...]
) -> Resolved | None:
    """A multimodal model: its language model lies in a section, or flat beside the towers."""
    wrapper = WRAPPERS.get(kind or "")
    section = keys.section(nested) if nested else keys
    inner = section.text("model_type", default=None) if nested else None
    refuse(section, inner)
    name = recipe_name(inner) or recipe_name(wrapper.text if wrapper and not inner else None)
    if name is None and wrapper and inner in WRAPPERS:
        name = recipe_name(WRAPPERS[inner].text)
    if name is None and nested:
        name = recipe_name(by_architecture(section.words("architectures", default=[]) or []))
    if name is None:
        return None
    data = dict(section.data)
    if keys.data.get("tie_word_embeddings") is not None:
        data["tie_word_embeddings"] = keys.data["tie_word_embeddings"]
    text = Keys(data, path=section.path, defaults=DEFAULTS.get(name, {}), assumed=keys.assumed)
    if not wrapper:
        notes = (
            *notes,
            f"The language model inside ({name}) is read; {kind} around it is not known.",
        )
    return Resolved(name, text, keys, wrapper, tower_names(keys), notes)


def tower_names(keys: Keys) -> tuple[str, ...]:
    """What the file says about towers, by name."""
    return tuple(dict.fromkeys(v for k, v in TOWER_SECTIONS.items() if keys.has(k)))


def needed(keys: Keys, kind: str) -> None:
    """Sizes that a file of its own has to hold, whatever its class would assume."""
    if kind == "nemotron_h":
        return
    for names in (HIDDEN, LAYERS, ("vocab_size", "padded_vocab_size")):
        if not keys.has(*names):
            raise ModelConfigError(f"config: '{names[0]}' is missing; it is needed.")
