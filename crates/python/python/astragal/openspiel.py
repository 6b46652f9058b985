"""Games of OpenSpiel for every engine, and every engine as a bot of OpenSpiel.

>>> import astragal
>>> game = from_pyspiel("tic_tac_toe")
>>> position = game.position("4,0,2")
>>> print(position)
o.x
.x.
...
>>> astragal.analyze(position, "alpha-beta", depth=6).best
'o(2,0)'

What fits are sequential games of perfect information for two, with zero or constant sum, whose chance is
explicit if there is any. `fitting_games` says of each game whether it fits, and if not why;
`python -m astragal.openspiel` prints that.

Player 0 is p1, and values are the returns of player 0.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, SupportsIndex

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel is not installed: pip install 'astragal[openspiel]'") from error

from ._arguments import SEEDS, limits
from ._arguments import seed as checked_seed
from ._game import Engine, Evaluator, Evaluators, Game, Position
from ._lab import analyze

__all__ = ["Bot", "Fit", "State", "fitting_games", "from_pyspiel", "position_of"]


class State:
    """A state of a game of OpenSpiel, which is never changed.

    Which state it is, its history says, and not OpenSpiel's text of it: that leaves out what matters in some
    games, such as the die in `einstein_wurfelt_nicht`.
    """

    __slots__ = ("_names", "_rules", "key", "spiel")

    spiel: Any
    """The `pyspiel.State`. Clone it before you change it."""
    key: Any
    """What tells the state from others: by default 128 bits that depend on the whole history."""

    def __init__(self, rules: OpenSpiel, spiel: Any, key: Any) -> None:
        self._rules, self.spiel, self.key = rules, spiel, key
        self._names: dict[int, str] | None = None

    def names(self) -> dict[int, str]:
        """The legal actions or the outcomes with their texts."""
        if self._names is None:
            spiel = self.spiel
            names = {action: spiel.action_to_string(action).strip() for action in spiel.legal_actions()}
            once = set(names.values())
            if len(once) < len(names) or "" in once:
                # OpenSpiel may have one text for two actions.
                texts = list(names.values())
                alone = {text for text in once if text and texts.count(text) == 1}
                names = {
                    action: text if text in alone else f"{text}#{action}" for action, text in names.items()
                }
            self._names = names
        return self._names

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.key != other.key:
            return False
        # The same history leads to the same state if OpenSpiel's rules are a function, which the text shows.
        return self._rules.merges or str(self.spiel) == str(other.spiel)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"State({self._rules.write_state(self)!r}, {str(self.spiel)!r})"


def _digest(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=16).digest(), "little")


class OpenSpiel:
    """The rules of a game of OpenSpiel, in the form that `astragal.Rules` describes."""

    def __init__(self, spiel: Any, key: Callable[[Any], Any] | None = None) -> None:
        self.spiel = spiel
        self.range = (spiel.min_utility(), spiel.max_utility())
        self.has_chance = spiel.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
        self.merges = key is not None
        self._key = key
        self._read: tuple[list[str], State] | None = None
        self._usual = ""
        self._usual = self._begin(spiel.new_initial_state())

    def start(self) -> State:
        return self._first(self.spiel.new_initial_state())

    def turn(self, state: State) -> str | float:
        spiel = state.spiel
        if spiel.is_terminal():
            return float(spiel.returns()[0])
        player = spiel.current_player()
        return "chance" if player == pyspiel.PlayerId.CHANCE else ("p1", "p2")[player]

    def actions(self, state: State) -> list[int]:
        return list(state.spiel.legal_actions())

    def apply(self, state: State, action: int) -> State:
        spiel = state.spiel.child(action)
        if self._key is not None:
            return State(self, spiel, self._key(spiel))
        return State(self, spiel, _digest(state.key.to_bytes(16, "little") + action.to_bytes(8, "little")))

    resolve = apply

    def outcomes(self, state: State) -> list[tuple[int, float]]:
        # OpenSpiel allows outcomes of probability 0, which are dropped, and sums that are not quite 1, which
        # are made 1 only if they differ by more than the contract allows: otherwise the probabilities are
        # OpenSpiel's own, bit for bit.
        outcomes = [(outcome, weight) for outcome, weight in state.spiel.chance_outcomes() if weight > 0]
        total = sum(weight for _, weight in outcomes)
        if 1e-12 < abs(total - 1) < 1e-6:
            outcomes = [(outcome, weight / total) for outcome, weight in outcomes]
        return outcomes

    def key(self, state: State) -> Any:
        return state.key

    def write_action(self, state: State, action: int) -> str:
        return state.names()[action]

    write_outcome = write_action

    def picture(self, state: State) -> str:
        # The picture of a state in which nothing has happened may be empty.
        return str(state.spiel) or self.write_state(state)

    def write_state(self, state: State) -> str:
        """The actions and outcomes so far, as numbers; before them where the game began, if not as usual."""
        return self.text(state.spiel)

    def text(self, spiel: Any) -> str:
        begin = self._begin(spiel)
        moves = ",".join(map(str, spiel.history())) or "start"
        return moves if begin == self._usual else f"{json.dumps(begin)} {moves}"

    def read_state(self, text: str) -> State:
        text = text.strip()
        state, begin = None, ""
        if text.startswith('"'):
            try:
                begin, end = json.JSONDecoder().raw_decode(text)
                state = self._first(self.spiel.deserialize_state(f"{begin}\n"))
            except (ValueError, pyspiel.SpielError) as error:
                raise ValueError(f"{text!r} begins in no state of {self.spiel}") from error
            text = text[end:].strip()
        moves = [] if text == "start" else [move.strip() for move in text.split(",")]
        # The positions of a game are mostly read one after the other: the last one is a part of the way.
        seen, last = self._read or ([], None)
        if state is None and last is not None and moves[: len(seen)] == seen:
            state, rest = last, moves[len(seen) :]
        else:
            state, rest = state or self.start(), moves
        for move in rest:
            legal = {str(action): action for action in state.spiel.legal_actions()}
            if move not in legal:
                may = f"one of: {', '.join(legal)}" if legal else "nothing: the game is over"
                raise ValueError(
                    f"position {text!r}: expected 'start', or the actions and outcomes so far by number;"
                    f" after {self.write_state(state)!r} comes {may}"
                )
            state = self.apply(state, legal[move])
        if not begin:
            self._read = (moves, state)
        return state

    def _first(self, spiel: Any) -> State:
        """A state without a history."""
        if self._key is not None:
            return State(self, spiel, self._key(spiel))
        begin = self._begin(spiel)
        return State(self, spiel, 0 if begin == self._usual else _digest(begin.encode()))

    def _begin(self, spiel: Any) -> str:
        """Where a game began, as the lines of OpenSpiel's own form that come before the history."""
        lines = spiel.serialize().rstrip("\n").split("\n")
        history = [str(action) for action in spiel.history()]
        first = len(lines) - len(history)
        # Some games write no history of numbers, but theirs always holds the whole game.
        return "\n".join(lines[:first]).strip() if lines[first:] == history else self._usual


