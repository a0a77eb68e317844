"""Hours of use in one run: tabs that open, move sliders, visit every page, and close again."""

from __future__ import annotations

import asyncio
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.load.client import Tab
from tests.load.crowd import percentile_ms

SESSION_RERUNS = 60  # of a tab on average, before it closes and another opens
PAGE_RERUNS = 6  # on a page on average
TENTHS = 10
WARM_TENTHS = 2  # left out of the growth: caches fill


class Sample(NamedTuple):
    """The server at one moment of the run."""

    when: str
    reruns: int
    sessions: int
    resident_mb: float
    p95_ms: int | None
    errors: int


@dataclass
class Soak:
    """What is asked of a run, and what it measured."""

    urls: Sequence[str]
    n_reruns: int
    think_s: float
    seed: int
    memory: Callable[[], float]
    report: Callable[[Sample], None]
    query: str = ""
    until: float = math.inf  # time.monotonic() at which the run ends, whatever is left
    samples: list[Sample] = field(default_factory=list)
    rerun_s: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    visited: set[str] = field(default_factory=set)
    n_sessions: int = 0
    n_begun: int = 0
    session_mb: float = 0.0

    async def run(self, n_tabs: int) -> None:
        """Visit every page once, open the tabs, then use them until the reruns are done."""
        await self._visit_all()
        self._sample("start")
        people = [Person(self, i) for i in range(n_tabs)]
        await asyncio.gather(*(person.open() for person in people))
        self._sample("opened")
        self.session_mb = (self.samples[-1].resident_mb - self.samples[0].resident_mb) / n_tabs
        await asyncio.gather(*(person.stay() for person in people))
        self._sample("closed")

    def growth_mb(self) -> float | None:
        """Slope of the memory over reruns after the warm-up [MB per 1,000 reruns]."""
        tenths = [sample for sample in self.samples if sample.when.endswith("%")][WARM_TENTHS - 1 :]
        if len(tenths) < 2:
            return None
        reruns = [sample.reruns / 1000 for sample in tenths]
        return statistics.linear_regression(reruns, [s.resident_mb for s in tenths]).slope

    def take(self) -> bool:
        """Whether one more rerun is to be made."""
        self.n_begun += 1
        return self.n_begun <= self.n_reruns and time.monotonic() < self.until

    def count(self, seconds: float) -> None:
        """One rerun is done; at each tenth of the run the server is looked at."""
        self.rerun_s.append(seconds)
        tenth, rest = divmod(len(self.rerun_s) * TENTHS, self.n_reruns)
        if rest < TENTHS:
            self._sample(f"{tenth * 100 // TENTHS} %")

    def fail(self, who: int, error: Exception) -> None:
        """Keep an error for the report."""
        self.errors.append(f"tab {who}: {type(error).__name__}: {error}")

    async def _visit_all(self) -> None:
        tab = Tab(self.urls[0], query=self.query)
        try:
            await tab.open()
            await tab.run()
            for page in sorted(tab.pages):
                await tab.visit(page)
        finally:
            await tab.close()

    def _sample(self, when: str) -> None:
        recent = self.rerun_s[-max(self.n_reruns // TENTHS, 1) :]
        sample = Sample(
            when,
            len(self.rerun_s),
            self.n_sessions,
            self.memory(),
            percentile_ms(recent, 0.95),
            len(self.errors),
        )
        self.samples.append(sample)
        self.report(sample)


class Person:
    """Somebody who opens one tab after another, and in each moves sliders and visits pages."""

    def __init__(self, soak: Soak, number: int) -> None:
        self.soak, self.number = soak, number
        self.rng = random.Random(soak.seed * 1000 + number)
        self.pages: list[str] = []
        self.tab = Tab(soak.urls[number % len(soak.urls)])

    async def open(self) -> None:
        """Open a fresh tab; an error is counted, and the next rerun opens another."""
        self.tab = Tab(self.tab.url, query=self.soak.query)
        self.soak.n_sessions += 1
        try:
            await self.tab.open()
            await self.tab.run()
        except Exception as error:
            self.soak.fail(self.number, error)
            await self.tab.close()

    async def stay(self) -> None:
        """Use tabs until the run has its reruns."""
        while self.soak.take():
            think_s = self.soak.think_s
            await asyncio.sleep(self.rng.expovariate(1 / think_s) if think_s else 0)
            if not self.tab.is_open or self.rng.random() < 1 / SESSION_RERUNS:
                await self.tab.close()
                await self.open()
            begun = time.perf_counter()
            try:
                await self._act()
            except Exception as error:
                self.soak.fail(self.number, error)
                await self.tab.close()
            self.soak.count(time.perf_counter() - begun)
        await self.tab.close()

    async def _act(self) -> None:
        if self.rng.random() >= 1 / PAGE_RERUNS and self.tab.sliders:
            await self.tab.move(self.rng.choice(sorted(self.tab.sliders)), self.rng)
            return
        if not self.pages:
            self.pages = self.rng.sample(sorted(self.tab.pages), len(self.tab.pages))
        page = self.pages.pop()
        await self.tab.visit(page)
        self.soak.visited.add(page)


def table_line(values: Sequence[object]) -> str:
    """One line of the report, right-aligned.

    >>> table_line(["10 %", 5, 1.25, None]).split()
    ['10', '%', '5', '1.2', '-']
    """
    texts = ("-" if v is None else f"{v:.1f}" if isinstance(v, float) else str(v) for v in values)
    return " ".join(text.rjust(11) for text in texts)
