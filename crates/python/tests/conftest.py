"""What the tests share: the command that the package must agree with, and small variants of every game."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import astragal
import pytest

# What a shell runs in the background ignores interrupts, and so would the tests of Ctrl-C and all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[3]

# Whether what is printed and drawn now is written into the documentation instead of compared with it.
BLESSES = os.environ.get("ASTRAGAL_BLESS") == "1"

SMALL = {
    "pig": "pig(target=25)",
    "ewn": "ewn(size=4,stones=3)",
    "cant-stop": "cant-stop(dice=3,shortest=1,columns=2)",
    "ra": "ra",
    "tic-tac-toe": "tic-tac-toe",
    "connect-four": "connect-four(width=4,height=4)",
    "kalah": "kalah(pits=3,stones=2)",
    "chess": "chess",
    "explicit": f"explicit(file={ROOT}/examples/figure1.json)",
    "random-tree": "random-tree",
    "critical": "critical(depth=6)",
    "two-sided": "two-sided(depth=6)",
    "pv": "pv(depth=6)",
    "bpv": "bpv(depth=6,chance=0.3)",
    "win-loss": "win-loss(depth=6)",
    "p-game": "p-game(depth=6)",
    "score-tree": "score-tree(depth=6)",
}


@pytest.fixture(scope="session")
def small() -> dict[str, str]:
    """A quick variant of every game of the catalogue."""
    assert list(SMALL) == [game["name"] for game in astragal.games()]
    return SMALL


class Command:
    """The `astragal` command, built from the same sources."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(self.path), *arguments], capture_output=True, text=True, timeout=300)

    def json(self, *arguments: str) -> dict[str, Any] | str:
        """What it prints as JSON, or what it says if the input is bad."""
        done = self.run(*arguments, "--json")
        if done.returncode == 2:
            return done.stderr.removeprefix("astragal: ").strip()
        assert done.returncode in (0, 1), done
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


@pytest.fixture(scope="session")
def command() -> Command:
    """The command: `$ASTRAGAL`, or the release build, which is made or brought up to date."""
    if given := os.environ.get("ASTRAGAL"):
        return Command(Path(given))
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], cwd=ROOT, check=True)
    return Command(ROOT / "target" / "release" / "astragal")
