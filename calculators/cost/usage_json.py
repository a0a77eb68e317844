"""Usage logs as JSON: lines, arrays, pages of buckets, columns, spans and Prometheus answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from calculators.cost.usage_columns import choose_columns
from calculators.cost.usage_raw import Progress, RawTable, UsageLogError

_N_SAMPLES = 500
_MAX_DEPTH = 6
_MAX_KEYS = 400
_REPORT_EVERY = 50_000
Path = tuple[str, ...]
Record = dict[str, Any]


def read_json(text: str, *, progress: Progress = None) -> RawTable:
    """Return the requests or buckets of a JSON text as columns, cells unparsed.

    Parameters
    ----------
    text : str [JSON lines, a JSON array, or one or more JSON objects]
    progress : callable or None [called with the share done, 0 to 1]

    Returns
    -------
    table : RawTable

    Raises
    ------
    UsageLogError
        If there is no JSON, or no record holds input and output tokens.

    Notes
    -----
    A list inside a record (the results of a bucket) becomes rows that inherit the record's own
    fields. Lines that are not JSON are counted. Basis: as given.

    References
    ----------
    RFC 8259; https://jsonlines.org

    Examples
    --------
    >>> read_json('{"ts": 5, "prompt_tokens": 9, "completion_tokens": 2}').columns["input"]
    [9]
    """
    table = RawTable()
    records = _records(text, table, progress)
    first = list(islice(records, _N_SAMPLES))
    if not first:
        raise UsageLogError("The file holds no JSON object that could be read as a request.")
    have_columns = any(_column_lists(record) for record in first)
    if have_columns or not _owns_tokens(first, any(_child_lists(record) for record in first)):
        unwrapped = (row for record in chain(first, records) for row in _unwrap(record, {}))
        first = list(islice(unwrapped, _N_SAMPLES))
        records = unwrapped
    samples = _samples(first)
    roles = choose_columns({".".join(path): cells for path, cells in samples.items()})
    if "output" not in roles or not {"input", "uncached", "total"} & roles.keys():
        raise UsageLogError(_no_tokens_message(samples, text))
    paths = {".".join(path): path for path in samples}
    table.all_names = tuple(paths)
    _fill(table, chain(first, records), {r: [paths[n] for n in ns] for r, ns in roles.items()})
    return table


def _records(text: str, table: RawTable, progress: Progress) -> Iterator[Record]:
    start = text.lstrip()[:1]
    first_line = text.lstrip().partition("\n")[0]
    found = _lines(text, table) if start == "{" and _is_object(first_line) else _stream(text, table)
    for number, (position, value) in enumerate(found):
        if progress and number % _REPORT_EVERY == 0:
            progress(position / max(len(text), 1))
        if isinstance(value, dict):
            yield value
        else:
            table.reject("not a JSON object", str(value)[:80])


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _lines(text: str, table: RawTable) -> Iterator[tuple[int, Any]]:
    start, number = 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line, number = text[start:end].strip(), number + 1
        start = end + 1
        if line:
            try:
                yield start, json.loads(line)
            except (ValueError, RecursionError):
                table.reject("line is not JSON", f"line {number}: {line}")


def _stream(text: str, table: RawTable) -> Iterator[tuple[int, Any]]:
    decoder, position = json.JSONDecoder(), len(text) - len(text.lstrip())
    if text[position : position + 1] == "[":
        position += 1
    while True:
        while position < len(text) and text[position] in " \t\r\n,]":
            position += 1
        if position >= len(text):
            return
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            table.reject("the rest of the file is not JSON", text[position : position + 80])
            return
        yield position, value


def _owns_tokens(records: list[Record], have_children: bool) -> bool:
    samples = _samples(records)
    roles = choose_columns({".".join(path): cells for path, cells in samples.items()})
    owned = "output" in roles and bool({"input", "uncached", "total"} & roles.keys())
    return owned and ("time" in roles or not have_children)


def _samples(records: list[Record]) -> dict[Path, list[Any]]:
    samples: dict[Path, list[Any]] = {}
    for record in records:
        for path, value in _scalars(record):
            samples.setdefault(path, []).append(value)
    return samples


def _scalars(record: Record, prefix: Path = ()) -> Iterator[tuple[Path, Any]]:
    for key, value in islice(record.items(), _MAX_KEYS):
        if isinstance(value, dict):
            if len(prefix) < _MAX_DEPTH:
                yield from _scalars(value, (*prefix, key))
        elif not isinstance(value, list):
            yield (*prefix, key), value[:200] if isinstance(value, str) else value


def _unwrap(record: Record, inherited: Record, depth: int = 0) -> Iterator[Record]:
    columns = _column_lists(record)
    if columns:
        rows = zip(*columns.values(), strict=True)
        yield from (dict(zip(columns, row, strict=True)) for row in rows)
        return
    record = _named_attributes(record)
    own = {**inherited, **{k: v for k, v in record.items() if not isinstance(v, list)}}
    children = _child_lists(record)
    if depth >= _MAX_DEPTH or not children or _owns_tokens([own], True):
        yield own
    elif any("metric" in child and "values" in child for child in children):
        yield from _prometheus_rows(children)
    else:
        scalars = {k: v for k, v in own.items() if not isinstance(v, dict)}
        for child in children:
            yield from _unwrap(child, scalars, depth + 1)


def _child_lists(record: Record, depth: int = 0) -> list[Record]:
    children: list[Record] = []
    for value in record.values():
        if isinstance(value, list):
            children += [item for item in value if isinstance(item, dict)]
        elif isinstance(value, dict) and depth < 2:
            children += _child_lists(value, depth + 1)
    return children


def _column_lists(record: Record) -> dict[str, list[Any]]:
    lists = {k: v for k, v in record.items() if isinstance(v, list) and v}
    flat = {k: v for k, v in lists.items() if not isinstance(v[0], dict | list)}
    roles = choose_columns({key: values[:50] for key, values in flat.items()})
    if "input" not in roles or "output" not in roles:
        return {}
    length = len(flat[roles["input"][0]])
    return {key: values for key, values in flat.items() if len(values) == length}


def _named_attributes(record: Record) -> Record:
    attributes = record.get("attributes")
    if not isinstance(attributes, list):
        return record
    named = {}
    for item in attributes:
        if isinstance(item, dict) and isinstance(item.get("key"), str):
            value = item.get("value")
            boxed = next(iter(value.values()), None) if isinstance(value, dict) else value
            named[item["key"]] = boxed
    return {**record, "attributes": named}


def _prometheus_rows(children: list[Record]) -> Iterator[Record]:
    rows: dict[tuple[str, float], Record] = {}
    for child in children:
        metric, values = child.get("metric"), child.get("values")
        if not isinstance(metric, dict) or not isinstance(values, list):
            continue
        labels = {k: v for k, v in metric.items() if k not in ("__name__", "le", "finished_reason")}
        series = json.dumps(labels, sort_keys=True, default=str)
        name = str(metric.get("__name__", ""))
        for pair in values:
            if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], int | float):
                row = rows.setdefault((series, pair[0]), {"timestamp": pair[0], "instance": series})
                row[name] = pair[1]
    yield from rows.values()


def _fill(table: RawTable, records: Iterator[Record], roles: dict[str, list[Path]]) -> None:
    slots: dict[str, list[Path]] = {r: paths for r, paths in roles.items() if r != "cache_write"}
    for index, path in enumerate(roles.get("cache_write", [])):
        slots[f"cache_write{index + 1}" if index else "cache_write"] = [path]
    table.names = {slot: ".".join(paths[0]) for slot, paths in slots.items()}
    table.columns = {slot: [] for slot in slots}
    plan = [(table.columns[slot].append, paths) for slot, paths in slots.items()]
    for record in records:
        for append, paths in plan:
            append(_first_value(record, paths))


def _first_value(record: Record, paths: list[Path]) -> Any:
    for path in paths:
        value: Any = record
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
            if value is None:
                break
        if value is not None and not isinstance(value, dict | list):
            return value
    return None


def _no_tokens_message(samples: dict[Path, list[Any]], text: str) -> str:
    names = ", ".join(sorted(".".join(path)[:60] for path in samples)[:12]) or "none"
    hint = ""
    if '"conversations"' in text[:20_000] or '"messages"' in text[:20_000]:
        hint = " It holds conversations as text: count their tokens first."
    return f"No fields of input and output tokens were found; the fields are: {names}.{hint}"
