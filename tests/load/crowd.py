"""Many tabs at once, each a person who moves a slider every few seconds."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.load.client import Tab


@dataclass
class Crowd:
    """What the tabs of one run measured, in seconds and bytes."""

    first_s: list[float] = field(default_factory=list)
    rerun_s: list[float] = field(default_factory=list)
    n_bytes: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    resident_mb: list[float] = field(default_factory=list)  # before, all open, all moved

    def tab_mb(self) -> float | None:
        """What a tab adds to the server's memory while it is open and has moved [MB]."""
        if len(self.resident_mb) < 3 or not self.first_s:
            return None
        return (self.resident_mb[-1] - self.resident_mb[0]) / len(self.first_s)

    def summary(self) -> dict[str, object]:
        """Counts, and milliseconds at the 50th and 95th percentile."""
        return {
            "reruns": len(self.rerun_s),
            "first_p50_ms": percentile_ms(self.first_s, 0.5),
            "rerun_p50_ms": percentile_ms(self.rerun_s, 0.5),
            "rerun_p95_ms": percentile_ms(self.rerun_s, 0.95),
            "kb_per_tab": round(sum(self.n_bytes) / max(len(self.n_bytes), 1) / 1e3),
            "resident_mb": [round(mb) for mb in self.resident_mb],
            "mb_per_tab": None if self.tab_mb() is None else round(self.tab_mb() or 0, 2),
            "errors": len(self.errors),
            "first_errors": self.errors[:3],
        }


def percentile_ms(values_s: Sequence[float], share: float) -> int | None:
    """The value below which a share of the values lies [ms]; None of nothing.

    >>> percentile_ms([0.1, 0.2, 0.3], 0.5)
    200
    """
    if not values_s:
        return None
    ordered = sorted(values_s)
    return round(ordered[round(share * (len(ordered) - 1))] * 1000)


async def gather_crowd(
    urls: Sequence[str],
    *,
    n_tabs: int,
    n_moves: int,
    think_s: float,
    sliders: Sequence[str],
    seed: int,
    query: str = "",
    ramp_s: float = 5.0,
    timeout_s: float = 60.0,
    memory: Callable[[], float] | None = None,
) -> Crowd:
    """Open `n_tabs` tabs over the addresses, wait for all, move sliders in each, close them.

    `memory` gives the servers' memory [MB]; it is read while all tabs are open.
    """
    crowd = Crowd()
    everyone = asyncio.Barrier(n_tabs)

    async def meet() -> None:
        if memory and everyone.n_waiting == n_tabs - 1:
            crowd.resident_mb.append(memory())
        await everyone.wait()

    async def person(i: int) -> None:
        rng = random.Random(seed * 1000 + i)
        tab = Tab(urls[i % len(urls)], query=query, timeout_s=timeout_s)
        await meet()
        await asyncio.sleep(ramp_s * i / n_tabs)
        try:
            try:
                await tab.open()
                crowd.first_s.append(await tab.run())
            finally:
                await meet()
            for _ in range(n_moves):
                await asyncio.sleep(rng.expovariate(1 / think_s) if think_s else 0)
                crowd.rerun_s.append(await tab.move(rng.choice(sliders), rng))
        except Exception as error:
            crowd.errors.append(f"tab {i}: {type(error).__name__}: {error}")
        await meet()
        crowd.n_bytes.append(tab.n_bytes)
        await tab.close()

    await asyncio.gather(*(person(i) for i in range(n_tabs)))
    return crowd
