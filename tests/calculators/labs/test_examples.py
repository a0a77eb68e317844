"""The hand-counted examples of the reference buttons."""

from __future__ import annotations

from calculators.labs import expected
from calculators.labs.comparison import compared
from calculators.labs.examples import batching_example, paging_example


def test_batching_is_as_counted_by_hand():
    rows = compared(batching_example(), expected.BATCHING)
    assert len(rows) == 4 and all(row.agrees for row in rows)


def test_paging_is_as_counted_by_hand():
    rows = compared(paging_example(), expected.PAGING)
    assert len(rows) == 4 and all(row.agrees for row in rows)
