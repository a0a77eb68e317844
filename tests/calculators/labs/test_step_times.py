"""Tabulated step times against the functions themselves."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.quantization import LabError
from calculators.labs.requests import Requests
from calculators.labs.step_times import step_times

WORK = Requests(np.zeros(2), np.array([100, 1000]), np.array([50, 200]))


def decode_s(*, batch, context_tok):
    return 0.01 + 1e-6 * batch * context_tok


def prefill_s(*, prompt_tok):
    return 0.03 + 1e-4 * prompt_tok


def test_linear_steps_are_summed_exactly():
    times = step_times(decode_s=decode_s, prefill_s=prefill_s, n_slots=8, requests=WORK)
    found = times.elapsed_s(n_active=5, context_tok=333.25, n_steps=np.arange(1, 41))
    wanted = np.cumsum([decode_s(batch=5, context_tok=333.25 + i) for i in range(40)])
    assert found == pytest.approx(wanted)


def test_a_window_costs_little_accuracy():
    def windowed(*, batch, context_tok):
        return 0.01 + 1e-6 * batch * np.minimum(context_tok, 512)

    times = step_times(decode_s=windowed, prefill_s=prefill_s, n_slots=8, requests=WORK)
    wanted = sum(windowed(batch=8, context_tok=400 + i) for i in range(300))
    assert times.elapsed_s(n_active=8, context_tok=400, n_steps=300) == pytest.approx(
        wanted, rel=1e-3
    )


def test_the_fixed_part_of_a_prefill_is_apart():
    times = step_times(decode_s=decode_s, prefill_s=prefill_s, n_slots=8, requests=WORK)
    assert times.prefill_fixed_s == pytest.approx(0.03)
    assert times.prefill_extra_s == pytest.approx([0.01, 0.1])
    assert times.n_slots == 8


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_impossible_times_are_refused(value):
    with pytest.raises(LabError, match="decode_s"):
        step_times(decode_s=lambda **_: value, prefill_s=prefill_s, n_slots=1, requests=WORK)


def test_a_server_needs_a_slot():
    with pytest.raises(LabError, match="n_slots"):
        step_times(decode_s=decode_s, prefill_s=prefill_s, n_slots=0, requests=WORK)
