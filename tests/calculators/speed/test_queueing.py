"""The chain against Erlang's formulas, worked out independently."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

from calculators.speed.queueing import Load, occupancy_frac, slot_wait


def erlang_c(servers: int, offered: float) -> float:
    """Share of customers who wait in M/M/c (Erlang 1917), by the textbook sum."""
    queue = offered**servers / factorial(servers) * servers / (servers - offered)
    return queue / (sum(offered**k / factorial(k) for k in range(servers)) + queue)


def load(servers: int, rho: float, **changes) -> Load:
    given = {
        "rate": np.array([rho * servers]),
        "capacity": float(servers),
        "decode_s": np.ones(servers),
        "prefill_s": 0.0,
        "length_cv": 1.0,
        "prompt_cv": 0.0,
    }
    return Load(**given | changes)


@pytest.mark.parametrize("servers", [1, 4, 32])
@pytest.mark.parametrize("rho", [0.2, 0.7, 0.95])
def test_slots_of_constant_speed_are_erlangs_servers(servers, rho):
    occupancy = occupancy_frac(load(servers, rho))
    assert occupancy.sum() == pytest.approx(1.0)
    assert occupancy[0, -1] == pytest.approx(erlang_c(servers, rho * servers), rel=1e-9)


@pytest.mark.parametrize("cv", [0.0, 0.5, 1.0])
def test_one_slot_waits_as_pollaczek_and_khinchine_say(cv):
    """M/G/1: mean wait of those who wait = service (1 + cv^2) / 2 / (1 - rho)."""
    one = load(1, 0.6, length_cv=cv)
    wait = slot_wait(one, occupancy_frac(one)[:, -1])
    assert wait.full_frac[0] == pytest.approx(0.6)
    assert wait.mean_s[0] == pytest.approx((1 + cv**2) / 2 / 0.4)


@pytest.mark.parametrize(
    ("servers", "rho", "share", "mean"),
    [
        (4, 0.5, 0.163, 0.304),
        (4, 0.88, 0.733, 1.082),
        (16, 0.7, 0.118, 0.137),
        (16, 0.88, 0.497, 0.289),
        (64, 0.88, 0.210, 0.081),
        (256, 0.95, 0.285, 0.047),
    ],
)
def test_equal_lengths_wait_as_in_m_d_c(servers, rho, share, mean):
    """Exact values by Spitzer's identity for E_c/D/1, the same wait as M/D/c: share, mean / D."""
    constant = load(servers, rho, length_cv=0.0)
    wait = slot_wait(constant, occupancy_frac(constant)[:, -1])
    assert wait.full_frac[0] == pytest.approx(share, rel=0.05)
    assert wait.mean_s[0] == pytest.approx(mean, rel=0.05)


def test_prefills_spread_the_number_at_the_server():
    """Equal lengths: variance / mean = 1 / (1 - rate x prefill)^2, of a busy period's length."""
    slots, rate, prefill_s = 400, 4.0, 0.1
    decode = load(
        slots,
        0.1,
        rate=np.array([rate]),
        capacity=9.9,
        decode_s=np.full(slots, 20.0),
        prefill_s=prefill_s,
        length_cv=0.0,
    )
    shares = occupancy_frac(decode)[0]
    n = np.arange(slots + 1)
    mean = shares @ n
    assert mean == pytest.approx(rate * 20.0 / (1 - rate * prefill_s), rel=0.02)
    assert shares @ (n - mean) ** 2 / mean == pytest.approx(1 / 0.6**2, rel=0.05)
