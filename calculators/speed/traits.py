"""What about a deployment decides which constants apply: memory, vendor, kernels, experts."""

from __future__ import annotations

from calculators.specs import AcceleratorSpec, Deployment, WeightFormat

PEER_LINKS = ("nvlink", "xgmi", "ici", "neuronlink")
OWN_BACK_ENDS = ("amd", "apple")  # vendors whose kernels an engine has to write anew
FEW_BITS = 7.0
FULL_BITS = 15.0


def memory_kind(memory_type: str) -> str:
    """hbm, gddr or unified, from a memory type such as HBM3e, GDDR6X or LPDDR5X.

    Examples
    --------
    >>> [memory_kind(name) for name in ("HBM2e", "GDDR7", "LPDDR5X")]
    ['hbm', 'gddr', 'unified']
    """
    name = memory_type.upper()
    if name.startswith("HBM"):
        return "hbm"
    return "gddr" if name.startswith("GDDR") else "unified"


def kernel_class(fmt: WeightFormat) -> str:
    """How a format multiplies where the card can: fp8, fp4, int8, 16 bits, or weight-only w8, w4.

    Formats of one class reach the same shares of a card's peaks.

    Examples
    --------
    >>> from types import SimpleNamespace as Format
    >>> kernel_class(Format(compute="16", whole_file_bits=4.9, bits=4.5))
    'w4'
    """
    if fmt.compute != "16":
        return fmt.compute
    return _weight_only(fmt.whole_file_bits or fmt.bits)


def _weight_only(bits: float) -> str:
    if bits >= FULL_BITS:
        return "16"
    return "w4" if bits < FEW_BITS else "w8"


def kernel_on(fmt: WeightFormat, card: AcceleratorSpec) -> str:
    """The kernel class on a card: what its units lack is computed in 16 bits, weight-only.

    Examples
    --------
    >>> from types import SimpleNamespace as Any
    >>> ampere = Any(fp8_dense_tflops=None, fp4_dense_tflops=None, int8_dense_tops=624)
    >>> kernel_on(Any(compute="fp8", whole_file_bits=None, bits=8.0), ampere)
    'w8'
    """
    has = {
        "fp8": card.fp8_dense_tflops,
        "fp4": card.fp4_dense_tflops,
        "int8": card.int8_dense_tops,
    }
    if fmt.compute in has and not has[fmt.compute]:
        return _weight_only(fmt.bits)
    return kernel_class(fmt)


def is_packed(deployment: Deployment) -> bool:
    """Whether weights lie in fewer bits than they are multiplied in.

    Examples
    --------
    A GGUF file of Q4_K_M, or FP8 weights on a card without FP8 units.
    """
    return kernel_on(deployment.weights, deployment.accelerator) in ("w8", "w4")


def format_class(fmt: WeightFormat) -> tuple[str, str, str]:
    """What decides a format's constants on every card: formats of one class share them.

    Examples
    --------
    >>> from types import SimpleNamespace as Format
    >>> format_class(Format(compute="fp8", whole_file_bits=None, bits=4.25))
    ('fp8', 'fp8', 'w4')
    """
    return fmt.compute, kernel_class(fmt), _weight_only(fmt.bits)


def traits(deployment: Deployment) -> tuple[str, ...]:
    """Names under which `SpeedConstants.factors` apply to a deployment.

    Examples
    --------
    `python -m app plan`: an L40S with FP8 weights has the traits gddr and fp8.
    """
    card = deployment.accelerator
    found = [memory_kind(card.memory_type), kernel_on(deployment.weights, card)]
    if card.vendor.lower() in OWN_BACK_ENDS:
        found.append(card.vendor.lower())
    if deployment.model.n_experts:
        found.append("moe")
    if deployment.parallelism.attention_dp:
        found.append("data-parallel")
    return tuple(found)
