"""A figure as the JSON that the chart component takes, without a template."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.io import to_json

from app.figures.sketch import Sketch

_TYPED = {
    "float64": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4",
    "uint32": "u4",
}  # fmt: skip


def figure_body(figure: Sketch | go.Figure) -> str:
    """The figure's JSON; the browser adds the template of the reader's theme."""
    if isinstance(figure, Sketch):
        parts = figure.parts
        traces = [_encoded(trace) for trace in parts["data"]]
        return str(to_json({"data": traces, "layout": _encoded(parts["layout"])}, validate=False))
    layout = figure.layout
    kept, layout.template = layout.template, None
    try:
        return str(figure.to_json(validate=False))
    finally:
        layout.template = kept


def _encoded(part: Any) -> Any:
    """A part of a figure without what is not set, arrays as Plotly's script reads them fastest."""
    if isinstance(part, Mapping):
        return {name: _encoded(value) for name, value in part.items() if value is not None}
    if isinstance(part, np.ndarray | pd.Series):
        return _array(np.asarray(part))
    return part


def _array(values: np.ndarray) -> Any:
    """Plotly's typed array: the numbers' own bytes, a third of their digits; others as a list."""
    if values.dtype.kind in "iu" and values.size:
        ends = np.min_scalar_type(values.min()), np.min_scalar_type(values.max())
        values = values.astype(np.result_type(*ends))
    kind = _TYPED.get(values.dtype.name) if values.size else None
    if kind is None:
        return values.tolist()
    typed = {"dtype": kind, "bdata": b64encode(values.tobytes()).decode("ascii")}
    return typed | ({"shape": ", ".join(map(str, values.shape))} if values.ndim > 1 else {})
