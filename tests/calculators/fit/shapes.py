"""Small models, cards and engines for the tests of fit, with hand-countable shapes."""

from datetime import date

from calculators.specs import (
    AcceleratorSpec,
    CacheFormat,
    Deployment,
    EngineSpec,
    LayerGroup,
    MemoryRule,
    ModelSpec,
    Parallelism,
    ParameterCounts,
    Source,
    WeightFormat,
)

SOURCES = (Source(title="made for a test", checked=date(2026, 11, 30)),)


def gqa(n_layers=80, n_kv_heads=8, head_dim=128, n_q_heads=64, **other):
    other = {"kind": "full"} | other
    return LayerGroup(
        n_layers=n_layers,
        n_q_heads=n_q_heads,
        n_kv_heads=n_kv_heads,
        k_head_dim=head_dim,
        v_head_dim=head_dim,
        **other,
    )


def model(groups=None, parameters=None, **other):
    groups = groups or (gqa(),)
    fields = {
        "id": "m",
        "name": "M",
        "sources": SOURCES,
        "n_layers": sum(group.n_layers for group in groups),
        "hidden": 8192,
        "intermediate": 28672,
        "vocab": 128256,
        "groups": groups,
        "parameters": parameters or ParameterCounts(dense_mlp=70_000_000_000),
    }
    return ModelSpec(**(fields | other))


def weight_format(bits=16.0, **other):
    return WeightFormat(
        id="w", name="W", sources=SOURCES, family="test", nominal_bits=bits, bits=bits, **other
    )


def cache_format(bits=16.0):
    return CacheFormat(id="c", name="C", sources=SOURCES, nominal_bits=bits, bits=bits)


def card(visible_gib=79.18, **other):
    fields = {"id": "card", "name": "Card", "vendor": "V", "form": "f", "memory_type": "HBM"}
    return AcceleratorSpec(
        **(fields | other),
        sources=SOURCES,
        memory_total_gib=visible_gib,
        memory_visible_gib=visible_gib,
        bandwidth_gb_s=3350,
        fp16_dense_tflops=989,
    )


def engine(**rule):
    return EngineSpec(id="e", name="E", sources=SOURCES, memory=MemoryRule(**rule))


def deployment(the_model=None, bits=16.0, cache_bits=16.0, visible_gib=79.18, rule=None, **split):
    return Deployment(
        model=the_model or model(),
        weights=weight_format(bits),
        cache=cache_format(cache_bits),
        accelerator=card(visible_gib),
        engine=engine(**(rule or {})),
        parallelism=Parallelism(**split),
    )
