"""Every page as of a day from which no price is known yet: nothing to say, but no fault."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

APP = Path(__file__).resolve().parents[2] / "app"
VIEWS = sorted(
    str(path.relative_to(APP / "views"))
    for path in (APP / "views").rglob("*.py")
    if path.stem != "__init__"
)


@pytest.mark.parametrize("view", VIEWS)
def test_a_page_opens(view):
    at = AppTest.from_file(str(APP / "main.py"), default_timeout=120)
    at.query_params["asof"] = "2020-01-01"
    at.run()
    at.switch_page(f"views/{view}").run()
    assert not at.exception
