"""Naive against cached generation on the smallest model that has a KV cache, with counted work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import LabError

Array = NDArray[np.float64]
REFERENCE_PROMPT = (5, 9, 2, 41)


@dataclass(slots=True)
class Work:
    """Operations counted while a loop runs; `cache_rows` is the most that was held."""

    proj: int = 0  # rows projected to q, k or v
    scores: int = 0  # elements of the score matrix
    cache_rows: int = 0


@dataclass(frozen=True, slots=True)
class OneLayerModel:
    """An embedding, one causal attention layer and a projection to the vocabulary."""

    embedding: Array
    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    w_lm: Array

    @property
    def n_vocab(self) -> int:
        return self.embedding.shape[0]


@dataclass(frozen=True, slots=True)
class Generation:
    """Tokens of a loop, prompt first, and the work that it took."""

    tokens: tuple[int, ...]
    work: Work = field(default_factory=Work)

    def new_tokens(self, n_prompt: int) -> tuple[int, ...]:
        return self.tokens[n_prompt:]


def one_layer_model(*, seed: int = 0, n_vocab: int = 64, width: int = 32) -> OneLayerModel:
    """A random one-layer model; seed 0 is the reference's.

    Parameters
    ----------
    seed : int [1]
        Of the random generator.
    n_vocab, width : int [1]
        Vocabulary and model width, 1 or more.

    Returns
    -------
    OneLayerModel

    Notes
    -----
    Not a good language model: the smallest thing whose structure makes a cache work.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> one_layer_model().w_lm.shape
    (32, 64)
    """
    rng = np.random.default_rng(seed)
    shapes = [(n_vocab, width), *[(width, width)] * 4, (width, n_vocab)]
    return OneLayerModel(*(rng.normal(size=shape) * 0.1 for shape in shapes))


def generate_naive(
    model: OneLayerModel, *, prompt: Sequence[int] = REFERENCE_PROMPT, n_new_tok: int = 60
) -> Generation:
    """Run the whole sequence through the model again for every new token.

    work = sum over the lengths t of 3 t projected rows and t^2 scores: n^2 and n^3

    Parameters
    ----------
    model : OneLayerModel
        To run.
    prompt : sequence of int [token ids]
        At least one, each in the vocabulary.
    n_new_tok : int [tokens]
        0 or more.

    Returns
    -------
    Generation
        Greedy tokens and counted work.

    Raises
    ------
    LabError
        An empty prompt or an unknown token.

    Notes
    -----
    Basis `measured`: counted as it runs. Masked scores count, since they are computed.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> generate_naive(one_layer_model(), prompt=[1], n_new_tok=2).work
    Work(proj=9, scores=5, cache_rows=0)
    """
    tokens, work = _checked(model, prompt), Work()
    for _ in range(n_new_tok):
        logits, _, _ = _whole_pass(model, tokens, work)
        tokens.append(int(np.argmax(logits)))
    return Generation(tuple(tokens), work)


def generate_cached(
    model: OneLayerModel, *, prompt: Sequence[int] = REFERENCE_PROMPT, n_new_tok: int = 60
) -> Generation:
    """Keep keys and values, so that each new token runs alone.

    work = one pass over the prompt, then 3 rows and t scores for each token: n and n^2

    Parameters
    ----------
    model, prompt, n_new_tok
        As `generate_naive`.

    Returns
    -------
    Generation
        The same tokens, less work; `cache_rows` keys (and as many values) are held at the end.

    Raises
    ------
    LabError
        An empty prompt or an unknown token.

    Notes
    -----
    Basis `measured`: counted as it runs. A cache is sound, not an approximation: under a causal
    mask a token's key and value depend on nothing after it. The last step's logits go unused.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> generate_cached(one_layer_model(), prompt=[1], n_new_tok=2).work
    Work(proj=9, scores=6, cache_rows=3)
    """
    tokens, work = _checked(model, prompt), Work()
    n_held = len(tokens)
    logits, keys, values = _whole_pass(model, tokens, work)
    cache_k, cache_v = (_with_room(rows, n_new_tok) for rows in (keys, values))
    for _ in range(n_new_tok):
        tokens.append(int(np.argmax(logits)))
        x = model.embedding[tokens[-1]]
        cache_k[n_held], cache_v[n_held] = x @ model.w_k, x @ model.w_v
        n_held += 1
        scores = cache_k[:n_held] @ (x @ model.w_q) / np.sqrt(x.size)
        work.proj += 3
        work.scores += n_held
        logits = _softmax(scores) @ cache_v[:n_held] @ model.w_o @ model.w_lm
    work.cache_rows = n_held
    return Generation(tuple(tokens), work)


def _checked(model: OneLayerModel, prompt: Sequence[int]) -> list[int]:
    tokens = list(prompt)
    if not tokens or not all(0 <= token < model.n_vocab for token in tokens):
        raise LabError(f"prompt: {tokens} given; one or more of 0 to {model.n_vocab - 1} allowed")
    return tokens


def _with_room(rows: Array, n_new: int) -> Array:
    return np.concatenate([rows, np.empty((n_new, rows.shape[1]))])


def _whole_pass(model: OneLayerModel, tokens: list[int], work: Work) -> tuple[Array, Array, Array]:
    """Logits of the last position, and the keys and values of all."""
    x = model.embedding[tokens]
    n_tok, width = x.shape
    q, k, v = x @ model.w_q, x @ model.w_k, x @ model.w_v
    work.proj += 3 * n_tok
    scores = q @ k.T / np.sqrt(width)
    work.scores += n_tok * n_tok
    future = np.triu(np.ones((n_tok, n_tok), dtype=bool), 1)
    context = _softmax(np.where(future, -np.inf, scores)) @ v
    return (context @ model.w_o @ model.w_lm)[-1], k, v


def _softmax(scores: Array) -> Array:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
