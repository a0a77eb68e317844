"""The Traffic page's own inputs: a log with its clock, or a weekly profile."""

from __future__ import annotations

import streamlit as st

from app import state, traffic_words, ui, uploads
from calculators.cost.traffic import PROFILE_NAMES, ProfileError
from calculators.cost.traffic_measured import Traffic, measured_traffic
from calculators.cost.traffic_profiles import parse_profile, profile_code
from calculators.cost.usage_logs import UsageLog, UsageLogError
from calculators.scenario import Scenario

_OWN = "own hours"


def measured(log: UsageLog, hours_month: float) -> Traffic | None:
    """The traffic of a log, with its clock's unit and zone as the reader sets them."""
    left, right = st.columns(2)
    if not log.is_absolute:
        left.selectbox("Unit of the clock", ["auto", "s", "ms", "us", "ns"], key="traffic_unit")
    offset = right.number_input("Hours from UTC", -14.0, 14.0, 0.0, 0.5, key="traffic_offset")
    try:
        return measured_traffic(log, utc_offset_h=offset, hours_month=hours_month)
    except UsageLogError as error:
        ui.problems([error])
        return None


def carry(traffic: Traffic, scenario: Scenario) -> None:
    """Buttons that put what follows from the log into the scenario, or forget the log."""
    left, right = st.columns(2)
    if left.button("Use this traffic in the scenario", type="primary", width="stretch"):
        state.request(**traffic_words.link_texts(traffic, scenario))
    if right.button("Forget the log", width="stretch"):
        uploads.forget("traffic_log")
        st.rerun()


def choose_profile(scenario: Scenario) -> None:
    """A named weekly profile, or 24 or 168 hours of one's own; the link then holds it."""
    now = scenario.profile if scenario.profile in PROFILE_NAMES else _OWN
    names = [*PROFILE_NAMES, _OWN]
    chosen = st.radio(
        "Weekly profile",
        names,
        index=names.index(now),
        horizontal=True,
        key=f"traffic_profile_{now}",
    )
    if chosen in PROFILE_NAMES and chosen != scenario.profile:
        state.request(profile=chosen)
    if chosen != _OWN:
        return
    text = st.text_area(
        "Tokens, requests or any measure by hour: 24 or 168 numbers from Monday 00:00",
        key="traffic_hours",
        height=90,
    )
    try:
        code = profile_code(parse_profile(text)) if text.strip() else scenario.profile
    except ProfileError as error:
        ui.problems([error])
        return
    if code != scenario.profile:
        state.request(profile=code)
