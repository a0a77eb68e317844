"""The reference tables in one dictionary: the page's and the command line's."""

from __future__ import annotations

from typing import Any

from app.digits import digits_data
from app.one_core import one_core
from calculators.cost.unit_cost import reference_duty_cycle_cost, reference_unit_cost
from calculators.fit.reference import reference_fits, reference_kv_capacity
from calculators.labs.reference import reference_labs
from calculators.speed.reference import (
    prefill_and_decode_intensity,
    roofline_break_even,
    single_stream_floor,
)


def reference_tables() -> dict[str, Any]:
    """Every reference table by its name, raw and not rounded; the labs' take some seconds."""
    with one_core():
        labs = reference_labs(digits_data())
    return {
        "roofline_break_even": roofline_break_even(),
        "single_stream_floor": single_stream_floor(),
        "kv_cache_capacity": reference_kv_capacity(),
        "fits": reference_fits(),
        "unit_cost": reference_unit_cost(),
        "duty_cycle_cost": reference_duty_cycle_cost(),
        "prefill_and_decode_intensity": prefill_and_decode_intensity(),
        **labs,
    }
