"""The scenario: every input of a decision, its limits and its default.

A field is one line here and one widget in the sidebar. Keys are stable and never change
their meaning; later needs append keys (`calculators/link.py` says what a new default needs).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from calculators.cost.traffic import weekly_profile
from calculators.scenario_fields import FieldError, FieldSpec, define, spec_of

MOST_COMPARED = 3
REASONS = ("data", "volume", "model", "latency")
BILLING = ("on-demand", "reserved", "spot", "owned")
PAID_BY_THE_HOUR = ("on-demand", "spot")
PARALLEL = ("tensor", "pipeline", "expert", "layer")
_CATALOG = "the catalog's value"


@dataclass(frozen=True, slots=True)
class Scenario:
    """Ids and numbers of one decision; None means that a value follows from the rest."""

    # fmt: off
    model: str = define("llama-3.3-70b", "model", "id", "Model", table="models", options=("custom",))
    size_b: float | None = define(None, "size", "number", "Model size", unit="billion parameters", low=0.01, high=20000, blank=True, blank_means=_CATALOG, help="All parameters of the language model, in billions.")
    active_b: float | None = define(None, "active", "number", "Active parameters", unit="billion parameters", low=0.001, high=20000, blank=True, blank_means=_CATALOG, help="Parameters that one token uses; fewer than all in a mixture of experts.")
    n_layers: int | None = define(None, "layers", "integer", "Layers", low=1, high=1000, blank=True, blank_means=_CATALOG)
    n_kv_heads: int | None = define(None, "kvh", "integer", "KV heads", low=1, high=1024, blank=True, blank_means=_CATALOG)
    head_dim: int | None = define(None, "hd", "integer", "Head size", low=8, high=4096, blank=True, blank_means=_CATALOG)
    window_tok: int | None = define(None, "win", "integer", "Attention window", unit="tokens", low=0, high=10_485_760, blank=True, blank_means=_CATALOG, help="Tokens that each layer looks back on; 0 is all of them.")
    n_experts: int | None = define(None, "experts", "integer", "Experts", low=0, high=4096, blank=True, blank_means=_CATALOG)
    top_k: int | None = define(None, "topk", "integer", "Experts per token", low=1, high=512, blank=True, blank_means=_CATALOG)
    bits: float | None = define(None, "bits", "number", "Bits", unit="bits per weight", low=1, high=32, blank=True, blank_means="the format's bits", help="Nominal bits of a weight; the format adds its scales.")
    weight_format: str = define("awq-int4", "wfmt", "id", "Weight format", table="weight_formats")
    cache_format: str = define("bf16", "kvfmt", "id", "Cache format", table="cache_formats")
    gpu: str = define("h100-sxm", "gpu", "id", "Card", table="accelerators")
    memory_gib: float | None = define(None, "mem", "number", "Card memory", unit="GiB", low=0.5, high=100_000, blank=True, blank_means=_CATALOG)
    bandwidth_gb_s: float | None = define(None, "bw", "number", "Card bandwidth", unit="GB/s", low=1, high=1_000_000, blank=True, blank_means=_CATALOG)
    fp16_dense_tflops: float | None = define(None, "tf", "number", "Card 16-bit rate", unit="dense TFLOP/s", low=0.01, high=1_000_000, blank=True, blank_means=_CATALOG)
    n_cards: int = define(1, "cards", "integer", "Cards per replica", low=1, high=1024)
    parallel: str = define("tensor", "par", "choice", "Split over cards", options=PARALLEL, help="How one replica is spread over its cards.")
    n_replicas: int = define(0, "replicas", "integer", "Replicas", low=0, high=10_000, help="0 is as many as the demand needs.")
    engine: str = define("vllm", "engine", "id", "Engine", table="engines")
    input_tok: int = define(3000, "in", "integer", "Input", unit="tokens a request", low=1, high=10_485_760)
    output_tok: int = define(500, "out", "integer", "Output", unit="tokens a request", low=1, high=10_485_760)
    context_tok: int = define(8192, "ctx", "integer", "Context", unit="tokens", low=16, high=10_485_760, help="Tokens that memory reserves for one conversation.")
    batch: int = define(0, "batch", "integer", "Batch", unit="sequences at once", low=0, high=65_536, help="0 is what memory and the objectives allow.")
    ttft_ms: float | None = define(None, "ttft", "number", "Time to first token, at most", unit="ms", low=1, high=10_000_000, blank=True, blank_means="no objective")
    tpot_ms: float | None = define(None, "tpot", "number", "Time per output token, at most", unit="ms", low=0.1, high=1_000_000, blank=True, blank_means="no objective")
    prefix_tok: int = define(0, "prefix", "integer", "Shared prompt", unit="tokens", low=0, high=10_485_760, help="Tokens at the start of every prompt that all requests share.")
    n_open: int = define(0, "open", "integer", "Open, idle conversations", low=0, high=1_000_000, help="Conversations that hold cache while nobody types.")
    demand_mtok: float = define(300.0, "tokens", "number", "Demand", unit="million tokens a month", low=0, high=1e9, help="Input and output together.")
    peak: float | None = define(None, "peak", "number", "Peak to mean", low=1, high=1000, blank=True, blank_means="from the weekly profile")
    duty_frac: float | None = define(None, "duty", "number", "Duty cycle", unit="share of the month", low=0.0001, high=1, blank=True, blank_means="follows from the demand")
    profile: str = define("office-hours", "profile", "text", "Weekly profile", check=weekly_profile)
    growth_frac: float = define(0.0, "growth", "number", "Growth of demand", unit="share a year", low=-0.99, high=20)
    split_frac: float = define(1.0, "split", "number", "Share served by ourselves", low=0, high=1, help="The rest bursts to the API.")
    rate_usd_h: float | None = define(None, "rate", "number", "Hourly rate", unit="USD per card hour", low=0, high=10_000, blank=True, blank_means="the catalog's median")
    billing: str = define("on-demand", "billing", "choice", "How the cards are paid", options=BILLING)
    term_months: int = define(12, "term", "integer", "Reservation", unit="months", low=1, high=120)
    upkeep_usd_month: float = define(4000.0, "upkeep", "number", "Upkeep", unit="USD a month", low=0, high=1e9, help="People who run it; counted once.")
    build_usd: float = define(0.0, "build", "number", "Build", unit="USD once", low=0, high=1e10, help="Spread over the horizon.")
    n_spare: int = define(0, "spare", "integer", "Spare replicas", low=0, high=1000)
    load_frac: float = define(0.8, "load", "number", "Highest planned load", unit="share", low=0.05, high=1, help="Share of a replica's speed that its peak hour may fill; queues grow beyond.")
    autoscale: str = define("off", "autoscale", "text", "Autoscaling", check=lambda text: autoscale_minutes(text), help="off, or the idle minutes after which a replica stops.")
    start_minutes: float = define(10.0, "start", "number", "Start-up of a replica", unit="minutes", low=0, high=1440)
    spot_interruption_frac: float = define(0.05, "interrupt", "number", "Spot time lost", unit="share", low=0, high=0.95)
    hours_month: float = define(730.0, "hours", "number", "Hours in a month", low=1, high=744)
    horizon_months: int = define(36, "horizon", "integer", "Horizon", unit="months", low=1, high=120)
    price_usd: float | None = define(None, "price", "number", "Purchase price", unit="USD per card", low=0, high=10_000_000, blank=True, blank_means=_CATALOG)
    residual_frac: float = define(0.3, "residual", "number", "Value at the end", unit="share of the price", low=0, high=1)
    energy_usd_kwh: float = define(0.1, "kwh", "number", "Energy price", unit="USD per kWh", low=0, high=10)
    pue: float = define(1.2, "pue", "number", "Facility factor (PUE)", low=1, high=5)
    colocation_usd_kw: float = define(200.0, "colo", "number", "Colocation", unit="USD per kW and month", low=0, high=100_000)
    network_usd_month: float = define(0.0, "net", "number", "Network", unit="USD a month", low=0, high=1e8)
    grid_g_kwh: float | None = define(None, "grid", "number", "Grid intensity", unit="g CO2e per kWh", low=0, high=3000, blank=True, blank_means="no estimate")
    discount_frac: float = define(0.08, "discount", "number", "Discount rate", unit="share a year", low=0, high=1)
    rent_fall_frac: float = define(0.0, "rentfall", "number", "Fall of rents", unit="share a year", low=-1, high=0.99)
    api_fall_frac: float = define(0.0, "apifall", "number", "Fall of API prices", unit="share a year", low=-1, high=0.99)
    api: str | None = define(None, "api", "id", "API model", table="api_prices", blank=True, blank_means="the middle provider")
    cached_frac: float = define(0.0, "cached", "number", "Input read from the API's cache", unit="share", low=0, high=1)
    cache_write_frac: float = define(0.0, "cachewrite", "number", "Input written to the API's cache", unit="share", low=0, high=1)
    api_batch_frac: float = define(0.0, "apibatch", "number", "Sent as API batch", unit="share", low=0, high=1)
    api_off_peak_frac: float = define(0.0, "offpeak", "number", "Sent in the API's cheap hours", unit="share", low=0, high=1, help="Counts where the price list has cheap hours.")
    dedicated_usd_h: float | None = define(None, "dedicated", "number", "Dedicated endpoint", unit="USD an hour", low=0, high=100_000, blank=True, blank_means="priced by tokens", help="A provider's endpoint for us alone, paid by the hour instead of by tokens.")
    n_dedicated: int = define(1, "endpoints", "integer", "Dedicated endpoints", low=1, high=10_000)
    api_input_usd_mtok: float | None = define(None, "apiin", "number", "API input price", unit="USD per million tokens", low=0, high=100_000, blank=True, blank_means="the price list")
    api_output_usd_mtok: float | None = define(None, "apiout", "number", "API output price", unit="USD per million tokens", low=0, high=100_000, blank=True, blank_means="the price list")
    api_token_ratio: float = define(1.0, "apitok", "number", "API tokens per token of ours", low=0.1, high=20, help="Tokenizers and reasoning tokens differ.")
    api_ttft_ms: float | None = define(None, "apittft", "number", "API time to first token", unit="ms", low=1, high=1_000_000, blank=True, blank_means="not known")
    api_tok_s: float | None = define(None, "apispeed", "number", "API speed", unit="tokens/s", low=0.1, high=100_000, blank=True, blank_means="not known")
    draft: str | None = define(None, "draft", "id", "Draft model", table="models", blank=True, blank_means="none", help="Counts on the page Speculative decoding.")
    acceptance_frac: float | None = define(None, "accept", "number", "Acceptance", unit="share", low=0, high=1, blank=True, blank_means="not measured")
    n_draft: int = define(4, "k", "integer", "Drafted tokens", low=0, high=64)
    why: tuple[str, ...] = define((), "why", "choices", "Reasons that are not about money", options=REASONS)
    basis: str = define("calibrated", "basis", "choice", "Basis", options=("calibrated", "bound"))
    seed: int = define(0, "seed", "integer", "Random seed", low=0, high=2**31 - 1)
    compared: str = define("", "cmp", "text", "Compared scenarios", check=lambda text: compared_queries(text), help="Up to three links' queries, joined by |, that the Compare page shows beside this one.")
    asof: str | None = define(None, "asof", "date", "Facts as of", blank=True, blank_means="today")
    # fmt: on


FIELDS: dict[str, FieldSpec] = {f.name: spec_of(f) for f in fields(Scenario)}
NAMES: dict[str, str] = {spec.key: name for name, spec in FIELDS.items()}
KEYS: tuple[str, ...] = ("v", *NAMES)


def compared_queries(text: str) -> tuple[str, ...]:
    """The queries of the scenarios that are compared with this one; ValueError beyond three."""
    queries = tuple(part for part in text.split("|") if part)
    if len(queries) > MOST_COMPARED:
        raise ValueError(f"allowed are up to {MOST_COMPARED} scenarios, given are {len(queries)}")
    return queries


def autoscale_minutes(text: str) -> float | None:
    """Idle minutes after which a replica stops, None for `off`; ValueError otherwise."""
    if text == "off":
        return None
    spec = FieldSpec("autoscale", "number", "Autoscaling", low=1, high=10_080)
    try:
        return spec.parse(text, (), lambda *_: None)
    except FieldError:
        raise ValueError("allowed is off, or the idle minutes from 1 to 10,080") from None
