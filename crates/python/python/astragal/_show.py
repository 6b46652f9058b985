"""Pictures, tables and trees for notebooks."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._lab import Solution
    from ._reports import Analysis

_INKS = {
    "plain": "",
    "first": "color:#0a7ea4;font-weight:bold",
    "second": "color:#b0327a;font-weight:bold",
    "mark": "color:#1a7f37;font-weight:bold",
    "faint": "opacity:0.55",
}
_BAR = "#0a7ea4"
_BAR_BELOW = "#b0327a"
_SMALL = "opacity:0.7;font-size:smaller;overflow-wrap:anywhere"
"""The style of a line that may break anywhere if nothing else is possible."""


def breakable(text: str) -> str:
    """Text as HTML that may break after the commas and parentheses of a spec and the slashes of a position.

    >>> breakable("mcts(c=1,dr=0)")
    'mcts(<wbr>c=1,<wbr>dr=0)'
    """
    safe = html.escape(text)
    for mark in "(,/":
        safe = safe.replace(mark, f"{mark}<wbr>")
    return safe


def spec(short: str, full: str) -> str:
    """A spec without the parameters that have their default values; the full one is shown under the mouse."""
    return f'<span title="{html.escape(full)}">{breakable(short)}</span>' if short != full else breakable(short)


def picture(pieces: Sequence[tuple[str, str]], caption: str) -> str:
    """A position in colours, which repeat information that its text already has, above a caption in HTML."""
    drawn = "".join(
        f'<span style="{_INKS[ink]}">{html.escape(text)}</span>' if _INKS[ink] else html.escape(text)
        for ink, text in pieces
    )
    return (
        f'<pre style="line-height:1.2;margin:0.3em 0">{drawn}</pre>'
        f'<div style="{_SMALL}">{caption}</div>'
    )


def signed(value: float, digits: int = 4) -> str:
    """A number with its sign; what rounds to nothing is not negative.

    >>> signed(-0.25), signed(-1e-9), signed(12.34, 1)
    ('-0.2500', '+0.0000', '+12.3')
    """
    text = f"{value:+.{digits}f}"
    return text if text.strip("+-0.") else text.replace("-", "+")


def table(columns: Mapping[str, Sequence[Any]], full: Mapping[str, str] | None = None, caption: str = "") -> str:
    """Columns as a table; `full` has the complete specs of short ones."""
    cells = [[cell(value, full or {}) for value in values] for values in columns.values()]
    # A name stands above its column as the texts or numbers below it do.
    sides = ["left" if any(isinstance(value, str) for value in values) else "right" for values in columns.values()]
    head = "".join(
        f'<th style="text-align:{side}">{html.escape(name)}</th>' for name, side in zip(columns, sides)
    )
    rows = "".join("<tr>" + "".join(row) + "</tr>" for row in zip(*cells))
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def cell(value: Any, full: Mapping[str, str]) -> str:
    """A cell: numbers are right-aligned, and floats have four significant digits."""
    if value is None:
        return "<td></td>"
    if isinstance(value, bool):
        return f"<td>{'yes' if value else 'no'}</td>"
    if isinstance(value, float):
        # Rounding errors of nothing are nothing.
        value = value if abs(value) > 1e-12 else 0.0
        return f'<td style="text-align:right">{value:.4g}</td>'
    if isinstance(value, int):
        return f'<td style="text-align:right">{value:,}</td>'
    text = str(value)
    return f'<td style="text-align:left;max-width:42em">{spec(text, full.get(text, text))}</td>'


def analysis(report: Analysis, bounds: tuple[float, float], short: tuple[str, str]) -> str:
    """A report: the value, and a bar for each action, drawn from the middle of the range."""
    low, high = bounds
    middle, half = (low + high) / 2, (high - low) / 2
    rows = []
    for line in report.lines:
        share = max(-1.0, min(1.0, (line.value - middle) / half))
        left, width = (50.0, 50 * share) if share >= 0 else (50 + 50 * share, -50 * share)
        colour = _BAR if share >= 0 else _BAR_BELOW
        bar = (
            '<div style="position:relative;width:160px;height:0.9em;background:rgba(128,128,128,0.15)">'
            f'<div style="position:absolute;left:{left:.1f}%;width:{width:.1f}%;height:100%;'
            f'background:{colour}"></div></div>'
        )
        name = html.escape(line.action)
        name = f"<b>{name}</b>" if line.action in report.tied else name
        rows.append(
            f'<tr><td style="text-align:left">{name}</td>'
            f'<td style="text-align:right">{html.escape(line.text)}</td>'
            f'<td style="text-align:left">{bar}</td>'
            f'<td style="text-align:right">{line.visits:,}</td></tr>'
        )
    head = "<tr><th>action</th><th>value</th><th>for player 2 · for player 1</th><th>visits</th></tr>"
    best = f", best <b>{html.escape(report.best)}</b>" if report.best is not None else ""
    partial = " <i>(interrupted)</i>" if report.partial else ""
    pv = " ".join(report.pv)
    return (
        f"<div>value <b>{signed(report.value)}</b>{best}{partial}</div>"
        f'<div style="{_SMALL}">{spec(short[0], report.game)} · {breakable(report.position)} · '
        f"{spec(short[1], report.engine)}</div>"
        f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
        f'<div style="{_SMALL}">line: {html.escape(pv)} · depth {report.depth}, '
        f"{report.counts['nodes']:,} nodes, {report.elapsed:.3f} s</div>"
    )


def solution(solved: Solution) -> str:
    """A solution: the value of the position from which the game was solved."""
    game, position = solved.game, solved.position
    turns = f" in <b>{solved.turns:.4f}</b> expected turns" if solved.turns is not None else ""
    return (
        f"<div>value <b>{solved.value:+.6g}</b> under perfect play{turns}</div>"
        f'<div style="{_SMALL}">{spec(game._inner.brief_spec, game.spec)} · {breakable(position.text)} · '
        f"{solved.states:,} states</div>"
    )


_FONT = 11.0
"""The height of the letters of a tree in pixels."""

_STEP_X, _STEP_Y = 86.0, 104.0
"""The distances between neighbours and between levels of a tree."""

_CIRCLE = 26.0
_DIAMOND = (34.0, 26.0)
"""The radius of a decision, and half the width and height of a chance node. The longest value fits into both."""


def width(text: str) -> float:
    """An upper limit of the width of a line of a tree, for the widest of the usual fonts without serifs.

    >>> width("+0.338") < width("+100.338")
    True
    """
    narrow = {".": 0.37, ",": 0.37, " ": 0.36, "i": 0.3, "l": 0.3, "(": 0.46, ")": 0.46, "-": 0.46, "+": 0.84}

    def em(character: str) -> float:
        if character in narrow:
            return narrow[character]
        if character.isdecimal():
            return 0.64
        wide = character.isupper() or character in "mw%@…" or unicodedata.east_asian_width(character) in "WF"
        return 1.0 if wide else 0.69

    return _FONT * sum(map(em, text))


def fitted(text: str, room: float) -> str:
    """The text, or as much of its beginning as there is room for."""
    if width(text) <= room:
        return text
    while text and width(text + "…") > room:
        text = text[:-1]
    return text.rstrip() + "…"


def written(value: float, largest: float) -> str:
    """A value in few characters, with as many decimals as the largest of a tree leaves room for.

    >>> written(-0.33449, 1.0), written(47.8889, 100.0), written(-100.0, 100.0), written(12345678.0, 2e7)
    ('-0.334', '+47.9', '-100.0', '+1.2e7')
    >>> written(-0.00001, 1.0), written(0.00042, 0.001)
    ('0.000', '+4.2e-4')
    """
    if 0.01 <= largest < 99_999.5:
        whole = len(f"{largest:.0f}")
        text = f"{value:+.{max(0, 4 - whole)}f}"
        return text if text.strip("+-0.") else text[1:]
    mantissa, _, exponent = f"{value:+.1e}".partition("e")
    if abs(int(exponent)) >= 10:
        mantissa = mantissa[:2]
    return f"{mantissa}e{int(exponent)}" if value else "0"


def tree(root: dict[str, Any], bounds: tuple[float, float]) -> str:
    """A tree as SVG: a level for each step, coloured by value, with edges as thick as their visits."""
    places: list[tuple[dict[str, Any], float, int]] = []
    edges: list[tuple[int, int]] = []
    across = 0.0

    def place(node: dict[str, Any], level: int) -> int:
        nonlocal across
        children = [place(child, level + 1) for child in node.get("children", [])]
        if children:
            x = (places[children[0]][1] + places[children[-1]][1]) / 2
        else:
            x, across = across, across + _STEP_X
        places.append((node, x, level))
        here = len(places) - 1
        edges.extend((here, child) for child in children)
        return here

    place(root, 0)
    low, high = bounds
    levels = max(level for _, _, level in places)
    most = max(1, root.get("visits", 1))
    largest = max(abs(node["value"]) for node, _, _ in places)
    legend = _legend(any(node.get("hidden") for node, _, _ in places))
    total_x = max(across, max(map(width, legend))) + 10
    # Room below the last nodes for their visits, for what is not shown, and for the legend.
    total_y = 2 * _CIRCLE + levels * _STEP_Y + 46 + 15 * len(legend)
    # Centred, if the legend is wider than the tree.
    left = (total_x - across + _STEP_X) / 2
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total_x:.0f} {total_y:.0f}" '
        f'width="{total_x:.0f}" height="{total_y:.0f}" font-family="DejaVu Sans, Verdana, sans-serif" '
        f'font-size="{_FONT:g}">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]

    def at(index: int) -> tuple[float, float]:
        _, x, level = places[index]
        return x + left, level * _STEP_Y + _CIRCLE + 8

    def words(x: float, y: float, text: str, full: str = "") -> None:
        title = f"<title>{html.escape(full)}</title>" if full not in ("", text) else ""
        drawn.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="#333" stroke="white" stroke-width="3" '
            f'paint-order="stroke">{html.escape(text)}{title}</text>'
        )

    for parent, child in edges:
        (x0, y0), (x1, y1) = at(parent), at(child)
        thick = 0.7 + 5 * (places[child][0]["visits"] / most) ** 0.5
        drawn.append(
            f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="#aaa" '
            f'stroke-width="{thick:.2f}"/>'
        )
    for index, (node, _, _) in enumerate(places):
        x, y = at(index)
        step = str(node.get("step", ""))
        if (weight := node.get("weight")) is not None:
            # The outcome may be cut, its probability not.
            chance = f" ({weight:.3g})"
            words(x, y - _CIRCLE - 6, fitted(step, _STEP_X - 6 - width(chance)) + chance, step + chance)
        elif step:
            words(x, y - _CIRCLE - 6, fitted(step, _STEP_X - 6), step)
        share = 0.5 if high == low else max(0.0, min(1.0, (node["value"] - low) / (high - low)))
        red, green, blue = (round(176 + (10 - 176) * share), round(50 + 76 * share), round(122 + 42 * share))
        title = f"{step or 'root'}: {node['turn']}, value {signed(node['value'])}, {node['visits']} visits"
        if node["turn"] == "chance":
            dx, dy = _DIAMOND
            shape = f'polygon points="{x - dx:.1f},{y:.1f} {x:.1f},{y - dy:.1f} {x + dx:.1f},{y:.1f} {x:.1f},{y + dy:.1f}"'
        else:
            shape = f'circle cx="{x:.1f}" cy="{y:.1f}" r="{_CIRCLE:g}"'
        drawn.append(
            f'<{shape} fill="rgb({red},{green},{blue})"><title>{html.escape(title)}</title></{shape.split()[0]}>'
            f'<text x="{x:.1f}" y="{y + 0.36 * _FONT:.1f}" text-anchor="middle" fill="white" '
            f'pointer-events="none">{written(node["value"], largest)}</text>'
        )
        words(x, y + _CIRCLE + 13, f"{node['visits']:,}")
        if node.get("hidden"):
            words(x, y + _CIRCLE + 27, f"+{node['hidden']:,} more")
    for number, line in enumerate(reversed(legend)):
        drawn.append(f'<text x="5" y="{total_y - 8 - 15 * number:.1f}" fill="#777">{html.escape(line)}</text>')
    drawn.append("</svg>")
    return "".join(drawn)


def _legend(hides: bool) -> list[str]:
    """What the numbers of a tree are."""
    lines = ["circle: decision; diamond: chance", "inside: value for player 1; below: visits"]
    return [*lines, "+N more: children that are not shown"] if hides else lines
