"""A pool of cache blocks: handed out, shared by content, copied on divergence, evicted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import LabError


class PoolFull(Exception):
    """No block is free and none can be evicted."""


@dataclass(slots=True)
class BlockPool:
    """Blocks of `block_tok` tokens: free, in use (references above 0), or cached for later.

    Every block is in exactly one of the three states. `by_content` finds a block by what it holds.

    Examples
    --------
    >>> pool = BlockPool(n_blocks=2, block_tok=16)
    >>> first = pool.allocate(n_tok=16, content="prefix")
    >>> pool.shared("prefix") == first, int(pool.n_refs[first]), pool.n_free
    (True, 2, 1)
    """

    n_blocks: int
    block_tok: int
    keeps_cached: bool = True
    n_refs: NDArray[np.int64] = field(init=False)
    n_filled_tok: NDArray[np.int64] = field(init=False)
    free: list[int] = field(init=False)
    cached: OrderedDict[int, None] = field(default_factory=OrderedDict)  # oldest first
    by_content: dict[Hashable, int] = field(default_factory=dict)
    content_of: dict[int, Hashable] = field(default_factory=dict)
    n_evicted: int = 0
    n_copied: int = 0

    def __post_init__(self) -> None:
        if self.n_blocks < 1 or self.block_tok < 1:
            raise LabError(
                f"n_blocks, block_tok: {self.n_blocks}, {self.block_tok} given; 1 or more allowed"
            )
        self.n_refs = np.zeros(self.n_blocks, dtype=np.int64)
        self.n_filled_tok = np.zeros(self.n_blocks, dtype=np.int64)
        self.free = list(range(self.n_blocks - 1, -1, -1))

    @property
    def n_free(self) -> int:
        return len(self.free)

    @property
    def n_available(self) -> int:
        """Blocks that can be handed out: free ones, and cached ones to evict."""
        return len(self.free) + len(self.cached)

    @property
    def n_used(self) -> int:
        return self.n_blocks - self.n_available

    def allocate(self, *, n_tok: int, content: Hashable | None = None) -> int:
        """A block for one sequence; where none is free, the longest unused one is evicted."""
        if not self.free:
            self._evict()
        block = self.free.pop()
        self.n_refs[block], self.n_filled_tok[block] = 1, n_tok
        if content is not None and content not in self.by_content:
            self.by_content[content], self.content_of[block] = block, content
        return block

    def shared(self, content: Hashable) -> int | None:
        """A block that holds this content already, with one more reference; or None."""
        block = self.by_content.get(content)
        if block is not None:
            self.cached.pop(block, None)
            self.n_refs[block] += 1
        return block

    def held(self, content: Hashable) -> bool:
        """Whether a sequence uses a block of this content, so that sharing it takes nothing."""
        block = self.by_content.get(content)
        return block is not None and bool(self.n_refs[block])

    def written(self, block: int) -> int:
        """The block to append a token to: the same, or a copy where others share it."""
        if self.n_refs[block] > 1:
            copy = self.allocate(n_tok=int(self.n_filled_tok[block]))
            self.n_refs[block] -= 1
            self.n_copied += 1
            block = copy
        self._forget(block)
        self.n_filled_tok[block] += 1
        return block

    def release(self, block: int) -> None:
        """Drop one reference; a block that nobody uses is cached if its content has a name."""
        self.n_refs[block] -= 1
        if self.n_refs[block]:
            return
        if self.keeps_cached and block in self.content_of:
            self.cached[block] = None
        else:
            self._forget(block)
            self.free.append(block)

    def _evict(self) -> None:
        if not self.cached:
            raise PoolFull
        block, _ = self.cached.popitem(last=False)
        self._forget(block)
        self.free.append(block)
        self.n_evicted += 1

    def _forget(self, block: int) -> None:
        content = self.content_of.pop(block, None)
        if content is not None:
            del self.by_content[content]
