"""Printed start-up figures of real engines as small rows, with their source beside each."""

from datetime import date

import pandas as pd
import pytest

from calculators.evidence.memory_accuracy import score_memory_rows, summarise_memory
from calculators.specs import (
    Catalog,
    EngineSpec,
    LayerGroup,
    MemoryRule,
    OlderMemory,
    ParameterCounts,
)
from tests.calculators.fit.shapes import SOURCES, cache_format, card, gqa, model, weight_format

LLAMA_8B = model(
    (gqa(32, n_q_heads=32),),
    ParameterCounts(embedding=525_336_576, head=525_336_576, dense_mlp=6_979_321_856, rest=266_240),
    id="llama-3.1-8b",
    name="Llama 3.1 8B",
    hidden=4096,
    intermediate=14_336,
    max_context_tok=131_072,
)
HYBRID = model(
    (
        gqa(16, 4, 256, n_q_heads=24),
        LayerGroup(
            kind="recurrent",
            n_layers=48,
            state_elements=48 * 128 * 128,
            conv_elements=3 * 10_240,
            conv_taps=4,
        ),
    ),
    ParameterCounts(dense_mlp=27_000_000_000, mtp=400_000_000),
    id="qwen3.6-27b",
    name="Qwen3.6 27B",
    max_context_tok=262_144,
)
GEMMA_4B = model(
    (gqa(5, 4, 256), gqa(29, 4, 256, kind="sliding", window_tok=1024)),
    ParameterCounts(dense_mlp=3_880_000_000),
    id="gemma-3-4b",
    name="Gemma 3 4B",
)
V0 = MemoryRule(
    runtime_gib=0.35, batched_is_context=True, large_batched_tok=2048, large_max_sequences=256
)
VLLM = EngineSpec(
    id="vllm",
    name="vLLM",
    sources=SOURCES,
    memory=MemoryRule(page_align_tok=16, graphs_gib=0.3),
    older_memory=(
        OlderMemory(before="0.8", memory=V0),
        OlderMemory(before="0.16", memory=MemoryRule(page_align_tok=16)),
    ),
)
LLAMA_CPP = EngineSpec(
    id="llama-cpp",
    name="llama.cpp",
    sources=SOURCES,
    split="layer",
    memory=MemoryRule(utilisation_frac=1, sampler_bytes=0, batched_tok=512, block_tok=1),
)


def by_id(*facts):
    return {fact.id: fact for fact in facts}


CATALOG = Catalog(
    asof=date(2026, 11, 30),
    accelerators=by_id(
        card(79.18, id="h100-sxm", name="H100 80GB SXM"),
        card(23.58, id="rtx-3090", name="RTX 3090 24GB"),
    ),
    models=by_id(LLAMA_8B, HYBRID, GEMMA_4B),
    weight_formats=by_id(
        weight_format(16).model_copy(update={"id": "bf16", "name": "BF16"}),
        weight_format(4.5).model_copy(update={"id": "nvfp4", "name": "NVFP4", "family": "nvfp4"}),
    ),
    cache_formats=by_id(
        cache_format(16).model_copy(update={"id": "bf16", "name": "BF16", "aliases": ("f16",)}),
        cache_format(8).model_copy(update={"id": "fp8", "name": "FP8", "aliases": ("fp8_e4m3",)}),
    ),
    engines=by_id(VLLM, LLAMA_CPP),
    rental_prices=(),
    api_prices={},
    ownership={},
)

RECENT = {
    # llm-d-planner, docs/empirical-vllm-memory-results.md
    "engine": "vllm", "version": "~0.11.0 (V1)", "model": "llama-3.1-8b", "weight_format": "bf16",
    "kv_dtype": "auto(bf16)", "gpu": "H100 80GB SXM", "gpu_mem_gib_total": 79.18, "n_gpus": 1,
    "tp": 1, "gpu_mem_util": 0.9, "max_model_len": 16000, "ctx_or_notes": "--block-size=128",
}  # fmt: skip
OLD = RECENT | {
    # vllm-project/vllm#10517
    "version": "0.6.x", "gpu": "RTX 3090 24GB", "gpu_mem_gib_total": 23.58,
    "max_model_len": 29000, "ctx_or_notes": "",
}  # fmt: skip
PAGED = RECENT | {
    # noonghunna/club-3090 #849; the pool itself is set by the test
    "version": "0.11", "model": "qwen3.6-27b", "weight_format": "nvfp4", "kv_dtype": "fp8_e4m3",
    "n_gpus": 2, "tp": 2, "max_model_len": 262144, "ctx_or_notes": "MTP n=3",
}  # fmt: skip
LOCAL = {
    # ollama/ollama#17037
    "engine": "llama.cpp", "model": "gemma-3-4b", "weight_format": "bf16", "kv_dtype": "f16",
    "n_gpus": 1, "max_model_len": 131072, "ctx_or_notes": "5 global layers, 131,072 cells",
}  # fmt: skip


