"""Open loop against closed forms, and percentiles against the event simulation."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.speed.open_loop import open_loop
from calculators.speed.serving import ServingError, closed_loop
from tests.calculators.speed.event_simulation import simulate_open

OUTPUT_TOK = 200


def step_s(n):
    return 0.015 + 0.0003 * np.asarray(n)


def lengths(rng: np.random.Generator, cv: float, n: int) -> np.ndarray:
    if cv == 0:
        return np.full(n, OUTPUT_TOK)
    if cv == 1:
        return 1 + rng.geometric(1 / (OUTPUT_TOK - 1), n)
    spread = np.log(1 + cv**2)
    drawn = rng.lognormal(np.log(OUTPUT_TOK) - spread / 2, np.sqrt(spread), n)
    return np.maximum(2, np.rint(drawn)).astype(int)


def given(**changes) -> dict:
    return {
        "step_s": step_s,
        "prefill_s": 0.05,
        "output_tok": OUTPUT_TOK,
        "batch_limit": 16,
        **changes,
    }


def at_utilisation(rho: float, **changes):
    settings = given(**changes)
    capacity = open_loop(**settings, requests_per_s=1e-6).capacity_per_s
    return settings, rho * capacity


def simulated(settings: dict, rate: float, n: int = 40_000, seed: int = 1):
    rng = np.random.default_rng(seed)
    return simulate_open(
        arrival=np.cumsum(rng.exponential(1 / rate, n)),
        step_s=settings["step_s"],
        prefill_s=settings["prefill_s"],
        lengths=lengths(rng, settings.get("length_cv", 1.0), n),
        batch_limit=settings["batch_limit"],
        n_chunks=settings.get("n_chunks", 0.0),
    )


CASES = [  # away from the gap between requests that find a slot and those that do not
    *[(0.3, {"length_cv": cv, "n_chunks": m}) for cv in (0.0, 1.0) for m in (0.0, 0.25, 2.0)],
    *[(0.5, {"length_cv": cv, "batch_limit": 64}) for cv in (0.0, 0.5, 1.5)],
    *[(0.7, {"length_cv": cv, "batch_limit": 4}) for cv in (0.0, 0.5, 1.0)],
    *[(0.8, {"length_cv": cv, "batch_limit": 256}) for cv in (0.0, 1.0)],
    *[(0.85, {"length_cv": 0.0, "batch_limit": 6, "n_chunks": m}) for m in (0.0, 1.0)],
]


@pytest.mark.parametrize(("rho", "changes"), CASES)
def test_percentiles_agree_with_the_event_simulation(rho, changes):
    settings, rate = at_utilisation(rho, **changes)
    seen = simulated(settings, rate)
    loop = open_loop(**settings, requests_per_s=rate)
    for share, wait_s, ttft_s in (
        (50, loop.wait_p50_s, loop.ttft_p50_s),
        (95, loop.wait_p95_s, loop.ttft_p95_s),
    ):
        assert wait_s == pytest.approx(np.percentile(seen.wait_s, share), rel=0.15)
        assert ttft_s == pytest.approx(np.percentile(seen.ttft_s, share), rel=0.15)
    assert loop.request_s == pytest.approx(seen.request_s.mean(), rel=0.10)


@pytest.mark.parametrize("n_chunks", [0.0, 1.0])
def test_a_busy_server_agrees_over_several_long_runs(n_chunks):
    """At 0.85 one run of 40,000 requests still scatters by 15 %: four of them together."""
    settings, rate = at_utilisation(0.85, batch_limit=6, n_chunks=n_chunks)
    waits = [simulated(settings, rate, n=50_000, seed=seed).wait_s for seed in range(4)]
    loop = open_loop(**settings, requests_per_s=rate)
    assert loop.wait_p50_s == pytest.approx(np.percentile(waits, 50), rel=0.15)
    assert loop.wait_p95_s == pytest.approx(np.percentile(waits, 95), rel=0.10)


def test_one_slot_is_the_textbook_queue():
    """M/M/1 at 0.5: P(wait > t) = 0.5 exp(-0.5 t); a step is short beside the service."""
    loop = open_loop(
        step_s=lambda n: 1e-4 + 0 * n,
        prefill_s=0.0,
        output_tok=10_001,
        batch_limit=1,
        requests_per_s=np.array([0.5, 0.9]),
    )
    assert loop.utilisation_frac == pytest.approx([0.5, 0.9])
    assert loop.wait_p95_s[0] == pytest.approx(np.log(10) / 0.5, rel=0.01)
    assert loop.wait_p50_s[0] == 0.0
    assert loop.wait_p50_s[1] == pytest.approx(np.log(0.9 / 0.5) / 0.1, rel=0.01)


def test_saturation_is_said_and_waits_have_no_end():
    capacity = float(closed_loop(**_closed(), concurrency=16).requests_per_s)
    loop = open_loop(**given(), requests_per_s=np.array([0.5, 1.0, 2.0]) * capacity)
    assert loop.saturated.tolist() == [False, True, True]
    assert np.isinf(loop.wait_p95_s[1:]).all()
    assert np.isinf(loop.request_s[1:]).all()
    assert loop.output_tok_s[1:] == pytest.approx(capacity * OUTPUT_TOK)
    assert loop.tpot_s[2] == pytest.approx(float(closed_loop(**_closed(), concurrency=16).tpot_s))


def _closed() -> dict:
    return {name: value for name, value in given().items() if name != "batch_limit"}


def test_an_idle_server_answers_at_once():
    loop = open_loop(**given(), requests_per_s=1e-4)
    assert (loop.wait_p50_s, loop.wait_p95_s) == (0.0, 0.0)
    assert loop.ttft_p95_s == pytest.approx(0.05)
    assert loop.tpot_s == pytest.approx(step_s(1), rel=0.01)


def test_more_load_and_more_spread_wait_longer():
    rates = np.linspace(0.2, 0.95, 12) * open_loop(**given(), requests_per_s=1.0).capacity_per_s
    equal, spread = (open_loop(**given(length_cv=cv), requests_per_s=rates) for cv in (0.0, 1.0))
    assert (np.diff(equal.wait_p95_s) > 0).all()
    assert (np.diff(spread.mean_batch) > 0).all()
    assert (spread.wait_p95_s[-3:] > equal.wait_p95_s[-3:]).all()


def test_arrays_equal_numbers():
    rates = np.array([[0.5, 1.0], [1.5, 2.0]])
    table = open_loop(**given(), requests_per_s=rates)
    assert table.wait_p95_s.shape == (2, 2)
    for place in np.ndindex(2, 2):
        one = open_loop(**given(), requests_per_s=rates[place])
        assert table.wait_p95_s[place] == pytest.approx(float(one.wait_p95_s))
        assert table.tpot_s[place] == pytest.approx(float(one.tpot_s))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"requests_per_s": 0.0}, "requests_per_s"),
        ({"requests_per_s": float("nan")}, "requests_per_s"),
        ({"batch_limit": 0, "requests_per_s": 1.0}, "batch_limit"),
    ],
)
def test_what_cannot_be_is_refused(changes, named):
    with pytest.raises(ServingError, match=named):
        open_loop(**given() | changes)


@pytest.mark.parametrize("n_chunks", [0.0, 2.0])
def test_without_the_shares_of_the_wait_everything_else_is_the_same(n_chunks):
    rates = np.array([0.2, 0.9])
    asked = {"step_s": lambda n: 1e-2 + 0 * n, "prefill_s": 0.1, "output_tok": 101,
             "batch_limit": 4, "requests_per_s": rates, "n_chunks": n_chunks}  # fmt: skip
    whole, part = open_loop(**asked), open_loop(**asked, wait_shares=False)
    assert np.isnan(part.wait_p95_s).all() == (n_chunks > 0)  # else they come with the first token
    for name in ("ttft_p50_s", "ttft_p95_s", "wait_mean_s", "request_s", "tpot_s"):
        assert np.array_equal(getattr(whole, name), getattr(part, name)), name
