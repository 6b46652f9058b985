"""Bad input is a `ValueError` or a `TypeError`, never a panic; results have their types, tables and pictures."""

from __future__ import annotations

import contextlib
import copy
import os
import pickle
import random
import re
import subprocess
import sys
from typing import Any

import astragal
import numpy as np
import pytest
from conftest import SMALL, Command


def test_bad_input_has_the_words_of_the_command(command: Command) -> None:
    cases: list[tuple[Any, list[str]]] = [
        (lambda: astragal.Game("PIG"), ["show", "PIG"]),
        (lambda: astragal.Game("pig(target=0)"), ["show", "pig(target=0)"]),
        (lambda: astragal.Game("pig(target"), ["show", "pig(target"]),
        (lambda: astragal.Game("pig").position("30"), ["show", "pig", "--position", "30"]),
        (
            lambda: astragal.analyze(astragal.Game("pig").start(), "star3"),
            ["analyze", "pig", "--engine", "star3"],
        ),
        (
            lambda: astragal.analyze(astragal.Game("pig").start(), "star2", iterations=5),
            ["analyze", "pig", "--engine", "star2", "--iterations", "5"],
        ),
        (
            lambda: astragal.analyze(astragal.Game("pig").start(), "alpha-beta", depth=2),
            ["analyze", "pig", "--engine", "alpha-beta", "--depth", "2"],
        ),
        (
            lambda: astragal.match("pig", "mcts", "random", depth=1, pairs=1),
            ["match", "pig", "mcts", "random", "--depth", "1", "--pairs", "1"],
        ),
        (
            lambda: astragal.match("chess", "random", "random", deal=True, pairs=1),
            ["match", "chess", "random", "random", "--deal", "--pairs", "1"],
        ),
        (
            lambda: astragal.accuracy("pig", ["random"], trees=1),
            ["accuracy", "pig", "random", "--trees", "1"],
        ),
        (lambda: astragal.reproduce("mcms-fig"), ["reproduce", "mcms-fig"]),
        (
            lambda: astragal.reproduce("mcms-fig2", scale="paper"),
            ["reproduce", "mcms-fig2", "--scale", "paper"],
        ),
    ]
    for call, arguments in cases:
        printed = command.run(*arguments)
        assert printed.returncode == 2, printed
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value) in printed.stderr, printed.stderr


def test_arguments_are_checked() -> None:
    start = astragal.Game("pig").start()
    for wrong in ({"depth": 0}, {"nodes": 0}, {"depth": -3}, {"seed": -1}, {"seed": 2**64}, {"time": 0}):
        with pytest.raises(ValueError):
            astragal.analyze(start, "star2", **wrong)  # type: ignore[arg-type]
    for wrong in ({"time": float("nan")}, {"time": float("inf")}, {"time": -1.0}, {"depth": 10**30}):
        with pytest.raises(ValueError):
            astragal.analyze(start, "star2", **wrong)  # type: ignore[arg-type]
    for bad in ({"depth": "4"}, {"depth": 2.5}, {"seed": None}, {"unknown": 1}):
        with pytest.raises(TypeError):
            astragal.analyze(start, "star2", **bad)  # type: ignore[arg-type]
    for call in (
        lambda: astragal.analyze(start, 7),  # type: ignore[arg-type]
        lambda: astragal.analyze("pig"),  # type: ignore[arg-type]
        lambda: astragal.analyze(start, time="1s"),  # type: ignore[arg-type]
        lambda: astragal.Game("pig", evaluators=[len]),  # type: ignore[arg-type]
        lambda: astragal.Engine("mcts").tree("pig"),  # type: ignore[arg-type]
        lambda: astragal.solve("tic-tac-toe")["start"],  # type: ignore[index]
        lambda: astragal.match("pig", "random", "random", pairs=1, sprt=(0, 20, 30)),  # type: ignore[arg-type]
        lambda: astragal.tournament({"game": "pig", "kind": "match", "engines": "random", "pairs": 1}),
    ):
        with pytest.raises(TypeError):
            call()
    assert astragal.analyze(start, "star2", time=np.float32(0.01)).partial is False  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="starts is a list"):
        astragal.match("chess", "random", "random", starts="startpos", pairs=1)
    with pytest.raises(ValueError, match="pairs is 1 to"):
        astragal.match("pig", "random", "random", pairs=0)
    with pytest.raises(ValueError, match="jobs is 1 to"):
        astragal.match("pig", "random", "random", pairs=1, jobs=0)
    with pytest.raises(ValueError):
        astragal.match("pig", "random", "random", pairs=1, sprt=(20, 0))
    with pytest.raises(ValueError, match="there is no folder"):
        astragal.match("pig", "random", "random", pairs=1, store="/no/such/folder/a.db")
    with pytest.raises(ValueError, match="states is 1 to"):
        astragal.solve("pig", states=0)
    for plan in ("game = 1", {"game": "pig"}, {"game": "pig", "colour": 1}, "/no/such/plan.toml"):
        with pytest.raises(ValueError):
            astragal.tournament(plan)
    with pytest.raises(KeyError):
        astragal.solve("tic-tac-toe")[start]
    with pytest.raises(ValueError, match="keeps no tree"):
        astragal.Engine("star2").tree(start.game)


