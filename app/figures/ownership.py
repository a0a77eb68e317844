"""Ways to pay for the same service: payments added up month by month."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.figures.sketch import Sketch
from app.figures.theme import API, DASHES, SELF_HOSTING, SERIES, base_figure
from app.formatting import usd
from calculators.cost.ownership import Way
from calculators.cost.ways import API_WAY


def payments_finding(found: Sequence[Way]) -> str:
    """The least and the most that is paid in all, in words."""
    ends = [pick(found, key=lambda way: way.total_usd) for pick in (min, max)]
    texts = dict.fromkeys(f"{usd(way.total_usd)} ({way.name})" for way in ends)
    return f"Paid in all: {'from ' if len(texts) > 1 else ''}{' to '.join(texts)}"


def cumulative_payments(found: Sequence[Way]) -> Sketch:
    """Payments added up over the months; a sale at the end is the last step down."""
    figure = base_figure(payments_finding(found), "Month", "Paid so far [USD]")
    for i, way in enumerate(found):
        months = np.arange(1, way.flows_usd.size + 1)
        colour = API if way.name == API_WAY else (SELF_HOSTING, *SERIES)[i]
        figure.add_scatter(
            x=months,
            y=np.cumsum(way.flows_usd),
            name=way.name,
            line={"color": colour, "dash": DASHES[i % len(DASHES)], "width": 2.5},
            hovertemplate="month %{x}<br>%{y:,.0f} USD so far<extra>" + way.name + "</extra>",
        )
    figure.update_yaxes(rangemode="tozero")
    return figure
