"""What an API asks for requests: tiers by prompt length, cached input, cache writes, batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calculators.specs import ApiPrice, ApiRates, PriceTier
from calculators.units import MEGA

_ROUNDING = 1e-9


def tier_usd_mtok(tiers: tuple[PriceTier, ...], *, prompt_tok: ArrayLike) -> NDArray[np.float64]:
    """The price per million tokens that a prompt's length selects.

    The whole request is priced at the highest tier that its prompt exceeds:
    price = tiers[j], j the largest with prompt > above_j (the first tier for an empty prompt).

    Parameters
    ----------
    tiers : tuple of PriceTier
        By rising `above_tok`, the first above 0; empty means free.
    prompt_tok : array_like [tok], >= 0, broadcasts
        All input tokens of the request, cached ones included.

    Returns
    -------
    ndarray [USD per million tokens], shape of prompt_tok

    Notes
    -----
    A cliff, as providers bill: one token more can raise the price of all. Basis `measured`.

    References
    ----------
    genai-prices 0.2.3, TieredPrices (read 2026-11-30).

    Examples
    --------
    >>> steps = (PriceTier(above_tok=0, usd_mtok=3), PriceTier(above_tok=200_000, usd_mtok=6))
    >>> tier_usd_mtok(steps, prompt_tok=[0, 200_000, 200_001]).tolist()
    [3.0, 3.0, 6.0]
    """
    prompt = np.asarray(prompt_tok, dtype=np.float64)
    if not tiers:
        return np.zeros(prompt.shape)
    bounds = np.array([tier.above_tok for tier in tiers], dtype=np.float64)
    prices = np.array([tier.usd_mtok for tier in tiers])
    chosen = np.searchsorted(bounds, prompt, side="left") - 1
    return prices[np.clip(chosen, 0, None)]


def usd_per_request(
    rates: ApiRates,
    *,
    input_tok: ArrayLike,
    output_tok: ArrayLike,
    cached_tok: ArrayLike = 0.0,
    cache_write_tok: ArrayLike = 0.0,
) -> NDArray[np.float64]:
    """The price of one request at one set of rates.

    usd = (fresh x input + cached x cache_read + written x cache_write + output x output) / 10^6,
    fresh = input - cached - written; every rate is that of the prompt's tier.

    Parameters
    ----------
    rates : ApiRates
        USD per million tokens.
    input_tok : array_like [tok], >= 0, broadcasts
        All input tokens, those read from and written to the cache included.
    output_tok : array_like [tok], >= 0, broadcasts
        Reasoning tokens included.
    cached_tok, cache_write_tok : array_like [tok], >= 0, broadcasts
        Input tokens read from, and written to, the provider's cache.

    Returns
    -------
    ndarray [USD per request], broadcast shape

    Raises
    ------
    ValueError
        Where a count is negative, or cached and written tokens exceed the input.

    Notes
    -----
    Cached or written tokens without a price of their own cost as much as other input. Left out:
    prices per request, search, image and storage, which makes the bill too low for those who use
    them. Basis `measured` (list prices).

    Examples
    --------
    >>> one = lambda usd: (PriceTier(above_tok=0, usd_mtok=usd),)
    >>> rates = ApiRates(input=one(3), output=one(15), cache_read=one(0.3))
    >>> float(usd_per_request(rates, input_tok=1e6, cached_tok=5e5, output_tok=1e5))
    3.15
    """
    prompt, output, cached, written = _counts(input_tok, output_tok, cached_tok, cache_write_tok)
    fresh = np.maximum(prompt - cached - written, 0.0)
    usd = fresh * tier_usd_mtok(rates.input, prompt_tok=prompt)
    usd = usd + cached * tier_usd_mtok(rates.cache_read or rates.input, prompt_tok=prompt)
    usd = usd + written * tier_usd_mtok(rates.cache_write or rates.input, prompt_tok=prompt)
    usd = usd + output * tier_usd_mtok(rates.output, prompt_tok=prompt)
    return usd / MEGA


def _counts(*given: ArrayLike) -> tuple[NDArray[np.float64], ...]:
    names = ("input_tok", "output_tok", "cached_tok", "cache_write_tok")
    counts = tuple(np.asarray(count, dtype=np.float64) for count in given)
    for name, count in zip(names, counts, strict=True):
        if not np.all(count >= 0):
            raise ValueError(f"{name} is {np.min(count):g}, it must be at least 0")
    prompt, _, cached, written = counts
    if np.any(cached + written > prompt * (1 + _ROUNDING) + _ROUNDING):
        raise ValueError(
            f"cached_tok and cache_write_tok are up to {np.max(cached + written):g} together, "
            f"they must be at most input_tok ({np.max(prompt):g}), of which they are a part"
        )
    return counts


def api_cost_usd(
    price: ApiPrice,
    *,
    input_tok: ArrayLike,
    output_tok: ArrayLike,
    cached_tok: ArrayLike = 0.0,
    cache_write_tok: ArrayLike = 0.0,
    batch_frac: ArrayLike = 0.0,
    off_peak_frac: ArrayLike = 0.0,
    requests: ArrayLike = 1,
) -> NDArray[np.float64]:
    """What a provider asks for a number of equal requests.

    usd = requests x ((1 - b) x ((1 - o) x standard + o x off-peak) + b x batch), with the share b
    sent as batch and, of the rest, the share o in cheap hours.

    Parameters
    ----------
    price : ApiPrice
        Price list of one provider for one model.
    input_tok, output_tok : array_like [tok per request], >= 0, broadcasts
        All input and all output tokens; the input of one request decides its tier.
    cached_tok, cache_write_tok : array_like [tok per request], >= 0, broadcasts
        Parts of the input that are read from and written to the provider's cache.
    batch_frac, off_peak_frac : array_like, 0 to 1, broadcasts
        Shares of the requests. Without a batch or off-peak price they cost the standard price.
    requests : array_like, >= 0, broadcasts
        Number of requests.

    Returns
    -------
    ndarray [USD], broadcast shape

    Raises
    ------
    ValueError
        Where a share is not 0 to 1 or a token count is impossible.

    Notes
    -----
    Equal requests: with mixed lengths pass arrays and sum, as tiers depend on each length.
    `api_cost_notes` says in words which prices were not in the list. Basis `measured`.

    References
    ----------
    genai-prices, of the version that the price names.

    Examples
    --------
    >>> from datetime import date
    >>> from calculators.specs import Source
    >>> one = lambda usd: (PriceTier(above_tok=0, usd_mtok=usd),)
    >>> day = date(2026, 11, 10)
    >>> price = ApiPrice(id="a/b", provider="a", provider_name="A", model="b", name="B",
    ...     rates=ApiRates(input=one(2), output=one(8)),
    ...     batch=ApiRates(input=one(1), output=one(4)),
    ...     listed=day, source=Source(title="t", checked=day))
    >>> usd = api_cost_usd(price, input_tok=1000, output_tok=500, batch_frac=0.5, requests=1000)
    >>> round(float(usd), 6)
    4.5
    """
    batch_share, cheap_share = (
        _share("batch_frac", batch_frac),
        _share("off_peak_frac", off_peak_frac),
    )
    tokens = {
        "input_tok": input_tok,
        "output_tok": output_tok,
        "cached_tok": cached_tok,
        "cache_write_tok": cache_write_tok,
    }
    standard = usd_per_request(price.rates, **tokens)
    batch = usd_per_request(price.batch, **tokens) if price.batch else standard
    cheap = usd_per_request(price.off_peak, **tokens) if price.off_peak else standard
    now = (1 - cheap_share) * standard + cheap_share * cheap
    return np.asarray(requests) * ((1 - batch_share) * now + batch_share * batch)


def _share(name: str, value: ArrayLike) -> NDArray[np.float64]:
    share = np.asarray(value, dtype=np.float64)
    if not np.all((share >= 0) & (share <= 1)):
        raise ValueError(f"{name} is {value!r}, it must be from 0 to 1")
    return share


def api_cost_notes(
    price: ApiPrice, *, cached: bool = False, cache_write: bool = False, batch: bool = False
) -> tuple[str, ...]:
    """What the price list lacks of what is asked for, in words for the page.

    Parameters
    ----------
    price : ApiPrice
    cached, cache_write, batch : bool
        Whether the scenario uses cached input, cache writes, batch.

    Returns
    -------
    tuple of str
        One sentence each; empty where the list has it all.

    Examples
    --------
    >>> from datetime import date
    >>> from calculators.specs import Source
    >>> day = date(2026, 11, 10)
    >>> price = ApiPrice(id="a/b", provider="a", provider_name="A", model="b", name="B",
    ...     rates=ApiRates(), listed=day, source=Source(title="t", checked=day))
    >>> api_cost_notes(price, batch=True)
    ('The list has no price for batch; it is priced as standard requests.',)
    """
    lacks = (
        (cached and not price.rates.cache_read, "cached input; it is priced as other input"),
        (cache_write and not price.rates.cache_write, "cache writes; they are priced as input"),
        (batch and price.batch is None, "batch; it is priced as standard requests"),
    )
    notes = [f"The list has no price for {what}." for missing, what in lacks if missing]
    if price.off_peak_note:
        notes.append(
            f"The price depends on the hour ({price.off_peak_note}); the dear one is used."
        )
    if price.comment:
        notes.append(price.comment)
    return tuple(notes)
