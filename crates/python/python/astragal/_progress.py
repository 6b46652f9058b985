"""A line of progress on standard error. It has no other output, and changes nothing about the work."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

Progress: TypeAlias = "bool | None | Callable[[int, int, str], object]"
"""Whether a line shows how far the work is; by default in terminals and notebooks, if it takes more than a second.
A function is called with `(done, of_how_many, what)`; where the end is not known, `of_how_many` is 0."""

DELAY = 1.0
"""The seconds after which a line appears that was not asked for."""

PAUSE = 0.25
"""The seconds between two drawings of a line."""

RARE = 10.0
"""The seconds between two lines where one cannot be drawn over the other, as in a file."""


def _in_notebook() -> bool:
    """Whether the output goes to a notebook, where a carriage return works as in a terminal."""
    shell = sys.modules.get("IPython")
    return shell is not None and hasattr(shell.get_ipython(), "kernel")


def _in_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def described(done: int, of: int, what: str, unit: str) -> str:
    """The state of some work in words.

    >>> described(12, 100, "48.3 %", "pairs"), described(250, 1000, "mcms-fig2: ewn", "%")
    ('12 of 100 pairs, 48.3 %', '25 %, mcms-fig2: ewn')
    >>> described(14076, 0, "states found", "states"), described(5, 0, "depth 5, value +0.1", "")
    ('14,076 states found', 'depth 5, value +0.1')
    """
    if not of:
        return f"{done:,} {what}" if unit else what
    much = f"{100 * done // of} %" if unit == "%" else f"{done:,} of {of:,} {unit}"
    return much if what in ("", unit) else f"{much}, {what}"


class _Line:
    """Draws the latest news until the work ends, from a thread of its own: the first may take long to arrive."""

    def __init__(self, name: str, unit: str, wanted: bool) -> None:
        self._start, self._unit = time.monotonic(), unit
        self._latest = f"{name} …"
        self._over = threading.Event()
        self._lasting = _in_notebook()
        self._live = self._lasting or _in_terminal()
        self._delay = 0.0 if wanted else DELAY
        self._longest = 0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> _Line:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def hear(self, done: int, of: int, what: str) -> None:
        self._latest = described(done, of, what, self._unit)

    def _run(self) -> None:
        if self._live and self._over.wait(self._delay):
            return
        while not self._over.wait(PAUSE if self._live else RARE):
            self._draw()
        if not self._live:
            self._draw()
        elif self._lasting:
            self._draw()
            self._write("\n")
        elif self._longest:
            self._write("\r" + " " * self._longest + "\r")

    def _draw(self) -> None:
        text = f"{self._latest}, {time.monotonic() - self._start:.0f} s"
        if not self._live:
            self._write(text + "\n")
            return
        # The last column stays empty: some terminals wrap as soon as it is written.
        text = text[:79]
        self._write("\r" + text.ljust(self._longest))
        self._longest = max(self._longest, len(text))

    @staticmethod
    def _write(text: str) -> None:
        # An output that is closed, full or missing is no reason to lose the work.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(text)
            sys.stderr.flush()


@contextlib.contextmanager
def shown(progress: Progress, name: str, unit: str) -> Iterator[Callable[[int, int, str], object] | None]:
    """Yields the receiver of news about some work: none, the given function, or a line on standard error."""
    if callable(progress):
        yield progress
    elif progress or (progress is None and (_in_notebook() or _in_terminal())):
        with _Line(name, unit, bool(progress)) as line:
            yield line.hear
    else:
        yield None
