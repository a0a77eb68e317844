"""The rules of CONTRIBUTING.md that a parser can hold."""

from __future__ import annotations

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path

import pytest

from calculators.units import SUFFIXES
from tests.browser.pages import page_map

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("calculators", "catalogs", "app")
MAY_IMPORT = {"calculators": ("calculators",), "catalogs": ("calculators", "catalogs")}
OUTSIDE_OF_CALCULATORS = {
    "streamlit", "plotly", "os", "pathlib", "shutil", "tempfile", "socket", "urllib",
    "requests", "httpx", "subprocess", "time", "yaml", "genai_prices",
}  # fmt: skip
PURE_URLLIB = "urllib.parse"


def modules(*folders: str) -> list[Path]:
    return [
        path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name != "__init__.py"
    ]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def attributes(path: Path) -> set[str]:
    """Dotted names such as `st.query_params` and `date.today` that a module uses."""
    return {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }


@pytest.mark.parametrize("path", modules("calculators", "catalogs"), ids=named)
def test_imports_go_one_way(path: Path):
    layer = path.relative_to(ROOT).parts[0]
    for name in imports(path):
        top = name.split(".")[0]
        assert top not in LAYERS or top in MAY_IMPORT[layer], name


@pytest.mark.parametrize("path", modules("calculators"), ids=named)
def test_calculators_touch_nothing_outside(path: Path):
    outside = {
        name
        for name in imports(path)
        if name.split(".")[0] in OUTSIDE_OF_CALCULATORS and not name.startswith(PURE_URLLIB)
    }
    assert not outside
    calls = [
        node.func.id
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert "open" not in calls
    assert not attributes(path) & {"date.today", "datetime.now", "datetime.today"}


@pytest.mark.parametrize("path", modules("calculators", "catalogs", "app"), ids=named)
def test_randomness_is_seeded(path: Path):
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr != "default_rng" or node.args, "default_rng() without a seed"


@pytest.mark.parametrize("path", modules("app/figures"), ids=named)
def test_figures_know_nothing_of_streamlit(path: Path):
    assert not {name for name in imports(path) if name.split(".")[0] == "streamlit"}


@pytest.mark.parametrize("path", modules("app"), ids=named)
def test_what_belongs_to_one_module(path: Path):
    used = attributes(path)
    if path.name != "state.py":
        assert "st.query_params" not in used
    if path.name != "compute.py":
        assert not used & {"st.cache_data", "st.cache_resource"}
    assert "st.plotly_chart" not in used


def test_no_text_becomes_markup_by_permission():
    for path in modules("app"):
        text = path.read_text(encoding="utf-8")
        assert "unsafe_allow_html" not in text, named(path)
        assert "unsafe_allow_javascript" not in text, named(path)


@pytest.mark.parametrize("path", modules("calculators", "catalogs", "app"), ids=named)
def test_sizes(path: Path):
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= (80 if "views" in path.parts else 250), f"{lines} lines"
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            length = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert length <= 40, f"{node.name}: {length} lines"


def test_every_page_is_in_the_map_and_every_entry_is_a_page():
    entries = [view for section in page_map().values() for view, _, _ in section]
    assert sorted(entries) == sorted(
        str(path.relative_to(ROOT / "app" / "views")) for path in modules("app/views")
    )
    titles = [title for section in page_map().values() for _, title, _ in section]
    paths = [path for section in page_map().values() for _, _, path in section]
    assert len(set(titles)) == len(titles)
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("path", modules("app/views"), ids=named)
def test_a_page_begins_with_its_question(path: Path):
    docstring = ast.get_docstring(tree(path)) or ""
    assert "?" in docstring.strip().split("\n\n")[0]


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def tested() -> set[str]:
    """Modules that tests import, and what these import from their own folder."""
    by_name = {dotted(path): path for path in (ROOT / "calculators").rglob("*.py")}
    found: set[str] = set()
    new = set().union(*(imports(path) for path in modules("tests"))) & by_name.keys()
    while new:
        found |= new
        beside = {
            name
            for module in new
            for name in imports(by_name[module]) & by_name.keys()
            if by_name[name].parent == by_name[module].parent
        }
        new = beside - found
    return found


@pytest.mark.parametrize("path", modules("calculators"), ids=named)
def test_every_calculator_has_its_test(path: Path):
    mirrored = ROOT / "tests" / path.relative_to(ROOT).with_name(f"test_{path.name}")
    assert mirrored.exists() or dotted(path) in tested()


def public_functions() -> list[tuple[str, object]]:
    found = []
    for path in modules("calculators"):
        name = dotted(path)
        module = importlib.import_module(name)
        for key, value in vars(module).items():
            if inspect.isfunction(value) and value.__module__ == name and key[0] != "_":
                found.append((f"{name}.{key}", value))
    return found


def is_formula(name: str, function: object) -> bool:
    """Whether a function's name or one of its parameters carries a unit."""
    names = [name, *inspect.signature(function).parameters]
    return any(part.endswith(SUFFIXES) for part in names)


def test_every_formula_says_what_goes_in_and_comes_out():
    silent = []
    for name, function in public_functions():
        text = inspect.getdoc(function) or ""
        takes = inspect.signature(function).parameters
        complete = ("Parameters" in text or not takes) and "Returns" in text
        if not text or (is_formula(name, function) and not complete):
            silent.append(name)
    assert not silent
