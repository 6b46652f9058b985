"""Astragal, a search engine for games of skill and chance.

>>> import astragal
>>> pig = astragal.Game("pig(target=50)")
>>> position = pig.position("30-45+12 p1")
>>> report = astragal.analyze(position, "star2", depth=6)
>>> report.best
'roll'

A game and an engine have a spec: a name, or a name with parameters. `games()` and `engines()` list what there
is. Values are always player 1's. Bad input raises `ValueError` with the words of the `astragal` command; Ctrl-C
ends whatever runs, and what it has found is returned with `partial`.

`astragal.openspiel` searches any fitting game of OpenSpiel, and makes engines its bots; `astragal.pettingzoo`
makes games environments; `astragal.cluster` runs plans on Ray. Each needs its library, which
`pip install 'astragal[openspiel]'` and the like bring.
"""

from ._arguments import Progress
from ._game import Engine, Evaluator, Game, Position, Rules, Tree, Visited
from ._lab import (
    Solution,
    accuracy,
    analyze,
    engines,
    experiments,
    games,
    match,
    merge,
    reproduce,
    solve,
    tournament,
)
from ._native import __version__
from ._reports import (
    Analysis,
    Bout,
    Experiment,
    Figure,
    Finding,
    Interval,
    Line,
    MatchReport,
    ResultTable,
    Study,
    TournamentReport,
)

__all__ = [
    "Analysis",
    "Bout",
    "Engine",
    "Evaluator",
    "Experiment",
    "Figure",
    "Finding",
    "Game",
    "Interval",
    "Line",
    "MatchReport",
    "Position",
    "Progress",
    "ResultTable",
    "Rules",
    "Solution",
    "Study",
    "TournamentReport",
    "Tree",
    "Visited",
    "__version__",
    "accuracy",
    "analyze",
    "engines",
    "experiments",
    "games",
    "match",
    "merge",
    "reproduce",
    "solve",
    "tournament",
]
