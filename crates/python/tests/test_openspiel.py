"""Games of OpenSpiel: they keep the contract, its own searches agree with ours, and our engines are its bots.

By default a few positions and games of each kind are tried, in less than a minute. ASTRAGAL_LONG=1 tries a
hundred positions of each game, and fifty games of bots.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import pytest

import astragal

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import minimax  # noqa: E402

from astragal.openspiel import Bot, State, fitting_games, from_pyspiel, position_of  # noqa: E402

LONG = os.environ.get("ASTRAGAL_LONG") == "1"

FITTING = [fit.name for fit in fitting_games() if fit.fits]

# The same rules with fewer actions or outcomes, where hundreds of them make trees and texts too large, or
# with shorter games.
SMALL = {
    "chinese_checkers": "chinese_checkers(max_moves=100)",
    "go": "go(board_size=5)",
    "gomoku": "gomoku(size=5,connect=4)",
    "havannah": "havannah(board_size=3)",
    "hex": "hex(board_size=4)",
    "hive": "hive(uses_ladybug=false,uses_mosquito=false,uses_pillbug=false)",
    "mnk": "mnk(m=4,n=4,k=3)",
    "quoridor": "quoridor(board_size=5)",
    "twixt": "twixt(board_size=5)",
    "y": "y(board_size=4)",
    "yacht": "yacht(num_dice=1)",
}


class Untold:
    """Rules without their texts: to read one of thousands of outcomes by its text, all are written."""

    def __init__(self, rules: Any) -> None:
        for name in "range has_chance start turn actions apply outcomes resolve key".split():
            setattr(self, name, getattr(rules, name))


def check(game: astragal.Game, **play: int) -> None:
    assert game.check(unfinished=True, **play).distinct > 1


@pytest.mark.parametrize("name", FITTING)
def test_the_contract_is_kept(name: str) -> None:
    game = from_pyspiel(name)
    wide = len(game.rules.start().spiel.legal_actions())
    untold = astragal.Game(Untold(game.rules))
    long = 300 if wide < 200 else 30
    check(untold, games=2 if LONG else 1, length=long if LONG else min(1000 // wide, 30) + 2)
    if wide < 1000:
        check(game, games=2, length=(60 if wide < 100 else 4) if LONG else min(5000 // wide**2, 20) + 2)
    if name in SMALL:
        check(from_pyspiel(SMALL[name]), games=3 if LONG else 1, length=100 if LONG else 20)


def test_what_fits_is_listed() -> None:
    listed = {fit.name: fit for fit in fitting_games()}
    assert len(listed) == len(pyspiel.registered_games())
    for name in ("backgammon", "banqi", "chess", "einstein_wurfelt_nicht", "pig", "yacht"):
        assert listed[name].fits
    assert listed["kuhn_poker"].why == "imperfect information"
    assert listed["matrix_pd"].why == "simultaneous moves, general sum, one shot"
    assert listed["stones_and_gems"].why == "1 player, general sum, sampled chance"
    assert listed["start_at"].why == "needs parameters"
    assert listed["mnk"].title and listed["pig"].chance and not listed["chess"].chance
    command = [sys.executable, "-m", "astragal.openspiel"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert printed.stdout.splitlines()[-1] == f"{len(FITTING)} of {len(listed)} fit"


def test_what_does_not_fit_is_refused() -> None:
    for given, words in {
        "kuhn_poker": "imperfect information",
        "matrix_rps": "simultaneous moves, one shot",
        "pig(players=3)": "3 players",
        "no_such_game": "no game 'no_such_game'",
        "tic_tac_toe(x=1)": "Unknown parameter 'x'",
        "misere": "Missing parameter game",
    }.items():
        with pytest.raises(ValueError, match=words):
            from_pyspiel(given)
    with pytest.raises(ValueError, match="has its own"):
        from_pyspiel(pyspiel.load_game("nim"), {"pile_sizes": "1;2"})
    with pytest.raises(TypeError, match=r"a name such as 'backgammon' or a pyspiel\.Game, not 3"):
        from_pyspiel(3)


def test_positions_are_read_and_refused() -> None:
    game = from_pyspiel("tic_tac_toe")
    assert game.position("start") == game.start()
    assert game.position(" 4, 0 ").text == "4,0"
    assert game.position("4,0,2").turn == "p2"
    # The next one does not go on from the last.
    assert game.position("0").text == "0"
    assert game.position("4,0,2,6").state == game.start().state._rules.read_state("4,0,2,6")
    for text in ("", "9", "4,4", "4,,2", "-1", "0,3,1,4,2,5", '"', '"x" 3', "x"):
        with pytest.raises(ValueError, match=r"position|begins in no state"):
            game.position(text)
    assert game.position("0,3,1,4,2").payoff == 1.0


def test_a_state_is_its_history() -> None:
    # The text of this game leaves out the die.
    game = from_pyspiel("einstein_wurfelt_nicht")
    rolled = [game.position(f"0,0,{die}") for die in range(6)]
    assert len({position.state.key for position in rolled}) == 6
    assert len({position.text for position in rolled}) == 6
    tic = from_pyspiel("tic_tac_toe")
    assert tic.position("0,1,2").state != tic.position("2,1,0").state
    merged = from_pyspiel("tic_tac_toe", key=str)
    assert merged.position("0,1,2").state == merged.position("2,1,0").state
    merged.check(games=20)
    both = [astragal.analyze(game.position("4,0"), "alpha-beta", depth=7) for game in (tic, merged)]
    assert both[0].value == both[1].value == 0.0


def test_actions_with_one_text_are_told_apart() -> None:
    class Twins:
        def legal_actions(self) -> list[int]:
            return [1, 2, 3, 4]

        def action_to_string(self, action: int) -> str:
            return {1: "a", 2: " a", 3: "b", 4: ""}[action]

    state = State(from_pyspiel("nim").rules, Twins(), 0)
    assert state.names() == {1: "a#1", 2: "a#2", 3: "b", 4: "#4"}


def test_impossible_outcomes_are_dropped() -> None:
    class Loaded:
        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(0, 0.5), (1, 0.0), (2, 0.5 + 1e-10)]

    rules = from_pyspiel("pig").rules
    outcomes = rules.outcomes(State(rules, Loaded(), 0))
    assert [outcome for outcome, _ in outcomes] == [0, 2]
    assert abs(sum(weight for _, weight in outcomes) - 1) < 1e-15


def leaf(state: Any) -> float:
    """Some number of a state between -1 and 1."""
    return hash(tuple(state.history())) % 2001 / 1000 - 1


def expected_leaf(state: Any) -> float:
    """The same for OpenSpiel's search, which stops at chance, while ours goes on to the next decision."""
    if state.is_terminal():
        return float(state.player_return(0))
    if state.is_chance_node():
        return float(sum(weight * expected_leaf(state.child(a)) for a, weight in state.chance_outcomes()))
    return leaf(state)


