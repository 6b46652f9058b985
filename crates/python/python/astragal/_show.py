"""Pictures, tables and trees for notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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


def picture(pieces: Sequence[tuple[str, str]], caption: str) -> str:
    """A position in colours; they repeat information that its text already has."""
    drawn = "".join(
        f'<span style="{_INKS[ink]}">{html.escape(text)}</span>' if _INKS[ink] else html.escape(text)
        for ink, text in pieces
    )
    return (
        f'<pre style="line-height:1.2;margin:0.3em 0">{drawn}</pre>'
        f'<div style="opacity:0.7;font-size:smaller">{html.escape(caption)}</div>'
    )


def table(columns: Mapping[str, Sequence[Any]], caption: str = "") -> str:
    """Columns as a table."""
    cells = [[cell(value) for value in values] for values in columns.values()]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = "".join("<tr>" + "".join(row) + "</tr>" for row in zip(*cells))
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def cell(value: Any) -> str:
    """A cell: numbers are right-aligned, and floats have four significant digits."""
    if value is None:
        return "<td></td>"
    if isinstance(value, bool):
        return f"<td>{'yes' if value else 'no'}</td>"
    if isinstance(value, float):
        return f'<td style="text-align:right">{value:.4g}</td>'
    if isinstance(value, int):
        return f'<td style="text-align:right">{value:,}</td>'
    wrapped = "text-align:left;overflow-wrap:anywhere;max-width:42em"
    return f'<td style="{wrapped}">{html.escape(str(value))}</td>'


def analysis(report: Analysis, bounds: tuple[float, float]) -> str:
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
        f"<div>value <b>{report.value:+.4f}</b>{best}{partial}</div>"
        f'<div style="opacity:0.7;font-size:smaller">{html.escape(report.game)} '
        f"{html.escape(report.position)} · {html.escape(report.engine)}</div>"
        f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
        f'<div style="opacity:0.7;font-size:smaller">line: {html.escape(pv)} · depth {report.depth}, '
        f"{report.counts['nodes']:,} nodes, {report.elapsed:.3f} s</div>"
    )


def tree(root: dict[str, Any], bounds: tuple[float, float]) -> str:
    """A tree as SVG: a level for each step, coloured by value, with edges as thick as their visits."""
    step_x, step_y, radius = 74.0, 78.0, 15.0
    places: list[tuple[dict[str, Any], float, int]] = []
    edges: list[tuple[int, int]] = []
    width = 0.0

    def place(node: dict[str, Any], level: int) -> int:
        nonlocal width
        children = [place(child, level + 1) for child in node.get("children", [])]
        if children:
            x = (places[children[0]][1] + places[children[-1]][1]) / 2
        else:
            x, width = width, width + step_x
        places.append((node, x, level))
        here = len(places) - 1
        edges.extend((here, child) for child in children)
        return here

    place(root, 0)
    low, high = bounds
    levels = max(level for _, _, level in places)
    most = max(1, root.get("visits", 1))
    total_x, total_y = max(width, step_x) + 20, levels * step_y + 70
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total_x:.0f} {total_y:.0f}" '
        f'width="{min(total_x, 1400):.0f}" font-family="sans-serif" font-size="10">'
    ]

    def at(index: int) -> tuple[float, float]:
        _, x, level = places[index]
        return x + step_x / 2, level * step_y + 26

    for parent, child in edges:
        (x0, y0), (x1, y1) = at(parent), at(child)
        node = places[child][0]
        thick = 0.7 + 5 * (node["visits"] / most) ** 0.5
        drawn.append(
            f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="#999" '
            f'stroke-width="{thick:.2f}"/>'
        )
        words = str(node.get("step", ""))
        if (weight := node.get("weight")) is not None:
            words += f" {weight:.3g}"
        short = words if len(words) <= 14 else words[:13] + "…"
        drawn.append(
            f'<text x="{x1:.1f}" y="{y1 - radius - 5:.1f}" text-anchor="middle" stroke="white" '
            f'stroke-width="3" paint-order="stroke">{html.escape(short)}</text>'
        )
    for index, (node, _, _) in enumerate(places):
        x, y = at(index)
        share = 0.5 if high == low else max(0.0, min(1.0, (node["value"] - low) / (high - low)))
        red, green, blue = (round(176 + (10 - 176) * share), round(50 + 76 * share), round(122 + 42 * share))
        colour = f"rgb({red},{green},{blue})"
        name = html.escape(
            f"{node.get('step', 'root')}: {node['turn']}, value {node['value']:+.4f}, {node['visits']} visits"
        )
        hidden = f" +{node['hidden']}" if node.get("hidden") else ""
        shape = (
            f'<rect x="{x - radius:.1f}" y="{y - radius:.1f}" width="{2 * radius}" height="{2 * radius}" '
            f'transform="rotate(45 {x:.1f} {y:.1f})" '
            if node["turn"] == "chance"
            else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" '
        )
        drawn.append(f'{shape}fill="{colour}"><title>{name}</title></{"rect" if "rect" in shape else "circle"}>')
        drawn.append(
            f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle" fill="white">{node["value"]:+.3g}</text>'
        )
        drawn.append(
            f'<text x="{x:.1f}" y="{y + radius + 12:.1f}" text-anchor="middle" fill="#777">'
            f"{node['visits']:,}{hidden}</text>"
        )
    drawn.append("</svg>")
    return "".join(drawn)
