"""The examples in docstrings, README and docs run as they are written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import astragal
import pytest
from conftest import ROOT

MODULES = ["astragal"] + [f"astragal.{module.name}" for module in pkgutil.iter_modules(astragal.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("._native")])
def test_examples_of_a_module(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("file", ["README.md", "docs/python.md"])
def test_examples_of_a_text(file: str) -> None:
    done = doctest.testfile(str(ROOT / file), module_relative=False)
    assert done.attempted > 3 and done.failed == 0
