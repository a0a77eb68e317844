"""A pool's moves one at a time."""

from __future__ import annotations

import pytest

from calculators.labs.block_pool import BlockPool, PoolFull
from calculators.labs.quantization import LabError


def test_writing_into_a_shared_block_copies_it():
    pool = BlockPool(3, 4)
    block = pool.allocate(n_tok=2, content="prompt")
    assert pool.shared("prompt") == block
    copy = pool.written(block)
    assert copy != block and pool.n_copied == 1
    assert pool.n_filled_tok[copy] == 3 and pool.n_filled_tok[block] == 2
    assert pool.n_refs[block] == pool.n_refs[copy] == 1


def test_the_last_holder_writes_in_place_and_the_content_is_gone():
    pool = BlockPool(3, 4)
    block = pool.allocate(n_tok=2, content="prompt")
    assert pool.written(block) == block
    assert pool.shared("prompt") is None


def test_the_longest_unused_block_is_evicted_first():
    pool = BlockPool(2, 4)
    first, second = (pool.allocate(n_tok=4, content=name) for name in "ab")
    pool.release(second)
    pool.release(first)
    pool.allocate(n_tok=1)
    assert pool.n_evicted == 1
    assert pool.shared("b") is None and pool.shared("a") == first


def test_a_pool_without_free_or_cached_blocks_is_full():
    pool = BlockPool(1, 4, keeps_cached=False)
    block = pool.allocate(n_tok=4, content="a")
    with pytest.raises(PoolFull):
        pool.allocate(n_tok=1)
    pool.release(block)
    assert pool.shared("a") is None and pool.n_free == 1


@pytest.mark.parametrize("shape", [(0, 4), (4, 0)])
def test_an_empty_pool_is_refused(shape):
    with pytest.raises(LabError):
        BlockPool(*shape)
