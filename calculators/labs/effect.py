"""What a lab's finding means for a scenario: the same scenario at other bits, other slots."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calculators.cost.unit_cost import usd_per_mtok
from calculators.plan import Plan
from calculators.scenario import Scenario

LEAST_BITS = 1.0


@dataclass(frozen=True, slots=True)
class HeldSequences:
    """Sequences that a replica's cache holds when each reserves its limit, and when it pages."""

    contiguous: int
    paged: int
    mean_tok: float


def with_effective_bits(plan: Plan, effective_bits: float) -> Scenario:
    """The scenario with its weight format moved to other effective bits.

    nominal bits = effective bits - (the format's effective - nominal bits)

    Parameters
    ----------
    plan : Plan
        Of the scenario.
    effective_bits : float [bits]
        Per weight of the linear layers, scales included.

    Returns
    -------
    Scenario

    Notes
    -----
    What the format keeps in 16 bits stays. The engine may have no kernel for such a format.

    References
    ----------
    calculators/custom.py.

    Examples
    --------
    The quantization page's last line shows its plan.
    """
    base = plan.catalog.weight_formats[plan.scenario.weight_format]
    nominal = effective_bits - (base.bits - base.nominal_bits)
    return replace(plan.scenario, bits=max(nominal, LEAST_BITS))


def output_usd_mtok(plan: Plan, output_tok_s: float) -> float | None:
    """Hardware cost of a million output tokens of one replica that runs all the time.

    card rate x cards / (tokens/s x 3600) x 10^6

    Parameters
    ----------
    plan : Plan
        Whose card rate and cards count.
    output_tok_s : float [tok/s]
        Of one replica.

    Returns
    -------
    float or None [USD per million output tokens]
        None where no rate is known or nothing comes out.

    Notes
    -----
    Duty is 1 and input tokens are counted as free.

    References
    ----------
    calculators/cost/unit_cost.py.

    Examples
    --------
    The batching page's last line shows it.
    """
    rate = plan.card_cost.usd_h
    if rate is None or output_tok_s <= 0:
        return None
    return float(usd_per_mtok(usd_h=rate * plan.scenario.n_cards, tok_s=output_tok_s))


def held_sequences(
    *, capacity_tok: int, reserved_tok: int, input_tok: int, output_tok: int, block_tok: int
) -> HeldSequences:
    """Sequences that fit by reservation and by blocks.

    capacity // reserved; capacity // (blocks of input + output / 2 tokens)

    Parameters
    ----------
    capacity_tok : int [tokens]
        Of the whole cache.
    reserved_tok : int [tokens]
        What contiguous allocation sets aside for one.
    input_tok, output_tok : int [tokens]
        Of a request; half of its output exists on average.
    block_tok : int [tokens]
        Of a block, 1 or more.

    Returns
    -------
    HeldSequences

    Notes
    -----
    Basis `bound`: paging holds so many on average and preempts when many grow long at once.

    References
    ----------
    Kwon et al., vLLM, arXiv 2309.06180.

    Examples
    --------
    >>> held_sequences(capacity_tok=8000, reserved_tok=4000, input_tok=700, output_tok=200,
    ...                block_tok=16)
    HeldSequences(contiguous=2, paged=10, mean_tok=800.0)
    """
    mean_tok = input_tok + output_tok / 2
    blocks_tok = -(-int(mean_tok) // block_tok) * block_tok
    return HeldSequences(capacity_tok // max(reserved_tok, 1), capacity_tok // blocks_tok, mean_tok)
