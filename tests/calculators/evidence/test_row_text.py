"""What texts of measurements say."""

import pytest

from calculators.evidence.row_text import dense_model, engine_of, note_facts


@pytest.mark.parametrize(
    ("notes", "attention_dp", "expert_parallel"),
    [
        ("InferenceX run; attention_dp=4, moe_ep=2; lengths nominal", 4, 2),
        ("attention data-parallel + expert-parallel (DEP8); max load", 8, 8),
        ("", 0, 0),
    ],
)
def test_parallelism_in_notes(notes, attention_dp, expert_parallel):
    facts = note_facts(notes)
    assert (facts.attention_dp, facts.expert_parallel) == (attention_dp, expert_parallel)


def test_limits_and_nominal_lengths_in_notes():
    facts = note_facts("num_prompts=1500, max_num_seqs=1500; lengths nominal: mean ~0.9x")
    assert (facts.max_sequences, facts.length_frac) == (1500, 0.9)


def test_what_kind_of_run_notes_name():
    facts = note_facts("num_prompts=3200, in-flight batching OFF")
    assert (facts.n_requests, facts.static) == (3200, True)
    assert not note_facts("in-flight batching").static


@pytest.mark.parametrize(
    ("text", "vendor", "engine"),
    [
        ("MLPerf submission", "NVIDIA", "tensorrt-llm"),
        ("MLPerf submission", "AMD", "vllm-rocm"),
        ("MLPerf submission", "Google", "vllm-tpu"),
        ("vLLM", "NVIDIA", "vllm"),
        ("vLLM 0.11.2, CUDA 13", "NVIDIA", "vllm"),
        ("vLLM", "AMD", "vllm-rocm"),
        ("TensorRT-LLM", "NVIDIA", "tensorrt-llm"),
        ("llama.cpp (Vulkan RADV)", "AMD", "llama-cpp"),
        ("SGLang 0.5.9", "NVIDIA", "sglang"),
    ],
)
def test_engine_names(catalog, text, vendor, engine):
    assert engine_of(catalog, text, vendor).id == engine


def test_an_engine_nobody_knows_is_none(catalog):
    assert engine_of(catalog, "Homegrown 1.0", "NVIDIA") is None


@pytest.mark.parametrize("billions", [0.5, 1.1, 8.0, 32.0, 70.0, 405.0])
def test_a_dense_stand_in_has_the_parameters_asked_for(billions):
    assert dense_model("new", billions).total_params == pytest.approx(billions * 1e9, rel=0.02)
