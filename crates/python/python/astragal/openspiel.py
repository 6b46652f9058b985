"""OpenSpiel games for every engine, and every engine as an OpenSpiel bot.

>>> import astragal
>>> game = from_pyspiel("tic_tac_toe")
>>> position = game.position("4,0,2")
>>> print(position)
o.x
.x.
...
>>> astragal.analyze(position, "alpha-beta", depth=6).best
'o(2,0)'

Suitable games are sequential two-player games of perfect information, with zero or constant sum and explicit
chance, if any. `fitting_games` reports for each game whether it fits, and if not why;
`python -m astragal.openspiel` prints the list.

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
    """An immutable state of an OpenSpiel game.

    It is identified by its history, and not by OpenSpiel's text, which omits relevant data in some games, such as
    the die in `einstein_wurfelt_nicht`.
    """

    __slots__ = ("_names", "_rules", "key", "spiel")

    spiel: Any
    """The `pyspiel.State`. Clone it before modifying it."""
    key: Any
    """The identity of the state: by default 128 bits that depend on the whole history."""

    def __init__(self, rules: OpenSpiel, spiel: Any, key: Any) -> None:
        self._rules, self.spiel, self.key = rules, spiel, key
        self._names: dict[int, str] | None = None

    def names(self) -> dict[int, str]:
        """Returns the legal actions or outcomes with their texts."""
        if self._names is None:
            spiel = self.spiel
            names = {action: spiel.action_to_string(action).strip() for action in spiel.legal_actions()}
            once = set(names.values())
            if len(once) < len(names) or "" in once:
                # OpenSpiel may give two actions the same text.
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
        # Equal histories give equal states if OpenSpiel's rules are deterministic; the texts show it.
        return self._rules.merges or str(self.spiel) == str(other.spiel)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"State({self._rules.write_state(self)!r}, {str(self.spiel)!r})"


def _digest(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=16).digest(), "little")


class OpenSpiel:
    """The rules of an OpenSpiel game, with the interface of `astragal.Rules`."""

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
        # OpenSpiel allows outcomes of probability 0, which are dropped, and sums that differ slightly from 1,
        # which are normalised only if they differ by more than the contract allows; otherwise the probabilities
        # remain OpenSpiel's own, bit for bit.
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
        # The picture of an initial state may be empty.
        return str(state.spiel) or self.write_state(state)

    def write_state(self, state: State) -> str:
        """The actions and outcomes so far, as numbers, preceded by the start of the game if unusual."""
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
        # The positions of a game are mostly read in sequence, so the last one is usually a prefix.
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
        """Creates a state without a history."""
        if self._key is not None:
            return State(self, spiel, self._key(spiel))
        begin = self._begin(spiel)
        return State(self, spiel, 0 if begin == self._usual else _digest(begin.encode()))

    def _begin(self, spiel: Any) -> str:
        """Returns the start of a game, as the lines of OpenSpiel's own format that precede the history."""
        lines = spiel.serialize().rstrip("\n").split("\n")
        history = [str(action) for action in spiel.history()]
        first = len(lines) - len(history)
        # Some games write no numeric history, but their history always covers the whole game.
        return "\n".join(lines[:first]).strip() if lines[first:] == history else self._usual


def _misfits(kind: Any, players: int | None) -> list[str]:
    """Returns why a type of game does not fit; `players` is the number of players if it is known."""
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
    """An OpenSpiel game, given by its name with or without parameters, or as a `pyspiel.Game`.

    >>> game = from_pyspiel("breakthrough", {"rows": 4, "columns": 4})
    >>> game
    Game('openspiel.breakthrough_columns_4_rows_4')
    >>> game.start().apply("a4b3").text
    '4'
    >>> from_pyspiel("kuhn_poker")
    Traceback (most recent call last):
    ValueError: 'kuhn_poker()' does not fit: imperfect information

    The text of a position is its history: the actions and outcomes so far, by OpenSpiel's numbers.
    `position_of` returns the position of a `pyspiel.State`.

    `evaluators` receive a `pyspiel.State`, or a list of them with `batch`, and return the expected result of
    player 0.

    >>> def edge(state):
    ...     return 0.01 * sum(state.observation_tensor(0)[:9])
    >>> from_pyspiel("tic_tac_toe", evaluators={"edge": edge}).start().turn
    'p1'

    Two states are equal only if their histories are, so tables find no transpositions. To identify more
    states, pass a `key`: a function of a `pyspiel.State` whose value is equal for equal states. It must include
    everything that matters, such as the player to act, the dice, and what the repetition rules depend on.

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
    """Returns the position of a `pyspiel.State` in a game created by `from_pyspiel`.

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
    """Returns a name of valid characters that distinguishes games with different parameters."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in ".-") else "_" for c in spec.lower())
    return "openspiel." + "_".join(word for word in plain.split("_") if word)


def _of_spiel(evaluators: Evaluators | None) -> dict[str, Evaluator]:
    """Wraps the evaluators so that they receive OpenSpiel's states instead of the wrappers."""

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
    """Why it does not fit; empty if it does."""
    chance: bool
    """Whether it has chance."""

    @property
    def fits(self) -> bool:
        return not self.why


def fitting_games() -> list[Fit]:
    """Lists every OpenSpiel game, whether it fits, and if not why.

    >>> fits = {fit.name: fit for fit in fitting_games()}
    >>> fits["backgammon"].fits, fits["leduc_poker"].why
    (True, 'imperfect information')

    A game that cannot be loaded by name alone may fit with parameters.

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
    """An engine that plays a game in OpenSpiel, as either player.

    >>> game = from_pyspiel("pig(winscore=20)")
    >>> bots = [Bot("star2", game, depth=2), Bot("random", game, seed=7)]
    >>> returns = pyspiel.evaluate_bots(game.rules.spiel.new_initial_state(), bots, 1)
    >>> sorted(returns)
    [-1.0, 1.0]

    Limits apply to each decision; without any, a decision takes one second. The seed of a search is `seed` plus
    the number of actions and outcomes before it, so decisions differ within a game, and a game can be repeated.

    A bot has no memory of a game except that of its engine. It can be called for any state, in any order.
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
        """The action of the player to act."""
        position = position_of(self.game, state)
        if position.turn not in ("p1", "p2"):
            raise ValueError(f"nobody decides in {position.text!r}")
        depth, nodes, iterations, time = self._limits
        seed = (self.seed + len(state.history())) & SEEDS
        report = analyze(
            position, self.engine, depth=depth, nodes=nodes, iterations=iterations, time=time, seed=seed
        )
        if report.partial:
            # A caller that plays many moves must be able to stop.
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
        """A deterministic policy: randomness enters only through the seed."""
        return self.step_with_policy(state)[0]

    def restart(self) -> None:
        """Does nothing: a state is self-contained."""

    def restart_at(self, state: Any) -> None:
        """Does nothing: a state is self-contained."""

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Does nothing: a state is self-contained."""

    def inform_actions(self, state: Any, actions: list[int]) -> None:
        """Does nothing: a state is self-contained."""

    def provides_force_action(self) -> bool:
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Does nothing: a state is self-contained."""


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
        # The reader closed the pipe, which is allowed; Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
