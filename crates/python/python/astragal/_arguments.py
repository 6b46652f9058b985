"""Checks of arguments before any work begins; errors state what would be valid."""

from __future__ import annotations

import operator
import os
from typing import SupportsIndex

SEEDS = 2**64 - 1


def whole(name: str, value: SupportsIndex, least: int, most: int) -> int:
    """Returns the value as a whole number, which must be within the limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is {least} to {most}, not {number}")
    return number


def seed(value: SupportsIndex) -> int:
    """Checks a seed of 64 bits."""
    return whole("seed", value, 0, SEEDS)


def limits(
    depth: SupportsIndex | None,
    nodes: SupportsIndex | None,
    iterations: SupportsIndex | None,
    time: float | None,
) -> tuple[int | None, int | None, int | None, float | None]:
    """Checks the limits of a budget."""
    if time is not None:
        try:
            time = float(time)
        except (TypeError, ValueError):
            raise TypeError(f"time is a number of seconds, not {time!r}") from None
        if not 0 < time < 1e9:
            raise ValueError(f"time is a number of seconds above 0, not {time!r}")
    return (
        None if depth is None else whole("depth", depth, 1, 1000),
        None if nodes is None else whole("nodes", nodes, 1, SEEDS),
        None if iterations is None else whole("iterations", iterations, 1, SEEDS),
        time,
    )


def budget(
    depth: SupportsIndex | None = None,
    nodes: SupportsIndex | None = None,
    iterations: SupportsIndex | None = None,
    time: float | None = None,
) -> str | None:
    """Returns a budget as text, such as `depth=4,time=200000us`; none if nothing is limited."""
    depth, nodes, iterations, time = limits(depth, nodes, iterations, time)
    given = {"depth": depth, "nodes": nodes, "iterations": iterations}
    parts = [f"{name}={value}" for name, value in given.items() if value is not None]
    if time is not None:
        parts.append(f"time={max(1, round(time * 1e6))}us")
    return ",".join(parts) or None


def jobs(value: SupportsIndex | None) -> int | None:
    """Checks a number of threads."""
    return None if value is None else whole("jobs", value, 1, 4096)


def path(value: str | os.PathLike[str] | None) -> str | None:
    """A path as text."""
    return None if value is None else os.fspath(value)