def test_random_input_never_panics() -> None:
    dice = random.Random(5)
    words = ["pig", "star2", "(", ")", "=", ",", "depth", "1e999", "-1", "p1", "\x00", "🎲", "", " ", "off", "target"]
    games = [astragal.Game(spec) for spec in SMALL.values()]
    tried = 0
    for _ in range(3000):
        text = "".join(dice.choice(words) for _ in range(dice.randrange(6)))
        game = dice.choice(games)
        position = game.start()
        calls: list[Any] = [
            lambda: astragal.Game(text),
            lambda: game.position(text),
            lambda: position.apply(text),
            lambda: position.resolve(text),
            lambda: astragal.Engine(text).full_spec(game),
            lambda: astragal.match(game, text, "random", pairs=1, depth=1, first_budget=text),
            lambda: astragal.match(game, "random", "random", pairs=1, finish=text, starts=[text]),
            lambda: astragal.accuracy(text, [text], trees=1, sweep=text),
            lambda: astragal.tournament(text + "\n"),
        ]
        try:
            dice.choice(calls)()
        except (ValueError, TypeError):
            tried += 1
    assert tried > 2000


def test_random_play_never_panics() -> None:
    dice = random.Random(6)
    for spec in SMALL.values():
        game = astragal.Game(spec)
        position = game.start()
        for _ in range(60):
            assert position == game.position(position.text)
            assert position.text and position.picture and len(position.features) > 0
            if position.is_over:
                low, high = game.range
                assert position.payoff is not None and low <= position.payoff <= high
                break
            if position.turn == "chance":
                assert sum(weight for _, weight in position.outcomes) == pytest.approx(1)
                position = position.resolve(dice.choice(position.outcomes)[0])
            else:
                position = position.apply(dice.choice(position.actions))


def test_a_report_has_fields_tables_and_pictures() -> None:
    position = astragal.Game("ewn").position("...5./.2.../...../...a./.f... p1 -")
    report = astragal.analyze(position, "star2", depth=3)
    rolled = astragal.analyze(position.resolve("3"), "mcts", iterations=500)
    assert report.best is None and report.lines == () and report.depth == 3
    assert rolled.best in [line.action for line in rolled.lines] and rolled.stop == "iterations"
    assert rolled.to_dict()["value"] == rolled.value and rolled.counts["simulations"] == 500
    frame, polar = rolled.to_pandas(), rolled.to_polars()
    assert list(frame["action"]) == [line.action for line in rolled.lines] == list(polar["action"])
    html = rolled._repr_html_()
    assert rolled.best in html and "<table>" in html and "<script" not in html
    assert "<pre" in position._repr_html_() and "&lt;" not in position.picture
    engine = astragal.Engine("mcts")
    astragal.analyze(position.resolve("3"), engine, iterations=500)
    tree = engine.tree(position.game, depth=2)
    assert tree.svg.startswith("<svg") and tree.svg in tree._repr_html_() and tree.to_dict()["visits"] == 500


def test_tables_of_other_reports() -> None:
    match = astragal.match("pig(target=30)", "hold-at(n=10)", "random", pairs=10)
    assert match.to_pandas()["score"][0] == match.score.mean and "score" in match._repr_html_()
    assert str(match).startswith("hold-at(n=10): ")
    plan = {"game": "pig(target=30)", "kind": "round-robin", "pairs": 3, "engines": ["random", "hold-at", "optimal"]}
    table = astragal.tournament(plan)
    assert len(table.to_pandas()) == 3 and table.order[0] in (1, 2)
    solution = astragal.solve("tic-tac-toe")
    frame = solution.to_pandas()
    assert len(frame) == solution.states == 5478 and set(frame["turn"]) == {"p1", "p2", "over"}
    study = astragal.accuracy("pv(depth=5)", ["alpha-beta(depth=1)", "alpha-beta(depth=2)"], trees=10)
    assert "lead" in study.columns()
    [experiment] = astragal.reproduce("mcms-star1-example")
    assert experiment.figures == () or experiment.figures[0]._repr_svg_().startswith("<svg")
    assert experiment.tables[0].columns() and "verdict" in experiment.to_pandas()


