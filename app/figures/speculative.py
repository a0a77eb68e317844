"""Pictures of speculative decoding: the gain over the batch, and over acceptance and drafts."""

from __future__ import annotations

import numpy as np

from app.figures.marks import log_range, strip, vertical_line
from app.figures.sketch import Sketch
from app.figures.theme import DASHES, FORBIDDEN, OVERHEAD, SELF_HOSTING, SEQUENTIAL, base_figure
from app.formatting import count, number, percent
from calculators.speculative_answers import (
    ACCEPTANCES,
    DRAFTS,
    SHOWN_ACCEPTANCES,
    SpeculativeAnswers,
)


def batch_finding(answers: SpeculativeAnswers, acceptance_frac: float) -> str:
    """Up to which batch drafts pay, in words."""
    gain, batch = float(answers.at.speed_up), answers.batch
    here = f"{number(gain)} times the speed at your batch of {count(batch)}"
    accepted = percent(acceptance_frac)
    if answers.pays_up_to == 0:
        return f"With {accepted} accepted, drafts never pay: {here}"
    if answers.pays_up_to >= answers.batches[-1]:
        return f"With {accepted} accepted, drafts pay at every batch tried: {here}"
    return (
        f"With {accepted} accepted, drafts pay up to a batch of about "
        f"{count(answers.pays_up_to)} and cost speed beyond it: {here}"
    )


def gain_over_batch(answers: SpeculativeAnswers, acceptance_frac: float) -> Sketch:
    """Speed with drafts over speed without, against the batch, a line for each acceptance."""
    figure = base_figure(
        batch_finding(answers, acceptance_frac),
        "Batch [sequences at once]",
        "Speed with drafts / without",
    )
    tried = sorted({*SHOWN_ACCEPTANCES, acceptance_frac})
    for i, (acceptance, gains) in enumerate(zip(tried, answers.over_batch.speed_up, strict=True)):
        own = acceptance == acceptance_frac
        figure.add_scatter(
            x=answers.batches,
            y=gains,
            name=f"{percent(acceptance)} accepted",
            line={
                "color": SELF_HOSTING if own else OVERHEAD,
                "dash": "solid" if own else DASHES[1 + i % (len(DASHES) - 1)],
                "width": 3.5 if own else 1.8,
            },
            hovertemplate="batch %{x:,.0f}<br>%{y:.3g} times<extra>%{fullData.name}</extra>",
        )
    top = max(float(answers.over_batch.speed_up.max()) * 1.08, 1.2)
    strip(figure, 0, 1, FORBIDDEN)
    figure.add_annotation(
        x=0, xref="paper", y=0.97, text="drafts cost speed", showarrow=False, xanchor="left",
        yanchor="top",
    )  # fmt: skip
    vertical_line(figure, answers.batch, "your batch", color=SELF_HOSTING)
    if answers.n_held > 0:
        vertical_line(figure, answers.n_held, "memory ends", y=0.92, color=FORBIDDEN, dash="solid")
    figure.update_xaxes(type="log", dtick="D2", range=log_range(1, float(answers.batches[-1])))
    figure.update_yaxes(range=[0, top])
    return figure


def drafts_finding(answers: SpeculativeAnswers) -> str:
    """The best number of drafts and the acceptance from which any pays, in words."""
    gains = answers.over_drafts.speed_up
    pays = ACCEPTANCES[(gains > 1).any(axis=1)]
    if not len(pays):
        return "At your batch no number of drafts pays, whatever is accepted"
    best = DRAFTS[np.argmax(gains[-4])]
    return (
        f"At your batch the best number of drafts pays from {percent(float(pays[0]))} accepted; "
        f"with {percent(float(ACCEPTANCES[-4]))} the best is {count(int(best))} at a time"
    )


def gain_over_drafts(answers: SpeculativeAnswers, acceptance_frac: float, n_draft: int) -> Sketch:
    """The gain over acceptance and number of drafts at the scenario's batch; 1 is drawn."""
    gains = answers.over_drafts.speed_up
    figure = base_figure(
        drafts_finding(answers), "Drafted tokens a pass", "Accepted share of drafts"
    )
    figure.add_heatmap(
        x=DRAFTS,
        y=ACCEPTANCES * 100,
        z=gains,
        colorscale=[[i / (len(SEQUENTIAL) - 1), c] for i, c in enumerate(SEQUENTIAL)],
        colorbar={"title": {"text": "speed"}, "ticksuffix": "x"},
        hovertemplate="%{x} drafted, %{y:.0f} % accepted<br>%{z:.3g} times<extra></extra>",
    )
    if gains.min() < 1 < gains.max():
        figure.add_contour(
            x=DRAFTS,
            y=ACCEPTANCES * 100,
            z=gains,
            contours={"start": 1, "end": 1, "size": 1, "coloring": "none"},
            line={"color": FORBIDDEN, "width": 3},
            showscale=False,
            hoverinfo="skip",
            name="no gain",
            showlegend=True,
        )
    figure.add_scatter(
        x=[n_draft],
        y=[acceptance_frac * 100],
        mode="markers",
        name="your scenario",
        marker={
            "size": 13,
            "symbol": "diamond",
            "color": SELF_HOSTING,
            "line": {"width": 2, "color": "white"},
        },
        hovertemplate="your scenario<extra></extra>",
    )
    figure.update_yaxes(ticksuffix=" %", range=[2.5, 97.5])
    figure.update_xaxes(tickvals=[1, *DRAFTS[1::2]], range=[0.5, DRAFTS[-1] + 0.5])
    return figure
