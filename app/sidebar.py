"""The shared inputs: what everyone needs first, everything else under "More"."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import compute, inputs, state
from app.names import names
from calculators.cost.card_cost import card_cost
from calculators.scenario import FIELDS, NAMES, Scenario
from calculators.scenario_fields import FieldSpec
from calculators.specs import Catalog

UNKNOWN_MODEL_SIZE_B = 8.0  # of a model that starts from nothing
# What choosing a catalog entry sets back to the entry's own figures.
OVERRIDES = {
    "model": ("size", "active", "layers", "kvh", "hd", "win", "experts", "topk"),
    "gpu": ("mem", "bw", "tf", "rate", "price"),
    "wfmt": ("bits",),
    "billing": ("rate",),
    "api": ("apiin", "apiout"),
    "tokens": ("duty",),
}
CUSTOM = {
    "size": "Custom; {:g} billion in the catalog.",
    "bits": "Custom; {:g} bits in the format.",
    "rate": "Custom; {:.2f} USD in the catalog.",
    "duty": "Set: the demand follows from it. At 0 it follows from the demand again.",
}
MORE = {
    "Traffic": ("in", "out", "profile", "peak", "growth", "prefix", "open", "split"),
    "Service": ("ttft", "tpot", "replicas", "spare", "load", "autoscale", "start", "par", "basis"),
    "Money": (
        "billing", "term", "upkeep", "build", "horizon", "hours", "interrupt", "price",
        "residual", "kwh", "pue", "colo", "net", "grid", "discount", "rentfall", "apifall",
    ),
    "API": (
        "cached", "cachewrite", "apibatch", "offpeak", "dedicated", "endpoints", "apiin", "apiout",
        "apitok", "apittft", "apispeed",
    ),
    "Custom model": ("active", "layers", "kvh", "hd", "win", "experts", "topk"),
    "Custom card": ("mem", "bw", "tf"),
    "Speculative decoding": ("draft", "accept", "k"),
    "Reasons and reading": ("why", "cmp", "seed", "asof"),
}  # fmt: skip


class Sidebar:
    """Draws the inputs of one run and collects their values by link key."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.base = state.base_scenario(catalog)
        self.values: dict[str, Any] = {}
        self.requested = state.requested()
        for key, text in self.requested.items():
            inputs.set_text(self.spec(key), text)

    def spec(self, key: str) -> FieldSpec:
        return FIELDS[NAMES[key]]

    def default(self, key: str) -> Any:
        return getattr(self.base, NAMES[key])

    def scenario(self) -> Scenario:
        """The scenario of the inputs drawn so far."""
        return state.keep(self.values, self.catalog)

    def plain(self, key: str) -> None:
        """An input whose default never moves."""
        spec, default = self.spec(key), self.default(key)
        self.values[key] = (
            inputs.named(spec, default, names(self.catalog, spec))
            if spec.kind == "id"
            else inputs.plain(spec, default)
        )
        if key in OVERRIDES and inputs.has_changed(key, self.values[key]):
            for overridden in OVERRIDES[key]:
                if overridden not in self.requested:
                    inputs.reset(self.spec(overridden))

    def is_set(self, key: str) -> bool:
        """Whether an input differs from its default, in the address or in the session."""
        spec = self.spec(key)
        return state.in_address(key) or inputs.differs(spec, self.default(key))

    def leave(self, key: str) -> None:
        """Leave an input at its default without drawing it."""
        self.values[key] = self.default(key)

    def slider(self, key: str, at: float | int) -> None:
        """A slider that stands at a catalog's or a derived value until it is moved."""
        spec = self.spec(key)
        value = inputs.slider(spec, at, state.linked(spec))
        follows = spec.blank and value in (at, 0.0 if key == "duty" else at)
        self.values[key] = None if follows else value
        if spec.blank and not follows:
            st.caption(CUSTOM[key].format(at))


def draw(catalog: Catalog) -> Scenario:
    """Draw the sidebar and return the scenario that it describes."""
    bar = Sidebar(catalog)
    # Four places that never move: a browser that is told to draw an input elsewhere takes it for
    # a new one, and no longer writes its value into the address.
    with st.sidebar:
        above, rate_slot, duty_slot, below = [st.container() for _ in range(4)]
    with above:
        bar.plain("model")
        bar.slider("size", _size(bar.values["model"], catalog))
        bar.plain("wfmt")
        bar.slider("bits", float(catalog.weight_formats[bar.values["wfmt"]].nominal_bits))
        bar.slider("ctx", bar.default("ctx"))
        bar.slider("batch", bar.default("batch"))
        if not bar.values["batch"]:
            st.caption("As many as fit and meet the objectives.")
        bar.plain("gpu")
        bar.plain("cards")
    with below:
        for key in ("tokens", "api", "engine", "kvfmt"):
            bar.plain(key)
        _more(bar)
    with rate_slot:
        bar.slider("rate", _rate(bar.scenario(), catalog))
    with duty_slot:
        bar.slider("duty", round(compute.duty_frac(bar.scenario(), catalog) or 0.0, 4))
    return bar.scenario()


def _more(bar: Sidebar) -> None:
    """Everything else; while it is closed, only what differs from its default is drawn."""
    named = {key for keys in MORE.values() for key in keys}
    rest = tuple(NAMES.keys() - named - bar.values.keys() - {"rate", "duty"})
    with st.expander("More", key="more", on_change="rerun") as more:
        for title, keys in {**MORE, "Other": rest}.items():
            drawn = [key for key in keys if more.open or bar.is_set(key)]
            if drawn:
                st.markdown(f"**{title}**")
            for key in keys:
                bar.plain(key) if key in drawn else bar.leave(key)


def _size(model: str, catalog: Catalog) -> float:
    known = catalog.models.get(model)
    return float(f"{known.total_params / 1e9:.4g}") if known else UNKNOWN_MODEL_SIZE_B


def _rate(scenario: Scenario, catalog: Catalog) -> float:
    card = catalog.accelerators[scenario.gpu]
    usd_h = card_cost(scenario, catalog, card).usd_h
    return round(float(usd_h or 0.0), 4)
