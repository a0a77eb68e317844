"""Custom models, formats and cards: a catalog entry with numbers of the scenario put over it."""

from __future__ import annotations

from datetime import date

from calculators.scenario import Scenario
from calculators.specs import (
    LANGUAGE_GROUPS,
    AcceleratorSpec,
    LayerGroup,
    ModelSpec,
    ParameterCounts,
    Source,
    WeightFormat,
)
from calculators.units import MEGA

BILLION = 1000 * MEGA
_ASSUMED_VOCAB = 128_256
_ASSUMED_KV_HEADS = 8
_ASSUMED_HEAD_DIM = 128
_ASSUMED_SIZE_B = 8.0


def custom_accelerator(base: AcceleratorSpec, scenario: Scenario) -> AcceleratorSpec:
    """The card with the scenario's memory, bandwidth and rate; lower formats keep their ratio.

    Parameters
    ----------
    base : AcceleratorSpec of the catalog
    scenario : Scenario with `memory_gib`, `bandwidth_gb_s`, `fp16_dense_tflops` or None

    Returns
    -------
    AcceleratorSpec, the base itself where nothing is overridden
    """
    changes: dict[str, object] = {}
    if _differs(scenario.memory_gib, base.memory_visible_gib):
        changes |= {
            "memory_visible_gib": scenario.memory_gib,
            "memory_total_gib": scenario.memory_gib,
        }
    if _differs(scenario.bandwidth_gb_s, base.bandwidth_gb_s):
        changes["bandwidth_gb_s"] = scenario.bandwidth_gb_s
    if _differs(scenario.fp16_dense_tflops, base.fp16_dense_tflops):
        tflops = scenario.fp16_dense_tflops
        changes["fp16_dense_tflops"] = tflops
        if tflops and base.fp16_dense_tflops:
            for name in ("fp8_dense_tflops", "int8_dense_tops", "fp4_dense_tflops"):
                rate = getattr(base, name)
                changes[name] = rate and rate * tflops / base.fp16_dense_tflops
    if not changes:
        return base
    return base.model_copy(
        update=changes | {"origin": "custom", "name": f"custom, from {base.name}"}
    )


def custom_format(base: WeightFormat, scenario: Scenario) -> WeightFormat:
    """The format at the scenario's bits; its scales and 16-bit tensors stay.

    Parameters
    ----------
    base : WeightFormat of the catalog
    scenario : Scenario with `bits` or None

    Returns
    -------
    WeightFormat, the base itself where `bits` is None or the format's own
    """
    if not _differs(scenario.bits, base.nominal_bits):
        return base
    bits = scenario.bits or base.nominal_bits
    shift = bits - base.nominal_bits
    whole = base.whole_file_bits and max(base.whole_file_bits + shift, bits)
    return base.model_copy(
        update={
            "nominal_bits": bits,
            "bits": max(base.bits + shift, bits),
            "whole_file_bits": whole,
            "ppl_delta": None,
            "kl_divergence": None,
            "origin": "custom",
            "name": f"custom {bits:g} bits, from {base.name}",
        }
    )


def custom_model(base: ModelSpec | None, scenario: Scenario, asof: date) -> ModelSpec:
    """The model with the scenario's size and shape put over a catalog entry, or over nothing.

    `size` scales every parameter group; `layers`, `kvh`, `hd` and `win` change the cache;
    `experts`, `topk` and `active` make or change a mixture of experts.

    Parameters
    ----------
    base : ModelSpec of the catalog, or None for `model=custom`
    scenario : Scenario
    asof : day that stands as the source's day of a model from the link alone

    Returns
    -------
    ModelSpec, the base itself where nothing is overridden

    Notes
    -----
    Without a base: grouped-query attention (8 KV heads of 128), a vocabulary of 128,256 and the
    width that 12 x layers x width^2 parameters give, unless the scenario says otherwise.
    """
    model = base or _dense(scenario, asof)
    size_b = model.total_params / BILLION
    wanted = scenario.size_b if _differs(scenario.size_b, size_b) else None
    changes: dict[str, object] = {}
    if wanted:
        changes["parameters"] = _scaled(model.parameters, wanted / size_b)
    groups = _groups(model, scenario)
    if groups != model.groups:
        changes |= {"groups": groups, "n_layers": sum(group.n_layers for group in groups)}
    experts = _experts(model.model_copy(update=changes), scenario)
    if not changes and not experts and base is not None:
        return base
    name = f"custom, from {base.name}" if base else "custom model"
    return model.model_copy(update=changes | experts | {"origin": "custom", "name": name})


def _differs(value: float | None, base: float | None) -> bool:
    """A slider rounds: within half a per mille of the catalog's value is the catalog's value."""
    return value is not None and (base is None or abs(value - base) > 5e-4 * abs(base))


def _scaled(parameters: ParameterCounts, factor: float) -> ParameterCounts:
    scaled = {g: round(getattr(parameters, g) * factor) for g in LANGUAGE_GROUPS}
    return parameters.model_copy(update=scaled)


