"""The Memory page's questions asked backwards, and the cache by kind of layer."""

from __future__ import annotations

from app.derivations.derivation import (
    CACHE_FORMAT,
    DEPLOYMENT,
    MODEL,
    Derivation,
    derived,
    precise,
)
from app.derivations.derivation import amount as a
from app.derivations.memory import held_formula
from app.formatting import gib, quantity
from app.memory_words import KINDS
from calculators.fit.backwards import longest_context_tok
from calculators.fit.capacity import capacity
from calculators.fit.kv_cache import BLOCK_TOK, cache_by_group, cache_bytes_per_tok, stage_share
from calculators.fit.layer_state import LATENT_KINDS, entry_elements, state_bytes
from calculators.memory_answers import MemoryAnswers
from calculators.scenario import Scenario
from calculators.specs import LayerGroup
from calculators.units import GIB

UNKNOWN = float("nan")
_KIB = 1024


def one_token(answers: MemoryAnswers) -> Derivation:
    """What a token adds to the cache, over all layers."""
    d = answers.deployment
    kept = [group for group in d.model.groups if _entries(group)]
    lines = [line for g in kept for line in (_numbers_line(g), _entry_line(g, d.cache.bits))]
    total = " + ".join(
        f"{precise(_group_tok_bytes(group, d.cache.bits) / _KIB)} KiB" for group in kept
    )
    shown = quantity(answers.fit.kv_bytes_per_tok / _KIB, "KiB")
    return derived(
        "Cache of a token, and table: cache by kind of layer",
        "Layers that keep something, times the numbers that each keeps of a token, times the bits "
        "of a number.",
        "\n".join([*lines, f"all: {total} = {shown}"] if len(kept) > 1 else lines),
        "bound",
        cache_bytes_per_tok,
        (MODEL, CACHE_FORMAT),
        known=0.0 if lines else UNKNOWN,
    )


def _entries(group: LayerGroup) -> float:
    return group.n_caches * entry_elements(group) / group.compress_ratio


def _group_tok_bytes(group: LayerGroup, bits: float) -> float:
    return _entries(group) * bits / 8


def _numbers_line(group: LayerGroup) -> str:
    """The numbers that one layer keeps of a token: keys and values of each head, or a latent."""
    index = f" + {group.index_dim} index" if group.index_dim else ""
    latent = group.latent_dim + group.rope_dim
    if latent and group.kind in LATENT_KINDS:
        parts = f"{group.latent_dim} in short form + {group.rope_dim} position"
    else:
        parts = f"{group.n_kv_heads} heads x ({group.k_head_dim} key + {group.v_head_dim} value)"
    return f"{KINDS[group.kind]}, a layer: {parts}{index} = {entry_elements(group):,} numbers"


def _entry_line(group: LayerGroup, bits: float) -> str:
    ratio = f" / {group.compress_ratio}" if group.compress_ratio > 1 else ""
    size = quantity(_group_tok_bytes(group, bits) / _KIB, "KiB")
    return (
        f"{KINDS[group.kind]}: {group.n_caches} layers x {entry_elements(group):,} numbers x "
        f"{a(bits)} bits / 8 / 1,024{ratio} = {size}"
    )


def kinds(answers: MemoryAnswers) -> Derivation:
    """The cache of a conversation by kind of layer."""
    d = answers.deployment
    tp = 1 if d.parallelism.attention_dp else d.parallelism.tp
    sizes = cache_by_group(d.model, d.cache, d.parallelism, context_tok=answers.context_tok)
    lines = []
    for group, size in zip(d.model.groups, sizes, strict=True):
        entry = group.n_caches * entry_elements(group, tp) * d.cache.bits / 8
        state, stages = state_bytes(group, tp), stage_share(group, d.parallelism)
        kept = f" + {precise(state / GIB)} GiB state" if state else ""
        cut = f" x {a(stages)} of the layers on this card" if stages < 1 else ""
        tokens = f"{_kept_tok(group, answers.context_tok)} tokens x {precise(entry / _KIB)} KiB"
        if group.kind == "compressed":
            window = entry - group.n_caches * group.index_dim * d.cache.bits / 8
            tokens = (
                f"(floor({answers.context_tok:,} tokens / {group.compress_ratio}) x "
                f"{precise(entry / _KIB)} KiB + {_kept_tok(group, answers.context_tok)} tokens x "
                f"{precise(window / _KIB)} KiB)"
            )
        lines.append(f"{KINDS[group.kind]}: ({tokens} / 1,048,576{kept}){cut} = {gib(float(size))}")
    return derived(
        "Table: cache of a sequence, by kind of layer",
        f"Tokens that the layers keep of {answers.context_tok:,} (in whole blocks of {BLOCK_TOK}, "
        "no more than their window), times what one takes on this card. Compressed layers keep one "
        "entry for several tokens, and a window of single ones.",
        "\n".join(lines),
        "bound",
        cache_by_group,
        (MODEL, CACHE_FORMAT),
        known=0.0 if lines else UNKNOWN,
    )


def _kept_tok(group: LayerGroup, context_tok: int) -> str:
    kept = -(-context_tok // BLOCK_TOK) * BLOCK_TOK
    if group.kind in ("sliding", "chunked", "compressed"):
        kept = min(kept, -(-group.window_tok // BLOCK_TOK) * BLOCK_TOK)
    return f"{kept:,}"


def backwards(answers: MemoryAnswers, scenario: Scenario) -> Derivation:
    """The longest context, the fewest cards, the smallest card, the widest formats."""
    lines = [
        _longest(answers, scenario, n, length)
        for n, length in (
            (1, answers.longest_one_tok),
            (answers.n_wanted, answers.longest_wanted_tok),
        )
        if length
    ]
    for name, answer in (
        ("fewest cards", answers.fewest),
        ("smallest card", answers.smallest),
        ("formats of most bits", answers.widest),
    ):
        if answer:
            held = held_formula(answer.fit, answer.deployment, scenario, answers.context_tok)
            lines.append(f"{name}: {answers.n_wanted} <= {held}")
    return derived(
        "Table: asked backwards",
        "What is asked for stands left, what the answer holds stands right. Each answer is the "
        "first that holds enough, when all are tried from the most wanted one on.",
        "\n".join(dict.fromkeys(lines)),
        "calibrated",
        longest_context_tok,
        DEPLOYMENT,
        known=0.0 if lines else UNKNOWN,
    )


def _longest(answers: MemoryAnswers, scenario: Scenario, n: int, length_tok: int) -> str:
    fit = capacity(
        answers.deployment,
        context_tok=length_tok,
        prefix_tok=scenario.prefix_tok,
        open_conversations=scenario.n_open,
    )
    held = held_formula(fit, answers.deployment, scenario, length_tok)
    return f"{n} of {length_tok:,} tokens: {n} <= {held}"
