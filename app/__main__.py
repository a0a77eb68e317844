"""`python -m app` starts the dashboard."""

import argparse

from app.server import run

parser = argparse.ArgumentParser(prog="python -m app", description=__doc__)
parser.add_argument("--port", type=int, help="port to listen on")
parser.add_argument("--address", help="address to listen on")
parser.add_argument("--base-path", default="", help="path below which the dashboard lives")
given = parser.parse_args()
run(port=given.port, address=given.address, base_path=given.base_path)
