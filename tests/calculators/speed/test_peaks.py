"""What constants are shares of."""

from types import SimpleNamespace

import pytest

from calculators.speed.peaks import half_int8_flop_s, sixteen_tflops_w, vector_flop_s


def test_an_engine_that_accumulates_in_16_bits_takes_the_higher_of_both_rates():
    ultra = SimpleNamespace(int8_dense_tops=150.0, flop_s=lambda fmt: 2.25e15)
    geforce = SimpleNamespace(int8_dense_tops=660.0, flop_s=lambda fmt: 165e12)
    assert half_int8_flop_s(ultra) == 2.25e15
    assert half_int8_flop_s(geforce) == 330e12


def test_a_card_that_halves_its_rate_by_decree_is_not_held_by_power():
    geforce = SimpleNamespace(fp16_dense_tflops=165.2, power_w=450)
    a100 = SimpleNamespace(fp16_dense_tflops=312, power_w=400)
    assert sixteen_tflops_w(geforce) == pytest.approx(0.367, abs=1e-3)
    assert sixteen_tflops_w(a100) == 0.78


def test_an_unknown_vector_rate_follows_from_the_bandwidth():
    assert vector_flop_s(SimpleNamespace(fp32_tflops=82.6, bandwidth_bytes_s=1e12)) == 82.6e12
    assert vector_flop_s(SimpleNamespace(fp32_tflops=None, bandwidth_bytes_s=2e12)) == 70e12
