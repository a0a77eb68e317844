"""What the sidebar sends to the browser, which would undo a move that was made meanwhile."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

MAIN = str(Path(__file__).resolve().parents[2] / "app" / "main.py")
SLIDERS = ("size", "bits", "ctx", "batch", "rate", "duty")


def opened(**query: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=60)
    for key, text in query.items():
        app.query_params[key] = text
    return app.run()


def overruled(app: AppTest) -> set[str]:
    """The sliders and named selects whose value this run sends to the browser."""
    inputs = [app.slider(key) for key in SLIDERS]
    inputs += [box for box in app.selectbox if str(box.key).startswith("_shown_")]
    return {str(box.key) for box in inputs if box.proto.set_value}


def test_a_run_sends_no_value_that_the_browser_has():
    app = opened(tokens="20000", duty="0.5")
    app.slider("batch").set_value(4).run()
    assert not app.exception
    assert overruled(app) == set()


def test_a_slider_at_its_default_follows_when_the_default_moves():
    app = opened(duty="0.5")
    app.text_input("gpu").set_value("a100-80gb-pcie").run()
    assert "rate" in overruled(app)
    assert app.slider("rate").value == app.slider("rate").proto.default[0]
    assert "batch" not in overruled(app)


def test_the_places_of_the_sidebar_never_move():
    app = opened()
    places = [child.type for child in app.sidebar.children.values()]
    app.slider("batch").set_value(4).run()
    app.slider("bits").set_value(5.0).run()
    assert [child.type for child in app.sidebar.children.values()] == places
