"""Games as environments of PettingZoo, for agents that learn.

>>> from astragal.pettingzoo import env
>>> pig = env("pig(target=30)")
>>> pig.reset(seed=1)
>>> pig.agent_selection
'player_1'
>>> observation, reward, terminated, truncated, info = pig.last()
>>> observation["action_mask"].nonzero()[0].tolist(), info["actions"]
([0], ['roll'])
>>> pig.step(0)

An action is a number: its index in the position's list of actions, whose order is fixed. The environment throws
the dice. The reward of player 1 is the payoff of the game, and that of player 2 is its negation. An illegal
action ends the game and costs the agent as much as the worst result that either player can have.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("environments need PettingZoo: pip install 'astragal[pettingzoo]'") from error

from ._arguments import whole
from ._game import Game, Position

AGENTS = ["player_1", "player_2"]


def env(game: str | Game, *, actions: int = 256, moves: int = 10_000) -> Any:
    """Returns the environment of a game, with the usual wrappers of PettingZoo."""
    plain = Environment(game, actions=actions, moves=moves)
    low, high = plain.game.range
    lost = min(low, -high)
    wrapped = wrappers.TerminateIllegalWrapper(plain, illegal_reward=lost)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class Environment(AECEnv):  # type: ignore[misc]
    """A game as an environment in which agents act in turns.

    `actions` is the size of the action space, at least as large as the number of actions of any position. A game
    is truncated after `moves` decisions.
    """

    metadata = {"name": "astragal", "render_modes": ["ansi"], "is_parallelizable": False}
    render_mode = "ansi"

    def __init__(self, game: str | Game, *, actions: int = 256, moves: int = 10_000) -> None:
        super().__init__()
        self.game = game if isinstance(game, Game) else Game(game)
        self.metadata = {**self.metadata, "name": self.game.name}
        self.possible_agents = list(AGENTS)
        self._count = whole("actions", actions, 1, 1_000_000)
        self._moves = whole("moves", moves, 1, 10**9)
        length = len(self.game.start().features)
        numbers = gymnasium.spaces.Box(-np.inf, np.inf, (length,), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (self._count,), np.int8)
        self._observations = {
            agent: gymnasium.spaces.Dict({"observation": numbers, "action_mask": mask}) for agent in AGENTS
        }
        self._actions = {agent: gymnasium.spaces.Discrete(self._count) for agent in AGENTS}
        self._dice = np.random.default_rng()
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, from the `position` in the options if there is one."""
        if seed is not None:
            self._dice = np.random.default_rng(seed)
        start = (options or {}).get("position")
        if isinstance(start, Position) and start.game is not self.game:
            start = start.text
        self.position = self.game.position(start) if isinstance(start, str) else start or self.game.start()
        self.agents = list(AGENTS)
        self._made = 0
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.agent_selection = AGENTS[0]
        self._settle()

    def observe(self, agent: str) -> dict[str, Any]:
        mask = np.zeros(self._count, np.int8)
        if self.agents and agent == self.agent_selection:
            mask[: len(self.position.actions)] = 1
        return {"observation": self.position.features.copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self.position.actions
        if action is None or not 0 <= int(action) < len(legal):
            raise ValueError(f"action {action} is none of the {len(legal)} of this position")
        self._cumulative_rewards[agent] = 0.0
        self.position = self.position.apply(legal[int(action)])
        self._made += 1
        self._clear_rewards()
        self._settle()
        self._accumulate_rewards()

    def _settle(self) -> None:
        """Throws the dice until a player decides or the game is over."""
        position: Position = self.position
        while position.turn == "chance":
            outcomes = position.outcomes
            weights = np.array([weight for _, weight in outcomes])
            position = position.resolve(outcomes[self._dice.choice(len(outcomes), p=weights / weights.sum())][0])
        self.position = position
        if position.payoff is not None:
            self.rewards = {AGENTS[0]: position.payoff, AGENTS[1]: -position.payoff}
            self.terminations = dict.fromkeys(AGENTS, True)
        elif self._made >= self._moves:
            self.truncations = dict.fromkeys(AGENTS, True)
        else:
            self.agent_selection = AGENTS[0] if position.turn == "p1" else AGENTS[1]
            if len(position.actions) > self._count:
                raise ValueError(
                    f"{position.text} has {len(position.actions)} actions: make the environment with as many"
                )
        self.infos = {agent: {"position": position.text, "actions": position.actions} for agent in AGENTS}

    def render(self) -> str:
        return self.position.picture

    def close(self) -> None:
        pass
