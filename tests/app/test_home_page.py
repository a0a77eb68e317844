"""Home: what does not fit is offered changes that make it fit."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from app.sentences import flips_caption
from calculators.plan import plan
from calculators.scenario import Scenario

MAIN = Path(__file__).resolve().parents[2] / "app" / "main.py"


def home(**query: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=60)
    for key, text in query.items():
        app.query_params[key] = text
    return app.run()


def offers(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.label.startswith("Take ")]


def test_a_change_that_is_taken_makes_it_fit():
    app = home(wfmt="bf16")
    assert not app.exception
    two = next(button for button in app.button if "2 cards per replica" in button.label)
    two.click().run()
    assert app.number_input(key="cards").value == 2
    assert not offers(app) and not app.exception


def test_what_fits_is_offered_nothing():
    assert offers(home()) == []


def test_a_reason_that_is_not_about_money_is_not_turned_by_prices(catalog):
    by_money = flips_caption(plan(Scenario(), catalog))
    by_reason = flips_caption(plan(Scenario(why=("data",)), catalog))
    assert by_money == "What would turn the answer, all else equal"
    assert "the answer above is not about money" in by_reason
