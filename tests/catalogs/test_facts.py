"""The facts as loaded: counts, sources, dense rates, unique names, memory."""

from datetime import date

import pytest

from calculators.specs import Fact, normalised
from catalogs.loader import load_catalog

TODAY = date(2026, 11, 30)
CATALOG = load_catalog(asof=TODAY)
FACT_TABLES = ("accelerators", "models", "weight_formats", "cache_formats", "engines")


@pytest.mark.parametrize(
    ("table", "least"),
    [
        ("accelerators", 100),
        ("weight_formats", 30),
        ("cache_formats", 5),
        ("engines", 8),
        ("ownership", 15),
        ("api_prices", 1000),
        ("rental_prices", 100),
    ],
)
def test_the_catalog_is_large_enough(table: str, least: int) -> None:
    assert len(getattr(CATALOG, table)) >= least


def test_rents_are_known_for_twenty_cards_from_several_providers() -> None:
    assert len({price.accelerator for price in CATALOG.rental_prices}) >= 20
    assert len({price.provider for price in CATALOG.rental_prices}) >= 10


@pytest.mark.parametrize("table", FACT_TABLES)
def test_every_numeric_fact_is_covered_by_a_source(table: str) -> None:
    for fact in getattr(CATALOG, table).values():
        fields = {
            name
            for name, value in fact
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        }
        covered: set[str] = set()
        for source in fact.sources:
            covered |= set(source.covers or fields)
        missing = fields - covered - DERIVED
        assert not missing, f"{table}/{fact.id}: no source covers {sorted(missing)}"


# Follow from other fields of the record (memory rules), or are a structure, not a measured figure.
DERIVED = {"memory_total_gib", "memory_visible_gib", "n_server_cards", "link_gb_s", "nominal_bits"}
DERIVED |= {"bits", "group_size", "scale_bits", "zero_bits", "expert_width_multiple"}


@pytest.mark.parametrize("table", FACT_TABLES)
def test_sources_name_only_fields_that_exist(table: str) -> None:
    for fact in getattr(CATALOG, table).values():
        for source in fact.sources:
            assert set(source.covers) <= set(type(fact).model_fields), fact.id


@pytest.mark.parametrize("table", FACT_TABLES)
def test_no_fact_was_read_after_today(table: str) -> None:
    for fact in getattr(CATALOG, table).values():
        assert isinstance(fact, Fact)
        assert max(source.checked for source in fact.sources) <= date.today(), fact.id


@pytest.mark.parametrize("table", FACT_TABLES)
def test_a_name_means_one_thing(table: str) -> None:
    owners: dict[str, str] = {}
    for key, fact in getattr(CATALOG, table).items():
        for name in (key, fact.name, *fact.aliases):
            assert owners.setdefault(normalised(name), key) == key, f"{name}: {key}"
            assert CATALOG.find(table, name) == key


def test_rates_are_dense() -> None:
    for card in CATALOG.accelerators.values():
        rates = (card.fp16_dense_tflops, card.fp8_dense_tflops, card.fp4_dense_tflops)
        for slow, fast, factor in ((rates[0], rates[1], 2.05), (rates[1], rates[2], 4.05)):
            assert not slow or not fast or fast <= factor * slow, card.id
        if card.int8_dense_tops and card.fp16_dense_tflops:
            assert card.int8_dense_tops <= 4.1 * card.fp16_dense_tflops, card.id


def test_memory_shrinks_from_label_to_driver_to_process() -> None:
    for card in CATALOG.accelerators.values():
        assert 0 < card.memory_visible_gib <= card.memory_total_gib, card.id
        if card.memory_label_gb:
            assert card.memory_total_gib <= card.memory_label_gb, card.id
            assert card.memory_total_gib >= 0.92 * card.memory_label_gb, card.id


def test_price_ranges_hold_their_middle() -> None:
    for card in CATALOG.accelerators.values():
        if card.price_low_usd and card.price_high_usd:
            assert card.price_low_usd <= (card.price_usd or card.price_low_usd), card.id
            assert card.price_high_usd >= (card.price_usd or card.price_high_usd), card.id
    for key, figure in CATALOG.ownership.items():
        assert figure.value is not None or figure.low is not None or figure.high is not None, key
        if figure.low is not None and figure.high is not None:
            assert figure.low < figure.high, key


