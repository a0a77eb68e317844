"""Faults of a YAML text name the section, the entry, the key and the line."""

import pytest

from catalogs.yaml_places import where
from catalogs.yaml_reader import CatalogError, read_yaml, yaml_text

CARD = "accelerators:\n  h100-sxm:\n"
SOURCE = "    source: {title: t, checked: 2026-11-01}\n"
ROWS = "rental_prices:\n  - accelerator: h100-sxm\n    kind: spot\n  # a remark\n  - kind: spot\n"

# A text with one fault, and the place and remedy that a reader must be told.
FAULTS = {
    "brace not closed": (
        CARD + "    price_usd: 1\n    source: {title: t\n  b200:\n    price_usd: 4\n",
        ("accelerators/h100-sxm: source: line 4: ", "is not closed"),
    ),
    "quote not closed": (
        CARD + '    note: "from the vendor\n' + SOURCE,
        ("accelerators/h100-sxm: note: line 3: ", "quote that opens here is not closed"),
    ),
    "indentation": (
        CARD + "    price_usd: 1\n   power_w: 700\n" + SOURCE,
        ("accelerators/h100-sxm: power_w: line 4: “power_w: 700”", "same column"),
    ),
    "no colon": (
        CARD + "    price_usd 27000\n" + SOURCE,
        ("accelerators/h100-sxm: line 3: “price_usd 27000”", "key: value"),
    ),
    "colon in a text": (
        CARD + "    note: quoted: by phone\n" + SOURCE,
        ("accelerators/h100-sxm: note: line 3: ", "text that holds a colon in quotes"),
    ),
    "tab": (CARD + "\tprice_usd: 1\n", ("accelerators/h100-sxm: price_usd: line 3: ", "a tab")),
    "at sign": (
        CARD + "    note: @home\n" + SOURCE,
        ("accelerators/h100-sxm: note: line 3: ", "starts with @ must stand in quotes"),
    ),
    "item of a list": (
        ROWS + "   usd_h: 3\n",
        ("rental_prices/2: usd_h: line 6: ", "same column"),
    ),
    "two documents": (CARD + SOURCE + "---\nmodels: {}\n", ("line 4: ", "one is allowed")),
    "control character": (
        CARD + "    note: 'a\x00b'\n" + SOURCE,
        ("accelerators/h100-sxm: note: line 3: ", "character that no text has"),
    ),
    "time for a number": (
        CARD + "    price_usd: 1:30\n" + SOURCE,
        ("accelerators/h100-sxm: price_usd: line 3: is 1:30, ", "plain number"),
    ),
    "octal": (
        CARD + "    price_usd: 0100\n" + SOURCE,
        ("accelerators/h100-sxm: price_usd: line 3: is 0100, ", "plain number"),
    ),
    "five thousand digits": (
        CARD + "    price_usd: " + "1" * 5000 + "\n" + SOURCE,
        ("accelerators/h100-sxm: price_usd: line 3: ", "5,000 characters, at most 40"),
    ),
    "anchor": (
        CARD + "    price_usd: &p 1\n    power_w: *p\n" + SOURCE,
        ("accelerators/h100-sxm: price_usd: line 3: ", "anchors"),
    ),
    "tag": (
        CARD + "    price_usd: !!float 1\n" + SOURCE,
        ("accelerators/h100-sxm: price_usd: line 3: the tag ", "only plain values"),
    ),
    "deep": (
        CARD + "    memory: " + "[" * 20 + "]" * 20 + "\n" + SOURCE,
        ("accelerators/h100-sxm: memory: line 3: ", "deeper than 12 levels"),
    ),
    "key twice": (
        CARD + "    price_usd: 1\n    price_usd: 2\n" + SOURCE,
        ("accelerators/h100-sxm: price_usd: line 4: ", "given twice"),
    ),
    "word that YAML reads": (
        "accelerators:\n  on:\n    price_usd: 1\n",
        ("accelerators/on: line 2: key on (read as True)", "write it in quotes"),
    ),
    "day": (
        CARD + "    price_usd: 1\n    source: {title: t, checked: 2026-02-30}\n",
        ("accelerators/h100-sxm: source: line 4: ", "2026-02-30 is not a day of the calendar"),
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_names_its_place_and_its_remedy(case: str) -> None:
    text, (place, remedy) = FAULTS[case]
    with pytest.raises(CatalogError) as caught:
        read_yaml(text, "own.yaml")
    message = str(caught.value)
    assert message.startswith(f"own.yaml: {place}")
    assert remedy in message
    assert "\n" not in message


def test_a_place_in_a_list_skips_remarks_and_inner_lists() -> None:
    text = ROWS + "    tiers:\n      - 1\n      - 2\n  - usd_h: 2\n"
    assert where(text, 7) == "rental_prices/2: tiers: 2: line 8"
    assert where(text, 8) == "rental_prices/3: usd_h: line 9"
    assert where("", 0) == "line 1"


def test_text_in_another_encoding_names_its_line() -> None:
    text = CARD + "    note: Gerät\n" + SOURCE
    with pytest.raises(CatalogError) as caught:
        yaml_text(text.encode("latin-1"), "own.yaml")
    assert str(caught.value).startswith("own.yaml: accelerators/h100-sxm: note: line 3: ")
    assert "0xe4" in str(caught.value)
    with pytest.raises(CatalogError, match="not UTF-8 text but UTF-16"):
        yaml_text(text.encode("utf-16"), "own.yaml")
    assert yaml_text(text.encode("utf-8-sig"), "own.yaml") == text


def test_plain_numbers_of_every_form_are_read() -> None:
    text = "a: {b: -12, c: 0, d: 1.5e+3, e: 27_000, f: 0.5}"
    expected = {"b": -12, "c": 0, "d": 1500.0, "e": 27000, "f": 0.5}
    assert read_yaml(text, "own.yaml") == {"a": expected}
