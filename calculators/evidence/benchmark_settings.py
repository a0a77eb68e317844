"""What a run ran on: card, number of cards, engine, model and weights, by file, name or caller."""

from __future__ import annotations

from dataclasses import dataclass

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
_CACHE_BITS = (("nvfp4", 4.0), ("fp8", 8.0), ("int8", 8.0), ("16", 16.0))


@dataclass(frozen=True, slots=True)
class Given:
    """What the caller says about a file; None where the file decides."""

    filename: str = ""
    tool: str = ""
    gpu: str | None = None
    n_gpus: int | None = None
    engine: str | None = None
    model: str | None = None
    weight_format: str | None = None


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
    _cards(run, given)
    _load(run)
    if speculative_in(f"{given.filename} {run.label}"):
        run.facts["speculative"] = True


def _model(run: Run, given: Given) -> None:
    run.facts["model"] = given.model or run.facts.get("model")
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
    backend = str(facts.get("backend") or "")
    stated = given.engine or engine_named(str(facts.get("engine") or ""))
    in_name = engine_named(given.filename)
    by_backend = engine_named(backend)
    engine = stated or by_backend or _TOOL_ENGINES.get(given.tool) or in_name
    if not stated and in_name and by_backend and in_name != by_backend:
        engine = in_name
        run.note(f"backend says {backend}, but the file's name {in_name}: taken as {in_name}")
    elif not stated and (backend or engine is None) and given.tool != "llama-bench":
        engine = engine or "vLLM"
        run.note(
            f"backend {backend} is the client's protocol, which need not be the server: taken as "
            f"{engine}"
            if backend
            else f"the file does not name the server: taken as {engine}"
        )
    facts["engine"] = engine
    version = str(facts.get("engine_version") or "")
    facts["engine_version"] = version_named(version) or (version or None)


def _weights(run: Run, given: Given) -> None:
    facts = run.facts
    if given.weight_format is None and facts.get("weight_format"):
        return
    texts = (given.weight_format, facts.get("precision"), facts.get("model"), given.filename)
    named = next((found for text in texts if text and (found := format_named(str(text)))), None)
    if named is None and str(facts.get("precision") or "").lower() == "fp4":
        named = _four_bits(f"{facts.get('model')} {facts.get('gpu')} {given.gpu}".lower())
    if named:
        facts["weight_format"], facts["weight_bits"] = named
    else:
        run.note("no weight format is named: taken as the checkpoint's own")
    cache = str(facts.get("kv") or "").lower()
    facts["kv_bits"] = next((bits for part, bits in _CACHE_BITS if part in cache), None)


def _four_bits(text: str) -> tuple[str, float]:
    """FP4 as a precision: MXFP4 on AMD cards and in gpt-oss checkpoints, else NVFP4."""
    micro = "gpt-oss" in text or "gptoss" in text or " mi3" in text
    return ("mxfp4", 4.25) if micro else ("nvfp4", 4.5)


def _cards(run: Run, given: Given) -> None:
    facts = run.facts
    facts["gpu"] = given.gpu or (str(facts["gpu"]) if facts.get("gpu") else None)
    sizes = [run.fact(name) for name in ("tp", "pp", "dp")]
    split = int(max((sizes[0] or 1) * (sizes[1] or 1) * (sizes[2] or 1), 1)) if sizes[0] else None
    stated = run.fact("n_gpus")
    if given.n_gpus is not None:
        facts["n_gpus"] = given.n_gpus
    elif split is not None:
        facts["n_gpus"] = split
        if stated and int(stated) != split:
            run.note(f"the file counts {stated:.0f} cards, the server is split over {split}")
    elif stated:
        facts["n_gpus"] = int(stated)
    if facts.get("n_gpus") and not sizes[0]:
        facts["tp"] = facts["n_gpus"]
        if facts["n_gpus"] > 1:
            run.note(f"one replica over all {facts['n_gpus']} cards is assumed")
    width = run.fact("tp")
    facts["tp"] = int(width) if width else None
    facts["pp"] = int(sizes[1]) if sizes[1] else 1
    if (run.fact("ep") or 0) > 1:
        run.note(f"moe_ep={run.fact('ep'):.0f}")


def _load(run: Run) -> None:
    asked, sent = run.fact("concurrency"), run.fact("n_prompts")
    if asked and asked < 1:
        run.facts["concurrency"] = None
    elif asked and sent and sent < asked:
        run.facts["concurrency"] = sent
        run.note(f"only {sent:.0f} requests were sent, fewer than the concurrency of {asked:.0f}")
    elif asked:
        run.facts["concurrency"] = asked
