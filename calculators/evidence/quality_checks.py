"""What makes two result files hard to compare: settings, versions, names, equal numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from calculators.evidence.lm_eval_files import EvalFile, EvalScore
from calculators.evidence.quality_differences import is_binomial

_QUANT_WORD = re.compile(
    r"(?i)(gptq|awq|aqlm|hqq|quip|bnb|bitsandbytes|nf4|fp4|nvfp4|mxfp4|mxfp8|fp8|float8|int8|int4|"
    r"int2|w\d+a\d+|[234568]-?bit|q\d_k(_[sml])?|q\d_[01]|iq\d_\w+|gguf|smoothquant|quantized|"
    r"quant|load_in_[48]bit)"
)
_NOISE = re.compile(
    r"(?i)[-_.](pv|\d+x\d+|hf|dynamic|g\d+|sym|v\d+|weightonlyconfig\S*|baseline|bf16|fp16|safetensors)"
)
_MANY_SHOWN = 5
_FEW_SAMPLES = 30


def comparison_warnings(
    baseline: EvalFile,
    quantized: EvalFile,
    pairs: Sequence[tuple[EvalScore, EvalScore]],
    scale_notes: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return what a reader must know before believing the differences of two files.

    Parameters
    ----------
    baseline, quantized : EvalFile
    pairs : sequence of (EvalScore, EvalScore) [scores in both files]
    scale_notes : sequence of str [what was rescaled]

    Returns
    -------
    warnings : tuple of str [sentences]

    Notes
    -----
    A setting that only one file records cannot be compared and is not reported. Basis: as given.

    References
    ----------
    Own rules.

    Examples
    --------
    >>> from calculators.evidence.lm_eval_files import read_eval_file
    >>> a = read_eval_file(b'{"results": {"t": {"acc": 0.5}}, "n-shot": {"t": 5}}')
    >>> b = read_eval_file(b'{"results": {"t": {"acc": 0.4}}, "n-shot": {"t": 0}}')
    >>> comparison_warnings(a, b, [(a.scores[0], b.scores[0])])[0]
    'Few-shot examples differ for 1 task: t (5 against 0).'
    """
    found = [
        *_differing(pairs, "n_shot", "Few-shot examples differ"),
        *_differing(pairs, "version", "Task versions differ"),
        *_differing(pairs, "n_samples", "Numbers of samples differ"),
        *_setting_warnings(baseline, quantized),
        *_name_warnings(baseline, quantized),
        *_equality_warnings(pairs),
        *_error_warnings(pairs),
        *_sample_warnings(pairs),
        *scale_notes,
        *(f"Baseline: {note}" for note in baseline.notes),
        *(f"Quantized: {note}" for note in quantized.notes),
    ]
    return tuple(dict.fromkeys(found))


def _differing(
    pairs: Sequence[tuple[EvalScore, EvalScore]], field: str, sentence: str
) -> list[str]:
    unlike = {
        b.task: f"{b.task} ({getattr(b, field)} against {getattr(q, field)})"
        for b, q in pairs
        if None not in (getattr(b, field), getattr(q, field))
        and getattr(b, field) != getattr(q, field)
        and not (field == "n_shot" and (b.is_group or q.is_group))
    }
    if not unlike:
        return []
    shown = ", ".join(list(unlike.values())[:_MANY_SHOWN])
    more = f" and {len(unlike) - _MANY_SHOWN} more" if len(unlike) > _MANY_SHOWN else ""
    plural = "task" if len(unlike) == 1 else "tasks"
    return [f"{sentence} for {len(unlike)} {plural}: {shown}{more}."]


def _setting_warnings(baseline: EvalFile, quantized: EvalFile) -> list[str]:
    found = []
    if baseline.tool != quantized.tool:
        found.append(f"Written by different tools: {baseline.tool} against {quantized.tool}.")
    for name, value in baseline.settings.items():
        other = quantized.settings.get(name, value)
        if other != value:
            found.append(f"Setting '{name}' differs: {value} against {other}.")
    for label, file in (("baseline", baseline), ("quantized run", quantized)):
        limit = file.settings.get("limit", "none")
        if limit not in ("none", "None", "0"):
            found.append(f"The {label} was cut to {limit} samples a task: errors are wide.")
    return found


def _base_name(model: str) -> str:
    name = model.rstrip("/").rsplit("/", 1)[-1]
    name = _NOISE.sub("", _QUANT_WORD.sub("", name))
    plain = re.sub(r"[-_.]+", "-", name).strip("-").lower()
    return re.sub(r"^meta-", "", plain)


def _name_warnings(baseline: EvalFile, quantized: EvalFile) -> list[str]:
    found = []
    if baseline.model and quantized.model:
        names = _base_name(baseline.model), _base_name(quantized.model)
        if names[0] != names[1]:
            found.append(
                f"The files name different models, {baseline.model} and {quantized.model}: a "
                "difference need not come from quantization."
            )
    named = _QUANT_WORD.search(quantized.filename)
    inside = f"{quantized.model or ''} {quantized.settings.get('model arguments', '')}"
    if quantized.model and not _QUANT_WORD.search(inside):
        claim = f"The file's name says {named.group(0)}. " if named else ""
        found.append(
            f"{claim}Nothing inside the quantized file says that {quantized.model} is "
            "quantized: make sure that it is the right file."
        )
    if baseline.model and _QUANT_WORD.search(baseline.model):
        found.append(f"The baseline, {baseline.model}, looks quantized itself.")
    return found


def _equality_warnings(pairs: Sequence[tuple[EvalScore, EvalScore]]) -> list[str]:
    if len(pairs) > 1 and all(b.value == q.value for b, q in pairs):
        return [
            f"All {len(pairs)} scores are equal to the last digit: the files are probably of one "
            "and the same model."
        ]
    return []


def _sample_warnings(pairs: Sequence[tuple[EvalScore, EvalScore]]) -> list[str]:
    few = {b.task: b.n_samples for b, _ in pairs if b.n_samples and b.n_samples < _FEW_SAMPLES}
    if not few:
        return []
    shown = ", ".join(f"{task} ({n})" for task, n in list(few.items())[:_MANY_SHOWN])
    return [f"Fewer than {_FEW_SAMPLES} samples, errors are not to be trusted: {shown}."]


def _error_warnings(pairs: Sequence[tuple[EvalScore, EvalScore]]) -> list[str]:
    estimated = [b.task for b, q in pairs if is_binomial(b) or is_binomial(q)]
    found = []
    if estimated:
        shown = ", ".join(dict.fromkeys(estimated[:_MANY_SHOWN]))
        found = [f"Binomial standard errors stand in where the files have none: {shown}."]
    without = [
        b
        for b, q in pairs
        if any(score.stderr is None and not is_binomial(score) for score in (b, q))
    ]
    if not without:
        return found
    if len(without) == len(pairs):
        return ["No score has a standard error in both files: significance cannot be told."]
    names = dict.fromkeys(f"{s.task} ({s.metric})" for s in without if math.isfinite(s.value))
    shown = ", ".join(list(names)[:_MANY_SHOWN])
    return [*found, f"{len(names)} scores have no standard error in both files, such as {shown}."]
