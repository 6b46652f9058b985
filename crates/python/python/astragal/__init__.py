"""Astragal, a search engine for games of skill and chance.

>>> import astragal
>>> pig = astragal.Game("pig(target=50)")
>>> position = pig.position("30-45+12 p1")
>>> report = astragal.analyze(position, "star2", depth=6)
>>> report.best
'roll'

A game and an engine are named by a spec: a name, or a name with parameters. `games()` and `engines()` list
them. Values are always from player 1's point of view. Bad input raises `ValueError` with the message of the
`astragal` command; Ctrl-C ends the running call, and its results so far are returned with `partial` set.

`astragal.openspiel` searches any suitable OpenSpiel game and makes engines OpenSpiel bots;
`astragal.pettingzoo` makes games PettingZoo environments; `astragal.cluster` runs plans on Ray. Each needs its
library, which `pip install 'astragal[openspiel]'` and the like install.
"""

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
    regret,
    reproduce,
    solve,
    tournament,
)
from ._native import __version__
from ._progress import Progress
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
    Regret,
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
    "Regret",
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
    "regret",
    "reproduce",
    "solve",
    "tournament",
]
