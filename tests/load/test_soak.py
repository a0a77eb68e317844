"""What the load tool works out of its samples, and that it finds a server's memory."""

from __future__ import annotations

import os
import socket

import pytest

from tests.load.crowd import Crowd
from tests.load.memory import listeners, resident_mb
from tests.load.soak import Sample, Soak


def soak_with(*resident: float) -> Soak:
    """A run of 10,000 reruns with these figures at its tenths."""
    run = Soak(["ws://x"], 10_000, 0, 1, memory=lambda: 0.0, report=lambda sample: None)
    run.samples = [Sample("start", 0, 0, 300.0, None, 0)]
    for tenth, mb in enumerate(resident, start=1):
        run.samples.append(Sample(f"{tenth * 10} %", tenth * 1000, 20, mb, 100, 0))
    return run


def test_growth_leaves_the_warm_up_out():
    # 400 MB after the second tenth, then 2 MB in each 1,000 reruns
    assert soak_with(340, 400, 402, 404, 406, 408, 410, 412, 414, 416).growth_mb() == pytest.approx(
        2
    )
    assert soak_with(340, 400, 400, 400, 400, 400, 400, 400, 400, 400).growth_mb() == pytest.approx(
        0
    )
    assert soak_with(340, 400).growth_mb() is None


def test_a_soak_ends_with_its_reruns_or_its_time():
    run = soak_with()
    run.n_reruns = 2
    assert [run.take() for _ in range(3)] == [True, True, False]
    over = soak_with()
    over.until = 0.0
    assert not over.take()


def test_a_sample_is_taken_at_each_tenth():
    run = Soak(["ws://x"], 25, 0, 1, memory=lambda: 5.0, report=lambda sample: None)
    for _ in range(25):
        run.count(0.1)
    assert [sample.when for sample in run.samples] == [f"{n} %" for n in range(10, 101, 10)]
    assert [sample.reruns for sample in run.samples] == [3, 5, 8, 10, 13, 15, 18, 20, 23, 25]


def test_memory_of_a_tab_is_that_of_open_tabs_that_moved():
    crowd = Crowd(first_s=[0.1] * 4, resident_mb=[300.0, 301.0, 303.0])
    assert crowd.tab_mb() == 0.75
    assert Crowd().tab_mb() is None


def test_the_process_that_listens_is_found():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert listeners([port]) == [os.getpid()]
    assert listeners([port]) == []
    assert 1 < resident_mb(os.getpid()) < 100_000
