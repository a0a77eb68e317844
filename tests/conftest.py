"""Settings and fixtures of all tests."""

import os
from datetime import date

import pytest
from hypothesis import settings

from catalogs.loader import load_catalog
from tests.worlds import small_catalog

settings.register_profile("breakeven", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)  # a run tells of the change alone
settings.load_profile("ci" if os.environ.get("CI") else "breakeven")


@pytest.fixture(scope="session")
def tiny_catalog():
    return small_catalog()


@pytest.fixture(scope="session")
def catalog():
    """The real catalog on a fixed day."""
    return load_catalog(None, date(2026, 11, 30))
