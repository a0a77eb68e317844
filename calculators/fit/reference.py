"""The reference arithmetic of weights and cache (basis bound): nominal bits, a flat overhead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calculators.fit.weights import weight_bytes
from calculators.units import BITS_PER_BYTE, GIB


@dataclass(frozen=True, slots=True)
class ReferenceShape:
    """A plain grouped-query model: all that the reference arithmetic looks at."""

    n_params: float
    n_layers: int
    n_kv_heads: int
    head_dim: int

    def bytes_per_tok(self, cache_bits: float = 16) -> float:
        """2 x layers x KV heads x head size x bits / 8."""
        return 2 * self.n_layers * self.n_kv_heads * self.head_dim * cache_bits / BITS_PER_BYTE


LARGE = ReferenceShape(n_params=70e9, n_layers=80, n_kv_heads=8, head_dim=128)
SMALL = ReferenceShape(n_params=8e9, n_layers=32, n_kv_heads=8, head_dim=128)
CONTEXTS_TOK = (2048, 8192, 32768)
CARD_GIB, OVERHEAD_GIB, SMALL_CARD_GIB = 80, 4, 24


def reference_kv_capacity() -> dict[str, Any]:
    """Sequences of 2k, 8k and 32k tokens of a 70B model beside its weights on an 80 GiB card.

    sequences = max(floor((card - overhead - weights) / (bytes per token x context)), 0)

    Returns
    -------
    dict
        The golden table's own keys; raw numbers, in GiB and KiB as the keys say.

    Notes
    -----
    Basis: bound. A real engine sees less memory, stores more bits and reserves more.

    References
    ----------
    The project's reference tables (kv_cache_capacity), read 2026-11-30.

    Examples
    --------
    Four bits leave 43.4 GiB: seventeen sequences of 8k tokens.

    >>> reference_kv_capacity()["rows"][2][4]
    17
    """
    per_tok = LARGE.bytes_per_tok()
    return {
        "per_token_kib": per_tok / 1024,
        "one_8k_conversation_gib": per_tok * 8192 / GIB,
        "columns": ["weight_bits", "weight_gib", "cache_gib", "seqs_2k", "seqs_8k", "seqs_32k"],
        "rows": [_capacity_row(bits, per_tok) for bits in (16, 8, 4)],
        "batch_74_at_8k_gib": 74 * per_tok * 8192 / GIB,
        "eight_b_example": {
            "layers": SMALL.n_layers,
            "kv_heads": SMALL.n_kv_heads,
            "head_dim": SMALL.head_dim,
            "kv_bits": 16,
            "bytes_per_token": SMALL.bytes_per_tok(),
        },
    }


def _capacity_row(bits: int, per_tok: float) -> list[float]:
    weights_gib = float(weight_bytes(n_params=LARGE.n_params, bits=bits)) / GIB
    cache_gib = CARD_GIB - OVERHEAD_GIB - weights_gib
    counts = [max(int(cache_gib * GIB // (per_tok * context)), 0) for context in CONTEXTS_TOK]
    return [bits, weights_gib, cache_gib, *counts]


def reference_fits() -> dict[str, Any]:
    """Weights and cache of an 8B model at 8k tokens against a 24 GiB card, without overhead.

    total = weights + batch x bytes per token x context; it fits where total <= card

    Returns
    -------
    dict
        The golden table's own keys; raw numbers.

    Notes
    -----
    Basis: bound. A real engine needs room for itself: the second row does not start.

    References
    ----------
    The project's reference tables (fits), read 2026-11-30.

    Examples
    --------
    >>> [row[-1] for row in reference_fits()["rows"]]
    [False, True, True, True, True]
    """
    cases = ((16, 16, 16), (8, 16, 16), (4, 16, 16), (4, 8, 16), (4, 8, 32))
    return {
        "columns": [
            "weight_bits",
            "kv_bits",
            "batch",
            "weights_gib",
            "cache_gib",
            "total_gib",
            "fits",
        ],
        "rows": [_fits_row(*case) for case in cases],
    }


def _fits_row(bits: int, cache_bits: int, batch: int) -> list[float | bool]:
    weights_gib = float(weight_bytes(n_params=SMALL.n_params, bits=bits)) / GIB
    cache_gib = batch * SMALL.bytes_per_tok(cache_bits) * 8192 / GIB
    total_gib = weights_gib + cache_gib
    return [bits, cache_bits, batch, weights_gib, cache_gib, total_gib, total_gib <= SMALL_CARD_GIB]