def scored(base, quantity, value=1.0, **changes):
    row = base | changes | {"printed_quantity": quantity, "value": value}
    return score_memory_rows(pd.DataFrame([row]), CATALOG).iloc[0]


@pytest.mark.parametrize(
    ("base", "quantity", "printed"),
    [
        (RECENT, "weights_gib", 14.99),
        (RECENT, "activation_gib", 4.76),
        (RECENT, "kv_gib", 51.38),
        (OLD, "weights_gib", 14.9888),
        (OLD, "kv_gib", 2.89),
        (OLD, "kv_blocks*block_size", 23_648),
        (OLD, "max_concurrency", 0.82),
        (OLD | {"max_model_len": 20_000}, "kv_gib", 3.81),
        (LOCAL, "kv_mib_for_ctx", 2560.0),
        (LOCAL, "kv_swa_mib", 174.0),
        (PAGED, "attention_block_size", 1600),
    ],
)
def test_printed_figures_come_out(base, quantity, printed):
    row = scored(base, quantity, printed)
    assert row["skipped"] == ""
    assert row["ratio"] == pytest.approx(1, abs=0.01)
    assert row["predicted"] == pytest.approx(printed * row["ratio"])


def test_fits_is_1_or_0_and_has_no_ratio_where_the_value_is_0():
    refused, accepted = scored(OLD, "fits", 0), scored(OLD, "fits", 1, max_model_len=20_000)
    assert refused["predicted"] == 0 and refused["ratio"] is None
    assert accepted["predicted"] == 1 and accepted["ratio"] == 1


def test_the_token_line_of_a_hybrid_is_its_concurrency_times_its_length():
    tokens, concurrency = scored(PAGED, "kv_tokens"), scored(PAGED, "max_concurrency")
    assert tokens["predicted"] == pytest.approx(concurrency["predicted"] * 262_144)


def test_a_suffix_changes_one_setting():
    wide, narrow = scored(RECENT, "kv_tokens"), scored(RECENT, "kv_tokens_fp8")
    assert narrow["predicted"] == pytest.approx(2 * wide["predicted"], rel=1e-3)
    # 0.7 instead of 0.9 of 79.18 GiB at 128 KiB a token
    less = scored(RECENT, "kv_tokens_at_0.7")["predicted"]
    assert wide["predicted"] - less == pytest.approx(0.2 * 79.18 * 2**30 / 131_072, rel=1e-3)
    assert scored(LOCAL, "kv_mib_4k")["predicted"] == 5 * 4 * 256 * 2 * 2 * 4096 / 2**20


def test_settings_are_read_from_the_notes():
    few = scored(
        RECENT, "activation_gib", ctx_or_notes="max_num_seqs 16, max_num_batched_tokens=2048"
    )
    # forward: 2,048 x (6 x 14,336 + 6 x 4,096) bytes
    assert few["predicted"] * 2**30 == pytest.approx(2048 * 6 * (14_336 + 4096))
    current = RECENT | {"version": "0.30"}
    with_graphs = scored(current, "kv_gib")["predicted"]
    eager = scored(current, "kv_gib", ctx_or_notes="enforce_eager")["predicted"]
    assert eager - with_graphs == pytest.approx(0.3)


def test_a_share_in_the_notes_and_switches_that_are_off():
    stated = scored(RECENT, "kv_gib")
    noted = scored(RECENT, "kv_gib", gpu_mem_util=None,
                   ctx_or_notes="--block-size=128 --gpu-memory-utilization 0.9")  # fmt: skip
    assert (noted["predicted"], noted["basis"]) == (stated["predicted"], "calibrated")
    current = RECENT | {"version": "0.30"}
    off = scored(current, "kv_gib", ctx_or_notes="enforce_eager=False")["predicted"]
    assert off == scored(current, "kv_gib")["predicted"]
    cut = scored(OLD, "activation_gib", ctx_or_notes="enable_chunked_prefill")["predicted"]
    # the sampler: 256 sequences x 128,256 x 38.4 bytes, and 2,048 hidden states of 4,096
    assert cut * 2**30 == pytest.approx(38.4 * 256 * 128_256 + 2 * 2048 * 4096)


def test_draft_layers_count_only_where_one_speculates():
    plain = scored(PAGED, "weights_gib", ctx_or_notes="")["predicted"]
    drafts = scored(PAGED, "weights_gib")["predicted"]
    assert (drafts - plain) * 2**30 == pytest.approx(400_000_000 * 4.5 / 8 / 2)


@pytest.mark.parametrize(
    ("base", "quantity", "reason"),
    [
        (RECENT | {"model": "nobody knows it"}, "weights_gib", "the model 'nobody knows it'"),
        (RECENT | {"weight_format": "odd"}, "weights_gib", "the weight format is not known"),
        (RECENT | {"engine": "odd"}, "kv_gib", "the engine 'odd' is not in the catalog"),
        (RECENT | {"gpu": "", "gpu_mem_gib_total": None}, "kv_gib", "the card and its memory"),
        (RECENT, "cudagraph_gib", "graphs are captured outside"),
        (RECENT, "kv_tokens_before_fix", "another tool's figure"),
        (RECENT, "moon_phase", "no rule predicts 'moon_phase'"),
    ],
)
def test_what_cannot_be_predicted_says_why(base, quantity, reason):
    row = scored(base, quantity)
    assert reason in row["skipped"]
    assert row["predicted"] is None


