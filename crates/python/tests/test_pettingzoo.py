"""Every game is an environment that PettingZoo's own tests accept."""

from __future__ import annotations

import warnings
from typing import Any

import astragal
import numpy as np
import pytest
from astragal.pettingzoo import Environment, env
from conftest import SMALL
from pettingzoo.test import api_test, seed_test


@pytest.mark.parametrize("name", SMALL)
def test_the_environment_keeps_the_rules_of_pettingzoo(name: str) -> None:
    with warnings.catch_warnings():
        # That numbers have no bounds is meant so.
        warnings.simplefilter("ignore")
        api_test(env(SMALL[name]), num_cycles=100, verbose_progress=False)
        seed_test(lambda: env(SMALL[name]), num_cycles=50)


def test_rewards_are_payoffs() -> None:
    game = env("tic-tac-toe")
    game.reset(seed=1)
    rewards: dict[str, float] = {}
    # Player 1 takes the first row, player 2 two squares of the second.
    for agent, action in zip(game.agent_iter(), [0, 2, 0, 1, 0, None, None]):
        _, reward, terminated, _, _ = game.last()
        if terminated:
            rewards[agent] = reward
        game.step(action)
    low, high = astragal.Game("tic-tac-toe").range
    assert rewards == {"player_1": high, "player_2": low}


def test_an_engine_wins_against_chance_in_the_environment() -> None:
    dice, won = np.random.default_rng(3), 0.0
    for number in range(30):
        game: Any = Environment("pig(target=30)")
        game.reset(seed=number)
        for agent in game.agent_iter():
            observation, reward, terminated, truncated, info = game.last()
            if terminated or truncated:
                won += (agent == "player_1") * (reward > 0)
                game.step(None)
            elif agent == "player_1":
                best = astragal.analyze(game.position, "optimal").best
                game.step(info["actions"].index(best))
            else:
                game.step(int(dice.choice(observation["action_mask"].nonzero()[0])))
    assert won >= 18


def test_what_is_wrong_is_said() -> None:
    game = Environment("chess", actions=5)
    with pytest.raises(ValueError, match="has 20 actions"):
        game.reset(seed=0)
    game = Environment("pig")
    game.reset(seed=0)
    with pytest.raises(ValueError, match="action 1 is none of the 1"):
        game.step(1)
    short = Environment("pig", moves=3)
    short.reset(seed=0, options={"position": "30-45+12 p1"})
    for _ in range(3):
        short.step(0)
    assert all(short.truncations.values()) and not any(short.terminations.values())
    # An illegal action ends the game, and costs as much as losing.
    wrapped = env("pig")
    wrapped.reset(seed=0)
    wrapped.step(7)
    assert wrapped.unwrapped.rewards["player_1"] == -100.0
