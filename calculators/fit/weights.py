"""Bytes of weights: by parameter group, on the fullest card, and touched by one step."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from calculators.fit.position_table import position_table_bytes
from calculators.fit.sharding import card_shares
from calculators.specs import LANGUAGE_GROUPS, Deployment, ModelSpec, WeightFormat
from calculators.units import BITS_PER_BYTE

UNQUANTISED_BITS = 16.0  # of towers and norms, unless a format says otherwise


def effective_bits(
    *, bits: ArrayLike, group_size: ArrayLike, scale_bits: ArrayLike = 0, zero_bits: ArrayLike = 0
) -> np.ndarray:
    """Bits per weight of a grouped format, with its scales and zero points.

    effective = bits + (scale_bits + zero_bits) / group_size

    Parameters
    ----------
    bits : float or array [bits]
        Bits of one stored weight, above 0; broadcasts.
    group_size : float or array [weights]
        Weights that share one scale, at least 1; broadcasts.
    scale_bits, zero_bits : float or array [bits]
        Bits of one scale and of one zero point, at least 0; broadcasts.

    Returns
    -------
    array [bits]
        Effective bits per weight, in the broadcast shape.

    Raises
    ------
    ValueError
        If `group_size` is below 1.

    Notes
    -----
    Basis: bound. Second-level scales and padding are left out: real files are a little larger.

    References
    ----------
    Frantar et al., GPTQ, arXiv 2210.17323 (grouped scales; from knowledge, not re-read).

    Examples
    --------
    The reference affine format, two 16-bit endpoints for each 128 weights:

    >>> float(effective_bits(bits=4, group_size=128, scale_bits=16, zero_bits=16))
    4.25
    """
    if np.any(np.asarray(group_size) < 1):
        raise ValueError(f"group_size is {group_size!r}; it must be at least 1")
    overhead_bits = np.add(scale_bits, zero_bits) / np.asarray(group_size)
    return np.asarray(bits, dtype=float) + overhead_bits


def weight_bytes(*, n_params: ArrayLike, bits: ArrayLike) -> np.ndarray:
    """Bytes that weights take: parameters x bits / 8.

    Parameters
    ----------
    n_params : float or array [parameters]
        At least 0; broadcasts.
    bits : float or array [bits]
        Effective bits per weight, above 0; broadcasts.

    Returns
    -------
    array [bytes]
        In the broadcast shape.

    Notes
    -----
    Basis: bound. What a checkpoint leaves unquantised is counted by `group_weight_bytes`.

    References
    ----------
    Definition.

    Examples
    --------
    >>> float(weight_bytes(n_params=70e9, bits=4))
    35000000000.0
    """
    return np.multiply(n_params, np.asarray(bits, dtype=float)) / BITS_PER_BYTE


def group_weight_bytes(model: ModelSpec, fmt: WeightFormat) -> dict[str, float]:
    """Bytes of each parameter group of a model in a weight format.

    bytes = count x bits of the group / 8

    Parameters
    ----------
    model : ModelSpec
        Parameter counts by group.
    fmt : WeightFormat
        `group_bits` override `bits`; `whole_file_bits` (GGUF) is an average over the language
        model. Norms, routers and towers stay at 16 bits unless `group_bits` names them.

    Returns
    -------
    dict of str to float [bytes]
        embedding, head, attention, dense_mlp, routed_experts, shared_experts, rest,
        towers (vision, audio) and mtp (draft layers, loaded only to speculate).

    Notes
    -----
    Basis: calibrated for GGUF (published file averages), bound else. A GGUF average over one
    model errs by a few percent on another: its mix of types depends on the shape.

    References
    ----------
    Published checkpoints and file sizes, as cited in catalogs/formats.yaml.

    Examples
    --------
    Four bits, but the embedding in 16: 1,000 x 2 and 8,000 / 2 bytes.

    >>> from types import SimpleNamespace as Shape
    >>> from calculators.specs import ParameterCounts
    >>> model = Shape(parameters=ParameterCounts(embedding=1000, dense_mlp=8000))
    >>> fmt = Shape(bits=4, whole_file_bits=None, group_bits={"embedding": 16})
    >>> sizes = group_weight_bytes(model, fmt)
    >>> sizes["embedding"], sizes["dense_mlp"]
    (2000.0, 4000.0)
    """
    counts = model.parameters
    if fmt.whole_file_bits is not None:
        bits = dict.fromkeys((*LANGUAGE_GROUPS, "mtp"), fmt.whole_file_bits)
        bits["towers"] = fmt.group_bits.get("towers", UNQUANTISED_BITS)
    else:
        bits = dict.fromkeys((*LANGUAGE_GROUPS, "mtp"), fmt.bits)
        bits |= {"rest": UNQUANTISED_BITS, "towers": UNQUANTISED_BITS} | fmt.group_bits
    return {
        group: getattr(counts, group) * bits[group] / BITS_PER_BYTE
        for group in (*LANGUAGE_GROUPS, "towers", "mtp")
    }


def card_group_bytes(deployment: Deployment) -> dict[str, float]:
    """Bytes of each parameter group on the fullest card; what is not loaded is 0.

    Parameters
    ----------
    deployment : Deployment
        Model, format, engine and parallelism.

    Returns
    -------
    dict of str to float [bytes]
        Draft (mtp) layers are 0: they are loaded only to speculate. Under pipeline stages the
        larger of embedding and head counts, for each lies on another stage.

    Notes
    -----
    Basis: as `group_weight_bytes`. An engine that keeps the embedding in host memory
    (llama.cpp) holds none of it on the card unless it doubles as the head.

    References
    ----------
    ggml-org/llama.cpp#11861: the start-up log lists the token embedding as CPU-mapped.

    Examples
    --------
    See `group_weight_bytes` and `card_shares`, whose product this is.
    """
    model, parallelism = deployment.model, deployment.parallelism
    shares = card_shares(model, parallelism, deployment.weights)
    held = {
        group: size * shares[group]
        for group, size in group_weight_bytes(model, deployment.weights).items()
    }
    held["mtp"] = 0.0
    if deployment.engine.memory.embedding_on_host and not model.tied_embeddings:
        held["embedding"] = 0.0
    if parallelism.pp > 1:
        smaller = "embedding" if held["embedding"] < held["head"] else "head"
        held[smaller] = 0.0
    return held


def card_weight_bytes(deployment: Deployment) -> float:
    """Bytes of weights that the fullest card of a replica holds, towers included.

    sum over `card_group_bytes` + the position table (longest context x rotated width x 2 bytes)

    Parameters
    ----------
    deployment : Deployment
        Model, format, engine and parallelism.

    Returns
    -------
    float [bytes]
        Of one card.

    Notes
    -----
    Basis: as `group_weight_bytes`; against printed logs the median error is about 1 %.

    References
    ----------
    As `group_weight_bytes`.

    Examples
    --------
    See `position_table_bytes`: Llama 3.1 8B in 16 bits prints 14.9888 GiB.
    """
    return sum(card_group_bytes(deployment).values()) + position_table_bytes(deployment)


def touched_weight_bytes(deployment: Deployment) -> tuple[float, float]:
    """Bytes of weights on one card that a decode step can read: dense, and routed experts.

    The embedding is looked up, not read, unless it doubles as the output head.

    Parameters
    ----------
    deployment : Deployment
        Model, format, engine and parallelism.

    Returns
    -------
    tuple of float [bytes]
        Everything but routed experts; all routed experts (the speed model takes the share that
        a batch touches). Towers and draft layers are left out.

    Notes
    -----
    Basis: as `group_weight_bytes`.

    Examples
    --------
    See tests: all of a dense model but its embedding.
    """
    held = card_group_bytes(deployment)
    model = deployment.model
    dense = sum(
        held[group] for group in ("head", "attention", "dense_mlp", "shared_experts", "rest")
    )
    if model.tied_embeddings:
        dense += held["embedding"]
    return dense, held["routed_experts"]
