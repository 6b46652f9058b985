"""What notebooks show can be read: labels fit into their nodes, and long lines break where they may."""

from __future__ import annotations

import html
import math
import random
import re
from typing import Any
from xml.etree import ElementTree

import astragal
import pytest
from astragal import _show

SVG = "{http://www.w3.org/2000/svg}"
# The capital height of the usual fonts without serifs, in the height of a line.
CAPITALS = 0.76


def chord(shape: ElementTree.Element, off: float) -> float:
    """The width of a node at a distance above and below its middle."""
    if shape.tag == f"{SVG}circle":
        return 2 * math.sqrt(float(shape.get("r", 0)) ** 2 - off**2)
    points = [tuple(map(float, point.split(","))) for point in shape.get("points", "").split()]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
    return 2 * wide * (1 - off / high)


def nodes(svg: str) -> list[tuple[ElementTree.Element, ElementTree.Element]]:
    """The nodes of a tree, each with its label."""
    marks = list(ElementTree.fromstring(svg))
    found = [
        (mark, marks[at + 1])
        for at, mark in enumerate(marks)
        if mark.tag in (f"{SVG}circle", f"{SVG}polygon")
    ]
    return found


def check_tree(svg: str) -> int:
    found = nodes(svg)
    for shape, label in found:
        assert label.tag == f"{SVG}text" and label.text
        room = chord(shape, _show._FONT * CAPITALS / 2)
        assert _show.width(label.text) <= room, (label.text, _show.width(label.text), room)
    return len(found)


def test_labels_of_a_tree_fit_into_their_nodes() -> None:
    position = astragal.Game("ewn").position("...5./.2.../...../...a./.f... p1 2")
    engine = astragal.Engine("mcts")
    astragal.analyze(position, engine, iterations=2000, seed=1)
    tree = engine.tree(position.game, depth=3)
    assert check_tree(tree.svg) > 20
    # Values of every size that a game may have.
    dice = random.Random(1)
    for exponent in range(-12, 16):
        for _ in range(50):
            value = dice.choice((-1, 1)) * dice.random() * 10.0**exponent
            child = {"turn": "chance", "value": value, "visits": 10**9, "step": "x", "hidden": 12}
            root = {"turn": "p1", "value": -value, "visits": 10**9, "children": [child]}
            assert check_tree(_show.tree(root, (-1.0, 1.0))) == 2


def test_different_values_have_different_labels() -> None:
    both = [{"turn": "p1", "value": value, "visits": 1, "step": "x"} for value in (0.337, -0.334)]
    root = {"turn": "chance", "value": 0.0015, "visits": 2, "children": both}
    labels = [label.text for _, label in nodes(_show.tree(root, (-1.0, 1.0)))]
    assert labels == ["+0.337", "-0.334", "+0.002"] or labels == ["+0.337", "-0.334", "+0.001"]


def test_steps_of_a_tree_do_not_touch_their_neighbours() -> None:
    names = ["a-very-long-name-of-an-action", "WWWWWWWWWWWWWWWWWW", "iiii", "七" * 20]
    children = [
        {"turn": "p2", "value": 0.0, "visits": 123_456_789, "step": name, "weight": 0.25, "hidden": 1_000}
        for name in names
    ]
    svg = _show.tree({"turn": "chance", "value": 0.0, "visits": 5, "children": children}, (-1.0, 1.0))
    texts = [(mark, "".join(mark.itertext())) for mark in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    steps = [(mark, mark.text or "") for mark, _ in texts if mark.get("paint-order")]
    assert len(steps) == 1 + 3 * len(names)
    assert all(_show.width(text) <= _show._STEP_X for _, text in steps), steps
    # What is cut is in full under the mouse.
    assert all(name in svg for name in names)
    assert "children that are not shown" in svg


def pieces(markup: str) -> list[str]:
    """The parts of HTML that a browser may not break, without breaking words."""
    broken = re.sub(r"<(wbr|/?(div|tr|td|th|table|thead|tbody|pre))[^>]*>", " ", markup)
    return html.unescape(re.sub(r"<[^>]*>", "", broken)).split()


LONG = "mcts(c=0.75,dr=3,playouts=2,select=epsilon(e=0.2),rave=0.1,seeding=0.2,solver=on,final=mean,memory_mib=64)"


def test_headers_and_tables_break_between_parameters() -> None:
    game = astragal.Game("cant-stop")
    position = game.position("0,2,1,3,4,7,5,3,0,1,0 0,0,3,0,6,4,6,0,2,0,1 p1 6:8,7:10,8:8 ready")
    report = astragal.analyze(position, LONG, iterations=50)
    match = astragal.match("ewn", LONG, "random", iterations=5, pairs=1)
    for shown in (report, match, position):
        words = pieces(shown._repr_html_())
        assert max(map(_show.width, words)) < 300, max(words, key=len)
    # Nothing is broken inside a word, except a word that is wider than the page.
    assert "anywhere" not in match._repr_html_()
    assert "overflow-wrap:anywhere" in report._repr_html_()


def test_specs_in_tables_are_short_and_full_under_the_mouse() -> None:
    engines = ["mcts(c=1)", "mcts(c=2)"]
    match = astragal.match("pig(target=30)", *engines, iterations=5, pairs=2)
    full = match.engines[0]
    assert match.to_pandas()["first"][0] == "mcts(c=1)" and match.to_polars()["game"][0] == "pig(target=30)"
    assert len(full) > 100 and f'title="{full}"' in match._repr_html_() and f">{full}<" not in match._repr_html_()
    plan: dict[str, Any] = {"game": "pig(target=30)", "kind": "match", "pairs": 2, "engines": engines}
    table = astragal.tournament({**plan, "budget": {"iterations": 5}})
    assert sorted(table.to_pandas()["engine"]) == engines and all(len(engine) > 100 for engine in table.engines)
    text = 'game = "pig(target=30)"\nkind = "match"\npairs = 2\nbudget = { iterations = 5 }\n'
    assert astragal.tournament(f"{text}engines = {engines}").columns() == table.columns()
    report = astragal.analyze(astragal.Game("pig").start(), "star2", depth=2)
    assert f'<span title="{report.engine}">star2</span>' in report._repr_html_()


class Coin:
    """Player 1 wins with heads."""

    range = (-1.0, 1.0)

    def start(self) -> str:
        return "p1"

    def turn(self, state: str) -> str | float:
        return state if state in ("p1", "chance") else float(state)

    def actions(self, state: str) -> list[str]:
        return ["throw", "give-up"]

    def apply(self, state: str, action: str) -> str:
        return "chance" if action == "throw" else "-1"

    def outcomes(self, state: str) -> list[tuple[str, float]]:
        return [("1", 0.5), ("-1", 0.5)]

    def resolve(self, state: str, outcome: str) -> str:
        return outcome


def test_specs_are_short_in_a_game_of_ones_own() -> None:
    def mine(state: str) -> float:
        return 0.1

    game = astragal.Game(Coin(), evaluators={"mine": mine})
    report = astragal.match(game, "star2(probes=2)", "random", depth=1, pairs=2)
    assert "eval=mine" in report.engines[0] and report.columns()["first"] == ["star2(probes=2)"]


@pytest.mark.parametrize("value", [0.0, -0.0, -1e-9])
def test_no_zero_has_a_sign(value: float) -> None:
    assert _show.written(value, 1.0) == "0.000"
    assert _show.written(value * 0, 0.0) == "0"
    assert astragal.Line("roll", value, value, value, 1).text == "+0.0000"