def walk(spiel: Any, rng: random.Random) -> list[Any]:
    """The decisions of a random game."""
    states, state = [], spiel.new_initial_state()
    while not state.is_terminal():
        if not state.is_chance_node():
            states.append(state)
        state = state.child(rng.choice(state.legal_actions()))
    return states


def size(state: Any, depth: int, rng: random.Random) -> int:
    """About how many leaves a tree has, by one random path."""
    leaves = 1
    while not state.is_terminal() and (depth > 0 or state.is_chance_node()):
        depth -= not state.is_chance_node()
        legal = state.legal_actions()
        leaves *= len(legal)
        state = state.child(rng.choice(legal))
    return leaves


def is_small(state: Any, depth: int, most: int) -> bool:
    """Whether a tree has so many leaves at most, a third of them or more in unfinished games.

    Otherwise the search would compare payoffs of the end and little else.
    """

    def leaves(state: Any, depth: int, most: int) -> tuple[int, int]:
        if state.is_terminal():
            return 1, 0
        if depth == 0 and not state.is_chance_node():
            return 1, 1
        depth -= not state.is_chance_node()
        count = unfinished = 0
        for action in state.legal_actions():
            if count <= most:
                more, of_these = leaves(state.child(action), depth, most - count)
                count, unfinished = count + more, unfinished + of_these
        return count, unfinished

    count, unfinished = leaves(state, depth, most)
    return count <= most and 3 * unfinished >= count


