"""Bits per weight from block layouts and published files."""

import pytest

from catalogs.loader import load_catalog

CATALOG = load_catalog()


def test_effective_bits_follow_from_the_block_layout() -> None:
    for weights in CATALOG.weight_formats.values():
        if weights.group_size:
            per_group = weights.scale_bits + weights.zero_bits
            expected = weights.nominal_bits + per_group / weights.group_size
            assert weights.bits == pytest.approx(expected, abs=6e-4), weights.id


@pytest.mark.parametrize(
    ("key", "bits"),
    [
        ("affine-int4", 4 + (16 + 16) / 128),
        ("gptq-int4", 4 + 16 / 128),
        ("awq-int4", 4 + (16 + 4) / 128),
        ("nf4", 4 + 32 / 64),
        ("nf4-dq", 4 + 8 / 64 + 32 / (64 * 256)),
        ("mxfp4", 17 * 8 / 32),  # 17 bytes for 32 weights
        ("nvfp4", 36 * 8 / 64),  # 36 bytes for 64 weights
        ("mxfp8", 8 + 8 / 32),
        ("fp8-block", 8 + 32 / 128**2),
        ("gguf-q8-0", 34 * 8 / 32),  # 34 bytes for 32 weights
        ("gguf-q4-0", 18 * 8 / 32),
        ("gguf-q6-k", 210 * 8 / 256),
    ],
)
def test_bits_by_hand(key: str, bits: float) -> None:
    assert CATALOG.weight_formats[key].bits == pytest.approx(bits, abs=6e-4)


@pytest.mark.parametrize(
    ("key", "file_bytes"),
    [
        ("gguf-q4-k-m", 4_917_737_553),
        ("gguf-q8-0", 8_536_247_500),
        ("gguf-q6-k", 6_592_774_799),
        ("gguf-q5-k-m", 5_723_043_921),
        ("gguf-f16", 16_063_177_687),
    ],
)
def test_whole_file_bits_give_the_published_file_of_llama_3_1_8b(key: str, file_bytes: int) -> None:
    bits = CATALOG.weight_formats[key].whole_file_bits
    assert bits is not None
    assert bits * 8_030_261_248 / 8 == pytest.approx(file_bytes, rel=0.002)


def test_fewer_bits_lose_more_within_the_k_quants() -> None:
    keys = ["q8-0", "q6-k", "q5-k-m", "q4-k-m", "q3-k-m", "q2-k"]
    formats = [CATALOG.weight_formats[f"gguf-{key}"] for key in keys]
    losses = [weights.kl_divergence for weights in formats]
    assert None not in losses
    assert losses == sorted(losses)  # type: ignore[type-var]


@pytest.mark.parametrize("key", ["awq-int4", "gptq-int4", "nf4", "mxfp4", "nvfp4", "fp8"])
def test_published_checkpoints_keep_embedding_and_head_in_16_bits(key: str) -> None:
    groups = CATALOG.weight_formats[key].group_bits
    assert groups["embedding"] == 16
    assert groups["head"] == 16


def test_formats_name_known_engines_and_engines_known_families() -> None:
    families = {weights.family for weights in CATALOG.weight_formats.values()}
    for weights in (*CATALOG.weight_formats.values(), *CATALOG.cache_formats.values()):
        assert set(weights.engines) <= set(CATALOG.engines), weights.id
    for engine in CATALOG.engines.values():
        assert set(engine.families) <= families, engine.id
    vendors = {card.vendor for card in CATALOG.accelerators.values()}
    for engine in CATALOG.engines.values():
        assert set(engine.vendors) <= vendors, engine.id


@pytest.mark.parametrize(
    ("key", "bits"), [("bf16", 16), ("fp8", 8), ("int8", 8.25), ("q8-0", 8.5), ("q4-0", 4.5)]
)
def test_cache_bits_hold_scales(key: str, bits: float) -> None:
    assert CATALOG.cache_formats[key].bits == bits


def test_the_latent_cache_in_fp8_is_656_bytes_a_token() -> None:
    bits = CATALOG.cache_formats["fp8-ds-mla"].bits
    assert bits * (512 + 64) / 8 == pytest.approx(512 + 4 * 4 + 64 * 2, abs=0.5)
