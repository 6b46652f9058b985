#!/usr/bin/env python3
"""Draws the picture at the top of the README: a position of Can't Stop and the value of what one can do in it.

Needs the package `astragal`; everything in the picture is its answer. `python scripts/picture.py` writes
docs/cant-stop.svg, or the file that is named.
"""

from __future__ import annotations

import html
import pathlib
import sys

import astragal

POSITION = "0,2,1,3,4,7,5,3,0,1,0 0,0,3,0,6,4,6,0,2,0,1 p1 6:8,7:10,8:8 ready"
ENGINE, DEPTH = "star2(all_lines=on)", 3
FILE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "cant-stop.svg"

INKS = {
    "plain": 'fill="#24292f"',
    "first": 'fill="#0a7ea4" font-weight="bold"',
    "second": 'fill="#b0327a" font-weight="bold"',
    "mark": 'fill="#1a7f37" font-weight="bold"',
    "faint": 'fill="#8c959f"',
}
CELL, LINE = 9.0, 20.0  # the width of a letter, the height of a line
LEFT, TOP, WIDTH = 24.0, 66.0, 800.0
BARS, BAR = 476.0, 300.0  # where the bars begin, and their width from -100 to +100


def text(x: float, y: float, words: str, more: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {more}>{html.escape(words)}</text>'


def board(pieces: list[tuple[str, str]]) -> tuple[list[str], int]:
    """The board, a letter in each cell, so that columns stand in line with any font; and its number of lines."""
    drawn, row, column = [], 0, 0
    for ink, words in pieces:
        for letter in words:
            if letter == "\n":
                row, column = row + 1, 0
                continue
            if letter.strip():
                x, y = LEFT + CELL * (column + 0.5), TOP + LINE * row
                drawn.append(text(x, y, letter, INKS[ink], "middle"))
            column += 1
    return drawn, row + (column > 0)


def draw() -> str:
    game = astragal.Game("cant-stop")
    position = game.position(POSITION)
    report = astragal.analyze(position, ENGINE, depth=DEPTH)
    low, high = game.range
    pieces = position._inner.picture()
    drawn, lines = board(pieces)
    height = TOP + LINE * lines + 10
    drawn.append(text(LEFT, 34, "Can't Stop: roll again, or stop?", 'font-size="19" fill="#24292f" font-weight="bold"'))
    middle = BARS + BAR / 2
    top = TOP + 36
    drawn.append(text(BARS, TOP + 8, "for player 2", INKS["second"]))
    drawn.append(text(BARS + BAR, TOP + 8, "for player 1", INKS["first"], "end"))
    for number, line in enumerate(report.lines):
        y = top + 74 * number
        share = (line.value - (low + high) / 2) / ((high - low) / 2)
        x, width = (middle, share * BAR / 2) if share >= 0 else (middle + share * BAR / 2, -share * BAR / 2)
        best = 'font-weight="bold" ' if line.action in report.tied else ""
        drawn.append(text(BARS, y + 12, line.action, f'{best}font-size="17" fill="#24292f"'))
        drawn.append(text(BARS + BAR, y + 12, line.text, f'{best}font-size="17" fill="#24292f"', "end"))
        drawn.append(f'<rect x="{BARS:g}" y="{y + 22:g}" width="{BAR:g}" height="20" rx="3" fill="#eef0f2"/>')
        ink = "#0a7ea4" if share >= 0 else "#b0327a"
        drawn.append(f'<rect x="{x:.1f}" y="{y + 22:g}" width="{width:.1f}" height="20" rx="3" fill="{ink}"/>')
        drawn.append(f'<rect x="{middle - 0.5:g}" y="{y + 19:g}" width="1" height="26" fill="#57606a"/>')
    last = top + 74 * len(report.lines) + 20
    faint = 'font-size="14" fill="#57606a"'
    drawn.append(text(BARS, last, f"{ENGINE.split('(')[0]}, {DEPTH} decisions deep:", faint))
    drawn.append(text(BARS, last + 20, f"{report.counts['nodes']:,} positions", faint))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" width="{WIDTH:g}" '
        f'height="{height:g}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15">\n'
        f'<rect width="{WIDTH:g}" height="{height:g}" rx="8" fill="white" stroke="#d0d7de"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    file.write_text(draw(), encoding="utf-8")
