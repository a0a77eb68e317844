"""What a card costs a month, however it is paid, and where that figure comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calculators.cost.ownership import energy_kwh_month, owned_card_usd_month
from calculators.cost.rental import RentalRange, rental_range
from calculators.scenario import Scenario
from calculators.specs import AcceleratorSpec, Catalog, RentalPrice
from calculators.wording import percent

SERVER_COST_KEY = "server_8x_h100_usd"
SERVER_CARD_KEY = "price_h100_sxm_usd"
RESERVED_KEYS = {12: "reserved_discount_1y_frac", 36: "reserved_discount_3y_frac"}
SPOT_KEY = "spot_discount_frac"


@dataclass(frozen=True, slots=True)
class CardCost:
    """What one card costs a month, how that came about, and the range of quotes."""

    usd_month: float | None  # None: neither rent nor price is known
    usd_h: float | None  # over the hours of the month
    how: str
    quotes: RentalRange | None = None
    price_usd: float | None = None  # purchase with its share of the server


def card_cost(
    scenario: Scenario,
    catalog: Catalog,
    card: AcceleratorSpec,
    *,
    prices: Sequence[RentalPrice] | None = None,
) -> CardCost:
    """What a card costs a month under the scenario's way to pay.

    Parameters
    ----------
    scenario : Scenario (`billing`, `rate`, `price`, `residual`, `kwh`, `pue`, `colo`, `term`)
    catalog : Catalog with quotes and discounts
    card : AcceleratorSpec
    prices : the catalog's rental rows of this card, where many cards are priced at once

    Returns
    -------
    CardCost; `usd_month` is None where no quote, no price and no rate is known

    Notes
    -----
    Where nobody rents a card in the catalog but its price is known, it is counted as bought, and
    `how` says so.
    """
    if scenario.billing == "owned":
        return _owned(scenario, catalog, card)
    rows = catalog.rental_prices if prices is None else prices
    quotes = rental_range(rows, card.id, "on-demand", catalog.asof)
    if scenario.rate_usd_h is not None:
        how = f"the scenario's rate, {scenario.billing}"
        return CardCost(
            scenario.rate_usd_h * scenario.hours_month, scenario.rate_usd_h, how, quotes
        )
    rate, how, quotes = _quoted(scenario, catalog, card, quotes, rows)
    if rate is None:
        owned = _owned(scenario, catalog, card)
        return CardCost(
            owned.usd_month,
            owned.usd_h,
            f"no rent in the catalog; {owned.how}",
            None,
            owned.price_usd,
        )
    return CardCost(rate * scenario.hours_month, rate, how, quotes)


def _of_quotes(quotes: RentalRange, kind: str) -> str:
    """How a rate follows from the quotes for one kind of contract, in words."""
    years = kind.removeprefix("reserved-").removesuffix("y")
    named = f"{years}-year reserved" if kind.startswith("reserved-") else kind
    whose = "own " if quotes.own else ""
    if quotes.n == 1:
        return f"the one {whose}{named} quote"
    return f"median of {quotes.n} {whose}{named} quotes"


def _quoted(
    scenario: Scenario,
    catalog: Catalog,
    card: AcceleratorSpec,
    on_demand: RentalRange | None,
    prices: Sequence[RentalPrice],
) -> tuple[float | None, str, RentalRange | None]:
    if scenario.billing == "on-demand" or on_demand is None:
        how = _of_quotes(on_demand, "on-demand") if on_demand else "no quotes"
        return (on_demand.median if on_demand else None), how, on_demand
    if scenario.billing == "reserved" and scenario.term_months < 12:
        return on_demand.median, "on-demand median: no discount under twelve months", on_demand
    long = scenario.term_months >= 36
    kind = "spot" if scenario.billing == "spot" else f"reserved-{3 if long else 1}y"
    quotes = rental_range(prices, card.id, kind, catalog.asof)
    if quotes is not None:
        return quotes.median, _of_quotes(quotes, kind), quotes
    key = SPOT_KEY if scenario.billing == "spot" else RESERVED_KEYS[36 if long else 12]
    cut = _middle(catalog, key)
    contract = "spot" if scenario.billing == "spot" else f"a {3 if long else 1}-year reservation"
    less = f"on-demand median less the usual {percent(cut)} for {contract}"
    how = f"{less} (nobody quotes this card so)"
    return on_demand.median * (1 - cut), how, on_demand


def _owned(scenario: Scenario, catalog: Catalog, card: AcceleratorSpec) -> CardCost:
    price = scenario.price_usd if scenario.price_usd is not None else card.price_usd
    if price is None:
        return CardCost(None, None, "neither rent nor purchase price is known")
    server = 0.0 if card.whole_machine else server_share_frac(catalog)
    full = price * (1 + server)
    monthly = float(
        owned_card_usd_month(
            price_usd=full,
            residual_frac=scenario.residual_frac,
            horizon_months=scenario.horizon_months,
            energy_kwh=energy_kwh_month(
                power_w=card.power_w or 0.0, pue=scenario.pue, hours_month=scenario.hours_month
            ),
            energy_usd_kwh=scenario.energy_usd_kwh,
            power_w=card.power_w or 0.0,
            colocation_usd_kw=scenario.colocation_usd_kw,
        )
    )
    added = f" (price and {percent(server)} for its server)" if server else ""
    how = f"bought{added}: straight-line depreciation, energy at rated power, floor space"
    return CardCost(monthly, monthly / scenario.hours_month, how, None, full)


def server_share_frac(catalog: Catalog) -> float:
    """What the rest of a server adds to the price of its cards: server / (8 cards) - 1.

    Parameters
    ----------
    catalog : Catalog with `server_8x_h100_usd` and the purchase price of an H100 at its side; a
        company's own server price is compared with its own card price

    Returns
    -------
    float, share of the card price; 0 where either figure is missing

    Notes
    -----
    One server type stands for all. Basis: estimate (grade C).
    """
    server = catalog.ownership.get(SERVER_COST_KEY)
    card = catalog.accelerators.get("h100-sxm")
    if server is None or card is None or not card.price_usd:
        return 0.0
    listed = catalog.ownership.get(SERVER_CARD_KEY)
    beside = card.price_usd if server.origin != "catalog" or listed is None else listed.middle
    return max(0.0, server.middle / (8 * beside) - 1)


def _middle(catalog: Catalog, key: str) -> float:
    figure = catalog.ownership.get(key)
    return figure.middle if figure else 0.0
