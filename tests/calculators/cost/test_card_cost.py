"""What bought and rented cards cost under a company's own prices."""

from dataclasses import replace
from datetime import date

import pytest

from calculators.cost.card_cost import card_cost, server_share_frac
from calculators.scenario import Scenario
from catalogs.loader import load_catalog

SOURCE = "    source: {title: t, checked: 2026-11-01}\n"
TODAY = date(2026, 11, 30)
# (300,000 + 350,000) / 2 for a server with eight cards of 30,000
MARKET_SHARE = 325_000 / (8 * 30_000) - 1


def bought(text, card="h100-sxm"):
    known = load_catalog(override_text=text, today=TODAY)
    scenario = replace(Scenario(), billing="owned", gpu=card)
    return card_cost(scenario, known, known.accelerators[card]), known


def test_an_own_card_price_moves_the_bill_and_leaves_the_share_of_the_server():
    cheaper, known = bought("accelerators:\n  h100-sxm:\n    price_usd: 21000\n" + SOURCE)
    assert server_share_frac(known) == pytest.approx(MARKET_SHARE)
    assert cheaper.price_usd == pytest.approx(21_000 * (1 + MARKET_SHARE))
    other, _ = bought("accelerators:\n  h100-sxm:\n    price_usd: 21000\n" + SOURCE, "l40s")
    assert other.price_usd == pytest.approx(8_500 * (1 + MARKET_SHARE))


def test_an_own_server_price_is_that_of_the_own_cards():
    text = "accelerators:\n  h100-sxm:\n    price_usd: 20000\n" + SOURCE
    text += "ownership:\n  server_8x_h100_usd:\n    value: 200000\n" + SOURCE
    found, _ = bought(text)
    assert found.price_usd == pytest.approx(200_000 / 8)


def test_own_quotes_are_said_to_be_own():
    text = (
        "rental_prices:\n  - {accelerator: h100-sxm, provider: p, kind: on-demand, usd_h: 2.0, "
        "seen: 2026-11-01, source: {title: t, checked: 2026-11-01}}\n"
    )
    known = load_catalog(override_text=text, today=TODAY)
    found = card_cost(Scenario(), known, known.accelerators["h100-sxm"])
    assert (found.usd_h, found.how) == (2.0, "the one own on-demand quote")
