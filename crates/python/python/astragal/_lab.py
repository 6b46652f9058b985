"""Searches, matches, tournaments, solutions, studies and experiments."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _native, _show
from ._arguments import budget, limits, path, whole
from ._arguments import jobs as checked_jobs
from ._arguments import seed as checked_seed
from ._game import Engine, Game, Position
from ._progress import Progress, shown
from ._reports import Analysis, Experiment, MatchReport, Regret, Study, Table, TournamentReport

Player: TypeAlias = "str | Engine"
Path: TypeAlias = "str | os.PathLike[str]"


def _spec(engine: Player) -> str:
    if not isinstance(engine, (str, Engine)):
        raise TypeError(f"an engine is named by its spec, such as 'star2(probes=2)', not {engine!r}")
    return engine if isinstance(engine, str) else engine.spec


def _game(game: str | Game) -> Game:
    return game if isinstance(game, Game) else Game(game)


def analyze(
    position: Position,
    engine: Player = "star2",
    *,
    depth: SupportsIndex | None = None,
    nodes: SupportsIndex | None = None,
    iterations: SupportsIndex | None = None,
    time: float | None = None,
    seed: SupportsIndex = 0,
    progress: Progress = None,
) -> Analysis:
    """Searches a position for its value, its best action, and a line for each action.

    Without any limit, either here or in the engine (as in `star2(depth=3)`), it takes one second. Ctrl-C ends it
    and returns the results so far (`partial`).

    >>> position = Game("pig").position("30-45+12 p1")
    >>> report = analyze(position, "star2", depth=4)
    >>> report.best, round(report.value, 3)
    ('roll', -5.886)
    >>> [line.action for line in report.lines]
    ['roll', 'hold']
    """
    if not isinstance(position, Position):
        raise TypeError(f"analyze takes a position, such as Game('pig').start(), not {position!r}")
    player = engine if isinstance(engine, Engine) else Engine(engine)
    given = limits(depth, nodes, iterations, time)
    with shown(progress, "analyze", "") as hear:
        text = player._for(position.game).analyze(position._inner, checked_seed(seed), *given, hear)
    native = position.game._inner
    return Analysis._read(text, position.game.range, native.brief_spec, native.brief)


def match(
    game: str | Game | Position,
    first: Player,
    second: Player,
    *,
    pairs: SupportsIndex = 100,
    depth: SupportsIndex | None = None,
    nodes: SupportsIndex | None = None,
    iterations: SupportsIndex | None = None,
    time: float | None = None,
    first_budget: str | None = None,
    second_budget: str | None = None,
    seed: SupportsIndex = 0,
    opening: SupportsIndex = 0,
    deal: bool = False,
    starts: Sequence[str] = (),
    match_nodes: bool = False,
    finish: str | None = None,
    sprt: tuple[float, float] | None = None,
    normalised: bool = False,
    jobs: SupportsIndex | None = None,
    store: Path | None = None,
    progress: Progress = None,
) -> MatchReport:
    """Plays a match: pairs of games with the same dice and swapped seats.

    Limits apply to each decision; the default is 0.1 s, so that a hundred pairs of a long game take many minutes. A
    budget for one engine alone is text, such as `"iterations=1000"` or `"depth=4,time=200ms"`. Games without dice
    differ by `opening` random decisions, by starts that the game deals, or by a list of `starts`. With
    `sprt=(0, 20)` the match ends as soon as a sequential test decides between these differences in Elo. With a
    `store` it resumes where it stopped. Ctrl-C ends it and returns the pairs that were played (`partial`).

    >>> report = match("pig", "hold-at(n=20)", "random", pairs=50, seed=1)
    >>> report.pairs, report.score.lo > 0.5
    (50, True)
    """
    position = game if isinstance(game, Position) else None
    rules = position.game if position is not None else _game(game)  # type: ignore[arg-type]
    if isinstance(starts, str):
        raise TypeError("starts is a list of positions")
    if sprt is not None and len(sprt) != 2:
        raise TypeError("sprt is two differences in Elo, such as (0, 20)")
    with shown(progress, "match", "pairs") as hear:
        text = _native.play_match(
            rules._inner,
            None if position is None else position._inner,
            [_spec(first), _spec(second)],
            [first_budget, second_budget],
            *limits(depth, nodes, iterations, time),
            whole("pairs", pairs, 1, 100_000_000),
            checked_seed(seed),
            whole("opening", opening, 0, 2**32 - 1),
            bool(deal),
            list(starts),
            bool(match_nodes),
            finish,
            None if sprt is None else (float(sprt[0]), float(sprt[1])),
            bool(normalised),
            checked_jobs(jobs),
            path(store),
            hear,
        )
    return MatchReport._read(text, rules._inner.brief_spec, rules._inner.brief)


Kind: TypeAlias = Literal["match", "round-robin", "gauntlet", "elimination"]


def tournament(
    plan: Path | Mapping[str, Any],
    *,
    jobs: SupportsIndex | None = None,
    store: Path | None = None,
    progress: Progress = None,
) -> TournamentReport:
    """Plays the tournament of a plan: a TOML file, its text, or a dictionary with the same keys.

    The keys are `game` (here also a `Game`), `kind` (match, round-robin, gauntlet or elimination), `engines`,
    `pairs`, and optionally `seed`, `opening`, `position` and `budget`, a dictionary with `depth`, `nodes`,
    `iterations` or `milliseconds`. An engine is a spec, or a dictionary with `engine` and its own `budget`.
    With a `store` it resumes where it stopped. Ctrl-C ends it; without a store, the games played are then lost.

    >>> plan = {"game": "pig(target=30)", "kind": "round-robin", "pairs": 5, "budget": {"depth": 1},
    ...         "engines": ["expectimax", "random", "hold-at(n=20)"]}
    >>> report = tournament(plan)
    >>> len(report.matches), len(report.to_dict()["ratings"])
    (3, 3)
    """
    threads, kept = checked_jobs(jobs), path(store)
    with shown(progress, "tournament", "pairs") as hear:
        if not isinstance(plan, Mapping):
            text = _native.tournament_of_plan(plan_text(plan), threads, kept, hear)
            return TournamentReport._read(text)
        planned = _planned(dict(plan))
        text = _native.tournament(*planned, threads, kept, hear)
        return TournamentReport._read(text, planned[0].brief)


def plan_text(plan: Path) -> str:
    """Returns the text of a plan: its own, or that of the file it names."""
    if isinstance(plan, str) and ("\n" in plan or "=" in plan):
        return plan
    try:
        with open(plan, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise ValueError(f"{os.fspath(plan)}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ValueError(f"{os.fspath(plan)}: it is not a text") from None


_KEYS = ("game", "kind", "engines", "pairs", "seed", "opening", "position", "budget")


def _plan_budget(given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise TypeError(f"a budget is a dictionary such as {{'nodes': 1000}}, not {given!r}")
    allowed = ("depth", "nodes", "iterations", "milliseconds")
    for name in given:
        if name not in allowed:
            raise ValueError(f"unknown limit {name!r} of a budget: one of {', '.join(allowed)}")
    milliseconds = given.get("milliseconds")
    time = None if milliseconds is None else milliseconds / 1000
    return budget(given.get("depth"), given.get("nodes"), given.get("iterations"), time)


_Planned: TypeAlias = tuple[
    _native.Game,
    str,
    "list[tuple[str, str | None]]",
    "_native.Position | None",
    "str | None",
    int,
    int,
    int,
]


def _planned(plan: dict[str, Any]) -> _Planned:
    for name in plan:
        if name not in _KEYS:
            raise ValueError(f"unknown key {name!r} of a plan: one of {', '.join(_KEYS)}")
    for name in ("game", "kind", "engines", "pairs"):
        if name not in plan:
            raise ValueError(f"a plan needs {name!r}")
    rules = _game(plan["game"])
    engines = []
    if isinstance(plan["engines"], (str, Engine)):
        raise TypeError("engines is a list of specs")
    for engine in plan["engines"]:
        if isinstance(engine, Mapping):
            if set(engine) - {"engine", "budget"} or "engine" not in engine:
                raise ValueError("an engine is a spec, or {'engine': spec, 'budget': {...}}")
            engines.append((_spec(engine["engine"]), _plan_budget(engine.get("budget"))))
        else:
            engines.append((_spec(engine), None))
    position = plan.get("position")
    if isinstance(position, Position) and position.game is not rules:
        position = position.text
    if isinstance(position, str):
        position = rules.position(position)
    if not (position is None or isinstance(position, Position)):
        raise TypeError(f"a position is text or a Position, not {position!r}")
    return (
        rules._inner,
        str(plan["kind"]),
        engines,
        None if position is None else position._inner,
        _plan_budget(plan.get("budget")),
        whole("pairs", plan["pairs"], 1, 100_000_000),
        checked_seed(plan.get("seed", 0)),
        whole("opening", plan.get("opening", 0), 0, 2**32 - 1),
    )


@dataclass(frozen=True)
class Solution(Table):
    """The exact value of every position that can be reached from one."""

    game: Game
    position: Position
    value: float
    """The value of that position under perfect play."""
    turns: float | None
    """The expected number of turns, in solo games."""
    states: int
    decisions: int
    chances: int
    cyclic: int
    sweeps: int
    residual: float
    seconds: float
    _inner: _native.Solved = field(repr=False, compare=False)
    _data: dict[str, Any] = field(repr=False, compare=False)

    def __getitem__(self, position: Position) -> float:
        """The value of a position.

        Raises `KeyError` if it does not follow from the solution: the position cannot be reached from where the
        game was solved, and not all of its successors can be reached either.
        """
        value = None
        if not isinstance(position, Position):
            raise TypeError(f"a solution has values of positions, not of {position!r}")
        if self.game._is_same(position.game):
            value = self._inner.value(position._inner)
        if value is None:
            raise KeyError(position.text)
        return value

    def positions(self, most: int | None = None) -> tuple[list[str], npt.NDArray[np.float64], list[str]]:
        """Returns the solved positions, as texts, with their values and turns.

        They are in breadth-first order from the start; at most `most` are returned.

        >>> solution = solve("tic-tac-toe")
        >>> texts, values, turns = solution.positions()
        >>> len(texts), values.dtype, float(values[0]), turns[0]
        (5478, dtype('float64'), 0.0, 'p1')
        """
        return self._inner.positions(2**62 if most is None else whole("most", most, 0, 2**62))

    def columns(self) -> dict[str, list[Any]]:
        texts, values, turns = self.positions()
        return {"position": texts, "value": values.tolist(), "turn": turns}

    def save(self, file: Path) -> None:
        """Saves the values to a file; `solved(file=...)` is the engine that plays by them."""
        self._inner.save(os.fspath(file))

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as the command prints it with `--json`."""
        return copy.deepcopy(self._data)

    def _repr_html_(self) -> str:
        return _show.solution(self)


