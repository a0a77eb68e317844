"""What is refused, and hostile files: one sentence that names the key, never a crash."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.fit.model_config import (
    ModelConfigError,
    UnsupportedModel,
    describe_model,
    parse_model_config,
)
from tests.calculators.fit.test_model_config import COUNTS, LLAMA


@pytest.mark.parametrize(
    ("config", "word"),
    [
        ({"model_type": "t5", "is_encoder_decoder": True}, "encoder-decoder"),
        ({"model_type": "whisper"}, "encoder-decoder"),
        ({"model_type": "bart"}, "encoder-decoder"),
        ({"model_type": "bert"}, "encoder"),
        ({"_class_name": "FluxTransformer2DModel"}, "diffusion"),
        ({"model_type": "neverheard", "architectures": ["NeverForCausalLM"]}, "neverheard"),
        ({}, "model_type"),
    ],
)
def test_what_is_no_decoder_is_refused_with_a_way_on(config, word):
    with pytest.raises(UnsupportedModel, match=word) as error:
        parse_model_config(config)
    assert "by hand" in str(error.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hidden_size", 0),
        ("hidden_size", -64),
        ("hidden_size", True),
        ("hidden_size", "4096"),
        ("hidden_size", float("nan")),
        ("hidden_size", 10**40),
        ("num_hidden_layers", 1.5),
        ("num_hidden_layers", 10**9),
        ("vocab_size", []),
        ("num_key_value_heads", 3),
        ("tie_word_embeddings", "yes"),
        ("num_attention_heads", 6),
    ],
)
def test_a_bad_value_names_its_key(key, value):
    with pytest.raises(ModelConfigError, match=key) as error:
        parse_model_config({**LLAMA, key: value})
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("key", ["hidden_size", "num_hidden_layers", "vocab_size"])
def test_a_missing_size_is_not_assumed(key):
    with pytest.raises(ModelConfigError, match=key):
        parse_model_config({k: v for k, v in LLAMA.items() if k != key})


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 100_000, '{"a":' * 100_000, b"\xff\xfe\x00", " " * 11_000_000],
    ids=["empty", "open", "list", "null", "deep list", "deep object", "bytes", "large"],
)
def test_files_that_are_no_config(text):
    with pytest.raises(ModelConfigError, match="config"):
        parse_model_config(text)


@pytest.mark.parametrize("index", [{}, {"weight_map": 3}, {"weight_map": {}, "metadata": [1]}])
def test_an_index_that_is_none_is_named(index):
    with pytest.raises(ModelConfigError, match="index"):
        parse_model_config(LLAMA, index)


BAD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=10**20, max_value=10**80),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(-2, 9), max_size=4),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@settings(max_examples=400, deadline=None)
@given(row=st.sampled_from(COUNTS), data=st.data())
def test_no_value_of_any_key_crashes(row, data):
    config = dict(row["config"])
    for _ in range(data.draw(st.integers(1, 3))):
        config[data.draw(st.sampled_from(sorted(config)))] = data.draw(BAD)
    try:
        spec = parse_model_config(config)
    except ModelConfigError as error:
        assert "\n" not in str(error)
    else:
        json.dumps(describe_model(spec))
