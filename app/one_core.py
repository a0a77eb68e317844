"""Matrix products on one core."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


def one_core() -> AbstractContextManager[object]:
    """Keep NumPy's matrix products on one core while the context lasts.

    A lab multiplies many small matrices. Threads that wait for each other between them cost more
    than they bring on a busy machine (four times the time, measured), and other visitors need
    the other cores.
    """
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries() -> ThreadpoolController:
    """The libraries that use threads; looking for them takes a millisecond."""
    return ThreadpoolController()
