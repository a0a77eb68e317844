"""Formats that measurements name, and what stands for those that they do not."""

import pandas as pd
import pytest

from calculators.evidence.accuracy import score_rows
from calculators.evidence.row_formats import assumed_format, weight_format


@pytest.mark.parametrize(
    ("text", "bits", "compute", "head_bits"),
    [
        ("fp8", 8.0, "fp8", 16),
        ("nvfp4", 4.5, "fp4", 16),
        ("int8-w8a8", 8.0, "int8", 16),
        ("int4-w4a8", 4.25, "int8", 16),
        ("int4-awq", 4.25, "16", 16),
        ("exl2-4.0", 4.0, "16", 6),
        ("int4wo-64", 4.5, "16", 4.5),
    ],
)
def test_weight_formats(text, bits, compute, head_bits):
    fmt = weight_format(text, bits)
    assert (fmt.compute, fmt.group_bits["head"]) == (compute, head_bits)


def test_a_gguf_average_is_over_the_whole_file():
    assert weight_format("gguf-q4_k_m", 4.9).whole_file_bits == 4.9
    assert weight_format("gguf-f16", 16.0).whole_file_bits is None


def test_a_gguf_type_needs_no_prefix():
    assert weight_format("Q4_K_M", 4.9) == weight_format("gguf-q4_k_m", 4.9).model_copy(
        update={"name": "Q4_K_M"}
    )


def test_gguf_files_in_mxfp4_hold_all_but_the_experts_in_8_bits():
    fmt = weight_format("gguf-mxfp4", 4.25)
    assert (fmt.bits, fmt.whole_file_bits) == (4.25, None)
    assert {fmt.group_bits[group] for group in ("attention", "embedding", "head")} == {8.5}
    assert "routed_experts" not in fmt.group_bits


@pytest.mark.parametrize(
    ("form", "model_name", "bits", "says"),
    [
        ("gguf-q4_k_m", "any", 4.89, "Q4_K_M"),
        ("", "Llama-3.1-8B-Instruct-Q4_K_M.gguf", 4.89, "Q4_K_M"),
        ("", "org/Llama-3.1-8B-Instruct-AWQ-INT4", 4.25, "awq"),
        ("fp8", "any", 8.0, "FP8"),
        ("int4-marlin-of-ours", "any", 4.25, "int4"),
        ("of-ours", "any", 16.0, "16-bit"),
        ("", "any", 16.0, "as published"),
    ],
)
def test_blank_bits_are_those_of_the_format_that_is_named(catalog, form, model_name, bits, says):
    model = catalog.models["llama-3.1-8b"]
    found, _, note = assumed_format(catalog, form, model_name, model)
    assert found == pytest.approx(bits, abs=0.01)
    assert says in note


def test_a_row_without_bits_is_priced_as_one_that_states_them(catalog):
    row = {
        "engine": "llama.cpp",
        "model": "Llama-3.1-8B",
        "weight_format": "gguf-q8_0",
        "gpu": "RTX-4090-24GB",
        "scenario": "single_stream_decode",
        "metric": "output_tok_s_per_user",
        "value": 100.0,
    }
    scored = score_rows(pd.DataFrame([row, row | {"weight_bits": 8.5}]), catalog)
    assert scored["predicted"][0] == pytest.approx(scored["predicted"][1], rel=0.01)


@pytest.mark.parametrize(
    ("engine", "form", "bits"),
    [
        ("llama-cpp", "gguf-q4-k-m", 4.89),
        ("mlx", "mlx-4bit", 4.5),
        ("mlc-llm", "mlc-q4f16", 4.5),
        ("autoawq", "awq-int4", 4.156),
        ("vllm", "bf16", 16.0),
        ("sglang", "bf16", 16.0),
        ("transformers", "bf16", 16.0),
    ],
)
def test_a_blank_format_is_what_is_usual_with_the_engine(catalog, engine, form, bits):
    model = catalog.models["llama-3.1-8b"]
    found, name, note = assumed_format(catalog, "", "llama3.1:8b", model, engine)
    assert (name, found) == (form, pytest.approx(bits, abs=0.01))
    assert ("usual with this engine" in note) == (bits < 16)


@pytest.mark.parametrize(
    ("model_name", "engine", "form"),
    [
        ("llama3.1:8b-instruct-fp16", "llama-cpp", "fp16"),
        ("llama3.1:8b-instruct-q8_0", "llama-cpp", "gguf-q8-0"),
        ("Llama-3.1-8B-GGUF:UD-Q4_K_XL", "llama-cpp", "gguf-q4-k-m"),  # a mix of Unsloth's
        ("mlx-community/Llama-3.1-8B-4bit", "mlx", "mlx-4bit"),
    ],
)
def test_what_the_name_says_comes_before_what_is_usual(catalog, model_name, engine, form):
    model = catalog.models["llama-3.1-8b"]
    assert assumed_format(catalog, "", model_name, model, engine)[1] == form


def test_a_model_published_in_four_bits_keeps_them(catalog):
    model = catalog.models["gpt-oss-20b"]
    assert assumed_format(catalog, "", "gpt-oss:20b", model, "llama-cpp")[1] == "gguf-mxfp4"
    assert assumed_format(catalog, "", "gpt-oss-20b", model, "vllm")[1] == model.native_format


def test_mlx_quantizes_embedding_and_head_as_the_rest():
    bits = weight_format("mlx-4bit", 4.5).group_bits
    assert (bits["embedding"], bits["head"]) == (4.5, 4.5)
