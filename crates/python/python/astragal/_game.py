"""Games, positions and engines."""

from __future__ import annotations

import copy
import json
import re
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _native, _show
from ._arguments import seed as checked_seed
from ._arguments import whole

Turn: TypeAlias = Literal["p1", "p2", "chance", "over"]


@runtime_checkable
class Rules(Protocol):
    """The interface of a game written in Python: these methods, and a `range`.

    States, actions and outcomes can be of any type; actions and outcomes must be hashable. A state is never
    modified: `apply` and `resolve` return a new one. Equal states must have the same `repr`, and different
    states different ones; otherwise the game needs a method `key(state)` that returns a number below 2**128 or
    anything with such a `repr`.

    A game with chance also has `outcomes(state)`, which returns pairs `(outcome, probability)`, and
    `resolve(state, outcome)`. Optional methods are `bounds(state)`, an interval that contains every payoff that
    can still be reached; `promise(state, action)`, a whole number that is larger for actions to try first;
    `write_state`, `write_action`, `write_outcome` and `picture` for text, `read_state(text)`, and
    `features(state)`, a list of numbers of fixed length.
    """

    @property
    def range(self) -> Any:
        """Two numbers between which all payoffs and evaluations lie."""

    def start(self) -> Any:
        """The state in which the game begins."""

    def turn(self, state: Any) -> str | float:
        """Whose turn it is: 'p1', 'p2' or 'chance'; at the end of the game, the payoff of player 1."""

    def actions(self, state: Any) -> Any:
        """The legal actions of a decision state, always in the same order."""

    def apply(self, state: Any, action: Any) -> Any:
        """The state after an action."""


@dataclass(frozen=True)
class Evaluator:
    """A Python function that evaluates, for player 1, the positions at which a search stops.

    `sees` is the argument of the function: the `"state"` of a game written in Python (the default for those),
    the `"features"` of a position as a NumPy array (the default for games of the catalogue), or its `"text"`.

    With `batch` the function is called with many positions, as a list or as an array with a row for each, and
    returns as many values: the leaves that are `batch` decisions ahead, with every outcome of the dice, are
    passed together. This makes neural networks practical.
    """

    function: Callable[..., Any]
    batch: int = 0
    sees: Literal["state", "features", "text"] | None = None


Evaluators: TypeAlias = "Mapping[str, Evaluator | Callable[..., Any]]"


def _evaluators(given: Evaluators | None, usual: str) -> list[tuple[str, Callable[..., Any], str, int]]:
    listed = []
    if given is not None and not isinstance(given, Mapping):
        raise TypeError("evaluators are a dictionary of functions by name")
    for name, function in (given or {}).items():
        evaluator = function if isinstance(function, Evaluator) else Evaluator(function)
        if not callable(evaluator.function):
            raise TypeError(f"the evaluator '{name}' is a function, not {evaluator.function!r}")
        sees = evaluator.sees or usual
        if sees == "state" and usual != "state":
            raise ValueError(f"the evaluator '{name}' can see features or text: only Python games have states")
        listed.append((str(name), evaluator.function, sees, whole("batch", evaluator.batch, 0, 4)))
    return listed


