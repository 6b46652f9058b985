"""Races Astragal against OpenSpiel in games without chance, in one run: Monte Carlo tree search and alpha-beta.

    pip install open_spiel
    python checks/race_without_chance.py [path of the astragal command]

The two programs take turns, and the best round of each counts, since noise only ever adds. Tree search is the same
algorithm, UCT with c = √2 on values from -1 to 1 and one random playout a leaf, and runs in OpenSpiel's C++ code.
Alpha-beta is plain, to the same depth, with leaves worth 0, no table and no order of moves; both count the states that
they visit. OpenSpiel's package has it in Python only, on states in C++: its C++ form is some hundred times as fast,
and must be built from its sources to be raced.
"""

import json
import subprocess
import sys
import time

import pyspiel
from open_spiel.python.algorithms import minimax

ROUNDS = 5
WANTED = 10
# Ours, theirs, and how many simulations.
SEARCHED = [("kalah(capture=nonempty)", "mancala", 20_000), ("connect-four", "connect_four", 20_000), ("chess", "chess", 300)]
# Ours, theirs, and the depth.
LOOKED = [("kalah(capture=nonempty)", "mancala", 8), ("connect-four", "connect_four", 6)]


def analyzed(command, game, engine, *budget):
    """What `astragal analyze` counts, and its seconds."""
    args = [command, "analyze", game, "--engine", engine, "--json", *budget]
    found = json.loads(subprocess.run(args, check=True, capture_output=True, text=True).stdout)
    return found["counts"], found["elapsed_s"]


def simulations(command, ours, theirs, count):
    """Simulations a second of both."""
    _, seconds = analyzed(command, ours, "uct(c=1.4142135)", "--iterations", str(count))
    game = pyspiel.load_game(theirs)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2**0.5, count, 100_000, False, 1, False)
    begin = time.perf_counter()
    bot.mcts_search(game.new_initial_state())
    return count / seconds, count / (time.perf_counter() - begin)


def nodes(command, ours, theirs, depth):
    """States a second of both. Ours go four plies deeper, so that there is something to measure."""
    counts, seconds = analyzed(command, ours, f"alpha-beta(plain=on,order=off,eval=even,depth={depth + 4})")
    visited = 0

    def zero(_):
        nonlocal visited
        visited += 1
        return 0

    game = pyspiel.load_game(theirs)
    begin = time.perf_counter()
    minimax.alpha_beta_search(game, value_function=zero, maximum_depth=depth)
    return counts["nodes"] / seconds, visited / (time.perf_counter() - begin)


def race(title, runners, run):
    """Prints a table, and returns the games in which ours is too slow."""
    print(f"{'game':<24} {'Astragal':>14} {'OpenSpiel':>12} {'ratio':>9}   {title} a second, best of {ROUNDS}")
    slow = []
    for ours, theirs, size in runners:
        best = [0.0, 0.0]
        for _ in range(ROUNDS):
            best = [max(old, new) for old, new in zip(best, run(ours, theirs, size))]
        print(f"{ours:<24} {best[0]:>14,.0f} {best[1]:>12,.0f} {best[0] / best[1]:>9.1f}")
        if best[0] < WANTED * best[1]:
            slow.append(f"{title} of {ours}")
    return slow


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else "target/release/astragal"
    slow = race("simulations", SEARCHED, lambda *args: simulations(command, *args))
    print()
    slow += race("states", LOOKED, lambda *args: nodes(command, *args))
    if slow:
        sys.exit(f"less than {WANTED} times OpenSpiel: {', '.join(slow)}")


if __name__ == "__main__":
    main()
