"""The catalog as tables: every table can be searched, every figure has a source and an age."""

import pytest

from app.catalog_rows import TABLES, catalog_table, entry_rows, matching


@pytest.mark.parametrize("name", TABLES.values())
def test_every_table_can_be_searched_though_cells_are_empty(catalog, name):
    table = catalog_table(catalog, name)
    first = str(table.iloc[0, 0])
    assert first in set(matching(table, first.upper()).iloc[:, 0].astype(str))
    assert matching(table, "no such words anywhere").empty
    assert len(matching(table, " ")) == len(table)


def test_rows_of_an_entry_hold_its_figures_and_their_sources(catalog):
    rows = {
        row["Figure"]: row for row in entry_rows(catalog.accelerators["h100-sxm"], catalog.asof)
    }
    assert rows["bandwidth [GB/s]"]["Value"] == "3,350"
    assert all(row["Source"] and row["Checked"] for row in rows.values())
