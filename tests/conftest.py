"""Settings of all tests."""

from hypothesis import settings

settings.register_profile("breakeven", deadline=None)
settings.load_profile("breakeven")
