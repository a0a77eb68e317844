"""Link -> session -> Scenario -> link; the only user of st.query_params.

The sidebar's widgets are bound to the address, one parameter each. Before any widget of a
session exists, the raw link is read field by field by calculators/scenario.py; what it did not
accept is kept for the page to show, and the clean rest is written back to the address.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import inputs, long_links
from calculators.link import Problem, defaults, from_query, to_query
from calculators.scenario import FIELDS, NAMES, Scenario
from calculators.scenario_fields import FieldSpec
from calculators.specs import Catalog

_LINK = "_link"  # the scenario that the session's link described
_PROBLEMS = "_link_problems"
_FIRST = "_first_scenario"  # what the widgets made of the link
_SCENARIO = "_scenario"
_QUERY = "_query"
_REQUESTED = "_requested"
_ENTRY_PROBLEMS = "_entry_problems"


def raw_query() -> dict[str, str | list[str]]:
    """The address's parameters as texts; what stands several times is a list."""
    given = {key: st.query_params.get_all(key) for key in st.query_params}
    return {key: texts[0] if len(texts) == 1 else texts for key, texts in given.items()}


def asof() -> str | None:
    """The day whose facts the scenario asks for, or None for today's."""
    if _SCENARIO in st.session_state:
        text = st.session_state.get("asof", "")
    else:
        text = raw_query().get("asof", "")
    return from_query({"asof": text})[0].asof


def adopt_link(catalog: Catalog) -> bool:
    """On a session's first run, read the link; True where the address had to be cleaned.

    After True the caller reruns the script (once st.navigation has run), so that the widgets
    start from the clean address.
    """
    if _LINK in st.session_state:
        return False
    raw = raw_query()
    refused = long_links.problem(str(raw.get(long_links.REFUSED)))
    read = {key: text for key, text in raw.items() if not (refused and key == long_links.REFUSED)}
    scenario, found = from_query(read, catalog)
    st.session_state[_LINK] = scenario
    st.session_state[_PROBLEMS] = (refused, *found) if refused else found
    clean = address_of(scenario, base_scenario(catalog))
    if clean == raw:
        return False
    st.query_params.from_dict(clean)
    return True


def base_scenario(catalog: Catalog) -> Scenario:
    """What a link means where it says nothing, a company's own defaults included."""
    return defaults(company=catalog.defaults)


def address_of(scenario: Scenario, base: Scenario) -> dict[str, str | list[str]]:
    """The parameters of a scenario as the bound widgets write them: what differs from `base`."""
    address: dict[str, str | list[str]] = {}
    for name, spec in FIELDS.items():
        value = getattr(scenario, name)
        if value == getattr(base, name) or value is None:
            continue
        chosen = list(value) if spec.kind == "choices" else []
        address[spec.key] = chosen if len(chosen) > 1 else spec.format(value)
    return address


def in_address(key: str) -> bool:
    """Whether the address holds a parameter."""
    return key in st.query_params


def linked(spec: FieldSpec) -> str:
    """The text of a field in the session's link, or its default's."""
    return spec.format(getattr(st.session_state[_LINK], NAMES[spec.key]))


def request(**texts: str) -> None:
    """Set inputs by their link keys and run the page again: request(batch="32", duty="0.4").

    An input that is not drawn yet, or not so far, starts from the address: it is set there.
    """
    drawn = {k: text for k, text in texts.items() if inputs.takes(FIELDS[NAMES[k]], text)}
    new = {key: _listed(key, texts[key]) for key in texts if key not in drawn}
    st.session_state[_REQUESTED] = drawn
    st.query_params.update(new)
    st.rerun()


def _listed(key: str, text: str) -> str | list[str]:
    return text.split(",") if FIELDS[NAMES[key]].kind == "choices" else text


def requested() -> dict[str, str]:
    """What a page asked to be set, once."""
    return st.session_state.pop(_REQUESTED, {})


def keep(values: Mapping[str, Any], catalog: Catalog) -> Scenario:
    """The scenario of this run from the widgets' values by link key; kept for the page."""
    texts = {key: FIELDS[NAMES[key]].format(value) for key, value in values.items()}
    scenario, found = from_query(texts, catalog)
    st.session_state[_SCENARIO] = scenario
    st.session_state[_ENTRY_PROBLEMS] = found
    return scenario


def settle(catalog: Catalog) -> None:
    """Remember the first scenario of the session, and this run's link, once inputs are drawn."""
    st.session_state.setdefault(_FIRST, scenario())
    parameters = address_of(scenario(), base_scenario(catalog))
    st.session_state[_QUERY] = urlencode(parameters, doseq=True)


def query() -> str:
    """The query of the address that the reader sees; Streamlit's own copy lags behind."""
    return st.session_state[_QUERY]


def scenario() -> Scenario:
    """The scenario of this run."""
    return st.session_state[_SCENARIO]


def problems() -> list[Problem]:
    """What the link or an entry holds that was not accepted, until the input is changed."""
    now, then = scenario(), st.session_state[_FIRST]
    kept = [
        problem
        for problem in st.session_state[_PROBLEMS]
        if (
            getattr(now, NAMES[problem.key]) == getattr(then, NAMES[problem.key])
            if problem.key in NAMES
            else now == then
        )
    ]
    return kept + list(st.session_state[_ENTRY_PROBLEMS])


def pinned_query(catalog: Catalog) -> str:
    """The query of a link with every field, the version and the day of the facts."""
    return to_query(scenario(), pinned=True, asof=catalog.asof.isoformat())


def address() -> str:
    """The address of the page that the reader sees, without its query."""
    return (st.context.url or "").partition("?")[0]
