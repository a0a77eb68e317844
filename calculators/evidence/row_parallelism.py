"""How the cards of a measurement work together, from its columns and notes."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import Any

from calculators.evidence.row_text import note_facts
from calculators.specs import EngineSpec, ModelSpec, Parallelism
from calculators.units import BITS_PER_BYTE

WEIGHT_SHARE = 0.6  # of a card's memory, where the number of cards of a replica is not given
SPLIT_SCENARIOS = ("single_stream_decode", "prefill")


def row_parallelism(
    record: dict[str, Any],
    *,
    model: ModelSpec,
    engine: EngineSpec,
    memory_bytes: float,
    bits: float,
) -> tuple[Parallelism, float]:
    """Parallelism of one replica, and how many replicas the cards of the measurement make.

    `pp` above 1 in a single stream or a prompt is a layer split: one card works at a time. Where
    `tp` is blank, a replica takes the fewest cards (1, 2, 4 ...) that hold its weights in 60 % of
    their memory.

    Parameters
    ----------
    record : n_gpus, tp, pp, scenario, notes
    model, engine : of the measurement
    memory_bytes : [byte] of one card
    bits : effective bits per weight

    Returns
    -------
    Parallelism and number of replicas

    Examples
    --------
    See `calculators.evidence.row_reader.Reader`.
    """
    n_cards = _whole(record["n_gpus"], 1)
    pp = _whole(record["pp"], 1)
    facts = note_facts(record["notes"])
    if isfinite(record["tp"]):
        tp = _whole(record["tp"], 1)
    else:
        weight_bytes = model.total_params * bits / BITS_PER_BYTE
        tp = _fewest_cards(weight_bytes, memory_bytes, n_cards // pp)
    over_all = facts.experts_over_all and model.n_experts > 0 and tp > 1
    attention_dp = facts.attention_dp > 1 or over_all
    if attention_dp:
        tp = max(tp, n_cards // pp)
    experts = attention_dp or facts.expert_parallel > 1
    split = pp > 1 and (record["scenario"] in SPLIT_SCENARIOS or engine.split == "layer")
    return _parallelism(tp, pp, attention_dp, experts, split), max(n_cards / (tp * pp), 1.0)


@lru_cache(maxsize=1024)
def _parallelism(tp: int, pp: int, data: bool, experts: bool, split: bool) -> Parallelism:
    return Parallelism(tp=tp, pp=pp, attention_dp=data, expert_parallel=experts, layer_split=split)


def _whole(value: float, default: int) -> int:
    return int(value) if isfinite(value) and value >= 1 else default


def _fewest_cards(weight_bytes: float, memory_bytes: float, most: int) -> int:
    n = 1
    while n < most and weight_bytes > WEIGHT_SHARE * n * memory_bytes:
        n *= 2
    return n