# Vendor data sheets, dense, FP32 accumulation: GB/s, 16-bit, FP8, INT8, one-way link GB/s, W.
SHEETS = {
    "h100-sxm": (3350, 989, 1979, 1979, 450, 700),
    "h100-pcie": (2000, 756, 1513, 1513, 64, 350),
    "h200-sxm": (4800, 989, 1979, 1979, 450, 700),
    "b200": (8000, 2250, 4500, 4500, 900, 1000),
    "a100-80gb-sxm": (2039, 312, None, 624, 300, 400),
    "a100-40gb-pcie": (1555, 312, None, 624, 32, 250),
    "l4": (300, 121, 242, 242, 32, 72),
    "l40s": (864, 362, 733, 733, 32, 350),
    "rtx-4090": (1008, 165.2, 330.3, 660.6, 32, 450),
    "rtx-3090": (936, 71.2, None, 284.6, 16, 350),
    "rtx-5090": (1792, 209.5, 419, 838, 64, 575),
    "mi300x": (5300, 1307, 2615, 2615, 448, 750),
    "mi355x": (8000, 2500, 5000, 5000, 535.5, 1400),
    "gaudi-3": (3700, 1677, 1677, None, 600, 900),
    "tpu-v5e": (819, 197, None, 393, 200, None),
    "t4": (320, 65, None, 130, 16, 70),
}


@pytest.mark.parametrize("card_id", SHEETS)
def test_cards_as_in_their_data_sheets(card_id: str) -> None:
    card = CATALOG.accelerators[card_id]
    assert (
        card.bandwidth_gb_s,
        card.fp16_dense_tflops,
        card.fp8_dense_tflops,
        card.int8_dense_tops,
        card.link_gb_s,
        card.power_w,
    ) == SHEETS[card_id]


def test_rates_by_rule_agree_with_independent_sheets() -> None:
    # GeForce sheets print the rate with FP16 accumulation: 195, 160, 119 and 81; half is usable.
    half_of_printed = {"rtx-4080": 97.5, "rtx-4070-ti": 80, "rtx-3080": 59.5, "rtx-3070": 40.5}
    printed = {"a40": 149.7, "rtx-a6000": 154.8, "l40": 181, "a10": 125, "a30": 165}
    for card_id, tflops in (half_of_printed | printed).items():
        rate = CATALOG.accelerators[card_id].fp16_dense_tflops
        assert rate == pytest.approx(tflops, rel=0.01), card_id


@pytest.mark.parametrize(
    ("card_id", "total_gib", "visible_gib"),
    [
        ("h100-sxm", 81559 / 1024, 79.18),
        ("h200-sxm", 143771 / 1024, 139.8),
        ("l4", 23034 / 1024, 22.1),
        ("rtx-3090", 24.0, 23.69),
        ("mi300x", 192.0, 191.98),
        ("gb10", 128.0, 119.7),
        ("apple-m3-max-40c-64gb", 64.0, 48.0),
    ],
)
def test_memory_as_drivers_and_engines_print_it(
    card_id: str, total_gib: float, visible_gib: float
) -> None:
    card = CATALOG.accelerators[card_id]
    assert card.memory_total_gib == pytest.approx(total_gib, abs=0.01)
    assert card.memory_visible_gib == pytest.approx(visible_gib, abs=0.1)


@pytest.mark.parametrize(
    ("table", "name", "key"),
    [
        ("accelerators", "H100-SXM-80GB", "h100-sxm"),
        ("accelerators", "H100 80GB SXM", "h100-sxm"),
        ("accelerators", "NVIDIA A100-SXM4-80GB", "a100-80gb-sxm"),
        ("accelerators", "GB10 (DGX Spark) 128GB unified", "gb10"),
        ("accelerators", "RX-7900XTX-24GB", "rx-7900-xtx"),
        ("accelerators", "RTX 5070 Laptop 8GB", "rtx-5070-laptop"),
        ("accelerators", "M2-Ultra-76c-192GB", "apple-m2-ultra-192gb"),
        ("weight_formats", "Q4_K_M", "gguf-q4-k-m"),
        ("weight_formats", "gguf-q4_k_m", "gguf-q4-k-m"),
        ("weight_formats", "int4-awq-g128", "awq-int4"),
        ("weight_formats", "mxfp4-a8", "mxfp4-a8"),
        ("weight_formats", "float8wo", "fp8-w8a16"),
        ("cache_formats", "auto(bf16)", "bf16"),
        ("cache_formats", "fp8_e4m3", "fp8"),
        ("cache_formats", "int8_per_token_head", "int8"),
        ("engines", "TensorRT-LLM", "tensorrt-llm"),
        ("engines", "vLLM (ROCm)", "vllm-rocm"),
        ("engines", "ollama", "llama-cpp"),
        ("engines", "LMDeploy TurboMind", "lmdeploy"),
    ],
)
def test_spellings_of_engines_and_providers_are_known(table: str, name: str, key: str) -> None:
    assert CATALOG.find(table, name) == key


def test_a_blank_fact_stays_blank() -> None:
    assert CATALOG.accelerators["xeon-6980p"].fp16_dense_tflops is None
    assert CATALOG.accelerators["a100-80gb-sxm"].fp8_dense_tflops is None
    assert CATALOG.accelerators["mi325x"].price_usd is None


def test_disagreements_are_kept() -> None:
    assert any("153.5" in text for text in CATALOG.accelerators["b300"].disagreements)
    assert sum(bool(card.disagreements) for card in CATALOG.accelerators.values()) >= 35