def _misfits(kind: Any, players: int | None) -> list[str]:
    """Why a type of games does not fit; the number of players if it is known."""
    is_a = pyspiel.GameType
    why = []
    if kind.dynamics != is_a.Dynamics.SEQUENTIAL:
        why.append({"SIMULTANEOUS": "simultaneous moves", "MEAN_FIELD": "mean field"}[kind.dynamics.name])
    fewest, most = (kind.min_num_players, kind.max_num_players) if players is None else (players, players)
    if not fewest <= 2 <= most:
        why.append(f"{fewest} player{'s' if fewest > 1 else ''}" + (" or more" if most > fewest else ""))
    if kind.utility not in (is_a.Utility.ZERO_SUM, is_a.Utility.CONSTANT_SUM):
        why.append({"GENERAL_SUM": "general sum", "IDENTICAL": "identical payoffs"}[kind.utility.name])
    if kind.information != is_a.Information.PERFECT_INFORMATION:
        hidden = kind.information == is_a.Information.IMPERFECT_INFORMATION
        why.append("imperfect information" if hidden else "one shot")
    if kind.chance_mode not in (is_a.ChanceMode.DETERMINISTIC, is_a.ChanceMode.EXPLICIT_STOCHASTIC):
        why.append("sampled chance")
    return why


