"""The results of searches, matches, tournaments and experiments: typed fields, tables, pictures."""

from __future__ import annotations

import copy
import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from . import _native, _show


Brief: TypeAlias = "Callable[[str], str]"
"""Leaves the parameters that have their default values out of a spec."""


class Table:
    """A report with a table, available as columns, for pandas, for polars and for notebooks.

    Specs in tables are without the parameters that have their default values; the fields of a report have them in
    full, and notebooks show them when the mouse is over a spec.
    """

    def _full(self) -> dict[str, str]:
        """The complete specs of the short ones in the table."""
        return {}

    def columns(self) -> dict[str, list[Any]]:
        """Returns the table as a list for each column."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Returns the table as a `pandas.DataFrame`."""
        import pandas

        return pandas.DataFrame(self.columns())

    def to_polars(self) -> Any:
        """Returns the table as a `polars.DataFrame`."""
        import polars

        return polars.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return _show.table(self.columns(), self._full())


def _by_columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return {name: [row.get(name) for row in rows] for name in names}


@dataclass(frozen=True)
class Line:
    """What a search knows about one action at the root."""

    action: str
    value: float
    """Exact if `lo` equals `hi`; otherwise the bound that refuted the action, or a mean."""
    lo: float
    hi: float
    visits: int
    error: float | None = None
    """The standard error of the value, if it is a mean of independent samples."""
    deviation: float | None = None
    """The standard deviation of the values that it is the mean of, in a tree search."""

    @property
    def text(self) -> str:
        """The value for display: with its error, or as a bound.

        >>> Line("roll", 0.5, 0.5, 0.5, 7).text, Line("hold", 0.25, -1.0, 0.25, 3).text
        ('+0.5000', '≤ +0.2500')
        """
        value = _show.signed(self.value)
        if self.error is not None:
            return f"{value} ± {self.error:.4f}"
        if self.lo == self.hi or self.deviation is not None:
            return value
        if self.value == self.hi:
            return f"≤ {value}"
        return f"≥ {value}" if self.value == self.lo else "?"


