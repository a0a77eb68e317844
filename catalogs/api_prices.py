"""API price lists of the installed genai-prices package, read without a network."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from importlib.metadata import version
from typing import Any

from calculators.specs import ApiPrice, ApiRates, PriceTier, Source
from catalogs.yaml_reader import CatalogError

PACKAGE = "genai-prices"
URL = "https://github.com/pydantic/genai-prices"
KEYS = {
    "input": "input_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "output": "output_mtok",
}
_SHOWN_AT = 12  # noon UTC, for models without a price by time of day


def api_prices(asof: date, releases: dict[str, date]) -> dict[str, ApiPrice]:
    """Every text model of the package that has a price for input and output tokens, by id.

    Prices with a start date are those of `asof`. Where a price depends on the time of day,
    `rates` are the dearer hours and `off_peak` the cheaper ones.

    Parameters
    ----------
    asof : date
        Day of the prices.
    releases : dict
        Known release days of the package, by version; an unknown version shows the newest
        start date among its own prices instead, and says so.

    Returns
    -------
    dict of str to ApiPrice
        By "provider/model".

    Notes
    -----
    The package dates no single price: `listed` is the day the list was released. Prices per
    request, search, image, audio and page are left out; they add to a text model's bill.
    """
    from genai_prices.data import providers

    listed, title = _listed(providers, releases)
    source = Source(title=title, url=URL, checked=listed, grade="B")
    found = (
        _price(provider, model, asof, listed, source)
        for provider in providers
        for model in provider.models
    )
    return {price.id: price for price in found if price}


def _listed(providers: Any, releases: dict[str, date]) -> tuple[date, str]:
    installed = version(PACKAGE)
    if installed in releases:
        return releases[installed], f"{PACKAGE} {installed}, released on that day"
    starts = [day for provider in providers for m in provider.models for day in _start_days(m)]
    title = f"{PACKAGE} {installed}, release day unknown: the day of its newest dated price"
    return max(starts), title


def _start_days(model: Any) -> Iterable[date]:
    conditional = model.prices if isinstance(model.prices, list) else []
    for item in (*conditional, *(model.price_variants or ())):
        day = getattr(item.constraint, "start_date", None)
        if day:
            yield day


def _price(provider: Any, model: Any, asof: date, listed: date, source: Source) -> ApiPrice | None:
    rates, off_peak, note = _by_hour(model, asof)
    if not rates or not rates.input or not rates.output:
        return None
    noon = datetime(asof.year, asof.month, asof.day, _SHOWN_AT, tzinfo=UTC)
    batch = None
    if any(variant.when == {"processing": "batch"} for variant in model.price_variants or ()):
        batch = _rates(model.get_prices(noon, {"processing": "batch"}))
    return ApiPrice.model_construct(
        id=f"{provider.id}/{model.id}",
        provider=provider.id,
        provider_name=provider.name,
        model=model.id,
        name=model.name or model.id,
        context_tok=model.context_window,
        rates=rates,
        batch=batch if batch != rates else None,
        off_peak=off_peak,
        off_peak_note=note,
        comment=_comment(model, noon),
        listed=listed,
        source=source,
        origin="catalog",
    )


def _comment(model: Any, noon: datetime) -> str | None:
    """The package's own remark, and a fee per request, which the rates leave out."""
    remarks = [" ".join(model.price_comments.split())] if model.price_comments else []
    fee = model.get_prices(noon).__dict__.get("requests_kcount")
    if fee is not None:
        usd = getattr(fee, "base", fee)
        remarks.append(f"Not included: {float(usd):g} USD per thousand requests.")
    return " ".join(remarks) or None


def _by_hour(model: Any, asof: date) -> tuple[ApiRates | None, ApiRates | None, str | None]:
    """Rates of the dear hours, of the cheap hours, and which hours are cheap (UTC)."""
    conditional = model.prices if isinstance(model.prices, list) else []
    if not any(hasattr(item.constraint, "start_time") for item in conditional):
        return _rates(model.get_prices(_at(asof, 12 * 60))), None, None
    minutes = range(0, 24 * 60, 30)
    by_time = [_rates(model.get_prices(_at(asof, minute))) for minute in minutes]
    dear = max(by_time, key=_dearness)
    cheap = min(by_time, key=_dearness)
    if dear == cheap:
        return dear, None, None
    hours = _spans([rates == cheap for rates in by_time])
    return dear, cheap, f"cheaper {hours} UTC"


def _at(day: date, minute: int) -> datetime:
    return datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=UTC)


def _dearness(rates: ApiRates) -> float:
    return sum(tiers[0].usd_mtok for tiers in (rates.input, rates.output) if tiers)


def _spans(cheap: list[bool]) -> str:
    """Half hours marked cheap, as "00:30-16:30" spans; a span may cross midnight."""
    n = len(cheap)
    starts = [i for i in range(n) if cheap[i] and not cheap[i - 1]]
    ends = [i for i in range(n) if not cheap[i] and cheap[i - 1]]
    pairs = [(start, next((e for e in ends if e > start), ends[0])) for start in starts]
    return " and ".join(f"{_clock(start)}-{_clock(end)}" for start, end in pairs)


def _clock(half_hour: int) -> str:
    return f"{half_hour // 2:02d}:{half_hour % 2 * 30:02d}"


def _rates(price: Any) -> ApiRates:
    given = price.__dict__
    tiers: Any = {name: _tiers(given.get(package_key)) for name, package_key in KEYS.items()}
    return ApiRates.model_construct(**tiers)


def _tiers(price: Any) -> tuple[PriceTier, ...]:
    if price is None:
        return ()
    pairs = [(0, getattr(price, "base", price))]
    pairs += [(tier.start, tier.price) for tier in getattr(price, "tiers", ())]
    return tuple(
        PriceTier.model_construct(above_tok=start, usd_mtok=float(usd)) for start, usd in pairs
    )


def with_api_defaults(entry: dict[str, Any], key: str, where: str, *, new: bool) -> dict[str, Any]:
    """An override's entry with rates as tiers and, for a new id, the names that the id implies.

    A rate may be one number [USD per million tokens] instead of a list of tiers.
    """
    entry = dict(entry)
    for name in ("rates", "batch", "off_peak"):
        if isinstance(entry.get(name), dict):
            entry[name] = {
                kind: _as_tiers(value, f"{where}: {name}: {kind}")
                for kind, value in entry[name].items()
            }
    if not new:
        return entry
    provider, _, model = key.partition("/")
    implied = {
        "id": key,
        "provider": provider,
        "provider_name": provider,
        "model": model or key,
        "name": model or key,
        "listed": entry["source"].get("checked"),
    }
    return implied | entry


def _as_tiers(value: Any, where: str) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return ({"above_tok": 0, "usd_mtok": value},)
    if isinstance(value, list):
        steps = [step.get("above_tok") if isinstance(step, dict) else None for step in value]
        counts = [step for step in steps if isinstance(step, int)]
        if len(counts) == len(steps) and (not counts or counts[0] or counts != sorted(set(counts))):
            raise CatalogError(f"{where}: above_tok is {steps}, it must start at 0 and rise")
    return value
