"""How long a running dashboard takes: on the server, in the browser, with a crowd."""

from __future__ import annotations

import asyncio
import os
import statistics
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.bench.arithmetic import Row
from tests.browser import session
from tests.browser.pages import addresses
from tests.load.crowd import gather_crowd
from tests.load.memory import resident_mb

N_PRESSES = 9  # from batch 1: beyond 13 memory ends and nothing is drawn anew
SLIDERS = ("Model size", "Context", "Batch", "Hourly rate")
PATIENCE_MS = 1500
SETTLE_MS = 150  # in which a second drawing would still come
TEXT_MS = 75.0  # of new words alone, on the machine that the targets of 140 and 180 ms are for
DRAWN = """() => probe.text &&
  probe.charts.size >= document.querySelectorAll('.breakeven-plot').length"""
# Marks the moment of a key press, of new words and of a chart drawn again.
PROBE = """() => {
  window.probe = {key: 0, text: 0, charts: new Map()};
  document.addEventListener('keydown', () => {
    window.probe = {key: performance.now(), text: 0, charts: new Map()}; }, true);
  for (const node of document.querySelectorAll('.be-metrics'))
    new MutationObserver(() => { window.probe.text ||= performance.now(); })
      .observe(node.closest('[data-testid=stHtml]').parentElement,
               {childList: true, subtree: true, characterData: true});
  document.querySelectorAll('.breakeven-plot').forEach((node, i) =>
    node.on('plotly_afterplot', () => window.probe.charts.set(i, performance.now())));
}"""


def cpu_s(pid: int) -> float:
    """Processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def press(page: Page, presses: int, key: str = "ArrowRight") -> dict[str, float]:
    """Median milliseconds from a key press to new words and to the last chart drawn again.

    A press after which nothing is drawn within PATIENCE_MS counts as that long.
    """
    page.evaluate(PROBE)
    slider = page.get_by_role("slider", name="Batch")
    slider.focus()
    text, charts = [], []
    for _ in range(presses):
        slider.press(key)
        with suppress(PlaywrightTimeout):
            page.wait_for_function(DRAWN, timeout=PATIENCE_MS)
        page.wait_for_timeout(SETTLE_MS)
        seen = page.evaluate(
            "() => ({key: probe.key, text: probe.text, charts: [...probe.charts.values()]})"
        )
        text.append(seen["text"] - seen["key"] if seen["text"] else PATIENCE_MS)
        charts.append(max(seen["charts"]) - seen["key"] if seen["charts"] else PATIENCE_MS)
    return {"text": statistics.median(text), "charts": statistics.median(charts)}


def browser_rows(browser: Browser, url: str, pid: int) -> Iterator[Row]:
    """First load, then each page: processor time of a change and key press to picture."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    session.open_page(page, url)
    session.wait_charts(page)
    first = page.evaluate("() => performance.now()")
    yield "first load of Home in a fresh browser", first / 1e3, "s", 4.0
    for name in addresses():
        session.open_page(page, f"{url}/{'' if name == 'home' else name}?batch=1")
        session.wait_charts(page)
        n_charts = page.locator(".breakeven-plot").count()
        press(page, 2)
        before = cpu_s(pid)
        took = press(page, N_PRESSES)
        used_ms = (cpu_s(pid) - before) / N_PRESSES * 1e3
        yield f"{name}: processor time of a change", used_ms, "ms", 60.0
        if took["text"] < PATIENCE_MS:
            yield f"{name}: key press to new words", took["text"], "ms", None
        if n_charts and took["charts"] < PATIENCE_MS:
            yield f"{name}: key press to {n_charts} chart(s)", took["charts"], "ms", None
        if n_charts and max(took.values()) < PATIENCE_MS:
            target = (140.0 if n_charts == 1 else 180.0) / TEXT_MS
            yield f"{name}: charts / words", took["charts"] / took["text"], "x", target
    page.context.close()


def crowd_rows(ports: list[int], pids: list[int]) -> Iterator[Row]:
    """20 active users on one process, 50 without an error, 100 on two, memory of a session."""
    for n_tabs, used, target in ((20, ports[:1], 400.0), (50, ports[:1], None), (100, ports, None)):
        crowd = asyncio.run(
            gather_crowd(
                [f"ws://127.0.0.1:{port}/_stcore/stream" for port in used],
                n_tabs=n_tabs,
                n_moves=6,
                think_s=5.0,
                sliders=SLIDERS,
                seed=n_tabs,
                memory=lambda: sum(map(resident_mb, pids)),
            )
        )
        where = "one process" if len(used) == 1 else "two processes"
        said = crowd.summary()
        p95 = float(said["rerun_p95_ms"] or 0)
        yield f"{n_tabs} users on {where}: 95 % of changes within", p95, "ms", target
        yield f"{n_tabs} users on {where}: errors", float(len(crowd.errors)), "", 0.5
        yield f"{n_tabs} users on {where}: memory a session", crowd.tab_mb() or 0.0, "MB", 1.0
