"""GGUF names decoded; bits are block bytes x 8 / block weights, counted here from the layouts."""

from __future__ import annotations

import pytest

from calculators.labs.gguf import decode_gguf_name
from calculators.labs.quantization import LabError


@pytest.mark.parametrize(
    ("name", "base", "bits"),
    [
        ("Q8_0", "Q8_0", (32 + 2) * 8 / 32),
        ("Q4_0", "Q4_0", (16 + 2) * 8 / 32),
        ("Q4_1", "Q4_1", (16 + 4) * 8 / 32),
        ("Q5_0", "Q5_0", (20 + 2) * 8 / 32),
        ("Q4_K_M", "Q4_K", (128 + 12 + 4) * 8 / 256),
        ("q5_k_s", "Q5_K", (160 + 12 + 4) * 8 / 256),
        ("Q6_K", "Q6_K", (192 + 16 + 2) * 8 / 256),
        ("Q3_K_L", "Q3_K", (96 + 12 + 2) * 8 / 256),
        ("Q2_K", "Q2_K", (64 + 16 + 4) * 8 / 256),
        ("IQ4_XS", "IQ4_XS", (128 + 6 + 2) * 8 / 256),
        ("IQ3_M", "IQ3_S", 110 * 8 / 256),
        ("IQ2_XXS", "IQ2_XXS", 66 * 8 / 256),
        ("UD-Q4_K_XL", "Q4_K", 4.5),
        ("UD-Q8_K_XL", "Q8_0", 8.5),
        ("Llama-3.3-70B-Instruct-Q4_K_M.gguf", "Q4_K", 4.5),
        ("model.iq3-xxs.gguf", "IQ3_XXS", 98 * 8 / 256),
        ("gpt-oss-20b-mxfp4.gguf", "MXFP4", 17 * 8 / 32),
        ("BF16", "BF16", 16),
    ],
)
def test_base_type_and_bits(name, base, bits):
    found = decode_gguf_name(name)
    assert (found.base, found.bits) == (base, bits)


def test_the_mix_is_said_in_words():
    assert "larger type" in decode_gguf_name("Q4_K_M").sentence
    assert "small" in decode_gguf_name("Q4_K_S").sentence
    assert ";" not in decode_gguf_name("Q6_K").sentence


@pytest.mark.parametrize("name", ["", "AWQ", "Q9_K", "Q4", "fp8", "<b>Q</b>", "IQ7_S"])
def test_other_names_are_refused(name):
    with pytest.raises(LabError, match="GGUF name"):
        decode_gguf_name(name)
