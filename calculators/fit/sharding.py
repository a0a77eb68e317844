"""How a model's parameters are spread over the cards of a replica."""

from __future__ import annotations

from math import ceil

from calculators.specs import LANGUAGE_GROUPS, ModelSpec, Parallelism, WeightFormat

LAYERED_GROUPS = ("attention", "dense_mlp", "routed_experts", "shared_experts", "rest")


def _attention_share(model: ModelSpec, tp: int) -> float:
    """Share of the attention weights on one card: KV heads and latents are replicated."""
    total = model.parameters.attention
    if tp == 1 or not total:
        return 1.0 / tp
    replicated = one_head_each = divided_into_heads = 0.0
    for group in model.groups:
        rows = group.n_layers * model.hidden
        head = rows * (group.k_head_dim + group.v_head_dim)
        if group.kind == "mla":
            replicated += rows * (group.latent_dim + group.rope_dim)
        elif 0 < group.n_kv_heads < tp:
            one_head_each += head
            divided_into_heads += head * group.n_kv_heads
    divided = max(total - replicated - divided_into_heads, 0.0)
    return min((divided / tp + replicated + one_head_each) / total, 1.0)


def _expert_share(model: ModelSpec, parallelism: Parallelism, multiple: int) -> float:
    """Share of the routed experts on the fullest card: whole ones, or a padded cut of each."""
    tp = parallelism.tp
    width = model.moe_intermediate
    if model.n_experts and (parallelism.expert_parallel or parallelism.attention_dp):
        padded = ceil(width / multiple) * multiple / width if width else 1.0
        return ceil(model.n_experts / tp) / model.n_experts * padded
    return ceil(width / tp / multiple) * multiple / width if width else 1.0 / tp


def card_shares(
    model: ModelSpec, parallelism: Parallelism, fmt: WeightFormat | None = None
) -> dict[str, float]:
    """Share of each parameter group that the fullest card of a replica holds.

    Divided matrices: 1 / tp. Replicated: norms and routers, KV projections beyond one head a
    card, latent down-projections, and all but the routed experts under data-parallel attention.
    Whole experts (expert parallel): ceil(experts / cards) / experts. Some formats pad the width
    of an expert on each card.

    Parameters
    ----------
    model : ModelSpec
        The model.
    parallelism : Parallelism
        How a replica is spread over cards.
    fmt : WeightFormat, optional
        `expert_width_multiple` pads the experts.

    Returns
    -------
    dict of str to float [share]
        By parameter group. Stages hold ceil(layers / pp) layers; the embedding and the head
        lie on one stage each.

    Notes
    -----
    Basis: bound; padding measured. Padded vocabularies are left out (real: up to 1 % more).

    References
    ----------
    vLLM 0.33.0, model_executor/layers/linear.py (KV heads beyond one a card are replicated) and
    vocab_parallel_embedding.py (vocabularies padded to 64), read 2026-11-30.

    Examples
    --------
    Four cards and whole experts: three of ten on the fullest card, a quarter of the dense MLP.

    >>> from types import SimpleNamespace as Shape
    >>> from calculators.specs import ParameterCounts
    >>> model = Shape(parameters=ParameterCounts(), n_layers=1, n_experts=10, moe_intermediate=64)
    >>> shares = card_shares(model, Parallelism(tp=4, expert_parallel=True))
    >>> shares["routed_experts"], shares["dense_mlp"]
    (0.3, 0.25)
    """
    tp = parallelism.tp
    dense = 1.0 if parallelism.attention_dp else 1.0 / tp
    shares = dict.fromkeys((*LANGUAGE_GROUPS, "towers", "mtp"), dense)
    shares["rest"] = 1.0
    shares["attention"] = 1.0 if parallelism.attention_dp else _attention_share(model, tp)
    multiple = fmt.expert_width_multiple if fmt else 1
    shares["routed_experts"] = _expert_share(model, parallelism, multiple)
    stage = ceil(model.n_layers / parallelism.pp) / model.n_layers
    for group in LAYERED_GROUPS:
        shares[group] *= stage
    return shares