class Game:
    """A game of the catalogue, named by its spec, or a game written in Python.

    >>> pig = Game("pig(target=50)")
    >>> pig
    Game('pig(dice=2,target=50,outcomes=merged)')
    >>> pig.start().actions
    ['roll']
    >>> pig.position("30-45+12 p1").actions
    ['roll', 'hold']

    An object with the methods of `Rules` is also a game, which every engine can play. `evaluators` are named
    Python functions, which engines accept as `eval=NAME`; see `Evaluator`.

    >>> def lead(features):
    ...     return 100 * (features[0] - features[1])
    >>> game = Game("pig", evaluators={"mine": lead})
    >>> game.start().game is game
    True
    """

    _inner: _native.Game
    rules: Any
    """The object that the game was created from, if it is written in Python."""

    def __init__(self, game: str | Rules, *, name: str | None = None, evaluators: Evaluators | None = None) -> None:
        self._is_plain = isinstance(game, str) and not evaluators
        if isinstance(game, str):
            if name is not None:
                raise ValueError("a game of the catalogue has its name")
            self.rules = None
            self._inner = _native.Game(game, _evaluators(evaluators, "features"))
            return
        if isinstance(game, type):
            raise TypeError(f"a game is an object: {game.__name__}() instead of {game.__name__}")
        plain = re.sub(r"(?<!^)(?=[A-Z])", "-", type(game).__name__).lower() if name is None else name
        if not re.fullmatch(r"[a-z0-9][a-z0-9_.-]*", plain):
            raise ValueError(f"{plain!r} is no name for a game: lower-case letters, digits, -, _ and .")
        self.rules = game
        self._inner = _native.Game.of_object(game, plain, _evaluators(evaluators, "state"))

    @property
    def spec(self) -> str:
        """The complete spec."""
        return self._inner.spec

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def has_chance(self) -> bool:
        """Whether the game has dice or any other chance."""
        return self._inner.has_chance

    @property
    def range(self) -> tuple[float, float]:
        """The interval that contains every payoff."""
        return self._inner.range

    def start(self) -> Position:
        """The position in which the game begins."""
        return Position._of(self, self._inner.start())

    def position(self, text: str) -> Position:
        """The position written as `text`, in the notation described by `astragal games NAME`."""
        return Position._of(self, self._inner.position(text))

    def deal(self, seed: SupportsIndex) -> Position:
        """A random start, in games that have random starts."""
        return Position._of(self, self._inner.deal(checked_seed(seed)))

    def check(
        self,
        *,
        games: int = 100,
        length: int = 2000,
        seed: SupportsIndex = 1,
        unfinished: bool = False,
    ) -> Visited:
        """Plays random games and checks every part of the contract of a game.

        Raises `ValueError` with the broken part and the position. That no game ends within `length`
        positions is a mistake too, unless `unfinished` says that the game is longer or has no end.
        """
        games, length = whole("games", games, 1, 10**9), whole("length", length, 1, 10**9)
        return Visited(*self._inner.check(games, length, checked_seed(seed), unfinished))

    def _is_same(self, other: Game) -> bool:
        """Whether positions of one game are also positions of the other."""
        return self is other or (self.rules is None is other.rules and self.spec == other.spec)

    def __repr__(self) -> str:
        return f"Game({self.spec!r})"

    def __reduce__(self) -> Any:
        if self._is_plain:
            return Game, (self.spec,)
        raise TypeError("a game or an evaluator written in Python cannot be pickled: make it where it is used")


@dataclass(frozen=True)
class Visited:
    """What random play visited."""

    finished: int
    """Games that ended."""
    decisions: int
    chances: int
    distinct: int
    """Different states."""


