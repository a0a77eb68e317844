"""Widgets of scenario fields, bound to the address by the field's key."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from app.glossary_links import more_about
from calculators.scenario_fields import FieldSpec

_BOUNDS = "_bounds_"  # the ends of a slider in this session, by key
_AT = "_default_"  # the default that a slider stood at in the last run, by key
_WAS = "_was_"  # the value of an input in the last run, by key
_SHOWN = "_shown_"  # the select that shows names, by the key of the id that it chooses
_BIND = "query-params"
_TEXTS = ("text", "date", "id")  # kinds whose session value is their text in a link


class Scale(NamedTuple):
    """The usual ends of a slider, its step, and how its value is shown."""

    low: float
    high: float
    step: float
    shown: str


# A default beyond the ends widens the slider by itself; a link's value does so for the session.
SCALES = {
    "size": Scale(0.5, 700.0, 0.5, "%g billion"),
    "bits": Scale(1.0, 16.0, 0.5, "%g bits"),
    "ctx": Scale(1024, 131_072, 1024, "%d tokens"),
    "batch": Scale(0, 256, 1, "%d"),
    "rate": Scale(0.0, 15.0, 0.05, "%.2f USD/h"),
    "duty": Scale(0.0, 1.0, 0.01, "percent"),
}


def help_text(spec: FieldSpec) -> str:
    """The help of an input: what it is, its unit, what is allowed."""
    unit = f"In {spec.unit}." if spec.unit else ""
    allowed = "" if spec.kind == "id" else f"Allowed: {spec.allowed}."
    more = more_about(spec.label)
    return " ".join(part for part in (spec.help, unit, allowed, more) if part)


def has_changed(key: str, value: object) -> bool:
    """Whether an input's value is another one than in the last run."""
    before = st.session_state.get(_WAS + key, value)
    st.session_state[_WAS + key] = value
    return before != value


def reset(spec: FieldSpec) -> None:
    """Set an input back to its default before it is drawn; sliders follow their own default."""
    if spec.key in SCALES:
        st.session_state.pop(_AT + spec.key, None)
    elif st.session_state.get(spec.key) is not None:
        st.session_state[spec.key] = None


def differs(spec: FieldSpec, default: Any) -> bool:
    """Whether the session holds another value than the default."""
    held = st.session_state.get(spec.key, default)
    return (tuple(held) if isinstance(held, list) else held) != (
        spec.format(default) if spec.kind in _TEXTS and held is not None else default
    )


def set_text(spec: FieldSpec, text: str) -> None:
    """Set an input by its text in a link, before it is drawn."""
    if spec.key in SCALES and not text:
        reset(spec)
    elif spec.key in SCALES:
        st.session_state[spec.key] = _typed(spec, text)
        st.session_state[_AT + spec.key] = None
    elif spec.kind in ("number", "integer"):
        st.session_state[spec.key] = None if text == "" else _typed(spec, text)
    elif spec.kind == "choices":
        st.session_state[spec.key] = [part for part in text.split(",") if part]
    else:
        st.session_state[spec.key] = text


def takes(spec: FieldSpec, text: str) -> bool:
    """Whether the input is drawn and reaches as far as a value; if not, it starts anew there."""
    if spec.key not in st.session_state:
        return False
    if spec.key not in SCALES or not text:
        return True
    before = _bounds(spec)
    return before == _widened(spec, _typed(spec, text))


def _typed(spec: FieldSpec, text: str) -> float | int:
    return int(text) if spec.kind == "integer" else float(text)


def _bounds(spec: FieldSpec) -> tuple[float, float]:
    scale = SCALES[spec.key]
    return st.session_state.setdefault(_BOUNDS + spec.key, (scale.low, scale.high))


def _widened(spec: FieldSpec, value: float) -> tuple[float, float]:
    low, high = _bounds(spec)
    st.session_state[_BOUNDS + spec.key] = (min(low, value), max(high, value))
    return st.session_state[_BOUNDS + spec.key]


def _follow(key: str, default: Any) -> None:
    """Move a slider that stands at its default along when the default moves.

    Only then: whatever a run assigns goes to the browser, where it would undo a move that was
    made meanwhile.
    """
    missing = object()
    stood_at = st.session_state.get(_AT + key, missing)
    value = st.session_state.get(key, default)
    if value != default and stood_at in (missing, value):
        st.session_state[key] = default
    st.session_state[_AT + key] = default


def slider(spec: FieldSpec, default: float | int, linked: str) -> float | int:
    """A slider that stands at its default until it is moved, and reaches the link's value."""
    scale = SCALES[spec.key]
    low, high = _widened(spec, _typed(spec, linked)) if linked else _bounds(spec)
    _follow(spec.key, default)
    settings: dict[str, Any] = {
        "min_value": low,
        "max_value": high,
        "value": default,
        "step": scale.step,
        "format": scale.shown,
        "key": spec.key,
        "help": help_text(spec),
        "bind": _BIND,
    }
    return st.slider(spec.label, **settings)


def named(spec: FieldSpec, default: str | None, names: Mapping[str, str]) -> str | None:
    """A select of names; the address holds the id of what is chosen.

    A bound select would write the name itself, so a field that nobody sees is bound instead.
    """
    key, shown = spec.key, _SHOWN + spec.key
    text: str = st.text_input("id", spec.format(default), key=key, bind="query-params")
    _assign(shown, text if text in names else default)
    st.selectbox(
        spec.label,
        list(names),
        index=None if spec.blank else 0,
        format_func=names.__getitem__,
        placeholder=spec.blank_means or None,
        key=shown,
        help=help_text(spec) or None,
        on_change=_choose,
        args=(key,),
    )
    return text or None


def _assign(key: str, value: Any) -> None:
    """Set an input where it has another value; what is assigned overrules the browser."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _choose(key: str) -> None:
    """What was chosen by name becomes the bound field's id, before the page runs again."""
    st.session_state[key] = st.session_state[_SHOWN + key] or ""


def plain(spec: FieldSpec, default: Any) -> Any:
    """The widget of a field whose default never moves."""
    settings: dict[str, Any] = {"key": spec.key, "help": help_text(spec), "bind": _BIND}
    if spec.kind == "choice":
        return st.selectbox(spec.label, spec.options, index=spec.options.index(default), **settings)
    if spec.kind == "choices":
        return tuple(st.multiselect(spec.label, spec.options, default=list(default), **settings))
    if spec.kind in ("text", "date"):
        return st.text_input(spec.label, value=spec.format(default), **settings)
    return _number(spec, default, settings)


def _number(spec: FieldSpec, default: Any, settings: dict[str, Any]) -> float | int | None:
    label = f"{spec.label} ({spec.unit})" if spec.unit else spec.label
    whole = spec.kind == "integer"
    as_type = int if whole else float
    ends: dict[str, Any] = {
        "value": None if default is None else as_type(default),
        "min_value": as_type(spec.low) if math.isfinite(spec.low) else None,
        "max_value": as_type(spec.high) if math.isfinite(spec.high) else None,
        "step": 1 if whole else _step(spec),
        "format": None if whole else "%g",
    }
    return st.number_input(label, **ends, placeholder=spec.blank_means or None, **settings)


def _step(spec: FieldSpec) -> float:
    span = spec.high - spec.low
    return 0.01 if span <= 1 else 0.1 if span <= 1000 else 1.0
