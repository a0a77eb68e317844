"""Load a running dashboard on this machine: python -m tests.load --port 8501 --tabs 20.

Exit code 0 when all went well, 1 with errors, 2 when --p95-ms is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from tests.load.crowd import gather_crowd

SLIDERS = ("Model size", "Bits", "Context", "Batch", "Hourly rate", "Duty cycle")
MAX_TABS = 500


def main() -> int:
    """Read the arguments, load the server, print one line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--port", type=int, action="append", help="several spread the tabs")
    parser.add_argument("--base", default="", help="base path")
    parser.add_argument("--query", default="", help="scenario that the tabs open")
    parser.add_argument("--tabs", type=int, default=10)
    parser.add_argument("--moves", type=int, default=10, help="of each tab")
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds between moves")
    parser.add_argument("--slider", action="append", choices=SLIDERS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--p95-ms", type=float, help="fail above this")
    given = parser.parse_args()
    if not 0 < given.tabs <= MAX_TABS:
        parser.error(f"--tabs is {given.tabs}; allowed is 1 to {MAX_TABS}")
    base = f"/{given.base.strip('/')}" if given.base.strip("/") else ""
    crowd = asyncio.run(
        gather_crowd(
            [f"ws://127.0.0.1:{port}{base}/_stcore/stream" for port in given.port or [8501]],
            n_tabs=given.tabs,
            n_moves=given.moves,
            think_s=given.think,
            sliders=given.slider or SLIDERS,
            seed=given.seed,
            query=given.query,
        )
    )
    print(json.dumps({"tabs": given.tabs, "think_s": given.think, **crowd.summary()}))
    if crowd.errors:
        return 1
    return 2 if given.p95_ms and (crowd.summary()["rerun_p95_ms"] or 0) > given.p95_ms else 0


if __name__ == "__main__":
    sys.exit(main())
