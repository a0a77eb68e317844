"""Matrix products on one core."""

from __future__ import annotations

from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits


def one_core() -> AbstractContextManager[object]:
    """Keep NumPy's matrix products on one core while the context lasts.

    A lab multiplies many small matrices. Threads that wait for each other between them cost more
    than they bring on a busy machine (four times the time, measured), and other visitors need
    the other cores.
    """
    return threadpool_limits(limits=1, user_api="blas")
