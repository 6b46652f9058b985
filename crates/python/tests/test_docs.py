"""The examples in docstrings, in the README and in `docs` run as they are written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import astragal
import pytest
from conftest import BLESSES, ROOT

MODULES = ["astragal"] + [f"astragal.{module.name}" for module in pkgutil.iter_modules(astragal.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("._native")])
def test_examples_of_a_module(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


PAGES = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))] if "```pycon" in path.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_of_a_page(page: Path) -> None:
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 3 and done.failed == 0


def test_pages_have_examples() -> None:
    assert {"README.md", "python.md"} <= {path.name for path in PAGES}


def test_the_picture_of_the_readme_is_what_its_script_draws(tmp_path: Path) -> None:
    drawn, kept = tmp_path / "drawn.svg", ROOT / "docs" / "cant-stop.svg"
    subprocess.run([sys.executable, ROOT / "scripts" / "picture.py", drawn], check=True)
    if BLESSES:
        kept.write_text(drawn.read_text())
    assert kept.read_text() == drawn.read_text()
