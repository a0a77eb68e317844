"""Files to records: sources by name, one record per file, side files, what a broken file says."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogs.loader import CatalogError, load_catalog
from catalogs.memory_rules import visible_memory_gib
from catalogs.yaml_reader import read_yaml

TODAY = date(2026, 11, 30)
CARD = """
sources:
  sheet: {title: Data sheet, checked: 2026-11-01, grade: A}
accelerators:
  toy:
    name: Toy
    vendor: NVIDIA
    form: PCIe
    memory_label_gb: 24
    memory_type: GDDR6
    bandwidth_gb_s: 300
    fp16_dense_tflops: 100
    sources: [sheet, {use: sheet, covers: [bandwidth_gb_s]}]
rental_prices:
  - accelerator: toy
    provider: p
    tier: own
    kind: spot
    usd_h: 1
    seen: 2026-11-02
    source: sheet
"""


def folder_with(path: Path, **files: str) -> Path:
    for name, text in files.items():
        file = path / (name.replace("__", "/") + ".yaml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return path


def test_a_card_from_a_file(tmp_path: Path) -> None:
    catalog = load_catalog(folder=folder_with(tmp_path, accelerators__a=CARD), today=TODAY)
    card = catalog.accelerators["toy"]
    assert card.sources[1].covers == ("bandwidth_gb_s",)
    assert card.memory_visible_gib == pytest.approx(24 - 0.3 - 0.06)
    assert catalog.asof == date(2026, 11, 2)


def test_a_file_may_be_one_record(tmp_path: Path) -> None:
    body = CARD.split("  toy:\n")[1].split("rental_prices")[0].replace("sheet, {use: sheet,", "{")
    text = "id: toy\n" + "\n".join(line[4:] for line in body.splitlines())
    text = text.replace("[{ covers: [bandwidth_gb_s]}]", "[{title: t, checked: 2026-11-01}]")
    catalog = load_catalog(folder=folder_with(tmp_path, accelerators__toy=text), today=TODAY)
    assert catalog.accelerators["toy"].bandwidth_gb_s == 300


def test_constants_of_an_engine_are_merged_from_the_fitted_file(tmp_path: Path) -> None:
    engine = "engines: {e: {name: E, source: {title: t, checked: 2026-11-01}}}\n"
    fitted = "e: {speed: {bandwidth_eff_frac: 0.61}, provenance: fitted}\n"
    files = folder_with(tmp_path, accelerators__a=CARD, engines=engine, calibration=fitted)
    found = load_catalog(folder=files, today=TODAY).engines["e"]
    assert (found.speed.bandwidth_eff_frac, found.provenance) == (0.61, "fitted")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("  toy:", "  toy: {}\n  toy:"), "given twice"),
        (("bandwidth_gb_s: 300", "bandwith_gb_s: 300"), "did you mean 'bandwidth_gb_s'"),
        (("accelerator: toy", "accelerator: toys"), "not an accelerator id"),
        (("checked: 2026-11-01", "checked: 2027-11-01"), "must not be after today"),
        (("[sheet,", "[sheets,"), "did you mean 'sheet'"),
        (("    name: Toy\n", ""), "name: is missing"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    folder_with(tmp_path, accelerators__a=CARD.replace(*change))
    with pytest.raises(CatalogError) as caught:
        load_catalog(folder=tmp_path, today=TODAY)
    assert words in str(caught.value)


def test_an_id_in_two_files_is_an_error(tmp_path: Path) -> None:
    folder_with(tmp_path, accelerators__a=CARD, accelerators__b=CARD)
    with pytest.raises(CatalogError, match=r"b\.yaml: toy: the id is given twice"):
        load_catalog(folder=tmp_path, today=TODAY)


def test_a_lenient_load_leaves_out_what_is_broken_and_says_so(tmp_path: Path) -> None:
    worse = CARD.replace("toy", "bad").replace("Toy", "Bad").replace("300", "fast", 1)
    folder_with(tmp_path, accelerators__a=CARD, accelerators__b=worse, accelerators__c="a: [")
    catalog = load_catalog(folder=tmp_path, today=TODAY, override_text="x: 1", strict=False)
    assert list(catalog.accelerators) == ["toy"]
    assert [price.accelerator for price in catalog.rental_prices] == ["toy"]
    told = "\n".join(catalog.problems)
    for words in ("b.yaml: bad: bandwidth_gb_s: is 'fast'", "c.yaml: a: line 1", "upload: unknown"):
        assert words in told


def test_a_clock_that_is_behind_does_not_stop_the_catalog(tmp_path: Path) -> None:
    future = CARD.replace("2026-11-0", "2126-11-0")
    files = folder_with(tmp_path, accelerators__a=future)
    assert load_catalog(folder=files).asof == date(2126, 11, 2)
    own = "accelerators: {toy: {power_w: 9, source: {title: t, checked: 2126-11-01}}}"
    catalog = load_catalog(folder=files, override_text=own)
    assert catalog.accelerators["toy"].power_w == 9


def test_a_lenient_load_without_the_overrides_file_works(tmp_path: Path) -> None:
    catalog = load_catalog(tmp_path / "none.yaml", today=TODAY, strict=False)
    assert catalog.accelerators.keys() == load_catalog(today=TODAY).accelerators.keys()
    assert len(catalog.problems) == 1
    assert "does not exist; these overrides are left out" in catalog.problems[0]


def test_a_second_load_reads_nothing_again() -> None:
    first, second = load_catalog(today=TODAY), load_catalog(today=TODAY)
    assert second.accelerators is first.accelerators
    assert second.models is first.models


@given(total=st.floats(1, 300), vendor=st.sampled_from(["NVIDIA", "AMD", "Apple", "Intel"]))
def test_a_process_sees_less_than_the_driver_but_most_of_it(total: float, vendor: str) -> None:
    shared = vendor == "Apple"
    visible = visible_memory_gib(memory_total_gib=total, vendor=vendor, unified=shared)
    assert 0.65 * total <= visible + 0.01 <= total + 0.02


@given(st.text(max_size=300))
def test_no_text_makes_the_reader_fail_in_another_way(text: str) -> None:
    try:
        assert isinstance(read_yaml(text, "x.yaml"), dict)
    except CatalogError as error:
        assert "x.yaml" in str(error)


def test_cards_are_found_with_their_maker_in_front(catalog):
    for name, id_ in (
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("AMD Instinct MI300X", "mi300x"),
    ):
        assert catalog.find("accelerators", name) == id_
    assert catalog.find("accelerators", "NVIDIA") is None
