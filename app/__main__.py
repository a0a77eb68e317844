"""`python -m app`: the dashboard; with a command, the same plan without a browser."""

import sys

from app.cli import main

sys.exit(main())
