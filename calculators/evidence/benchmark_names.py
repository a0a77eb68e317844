"""What names say: the engine behind a backend, the format of weights, a model in a file's name."""

from __future__ import annotations

import re

_ENGINES = (
    *(
        ("mlx", "MLX"),
        ("sglang", "SGLang"),
        ("vllm", "vLLM"),
        ("tensorrt", "TensorRT-LLM"),
        ("trt", "TensorRT-LLM"),
    ),
    *(("lmdeploy", "LMDeploy TurboMind"), ("llama.cpp", "llama.cpp"), ("llamacpp", "llama.cpp")),
    *(("llama-cpp", "llama.cpp"), ("mlc", "MLC-LLM"), ("exllama", "ExLlamaV2"), ("tgi", "TGI")),
    *(
        ("atom", "ATOM"),
        ("ollama", "Ollama"),
        ("lm studio", "LM Studio"),
        ("lmstudio", "LM Studio"),
    ),
)
_FORMATS = (
    *(("nvfp4", "nvfp4", 4.5), ("mxfp4", "mxfp4", 4.25), ("fp8", "fp8", 8.0)),
    *(("w8a8", "int8-w8a8", 8.0), ("int8", "int8", 8.0), ("awq", "int4-awq", 4.25)),
    *(("gptq-int8", "gptq-int8", 8.25), ("gptq", "gptq-int4", 4.25), ("w4a16", "int4-w4a16", 4.25)),
    *(("int4", "int4", 4.25), ("4bit", "int4", 4.25), ("bf16", "bf16", 16.0)),
    *(("bfloat16", "bf16", 16.0), ("fp16", "fp16", 16.0), ("float16", "fp16", 16.0)),
)
_MODEL = re.compile(
    r"(?<![a-z])(?:meta-?)?((?:code)?llama|qwen|mistral|mixtral|deepseek|gemma|gpt-?oss|glm|kimi|phi)"
    r"[-_.]?(v?\d+(?:[._]\d+)*)?((?:[-_][a-z][a-z0-9]*)*?)(?:[-_](\d+(?:x\d+)?[bt]))?"
    r"(?:[-_](a\d+b))?(?![a-z0-9])"
)
_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])")
_ACTIVE = re.compile(r"(?<![a-z0-9])a\d+(?:\.\d+)?b(?![a-z0-9])")
_SPECULATIVE = re.compile(r"(?<![a-z])(mtp|eagle\d?|medusa|speculative|spec(?:dec)?)(?![a-z])")
_NO_SPECULATIVE = re.compile(r"spec(?:ulative|dec)?[-_]?(none|off|false)|no[-_]?spec")
_VERSION = re.compile(r"v?(\d+\.\d+(?:\.\d+)?(?:[.-]?(?:rc|post)\d+)?)")


def engine_named(text: str) -> str | None:
    """The engine that a text names, or None (OpenAI's protocol names none).

    Examples
    --------
    >>> engine_named("sglang-oai"), engine_named("openai-chat")
    ('SGLang', None)
    """
    lower = text.lower()
    return next((name for part, name in _ENGINES if part in lower), None)


def version_named(text: str) -> str | None:
    """A version number in the name of an image or a version string.

    Examples
    --------
    >>> version_named("vllm/vllm-openai:v0.22.0")
    '0.22.0'
    """
    found = _VERSION.search(text.rpartition(":")[2])
    return found[1] if found else None


def format_named(text: str) -> tuple[str, float] | None:
    """The weight format and bits that a model's or precision's name says, or None.

    Examples
    --------
    >>> format_named("nvidia/Llama-3.1-70B-Instruct-FP8"), format_named("Llama-3.1-70B")
    (('fp8', 8.0), None)
    """
    lower = text.lower()
    return next(((form, bits) for part, form, bits in _FORMATS if part in lower), None)


def model_in(filename: str) -> str | None:
    """The model whose name stands in a file's name, with its size where it has one.

    Examples
    --------
    >>> model_in("sglang_llama3.3-70b_online.jsonl"), model_in("run7_conc32.json")
    ('llama-3.3-70b', None)
    """
    found = _MODEL.search(filename.lower())
    if found is None or not (found[2] or found[4]):
        return None
    family, version, words, size, active = found.groups()
    parts = [family, (version or "").replace("_", "."), *re.split(r"[-_]", words or "")]
    parts += [size or "", active or ""]
    return "-".join(part for part in parts if part)


def params_named(text: str) -> float | None:
    """Billions of parameters that a model's name says, or None.

    Examples
    --------
    >>> params_named("facebook/opt-125m"), params_named("Qwen3-30B-A3B"), params_named("Mixtral")
    (0.125, 30.0, None)
    """
    found = _SIZE.search(text.lower().rpartition("/")[2])
    return float(found[1]) / (1e3 if found[2] == "m" else 1.0) if found else None


def dense_size_named(text: str) -> float | None:
    """Billions of parameters by a model's name, unless it names active ones too (experts).

    Examples
    --------
    >>> dense_size_named("qwen3.5:9b"), dense_size_named("Qwen3-30B-A3B")
    (9.0, None)
    """
    return None if _ACTIVE.search(text.lower()) else params_named(text)


def speculative_in(text: str) -> bool:
    """Whether a name says that speculative decoding is on.

    Examples
    --------
    >>> speculative_in("tp8_spec-mtp_conc32"), speculative_in("tp4_spec-none_conc1")
    (True, False)
    """
    lower = text.lower()
    return bool(_SPECULATIVE.search(lower)) and not _NO_SPECULATIVE.search(lower)
