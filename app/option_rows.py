"""Options as rows and as link keys; no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from app.formatting import count, counted, money, number

IN_16_BITS = " (computed in 16 bits on this card)"


def filtered(
    table: pd.DataFrame, cards: Sequence[str], formats: Sequence[str], least_bits: float
) -> pd.DataFrame:
    """The rows of chosen cards and formats (all where none is chosen) with enough bits."""
    keep = table["weight_bits"] >= least_bits
    if cards:
        keep &= table["card"].isin(cards)
    if formats:
        keep &= table["weight_format"].isin(formats)
    return table[keep]


def option_rows(table: pd.DataFrame, most: int = 12) -> list[dict[str, str]]:
    """The cheapest row of each card and number of cards, as rows of text."""
    best = table.drop_duplicates(["card", "cards_per_replica"]).head(most)
    return [
        {
            "Cards": f"{count(row.n_cards)} x {row.card_name}",
            "Replicas": f"{count(row.replicas)} of {counted(row.cards_per_replica, 'card')}",
            "Weights": f"{row.weight_name}{IN_16_BITS if row.in_16_bits else ''}",
            "Cache": row.cache_name,
            "Batch": count(row.batch),
            "Each [tok/s]": number(row.tok_s_each),
            "First token [ms]": number(row.ttft_ms),
            "Bill [USD a month]": money(row.usd_month),
            "Cheaper than the API": "yes" if row.usd_month < row.api_usd_month else "no",
        }
        for row in best.itertuples()
    ]


def taken(point: Sequence[str]) -> dict[str, str]:
    """The link keys that take a point of the picture into the scenario."""
    _, card, weights, cache, batch, cards = point[:6]
    return {
        "gpu": card,
        "cards": cards,
        "wfmt": weights,
        "kvfmt": cache,
        "batch": batch,
        "replicas": "0",
        "duty": "",
    }
