"""Which layers are of which kind: attention windows and experts by layer."""

from __future__ import annotations

from collections.abc import Callable

from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import Keys, shown

Rule = Callable[[Keys, int], list[str]]
FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"


def all_full(_: Keys, n: int) -> list[str]:
    """Every layer is global."""
    return [FULL] * n


def all_sliding(keys: Keys, n: int) -> list[str]:
    """Every layer has the window, where a window is set."""
    return [SLIDING if keys.count("sliding_window", default=None, low=0) else FULL] * n


def qwen(keys: Keys, n: int) -> list[str]:
    """The layers from `max_window_layers` on, and only with `use_sliding_window`."""
    if not (keys.flag("use_sliding_window") and keys.count("sliding_window", default=0, low=0)):
        return [FULL] * n
    first = keys.count("max_window_layers", default=28, low=0)
    return [SLIDING if i >= first else FULL for i in range(n)]


def every(period: int, *names: str) -> Rule:
    """Each `period`-th layer is global; the period may stand under one of the names."""

    def rule(keys: Keys, n: int) -> list[str]:
        step = keys.count(*names, default=period) if names else period
        return [FULL if (i + 1) % step == 0 else SLIDING for i in range(n)]

    return rule


def lettered(keys: Keys, n: int) -> list[str]:
    """A pattern of letters (L local, G global) or a period; null means global throughout."""
    pattern = keys.data.get("sliding_window_pattern")
    if isinstance(pattern, str) and pattern and not set(pattern) - {"L", "G"}:
        kinds = [FULL if pattern[i % len(pattern)] == "G" else SLIDING for i in range(n)]
        return [*kinds[:-1], FULL]
    if not keys.count("sliding_window", default=None, low=0):
        return [FULL] * n
    return every(4, "sliding_window_pattern")(keys, n)


def flags(name: str) -> Rule:
    """A list with 1 for each layer that has the window."""

    def rule(keys: Keys, n: int) -> list[str]:
        listed = checked_length(keys, name, keys.counts(name, high=1), n)
        return [SLIDING if flag else FULL for flag in listed]

    return rule


def checked_length(keys: Keys, name: str, items: list, n: int) -> list:
    """The first n entries; too few are an error."""
    if len(items) < n:
        raise ModelConfigError(
            f"config: '{keys.label(name)}' has {len(items)} entries; one for each of "
            f"{n} layers is needed."
        )
    return items[:n]


def layer_kinds(keys: Keys, n: int, rule: Rule, known: tuple[str, ...]) -> list[str]:
    """The kind of each layer: `layer_types` where the file has them, else the family's rule."""
    listed = (
        keys.words("layer_types", "layers_block_type")
        if keys.has("layer_types", "layers_block_type")
        else None
    )
    if listed is None:
        return rule(keys, n)
    for kind in listed:
        if kind not in known:
            raise ModelConfigError(
                f"config: '{keys.label('layer_types')}' holds {shown(kind)}; "
                f"known here: {', '.join(known)}."
            )
    return checked_length(keys, "layer_types", listed, n)


def sparse_layers(keys: Keys, n: int) -> list[bool]:
    """Which layers have experts, by the keys that families use for it."""
    if keys.has("mlp_layer_types"):
        kinds = checked_length(keys, "mlp_layer_types", keys.words("mlp_layer_types"), n)
        return [kind == "sparse" for kind in kinds]
    if isinstance(keys.data.get("moe_layer_freq"), list):
        listed = keys.counts("moe_layer_freq", high=1)
        return [flag > 0 for flag in checked_length(keys, "moe_layer_freq", listed, n)]
    first = keys.count(
        "first_k_dense_replace", "num_dense_layers", "moe_layer_start_index", default=0, low=0
    )
    last = keys.count("moe_layer_end_index", default=n - 1, low=-1)
    last = n - 1 if last < 0 else last
    step = keys.count("moe_layer_freq", "decoder_sparse_step", "moe_layer_interval", default=1)
    offset = 1 if keys.known("decoder_sparse_step", "moe_layer_interval") else 0
    dense = set(keys.counts("mlp_only_layers", default=[]))
    return [first <= i <= last and (i + offset) % step == 0 and i not in dense for i in range(n)]


def cwm(_: Keys, n: int) -> list[str]:
    """Global on the first of each four layers."""
    return [SLIDING if i % 4 else FULL for i in range(n)]


def nope_full(_: Keys, n: int) -> list[str]:
    """Global on every fourth layer, counted from the last."""
    return [SLIDING if (n - 1 - i) % 4 else FULL for i in range(n)]


def required(keys: Keys, _: int) -> list[str]:
    """No rule: the file has to list its layers."""
    raise ModelConfigError(
        f"config: '{keys.label('layer_types')}' is missing; a kind for each layer is needed."
    )
