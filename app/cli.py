"""The command line: the same figures as the pages, as JSON or CSV."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from app import start
from app.csv_text import csv_text
from app.reading import CannotRead, read_bytes
from calculators.link import Problem, from_query
from calculators.plan import plan
from calculators.report import finite, plan_report
from calculators.scenario import Scenario
from calculators.specs import Catalog
from catalogs.loader import CatalogError, load_catalog

UNREADABLE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0 when it worked, 2 with one sentence on standard error when it cannot."""
    arguments = _parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except (CannotRead, CatalogError) as error:
        print(error, file=sys.stderr)
        return UNREADABLE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m app", description=__doc__)
    parser.set_defaults(run=_serve, port=None, address=None, base_path="")
    _add_address(parser)
    commands = parser.add_subparsers(title="commands", metavar="")
    serve = commands.add_parser("serve", help="start the dashboard (also without a command)")
    _add_address(serve)
    serve.set_defaults(run=_serve)
    for name, run, words in (
        ("plan", _plan, "the plan of a link as JSON"),
        ("options", _options, "ranked configurations of a link as CSV"),
    ):
        command = commands.add_parser(name, help=words)
        command.add_argument("query", nargs="?", default="", help="the part of a link after `?`")
        command.set_defaults(run=run)
    model = commands.add_parser("model", help="the model that a config.json describes, as JSON")
    model.add_argument("files", nargs="+", metavar="FILE", help="CONFIG [INDEX] [HF_QUANT_CONFIG]")
    model.set_defaults(run=_model)
    for name, run, words in (
        ("score", _score, "predictions beside published speed measurements"),
        ("fit", _fit, "predictions beside memory figures that engines printed"),
    ):
        command = commands.add_parser(name, help=words)
        command.add_argument("file", metavar="FILE")
        command.add_argument("--out", metavar="OUT.csv", help="the rows go here")
        if name == "score":
            _add_run(command)
        command.set_defaults(run=run)
    reference = commands.add_parser("reference", help="the reference tables as JSON")
    reference.set_defaults(run=_reference)
    refit = commands.add_parser("refit", help="fit the engine classes to the measurements again")
    refit.set_defaults(run=_refit)
    return parser


def _add_run(command: argparse.ArgumentParser) -> None:
    """What a benchmark file may leave out, or say wrongly."""
    told = command.add_argument_group(
        "the run", "what the file does not say; against what a result says, these win"
    )
    told.add_argument("--gpu", help="the card")
    told.add_argument("--n-gpus", "--gpus", type=int, metavar="N", help="cards in all")
    told.add_argument("--tp", type=int, metavar="N", help="cards of one replica")
    told.add_argument("--model", help="the model, by its name or catalog id")
    told.add_argument("--engine", help="the server's engine")
    told.add_argument("--weight-format", help="the format of the weights")
    told.add_argument(
        "--input-tokens", type=float, metavar="N", dest="input_tok", help="of a prompt"
    )
    told.add_argument(
        "--output-tokens", type=float, metavar="N", dest="output_tok", help="of an answer"
    )
    told.add_argument(
        "--batch",
        "--concurrency",
        type=float,
        metavar="N",
        dest="concurrency",
        help="requests at once",
    )


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=argparse.SUPPRESS, help="8501 unless set")
    parser.add_argument("--address", default=argparse.SUPPRESS, help="127.0.0.1 unless set")
    parser.add_argument("--base-path", default=argparse.SUPPRESS, help="path below which it lives")


def _catalog(asof: str | None = None) -> Catalog:
    named = os.environ.get("BREAKEVEN_OVERRIDES", "").strip()
    day = date.fromisoformat(asof) if asof else date.today()
    return load_catalog(Path(named) if named else None, day, strict=False)


def read_link(query: str) -> tuple[Scenario, Catalog, tuple[Problem, ...]]:
    """The scenario of a link, the catalog of its day, and what was wrong with the link."""
    scenario, problems = from_query(link_part(query), _catalog())
    catalog = _catalog(scenario.asof)
    left_out = tuple(Problem("catalog", "", sentence) for sentence in catalog.problems)
    return scenario, catalog, (*left_out, *problems)


def link_part(text: str) -> str:
    """What stands between `?` and `#` in a whole link; a query is left as it is."""
    before, mark, after = text.partition("?")
    return after.split("#", 1)[0] if mark and "=" not in before else text


def _serve(arguments: argparse.Namespace) -> None:
    start.run(port=arguments.port, address=arguments.address, base_path=arguments.base_path)


def _plan(arguments: argparse.Namespace) -> None:
    scenario, catalog, problems = read_link(arguments.query)
    _print_json(plan_report(plan(scenario, catalog), problems))


def _options(arguments: argparse.Namespace) -> None:
    from calculators.options import options, options_table

    scenario, catalog, problems = read_link(arguments.query)
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.stdout.write(csv_text(options_table(options(scenario, catalog))))


def _model(arguments: argparse.Namespace) -> int:
    from calculators.fit.model_config import ModelConfigError, describe_model, parse_model_config

    texts = [read_bytes(path) for path in arguments.files]
    config, index, quant = _sorted_by_kind(texts)
    called = Path(arguments.files[0]).stem.encode(errors="replace").decode()
    try:
        model = parse_model_config(config, index, quant, name=called)
    except ModelConfigError as error:
        _print_json({"unsupported": str(error)})
        print(f"{arguments.files[0]}: {error}", file=sys.stderr)
        return UNREADABLE
    _print_json(describe_model(model))
    return 0


def _score(arguments: argparse.Namespace) -> None:
    from app.scoring import OPTIONS, score_file

    data, name = read_bytes(arguments.file), Path(arguments.file).name
    given = {field: getattr(arguments, field) for field in OPTIONS}
    scored, summary = score_file(data, name, _catalog(), **given)
    _print_scored(scored, summary, arguments.out)


def _fit(arguments: argparse.Namespace) -> None:
    from app.scoring import fit_file

    data, name = read_bytes(arguments.file), Path(arguments.file).name
    _print_scored(*fit_file(data, name, _catalog()), arguments.out)


def _reference(arguments: argparse.Namespace) -> None:
    from app.reference import reference_tables

    _print_json(reference_tables())


def _refit(arguments: argparse.Namespace) -> None:
    from app.scoring import refit_classes

    print(refit_classes(_catalog()))


def _sorted_by_kind(texts: list[bytes]) -> tuple[bytes, bytes | None, bytes | None]:
    """Config, index and quantization file, whatever their order after the first."""
    index = next((text for text in texts[1:] if b'"weight_map"' in text), None)
    quant = next((text for text in texts[1:] if text is not index), None)
    return texts[0], index, quant


def _print_scored(scored: Any, summary: Any, out: str | None) -> None:
    if out:
        try:
            Path(out).write_text(csv_text(scored), encoding="utf-8")
        except OSError as error:
            raise CannotRead(f"{out}: cannot be written ({error.strerror or error}).") from None
        print(summary)
        return
    sys.stdout.write(csv_text(scored))
    print(summary, file=sys.stderr)


def _print_json(value: Any) -> None:
    print(json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False))
