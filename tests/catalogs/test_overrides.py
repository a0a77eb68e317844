"""A company's own facts: merged, marked, and refused in one clear sentence."""

from datetime import date
from pathlib import Path

import pytest

from calculators.cautions import idle_fields
from calculators.cost.rental import rental_range
from calculators.link import from_query
from calculators.specs import Catalog
from catalogs.loader import FOLDER, CatalogError, load_catalog

TODAY = date(2026, 11, 30)
EXAMPLE = FOLDER / "overrides.example.yaml"
SOURCE = "    source: {title: t, checked: 2026-11-01}\n"
CARD = "accelerators:\n  h100-sxm:\n"


def load(text: str) -> Catalog:
    return load_catalog(override_text=text, today=TODAY)


def test_the_example_loads_and_is_marked() -> None:
    catalog = load_catalog(EXAMPLE, today=TODAY)
    assert catalog.accelerators["h100-sxm"].price_usd == 27_500
    assert catalog.accelerators["h100-sxm"].bandwidth_gb_s == 3350
    assert catalog.accelerators["h100-sxm"].origin == "override"
    assert catalog.accelerators["a100-80gb-sxm"].origin == "catalog"
    assert catalog.accelerators["lab-card-96gb"].memory_visible_gib == pytest.approx(95.46)
    assert catalog.engines["vllm"].memory.utilisation_frac == 0.92
    assert catalog.ownership["electricity_usd_kwh"].value == 0.21
    assert catalog.ownership["electricity_usd_kwh"].low is None
    assert catalog.defaults == {"gpu": "h100-sxm", "kwh": "0.21", "upkeep": "9500"}
    assert "accelerators/h100-sxm: price_usd" in catalog.overridden
    assert "rental_prices/h100-sxm: Contract cloud on-demand" in catalog.overridden


def test_the_example_shows_every_section() -> None:
    text = EXAMPLE.read_text("utf-8")
    for section in ("accelerators", "models", "weight_formats", "cache_formats", "rental_prices"):
        assert f"\n{section}:" in text
    for section in ("api_prices", "ownership", "engines", "defaults", "sources"):
        assert f"\n{section}:" in text


def test_the_catalog_itself_is_untouched() -> None:
    before = load_catalog(today=TODAY)
    load_catalog(EXAMPLE, today=TODAY)
    after = load_catalog(today=TODAY)
    assert after.accelerators["h100-sxm"].price_usd == 30_000
    assert before.overridden == after.overridden == ()


def test_own_rent_replaces_the_market_for_that_card_and_contract() -> None:
    catalog = load_catalog(EXAMPLE, today=TODAY)
    own = rental_range(catalog.rental_prices, "h100-sxm", "on-demand", TODAY)
    spot = rental_range(catalog.rental_prices, "h100-sxm", "spot", TODAY)
    assert own is not None and spot is not None
    assert (own.median, own.n) == (2.35, 1)
    assert spot.n > 1


def test_own_api_rates_as_numbers_and_steps() -> None:
    prices = load_catalog(EXAMPLE, today=TODAY).api_prices
    known = prices["groq/llama-3.3-70b-versatile"]
    assert known.rates.input[0].usd_mtok == 0.5
    assert known.provider_name == "Groq"
    new = prices["internal/llama-3.3-70b"]
    assert [tier.usd_mtok for tier in new.rates.input] == [0.4, 0.8]
    assert (new.provider, new.model, new.origin) == ("internal", "llama-3.3-70b", "override")
    assert new.batch is not None


def test_the_override_source_comes_first_and_says_what_it_covers() -> None:
    source = load_catalog(EXAMPLE, today=TODAY).accelerators["h100-sxm"].sources[0]
    assert source.title == "Framework contract 2026-114, annex 2"
    assert source.covers == ("price_usd",)


def test_the_source_of_a_figure_is_replaced_whole() -> None:
    text = "ownership:\n  pue:\n    value: 1.3\n" + SOURCE
    source = load(text).ownership["pue"].source
    assert (source.title, source.url, source.grade) == ("t", None, "B")


def test_figures_about_the_old_value_go_with_it() -> None:
    text = "accelerators:\n  b200:\n    price_usd: 33000\n" + SOURCE
    text += "  h100-sxm:\n    memory_total_gib: 93.6\n" + SOURCE
    cards = load(text).accelerators
    assert (cards["b200"].price_low_usd, cards["b200"].price_high_usd) == (None, None)
    assert 92 < cards["h100-sxm"].memory_visible_gib < 93.6


