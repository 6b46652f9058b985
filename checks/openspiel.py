"""Plays random games in OpenSpiel and writes them down in Astragal's notation.

Astragal's test `openspiel` replays such games move by move and compares the legal actions, the chances and the results.
A small sample lies in checks/data, so that `cargo test` needs no Python. To make it anew, or to compare more games:

    pip install open_spiel
    python checks/openspiel.py --games 15 --out checks/data/openspiel.jsonl
    python checks/openspiel.py --games 400 --seed 2 --out many.jsonl
    ASTRAGAL_OPENSPIEL=many.jsonl cargo test -p astragal --test all openspiel

Where the two differ by intent: OpenSpiel's Pig lets a player stop at a turn total of 0 (here the first roll is forced), and
wants a stop once the target is reached (here the game is over then). OpenSpiel does not write all checks of chess.
"""

import argparse
import json
import random

import pyspiel


def pig(rng):
    """One-die Pig, short to 30 or long to 100. Player 0 is p1."""
    target = 100 if rng.random() < 0.1 else 30
    game = pyspiel.load_game(f"pig(winscore={target},horizon=100000)")
    state = game.new_initial_state()
    steps = []
    scores, total = [0, 0], 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            name = lambda face: "bust" if face == 0 else f"+{face + 1}"
            face = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
            steps.append({"chance": {name(o): p for o, p in outcomes}, "chosen": name(face)})
            total = 0 if face == 0 else total + face + 1
            state.apply_action(face)
            continue
        player = state.current_player()
        legal = state.legal_actions()
        if scores[player] + total >= target:
            assert legal == [1], "only a stop is left"
            state.apply_action(1)
            continue
        names = ["roll"] if total == 0 else [{0: "roll", 1: "hold"}[a] for a in legal]
        # Rolling twice as often as holding makes games end.
        chosen = "roll" if total == 0 or rng.random() < 0.7 else "hold"
        steps.append({"player": f"p{player + 1}", "legal": names, "chosen": chosen})
        if chosen == "hold":
            scores[player] += total
            total = 0
        state.apply_action(0 if chosen == "roll" else 1)
    spec = f"pig(dice=1,target={target})"
    return {"game": spec, "start": "0-0+0 p1", "steps": steps, "result": 100 * state.returns()[0]}


def ewn(rng):
    """EinStein. Black (player 0) starts in the upper left corner and is p1; White moves first."""
    game = pyspiel.load_game("einstein_wurfelt_nicht")
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(rng.choice(state.chance_outcomes())[0])

    def board():
        rows = []
        for line in str(state).strip().split("\n"):
            row = ""
            for cell in line.strip("|").split("||"):
                row += {"b": cell[1], "w": chr(ord("a") + int(cell[1], 36) - 1) if cell != "__" else ""}.get(cell[0], ".")
            rows.append(row)
        return "/".join(rows)

    start = board() + " p2 -"
    names = {"up": "up", "down": "down", "left": "left", "right": "right", "diag": "diagonal"}
    steps = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            face = rng.choice(outcomes)[0]
            steps.append({"chance": {str(o + 1): p for o, p in outcomes}, "chosen": str(face + 1)})
            state.apply_action(face)
            continue
        player = state.current_player()

        def name(action):
            stone, direction = state.action_to_string(action).rstrip("*").split("-")
            return f"{stone[1:]} {names[direction]}"

        legal = state.legal_actions()
        action = rng.choice(legal)
        step = {"player": f"p{player + 1}", "legal": [name(a) for a in legal], "chosen": name(action)}
        state.apply_action(action)
        step["board"] = board()
        steps.append(step)
    return {"game": f"ewn(start={start})", "start": start, "steps": steps, "result": 100 * state.returns()[0]}


def kalah(rng):
    """Mancala, which is Kalah with six pits of four stones where nothing is captured from an empty pit."""
    state = pyspiel.load_game("mancala").new_initial_state()

    def text():
        """The pits of player 0 are 1 to 6, then the store; those of player 1 are 8 to 13, then 0."""
        rows = [row.strip("-").split("-") for row in str(state).split("\n")[:3]]
        first, second = rows[2], rows[0][::-1]
        stores = [row for row in rows[1] if row]
        player = state.current_player() + 1 if not state.is_terminal() else 0
        return f"{','.join(first)}|{stores[1]} {','.join(second)}|{stores[0]}", player

    name = lambda action: str(action if action < 7 else action - 7)
    start, _ = text()
    steps = []
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        action = rng.choice(legal)
        step = {"player": f"p{player + 1}", "legal": [name(a) for a in legal], "chosen": name(action)}
        state.apply_action(action)
        if not state.is_terminal():
            # At the end the stones that are left are counted for their owners, here at once and there not at all.
            step["text"] = "{} p{}".format(*text())
        steps.append(step)
    return {"game": "kalah(capture=nonempty)", "start": start + " p1", "steps": steps, "result": 100 * state.returns()[0]}


def connect_four(rng):
    state = pyspiel.load_game("connect_four").new_initial_state()
    name = lambda action: str(action + 1)
    steps = []
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        action = rng.choice(legal)
        steps.append({"player": f"p{player + 1}", "legal": [name(a) for a in legal], "chosen": name(action)})
        state.apply_action(action)
    return {"game": "connect-four", "steps": steps, "result": 100 * state.returns()[0]}


def chess(rng):
    """Random moves, among which captures come four times as often, so that games come to endings."""
    state = pyspiel.load_game("chess").new_initial_state()
    steps = []
    while not state.is_terminal():
        player, legal = 1 - state.current_player(), state.legal_actions()
        names = {a: state.action_to_string(a) for a in legal}
        action = rng.choices(legal, [4 if "x" in names[a] else 1 for a in legal])[0]
        step = {"player": f"p{player + 1}", "legal": list(names.values()), "chosen": names[action]}
        state.apply_action(action)
        step["board"] = str(state).split()[0]
        steps.append(step)
    return {"game": "chess", "steps": steps, "result": 100 * state.returns()[1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=15, help="games of each kind; a fifth of them of chess")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, help="the file to write, one game a line")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with open(args.out, "w", encoding="utf-8") as out:
        for kind in (pig, ewn, kalah, connect_four, chess):
            # A game of chess is long.
            for _ in range(args.games // 5 if kind is chess else args.games):
                out.write(json.dumps(kind(rng), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
