"""Fixtures of the tests of the app."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def config() -> dict:
    """Streamlit's configuration file."""
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
