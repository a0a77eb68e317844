"""Pictures of the quantization lab."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.figures.marks import level
from app.figures.sketch import Sketch
from app.figures.theme import DASHES, SEQUENTIAL, SERIES, SYMBOLS, base_figure, striped
from app.formatting import number, percent
from calculators.labs.affine_study import AffineStudy
from calculators.labs.classifier import Classifier
from calculators.labs.digits import CliffRow
from calculators.labs.format_study import FormatStudy
from calculators.labs.symmetric_study import SchemeResult

ROW_MARKERS = {"per-tensor": "circle", "per-channel": "square", "per-group": "diamond"}


def steps_finding(study: AffineStudy) -> str:
    """How much of the grid a group with an outlier uses, in words."""
    return (
        f"An outlier takes the grid: its group uses {number(study.n_steps_holding, 2)} of "
        f"{len(study.step_share_rest)} steps, a group without one {number(study.n_steps_rest, 2)}"
    )


def step_use(study: AffineStudy) -> Sketch:
    """Share of the weights on each step of the grid, for groups with an outlier and the rest."""
    figure = base_figure(
        steps_finding(study),
        "Step of the grid, towards the loudest weight",
        "Share of the group's weights [%]",
    )
    steps = np.arange(len(study.step_share_rest))
    for name, share, marker in (
        ("groups without an outlier", study.step_share_rest, {"color": SERIES[0]}),
        (
            "groups with an outlier",
            study.step_share_holding,
            {"color": SERIES[1], "pattern": striped()},
        ),
    ):
        figure.add_bar(x=steps, y=share * 100, name=name, marker=marker)
    return figure


def map_finding(study: AffineStudy) -> str:
    """Where the error lands, in words."""
    ratio = study.damage.holding_frac / study.damage.rest_frac if study.damage.rest_frac else 1.0
    return (
        "The error lands in the groups that hold an outlier: "
        f"{number(ratio)} times that of the rest"
    )


def error_map(study: AffineStudy, group_size: int) -> Sketch:
    """|error| over rows and columns: bands where a group holds an outlier."""
    figure = base_figure(map_finding(study), "Column of the matrix", "Row of the matrix")
    fine = max(group_size // 16, 1)
    figure.add_heatmap(
        z=study.error_map * 100,
        x=np.arange(study.error_map.shape[1]) * fine,
        colorscale=[[i / 6, colour] for i, colour in enumerate(SEQUENTIAL)],
        colorbar={"title": {"text": "Error [% of the mean weight]"}},
        hovertemplate="row %{y}, column %{x}<br>%{z:.3g} % of the mean weight<extra></extra>",
    )
    return figure


def rows_finding(results: Sequence[SchemeResult]) -> str:
    """What a shared scale does to ordinary rows, in words."""
    tensor, channel = results[0], results[1]
    return (
        f"One scale for all serves the loudest row and costs the median row "
        f"{percent(float(np.median(tensor.row_error_frac)))}; a scale per row costs it "
        f"{percent(float(np.median(channel.row_error_frac)))}"
    )


def row_errors(results: Sequence[SchemeResult]) -> Sketch:
    """Relative error of each row under each scheme."""
    figure = base_figure(rows_finding(results), "Row (output channel)", "Relative RMS error [%]")
    for result, colour in zip(results, SERIES, strict=False):
        figure.add_scatter(
            y=result.row_error_frac * 100,
            mode="markers",
            name=result.scheme,
            marker={"color": colour, "size": 5, "symbol": ROW_MARKERS[result.scheme]},
        )
    figure.update_yaxes(type="log", dtick=1)
    return figure


def bits_finding(by_bits: dict[int, Sequence[SchemeResult]]) -> str:
    """At how few bits the schemes part, in words."""
    low = by_bits[min(by_bits)]
    return (
        f"At {min(by_bits)} bits: {percent(low[0].relative_rms_frac)} error per tensor, "
        f"{percent(low[1].relative_rms_frac)} per channel, "
        f"{percent(low[2].relative_rms_frac)} per group"
    )


def errors_over_bits(by_bits: dict[int, Sequence[SchemeResult]]) -> Sketch:
    """Error of each scheme against bits."""
    figure = base_figure(bits_finding(by_bits), "Bits", "Relative RMS error [%]")
    bits = sorted(by_bits)
    for index, scheme in enumerate(result.scheme for result in by_bits[bits[0]]):
        figure.add_scatter(
            x=bits,
            y=[by_bits[b][index].relative_rms_frac * 100 for b in bits],
            name=scheme,
            mode="lines+markers",
            line={"color": SERIES[index], "dash": DASHES[index]},
            marker={"symbol": SYMBOLS[index]},
        )
    figure.update_yaxes(type="log", dtick=1)
    return figure


def cliff_finding(rows: Sequence[CliffRow], full_frac: float) -> str:
    """Where accuracy falls, in words."""
    at = {(row.weight_bits, row.scheme): row.accuracy_frac for row in rows}
    return (
        f"{percent(full_frac, 3)} right in full, {percent(at[3, 'per-tensor'], 3)} at 3 bits; at 2 "
        f"{percent(at[2, 'per-tensor'])} per tensor, {percent(at[2, 'per-channel'])} per channel"
    )


def accuracy_over_bits(rows: Sequence[CliffRow], full_frac: float) -> Sketch:
    """Accuracy of the quantized classifier against bits for each scheme."""
    figure = base_figure(cliff_finding(rows, full_frac), "Bits", "Accuracy on 540 test images [%]")
    for index, scheme in enumerate(dict.fromkeys(row.scheme for row in rows)):
        mine = [row for row in rows if row.scheme == scheme]
        figure.add_scatter(
            x=[row.weight_bits for row in mine],
            y=[row.accuracy_frac * 100 for row in mine],
            name=scheme,
            mode="lines+markers",
            line={"color": SERIES[index], "dash": DASHES[index]},
            marker={"symbol": SYMBOLS[index]},
        )
    level(figure, full_frac * 100, dash="dot", width=1.5)
    figure.update_yaxes(range=[0, 102])
    return figure


def spread_finding(spread: Sequence[float]) -> str:
    """Why a small network needs no finer scheme, in words."""
    return (
        f"The loudest channel is only {number(max(spread))} times the median one; "
        "in the matrix of the symmetric lab it is 25 times"
    )


def channel_ranges(model: Classifier, spread: Sequence[float]) -> Sketch:
    """The range of each channel, largest first, over the median of its layer."""
    figure = base_figure(
        spread_finding(spread), "Channel of the layer, loudest first [%]", "Range over the median"
    )
    for index, weights in enumerate(model.weights):
        ranges = np.sort(np.abs(weights).max(axis=1))[::-1]
        figure.add_scatter(
            x=np.linspace(0, 100, len(ranges)),
            y=ranges / np.quantile(ranges, 0.5, method="lower"),
            name=f"layer {index + 1}",
            line={"color": SERIES[index], "dash": DASHES[index]},
        )
    return figure


def methods_finding(study: FormatStudy) -> str:
    """What GPTQ and AWQ buy over plain rounding, in words."""
    plain, gptq, awq = (method.output_error_frac for method in study.methods[:3])
    return (
        f"At equal bits, rounding moves the output by {percent(plain)}, "
        f"GPTQ by {percent(gptq)}, AWQ by {percent(awq)}"
    )


def methods_figure(study: FormatStudy) -> Sketch:
    """Output error of each method and format."""
    figure = base_figure(methods_finding(study), "Output error [%]", "")
    names = [f"{method.name} ({number(method.bits)} bits)" for method in study.methods]
    for label, part, colour in (
        ("methods at equal bits", slice(3), SERIES[0]),
        ("formats with bits of their own", slice(3, None), SERIES[4]),
    ):
        figure.add_bar(
            x=[method.output_error_frac * 100 for method in study.methods[part]],
            y=names[part],
            orientation="h",
            name=label,
            marker={"color": colour},
            customdata=[method.how for method in study.methods[part]],
            hovertemplate="%{y}<br>%{x:.3g} % output error<br>%{customdata}<extra></extra>",
        )
    figure.update_yaxes(autorange="reversed")
    return figure


def activations_finding(study: FormatStudy) -> str:
    """Why activations are harder, in words."""
    errors = dict(study.activations)
    return (
        f"With 8-bit activations: {percent(errors['per-tensor'])} output error with one scale, "
        f"{percent(errors['per-token'])} per token, "
        f"{percent(errors['per-token, migrated'])} once the loud channels moved into the weights"
    )


def activations_figure(study: FormatStudy) -> Sketch:
    """Output error of 8-bit weights and activations under three schemes."""
    figure = base_figure(activations_finding(study), "Output error [%]", "")
    names, errors = zip(*study.activations, strict=True)
    figure.add_bar(x=np.array(errors) * 100, y=names, orientation="h", marker={"color": SERIES[1]})
    figure.update_yaxes(autorange="reversed")
    return figure
