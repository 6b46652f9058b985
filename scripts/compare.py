#!/usr/bin/env python3
"""Runs the same commands with two builds of Astragal and compares all they print and write, byte for byte.

    scripts/compare.py OLD NEW [--only TEXT] [--reports] [--words]

For changes of the code that must not change what it does. Measured times are masked, and so are the names of the two
builds. Every command runs in a folder of its own, and the files that it leaves are compared. `--reports` adds all
experiments at the quick scale, which takes some 15 minutes; `--words` adds help and errors, which may be reworded.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / "examples" / "figure1.json"

# A position of every game in which there is a choice, and one before a throw.
POSITIONS = {
    "pig": ["30-45+12 p1", "88-96+7 p2"],
    "pig(dice=1,target=30)": ["10-20+5 p2"],
    "ewn": [None, "...5./.2.../...../...a./.f... p1 -"],
    "ewn(size=4,stones=3,merge=on)": [None],
    "cant-stop": [None],
    "cant-stop(dice=2,players=1)": [None],
    "ra": [None, "1/1 10:9652:- 10:8743:- 1 unrest - p2 auction:p1:forced:0"],
    "tic-tac-toe": [None],
    "connect-four": [None],
    "random-tree(seed=5)": [None],
    f"explicit(file={TREE})": [None],
}

STAR = [
    "expectimax", "expectimax(table=values)", "star1", "star1(prune_from=1,table=off)", "star2",
    "star2(probes=0,order=off)", "star2(probes=3,prune_from=1,all_lines=on)", "star2(table=order,eval=even)",
    "expss(width=3)", "expss(width=2,sample=systematic,keys=state,table=values)",
    "star1ss(width=3,sample=without)", "star2ss(width=3)", "star2ss(width=4,sample=stratified,decay=0.7)",
    "star2ss(width=2,enumerate=off,eval=even)",
]
PLAIN = ["minimax", "alpha-beta", "alpha-beta(order=off,all_lines=on)"]
TREES = [
    "mcts", "mcts(c=1,dr=3)", "mcts(solver=on)", "mcts(rave=50)", "mcts(implicit=0.3)", "mcts(chance=even)",
    "mcts(select=puct)", "mcts(select=thompson)", "mcts(select=ucb1-tuned)", "mcts(select=epsilon(e=0.2))",
    "mcts(backup=minimax)", "mcts(backup=power(p=3))", "mcts(parallel=root,threads=2)",
    "mcts(parallel=leaf,threads=2,playouts=4)", "mcts(final=mean)", "mcts(final=visits)", "dpw",
    "dpw(alpha=0.4)", "dpw(solver=on)", "uct", "uct(reuse=on)", "uct(policy=none,seeding=4)", "mcts(bias=2)", "uct-h", "uctmax-h", "flat", "flat(confidence=0.9)", "bandit",
]


def commands(reports, words):
    for game in POSITIONS:
        yield ["games", game.split("(")[0]], {}
    yield ["games"], {}
    yield ["engines"], {}
    for engine in ["expectimax", "star1", "star2", "expss", "star1ss", "star2ss", "minimax", "alpha-beta", "mcts",
                   "dpw", "uct", "uct-h", "uctmax-h", "flat", "bandit", "random", "solved", "hold-at", "optimal",
                   "rule-of-28", "glenn-aloi"]:
        yield ["engines", engine], {}
    for game, positions in POSITIONS.items():
        for position in positions:
            at = [game] + (["--position", position] if position else [])
            yield ["show", *at], {}
            yield ["perft", *at, "--depth", "2", "--json"], {}
            yield ["perft", *at, "--depth", "2", "--resolve"], {}
            for engine in STAR + (PLAIN if game in ("tic-tac-toe", "connect-four") else []):
                yield ["analyze", *at, "--engine", engine, "--depth", "3", "--seed", "5", "--json"], {}
                yield ["analyze", *at, "--engine", engine, "--nodes", "3000", "--seed", "6"], {}
            for engine in TREES:
                yield ["analyze", *at, "--engine", engine, "--iterations", "400", "--seed", "5", "--json"], {}
                yield ["analyze", *at, "--engine", engine, "--nodes", "20000", "--seed", "6"], {}
    for engine in ["mcts", "dpw", "uct-h"]:
        for suffix in ["json", "txt", "dot"]:
            tree = ["--tree", f"tree.{suffix}", "--tree-depth", "3", "--tree-visits", "2"]
            yield ["analyze", "pig", "--engine", engine, "--iterations", "200", *tree], {}
    for game in ["pig(target=20)", "pig(dice=1,target=12)", "ewn(size=3,stones=3)", "tic-tac-toe",
                 "cant-stop(dice=2,players=1)", f"explicit(file={TREE})"]:
        yield ["solve", game, "--out", "solution", "--json"], {}
        yield ["solve", game], {}
    yield ["bandit", "--pulls", "500", "--runs", "20"], {}
    yield ["bandit", "--pulls", "500", "--runs", "20", "--json"], {}
    matches = [
        ("pig", "star2", "random", ["--depth", "2"]),
        ("pig(target=40)", "hold-at", "optimal", []),
        ("pig", "mcts", "hold-at(n=20)", ["--iterations", "50"]),
        ("ewn", "star2ss(width=2)", "mcts", ["--nodes", "300"]),
        ("ewn", "expectimax(depth=1)", "expectimax(eval=race,depth=1)", ["--depth", "2"]),
        ("cant-stop", "rule-of-28", "glenn-aloi", []),
        ("cant-stop", "star1ss(width=3)", "flat", ["--nodes", "200"]),
        ("ra", "star2ss(width=3)", "dpw", ["--nodes", "200"]),
        ("connect-four", "alpha-beta", "uct", ["--nodes", "500"]),
        ("tic-tac-toe", "minimax", "uct", ["--nodes", "200"]),
    ]
    for game, first, second, budget in matches:
        base = ["match", game, first, second, *budget, "--pairs", "6", "--seed", "3"]
        yield [*base, "--json"], {}
        yield [*base, "--jobs", "1", "--record", "games.txt"], {}
        yield [*base, "--record", "games.jsonl", "--opening", "2"], {}
        yield [*base, "--store", "store.db"], {"then": [
            ["results", "store.db"], ["results", "store.db", "--csv"], ["results", "store.db", "--json"],
            ["results", "store.db", "--standings"]], "drop": ["store.db"]}
        yield [*base, "--record", "games.txt"], {"then": [
            ["replay", "games.txt"], ["replay", "games.txt", "--again", "--quiet"],
            ["replay", "games.txt", "--game", "2", "--analyze", "star2", "--depth", "1"]]}
    yield ["match", "pig", "hold-at", "random", "--pairs", "200", "--sprt", "0,20", "--jobs", "1", "--json"], {}
    yield ["match", "ewn", "star2", "mcts", "--first-budget", "depth=2", "--second-budget", "iterations=30",
           "--pairs", "4", "--json"], {}
    for kind in ["round-robin", "gauntlet", "elimination"]:
        plan = (f"game = 'ewn'\nkind = '{kind}'\npairs = 4\nseed = 7\nbudget = {{ nodes = 100 }}\n"
                "engines = ['star2', 'expss(width=2)', 'random', { engine = 'uct', budget = { iterations = 20 } }]\n")
        yield ["tournament", "plan.toml", "--json"], {"files": {"plan.toml": plan}, "drop": ["plan.db"]}
        yield ["tournament", "plan.toml"], {"files": {"plan.toml": plan}, "drop": ["plan.db"]}
        if kind != "elimination":
            yield ["work", "plan.toml", "--shard", "2/3", "--store", "a.db"], {
                "files": {"plan.toml": plan}, "drop": ["a.db", "b.db"], "then": [
                    ["work", "plan.toml", "--shard", "1/3", "--store", "b.db"],
                    ["merge", "a.db", "--into", "b.db"], ["results", "b.db"], ["results", "b.db", "--csv"]]}
    tuned = ["--pairs", "2", "--confirm", "4", "--nodes", "100", "--jobs", "1"]
    yield ["tune", "ewn", "star2ss(width=2..6)", "--candidates", "4", *tuned], {}
    yield ["tune", "pig", "mcts(c=0.1..2)", "--method", "spsa", "--steps", "3", *tuned], {}
    for seed in ["1", "2"]:
        moves = "roll\nhold\n:hint\n:undo\nroll\n:quit\n"
        yield ["play", "pig", "--p1", "human", "--p2", "hold-at", "--seed", seed, "--depth", "3"], {"input": moves}
        yield ["play", "ewn", "--p1", "star2(depth=1)", "--p2", "expectimax(depth=1)", "--seed", seed,
               "--record", "game.txt"], {}
    for scale in ["mcms-star1-example", "lecture-ucb-example", "lecture-ucb-constant", "lecture-order", "mcms-table1"]:
        yield ["reproduce", scale, "--out", "report"], {"drop": ["report/results.db"]}
    if reports:
        yield ["reproduce", "all", "--out", "report"], {"drop": ["report/results.db"]}
    if words:
        names = ["games", "engines", "show", "analyze", "bandit", "perft", "play", "solve", "bench", "match", "replay",
                 "tournament", "tune", "work", "completions", "results", "merge", "reproduce"]
        for name in names:
            yield [name, "--help"], {}
        for wrong in [["analyze", "pigg"], ["analyze", "pig", "--engine", "star3"], ["analyze", "pig(dice=7)"],
                      ["analyze", "pig", "--position", "x"], ["match", "pig", "mcts", "uct", "--depth", "3"],
                      ["analyze", "ewn", "--position", "..../.... p1 -"], ["tournament", "nothing.toml"],
                      ["replay", "nothing"], ["results", "nothing.db"], ["solve", "ra", "--states", "100"],
                      ["engines", "PIG"], ["analyze", "pig", "--engine", "mcts(c=-1)"]]:
            yield wrong, {}


# What the clock says, and how the program was called.
MASKS = [
    (re.compile(rb'"(elapsed_s|seconds|time_s|time_ms|ms)":[-+.0-9e]+'), rb'"\1":T'),
    (re.compile(rb"\d[\d \xc2\xa0]*(\.\d+)? (s|ms|min|h|us|\xc2\xb5s)\b"), rb"T"),
    (re.compile(rb"time per decision .*"), rb"time per decision T"),
    (re.compile(rb'"milliseconds_a_decision":\[[^]]*\]'), rb'"milliseconds_a_decision":T'),
]


def run(build, arguments, options, name):
    """All that a command prints and writes, and whether it was refused."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for file, text in options.get("files", {}).items():
            (folder / file).write_text(text)
        seen, refused = b"", False
        for line in [arguments, *options.get("then", [])]:
            done = subprocess.run([build, *line], cwd=folder, capture_output=True,
                                  input=options.get("input", "").encode(), timeout=3600)
            refused |= done.returncode == 2
            seen += b"\n".join([" ".join(line).encode(), str(done.returncode).encode(), done.stdout, done.stderr])
        for file in sorted(folder.rglob("*")):
            inside = file.relative_to(folder).as_posix()
            if file.is_file() and inside not in options.get("drop", []) and not inside.endswith(("-wal", "-shm")):
                seen += inside.encode() + b"\n" + file.read_bytes()
        seen = seen.replace(str(folder).encode(), b"FOLDER").replace(name, b"astragal")
        for pattern, mask in MASKS:
            seen = pattern.sub(mask, seen)
        return seen, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="", help="only commands with this text")
    parser.add_argument("--reports", action="store_true", help="run all experiments, too")
    parser.add_argument("--words", action="store_true", help="compare help and errors, too")
    parser.add_argument("--save", type=pathlib.Path, help="keep both texts of what differs in this folder")
    wanted = parser.parse_args()
    builds = [pathlib.Path(build).resolve() for build in (wanted.old, wanted.new)]
    names = [build.name.encode() for build in builds]
    if wanted.save:
        wanted.save.mkdir(parents=True, exist_ok=True)
    total, refused, different = 0, [], []
    for arguments, options in commands(wanted.reports, wanted.words):
        line = " ".join(arguments)
        if wanted.only not in line:
            continue
        total += 1
        (old, _), (new, no) = (run(build, arguments, options, name) for build, name in zip(builds, names))
        if no:
            refused.append(line)
        if old != new:
            different.append(line)
            print("different:", line, flush=True)
            if wanted.save:
                for which, text in [("old", old), ("new", new)]:
                    (wanted.save / f"{len(different):03}.{which}").write_bytes(line.encode() + b"\n" + text)
    if wanted.save:
        (wanted.save / "refused").write_text("\n".join(refused) + "\n")
    print(json.dumps({"commands": total, "refused": len(refused), "different": len(different)}))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
