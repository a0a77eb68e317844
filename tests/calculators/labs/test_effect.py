"""What a lab means for a cache."""

from __future__ import annotations

from calculators.labs.effect import held_sequences


def test_reservation_against_blocks_by_hand():
    # 105,049 // 8,192 = 12; mean 3,000 + 250 = 3,250 tokens in 204 blocks of 16 = 3,264
    held = held_sequences(
        capacity_tok=105_049, reserved_tok=8192, input_tok=3000, output_tok=500, block_tok=16
    )
    assert (held.contiguous, held.paged) == (12, 105_049 // 3264)