def from_pyspiel(
    game: Any,
    parameters: Mapping[str, Any] | None = None,
    *,
    evaluators: Evaluators | None = None,
    key: Callable[[Any], Any] | None = None,
) -> Game:
    """A game of OpenSpiel, by its name with or without parameters, or a `pyspiel.Game`.

    >>> game = from_pyspiel("breakthrough", {"rows": 4, "columns": 4})
    >>> game
    Game('openspiel.breakthrough_columns_4_rows_4')
    >>> game.start().apply("a4b3").text
    '4'
    >>> from_pyspiel("kuhn_poker")
    Traceback (most recent call last):
    ValueError: 'kuhn_poker()' does not fit: imperfect information

    The text of a position is its history: the actions and outcomes so far, by OpenSpiel's numbers.
    `position_of` finds the position of a `pyspiel.State`.

    `evaluators` are given a `pyspiel.State`, or a list of them with `batch`, and return what player 0 may
    expect.

    >>> def edge(state):
    ...     return 0.01 * sum(state.observation_tensor(0)[:9])
    >>> from_pyspiel("tic_tac_toe", evaluators={"edge": edge}).start().turn
    'p1'

    Two states are the same only if their histories are, so tables find no transpositions. If you know
    better, `key` is a function of a `pyspiel.State` whose value is equal for states that are the same. It
    must hold all that matters, such as who is to act, the dice, and what the rules of repetition depend on.

    >>> game = from_pyspiel("tic_tac_toe", key=str)
    >>> game.position("0,1,2").state == game.position("2,1,0").state
    True
    """
    if isinstance(game, str):
        known = {kind.short_name for kind in pyspiel.registered_games()}
        if game.split("(")[0].strip() not in known:
            raise ValueError(f"OpenSpiel has no game {game!r}: see python -m astragal.openspiel")
        try:
            given = () if parameters is None else (dict(parameters),)
            spiel = pyspiel.load_game(game, *given)
        except pyspiel.SpielError as error:
            raise ValueError(f"OpenSpiel cannot load {game!r}: {str(error).strip()}") from error
    elif isinstance(game, pyspiel.Game):
        if parameters is not None:
            raise ValueError("parameters are for the name of a game: a pyspiel.Game has its own")
        spiel = game
    else:
        raise TypeError(f"a game of OpenSpiel is a name such as 'backgammon' or a pyspiel.Game, not {game!r}")
    why = _misfits(spiel.get_type(), spiel.num_players())
    if why:
        raise ValueError(f"'{spiel}' does not fit: {', '.join(why)}")
    try:
        return Game(OpenSpiel(spiel, key), name=_name(str(spiel)), evaluators=_of_spiel(evaluators))
    except pyspiel.SpielError as error:
        raise ValueError(f"OpenSpiel cannot begin '{spiel}': {str(error).strip()}") from error


def _rules(game: Game) -> OpenSpiel:
    if not isinstance(game.rules, OpenSpiel):
        raise ValueError(f"{game.spec} is no game of OpenSpiel: make it with from_pyspiel")
    return game.rules


def position_of(game: Game, state: Any) -> Position:
    """The position of a `pyspiel.State` in a game that `from_pyspiel` has made.

    >>> game = from_pyspiel("tic_tac_toe")
    >>> state = game.rules.spiel.new_initial_state()
    >>> state.apply_action(4)
    >>> position_of(game, state).text
    '4'
    """
    rules = _rules(game)
    if str(state.get_game()) != str(rules.spiel):
        raise ValueError(f"the state is of '{state.get_game()}', not of '{rules.spiel}'")
    return game.position(rules.text(state))


