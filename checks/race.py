"""Races Astragal against OpenSpiel, in one run: random playouts, and Monte Carlo tree search.

    pip install open_spiel
    python checks/race.py [path of the astragal command]

OpenSpiel's playouts run in its C++ code: a Monte Carlo search of three simulations, each with thousands of random
rollouts, so that the interpreter takes no part. The two programs take turns, and the best round of each counts, since
noise only ever adds. Pig with one die and EinStein würfelt nicht!, whose rules and results `checks/openspiel.py`
compares, must be ten times as fast; tic-tac-toe, nearly all of which is the cost of starting a game, is shown beside.

The searches are the same algorithm: UCT with c = √2 on values from -1 to 1, one random playout a leaf, as many
simulations as `astragal bench` makes. Astragal's bytes a node are counted by itself.
"""

import json
import subprocess
import sys
import time

import pyspiel

ROUNDS = 10
SIMULATIONS = 3
ROLLOUTS = 2000
GAMES = {
    "pig(dice=1)": "pig(diceoutcomes=6,horizon=100000)",
    "ewn": "einstein_wurfelt_nicht",
    "tic-tac-toe": "tic_tac_toe",
}
SEARCHED = {
    "pig(dice=1)": "pig(diceoutcomes=6,horizon=100000)",
    "ewn": "einstein_wurfelt_nicht",
    "connect-four": "connect_four",
}
TREE = 50_000
WANTED = 10


def opened(name):
    """A game of OpenSpiel and its first state that is not chance's."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return game, state


def simulations(name):
    """OpenSpiel's simulations a second."""
    game, state = opened(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2**0.5, TREE, 100_000, False, 1, False)
    begin = time.perf_counter()
    bot.mcts_search(state)
    return TREE / (time.perf_counter() - begin)


def theirs(name):
    """OpenSpiel's playouts a second."""
    game, state = opened(name)
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, SIMULATIONS, 1000, False, 1, False)
    begin = time.perf_counter()
    bot.mcts_search(state)
    return SIMULATIONS * ROLLOUTS / (time.perf_counter() - begin)


def ours(command):
    """Astragal's playouts and simulations a second in every game, and its bytes a node."""
    bench = [command, "bench", "--only", "playouts,trees", "--rounds", "1", "--json"]
    found = json.loads(subprocess.run(bench, check=True, capture_output=True, text=True).stdout)
    playouts = {row["game"]: row["playouts"] / row["seconds"] for row in found["playouts"]}
    alone = [row for row in found["simulations"] if row["threads"] == 1]
    trees = {row["game"]: row["simulations"] / row["seconds"] for row in alone}
    sizes = {row["game"]: row["tree_bytes"] / row["tree_nodes"] for row in alone}
    return playouts, trees, sizes


def show(title, best):
    """Prints a table, and returns the games in which ours is too slow."""
    print(f"{'game':<13} {'Astragal':>12} {'OpenSpiel':>12} {'ratio':>7}   {title} a second, best of {ROUNDS}")
    for game, (mine, their) in best.items():
        print(f"{game:<13} {mine:>12,.0f} {their:>12,.0f} {mine / their:>7.1f}")
    return [f"{title} of {game}" for game, (mine, their) in best.items() if mine < WANTED * their]


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else "target/release/astragal"
    played = {game: [0.0, 0.0] for game in GAMES}
    searched = {game: [0.0, 0.0] for game in SEARCHED}
    for _ in range(ROUNDS):
        playouts, trees, sizes = ours(command)
        for game, name in GAMES.items():
            played[game] = [max(played[game][0], playouts[game]), max(played[game][1], theirs(name))]
        for game, name in SEARCHED.items():
            searched[game] = [max(searched[game][0], trees[game]), max(searched[game][1], simulations(name))]
    slow = show("playouts", played)
    print()
    slow += show("simulations", searched)
    print("\nbytes a node:", ", ".join(f"{game} {size:.1f}" for game, size in sizes.items()))
    # What a game costs to start is most of tic-tac-toe, and Pig's tree is not what the race is about.
    slow = [what for what in slow if "tic-tac-toe" not in what and what != "simulations of pig(dice=1)"]
    if slow:
        sys.exit(f"less than {WANTED} times OpenSpiel: {', '.join(slow)}")


if __name__ == "__main__":
    main()
