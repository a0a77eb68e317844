"""A paged engine's pool: pages of one size for layers of several kinds, as it reports them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from calculators.fit.kv_cache import cache_by_group
from calculators.fit.layer_state import entry_elements, state_bytes
from calculators.fit.stored_cache import stored_model
from calculators.specs import Deployment, LayerGroup, MemoryRule, ModelSpec
from calculators.units import BITS_PER_BYTE

GROUP_MERGE_RATIO = 1.5  # kinds whose layer counts are this close share a group size
GROWING = ("full", "mla")
WINDOWED = ("sliding", "chunked")
PAGED = (*GROWING, *WINDOWED, "recurrent")


@dataclass(frozen=True, slots=True)
class Pool:
    """Pages of one card, and how many of them one request reserves."""

    block_bytes: float  # of one page in all layers of a group
    request_blocks: int
    page_tok: int  # tokens of a page of the growing layers
    n_groups: int = 1  # of layers that share the pages

    @property
    def request_bytes(self) -> float:
        return self.block_bytes * self.request_blocks

    def concurrency(self, pool_bytes: float) -> float:
        """Requests of full length that a pool holds: whole pages / pages of one request."""
        return max(pool_bytes // self.block_bytes, 0.0) / self.request_blocks

    def tokens(self, pool_bytes: float) -> float:
        """Tokens of the pages that each group of layers gets where all grow alike."""
        return max(pool_bytes // self.block_bytes // self.n_groups, 0.0) * self.page_tok


@dataclass(frozen=True, slots=True)
class _Kind:
    """Layers of one kind on one card: bytes a token and layer, or bytes of a state."""

    group: LayerGroup
    tok_bytes: float
    layer_state_bytes: float


def _kinds(deployment: Deployment, groups: tuple[LayerGroup, ...], n_draft: int) -> list[_Kind]:
    split = deployment.parallelism
    tp = 1 if split.attention_dp else split.tp
    bits = deployment.cache.bits
    return [
        _Kind(
            group,
            entry_elements(group, tp) * bits / BITS_PER_BYTE,
            state_bytes(_with_drafts(group, n_draft), tp) / group.n_caches,
        )
        for group in groups
        if group.n_caches
    ]


def _with_drafts(group: LayerGroup, n_draft: int) -> LayerGroup:
    """The convolution tail keeps the drafted tokens too."""
    if not n_draft or group.conv_taps < 2:
        return group
    longer = (group.conv_taps - 1 + n_draft) / (group.conv_taps - 1)
    return group.model_copy(update={"conv_elements": int(group.conv_elements * longer)})


def _page_bytes(kinds: list[_Kind], rule: MemoryRule) -> float:
    """Bytes of the page that all kinds share: it holds a block of tokens, and a whole state."""
    widest = max(kind.tok_bytes for kind in kinds)
    state = max(kind.layer_state_bytes for kind in kinds)
    align = rule.page_align_tok or rule.block_tok
    n_tok = max(ceil(state / widest / align) * align, rule.block_tok)
    return widest * n_tok


def _blocks(
    kind: _Kind, page_bytes: float, max_model_len: int, batched_tok: int, copies: int
) -> int:
    """Pages that one request of full length reserves in one layer of a kind."""
    if kind.group.kind == "recurrent":
        return copies
    page_tok = int(page_bytes // kind.tok_bytes)
    if kind.group.kind in WINDOWED:
        reach = min(kind.group.window_tok - 1 + batched_tok, max_model_len)
        return ceil(reach / page_tok) + 1
    return ceil(max_model_len / page_tok)


def request_pool(
    deployment: Deployment, *, max_model_len: int, batched_tok: int, n_draft: int = 0
) -> Pool:
    """Pages that an engine reserves for one request of full length, and their size.

    One kind of layer: ceil(length / block) pages of all layers. Several kinds: every kind gets
    pages of one size (the block grows until it holds a recurrent state), layers are stacked in
    groups of equal count, and a window reserves ceil((window - 1 + batched tokens) / page) + 1.

    Parameters
    ----------
    deployment : Deployment
        Model, cache format, engine and parallelism.
    max_model_len : int [tokens]
        Longest sequence that the engine accepts, at least 1.
    batched_tok : int [tokens]
        Tokens of one forward pass, at least 1.
    n_draft : int [tokens]
        Drafted tokens of a draft layer: one more growing layer, and as many more states.

    Returns
    -------
    Pool
        `request_bytes` is what one request needs for the engine to start.

    Notes
    -----
    Basis: measured (printed start-up lines agree within 2 %). Versions differ in alignment and
    in the copies of a state. Compressed caches are summed without pages.

    References
    ----------
    vLLM 0.9.2, 0.15.0, 0.22.0 and 0.25.1, v1/core/kv_cache_utils.py
    (get_max_concurrency_for_kv_cache_config, page size unification) and
    v1/kv_cache_interface.py (read 2026-11-30).

    Examples
    --------
    See tests: Gemma 4 31B reserves 110,770 bytes a token at 262,144 tokens (printed: 110,797).
    """
    rule = deployment.engine.memory
    model = stored_model(deployment.model, rule, deployment.cache.bits)
    kinds = _kinds(deployment, model.groups, n_draft)
    if rule.page_align_tok == 0 or not _needs_paging(kinds):
        return _plain_pool(deployment, model, max_model_len, n_draft, kinds)
    pp = deployment.parallelism.pp
    counts = [
        ceil(kind.group.n_caches / pp) + (n_draft > 0) * (kind.group.kind in GROWING)
        for kind in kinds
    ]
    size = _group_size(counts)
    page = _page_bytes(kinds, rule)
    copies = rule.state_copies + n_draft
    blocks = sum(
        ceil(count / size) * _blocks(kind, page, max_model_len, batched_tok, copies)
        for kind, count in zip(kinds, counts, strict=True)
    )
    widest = max(kind.tok_bytes for kind in kinds)
    n_groups = sum(ceil(count / size) for count in counts)
    return Pool(page * size, blocks, int(page // widest), n_groups)


def held_bytes(deployment: Deployment, context_tok: int) -> float:
    """Bytes that a running sequence of so many tokens holds on one card, as its engine pages it.

    pages of the context, of the windows and of the states x bytes of a page

    Parameters
    ----------
    deployment : Deployment
        Model, cache format, engine and parallelism.
    context_tok : int [tokens]
        At least 1.

    Returns
    -------
    float [bytes]
        At least what the bare entries take: hybrids round up to large pages.

    Notes
    -----
    Basis: measured for vLLM, bound else. A prompt that is being read holds a pass more of each
    window.

    References
    ----------
    As `request_pool`.

    Examples
    --------
    See tests: a hybrid with pages of 1,600 tokens holds one whole page of each kind for one token.
    """
    return request_pool(deployment, max_model_len=context_tok, batched_tok=1).request_bytes


def _needs_paging(kinds: list[_Kind]) -> bool:
    """Several kinds of layer, one of them windowed or recurrent, and pages fit them all."""
    names = {kind.group.kind for kind in kinds}
    attends = any(kind.tok_bytes for kind in kinds)
    return attends and names <= set(PAGED) and not names <= set(GROWING)


def _group_size(counts: list[int]) -> int:
    least, most = min(counts), max(counts)
    return most if most < least * GROUP_MERGE_RATIO else least


def _plain_pool(
    deployment: Deployment, model: ModelSpec, max_model_len: int, n_draft: int, kinds: list[_Kind]
) -> Pool:
    """Pages of all layers at once; states and compressed caches are summed."""
    block_tok = deployment.engine.memory.block_tok
    sizes = cache_by_group(
        model,
        deployment.cache,
        deployment.parallelism,
        context_tok=max_model_len,
        block_tok=block_tok,
    )
    total = float(sum(sizes))
    if n_draft and kinds:
        growing = [kind for kind in kinds if kind.group.kind in GROWING]
        total += sum(kind.tok_bytes for kind in growing[:1]) * max_model_len
    n_blocks = ceil(max_model_len / block_tok)
    return Pool(total / n_blocks, n_blocks, block_tok)
