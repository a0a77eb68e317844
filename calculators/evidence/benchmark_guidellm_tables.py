"""guidellm's CSV files as its JSON reports."""

from __future__ import annotations

import json
from typing import Any

from calculators.evidence.benchmark_keys import plain
from calculators.evidence.benchmark_text import BenchmarkFileError, number, table_records

Object = dict[str, Any]
_MARK = "successful_time_to_first_token_ms_"
_STATISTICS = ("mean", "median")


def is_guidellm_table(rows: list[list[str]]) -> bool:
    """Whether CSV rows are a table of guidellm.

    Examples
    --------
    >>> is_guidellm_table([["Type", "Successful Time to first token ms mean"]])
    True
    """
    if not rows:
        return False
    head = [plain(cell) for cell in rows[0]]
    return head[0] == "run_info" or any(name.startswith(_MARK) for name in head)


def guidellm_table_report(rows: list[list[str]]) -> Object:
    """The report that a table of guidellm 0.2 or 0.3 holds, one benchmark in a line.

    Parameters
    ----------
    rows : of the CSV file

    Returns
    -------
    dict as the JSON report has it

    Raises
    ------
    BenchmarkFileError
        a table of later versions, whose header takes three lines

    Examples
    --------
    >>> rows = [["Successful Requests", "Successful Time to first token ms median"], ["5", "20"]]
    >>> guidellm_table_report(rows)["benchmarks"][0]["metrics"]
    {'time_to_first_token_ms': {'successful': {'median': 20.0}}}
    """
    if plain(rows[0][0]) == "run_info":
        raise BenchmarkFileError(
            "The file is guidellm's CSV with a header of three lines, which is not read: save its "
            "JSON (--outputs json)."
        )
    return {"benchmarks": [_benchmark(record) for record in table_records(rows)]}


def _benchmark(record: dict[str, str]) -> Object:
    metrics: Object = {}
    for key, cell in record.items():
        name, _, statistic = plain(key).rpartition("_")
        value = number(cell)
        if name.startswith("successful_") and statistic in _STATISTICS and value is not None:
            metric = metrics.setdefault(name.removeprefix("successful_"), {"successful": {}})
            metric["successful"][statistic] = value
    counts = {"successful": "Successful Requests", "errored": "Errored Requests"}
    return {
        "metrics": metrics,
        "request_totals": {name: number(record.get(key)) for name, key in counts.items()},
        "args": _parsed(record.get("Args", "")),
        "worker": _parsed(record.get("Worker", "")),
    }


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {}
