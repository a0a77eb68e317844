"""A numpydoc docstring by section."""

from __future__ import annotations

from app.docstring import explanation


def cost_usd(*, rate_usd_h, n_cards, hours_month):
    """Rent of some cards for a month,
    in one sentence.

    cost = rate x cards x hours

    >>> cost_usd(rate_usd_h=2, n_cards=3, hours_month=10)
    60

    Parameters
    ----------
    rate_usd_h : float or array [USD/h], 0 or more, broadcasts
        Rent of one card.
    n_cards, hours_month : float

    Returns
    -------
    float [USD]

    Raises
    ------
    ValueError
        Never.

    Notes
    -----
    Basis: bound. Discounts are left out, which errs high.

    References
    ----------
    A price list, read 2026-11-01.

    Examples
    --------
    >>> 1
    1
    """
    return rate_usd_h * n_cards * hours_month


def test_sections():
    parts = explanation(cost_usd)
    assert parts.summary == "Rent of some cards for a month, in one sentence."
    assert parts.formula == "cost = rate x cards x hours"
    assert parts.notes == "Basis: bound. Discounts are left out, which errs high."
    assert parts.references == "A price list, read 2026-11-01."


def test_parameters_keep_units_and_descriptions():
    rate, others = explanation(cost_usd).parameters
    assert rate.names == ("rate_usd_h",)
    assert rate.kind == "float or array [USD/h], 0 or more, broadcasts"
    assert rate.text == "Rent of one card."
    assert others.names == ("n_cards", "hours_month")
    assert explanation(cost_usd).returns[0].names == ("float [USD]",) or (
        explanation(cost_usd).returns[0].text == "float [USD]"
    )


def test_a_function_without_docstring_shows_its_name():
    assert explanation(lambda: 0).summary == "<lambda>"