def _name(spec: str) -> str:
    """A name that tells games with different parameters apart, made of what may be in one."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in ".-") else "_" for c in spec.lower())
    return "openspiel." + "_".join(word for word in plain.split("_") if word)


def _of_spiel(evaluators: Evaluators | None) -> dict[str, Evaluator]:
    """The evaluators, given OpenSpiel's states instead of those that hold them."""

    def within(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda state: function(state.spiel)

    def within_all(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda states: function([state.spiel for state in states])

    made = {}
    for name, given in (evaluators or {}).items():
        evaluator = given if isinstance(given, Evaluator) else Evaluator(given)
        if evaluator.sees in (None, "state") and callable(evaluator.function):
            wrap = within_all if evaluator.batch else within
            evaluator = Evaluator(wrap(evaluator.function), evaluator.batch, "state")
        made[name] = evaluator
    return made


@dataclass(frozen=True)
class Fit:
    """Whether a game of OpenSpiel fits."""

    name: str
    title: str
    why: str
    """Why it does not; empty if it does."""
    chance: bool
    """Whether there is chance in it."""

    @property
    def fits(self) -> bool:
        return not self.why


def fitting_games() -> list[Fit]:
    """Every game that OpenSpiel lists, whether it fits, and if not why.

    >>> fits = {fit.name: fit for fit in fitting_games()}
    >>> fits["backgammon"].fits, fits["leduc_poker"].why
    (True, 'imperfect information')

    Those that cannot be loaded by name alone may fit with parameters that make them a game that does.

    >>> fits["misere"].why
    'needs parameters'
    >>> from_pyspiel("misere(game=tic_tac_toe())").start().turn
    'p1'

    Games written in Python are listed once `open_spiel.python.games` is imported.
    """
    listed = []
    for kind in pyspiel.registered_games():
        why = _misfits(kind, None) if kind.default_loadable else ["needs parameters"]
        chance = kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
        listed.append(Fit(kind.short_name, kind.long_name, ", ".join(why), chance))
    return listed


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """An engine that plays a game in OpenSpiel, for either player.

    >>> game = from_pyspiel("pig(winscore=20)")
    >>> bots = [Bot("star2", game, depth=2), Bot("random", game, seed=7)]
    >>> returns = pyspiel.evaluate_bots(game.rules.spiel.new_initial_state(), bots, 1)
    >>> sorted(returns)
    [-1.0, 1.0]

    The limits are for each decision; without any, a decision takes a second. The seed of a search is `seed`
    plus the number of actions and outcomes before it, so decisions differ within a game, and a game can be
    repeated.

    A bot keeps nothing of a game but what its engine remembers. It may be asked about any state, in any
    order.
    """

    def __init__(
        self,
        engine: str | Engine,
        game: Any,
        *,
        depth: SupportsIndex | None = None,
        nodes: SupportsIndex | None = None,
        iterations: SupportsIndex | None = None,
        time: float | None = None,
        seed: SupportsIndex = 0,
    ) -> None:
        super().__init__()
        self.game = game if isinstance(game, Game) else from_pyspiel(game)
        _rules(self.game)
        self.engine = engine if isinstance(engine, Engine) else Engine(engine)
        self.engine.full_spec(self.game)
        self.seed = checked_seed(seed)
        self._limits = limits(depth, nodes, iterations, time)

    def step(self, state: Any) -> int:
        """The action of whoever is to act."""
        position = position_of(self.game, state)
        if position.turn not in ("p1", "p2"):
            raise ValueError(f"nobody decides in {position.text!r}")
        depth, nodes, iterations, time = self._limits
        seed = (self.seed + len(state.history())) & SEEDS
        report = analyze(
            position, self.engine, depth=depth, nodes=nodes, iterations=iterations, time=time, seed=seed
        )
        if report.partial:
            # Whoever plays many moves must be able to stop.
            raise KeyboardInterrupt
        actions = {text: action for action, text in position.state.names().items()}
        action: int = actions[str(report.best)]
        return action

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The policy, and the action."""
        best = self.step(state)
        return [(action, float(action == best)) for action in state.legal_actions()], best

    def provides_policy(self) -> bool:
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Certainty for one action: chance enters through the seed alone."""
        return self.step_with_policy(state)[0]

    def restart(self) -> None:
        """Nothing: a state says all."""

    def restart_at(self, state: Any) -> None:
        """Nothing: a state says all."""

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing: a state says all."""

    def inform_actions(self, state: Any, actions: list[int]) -> None:
        """Nothing: a state says all."""

    def provides_force_action(self) -> bool:
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Nothing: a state says all."""


def _print() -> None:
    listed = fitting_games()
    wide = max(len(fit.name) for fit in listed)
    for fit in listed:
        fitting = "fits, with chance" if fit.chance else "fits"
        print(f"{fit.name:<{wide}}  {fit.why or fitting}")
    print(f"\n{sum(fit.fits for fit in listed)} of {len(listed)} fit")


if __name__ == "__main__":
    try:
        _print()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone away, which is its right; Python would complain once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
