"""Write docs/licences.md: every pinned run-time package with its licence, from its metadata."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """# Dependencies and licences

Packages that run the dashboard (`requirements.lock`), by their own metadata; written by
`python scripts/licences.py`. Plotly's JavaScript bundle comes with the plotly package (MIT).
Nothing else is bundled. Tests also use what `requirements-dev.lock` lists.

| package | version | licence |
|---|---|---|
"""


def pinned(lock: str) -> list[tuple[str, str]]:
    """Names and versions of a lock file; markers for other platforms are left out."""
    return re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", lock, flags=re.MULTILINE)


def licence(name: str) -> str:
    """The licence of an installed package, in one line."""
    known = metadata(name)
    stated = known.get("License-Expression") or ""
    classified = [
        value.rsplit(" :: ", 1)[1]
        for value in known.get_all("Classifier") or []
        if value.startswith("License :: ") and not value.endswith("OSI Approved")
    ]
    text = stated or ", ".join(classified) or (known.get("License") or "not stated")
    return text.splitlines()[0][:80]


def main() -> None:
    """Write the table for the packages that are installed here."""
    rows = []
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for name, _ in pinned(lock):
        try:
            rows.append(f"| {name} | {metadata(name)['Version']} | {licence(name)} |")
        except PackageNotFoundError:
            continue
    text = HEAD + "\n".join(dict.fromkeys(rows)) + "\n"
    (ROOT / "docs" / "licences.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
