"""The catalog as tables: every table can be searched, every figure has a source and an age."""

from datetime import date

import pytest

from app import compute
from app.catalog_rows import TABLES, catalog_table, entry_rows, matching, own_rows, position
from app.markup import in_order
from catalogs.loader import CatalogError, load_catalog


@pytest.mark.parametrize("name", TABLES.values())
def test_every_table_can_be_searched_though_cells_are_empty(catalog, name):
    table = catalog_table(catalog, name)
    first = str(table.iloc[0, 0])
    assert first in set(matching(table, first.upper()).iloc[:, 0].astype(str))
    assert matching(table, "no such words anywhere").empty
    assert len(matching(table, " ")) == len(table)


def test_rows_of_an_entry_hold_its_figures_and_their_sources(catalog):
    rows = {row["Figure"]: row for row in entry_rows(catalog.accelerators["h100-sxm"])}
    assert rows["bandwidth [GB/s]"]["Value"] == "3,350"
    assert all(row["Sources"] and row["Checked"] for row in rows.values())


def test_the_numbers_of_sources_are_those_of_the_list(catalog):
    card = catalog.accelerators["mi250"]
    listed = in_order(card.sources)
    [price] = [row for row in entry_rows(card) if row["Figure"] == "price [USD]"]
    for n in price["Sources"].split(", "):
        covers = listed[int(n) - 1].covers
        assert not covers or "price_usd" in covers


def test_what_the_scenario_uses_is_shown_first(catalog):
    table = catalog_table(catalog, "accelerators")
    assert table["id"].iloc[position(table, "h100-sxm")] == "h100-sxm"
    assert position(table, "no-such-card") == position(table.head(0), "h100-sxm") == 0


def test_own_figures_are_listed_with_value_source_and_day():
    text = (
        "ownership:\n  staff_usd_month:\n    value: 12500\n"
        "    source: {title: Staff plan, checked: 2026-10-01}\n"
        "defaults: {replicas: 2}\n"
    )
    known = load_catalog(override_text=text, today=date(2026, 11, 30))
    staff, default = own_rows(known)
    assert staff == {
        "Own figure": "ownership/staff_usd_month: value",
        "Value": "12,500",
        "Source": "Staff plan",
        "Checked": "2026-10-01",
    }
    assert (default["Value"], default["Source"]) == ("2", "none given")


def test_an_upload_is_not_blamed_for_a_broken_company_file(tmp_path, monkeypatch):
    broken = tmp_path / "company.yaml"
    broken.write_text("accelerators: [", encoding="utf-8")
    monkeypatch.setenv(compute.OVERRIDES_VARIABLE, str(broken))
    day = date(2026, 11, 30)
    compute.check_overrides("defaults: {replicas: 2}", "own.yaml", day)
    with pytest.raises(CatalogError, match=r"^own\.yaml: defaults: unknown key 'replica'"):
        compute.check_overrides("defaults: {replica: 2}", "own.yaml", day)
