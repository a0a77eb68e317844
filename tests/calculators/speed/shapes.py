"""A small dense model, a card and an engine with round numbers, for hand calculations."""

from __future__ import annotations

from datetime import date

from calculators.specs import (
    AcceleratorSpec,
    CacheFormat,
    Deployment,
    EngineSpec,
    LayerGroup,
    ModelSpec,
    Parallelism,
    ParameterCounts,
    Source,
    SpeedConstants,
    WeightFormat,
)

SOURCES = (Source(title="made for tests", checked=date(2026, 11, 30)),)

# 10 layers, hidden 1000, 8 query heads and 4 KV heads of 100
DENSE = ModelSpec(
    id="dense",
    name="Dense",
    sources=SOURCES,
    n_layers=10,
    hidden=1000,
    vocab=20_000,
    groups=(
        LayerGroup(
            kind="full", n_layers=10, n_q_heads=8, n_kv_heads=4, k_head_dim=100, v_head_dim=100
        ),
    ),
    parameters=ParameterCounts(
        embedding=20_000_000, head=20_000_000, attention=24_000_000, dense_mlp=336_000_000
    ),
)
# the same with 3.2e9 parameters in 16 experts of which a token takes 2
EXPERTS = DENSE.model_copy(
    update={
        "id": "experts",
        "parameters": ParameterCounts(
            embedding=20_000_000,
            head=20_000_000,
            attention=24_000_000,
            routed_experts=3_200_000_000,
        ),
        "n_experts": 16,
        "top_k": 2,
        "n_moe_layers": 10,
    }
)
SIXTEEN = WeightFormat(
    id="bf16", name="bf16", sources=SOURCES, family="native", nominal_bits=16, bits=16
)
EIGHT = SIXTEEN.model_copy(update={"id": "fp8", "nominal_bits": 8, "bits": 8, "compute": "fp8"})
FOUR = SIXTEEN.model_copy(update={"id": "int4", "nominal_bits": 4, "bits": 4})
CACHE = CacheFormat(id="fp16", name="fp16", sources=SOURCES, nominal_bits=16, bits=16)
CARD = AcceleratorSpec(
    id="card",
    name="Card",
    sources=SOURCES,
    vendor="NVIDIA",
    form="SXM",
    memory_total_gib=80,
    memory_visible_gib=79,
    memory_type="HBM3",
    bandwidth_gb_s=1000,
    fp16_dense_tflops=100,
    fp8_dense_tflops=200,
    int8_dense_tops=300,
    link="nvlink",
    link_gb_s=100,
)
GAMER = CARD.model_copy(
    update={"id": "gamer", "memory_type": "GDDR6X", "fp8_dense_tflops": None, "link": "pcie"}
)
IDEAL = SpeedConstants(
    bandwidth_eff_frac=1,
    compute_eff_frac=1,
    link_eff_frac=1,
    nvlink_latency_us=0,
    pcie_latency_us=0,
    layer_overhead_us=0,
    step_overhead_ms=0,
    prefill_overhead_ms=0,
)
ENGINE = EngineSpec(id="engine", name="Engine", sources=SOURCES, speed=IDEAL)


def deployment(
    model: ModelSpec = DENSE,
    weights: WeightFormat = SIXTEEN,
    card: AcceleratorSpec = CARD,
    engine: EngineSpec = ENGINE,
    **parallel: int | bool,
) -> Deployment:
    return Deployment(model, weights, CACHE, card, engine, Parallelism(**parallel))