@dataclass(frozen=True)
class Analysis(Table):
    """A search of a position. Values are always player 1's."""

    game: str
    position: str
    engine: str
    seed: int
    budget: dict[str, int | float | None]
    partial: bool
    """Whether it was interrupted."""
    value: float
    best: str | None
    tied: tuple[str, ...]
    """Every action that is as good as the best."""
    depth: int
    stop: str
    """Why it ended: depth, complete, nodes, iterations, time or cancelled; unknown if a solution does not hold the
    position."""
    lines: tuple[Line, ...]
    """A line for each action, in the game's order."""
    pv: tuple[str, ...]
    """The best line of play, through the most likely outcomes."""
    counts: dict[str, int]
    """Counts of the work done by the search."""
    elapsed: float
    """The duration in seconds."""
    _bounds: tuple[float, float] = field(default=(-1.0, 1.0), repr=False)
    _short: tuple[str, str] = field(default=("", ""), repr=False, compare=False)
    """The game and the engine without the parameters that have their default values."""
    _data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _read(cls, text: str, bounds: tuple[float, float], game: str, brief: Brief) -> Analysis:
        data = json.loads(text)
        return cls(
            game=data["game"],
            position=data["position"],
            engine=data["engine"],
            seed=data["seed"],
            budget=data["budget"],
            partial=data["partial"],
            value=data["value"],
            best=data["best"],
            tied=tuple(data["tied"]),
            depth=data["depth"],
            stop=data["stop"],
            lines=tuple(Line(**line) for line in data["lines"]),
            pv=tuple(data["pv"]),
            counts=data["counts"],
            elapsed=data["elapsed_s"],
            _bounds=bounds,
            _short=(game, brief(data["engine"])),
            _data=data,
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as the command prints it with `--json`."""
        return copy.deepcopy(self._data)

    @property
    def unevaluated(self) -> int:
        """The number of leaves, of `counts["leaves"]`, that count as the middle of the range, because the
        evaluator knows nothing of them. 0 if every line was seen to its end."""
        return 0 if self.stop == "complete" else self.counts["unevaluated"]

    def columns(self) -> dict[str, list[Any]]:
        return _by_columns([dict(vars(line), best=line.action in self.tied) for line in self.lines])

    def __str__(self) -> str:
        best = f", best {self.best}" if self.best is not None else ""
        lines = "".join(f"\n  {line.action}: {line.text} ({line.visits:,} visits)" for line in self.lines)
        blind = ""
        if self.unevaluated:
            share = f"{self.unevaluated:,} of {self.counts['leaves']:,} leaves"
            blind = f"\n{share} were not evaluated: give the game an evaluator, or try uct, which plays games out"
        partial = " (interrupted)" if self.partial else ""
        return f"value {_show.signed(self.value)}{best}{partial}{lines}{blind}"

    def _repr_html_(self) -> str:
        return _show.analysis(self, self._bounds, self._short)


@dataclass(frozen=True)
class Interval:
    """An estimate and its 95 % interval."""

    mean: float
    lo: float
    hi: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} [{self.lo:.4g}, {self.hi:.4g}]"


_AS_PRINTED = {
    "lo": "score_lo",
    "hi": "score_hi",
    "nelo": "normalised_elo",
    "nelo_lo": "normalised_elo_lo",
    "nelo_hi": "normalised_elo_hi",
    "los": "superiority",
    "first_mover": "player_1_wins",
    "first_mover_lo": "player_1_wins_lo",
    "first_mover_hi": "player_1_wins_hi",
    "decisions_a_game": "decisions_per_game",
}
"""The names of numbers in the JSON of a match that the command prints under other names."""


@dataclass(frozen=True)
class MatchReport(Table):
    """A match, from the point of view of the first engine."""

    game: str
    engines: tuple[str, str]
    seed: int
    partial: bool
    """Whether it was interrupted."""
    pairs: int
    """Pairs of games with the same dice and swapped seats; 0 if interrupted before the first pair."""
    score: Interval
    elo: Interval
    normalised_elo: Interval
    """Elo in units of the spread of a pair's score, which does not depend on how often games are drawn."""
    superiority: float
    """The likelihood that the first engine is the stronger one."""
    luck_adjusted: Interval
    """The score with the luck of the dice removed."""
    player_1_wins: Interval
    """The score of player 1, whichever engine it was. It says as much about these engines as about the game."""
    decisions_per_game: float
    nodes_per_decision: tuple[float, float]
    """Of the first engine and of the second."""
    pentanomial: tuple[int, ...]
    """The number of pairs for each score of the first engine: 0, ¼, ½, ¾, 1."""
    away: tuple[int, int] = (0, 0)
    """The decisions of each engine in positions that its solution does not hold, where it played the first action."""
    _short: tuple[str, str, str] = field(default=("", "", ""), repr=False, compare=False)
    """The game and the engines without the parameters that have their default values."""
    _data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _read(cls, text: str, game: str, brief: Brief) -> MatchReport:
        data = json.loads(text)
        unknown = {"score": None, "lo": None, "hi": None}
        luck = data.get("luck_adjusted", unknown)
        first, second = data["engines"]
        nodes = data.get("nodes_a_decision", (None, None))
        return cls(
            game=data["game"],
            engines=(first, second),
            seed=data["seed"],
            partial=data["partial"],
            pairs=data["pairs"],
            score=_interval(data.get("score"), data.get("lo"), data.get("hi")),
            elo=_interval(data.get("elo"), data.get("elo_lo"), data.get("elo_hi")),
            normalised_elo=_interval(data.get("nelo"), data.get("nelo_lo"), data.get("nelo_hi")),
            superiority=_number(data.get("los")),
            luck_adjusted=_interval(luck["score"], luck["lo"], luck["hi"]),
            player_1_wins=_interval(
                data.get("first_mover"), data.get("first_mover_lo"), data.get("first_mover_hi")
            ),
            decisions_per_game=_number(data.get("decisions_a_game")),
            nodes_per_decision=(_number(nodes[0]), _number(nodes[1])),
            pentanomial=tuple(data.get("pentanomial", ())),
            away=tuple(data.get("away", {"decisions": (0, 0)})["decisions"]),
            _short=(game, brief(first), brief(second)),
            _data=data,
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as the command prints it with `--json`."""
        return copy.deepcopy(self._data)

    def columns(self) -> dict[str, list[Any]]:
        row: dict[str, Any] = dict(zip(("game", "first", "second"), self._short))
        for name, value in self._data.items():
            if name != "game" and not isinstance(value, (list, dict)):
                row[_AS_PRINTED.get(name, name)] = value
        luck = self.luck_adjusted
        row |= {"luck_adjusted": luck.mean, "luck_adjusted_lo": luck.lo, "luck_adjusted_hi": luck.hi}
        row["nodes_per_decision_first"], row["nodes_per_decision_second"] = self.nodes_per_decision
        return {name: [value] for name, value in row.items()}

    def _full(self) -> dict[str, str]:
        return dict(zip(self._short, (self.game, *self.engines)))

    def __str__(self) -> str:
        _, first, second = self._short
        partial = " (interrupted)" if self.partial else ""
        return f"{first}: {_percent(self.score)} against {second} in {self.pairs} pairs{partial}"

    def _repr_html_(self) -> str:
        game, first, second = self._short
        rows = {
            "game": game,
            "first": first,
            "second": second,
            "pairs": f"{self.pairs:,}{' (interrupted)' if self.partial else ''}",
            "score of the first": _percent(self.score),
            "Elo": _elo(self.elo),
            "normalised Elo": _elo(self.normalised_elo),
            "superiority": f"{100 * self.superiority:.1f} %",
            "luck taken out": _percent(self.luck_adjusted),
            "player 1 wins": _percent(self.player_1_wins),
            "decisions per game": f"{self.decisions_per_game:.1f}",
            "nodes per decision": "{:,.0f} and {:,.0f}".format(*self.nodes_per_decision),
        }
        return _show.table({"": list(rows), "match": list(rows.values())}, self._full())


def _percent(share: Interval) -> str:
    return f"{100 * share.mean:.1f} % [{100 * share.lo:.1f}, {100 * share.hi:.1f}]"


def _elo(elo: Interval) -> str:
    return f"{_show.signed(elo.mean, 1)} [{_show.signed(elo.lo, 1)}, {_show.signed(elo.hi, 1)}]"


def _number(value: float | None) -> float:
    """Reads a number; JSON has neither infinities nor NaN, and uses null for them."""
    return float("nan") if value is None else value


def _interval(mean: float | None, lo: float | None, hi: float | None) -> Interval:
    return Interval(_number(mean), _number(lo), _number(hi))


@dataclass(frozen=True)
class Bout:
    """A match of a tournament, from the point of view of its first player."""

    round: int
    players: tuple[int, int]
    """The engines, as indices into the list."""
    score: Interval
    luck_adjusted: Interval
    pentanomial: tuple[int, ...]


@dataclass(frozen=True)
class TournamentReport(Table):
    """A tournament: ratings in Elo, and all matches."""

    game: str
    engines: tuple[str, ...]
    pairs: int
    """Pairs of each match."""
    partial: bool
    """Whether it was interrupted; then it has neither ratings nor matches."""
    order: tuple[int, ...]
    """The engines as indices into the list, best first."""
    ratings: tuple[Interval, ...]
    """The rating of each engine, in the order of the list."""
    matches: tuple[Bout, ...]
    _short: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The engines without the parameters that have their default values."""
    _data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _read(cls, text: str, brief: Brief | None = None) -> TournamentReport:
        data = json.loads(text)
        game, engines = data["game"], data["engines"]
        return cls(
            game=data["game"],
            engines=tuple(engines),
            pairs=data["pairs"],
            partial=data["partial"],
            order=tuple(data.get("order", ())),
            ratings=tuple(_interval(*rating) for rating in data.get("ratings", ())),
            matches=tuple(
                Bout(
                    round=bout["round"],
                    players=(bout["players"][0], bout["players"][1]),
                    score=_interval(bout["score"], bout["lo"], bout["hi"]),
                    luck_adjusted=_interval(*bout["luck_adjusted"]),
                    pentanomial=tuple(bout["pentanomial"]),
                )
                for bout in data.get("matches", ())
            ),
            # Without a game at hand, it is one of the catalogue.
            _short=tuple(map(brief, engines) if brief else _native.brief(game, engines)[1]),
            _data=data,
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as the command prints it with `--json`."""
        return copy.deepcopy(self._data)

    def columns(self) -> dict[str, list[Any]]:
        ranked = [(self._short[at], self.ratings[at]) for at in self.order]
        return {
            "engine": [engine for engine, _ in ranked],
            "elo": [rating.mean for _, rating in ranked],
            "lo": [rating.lo for _, rating in ranked],
            "hi": [rating.hi for _, rating in ranked],
        }

    def _full(self) -> dict[str, str]:
        return dict(zip(self._short, self.engines))


@dataclass(frozen=True)
class Study(Table):
    """Engines compared in the same synthetic trees: a row for each, at each value of the sweep."""

    game: str
    seed: int
    partial: bool
    sweep: str | None
    rows: tuple[dict[str, Any], ...]
    across: tuple[dict[str, Any], ...]
    """Which engine dominates which over the sweep."""
    _data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _read(cls, text: str) -> Study:
        data = json.loads(text)
        return cls(
            game=data["game"],
            seed=data["seed"],
            partial=data["partial"],
            sweep=data.get("sweep"),
            rows=tuple(data["rows"]),
            across=tuple(data.get("across", ())),
            _data=data,
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as the command prints it with `--json`."""
        return copy.deepcopy(self._data)

    def columns(self) -> dict[str, list[Any]]:
        def flat(row: dict[str, Any]) -> dict[str, Any]:
            plain = {name: value for name, value in row.items() if name != "compared"}
            for name, interval in row.get("compared", {}).items():
                plain |= {name: interval["mean"], f"{name}_lo": interval["lo"], f"{name}_hi": interval["hi"]}
            return plain

        return _by_columns([flat(row) for row in self.rows])


@dataclass(frozen=True)
class Regret(Table):
    """What the decisions of engines lose against perfect play: a row for each engine."""

    game: str
    position: str
    value: float
    """The value of that position under perfect play."""
    source: str
    seed: int
    partial: bool
    rows: tuple[dict[str, Any], ...]
    _data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _read(cls, text: str) -> Regret:
        data = json.loads(text)
        names = ("game", "position", "value", "source", "seed", "partial")
        return cls(**{name: data[name] for name in names}, rows=tuple(data["rows"]), _data=data)

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as the command prints it with `--json`."""
        return copy.deepcopy(self._data)

    def columns(self) -> dict[str, list[Any]]:
        def flat(row: dict[str, Any]) -> dict[str, Any]:
            plain = {name: value for name, value in row.items() if name not in ("loss", "loss_a_game", "worst")}
            for name in ("loss", "loss_a_game"):
                for end, value in row.get(name, {}).items():
                    plain[name if end == "mean" else f"{name}_{end}"] = value
            return plain | {"worst": (row["worst"] or {"loss": 0.0})["loss"]}

        return _by_columns([flat(row) for row in self.rows])


@dataclass(frozen=True)
class Finding:
    """A claim of a paper next to the measurement."""

    claim: str
    published: str
    measured: str
    verdict: str
    """agrees, differs, depends, level, open or new."""
    rule: str
    """The criterion for agreement, and for difference."""
    note: str


@dataclass(frozen=True)
class Figure:
    """A figure of an experiment, as SVG."""

    name: str
    caption: str
    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class ResultTable(Table):
    """A table of an experiment."""

    name: str
    csv: str = field(repr=False)

    def columns(self) -> dict[str, list[Any]]:
        rows = list(csv.reader(io.StringIO(self.csv)))
        head, body = rows[0], rows[1:]
        return {name: [_plain(row[at]) for row in body] for at, name in enumerate(head)}


def _plain(text: str) -> int | float | str | None:
    """Parses a cell of a CSV file as a number, if it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


@dataclass(frozen=True)
class Experiment(Table):
    """An experiment of a paper or lecture: findings, tables, figures."""

    id: str
    title: str
    source: str
    scale: str
    seed: int
    summary: str
    findings: tuple[Finding, ...]
    tables: tuple[ResultTable, ...]
    figures: tuple[Figure, ...]
    report: str | None
    """The path of the report, if it was written."""

    @classmethod
    def _read(cls, text: str) -> Experiment:
        data = json.loads(text)
        return cls(
            **{
                **data,
                "findings": tuple(Finding(**one) for one in data["findings"]),
                "tables": tuple(ResultTable(**one) for one in data["tables"]),
                "figures": tuple(Figure(**one) for one in data["figures"]),
            }
        )

    def columns(self) -> dict[str, list[Any]]:
        return _by_columns([vars(finding) for finding in self.findings])

    def _repr_html_(self) -> str:
        shown = {name: values for name, values in self.columns().items() if name not in ("rule", "note")}
        return _show.table(shown, caption=self.title)
