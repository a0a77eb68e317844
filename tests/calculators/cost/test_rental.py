"""Which quotes count, and their range."""

from datetime import date

import pytest

from calculators.cost.rental import rental_quotes, rental_range
from calculators.specs import RentalPrice, Source

DAY = date(2026, 11, 9)


def row(provider: str, usd_h: float, **changes: object) -> RentalPrice:
    fields = {
        "accelerator": "card",
        "provider": provider,
        "tier": "neocloud",
        "kind": "on-demand",
        "usd_h": usd_h,
        "seen": DAY,
        "source": Source(title="sheet", checked=DAY),
    }
    return RentalPrice(**(fields | changes))


def test_the_newest_day_of_a_provider_counts() -> None:
    rows = [row("a", 3), row("a", 5, seen=date(2026, 9, 1)), row("b", 4)]
    found = rental_range(rows, "card", "on-demand", DAY)
    assert found is not None
    assert (found.low, found.median, found.high, found.n) == (3, 3.5, 4, 2)


def test_two_offers_of_a_provider_on_one_day_both_count() -> None:
    rows = [row("a", 1.45), row("a", 2.04)]
    assert [price.usd_h for price in rental_quotes(rows, "card", "on-demand", DAY)] == [1.45, 2.04]


def test_later_quotes_indices_and_other_contracts_do_not_count() -> None:
    rows = [
        row("a", 3),
        row("b", 1, seen=date(2026, 11, 10)),
        row("c", 1, tier="index"),
        row("d", 1, tier="mixed"),
        row("e", 1, kind="spot"),
        row("f", 1, accelerator="other"),
    ]
    found = rental_range(rows, "card", "on-demand", DAY)
    assert found is not None
    assert (found.low, found.high, found.n) == (3, 3, 1)


def test_a_companys_own_price_stands_alone() -> None:
    rows = [row("a", 3), row("contract", 2.1, origin="override")]
    found = rental_range(rows, "card", "on-demand", DAY)
    assert found is not None
    assert (found.median, found.n) == (2.1, 1)


def test_the_age_of_a_range_is_that_of_its_quotes() -> None:
    rows = [row("a", 3, seen=date(2026, 5, 7)), row("b", 4)]
    found = rental_range(rows, "card", "on-demand", DAY)
    assert found is not None
    assert (found.oldest, found.newest) == (date(2026, 5, 7), DAY)


@pytest.mark.parametrize("kind", ["spot", "reserved-3y"])
def test_no_quote_is_none(kind: str) -> None:
    assert rental_range([row("a", 3)], "card", kind, DAY) is None


def test_percentiles_of_eleven_quotes_are_the_second_and_the_tenth() -> None:
    # eleven values have ten gaps: a tenth of the way is the second value, nine tenths the tenth
    rows = [row(f"p{i}", rate) for i, rate in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50))]
    found = rental_range(rows, "card", "on-demand", DAY)
    assert found is not None and found.has_percentiles
    assert (found.low, found.p10, found.p90, found.high) == (1, 2, pytest.approx(10), 50)


def test_nine_quotes_are_too_few_for_percentiles() -> None:
    rows = [row(f"p{i}", rate) for i, rate in enumerate(range(1, 10))]
    found = rental_range(rows, "card", "on-demand", DAY)
    assert found is not None and not found.has_percentiles
    assert (found.p10, found.p90) == (1, 9)
