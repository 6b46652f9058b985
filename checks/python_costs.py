"""What games and evaluators written in Python cost, beside those in Rust.

    pip install . && python checks/python_costs.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "crates" / "python" / "tests"))

import astragal
from games import Network, Pig


def seconds(position: astragal.Position, engine: str, depth: int) -> tuple[float, astragal.Analysis]:
    """The shortest of five searches."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        report = astragal.analyze(position, engine, depth=depth)
        times.append(time.perf_counter() - start)
    return min(times), report


def main() -> None:
    print("A search of Pig with one die to 20, five decisions deep, without a table:")
    games = {"Python": astragal.Game(Pig(20)), "Rust": astragal.Game("pig(dice=1,target=20)")}
    cost = {}
    for name, game in games.items():
        took, report = seconds(game.start(), "expectimax(eval=even,table=off)", 5)
        cost[name] = took / report.counts["nodes"]
        print(f"  {name:8} {1e9 * cost[name]:8.0f} ns a node, value {report.value}")
    print(f"  ratio {cost['Python'] / cost['Rust']:.0f}")

    print("A leaf of EinStein würfelt nicht!, three decisions deep:")
    inputs = len(astragal.Game("ewn").start().features)
    net = Network(inputs)
    lead = lambda features: 50 * np.tanh(features[..., 0] - features[..., 1])  # noqa: E731
    evaluators = {
        "nothing": lambda features: 0.0,
        "lead": lead,
        "lead-1": astragal.Evaluator(lead, batch=1),
        "lead-2": astragal.Evaluator(lead, batch=2),
        "net": net,
        "net-1": astragal.Evaluator(net, batch=1),
        "net-2": astragal.Evaluator(net, batch=2),
    }
    game = astragal.Game("ewn", evaluators=evaluators)
    for name in ["proximity", *evaluators]:
        took, report = seconds(game.start(), f"expectimax(eval={name},table=off)", 3)
        print(f"  {name:10} {1e9 * took / report.counts['leaves']:8.0f} ns a leaf")


if __name__ == "__main__":
    main()
