"""The panel of derivations: all escaped, sources named once for a kind, no formula where none."""

from __future__ import annotations

from datetime import date

from app.derivation_markup import panel
from app.derivations.derivation import derived
from calculators.provenance import SourceLine
from calculators.speed.roofline import bound_step_s


def line(fact: str, title: str, url: str | None = None) -> SourceLine:
    return SourceLine(fact, title, url, date(2026, 11, 1), 29, "A", "catalog")


def test_panel_shows_equation_basis_and_sources():
    one = derived("Step", "One read.", "2 x 3 = 6", "bound", bound_step_s, ("Card",))
    html = panel([one], [line("Card: A", "sheet", "https://a.example"), line("Rent: b", "quote")])
    assert "<pre>2 x 3 = 6</pre>" in html
    assert "bound: plain arithmetic with" in html
    assert "It rests on card." in html
    assert '<a href="https://a.example"' in html and "quote" not in html
    assert "step = max(weight bytes" in html
    assert "calculators.speed.roofline.bound_step_s" in html


def test_texts_are_escaped():
    one = derived("<b>x</b>", "<i>", "1 <b> = 1", "bound", bound_step_s, ("Card",))
    html = panel([one], [line("Card: <script>", "<script>alert(1)</script>")])
    assert "<script" not in html and "<b>" not in html and "<i>" not in html


def test_a_figure_that_is_not_known_has_no_equation():
    one = derived("Step", "Why.", "nan", "bound", bound_step_s, known=float("nan"))
    assert "<pre>nan" not in panel([one], [])
    assert "No numbers stand here" in panel([one], [])
    assert "It rests on" not in panel([one], [])