def test_an_upload_lies_over_the_file() -> None:
    text = CARD + "    price_usd: 111\n" + SOURCE
    catalog = load_catalog(EXAMPLE, override_text=text, today=TODAY)
    assert catalog.accelerators["h100-sxm"].price_usd == 111
    assert "lab-card-96gb" in catalog.accelerators


RENT = "rental_prices:\n  - {{accelerator: {card}, provider: p, kind: {kind}, usd_h: {usd}, "
RENT += "seen: {seen}, source: {{title: t, checked: 2026-11-01}}}}\n"
GOOD = {"card": "h100-sxm", "kind": "spot", "usd": "2", "seen": "2026-11-01"}

WRONG = {
    "bandwidth in MB/s": (
        CARD + "    bandwidth_gb_s: 3350000\n" + SOURCE,
        "bandwidth_gb_s: is 3,350,000, it must be from 10 to 100,000 GB/s",
    ),
    "bandwidth in TB/s": (CARD + "    bandwidth_gb_s: 3.35\n" + SOURCE, "from 10 to 100,000 GB/s"),
    "family that no engine serves": (
        "weight_formats:\n  own:\n    name: Own\n    family: nonsuch\n    nominal_bits: 4\n"
        "    bits: 4.5\n" + SOURCE,
        "weight_formats/own: family: 'nonsuch' is one that no engine serves; allowed are ",
    ),
    "range upside down": (
        "ownership:\n  pue:\n    value: 1.3\n    low: 1.5\n    high: 1.2\n" + SOURCE,
        "they must rise",
    ),
    "address that is a script": (
        CARD
        + "    price_usd: 3\n    source: {title: t, checked: 2026-11-01, url: 'javascript:x'}\n",
        "must start with https:// or http://",
    ),
    "share in per cent": (
        "ownership:\n  residual_36m_frac:\n    value: 30\n" + SOURCE,
        "ownership/residual_36m_frac: value: is 30",
    ),
    "electricity in cents": (
        "ownership:\n  electricity_usd_kwh:\n    value: 21\n" + SOURCE,
        "ownership/electricity_usd_kwh: value: is 21",
    ),
    "energy in euro": (
        "ownership:\n  electricity_usd_kwh:\n    value: 0.2\n    unit: EUR per kWh\n" + SOURCE,
        "ownership/electricity_usd_kwh: unit: is 'EUR per kWh', it must be 'USD per kWh'",
    ),
    "price in euro": (CARD + "    price_eur: 3\n" + SOURCE, "all amounts are in USD"),
    "price with its unit": (CARD + "    price_usd: 27000 EUR\n" + SOURCE, "without quotes, unit"),
    "price with a comma": (CARD + "    price_usd: 27,000\n" + SOURCE, "thousands comma"),
    "price per token": (
        "api_prices:\n  openai/gpt-4o:\n    rates: {input: 0.0000025}\n" + SOURCE,
        "rates: input: is 2.5e-06, it must be 0, or from 0.0005 to 5,000 USD per million tokens",
    ),
    "memory in MB": (
        CARD + "    memory_label_gb: 80000\n" + SOURCE,
        "memory_label_gb: is 80,000, it must be from 0.5 to 10,000 GB",
    ),
    "mistyped id": (
        "models:\n  lama-3.3-70b:\n    quality_class: large\n" + SOURCE,
        "the catalog has no 'lama-3.3-70b', so this is a new entry (did you mean 'llama-3.3-70b'?)",
    ),
    "format that is not": (
        "models:\n  llama-3.3-70b:\n    native_format: fp9\n" + SOURCE,
        "models/llama-3.3-70b: native_format: is 'fp9', which the catalog does not hold",
    ),
    "engine that is not": (
        "weight_formats:\n  fp8:\n    engines: [vlm]\n" + SOURCE,
        "weight_formats/fp8: engines: is 'vlm', which the catalog does not hold",
    ),
    "source covers nothing": (
        CARD + "    price_usd: 3\n    source: {title: t, checked: 2026-11-01, covers: [price]}\n",
        "covers: 'price' is not a key of the entry; did you mean 'price_usd'?",
    ),
    "named source is no mapping": (
        "sources: {x: 3}\n" + CARD + "    price_usd: 3\n    source: x\n",
        "accelerators/h100-sxm: source 'x': is a number",
    ),
    "no sources in the list": (CARD + "    price_usd: 3\n    sources: []\n", "empty list"),
    "day of another century": (
        CARD + "    price_usd: 3\n    source: {title: t, checked: 1026-11-01}\n",
        "must not be before 2000-01-01",
    ),
    "German day": (
        CARD + "    price_usd: 3\n    source: {title: t, checked: 1.11.2026}\n",
        "source: checked: is '1.11.2026', it must be a day as YYYY-MM-DD",
    ),
    "only sources": (
        "sources: {x: {title: t, checked: 2026-11-01}}\n",
        "sets nothing; give one of",
    ),
    "default of the future": ("defaults: {asof: 2027-01-01}\n", "must not be after today"),
    "unknown section": ("accelerator:\n  x: {}\n", "did you mean 'accelerators'"),
    "unknown key": (CARD + "    pric_usd: 3\n" + SOURCE, "did you mean 'price_usd'"),
    "nested key": (
        "engines:\n  vllm:\n    memory: {utilization_frac: 0.9}\n" + SOURCE,
        "did you mean 'utilisation_frac'",
    ),
    "list for number": (CARD + "    price_usd: [3]\n" + SOURCE, "is a list"),
    "text for number": (CARD + '    price_usd: "30000"\n' + SOURCE, "without quotes"),
    "yes for number": (CARD + "    price_usd: yes\n" + SOURCE, "must be a number"),
    "negative": (CARD + "    price_usd: -3\n" + SOURCE, "must be greater than 0"),
    "not a number": (CARD + "    price_usd: .nan\n" + SOURCE, "finite"),
    "infinite": (CARD + "    price_usd: .inf\n" + SOURCE, "finite"),
    "blank": (CARD + "    bandwidth_gb_s: null\n" + SOURCE, "is blank"),
    "share above one": (
        "engines:\n  vllm:\n    memory: {utilisation_frac: 90}\n" + SOURCE,
        "must be at most 1",
    ),
    "no source": (CARD + "    price_usd: 3\n", "has no source"),
    "source without title": (
        CARD + "    price_usd: 3\n    source: {checked: 2026-11-01}\n",
        "title: is missing",
    ),
    "source not named": (CARD + "    price_usd: 3\n    source: me\n", "not a named source"),
    "future source": (
        CARD + "    price_usd: 3\n    source: {title: t, checked: 2027-01-01}\n",
        "must not be after today",
    ),
    "impossible day": (
        CARD + "    price_usd: 3\n    source: {title: t, checked: 2026-13-41}\n",
        "not a day of the calendar",
    ),
    "id twice": (CARD + "    price_usd: 3\n" + SOURCE + "  h100-sxm: {}\n", "given twice"),
    "nothing set": (CARD + SOURCE, "sets nothing"),
    "a list": ("- a\n", "must be a mapping"),
    "only text": ("hello\n", "must be a mapping"),
    "empty": ("", "empty"),
    "only a comment": ("# nothing\n", "empty"),
    "blank section": ("accelerators:\n", "is blank"),
    "blank entry": (CARD, "is blank"),
    "tab": ("accelerators:\n\th100-sxm:\n", "indent with spaces"),
    "anchor": ("accelerators: &a {}\nmodels: *a\n", "anchors"),
    "merge key": (CARD + "    <<: {price_usd: 3}\n" + SOURCE, "merge keys"),
    "tag": ('accelerators: !!python/object/apply:os.system ["true"]\n', "tag"),
    "deep": ("accelerators: " + "[" * 300 + "]" * 300, "nested deeper"),
    "very deep": ("accelerators: " + "[" * 100_000, "nest"),
    "large": ("#" * 2_100_000, "at most 2,000,000"),
    "number as key": ("accelerators:\n  4090: {}\n", "write it in quotes"),
    "new card incomplete": (
        "accelerators:\n  mine:\n    memory_label_gb: 10\n" + SOURCE,
        "is missing",
    ),
    "name taken": (
        "accelerators:\n  mine: {name: H100, vendor: N, form: P, memory_label_gb: 10, "
        "memory_type: G, bandwidth_gb_s: 5, source: {title: t, checked: 2026-11-01}}\n",
        "already belongs to 'h100-sxm'",
    ),
    "sparse rate": (CARD + "    fp8_dense_tflops: 3958\n" + SOURCE, "a higher rate is a sparse"),
    "origin": (CARD + "    origin: catalog\n" + SOURCE, "unknown key 'origin'"),
    "unknown card": (RENT.format(**GOOD | {"card": "h1000"}), "not an accelerator id"),
    "unknown contract": (RENT.format(**GOOD | {"kind": "hourly"}), "must be one of 'on-demand'"),
    "rent of a month": (
        RENT.format(**GOOD | {"usd": "2000"}),
        "usd_h: is 2,000, it must be from 0.005 to 500 USD an hour",
    ),
    "quote twice": (
        RENT.format(**GOOD) + RENT.format(**GOOD).removeprefix("rental_prices:\n"),
        "rental_prices/2: is the same quote as rental_prices/1",
    ),
    "price list without provider": (
        "api_prices:\n  gpt-4o:\n    rates: {input: 1, output: 2}\n" + SOURCE,
        "api_prices/gpt-4o: is no id of an API price, which is provider/model",
    ),
    "free card": (RENT.format(**GOOD | {"usd": "0"}), "must be greater than 0"),
    "quoted day": (RENT.format(**GOOD | {"seen": '"2026-11-01"'}), "without quotes"),
    "future quote": (RENT.format(**GOOD | {"seen": "2027-11-01"}), "must not be after today"),
    "rent as mapping": ("rental_prices: {h100-sxm: 2}\n", "must be a list"),
    "negative rate": (
        "api_prices:\n  openai/gpt-4o:\n    rates: {input: -1}\n" + SOURCE,
        "least 0",
    ),
    "tiers out of order": (
        "api_prices:\n  openai/gpt-4o:\n    rates: {input: [{above_tok: 9, usd_mtok: 1}]}\n"
        + SOURCE,
        "must start at 0 and rise",
    ),
    "default unknown": ("defaults: {gpuu: h100-sxm}\n", "did you mean 'gpu'"),
    "default value": ("defaults: {gpu: nothing-like-it}\n", "defaults: gpu"),
    "default range": ("defaults: {duty: 5}\n", "defaults: duty"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_override_gives_one_clear_sentence(case: str) -> None:
    text, words = WRONG[case]
    with pytest.raises(CatalogError) as caught:
        load(text)
    message = str(caught.value)
    assert words in message
    assert message.startswith("upload: ") or "upload" in message
    assert "\n" not in message
    assert len(message) < 600


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="does not exist"):
        load_catalog(tmp_path / "none.yaml", today=TODAY)
    with pytest.raises(CatalogError, match="cannot be read"):
        load_catalog(tmp_path, today=TODAY)
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CatalogError, match="not UTF-8"):
        load_catalog(binary, today=TODAY)


