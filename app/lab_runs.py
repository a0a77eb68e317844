"""Heavy labs run once behind a progress bar; what came out is kept for every session."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import streamlit as st

from app.one_core import one_core

T = TypeVar("T")
Progress = Callable[[float], None]
MAX_KEPT = 16  # results of up to a few megabytes each
_SHOWN_STEP = 0.02

_results: OrderedDict[Hashable, Any] = OrderedDict()


def kept(key: Hashable) -> Any | None:
    """What a run of these settings gave before, or None."""
    return _results.get(key)


def run(key: Hashable, work: Callable[[Progress], T], *, label: str) -> T:
    """Run a lab behind a progress bar, unless its settings ran before.

    Each movement of the bar lets the visitor leave the page or change an input: the run then ends.
    """
    if key not in _results:
        bar = st.progress(0.0, text=label)
        last = [0.0]

        def progress(done: float) -> None:
            if done - last[0] >= _SHOWN_STEP:
                last[0] = done
                bar.progress(min(done, 1.0), text=label)

        _keep(key, lambda: work(progress))
        bar.empty()
    return _results[key]


def quick(key: Hashable, work: Callable[[], T]) -> T:
    """The same without a bar, for what takes well under a second."""
    if key not in _results:
        _keep(key, work)
    return _results[key]


def _keep(key: Hashable, work: Callable[[], Any]) -> None:
    with one_core():
        _results[key] = work()
    while len(_results) > MAX_KEPT:
        _results.popitem(last=False)