def solve(
    game: str | Game | Position, *, states: SupportsIndex = 50_000_000, progress: Progress = None
) -> Solution:
    """Solves a game: the exact value of every position reachable from its start, or from a given position.

    Fails if more than `states` positions must be kept. Warns early if a number in them seems to grow without
    bound.

    >>> solution = solve("pig(dice=1,target=20)")
    >>> solution.states, round(solution.value, 6)
    (17404, 23.11171)
    """
    position = game if isinstance(game, Position) else _game(game).start()
    with shown(progress, "solve", "states") as hear:
        native = _native.solve(position._inner, whole("states", states, 1, 4_000_000_000), hear)
    data = json.loads(native.report)
    numbers = {name: data[name] for name in ("value", "states", "decisions", "chances", "cyclic", "sweeps")}
    return Solution(
        game=position.game,
        position=position,
        turns=data.get("turns"),
        residual=data["residual"],
        seconds=data["seconds"],
        **numbers,
        _inner=native,
        _data=data,
    )


def accuracy(
    game: str,
    engines: Sequence[Player],
    *,
    trees: SupportsIndex = 200,
    sweep: str | None = None,
    tau: float | None = None,
    depth: SupportsIndex | None = None,
    nodes: SupportsIndex | None = None,
    iterations: SupportsIndex | None = None,
    time: float | None = None,
    seed: SupportsIndex = 0,
    jobs: SupportsIndex | None = None,
    progress: Progress = None,
) -> Study:
    """Measures how often engines decide right at the root of synthetic trees, whose best action is known.

    With `tau`, measures the simulations until the root value stays at `tau` or more. `sweep` varies a parameter:
    `"sigma=0,2,4"`, `"vmax=1..10"`, `"engine.depth=2..6"`.

    >>> study = accuracy("pv(depth=6)", ["alpha-beta(depth=2)", "uct"], iterations=200, trees=20)
    >>> [row["engine"] for row in study.rows]
    ['alpha-beta(depth=2)', 'uct']
    """
    if isinstance(engines, (str, Engine)):
        raise TypeError("engines is a list of specs")
    if not isinstance(game, str):
        raise TypeError("the game is the spec of synthetic trees, such as 'pv(depth=6)'")
    with shown(progress, "accuracy", "searches") as hear:
        text = _native.accuracy(
            game,
            [_spec(engine) for engine in engines],
            sweep,
            whole("trees", trees, 1, 1_000_000_000),
            checked_seed(seed),
            *limits(depth, nodes, iterations, time),
            None if tau is None else float(tau),
            checked_jobs(jobs),
            hear,
        )
    return Study._read(text)