def random_states(spiel: Any, count: int, depth: int, most: int, rng: random.Random) -> list[Any]:
    """Decisions of random games from which the trees are small.

    Chance lets no search cut anything, so there the leaves are counted. Without chance they are guessed, and
    if there are too few small trees the smallest will do.
    """
    chance = spiel.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    drawn: list[tuple[int, int, Any]] = []
    small = 0
    for games in range(400):
        states = walk(spiel, rng)
        for state in rng.sample(states, min(len(states), 60)):
            leaves = max(size(state, depth, rng) for _ in range(3))
            if not chance or (leaves <= most and is_small(state, depth, most)):
                drawn.append((leaves, len(drawn), state))
                small += leaves <= most
        if small >= count or (not chance and games >= 40 and len(drawn) >= count):
            break
    drawn.sort(key=lambda one: (max(one[0], most), one[1]))
    return [state for _, _, state in drawn[:count]]


@pytest.mark.parametrize("name", FITTING)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_search_equals_that_of_openspiel(name: str, depth: int) -> None:
    evaluators = {"leaf": leaf, "other": lambda state: -leaf(state)}
    game = from_pyspiel(SMALL.get(name, name), evaluators=evaluators)
    spiel, rng = game.rules.spiel, random.Random(depth)
    low, high = game.range
    assert low <= -1 and high >= 1
    search = "expectimax" if game.has_chance else "alpha-beta"
    engine, other = (astragal.Engine(f"{search}(eval={name})") for name in evaluators)
    count = 100 if LONG else 2
    compared = ends = 0
    # Alpha-beta leaves most of a tree out, and Pentago has no other positions than wide ones.
    most = 10_000 if game.has_chance else 30_000_000 if name == "pentago" else 300_000
    for state in random_states(spiel, 5 * count, depth, most, rng):
        if compared == count:
            break
        position = position_of(game, state)
        report = astragal.analyze(position, engine, depth=depth)
        # Most of the positions are such that the value depends on the leaves, not on ends of games alone.
        is_end = astragal.analyze(position, other, depth=depth).value == report.value
        if is_end and 3 * ends >= count:
            continue
        compared, ends = compared + 1, ends + is_end
        if game.has_chance:
            value, _ = minimax.expectiminimax(state, depth, expected_leaf, 0)
        else:
            value, _ = minimax.alpha_beta_search(spiel, state, leaf, depth, 0)
        # Sums are rounded in another order if there is chance.
        assert report.value == (pytest.approx(value, abs=1e-12) if game.has_chance else value), position.text
    assert compared == count


ENGINES = {"random": {}, "mcts": {"iterations": 5}, "star2": {"depth": 1}, "flat": {"iterations": 5}}


def play(game: astragal.Game, engines: list[str], seed: int, most: int) -> list[float] | None:
    """A game of bots, each of whose moves is legal; none if it is left unfinished."""
    bots = [Bot(engine, game, seed=seed, **ENGINES[engine]) for engine in engines]  # type: ignore[arg-type]
    state, rng = game.rules.spiel.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            action = rng.choice(state.legal_actions())
        else:
            action = bots[state.current_player()].step(state)
            assert action in state.legal_actions()
            most -= 1
        state.apply_action(action)
        if most == 0:
            return None
    return list(state.returns())


