"""Hypothesis strategies that several tests share."""

from __future__ import annotations

from hypothesis import strategies as st

from calculators.scenario import FIELDS, KEYS
from calculators.scenario_fields import FieldSpec

HOSTILE_TEXTS = st.one_of(
    st.sampled_from(
        [
            *("", " ", "nan", "-inf", "1e999", "-1", "0", "1_000", "1,5", "٣", "½", "0x10", "True"),
            *("<script>alert(1)</script>", "' OR 1=1 --", "../../etc/passwd", "%00", "\x00"),
            *("\ud7ff", "9" * 400, "a" * 60_000, "💥" * 50, "[](javascript:x)", "null", "{}"),
        ]
    ),
    st.text(max_size=80),
    st.floats().map(str),
    st.integers().map(str),
)


def legal_text(spec: FieldSpec) -> st.SearchStrategy[str]:
    """Texts that a field accepts (ids apart: they need a catalog)."""
    if spec.kind == "integer":
        return st.integers(int(spec.low), int(spec.high)).map(str)
    if spec.kind == "number":
        return (
            st.floats(spec.low, spec.high, allow_nan=False)
            .map(lambda x: f"{x:.12g}")
            .filter(lambda text: spec.low <= float(text) <= spec.high)
        )
    if spec.kind == "choice":
        return st.sampled_from(spec.options)
    if spec.kind == "choices":
        return st.lists(st.sampled_from(spec.options), unique=True).map(",".join)
    if spec.kind == "date":
        return st.dates().map(lambda day: day.isoformat())
    return st.just("") if spec.check is None else st.nothing()


hostile_links = st.dictionaries(
    st.one_of(st.sampled_from(KEYS), st.text(max_size=12)),
    st.one_of(HOSTILE_TEXTS, st.lists(HOSTILE_TEXTS, min_size=1, max_size=3)),
    max_size=12,
)

legal_links = st.fixed_dictionaries(
    {},
    optional={
        spec.key: legal_text(spec)
        for spec in FIELDS.values()
        if spec.kind != "id" and (spec.kind != "text" or spec.check is None)
    },
)