def regret(
    game: str | Game | Position | Solution,
    engines: Sequence[Player],
    *,
    source: Literal["self-play", "random", "all"] = "self-play",
    positions: SupportsIndex = 1000,
    opening: SupportsIndex | None = None,
    depth: SupportsIndex | None = None,
    nodes: SupportsIndex | None = None,
    iterations: SupportsIndex | None = None,
    time: float | None = None,
    seed: SupportsIndex = 0,
    jobs: SupportsIndex | None = None,
    progress: Progress = None,
) -> Regret:
    """Charges every decision of the engines what it loses against perfect play, in a game that can be solved.

    By default each engine plays games against itself, until `positions` decisions are judged; `source="random"`
    judges one decision of each random game, `"all"` every decision that can be reached, or so many of them. The
    first `opening` decisions of a game are random: 2 by default in games without chance.

    >>> found = regret("pig(target=20)", ["optimal", "random"], positions=200, seed=1)
    >>> found.rows[0]["loss"]["mean"], found.rows[1]["loss"]["mean"] > 1
    (0.0, True)
    """
    if isinstance(engines, (str, Engine)):
        raise TypeError("engines is a list of specs")
    solution = game if isinstance(game, Solution) else solve(game, progress=progress)
    with shown(progress, "regret", "decisions") as hear:
        text = _native.regret(
            solution._inner,
            [_spec(engine) for engine in engines],
            source,
            whole("positions", positions, 1, 1_000_000_000),
            None if opening is None else whole("opening", opening, 0, 1000),
            checked_seed(seed),
            *limits(depth, nodes, iterations, time),
            checked_jobs(jobs),
            hear,
        )
    return Regret._read(text)