def test_an_error_is_a_value_error() -> None:
    assert issubclass(CatalogError, ValueError)


def test_several_missing_keys_are_all_named() -> None:
    text = "accelerators:\n  mine:\n    memory_label_gb: 10\n    vendor: N\n" + SOURCE
    with pytest.raises(CatalogError) as caught:
        load(text)
    for key in ("name", "form", "memory_type", "bandwidth_gb_s"):
        assert key in str(caught.value)


def test_a_figure_of_ownership_sets_the_default_that_it_stands_for() -> None:
    text = "ownership:\n  electricity_usd_kwh:\n    low: 0.2\n    high: 0.3\n" + SOURCE
    text += "  staff_usd_month:\n    value: 12500\n" + SOURCE
    catalog = load(text)
    # the middle of 0.2 and 0.3
    assert catalog.defaults == {"kwh": "0.25", "upkeep": "12500"}
    scenario, problems = from_query("", catalog)
    assert problems == ()
    assert (scenario.energy_usd_kwh, scenario.upkeep_usd_month) == (0.25, 12_500.0)
    assert load(text + "defaults: {kwh: 0.4}\n").defaults["kwh"] == "0.4"


def test_own_figures_carry_their_value_and_their_source() -> None:
    figures = {figure.name: figure for figure in load_catalog(EXAMPLE, today=TODAY).own_figures}
    price = figures["accelerators/h100-sxm: price_usd"]
    contract = "Framework contract 2026-114, annex 2"
    assert price.text == f"accelerators/h100-sxm: price_usd = 27,500 ({contract}, 2026-11-15)"
    assert figures["accelerators/lab-card-96gb: new entry"].value.startswith("name Lab card 96GB")
    assert figures["engines/vllm: memory"].value == "utilisation_frac 0.92"
    new = figures["api_prices/internal/llama-3.3-70b: new entry"]
    assert "input 0.4; 0.8 above 128,000" in new.value
    rent = figures["rental_prices/h100-sxm: Contract cloud on-demand"]
    assert (rent.value, rent.source and rent.source.title) == ("2.35 USD a card hour", contract)
    default = figures["defaults: gpu"]
    assert default.source is not None
    assert default.source.title == "Architecture board, minutes 7"


def test_a_company_default_without_effect_is_no_warning() -> None:
    catalog = load("defaults: {kwh: 0.3}\n")
    rented, _ = from_query("", catalog)
    assert idle_fields(rented, catalog) == {}
    asked, _ = from_query("kwh=0.5", catalog)
    assert list(idle_fields(asked, catalog)) == ["energy_usd_kwh"]
