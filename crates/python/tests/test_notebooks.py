"""The notebooks run from the first cell to the last and print what they show, except for times.

`ASTRAGAL_BLESS=1` writes what they print now into the files instead of comparing.
"""

from __future__ import annotations

import copy
import difflib
import re
from typing import Any

import nbformat
import pytest
from conftest import BLESSES, ROOT
from nbclient import NotebookClient

NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))

TIMES = re.compile(r"((?:elapsed|seconds)=)[\d.e-]+|(?<=, )[\d.]+(?= s<)")


def joined(outputs: list[Any]) -> list[Any]:
    """Outputs without lines of progress, and with all that is printed in a row as one, however it arrived."""
    found: list[Any] = []
    for output in outputs:
        if output["output_type"] != "stream":
            found.append(output)
        elif output["name"] == "stdout":
            if found and found[-1]["output_type"] == "stream":
                found[-1]["text"] += output["text"]
            else:
                found.append(copy.deepcopy(output))
    return found


def shown(cell: Any) -> list[tuple[str, str]]:
    """What a cell shows, as kinds and texts without times."""
    found = []
    for output in joined(cell.get("outputs", [])):
        if output["output_type"] == "stream":
            found.append(("stdout", output["text"]))
        else:
            found += sorted(output.get("data", {"error": str(output)}).items())
    return [(kind, TIMES.sub(r"\1T", str(text))) for kind, text in found]


def cleaned(notebook: Any) -> Any:
    """A notebook without what differs from run to run: progress, and counts and names of the kernel."""
    clean = copy.deepcopy(notebook)
    for cell in clean.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = joined(cell.outputs)
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
    clean.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return clean


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_prints_what_it_shows(name: str) -> None:
    path = ROOT / "notebooks" / f"{name}.ipynb"
    kept = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    run = copy.deepcopy(kept)
    NotebookClient(run, timeout=900, resources={"metadata": {"path": str(path.parent)}}).execute()
    code = [cell for cell in run.cells if cell.cell_type == "code"]
    pictures = [output for cell in code for output in cell.outputs if "text/html" in output.get("data", {})]
    assert len(code) > 5 and len(pictures) >= 3
    wrong = []
    for before, after in zip(kept.cells, run.cells):
        if (old := shown(before)) != (new := shown(after)):
            lines = difflib.unified_diff(
                "\n".join(map(str, old)).splitlines(), "\n".join(map(str, new)).splitlines(), "shown", "printed", n=0
            )
            wrong.append(after.source + "\n" + "\n".join(line[:400] for line in lines))
    if wrong and BLESSES:
        nbformat.write(cleaned(run), path)  # type: ignore[no-untyped-call]
    elif wrong:
        pytest.fail("\n\n".join([*wrong, "run this test with ASTRAGAL_BLESS=1, and read the difference"]))


def test_there_are_three() -> None:
    assert NOTEBOOKS == ["mcms", "tour", "which-search"]
