"""A small catalog of round numbers, so that plans can be worked out by hand."""

from __future__ import annotations

from datetime import date

from calculators.specs import (
    AcceleratorSpec,
    ApiPrice,
    ApiRates,
    CacheFormat,
    Catalog,
    EngineSpec,
    Figure,
    LayerGroup,
    MemoryRule,
    ModelSpec,
    ParameterCounts,
    PriceTier,
    RentalPrice,
    Source,
    WeightFormat,
)

DAY = date(2026, 11, 30)
SOURCE = Source(title="a test's own figures", checked=date(2026, 11, 1))
API_ID = "together/meta-llama/Llama-3.3-70B-Instruct-Turbo"


def card(**changes) -> AcceleratorSpec:
    given = {
        "id": "h100-sxm",
        "name": "H100 80GB",
        "sources": (SOURCE,),
        "vendor": "NVIDIA",
        "form": "SXM",
        "memory_label_gb": 80,
        "memory_total_gib": 80,
        "memory_visible_gib": 80,
        "memory_type": "HBM3",
        "bandwidth_gb_s": 3350,
        "fp16_dense_tflops": 989,
        "link": "nvlink",
        "link_gb_s": 450,
        "power_w": 700,
        "price_usd": 30_000,
    }
    return AcceleratorSpec(**given | changes)


def model(**changes) -> ModelSpec:
    """70e9 parameters, 80 layers, 8 KV heads of 128: 320 KiB of 16-bit cache a token."""
    group = LayerGroup(
        kind="full", n_layers=80, n_q_heads=64, n_kv_heads=8, k_head_dim=128, v_head_dim=128
    )
    given = {
        "id": "llama-3.3-70b",
        "name": "Round 70B",
        "sources": (SOURCE,),
        "n_layers": 80,
        "hidden": 8192,
        "intermediate": 28672,
        "vocab": 128_000,
        "groups": (group,),
        "parameters": ParameterCounts(
            embedding=10**9, head=10**9, attention=12 * 10**9, dense_mlp=56 * 10**9
        ),
        "api_ids": (API_ID,),
    }
    return ModelSpec(**given | changes)


def api(input_usd: float = 0.88, output_usd: float = 0.88, id: str = API_ID) -> ApiPrice:
    rates = ApiRates(
        input=(PriceTier(above_tok=0, usd_mtok=input_usd),),
        output=(PriceTier(above_tok=0, usd_mtok=output_usd),),
    )
    provider, _, name = id.partition("/")
    return ApiPrice(
        id=id,
        provider=provider,
        provider_name=provider.title(),
        model=name,
        name=name,
        rates=rates,
        listed=date(2026, 11, 10),
        source=SOURCE,
    )


def quote(usd_h: float, provider: str = "a", kind: str = "on-demand", **changes) -> RentalPrice:
    given = {
        "accelerator": "h100-sxm",
        "provider": provider,
        "tier": "neocloud",
        "kind": kind,
        "usd_h": usd_h,
        "seen": date(2026, 11, 1),
        "source": SOURCE,
    }
    return RentalPrice(**given | changes)


def small_catalog(**changes) -> Catalog:
    """One card at 2, 2.50 and 4 USD an hour, one model, one API."""
    engine = EngineSpec(
        id="vllm", name="vLLM", sources=(SOURCE,), memory=MemoryRule(runtime_gib=1.0)
    )
    formats = (
        WeightFormat(
            id="bf16", name="BF16", sources=(SOURCE,), family="native", nominal_bits=16, bits=16
        ),
        WeightFormat(
            id="awq-int4", name="AWQ", sources=(SOURCE,), family="awq", nominal_bits=4, bits=4
        ),
    )
    caches = (
        CacheFormat(id="bf16", name="BF16", sources=(SOURCE,), nominal_bits=16, bits=16),
        CacheFormat(id="fp8", name="FP8", sources=(SOURCE,), nominal_bits=8, bits=8),
    )
    server = Figure(low=300_000, high=340_000, unit="USD", label="server", source=SOURCE)
    given = {
        "asof": DAY,
        "accelerators": {"h100-sxm": card()},
        "models": {"llama-3.3-70b": model()},
        "weight_formats": {fmt.id: fmt for fmt in formats},
        "cache_formats": {cache.id: cache for cache in caches},
        "engines": {"vllm": engine},
        "rental_prices": (quote(2.0), quote(2.5, "b"), quote(4.0, "c")),
        "api_prices": {API_ID: api()},
        "ownership": {"server_8x_h100_usd": server},
    }
    return Catalog(**given | changes)
