"""The package and the command say the same, in every game and with every engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import astragal
import pytest
from conftest import ROOT, SMALL, Command

ENGINES = [engine["name"] for engine in astragal.engines()]


def limit(engine: str, few: int) -> dict[str, int]:
    """A small budget that the engine heeds."""
    budgets = next(one["budgets"] for one in astragal.engines() if one["name"] == engine)
    if "depth" in budgets:
        return {"depth": 2 if few > 10 else 1}
    return {"iterations": few} if "iterations" in budgets else {}


def said(call: Callable[[], Any]) -> dict[str, Any] | str:
    """What the package answers: the report as a dictionary, or the words of a `ValueError`."""
    try:
        report: dict[str, Any] = call().to_dict()
        return report
    except ValueError as error:
        return str(error)


def without_time(answer: dict[str, Any] | str) -> dict[str, Any] | str:
    if isinstance(answer, str):
        return answer
    return {name: value for name, value in answer.items() if name not in ("elapsed_s", "seconds")}


def walked(game: astragal.Game, steps: int, seed: int) -> astragal.Position:
    """A position after some steps at random, at which a player decides if possible."""
    dice, position = random.Random(seed), game.start()
    for _ in range(steps):
        if position.is_over:
            return game.start()
        if position.turn == "chance":
            position = position.resolve(dice.choice(position.outcomes)[0])
        else:
            position = position.apply(dice.choice(position.actions))
    return position


@pytest.mark.parametrize("name", SMALL)
def test_analyses_are_those_of_the_command(name: str, command: Command, small: dict[str, str]) -> None:
    game = astragal.Game(small[name])
    answers = 0
    for number, engine in enumerate(ENGINES):
        limits, position = limit(engine, 40), walked(game, 2 * (number % 3), number)
        options = [part for key, value in limits.items() for part in (f"--{key}", str(value))]
        printed = command.json(
            "analyze", game.spec, "--position", position.text, "--engine", engine, "--seed", "7", *options
        )
        ours = said(lambda: astragal.analyze(position, engine, seed=7, **limits))
        assert without_time(ours) == without_time(printed), engine
        answers += isinstance(ours, dict)
    assert answers >= 12


@pytest.mark.parametrize("name", SMALL)
def test_matches_are_those_of_the_command(name: str, command: Command, small: dict[str, str]) -> None:
    spec, answers = small[name], 0
    for number, engine in enumerate(ENGINES):
        limits = limit(engine, 5)
        options = [part for key, value in limits.items() for part in (f"--{key}", str(value))]
        printed = command.json(
            "match", spec, engine, "random", "--pairs", "1", "--seed", str(number), "--opening", "2", *options
        )
        ours = said(
            lambda: astragal.match(spec, engine, "random", pairs=1, seed=number, opening=2, **limits)
        )
        # Times differ from run to run, and engines without a budget are timed.
        for answer in (ours, printed):
            if isinstance(answer, dict):
                answer.pop("milliseconds_a_decision", None)
        assert ours == printed, engine
        answers += isinstance(ours, dict)
    assert answers >= 12


@pytest.mark.parametrize("name", SMALL)
def test_solutions_are_those_of_the_command(name: str, command: Command, small: dict[str, str]) -> None:
    printed = command.json("solve", small[name], "--states", "30000")
    ours = said(lambda: astragal.solve(small[name], states=30000))
    if isinstance(printed, dict) and "unsolved" in printed:
        assert ours == f"not solved: {printed['unsolved']}"
    else:
        assert without_time(ours) == without_time(printed)


def test_regrets_are_those_of_the_command(command: Command) -> None:
    for source in ("self-play", "random", "all"):
        spec, engines = "pig(dice=1,target=15)", ["optimal", "hold-at(n=6)", "star2(depth=2)", "random"]
        printed = command.json("regret", spec, *engines, "--from", source, "--positions", "80", "--seed", "4")
        ours = astragal.regret(astragal.solve(spec), engines, source=source, positions=80, seed=4)  # type: ignore
        frame = ours.columns()
        assert frame["loss"] == [row["loss"]["mean"] for row in ours.rows] and frame["worst"][0] == 0
        answers = [report["rows"] for report in (ours.to_dict(), printed)]
        for rows in answers:
            for row in rows:
                row.pop("seconds_a_decision", None)
        assert answers[0] == answers[1], source
    with pytest.raises(ValueError, match="expected self-play, random or all"):
        astragal.regret("pig(target=10)", ["random"], source="both")  # type: ignore[arg-type]


def test_tournaments_are_those_of_the_command(command: Command, tmp_path: Path) -> None:
    for kind in ("round-robin", "gauntlet", "elimination"):
        engines = ["star2ss(width=2)", "random", "hold-at(n=20)", "expectimax"]
        plan = tmp_path / f"{kind}.toml"
        plan.write_text(
            f'game = "pig(target=30)"\nkind = "{kind}"\nengines = {engines}\npairs = 4\nseed = 5\n'
            "budget = { nodes = 200 }\n"
        )
        printed = command.json("tournament", str(plan))
        table = {
            "game": "pig(target=30)",
            "kind": kind,
            "engines": engines,
            "pairs": 4,
            "seed": 5,
            "budget": {"nodes": 200},
        }
        assert astragal.tournament(plan).to_dict() == printed
        assert astragal.tournament(plan.read_text()).to_dict() == printed
        assert astragal.tournament(table).to_dict() == printed


def test_studies_are_those_of_the_command(command: Command) -> None:
    engines = ["alpha-beta(depth=2)", "uct(c=0.4)"]
    printed = command.json(
        "accuracy", "pv(depth=6)", *engines, "--iterations", "50", "--trees", "20", "--sweep", "kmax=1..3"
    )
    assert astragal.accuracy("pv(depth=6)", engines, iterations=50, trees=20, sweep="kmax=1..3").to_dict() == printed
    options = ["--tau", "0.5", "--iterations", "300", "--trees", "5"]
    printed = command.json("accuracy", "critical(depth=6)", "uct", *options)
    ours = astragal.accuracy("critical(depth=6)", ["uct"], tau=0.5, iterations=300, trees=5)
    assert ours.to_dict() == printed


def test_experiments_are_those_of_the_command(command: Command, tmp_path: Path) -> None:
    id = "mcms-star1-example"
    command.run("reproduce", id, "--out", str(tmp_path / "command"))
    [ours] = astragal.reproduce(id, out=tmp_path / "package")
    files = sorted(path.name for path in (tmp_path / "command" / id).iterdir())
    assert "report.md" in files and ours.report == str(tmp_path / "package" / id / "report.md")
    for file in files:
        assert (tmp_path / "package" / id / file).read_bytes() == (tmp_path / "command" / id / file).read_bytes()
    assert (ROOT / "docs" / "results" / id / "report.md").read_text() == Path(ours.report).read_text()


def test_a_match_goes_on_from_its_store_in_either(command: Command, tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    terms: dict[str, Any] = {"depth": 1, "seed": 3}
    first = astragal.match("pig(target=30)", "expectimax", "random", pairs=5, store=store, **terms)
    options = ["--depth", "1", "--seed", "3", "--store", str(store)]
    printed = command.json("match", "pig(target=30)", "expectimax", "random", "--pairs", "9", *options)
    played: list[int] = []
    hear = lambda done, of, what: played.append(done)  # noqa: E731
    again = astragal.match(
        "pig(target=30)", "expectimax", "random", pairs=9, store=store, progress=hear, **terms
    )
    assert first.pairs == 5 and again.to_dict() == printed and not played