def test_a_default_that_had_to_stand_in_is_named():
    assert scored(RECENT, "kv_gib", gpu_mem_util=None)["basis"] == (
        "calibrated, default utilisation assumed"
    )
    assert scored(RECENT, "kv_gib")["basis"] == "calibrated"
    assert scored(RECENT, "weights_gib")["basis"] == "bound"


def test_auto_is_what_the_checkpoint_asks_for():
    # NVIDIA's NVFP4 checkpoints carry kv_cache_quant_algo FP8
    assert scored(PAGED, "bytes_per_token", kv_dtype="auto")["predicted"] == 16 * 4 * 512
    assert scored(RECENT, "bytes_per_token", kv_dtype="auto")["predicted"] == 131_072


def test_a_printed_memory_wins_over_the_catalog_but_a_label_does_not():
    label, printed = (
        scored(RECENT, "kv_gib", gpu_mem_gib_total=gib)["predicted"] for gib in (80, 75.5)
    )
    assert label == scored(RECENT, "kv_gib")["predicted"]
    assert label - printed == pytest.approx(0.9 * (79.18 - 75.5))


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e308", "many"])
@pytest.mark.parametrize("key", ["gpu_mem_gib_total", "n_gpus", "tp", "max_model_len"])
def test_a_setting_that_is_no_number_is_taken_as_blank(key, text):
    given, blank = (scored(RECENT, "kv_gib", **{key: value}) for value in (text, ""))
    assert given["predicted"] == blank["predicted"]


def test_the_summary_counts_by_figure_and_kind_of_attention():
    rows = pd.DataFrame(
        [
            RECENT | {"printed_quantity": "kv_gib", "value": 51.38},
            RECENT | {"printed_quantity": "kv_gib", "value": 51.38, "gpu_mem_util": None},
            OLD | {"printed_quantity": "fits", "value": 0},
            PAGED | {"printed_quantity": "weights_gib", "value": 10.0},
            RECENT | {"printed_quantity": "weights_gib", "value": 14.99},
        ]
    )
    table = summarise_memory(score_memory_rows(rows, CATALOG)).set_index(["quantity", "attention"])
    assert table.loc[("kv_gib", "all"), ["n", "skipped"]].tolist() == [1, 1]
    assert table.loc[("fits", "all"), "right"] == 1
    assert table.loc[("weights_gib", "all"), "n"] == 2
    assert table.loc[("weights_gib", "full"), "median_error"] < 0.001
    assert table.loc[("weights_gib", "full+recurrent"), "n"] == 1


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="column value is missing"):
        score_memory_rows(pd.DataFrame({"model": [], "printed_quantity": []}), CATALOG)


def test_bytes_of_a_token_over_all_cards_and_on_one():
    # 32 layers x 8 KV heads x 128 x 2 x 2 bytes; vllm-project/vllm#21348 divides heads by cards
    assert scored(RECENT, "bytes_per_token")["predicted"] == 131_072
    assert scored(RECENT, "kv_kib_per_token")["predicted"] == 128
    assert scored(RECENT, "bytes_per_token_per_gpu", tp=4)["predicted"] == 131_072 / 4
    assert scored(RECENT, "bytes_per_token_fp8")["predicted"] == 131_072 / 2


def test_a_layered_engine_without_a_context_is_not_guessed():
    row = scored(LOCAL, "kv_mib_for_ctx", max_model_len=None, ctx_or_notes="")
    assert "the context is not given" in row.skipped


def test_a_cache_set_by_hand_is_what_the_engine_has():
    # 8 GiB / 131,072 bytes a token, whatever the card leaves
    row = scored(RECENT, "kv_tokens", ctx_or_notes="--kv-cache-memory-bytes=8G")
    assert row.predicted == 8 * 2**30 / 131_072


def test_a_precision_that_is_not_stated_is_said_to_be_assumed():
    row = scored(RECENT, "kv_gib", ctx_or_notes="precision not stated (may be Int4)")
    assert "weight format assumed" in row.basis


def test_a_small_rest_of_an_unknown_share_is_not_predicted():
    # 2.9 GiB are left at 0.9 of 23.58 GiB (printed: 2.89): 3 % of the card are 0.7 GiB of it
    assert scored(OLD, "kv_gib").predicted == pytest.approx(2.89, rel=0.01)
    assert "share of memory is not given" in scored(OLD, "kv_gib", gpu_mem_util=None).skipped
    # on 79 GiB the same 3 % are 2.4 of 51 GiB
    assert "utilisation assumed" in scored(RECENT, "kv_gib", gpu_mem_util=None).basis