@pytest.mark.parametrize("seed", range(50) if LONG else range(0, 50, 7))
def test_bots_play_legal_moves(seed: int) -> None:
    name = FITTING[seed % len(FITTING)]
    engines = list(ENGINES)
    pair = [engines[seed % 4], engines[(seed // 4 + 1) % 4]]
    returns = play(from_pyspiel(SMALL.get(name, name)), pair, seed, 100_000 if LONG else 40)
    assert returns is None or sum(returns) == 0
    assert not LONG or returns is not None


def test_openspiel_plays_bots() -> None:
    game = from_pyspiel("pig(winscore=20)")
    spiel = game.rules.spiel
    bots = [Bot("star2", game, depth=2), pyspiel.make_uniform_random_bot(1, 3)]
    results = [pyspiel.evaluate_bots(spiel.new_initial_state(), bots, seed) for seed in range(10)]
    assert sum(first for first, _ in results) > 0
    same = [Bot("random", game, seed=2), Bot("random", game, seed=3)]
    first, second = (pyspiel.evaluate_bots(spiel.new_initial_state(), same, 5) for _ in range(2))
    assert first == second


def test_a_bot_plays_at_any_state() -> None:
    # Also in a game that began elsewhere.
    chess = pyspiel.load_game("chess")
    state = chess.new_initial_state("7k/R7/5K2/8/8/8/8/8 w - - 0 1")
    bot = Bot("alpha-beta", chess, depth=4)
    bot.restart_at(state)
    for _ in range(3):
        action = bot.step(state)
        bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [-1.0, 1.0]  # White is player 1.
    fresh = chess.new_initial_state()
    policy, action = bot.step_with_policy(fresh)
    assert dict(policy)[action] == 1.0 and sum(dict(policy).values()) == 1.0
    assert [move for move, _ in policy] == fresh.legal_actions()
    assert bot.provides_policy() and bot.get_policy(fresh) == policy


def test_decisions_of_a_bot_differ_by_their_number() -> None:
    game = from_pyspiel("ultimate_tic_tac_toe")
    state, bot = game.rules.spiel.new_initial_state(), Bot("random", game, seed=2**64 - 1)
    chosen = []
    for _ in range(12):
        chosen.append(bot.step(state))
        assert bot.step(state) == chosen[-1]
        state.apply_action(chosen[-1])
    assert len(set(chosen)) > 3


def test_a_bot_refuses_what_is_not_its_own() -> None:
    pig = from_pyspiel("pig")
    with pytest.raises(ValueError, match="did you mean"):
        Bot("star", pig)
    with pytest.raises(ValueError, match="no game of OpenSpiel"):
        Bot("star2", astragal.Game("pig"))
    with pytest.raises(ValueError, match="depth"):
        Bot("star2", pig, depth=0)
    with pytest.raises(ValueError, match="seed"):
        Bot("star2", pig, seed=-1)
    bot = Bot("star2", pig, depth=1)
    with pytest.raises(ValueError, match="nim"):
        bot.step(pyspiel.load_game("nim").new_initial_state())
    rolled = pig.rules.spiel.new_initial_state().child(0)
    with pytest.raises(ValueError, match="nobody decides"):
        bot.step(rolled)


def test_errors_of_an_evaluator_come_out() -> None:
    def broken(state: Any) -> float:
        raise ZeroDivisionError("mine")

    game = from_pyspiel("tic_tac_toe", evaluators={"broken": broken})
    with pytest.raises(ZeroDivisionError, match="mine"):
        astragal.analyze(game.start(), "alpha-beta(eval=broken)", depth=2)


def test_evaluators_see_states_of_openspiel() -> None:
    seen = []

    def one(state: Any) -> float:
        seen.append(type(state))
        return leaf(state)

    def many(states: list[Any]) -> list[float]:
        return [one(state) for state in states]

    given = {"one": one, "many": astragal.Evaluator(many, batch=2)}
    game = from_pyspiel("tic_tac_toe", evaluators=given)
    first, second = (astragal.analyze(game.start(), f"minimax(eval={name})", depth=2) for name in given)
    assert first.value == second.value
    assert all(issubclass(kind, pyspiel.State) for kind in seen) and len(seen) >= 72 * 2


def test_hyper_backgammon_is_always_a_draw_to_openspiel() -> None:
    """A defect of OpenSpiel that no contract shows: whoever bears off first, the returns are 0."""
    spiel, rng = pyspiel.load_game("backgammon(hyper_backgammon=true)"), random.Random(1)
    for _ in range(5):
        last = walk(spiel, rng)[-1]
        ends = [last.child(action) for action in last.legal_actions()]
        assert {end.returns()[0] for end in ends if end.is_terminal()} == {0.0}
