"""What a run ran on: engine, model and weights, load, by file, name or caller."""

from __future__ import annotations

from calculators.evidence.benchmark_cards import settle_cards
from calculators.evidence.benchmark_given import Given, taken
from calculators.evidence.benchmark_names import (
    engine_named,
    format_named,
    model_in,
    params_named,
    speculative_in,
    version_named,
)
from calculators.evidence.benchmark_runs import Run

_TOOL_ENGINES = {
    "vllm": "vLLM",
    "sglang": "SGLang",
    "trtllm-bench": "TensorRT-LLM",
    "llama-bench": "llama.cpp",
}
_COMMON = "vLLM"
_WIDE_BITS = 16.0
_CACHE_BITS = (("nvfp4", 4.0), ("fp8", 8.0), ("int8", 8.0), ("16", 16.0))


def settle(run: Run, given: Given) -> None:
    """Complete a run's settings and note what was assumed.

    Parameters
    ----------
    run : changed in place
    given : by the caller

    Examples
    --------
    >>> run = Run("one", {"backend": "vllm", "model": "org/m-FP8", "tp": 4})
    >>> settle(run, Given(tool="vllm", gpu="H100"))
    >>> [run.facts[name] for name in ("engine", "weight_format", "weight_bits", "gpu", "n_gpus")]
    ['vLLM', 'fp8', 8.0, 'H100', 4]
    """
    _model(run, given)
    _engine(run, given)
    _weights(run, given)
    settle_cards(run, given)
    _load(run, given)
    if speculative_in(f"{given.filename} {run.label}"):
        run.facts["speculative"] = True


def _model(run: Run, given: Given) -> None:
    run.facts["model"] = taken(run, "model", run.facts.get("model"), given.model)
    if not run.facts["model"]:
        run.facts["model"] = model_in(given.filename)
        if run.facts["model"]:
            run.note(f"the model, {run.facts['model']}, is read from the file's name")
        else:
            run.note("the file does not name the model")
    if run.facts["model"] and run.facts.get("params_b") is None:
        run.facts["params_b"] = params_named(str(run.facts["model"]))


def _engine(run: Run, given: Given) -> None:
    facts = run.facts
    facts["engine"] = _server(run, given)
    version = str(facts.get("engine_version") or "")
    facts["engine_version"] = version_named(version) or (version or None)


def _server(run: Run, given: Given) -> str:
    """The engine: by the caller, the file's own word, the client's protocol, or a guess."""
    backend = str(run.facts.get("backend") or "")
    by_backend, in_name = engine_named(backend), engine_named(given.filename)
    own = str(run.facts.get("engine") or "").strip()
    stated = engine_named(own) or ("" if "://" in own else own)
    if given.engine:
        return str(taken(run, "engine", stated or by_backend, given.engine))
    if stated:
        return stated
    client = _TOOL_ENGINES.get(given.tool)
    if in_name and by_backend and in_name not in (by_backend, client):
        run.note(f"backend says {backend}, but the file's name {in_name}: taken as {in_name}")
        return in_name
    engine = by_backend or client or in_name
    if backend and given.tool != "trtllm-bench":
        run.note(
            f"backend {backend} is the client's protocol, which need not be the server: taken as "
            f"{engine or _COMMON}"
        )
    elif engine is None:
        run.note(f"the file does not name the server: taken as {_COMMON}")
    return engine or _COMMON


def _weights(run: Run, given: Given) -> None:
    facts = run.facts
    cache = str(facts.get("kv") or "").lower()
    facts["kv_bits"] = next((bits for part, bits in _CACHE_BITS if part in cache), None)
    own = facts.get("weight_format")
    if given.weight_format is not None:
        stated = own or facts.get("precision")
        said = taken(run, "weight format", stated, given.weight_format)
        facts["weight_format"], facts["weight_bits"] = format_named(said) or (said, None)
    elif not own and (named := _named_format(run, given)) is not None:
        facts["weight_format"], facts["weight_bits"] = named
    elif not own:
        run.note("the file names no weight format")


def _named_format(run: Run, given: Given) -> tuple[str, float] | None:
    """The format in the precision, the model's or the file's name; 16 bits only if none is less.

    A precision of 16 bits beside a quantized model's name is that of its arithmetic.
    """
    precision, model = str(run.facts.get("precision") or ""), str(run.facts.get("model") or "")
    texts = (precision, model, run.label, given.filename)
    named = [found for text in texts if (found := format_named(text))]
    if not named and precision.lower() == "fp4":
        return _four_bits(f"{model} {run.facts.get('gpu')} {given.gpu}".lower())
    return next((found for found in named if found[1] < _WIDE_BITS), named[0] if named else None)


def _four_bits(text: str) -> tuple[str, float]:
    """FP4 as a precision: MXFP4 on AMD cards and in gpt-oss checkpoints, else NVFP4."""
    micro = "gpt-oss" in text or "gptoss" in text or " mi3" in text
    return ("mxfp4", 4.25) if micro else ("nvfp4", 4.5)


def _load(run: Run, given: Given) -> None:
    facts = run.facts
    for side, tokens in (("input", given.input_tok), ("output", given.output_tok)):
        if tokens is not None:
            facts[f"{side}_tok"] = taken(run, f"{side} tokens", _length(run, side), tokens)
            run.fixed.add(side)
    _other_length(run)
    asked, sent = run.fact("concurrency"), run.fact("n_prompts")
    if given.concurrency is not None:
        facts["concurrency"] = taken(run, "requests at once", asked, given.concurrency)
        run.fixed.add("concurrency")
    elif asked is not None and asked < 1:
        facts["concurrency"] = None
        run.note(f"a concurrency of {asked:g} is none: left out")
    elif asked and sent and sent < asked:
        facts["concurrency"] = sent
        run.note(f"only {sent:.0f} requests were sent, fewer than the concurrency of {asked:.0f}")
    else:
        facts["concurrency"] = asked


def _length(run: Run, side: str) -> float | None:
    total, completed = run.fact(f"total_{side}_tokens"), run.fact("completed")
    return total / completed if total and completed else run.fact(f"{side}_tok")


def _other_length(run: Run) -> None:
    """One length by the other, where the file counts the tokens of both together."""
    whole, first, second = (run.fact(k) for k in ("tokens_per_request", "input_tok", "output_tok"))
    if not whole:
        return
    if first is None and second is not None and whole > second:
        run.facts["input_tok"] = whole - second
    elif second is None and first is not None and whole > first:
        run.facts["output_tok"] = whole - first
    elif first and second and not 0.95 < (first + second) / whole < 1.05:
        run.note(f"the file counts {whole:.0f} tokens a request, not {first + second:.0f}")
