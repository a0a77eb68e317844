"""Widgets of scenario fields, bound to the address by the field's key."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import state
from calculators.scenario_fields import FieldSpec, format_number

_SEEN = "_seen_"  # values that a slider must be able to stand at, by key
_AT = "_default_"  # the default that a slider stood at in the last run, by key
_WAS = "_was_"  # the value of an input in the last run, by key
_BIND = "query-params"


def _ladder(*stretches: tuple[float, float, float]) -> list[str]:
    """Steps from first to last by step, stretch after stretch, as texts."""
    texts: list[str] = []
    for first, last, step in stretches:
        count = round((last - first) / step)
        texts += [format_number(round(first + i * step, 6)) for i in range(count + 1)]
    return list(dict.fromkeys(texts))


LADDERS = {
    "size": _ladder((0.5, 10, 0.5), (10, 40, 1), (40, 100, 2), (100, 300, 10), (300, 1000, 25)),
    "bits": _ladder((1, 8, 0.5), (9, 16, 1), (32, 32, 1)),
    "ctx": [str(size) for power in range(9, 21) for size in (2**power, 3 * 2 ** (power - 1))],
    "batch": _ladder((0, 16, 1), (20, 64, 4), (80, 256, 16), (320, 1024, 64), (1280, 4096, 256)),
    "rate": _ladder((0, 5, 0.05), (5, 15, 0.25), (15, 60, 1)),
}  # fmt: skip


def help_text(spec: FieldSpec) -> str:
    """The help of an input: what it is, its unit, what is allowed."""
    unit = f"In {spec.unit}." if spec.unit else ""
    return " ".join(part for part in (spec.help, unit, f"Allowed: {spec.allowed}.") if part)


def number_of(text: str) -> float | int:
    """The number of a slider's text."""
    value = float(text)
    return int(value) if value == int(value) else value


def has_changed(key: str, value: object) -> bool:
    """Whether an input's value is another one than in the last run."""
    before = st.session_state.get(_WAS + key, value)
    st.session_state[_WAS + key] = value
    return before != value


def reset(spec: FieldSpec) -> None:
    """Set an input back to its default before it is drawn; sliders follow their own default."""
    if spec.key in LADDERS or spec.key == "duty":
        st.session_state.pop(_AT + spec.key, None)
    elif st.session_state.get(spec.key) is not None:
        st.session_state[spec.key] = None


def differs(spec: FieldSpec, default: Any) -> bool:
    """Whether the session holds another value than the default."""
    held = st.session_state.get(spec.key, default)
    return (tuple(held) if isinstance(held, list) else held) != (
        spec.format(default) if spec.kind in ("text", "date") and held is not None else default
    )


def set_text(spec: FieldSpec, text: str) -> None:
    """Set an input by its text in a link, before it is drawn."""
    if spec.key in LADDERS:
        _seen(spec).add(text)
        st.session_state[spec.key] = text
        st.session_state[_AT + spec.key] = ""
    elif spec.kind in ("number", "integer"):
        st.session_state[spec.key] = None if text == "" else number_of(text)
    elif spec.kind == "choices":
        st.session_state[spec.key] = [part for part in text.split(",") if part]
    else:
        st.session_state[spec.key] = text


def _seen(spec: FieldSpec) -> set[str]:
    return st.session_state.setdefault(_SEEN + spec.key, {state.linked(spec)} - {""})


def _follow(key: str, default: Any) -> None:
    """Move a slider that stands at its default along when the default moves."""
    stood_at = st.session_state.get(_AT + key)
    if key in st.session_state and stood_at in (None, st.session_state[key]):
        st.session_state[key] = default
    st.session_state[_AT + key] = default


def step_slider(spec: FieldSpec, default: str) -> str:
    """A slider over uneven steps, the default and the link's value among them."""
    seen = _seen(spec)
    seen.add(default)
    options = sorted({*LADDERS[spec.key], *seen}, key=float)
    _follow(spec.key, default)
    return st.select_slider(
        spec.label, options, value=default, key=spec.key, help=help_text(spec), bind=_BIND
    )


def share_slider(spec: FieldSpec, default: float) -> float:
    """A slider from 0 to 1."""
    _follow(spec.key, default)
    return st.slider(
        spec.label,
        min_value=0.0,
        max_value=1.0,
        value=default,
        step=0.01,
        format="percent",
        key=spec.key,
        help=f"{help_text(spec)} 0 goes back to what the demand makes of it.",
        bind=_BIND,
    )


def plain(spec: FieldSpec, default: Any, ids: Sequence[str]) -> Any:
    """The widget of a field whose default never moves."""
    settings: dict[str, Any] = {"key": spec.key, "help": help_text(spec), "bind": _BIND}
    if spec.kind in ("choice", "id"):
        options = [*ids, *spec.options]
        return st.selectbox(spec.label, options, index=options.index(default), **settings)
    if spec.kind == "choices":
        return tuple(st.multiselect(spec.label, spec.options, default=list(default), **settings))
    if spec.kind in ("text", "date"):
        return st.text_input(spec.label, value=spec.format(default), **settings)
    return _number(spec, default, settings)


def _number(spec: FieldSpec, default: Any, settings: dict[str, Any]) -> float | int | None:
    label = f"{spec.label} ({spec.unit})" if spec.unit else spec.label
    whole = spec.kind == "integer"
    as_type = int if whole else float
    return st.number_input(
        label,
        value=None if default is None else as_type(default),
        min_value=as_type(spec.low) if math.isfinite(spec.low) else None,
        max_value=as_type(spec.high) if math.isfinite(spec.high) else None,
        step=1 if whole else _step(spec),
        format=None if whole else "%g",
        placeholder=spec.blank_means or None,
        **settings,
    )


def _step(spec: FieldSpec) -> float:
    span = spec.high - spec.low
    return 0.01 if span <= 1 else 0.1 if span <= 1000 else 1.0
