"""What a card costs per hour to rent: the range of the quotes that count on a day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from statistics import median

import numpy as np

from calculators.specs import RentalPrice

NOT_A_QUOTE = frozenset({"index", "mixed"})
FEWEST_FOR_PERCENTILES = 10  # below it a tenth of the quotes is less than one quote


@dataclass(frozen=True, slots=True)
class RentalRange:
    """Quotes for one card and one kind of contract [USD per card hour], and how old they are."""

    low: float
    median: float
    high: float
    n: int
    oldest: date
    newest: date
    p10: float  # of the quotes, where there are enough; else the lowest
    p90: float  # of the quotes, where there are enough; else the highest
    own: bool = False  # a company's own quotes, which alone count where there are any

    @property
    def has_percentiles(self) -> bool:
        """Whether there are enough quotes to say what one in ten of them passes."""
        return self.n >= FEWEST_FOR_PERCENTILES


def rental_quotes(
    prices: Iterable[RentalPrice], accelerator_id: str, kind: str, asof: date
) -> tuple[RentalPrice, ...]:
    """The quotes that count for a card on a day: each provider's newest day, cheapest first.

    Parameters
    ----------
    prices : iterable of RentalPrice
        All rows of the catalog.
    accelerator_id : str
        Id of the card.
    kind : str
        Contract: "on-demand", "spot", "reserved-1y" and so on.
    asof : date
        Rows seen later are ignored.

    Returns
    -------
    tuple of RentalPrice
        Empty where nobody quotes this contract.

    Notes
    -----
    Left out: market indices and averages over several forms of a card (tiers "index" and
    "mixed"), which no provider sells at; older rows of a provider that has a newer one. Where a
    company has put its own prices in, only those count. Basis `measured`: published list prices,
    which negotiated ones undercut.

    References
    ----------
    Rows in catalogs/rental_prices, each with its source and day.

    Examples
    --------
    >>> rental_quotes([], "h100-sxm", "spot", date(2026, 11, 9))
    ()
    """
    rows = [
        price
        for price in prices
        if price.accelerator == accelerator_id
        and price.kind == kind
        and price.seen <= asof
        and price.tier not in NOT_A_QUOTE
    ]
    own = [price for price in rows if price.origin != "catalog"]
    newest: dict[str, date] = {}
    for price in own or rows:
        newest[price.provider] = max(price.seen, newest.get(price.provider, price.seen))
    counted = [price for price in own or rows if price.seen == newest[price.provider]]
    return tuple(sorted(counted, key=lambda price: price.usd_h))


def rental_range(
    prices: Iterable[RentalPrice], accelerator_id: str, kind: str, asof: date
) -> RentalRange | None:
    """Lowest, median and highest quote for a card on a day; None where there is none.

    Parameters
    ----------
    prices, accelerator_id, kind, asof
        As for `rental_quotes`, which says which rows count.

    Returns
    -------
    RentalRange or None
        [USD per card hour]; the median of an even number of quotes is the mean of the middle two;
        the 10th and 90th percentiles lie between quotes in proportion (linear), and are the lowest
        and the highest quote where there are fewer than ten.

    Notes
    -----
    Each quote has the same weight, whether a hyperscaler or a marketplace made it. Basis
    `measured`; negotiated prices are lower.

    References
    ----------
    Rows in catalogs/rental_prices, each with its source and day.

    Examples
    --------
    >>> from calculators.specs import Source
    >>> day = date(2026, 11, 9)
    >>> def row(provider, usd_h, tier="neocloud"):
    ...     return RentalPrice(accelerator="x", provider=provider, tier=tier, kind="on-demand",
    ...                        usd_h=usd_h, seen=day, source=Source(title="t", checked=day))
    >>> rows = [row("a", 2), row("b", 3), row("c", 7), row("i", 1, "index")]
    >>> found = rental_range(rows, "x", "on-demand", day)
    >>> found.low, found.median, found.high, found.n
    (2.0, 3.0, 7.0, 3)
    """
    quotes = rental_quotes(prices, accelerator_id, kind, asof)
    if not quotes:
        return None
    rates = [price.usd_h for price in quotes]
    days = [price.seen for price in quotes]
    enough = len(rates) >= FEWEST_FOR_PERCENTILES
    p10, p90 = np.quantile(rates, [0.1, 0.9]) if enough else (rates[0], rates[-1])
    return RentalRange(
        low=rates[0],
        median=median(rates),
        high=rates[-1],
        n=len(rates),
        oldest=min(days),
        newest=max(days),
        p10=float(p10),
        p90=float(p90),
        own=quotes[0].origin != "catalog",
    )
