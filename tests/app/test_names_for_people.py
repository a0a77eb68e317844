"""Sentences speak of products by name; ids stand in links and downloads."""

from __future__ import annotations

from dataclasses import replace

from app.memo import memo, memo_markdown
from app.sentences import api_words
from calculators.plan import plan
from calculators.scenario import Scenario


def test_the_api_is_named_on_home_and_in_the_memo(catalog):
    now = plan(Scenario(), catalog)
    assert now.api is not None and "/" in now.api.id
    name = f"{now.api.name} from {now.api.provider_name}"
    chosen = plan(replace(Scenario(), api=now.api.id), catalog)
    assert api_words(now).startswith(name + ", the middle of ")
    assert api_words(chosen) == name
    bills = memo_markdown(memo(now, "https://host/?v=1")).replace("\\", "")
    assert f"API: {name}" in bills and now.api.id not in bills.split("## Sources")[0]
