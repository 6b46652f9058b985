"""Games written in Python, for the tests: Pig with one die as the catalogue has it, and stones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class PigState:
    scores: tuple[int, int] = (0, 0)
    total: int = 0
    player: int = 0
    rolling: bool = False


class Pig:
    """Pig with one die, by the rules of `pig(dice=1)`."""

    range = (-100.0, 100.0)

    def __init__(self, target: int = 20) -> None:
        self.target = target

    def start(self) -> PigState:
        return PigState()

    def turn(self, state: PigState) -> str | float:
        # Whoever has enough with the total of this turn has won.
        if state.scores[state.player] + state.total >= self.target:
            return (100.0, -100.0)[state.player]
        return "chance" if state.rolling else ("p1", "p2")[state.player]

    def actions(self, state: PigState) -> list[str]:
        # The first thing in a turn is a roll.
        return ["roll", "hold"] if state.total > 0 else ["roll"]

    def apply(self, state: PigState, action: str) -> PigState:
        if action == "roll":
            return PigState(state.scores, state.total, state.player, True)
        scores = list(state.scores)
        scores[state.player] += state.total
        return PigState((scores[0], scores[1]), 0, 1 - state.player)

    def outcomes(self, state: PigState) -> list[tuple[int, float]]:
        return [(face, 1 / 6) for face in range(1, 7)]

    def resolve(self, state: PigState, face: int) -> PigState:
        if face == 1:
            return PigState(state.scores, 0, 1 - state.player)
        return PigState(state.scores, state.total + face, state.player)


class Stones:
    """Two take one or two stones in turns from a heap; before each turn a coin may drop one more on it."""

    range = (-1.0, 1.0)

    def start(self) -> Any:
        return (4, "p1", False, 3)

    def turn(self, state: Any) -> str | float:
        heap, player, coin, _ = state
        if coin:
            return "chance"
        if heap == 0:
            return -1.0 if player == "p1" else 1.0
        return str(player)

    def actions(self, state: Any) -> Any:
        return range(1, min(state[0], 2) + 1)

    def outcomes(self, state: Any) -> Any:
        return [("drop", 0.5), ("none", 0.5)]

    def apply(self, state: Any, stones: int) -> Any:
        heap, player, _, drops = state
        heap -= stones
        return (heap, "p2" if player == "p1" else "p1", heap > 0 and drops > 0, drops)

    def resolve(self, state: Any, outcome: str) -> Any:
        heap, player, _, drops = state
        return (heap + 1, player, False, drops - 1) if outcome == "drop" else (heap, player, False, drops)


class Network:
    """A small neural network with fixed weights; values within ±100."""

    def __init__(self, inputs: int) -> None:
        weights = np.random.default_rng(1)
        self.first = weights.normal(size=(inputs, 32)).astype(np.float32) / 8
        self.second = weights.normal(size=32).astype(np.float32) / 4
        self.calls = 0

    def __call__(self, features: npt.NDArray[np.float32]) -> Any:
        self.calls += 1
        return 100 * np.tanh(np.tanh(features @ self.first) @ self.second)
