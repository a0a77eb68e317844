"""A plan as a decision memo: Markdown, one page of PDF, and its tables; no Streamlit."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import typst

from app.cost_rows import api_name
from app.csv_text import guarded
from app.derivations.derivation import BASIS_WORDS
from app.formatting import band, count, days_old, number, quantity, usd
from app.formatting import chance as chance_words
from app.memo_assumptions import assumptions
from app.sentences import flips_caption
from calculators import VERSION
from calculators.flips import flips
from calculators.link import LINK_VERSION, Problem
from calculators.plan import Plan
from calculators.provenance import SourceLine, sources
from calculators.verdict import REASON_WORDS, verdict

TEMPLATE = Path(__file__).parent / "memo.typ"
_MOST_SOURCES = 9


def memo(
    plan: Plan, link: str, *, problems: Sequence[Problem] = (), attached: Sequence[str] = ()
) -> dict[str, Any]:
    """What a memo says, as texts; both its forms are made from this.

    `link` is the pinned link, `attached` further paragraphs (a quality comparison, say).
    """
    answer = verdict(plan)
    return {
        "title": f"Host {plan.deployment.model.name} ourselves, or buy it from an API?",
        "date": plan.catalog.asof.isoformat(),
        "headline": answer.headline,
        "reason": answer.reason,
        "chance": _chance(plan),
        "bills": _bills(plan),
        "flips": _flips(plan),
        "flips_title": flips_caption(plan),
        "assumptions": assumptions(plan),
        "warnings": [*plan.warnings, *(str(problem) for problem in problems)],
        "reasons": [REASON_WORDS[reason] for reason in plan.scenario.why],
        "overrides": [figure.text for figure in plan.catalog.own_figures],
        "attached": list(attached),
        "sources": _sources(sources(plan)),
        "link": link,
        "versions": _versions(plan),
    }


def _flips(plan: Plan) -> list[list[str]]:
    return [
        [flip.label, quantity(flip.now, flip.unit), quantity(flip.value, flip.unit)]
        for flip in flips(plan)[:3]
    ]


def _chance(plan: Plan) -> str:
    chance = plan.chance
    if chance is None:
        return ""
    return (
        f"Self-hosting is the cheaper side in {chance_words(chance.self_host_wins_frac)} of "
        f"{chance.n_draws:,} draws over the uncertain inputs; one in ten of the differences "
        f"(self-hosting less API) lies below {usd(chance.p10_usd_month)} a month, one in ten above "
        f"{usd(chance.p90_usd_month)}."
    )


def _bills(plan: Plan) -> list[list[str]]:
    both, performance = plan.bills, plan.performance
    known = plan.fits
    speed = quantity(performance.tok_s_each, "tok/s") if performance.batch else "none"
    api = api_name(plan.api) if plan.api else "no price known"
    rows = [
        ["Self-hosting", usd(plan.self_host_usd_month, "month")],
        ["of it hardware", usd(float(both.hardware_usd_month) if known else None, "month")],
        ["of it upkeep, build, network", usd(_people(plan), "month")],
        [f"API: {api}", usd(plan.api_usd_month, "month")],
        ["Break-even", _break_even(plan)],
        ["Cards", f"{count(plan.n_cards)} x {plan.deployment.accelerator.name}"],
        [
            "Conversations at once, each replica",
            f"{count(performance.batch)}: {performance.limit_text}",
        ],
        ["Speed for each user", f"{speed} {band(performance.band_frac)}".strip()],
        ["Basis of the speed", BASIS_WORDS[performance.basis]],
    ]
    if plan.scenario.split_frac < 1:
        rows.insert(3, ["of it bursts to the API", usd(float(both.burst_usd_month), "month")])
    return rows


def _people(plan: Plan) -> float:
    money = plan.money
    return float(money.upkeep_usd_month + money.build_usd_month + money.network_usd_month)


def _break_even(plan: Plan) -> str:
    volume = plan.break_even_mtok_month
    return "none" if volume is None else quantity(volume, "million tokens a month")


def _sources(lines: Sequence[SourceLine]) -> list[str]:
    """The sources, each once, prices and stale ones first, with their ages."""
    seen: dict[str, SourceLine] = {}
    for line in sorted(lines, key=lambda line: (not line.stale, not line.is_price, -line.age_days)):
        seen.setdefault(f"{line.title}|{line.stale}", line)
    texts = [
        f"{line.fact}: {line.title}, {line.checked.isoformat()} ({days_old(line.age_days)}"
        + (", STALE)" if line.stale else ")")
        + (f", {line.origin}" if line.origin != "catalog" else "")
        for line in seen.values()
    ]
    more = len(texts) - _MOST_SOURCES
    return texts[:_MOST_SOURCES] + ([f"and {more} more, listed by the link"] if more > 0 else [])


def _versions(plan: Plan) -> str:
    return (
        f"Breakeven {VERSION}, link version {LINK_VERSION}, facts as of "
        f"{plan.catalog.asof.isoformat()}, genai-prices {version('genai-prices')}"
    )


def memo_markdown(content: dict[str, Any]) -> str:
    """The memo as Markdown; texts are escaped, so that nothing of a link becomes markup."""
    lines = [f"# {_md(content['title'])}", "", f"{_md(content['date'])}", ""]
    lines += [f"**{_md(content['headline'])}** {_md(content['reason'])}", ""]
    lines += [_md(content["chance"]), ""] if content["chance"] else []
    lines += _md_table(("", "Figure"), content["bills"])
    if content["flips"]:
        lines += _md_table((content["flips_title"], "Now", "Turns at"), content["flips"])
    lines += _md_table(("Assumption", "Value", "Set by"), content["assumptions"])
    for title, key in (
        ("Reasons that are not about money", "reasons"),
        ("To keep in mind", "warnings"),
        ("Own figures", "overrides"),
        ("Attached", "attached"),
        ("Sources", "sources"),
    ):
        if content[key]:
            lines += [f"## {title}", "", *(f"- {_md(text)}" for text in content[key]), ""]
    lines += [f"Link: <{content['link']}>", "", _md(content["versions"]), ""]
    return "\n".join(lines)


def _md(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!~" else c for c in text).replace("\n", " ")


def _md_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    table = [head, ["---"] * len(head), *([_md(cell) for cell in row] for row in rows)]
    return ["| " + " | ".join(row) + " |" for row in table] + [""]


def memo_pdf(content: dict[str, Any]) -> bytes:
    """The memo as PDF; texts reach the template as data, never as markup."""
    return typst.compile(str(TEMPLATE), sys_inputs={"memo": json.dumps(content)})


def memo_json(report: dict[str, Any]) -> str:
    """The plan's report as JSON text."""
    return json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False)


def memo_csv(report: dict[str, Any]) -> str:
    """Every number of a plan's report as CSV: section, figure, value."""
    rows = ["section,figure,value"]
    for section in ("scenario", "fit", "cost"):
        rows += [_csv(section, key, value) for key, value in report[section].items()]
    for basis in ("bound", "calibrated"):
        rows += [_csv(f"speed {basis}", k, v) for k, v in report["speed"][basis].items()]
    return "\n".join(rows) + "\n"


def _csv(section: str, key: str, value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        value = None
    cells = ("" if part is None else str(guarded(part)) for part in (section, key, value))
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


def shortened(content: dict[str, Any], most: int = 5) -> dict[str, Any]:
    """The memo with long lists cut, so that it stays on one page; the cut is said."""
    cut = dict(content)
    for key in ("warnings", "overrides"):
        if len(content[key]) > most:
            cut[key] = [*content[key][:most], f"and {number(len(content[key]) - most)} more"]
    return cut
