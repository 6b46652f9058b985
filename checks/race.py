"""Races Astragal against OpenSpiel at random playouts, in one run.

    pip install open_spiel
    python checks/race.py [path of the astragal command]

OpenSpiel's playouts run in its C++ code: a Monte Carlo search of three simulations, each with thousands of random
rollouts, so that the interpreter takes no part. The two programs take turns, and the best round of each counts, since
noise only ever adds. Pig with one die and EinStein würfelt nicht!, whose rules and results `checks/openspiel.py`
compares, must be ten times as fast; tic-tac-toe, nearly all of which is the cost of starting a game, is shown beside.
"""

import json
import subprocess
import sys
import time

import pyspiel

ROUNDS = 3
SIMULATIONS = 3
ROLLOUTS = 2000
GAMES = {
    "pig(dice=1)": "pig(diceoutcomes=6,horizon=100000)",
    "ewn": "einstein_wurfelt_nicht",
    "tic-tac-toe": "tic_tac_toe",
}
WANTED = 10


def theirs(name):
    """OpenSpiel's playouts a second."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, SIMULATIONS, 1000, False, 1, False)
    begin = time.perf_counter()
    bot.mcts_search(state)
    return SIMULATIONS * ROLLOUTS / (time.perf_counter() - begin)


def ours(command):
    """Astragal's playouts a second in every game."""
    out = subprocess.run([command, "bench", "--rounds", "1", "--json"], check=True, capture_output=True, text=True)
    return {row["game"]: row["playouts"] / row["seconds"] for row in json.loads(out.stdout)["playouts"]}


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else "target/release/astragal"
    best = {game: [0.0, 0.0] for game in GAMES}
    for _ in range(ROUNDS):
        measured = ours(command)
        for game, name in GAMES.items():
            best[game][0] = max(best[game][0], measured[game])
            best[game][1] = max(best[game][1], theirs(name))
    print(f"{'game':<12} {'Astragal':>12} {'OpenSpiel':>12} {'ratio':>7}   playouts a second, best of {ROUNDS}")
    for game, (mine, their) in best.items():
        print(f"{game:<12} {mine:>12,.0f} {their:>12,.0f} {mine / their:>7.1f}")
    slow = [game for game in ("pig(dice=1)", "ewn") if best[game][0] < WANTED * best[game][1]]
    if slow:
        sys.exit(f"less than {WANTED} times OpenSpiel's playouts: {', '.join(slow)}")


if __name__ == "__main__":
    main()
