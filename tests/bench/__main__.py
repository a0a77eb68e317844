"""Print one table of measured speed: python -m tests.bench [--quick]."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from playwright.sync_api import sync_playwright

from tests.bench import arithmetic, served
from tests.bench.arithmetic import Row
from tests.browser import session


def served_rows() -> Iterator[Row]:
    """Two real servers and a real browser."""
    ports = [session.free_port() for _ in range(2)]
    servers = [session.start_server(port) for port in ports]
    try:
        for port, server in zip(ports, servers, strict=True):
            session.wait_for_server(port, server)
        with sync_playwright() as playwright:
            browser = session.launch(playwright)
            yield from served.browser_rows(browser, f"http://127.0.0.1:{ports[0]}", servers[0].pid)
            browser.close()
        yield from served.crowd_rows(ports, [server.pid for server in servers])
    finally:
        for server in servers:
            session.stop(server)


def shown(row: Row) -> str:
    """A row of the table; a target that is missed is marked."""
    what, value, unit, target = row
    wanted = "" if target is None else f"at most {target:g} {unit}".strip()
    mark = "" if target is None or value <= target else "  MISSED"
    return f"{what:<62} {value:>10.3g} {unit:<3}  {wanted}{mark}"


def main() -> None:
    """Measure and print row by row."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the arithmetic alone")
    given = parser.parse_args()
    for row in arithmetic.rows():
        print(shown(row), flush=True)
    if not given.quick:
        for row in served_rows():
            print(shown(row), flush=True)


if __name__ == "__main__":
    main()