def reproduce(
    *ids: str,
    scale: Literal["quick", "paper", "full"] = "quick",
    seed: SupportsIndex = 0,
    out: Path | None = None,
    jobs: SupportsIndex | None = None,
    progress: Progress = None,
) -> list[Experiment]:
    """Runs experiments of the papers and lectures: published and measured numbers side by side, with figures.

    With a folder `out`, reports are written there, and finished work is not repeated. `experiments` lists them.

    >>> [experiment] = reproduce("lecture-ucb-example")
    >>> experiment.findings[0].verdict
    'agrees'
    """
    if not ids:
        raise ValueError("which experiments? experiments() lists them")
    with shown(progress, "reproduce", "%") as hear:
        names, threads = [str(id) for id in ids], checked_jobs(jobs)
        texts = _native.reproduce(names, scale, checked_seed(seed), path(out), threads, hear)
    return [Experiment._read(text) for text in texts]


def experiments() -> list[dict[str, Any]]:
    """The experiments: their ids, titles and sources, and the seconds that each takes on two cores.

    >>> experiments()[0]["id"]
    'mcms-table1'
    """
    scales = ("quick", "paper", "full")
    return [
        {"id": id, "title": title, "source": source, "seconds": dict(zip(scales, seconds))}
        for id, title, source, seconds in _native.experiments()
    ]


def games() -> list[dict[str, Any]]:
    """The games of the catalogue with their rules (Markdown), parameters, evaluators and policies.

    The genre of a game is 'game', or 'tree' for a tree that is meant for the study of searches.

    >>> [game["name"] for game in games()][:4]
    ['pig', 'ewn', 'cant-stop', 'ra']
    >>> [game["name"] for game in games() if game["genre"] == "tree"][:2]
    ['explicit', 'random-tree']
    >>> games()[0]["rules"].splitlines()[0]
    '# Pig'
    """
    listed: list[dict[str, Any]] = json.loads(_native.games())
    return listed


def engines() -> list[dict[str, Any]]:
    """The engines of the catalogue with their parameters and budgets.

    >>> "star2ss" in [engine["name"] for engine in engines()]
    True
    """
    listed: list[dict[str, Any]] = json.loads(_native.engines())
    return listed


def merge(into: Path, *others: Path) -> int:
    """Merges the results of other stores into one, and returns the number of new units.

    Raises `ValueError` if a unit has two different results, after merging all others; the first one is kept.
    """
    _, added, _, different = _native.merge(os.fspath(into), [os.fspath(other) for other in others])
    if different:
        raise ValueError(f"{different} units have another result in {os.fspath(into)}, which was kept")
    return added
