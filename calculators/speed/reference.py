"""The reference tables of speed, computed by the formulas of `roofline`."""

from __future__ import annotations

from calculators.speed.roofline import (
    bound_step_s,
    break_even_batch,
    decode_intensity_flop_byte,
    ridge_flop_byte,
    single_stream_floor_s,
    weight_read_bytes,
)

_CARDS = (
    ("H100 SXM", 989.0e12, 3.35e12),
    ("A100 80GB", 312.0e12, 2.04e12),
    ("L40S", 362.0e12, 0.864e12),
)
_H100 = {"peak_flop_s": 989.0e12, "bandwidth_bytes_s": 3.35e12}
_PARAMS, _BITS = 70.0e9, 4


def roofline_break_even() -> dict:
    """Ridge and break-even batch of three cards, raw, in the reference table's own keys.

    Examples
    --------
    >>> [round(figure) for figure in roofline_break_even()["rows"][0][3:]]
    [295, 295, 74]
    """
    columns = [
        "card",
        "peak_flops",
        "bandwidth_bytes_s",
        "flop_per_byte",
        "break_even_16bit",
        "break_even_4bit",
    ]
    return {
        "columns": columns,
        "rows": [_break_even_row(*card) for card in _CARDS],
        "identity": "intensity = 2 * batch / bytes_per_weight FLOP per byte; "
        "parameter count cancels",
    }


def _break_even_row(card: str, flop_s: float, bytes_s: float) -> list:
    peaks = {"peak_flop_s": flop_s, "bandwidth_bytes_s": bytes_s}
    batches = [break_even_batch(**peaks, weight_bits=bits) for bits in (16, 4)]
    return [card, flop_s, bytes_s, ridge_flop_byte(**peaks), *batches]


def single_stream_floor() -> dict:
    """Least time per token of one stream, raw, in the reference table's own keys.

    Examples
    --------
    >>> single_stream_floor()["rows"][0][3:]
    [8.0, 125.0]
    """
    rows = []
    for bits in (16, 4):
        time_s = single_stream_floor_s(n_params=8.0e9, weight_bits=bits, bandwidth_bytes_s=2.0e12)
        rows.append([8.0e9, bits, 2.0e12, time_s * 1e3, 1 / time_s])
    reads = [
        [_PARAMS, bits, weight_read_bytes(n_params=_PARAMS, weight_bits=bits)] for bits in (16, 4)
    ]
    columns = ["params", "bits", "bandwidth_bytes_s", "ms_per_token", "tok_s"]
    return {"columns": columns, "rows": rows, "weight_read_bytes": reads}


def prefill_and_decode_intensity() -> dict:
    """FLOP per byte of decode and prefill, and the ridge of a round card, raw.

    Examples
    --------
    >>> round(prefill_and_decode_intensity()["card_ratio"]["flop_per_byte"])
    333
    """
    peak, bandwidth = 1000.0e12, 3.0e12
    ridge = ridge_flop_byte(peak_flop_s=peak, bandwidth_bytes_s=bandwidth)
    ratio = {"peak_flops": peak, "bandwidth_bytes_s": bandwidth, "flop_per_byte": ridge}
    tokens = {"decode": (1, 16, 74), "prefill": (512, 8192)}
    intensity = {
        name: [[n, 16, decode_intensity_flop_byte(batch=n, weight_bits=16)] for n in counts]
        for name, counts in tokens.items()
    }
    return {"card_ratio": ratio, **intensity}


def unit_cost_steps(batches: tuple[int, ...] = (1, 4, 16, 17, 64, 74, 256)) -> list[list[float]]:
    """Step and rates of the unit-cost table: batch, ms per step, tok/s in total and for each.

    A 70e9-parameter model at 4 bits on an H100 at 0.7 of both peaks, weights only, raw.

    Examples
    --------
    >>> [round(figure, 2) for figure in unit_cost_steps((17,))[0]]
    [17, 14.93, 1139.0, 67.0]
    """
    weight_bytes = weight_read_bytes(n_params=_PARAMS, weight_bits=_BITS)
    rows = []
    for batch in batches:
        step_s = float(
            bound_step_s(batch=batch, weight_bytes=weight_bytes, active_params=_PARAMS, **_H100)
        )
        rows.append([batch, step_s * 1e3, batch / step_s, 1 / step_s])
    return rows