class Position:
    """A position of a game. It is immutable: `apply` and `resolve` return a new one.

    >>> position = Game("pig").position("30-45+12 p1")
    >>> position.turn, position.actions
    ('p1', ['roll', 'hold'])
    >>> position.apply("roll").outcomes[0]
    ('bust', 0.2777777777777778)
    """

    game: Game
    _inner: _native.Position

    @classmethod
    def _of(cls, game: Game, native: _native.Position) -> Position:
        position = cls.__new__(cls)
        position.game, position._inner = game, native
        return position

    @property
    def text(self) -> str:
        """The position on one line."""
        return self._inner.text

    @property
    def turn(self) -> Turn:
        """Whose turn it is: p1, p2, chance, or over."""
        return self._inner.turn

    @property
    def payoff(self) -> float | None:
        """The payoff of player 1, if the game is over."""
        return self._inner.payoff

    @property
    def is_over(self) -> bool:
        return self._inner.turn == "over"

    @property
    def actions(self) -> list[str]:
        """The legal actions; none if no player is to act."""
        actions = self._inner.actions()
        if self.game.rules is not None and len(set(actions)) < len(actions):
            raise ValueError(f"contract: two actions of {self.text} are written alike: {', '.join(actions)}")
        return actions

    @property
    def outcomes(self) -> list[tuple[str, float]]:
        """The outcomes with their probabilities; none if it is not chance's turn."""
        return self._inner.outcomes()

    def apply(self, action: str) -> Position:
        """The position after an action."""
        return Position._of(self.game, self._inner.apply(action))

    def resolve(self, outcome: str) -> Position:
        """The position after an outcome."""
        return Position._of(self.game, self._inner.resolve(outcome))

    @property
    def features(self) -> npt.NDArray[np.float32]:
        """The position as numbers, the same count for every position of a game."""
        return self._inner.features()

    @property
    def state(self) -> Any:
        """The state itself, in a game written in Python."""
        return self._inner.state

    @property
    def picture(self) -> str:
        """The position drawn, as text."""
        return "".join(text for _, text in self._inner.picture())

    @property
    def known_best(self) -> str | None:
        """The best action, in trees constructed so that it is known."""
        return self._inner.known_best

    def perft(self, depth: SupportsIndex, *, outcomes: bool = False) -> int:
        """The number of sequences of `depth` decisions; with `outcomes` each outcome counts separately."""
        return self._inner.perft(whole("depth", depth, 0, 1000), outcomes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game._is_same(other.game) and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.game.spec, self.text))

    def __str__(self) -> str:
        return self.picture

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.text}>"

    def _repr_html_(self) -> str:
        who = "over" if self.is_over else f"{self.turn} to act"
        game = _show.spec(self.game._inner.brief_spec, self.game.spec)
        return _show.picture(self._inner.picture(), f"{game} · {_show.breakable(self.text)} · {who}")

    def __reduce__(self) -> Any:
        if self.game._is_plain:
            return _position, (self.game.spec, self.text)
        raise TypeError("a position of a game with something written in Python cannot be pickled")

    def __copy__(self) -> Position:
        return self


def _position(spec: str, text: str) -> Position:
    return Game(spec).position(text)


class Engine:
    """An engine, named by its spec, for every game that it supports.

    For each game it keeps what its spec says to keep between searches, such as the tree of `mcts(reuse=on)`.

    >>> Engine("star2ss(width=5)")
    Engine('star2ss(width=5)')
    """

    spec: str
    _made: weakref.WeakKeyDictionary[Game, _native.Engine]

    def __init__(self, spec: str) -> None:
        if not isinstance(spec, str):
            raise TypeError(f"an engine is named by its spec, such as 'star2(probes=2)', not {spec!r}")
        self.spec = spec
        self._made = weakref.WeakKeyDictionary()

    def _for(self, game: Game) -> _native.Engine:
        if not isinstance(game, Game):
            raise TypeError(f"a game is an astragal.Game, not {game!r}")
        made = self._made.get(game)
        if made is None:
            made = self._made[game] = _native.Engine(game._inner, self.spec)
        return made

    def full_spec(self, game: Game) -> str:
        """The complete spec for a game, with all parameters.

        >>> Engine("random").full_spec(Game("pig"))
        'random'
        """
        return self._for(game).spec

    def tree(self, game: Game, *, depth: SupportsIndex = 4, visits: SupportsIndex = 1) -> Tree:
        """The tree of the last search in a game, limited in steps and to nodes with at least `visits` visits."""
        text = self._for(game).tree(whole("depth", depth, 0, 1000), whole("visits", visits, 0, 2**63))
        if text is None:
            raise ValueError(f"{self.spec} keeps no tree in {game.name}, or has not searched yet")
        return Tree(json.loads(text), game.range)

    def __repr__(self) -> str:
        return f"Engine({self.spec!r})"

    def __reduce__(self) -> Any:
        return Engine, (self.spec,)


@dataclass(frozen=True)
class Tree:
    """Part of the tree built by a search; nodes are dictionaries, as in the command's JSON."""

    root: dict[str, Any]
    _bounds: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        return copy.deepcopy(self.root)

    @property
    def svg(self) -> str:
        """The picture."""
        return _show.tree(self.root, self._bounds)

    def _repr_html_(self) -> str:
        # A wide tree is scrolled: shrunk to the width of the page, its numbers could not be read.
        return f'<div style="overflow-x:auto">{self.svg}</div>'