def _groups(model: ModelSpec, scenario: Scenario) -> tuple[LayerGroup, ...]:
    factor = (scenario.n_layers or model.n_layers) / model.n_layers
    groups = tuple(_group(group, scenario, factor) for group in model.groups)
    missing = (scenario.n_layers or model.n_layers) - sum(group.n_layers for group in groups)
    largest = max(range(len(groups)), key=lambda i: groups[i].n_layers)
    fixed = max(1, groups[largest].n_layers + (missing if scenario.n_layers else 0))
    if fixed == groups[largest].n_layers:
        return groups
    whole = groups[largest].model_copy(update={"n_layers": fixed})
    return (*groups[:largest], whole, *groups[largest + 1 :])


def _group(group: LayerGroup, scenario: Scenario, factor: float) -> LayerGroup:
    changes: dict[str, object] = {}
    if factor != 1:
        changes["n_layers"] = max(1, round(group.n_layers * factor))
        if group.n_cache_layers is not None:
            changes["n_cache_layers"] = round(group.n_cache_layers * factor)
    if group.n_kv_heads and scenario.n_kv_heads:
        changes["n_kv_heads"] = scenario.n_kv_heads
        changes["n_q_heads"] = max(group.n_q_heads, scenario.n_kv_heads)
    if group.k_head_dim and group.n_kv_heads and scenario.head_dim:
        changes |= {"k_head_dim": scenario.head_dim, "v_head_dim": scenario.head_dim}
    if scenario.window_tok is not None and group.kind in ("full", "sliding"):
        kind = "sliding" if scenario.window_tok else "full"
        changes |= {"kind": kind, "window_tok": scenario.window_tok}
    changed = {k: v for k, v in changes.items() if getattr(group, k) != v}
    return group.model_copy(update=changed) if changed else group


def _experts(model: ModelSpec, scenario: Scenario) -> dict[str, object]:
    n_experts = model.n_experts if scenario.n_experts is None else scenario.n_experts
    top_k = scenario.top_k or model.top_k or (2 if n_experts else 0)
    asked = (n_experts, min(top_k, n_experts)) != (model.n_experts, model.top_k)
    active = scenario.active_b and scenario.active_b * BILLION
    asked = asked or _differs(active, model.active_params)
    if not asked:
        return {}
    if not n_experts:
        merged = model.parameters.dense_mlp + model.parameters.routed_experts
        counts = {"dense_mlp": merged, "routed_experts": 0}
        return {
            "n_experts": 0,
            "top_k": 0,
            "parameters": model.parameters.model_copy(update=counts),
        }
    top_k = min(top_k, n_experts)
    return {
        "n_experts": n_experts,
        "top_k": top_k,
        "n_moe_layers": model.n_moe_layers or model.n_layers,
        "parameters": _routed(model, active, top_k / n_experts),
    }


def _routed(model: ModelSpec, active: float | None, chosen_frac: float) -> ParameterCounts:
    """Parameters with as many routed ones as give the active count; the total stays."""
    counts = model.parameters
    pool = counts.routed_experts + counts.dense_mlp
    if active and chosen_frac < 1:
        routed = (model.total_params - active) / (1 - chosen_frac)
        routed = min(max(round(routed), 0), pool)
    else:
        routed = counts.routed_experts or pool
    return counts.model_copy(update={"routed_experts": routed, "dense_mlp": pool - routed})


def _dense(scenario: Scenario, asof: date) -> ModelSpec:
    size = (scenario.size_b or _ASSUMED_SIZE_B) * BILLION
    n_layers = scenario.n_layers or max(4, round(32 * (size / (8 * BILLION)) ** 0.4))
    hidden = max(256, round((size / 12 / n_layers) ** 0.5 / 128) * 128)
    head_dim = scenario.head_dim or _ASSUMED_HEAD_DIM
    n_kv_heads = scenario.n_kv_heads or _ASSUMED_KV_HEADS
    n_q_heads = n_kv_heads * max(1, round(hidden / head_dim / n_kv_heads))
    vocab = min(_ASSUMED_VOCAB, max(256, int(size / 4 / hidden)))
    attention = n_layers * hidden * head_dim * 2 * (n_q_heads + n_kv_heads)
    embedding = vocab * hidden
    attention = min(attention, int(size / 2))
    return ModelSpec(
        id="custom",
        name="custom model",
        sources=(Source(title="the scenario itself", checked=asof, grade="D"),),
        n_layers=n_layers,
        hidden=hidden,
        intermediate=4 * hidden,
        vocab=vocab,
        parameters=ParameterCounts(
            embedding=embedding,
            head=embedding,
            attention=attention,
            dense_mlp=max(0, round(size) - 2 * embedding - attention),
        ),
        groups=(
            LayerGroup(
                kind="full",
                n_layers=n_layers,
                n_q_heads=n_q_heads,
                n_kv_heads=n_kv_heads,
                k_head_dim=head_dim,
                v_head_dim=head_dim,
            ),
        ),
        origin="custom",
    )
