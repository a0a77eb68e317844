"""Load a running dashboard on this machine: python -m tests.load --port 8501 --tabs 20.

Without --soak, each tab makes its moves and one line of JSON is printed. With --soak, tabs open
and close, move every slider of the page and visit every page until so many reruns are done, and a
table of the server's memory is printed. --think 0 moves as fast as the server answers.
Exit code 0 when all went well, 1 with errors, 2 when --p95-ms is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
import time
from collections.abc import Callable

from tests.load.crowd import gather_crowd
from tests.load.memory import listeners, resident_mb
from tests.load.soak import Sample, Soak, table_line

SLIDERS = ("Model size", "Bits", "Context", "Batch", "Hourly rate", "Duty cycle")
MAX_TABS = 500


def main() -> int:
    """Read the arguments, load the server, print what was measured."""
    parser = _parser()
    given = parser.parse_args()
    if not 0 < given.tabs <= MAX_TABS:
        parser.error(f"--tabs is {given.tabs}; allowed is 1 to {MAX_TABS}")
    ports = given.port or [8501]
    pids = given.pid or listeners(ports)
    if not pids:
        parser.error("no process of yours listens there; name it with --pid to read its memory")
    base = f"/{given.base.strip('/')}" if given.base.strip("/") else ""
    given.urls = [f"ws://127.0.0.1:{port}{base}/_stcore/stream" for port in ports]

    def memory() -> float:
        return sum(map(resident_mb, pids))

    return soak(given, memory) if given.soak else crowd(given, memory)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, action="append", help="several spread the tabs")
    parser.add_argument("--pid", type=int, action="append", help="servers behind a proxy's port")
    parser.add_argument("--base", default="", help="base path")
    parser.add_argument("--query", default="", help="scenario that the tabs open")
    parser.add_argument("--tabs", type=int, default=10)
    parser.add_argument("--moves", type=int, default=10, help="of each tab")
    parser.add_argument("--soak", type=int, metavar="RERUNS", help="until so many are done")
    parser.add_argument("--minutes", type=float, default=math.inf, help="a soak's longest time")
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds between moves")
    parser.add_argument("--slider", action="append", choices=SLIDERS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--p95-ms", type=float, help="fail above this")
    return parser


def crowd(given: argparse.Namespace, memory: Callable[[], float]) -> int:
    """Each tab makes its moves; one line of JSON."""
    measured = asyncio.run(
        gather_crowd(
            given.urls,
            n_tabs=given.tabs,
            n_moves=given.moves,
            think_s=given.think,
            sliders=given.slider or SLIDERS,
            seed=given.seed,
            query=given.query,
            memory=memory,
        )
    )
    said = measured.summary()
    print(json.dumps({"tabs": given.tabs, "think_s": given.think, **said}))
    if measured.errors:
        return 1
    return 2 if given.p95_ms and (said["rerun_p95_ms"] or 0) > given.p95_ms else 0


def soak(given: argparse.Namespace, memory: Callable[[], float]) -> int:
    """Tabs come and go until the reruns are done; a table of the server's memory."""

    def report(sample: Sample) -> None:
        print(table_line(sample), flush=True)

    print(table_line(["", "reruns", "sessions", "memory MB", "p95 ms", "errors"]))
    until = time.monotonic() + given.minutes * 60
    run = Soak(given.urls, given.soak, given.think, given.seed, memory, report, given.query, until)
    asyncio.run(run.run(given.tabs))
    growth = run.growth_mb()
    said = {
        "pages": len(run.visited),
        "sessions": run.n_sessions,
        "mb_per_session": round(run.session_mb, 2),
        "growth_mb_per_1000_reruns": None if growth is None else round(growth, 3),
        "errors": len(run.errors),
        "first_errors": run.errors[:3],
    }
    print(json.dumps(said))
    return 1 if run.errors else 0


if __name__ == "__main__":
    sys.exit(main())
