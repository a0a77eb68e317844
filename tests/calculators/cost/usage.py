"""Small logs of our own, read from bytes."""

import json

from calculators.cost.usage_logs import UsageLog, read_usage_log

HEADER = b"timestamp,prompt_tokens,completion_tokens\n"


def read(content, **options) -> UsageLog:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return read_usage_log(data, "log", **options)


def totals(log: UsageLog) -> tuple[int, int, int]:
    return log.n_rows, log.input_tok.sum(), log.output_tok.sum()