def test_values_of_a_solution(tmp_path: Any) -> None:
    solution = astragal.solve("pig(dice=1,target=15)")
    game = solution.game
    position = game.position("9-12+4 p1")
    best = astragal.analyze(position, "optimal").value
    assert solution[position] == pytest.approx(best)
    texts, values, turns = solution.positions(most=100)
    assert len(texts) == len(values) == len(turns) == 100 and texts[0] == game.start().text
    assert values[0] == solution.value == solution[game.start()]
    file = tmp_path / "pig.sol"
    solution.save(file)
    played = astragal.analyze(position, f"solved(file={file})")
    assert played.value == solution[position]


def test_what_can_be_pickled_and_copied() -> None:
    position = astragal.Game("pig(target=50)").position("30-45+12 p1")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and hash(again) == hash(position) and again.game.spec == position.game.spec
    engine = pickle.loads(pickle.dumps(astragal.Engine("star2(probes=2)")))
    assert astragal.analyze(again, engine, depth=2) is not None
    assert copy.copy(position) == position
    mine = astragal.Game("pig", evaluators={"mine": len})
    for thing in (mine, mine.start()):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(thing)
    report = astragal.analyze(position, "star2", depth=2)
    report.to_dict()["lines"].clear()
    assert len(report.to_dict()["lines"]) == 2


def test_progress_is_heard() -> None:
    heard: list[tuple[int, int, str]] = []
    astragal.match("pig", "hold-at", "random", pairs=400, progress=lambda *news: heard.append(news))
    assert heard and heard[-1][1] == 400 and all("%" in what for _, _, what in heard)

    class Enough(Exception):
        pass

    def stop(done: int, of: int, what: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        astragal.match("pig", "star2", "random", depth=3, pairs=10**6, progress=stop)


def test_a_line_of_progress_needs_no_library(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    report = astragal.match("pig", "hold-at", "random", pairs=50, progress=True)
    assert report.pairs == 50
    said = capfd.readouterr().err
    assert re.fullmatch(r"50 of 50 pairs, \d+\.\d %, \d+ s\n", said), said
    # Nothing is said where nobody looks, unless it is asked for.
    astragal.match("pig", "hold-at", "random", pairs=50)
    assert capfd.readouterr().err == ""


SLOW = {
    "match": 'astragal.match("pig", "star2", "mcts", pairs=1, time=0.02)',
    "solve": 'astragal.solve("pig(dice=1,target=60)")',
    "tournament": 'astragal.tournament({"game": "pig", "kind": "match", "pairs": 1, "engines": ["star2", "mcts"], "budget": {"milliseconds": 20}})',
}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("name", SLOW)
def test_work_in_a_terminal_shows_how_far_it_is(name: str) -> None:
    import pty

    screen, terminal = pty.openpty()
    code = f"import astragal._progress as p; p.DELAY = p.PAUSE = 0.02; import astragal; {SLOW[name]}"
    done = subprocess.Popen([sys.executable, "-c", code], stderr=terminal)
    os.close(terminal)
    said = b""
    # The end of a terminal that nobody has open any more is an error.
    with contextlib.suppress(OSError):
        while chunk := os.read(screen, 4096):
            said += chunk
    os.close(screen)
    assert done.wait() == 0
    lines = said.decode().split("\r")
    expected = {"solve": r"[\d,]+ states (found|valued)"}.get(name, rf"{name} …")
    assert any(re.match(rf"{expected}, \d+ s", line) for line in lines), lines
    # The line is gone when the work is done.
    assert lines[-1] == "" and lines[-2].strip() == ""


def test_a_match_has_what_the_command_prints(command: Command) -> None:
    arguments = ["match", "ewn", "mcts", "star2ss(width=2)", "--pairs", "20", "--nodes", "100"]
    printed = command.run(*arguments).stdout
    match = astragal.match("ewn", "mcts", "star2ss(width=2)", pairs=20, nodes=100)

    def percent(share: astragal.Interval) -> str:
        return f"{100 * share.mean:.1f} % [{100 * share.lo:.1f}, {100 * share.hi:.1f}]"

    def signed(number: astragal.Interval) -> str:
        return f"{number.mean:+.1f} [{number.lo:+.1f}, {number.hi:+.1f}]"

    rows = {
        "score": percent(match.score),
        "Elo": signed(match.elo),
        "normalised Elo": signed(match.normalised_elo),
        "superiority": f"{100 * match.superiority:.1f} %",
        "luck taken out": percent(match.luck_adjusted),
        "player 1 wins": percent(match.player_1_wins),
        "decisions per game": f"{match.decisions_per_game:.1f}",
        "nodes per decision": "{} and {}".format(*map(int, match.nodes_per_decision)),
    }
    for name, value in rows.items():
        line = next((line for line in printed.splitlines() if line.startswith(f"{name}  ")), "")
        assert line.removeprefix(name).strip().startswith(value), (name, value, line)
    frame = match.to_pandas()
    assert frame["player_1_wins_lo"][0] == match.player_1_wins.lo
    assert frame["decisions_per_game"][0] == match.to_dict()["decisions_a_game"] == match.decisions_per_game
