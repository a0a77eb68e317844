"""Settings that an engine chooses by itself, by card and by release."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.specs import AcceleratorSpec, EngineSpec, MemoryRule


@dataclass(frozen=True, slots=True)
class EngineDefaults:
    """The two settings that size an engine's activation peak."""

    batched_tok: int
    max_sequences: int


def engine_defaults(rule: MemoryRule, accelerator: AcceleratorSpec) -> EngineDefaults:
    """Tokens of one forward pass and sequences at once that an engine chooses for a card.

    Parameters
    ----------
    rule : MemoryRule
        Defaults for small and for large cards.
    accelerator : AcceleratorSpec
        The card; `large_card_gib` and more is large.

    Returns
    -------
    EngineDefaults
        The pair.

    Notes
    -----
    Basis: measured (printed by engines at start-up).

    References
    ----------
    vLLM 0.8.5, 0.9.2, 0.25.1, 0.28.0 and 0.33.0, engine/arg_utils.py (read 2026-11-30): 8,192
    tokens and 1,024 sequences on cards of 70 GiB and more (since 0.9 except A100, later GB10),
    16,384 tokens from 160 GiB on (since 0.28), else 2,048 and 256. Offline use takes more.

    Examples
    --------
    >>> card = AcceleratorSpec.model_construct(id="l4", name="L4", memory_total_gib=22.5)
    >>> engine_defaults(MemoryRule(), card)
    EngineDefaults(batched_tok=2048, max_sequences=256)
    """
    is_large = accelerator.memory_total_gib >= rule.large_card_gib
    if not is_large or _is_named(accelerator, rule.small_by_name):
        return EngineDefaults(rule.batched_tok, rule.max_sequences)
    is_huge = accelerator.memory_total_gib >= rule.huge_card_gib
    batched_tok = rule.huge_batched_tok if is_huge else rule.large_batched_tok
    return EngineDefaults(batched_tok, rule.large_max_sequences)


def _is_named(accelerator: AcceleratorSpec, parts: tuple[str, ...]) -> bool:
    name = f"{accelerator.id} {accelerator.name}".lower()
    return any(part in name for part in parts)


def pass_tok(
    rule: MemoryRule, usual: EngineDefaults, batched_tok: int | None, max_model_len: int | None
) -> int:
    """Tokens of the longest forward pass: the setting, the default, or a whole prompt.

    Parameters
    ----------
    rule : MemoryRule
        `batched_is_context`: older engines do not cut prompts up to `cut_above_tok`.
    usual : EngineDefaults
        Defaults of the engine for the card.
    batched_tok : int [tokens] or None
        The setting; None where it is not given.
    max_model_len : int [tokens] or None
        The longest prompt that the engine accepts.

    Returns
    -------
    int [tokens]
        At least 1.

    Notes
    -----
    Basis: measured.

    References
    ----------
    vllm-project/vllm#10517: 29,000 tokens are refused where 35,000 start. vLLM 0.6.3 and 0.7.3,
    config.py: prompts longer than 32,768 are cut, to 512 and 2,048 tokens (read 2026-11-30).

    Examples
    --------
    >>> old = MemoryRule(batched_is_context=True)
    >>> [pass_tok(old, EngineDefaults(2048, 256), None, length) for length in (20_000, 35_000)]
    [20000, 2048]
    """
    if batched_tok:
        return batched_tok
    if not rule.batched_is_context or not max_model_len:
        return usual.batched_tok
    if max_model_len > rule.cut_above_tok:
        return rule.cut_batched_tok
    return max(max_model_len, usual.batched_tok)


def memory_rule(engine: EngineSpec, version: tuple[int, ...] | None = None) -> MemoryRule:
    """The memory rule of an engine's release; the newest rule where no version is known.

    Parameters
    ----------
    engine : EngineSpec
        With the rules of older releases, oldest first.
    version : tuple of int, optional
        Such as (0, 8, 3).

    Returns
    -------
    MemoryRule
        The first older rule whose `before` lies above the version, else the current one.

    Notes
    -----
    Basis: measured.

    References
    ----------
    As in catalogs/engines.yaml.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> from calculators.specs import OlderMemory
    >>> old = OlderMemory(before="0.8", memory=MemoryRule(runtime_gib=0.4))
    >>> vllm = Shape(memory=MemoryRule(), older_memory=(old,))
    >>> memory_rule(vllm, (0, 6, 3)).runtime_gib, memory_rule(vllm, (0, 11)).runtime_gib
    (0.4, 0.15)
    """
    for older in engine.older_memory:
        if version and version < tuple(int(part) for part in older.before.split(".")):
            return older.memory
    return engine.memory
