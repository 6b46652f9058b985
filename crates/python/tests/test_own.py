"""Games and evaluators written in Python."""

from __future__ import annotations

import random
import sys
import threading
import time
import traceback
from typing import Any

import astragal
import numpy as np
import numpy.typing as npt
import pytest
from games import Network, Pig, Stones

ENGINES = [
    engine
    for engine in astragal.engines()
    if engine["game"] is None and engine["name"] not in ("uci", "solved")
]


def small(engine: dict[str, Any]) -> dict[str, int]:
    if engine["name"] == "strongest":
        # In a game without an evaluator it is uct, which has no depth.
        return {"nodes": 200}
    if "depth" in engine["budgets"]:
        return {"depth": 3}
    return {"iterations": 60} if "iterations" in engine["budgets"] else {}


def test_a_python_game_is_the_same_game() -> None:
    ours, theirs = astragal.Game(Pig(20)), astragal.Game("pig(dice=1,target=20)")
    assert ours.check().finished == 100
    for depth in range(5):
        assert ours.start().perft(depth) == theirs.start().perft(depth)
        assert ours.start().perft(depth, outcomes=True) == theirs.start().perft(depth, outcomes=True)
    for depth in range(1, 6):
        spec = "expectimax(eval=even,table=off)"
        found = [astragal.analyze(game.start(), spec, depth=depth) for game in (ours, theirs)]
        assert found[0].value == found[1].value and found[0].counts == found[1].counts
    # Value iteration visits states in another order, so the last bits may differ.
    solved = [astragal.solve(game) for game in (ours, theirs)]
    assert solved[0].states == solved[1].states
    assert solved[0].value == pytest.approx(solved[1].value, abs=1e-11)


def test_every_engine_plays_a_python_game() -> None:
    game = astragal.Game(Stones())
    played = 0
    for engine in ENGINES:
        try:
            report = astragal.analyze(game.start(), engine["name"], seed=1, **small(engine))
        except ValueError as error:
            assert "chance" in str(error), error
            continue
        assert report.best in ("1", "2")
        score = astragal.match(game, engine["name"], "random", pairs=3, seed=2, **small(engine))
        assert score.pairs == 3
        played += 1
    assert played >= 12


def test_exact_searches_agree_in_a_python_game() -> None:
    game = astragal.Game(Stones())
    values = {astragal.analyze(game.start(), name, depth=12).value for name in ("expectimax", "star1", "star2")}
    assert values == {0.0} == {astragal.solve(game).value}
    sampled = {
        astragal.analyze(game.start(), f"{name}(width=1)", depth=6, seed=9).value
        for name in ("expss", "star1ss", "star2ss")
    }
    assert len(sampled) == 1


def test_threads_share_a_python_game() -> None:
    game = astragal.Game(Stones())
    report = astragal.analyze(game.start(), "mcts(threads=2)", iterations=400)
    assert sum(line.visits for line in report.lines) >= 400
    found: list[float] = []

    def search() -> None:
        found.append(astragal.analyze(game.start(), "star2", depth=8).value)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [0.0] * 4


def test_the_interpreter_is_free_while_a_search_runs() -> None:
    # If the search kept the interpreter to itself, this would count once or twice.
    counted = 0
    running = threading.Thread(target=lambda: astragal.analyze(astragal.Game("ra").start(), "star2", time=0.5))
    running.start()
    while running.is_alive():
        counted += 1
        time.sleep(0.001)
    running.join()
    assert counted > 5


class Broken(Stones):
    """Stones with one mistake."""

    def __init__(self, mistake: str) -> None:
        self.mistake, self.calls = mistake, 0

    def turn(self, state: Any) -> str | float:
        if self.mistake == "turn" and state[0] == 2:
            return "p3"
        if self.mistake == "payoff" and super().turn(state) == 1.0:
            return 3.0
        return super().turn(state)

    def actions(self, state: Any) -> Any:
        if self.mistake == "no action" and state[0] == 2:
            return []
        if self.mistake == "unhashable" and state[0] == 2:
            return [[1], [2]]
        if self.mistake == "twice" and state[0] == 2:
            return [1, 1]
        if self.mistake == "order" and state[0] == 4:
            self.calls += 1
            return [1, 2] if self.calls % 2 else [2, 1]
        return super().actions(state)

    def outcomes(self, state: Any) -> Any:
        if self.mistake == "sum":
            return [("drop", 0.5), ("none", 0.4)]
        if self.mistake == "weight":
            return [("drop", 1.0), ("none", 0.0)]
        if self.mistake == "pairs":
            return ["drop", "none"]
        if self.mistake == "no outcome":
            return []
        return super().outcomes(state)

    def apply(self, state: Any, stones: int) -> Any:
        if self.mistake == "raises" and state[0] == 2:
            raise LookupError("no such heap")
        return super().apply(state, stones)

    def bounds(self, state: Any) -> Any:
        if self.mistake == "bounds":
            return (-2.0, 2.0)
        return "nothing" if self.mistake == "no bounds" else (-1.0, 1.0)

    def key(self, state: Any) -> Any:
        return 7 if self.mistake == "key" else state

    def write_action(self, state: Any, action: Any) -> str:
        return "take" if self.mistake == "text" else str(action)

    def features(self, state: Any) -> list[float]:
        return [0.0] * (state[0] if self.mistake == "features" else 3)


MISTAKES = {
    "turn": "contract: turn is 'p1', 'p2', 'chance' or the payoff",
    "payoff": "contract: payoff 3 outside the range [-1, 1] in (0",
    "no action": "contract: no action in (2",
    "twice": "contract: action 1 twice in (2",
    "sum": "contract: the weights sum to 0.9 in (3",
    "weight": "contract: weight 0 of 'none' in (3",
    "pairs": "contract: outcomes are pairs (outcome, probability), not 'drop'",
    "no outcome": "contract: no outcome in (3",
    "bounds": "contract: bounds [-2, 2] outside the range [-1, 1]",
    "no bounds": "contract: the bounds of a state must be two numbers",
    "key": "differ but share the key 0x7",
    "order": "contract: the actions change between two calls in (4",
    "text": "contract: action 2 is written 'take' like another one in (4",
    "features": "features of (",
}


# A search does not see these.
SEEN_BY_THE_HARNESS = ("twice", "bounds", "key", "order", "text", "features")


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_harness_finds_what_is_wrong(mistake: str) -> None:
    with pytest.raises(ValueError) as caught:
        astragal.Game(Broken(mistake)).check()
    assert MISTAKES[mistake] in str(caught.value)


@pytest.mark.parametrize("mistake", [name for name in MISTAKES if name not in SEEN_BY_THE_HARNESS])
def test_a_search_stops_at_a_broken_promise(mistake: str) -> None:
    for engine in ("expectimax", "star2", "mcts", "mcts(threads=2)", "uct-h", "flat"):
        limits = {"depth": 6} if engine in ("expectimax", "star2") else {"iterations": 200}
        # Not every engine asks for bounds.
        try:
            astragal.analyze(astragal.Game(Broken(mistake)).start(), engine, **limits)  # type: ignore[arg-type]
        except ValueError as error:
            assert MISTAKES[mistake] in str(error)
        else:
            assert mistake == "no bounds"


def test_an_exception_comes_out_as_itself() -> None:
    game = astragal.Game(Broken("raises"))
    calls = {
        "analyze": lambda: astragal.analyze(game.start(), "star2", depth=6),
        "threads": lambda: astragal.analyze(game.start(), "mcts(threads=2)", iterations=500),
        "match": lambda: astragal.match(game, "star2", "random", depth=4, pairs=10),
        "solve": lambda: astragal.solve(game),
        "check": lambda: game.check(),
        "perft": lambda: game.start().perft(4),
        "apply": lambda: game.start().apply("2").resolve("none").apply("1"),
    }
    for call in calls.values():
        with pytest.raises(LookupError, match="no such heap") as caught:
            call()
        assert any(frame.name == "apply" for frame in traceback.extract_tb(caught.value.__traceback__))
    with pytest.raises(TypeError, match="unhashable"):
        astragal.analyze(astragal.Game(Broken("unhashable")).start(), "star2", depth=6)
    # And the game can be used again.
    assert game.start().actions == ["1", "2"]


def test_an_exception_spoils_no_other_result() -> None:
    """Several threads search one game, which fails now and then: each has the right answer, or the exception."""
    dice = random.Random(1)

    class Flaky(Stones):
        def apply(self, state: Any, stones: int) -> Any:
            if dice.random() < 0.0005:
                raise LookupError("now and then")
            return super().apply(state, stones)

    game = astragal.Game(Flaky())
    position = game.start()
    answers: list[Any] = []

    def search() -> None:
        for _ in range(40):
            try:
                answers.append(astragal.analyze(position, "star2", depth=12).value)
                answers.append(astragal.solve(game).value)
            except LookupError:
                answers.append("raised")

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert set(answers) == {0.0, "raised"}, set(answers)
    assert len(answers) >= 160


def test_a_search_inside_a_game_or_an_evaluator() -> None:
    """Code of a game may search that very game."""

    def think(features: Any) -> float:
        return astragal.analyze(game.start(), "expectimax(eval=even)", depth=2).value

    game = astragal.Game("pig(target=20)", evaluators={"think": think})
    inner = astragal.analyze(game.start(), "expectimax(eval=even)", depth=2).value
    assert astragal.analyze(game.start(), "expectimax(eval=think)", depth=1).value == pytest.approx(inner)

    def fail(features: Any) -> float:
        astragal.analyze(game.start(), "expectimax(eval=broken)", depth=1)
        return 0.0

    game = astragal.Game("pig", evaluators={"fail": fail, "broken": lambda features: 1 / 0})
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            astragal.analyze(game.start(), "expectimax(eval=fail)", depth=1)
    assert astragal.analyze(game.start(), "star2", depth=2).depth == 2


def test_an_exception_in_a_text_is_raised_where_it_belongs() -> None:
    class Mute(Stones):
        mute = False

        def write_state(self, state: Any) -> str:
            if self.mute:
                raise RuntimeError("no words")
            return str(state)

    rules = Mute()
    game = astragal.Game(rules)
    position, solution = game.start(), astragal.solve(game)
    rules.mute = True
    for call in (
        lambda: position.text,
        lambda: astragal.analyze(position, "star2", depth=2),
        lambda: astragal.solve(position),
        lambda: astragal.match(position, "star2", "random", depth=1, pairs=1),
    ):
        with pytest.raises(RuntimeError, match="no words"):
            call()
        assert position.turn == "p1" and game.start().actions == ["1", "2"]
    assert solution[position] == 0.0


def test_chance_without_end_is_refused() -> None:
    class Reroll(Stones):
        def resolve(self, state: Any, outcome: str) -> Any:
            return state if outcome == "none" else super().resolve(state, outcome)

    game = astragal.Game(Reroll())
    with pytest.raises(ValueError, match="more than 1000 chance states in a row"):
        astragal.analyze(game.start(), "star2", depth=2)
    assert astragal.analyze(game.start(), "mcts", iterations=50).best in ("1", "2")


def test_python_code_that_calls_itself_has_room() -> None:
    def deep(level: int) -> int:
        return 0 if level == 0 else max([level], key=lambda _: deep(level - 1)) * 0

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        game = astragal.Game("pig", evaluators={"deep": lambda features: float(deep(1500))})
        assert astragal.analyze(game.start(), "expectimax(eval=deep)", depth=1).value == 0.0
    finally:
        sys.setrecursionlimit(before)


def test_a_tree_of_a_game_that_changes_is_no_panic() -> None:
    dice = random.Random(2)

    class Changing(Stones):
        def outcomes(self, state: Any) -> Any:
            return [("drop", 0.5), ("none", 0.5)] if dice.random() < 0.5 else [("drop", 1.0)]

    for seed in range(20):
        game, engine = astragal.Game(Changing()), astragal.Engine("mcts")
        try:
            astragal.analyze(game.start(), engine, iterations=50, seed=seed)
            engine.tree(game)
        except (RuntimeError, ValueError):
            pass


def test_positions_of_other_games_are_refused() -> None:
    plan = {"kind": "match", "engines": ["random", "hold-at"], "pairs": 1}
    late = astragal.Game("pig").position("50-50+2 p1")
    for game, position in (("pig", astragal.Game("ewn").start()), ("pig(target=20)", late)):
        with pytest.raises(ValueError, match="position"):
            astragal.tournament({**plan, "game": game, "position": position})
    with pytest.raises(ValueError, match="of another game"):
        engine = astragal.Engine("star2")
        engine._for(astragal.Game("pig")).analyze(astragal.Game("ewn").start()._inner, 0, 1, None, None, None, None)
    one, other = astragal.Game(Stones()), astragal.Game(Stones())
    with pytest.raises(KeyError):
        astragal.solve(one)[other.start()]


def test_what_is_no_game_is_refused() -> None:
    class Nothing:
        pass

    class NoRange(Stones):
        range = (1.0, -1.0)

    class Half(Stones):
        resolve = property()  # type: ignore[assignment]

    with pytest.raises(ValueError, match="a game needs the methods start, turn, actions, apply"):
        astragal.Game(Nothing())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a game is an object: Stones\(\)"):
        astragal.Game(Stones)
    with pytest.raises(ValueError, match="the smaller first"):
        astragal.Game(NoRange())
    with pytest.raises(ValueError, match="needs the methods outcomes and resolve"):
        astragal.Game(Half())
    class Bare:
        pass

    class NoRepr(Stones):
        def start(self) -> Any:
            return Bare()

    with pytest.raises(ValueError, match="have no __repr__ that tells them apart"):
        astragal.Game(NoRepr())
    with pytest.raises(ValueError, match="no name for a game"):
        astragal.Game(Stones(), name="my game")
    with pytest.raises(ValueError, match="has its name"):
        astragal.Game("pig", name="hog")
    with pytest.raises(ValueError, match="checked by its own tests"):
        astragal.Game("pig").check()
    with pytest.raises(ValueError, match="has no method read_state"):
        astragal.Game(Stones()).position("(4, 'p1', False, 3)")


@pytest.mark.parametrize("spec", ["ewn", "pig", "cant-stop", "kalah", "ra"])
def test_a_batch_is_valued_as_one_by_one(spec: str) -> None:
    def lead(features: npt.NDArray[np.float32]) -> Any:
        # Without a sum, whose order could change the last bit.
        return 50 * np.tanh(features[..., 0] - features[..., 1])

    evaluators = {
        "one": lead,
        "many": astragal.Evaluator(lead, batch=1),
        "more": astragal.Evaluator(lead, batch=2),
    }
    game = astragal.Game(spec, evaluators=evaluators)
    names = ("star2", "expectimax", "uct-h") if game.has_chance else ("alpha-beta", "uct-h")
    for engine in names:
        limits = {"iterations": 200} if engine == "uct-h" else {"depth": 2}
        found = [
            astragal.analyze(game.start(), f"{engine}(eval={name})", seed=3, **limits)  # type: ignore[arg-type]
            for name in evaluators
        ]
        assert {report.value for report in found} == {found[0].value}
        assert {report.best for report in found} == {found[0].best}
        assert found[1].lines == found[0].lines == found[2].lines


def test_a_network_in_batches_is_ten_times_as_fast_a_leaf() -> None:
    game = astragal.Game("ewn")
    inputs = len(game.start().features)
    alone, together = Network(inputs), Network(inputs)
    game = astragal.Game("ewn", evaluators={"one": alone, "many": astragal.Evaluator(together, batch=2)})
    ratios = []
    for seed in range(3):
        seconds = []
        for name in ("one", "many"):
            before = time.perf_counter()
            astragal.analyze(game.start(), f"expectimax(eval={name},table=off)", depth=3, seed=seed)
            seconds.append(time.perf_counter() - before)
        ratios.append(seconds[0] / seconds[1])
    print(f"one by one {alone.calls} calls, together {together.calls}; ratios {ratios}")
    assert max(ratios) >= 10, ratios
    assert alone.calls > 100 * together.calls


def test_what_an_evaluator_is_given() -> None:
    seen: dict[str, Any] = {}

    def see(name: str) -> Any:
        def function(given: Any) -> Any:
            seen[name] = given
            many = name.endswith("many")
            return np.zeros(len(given)) if many else 0.0

        return function

    catalogue = {
        "features": see("features"),
        "text": astragal.Evaluator(see("text"), sees="text"),
        "text-many": astragal.Evaluator(see("text-many"), sees="text", batch=1),
        "features-many": astragal.Evaluator(see("features-many"), batch=1),
    }
    game = astragal.Game("pig", evaluators=catalogue)
    for name in catalogue:
        astragal.analyze(game.position("30-45+12 p1"), f"expectimax(eval={name})", depth=1)
    assert seen["features"].shape == (5,) and seen["features"].dtype == np.float32
    assert seen["features-many"].shape[1] == 5 and len(seen["features-many"]) > 5
    assert game.position(seen["text"]).text == seen["text"]
    assert all(isinstance(text, str) for text in seen["text-many"])
    own = {"state": see("state"), "state-many": astragal.Evaluator(see("state-many"), batch=1)}
    stones = astragal.Game(Stones(), evaluators=own)
    for name in own:
        astragal.analyze(stones.start(), f"expectimax(eval={name})", depth=1)
    assert seen["state"][0] in range(5) and isinstance(seen["state-many"], list)
    # The first evaluator of a game of one's own is the default.
    assert "eval=state" in astragal.Engine("star2").full_spec(stones)


def test_a_bad_evaluator_is_named() -> None:
    def value(result: Any, batch: int = 0) -> astragal.Analysis:
        evaluators = {"mine": astragal.Evaluator(lambda given: result, batch=batch)}
        game = astragal.Game("pig", evaluators=evaluators)
        return astragal.analyze(game.start(), "star2(eval=mine)", depth=2)

    with pytest.raises(ValueError, match=r"evaluation 101 outside the range \[-100, 100\] in "):
        value(101)
    with pytest.raises(ValueError, match="evaluation NaN outside the range"):
        value(float("nan"))
    with pytest.raises(TypeError):
        value("good")
    with pytest.raises(ValueError, match="returned 1 values for"):
        value([0.5], batch=1)
    with pytest.raises(ValueError):
        value(["good"], batch=1)
    with pytest.raises(ZeroDivisionError):
        game = astragal.Game("pig", evaluators={"mine": lambda given: 1 / 0})
        astragal.analyze(game.start(), "mcts(eval=mine,dr=0)", iterations=10)
    for wrong in ({"a b": len}, {"": len}, {"lead": len}):
        with pytest.raises(ValueError, match="name for an evaluator|has an evaluator"):
            astragal.Game("pig", evaluators=wrong)
    with pytest.raises(TypeError, match="is a function"):
        astragal.Game("pig", evaluators={"mine": 3})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="only Python games have states"):
        astragal.Game("pig", evaluators={"mine": astragal.Evaluator(len, sees="state")})


def test_a_store_keeps_nothing_that_it_cannot_know(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match="of the catalogue only"):
        astragal.match(astragal.Game(Stones()), "star2", "random", depth=1, pairs=1, store=tmp_path / "a.db")
    plan = {"game": astragal.Game(Stones()), "kind": "match", "engines": ["star2", "random"], "pairs": 2}
    assert astragal.tournament({**plan, "budget": {"depth": 2}}).matches[0].score.mean >= 0.5


class Careless:
    """One player counts to two in steps of 1 or 2, with one mistake."""

    range = (-1.0, 1.0)

    def __init__(self, mistake: str) -> None:
        self.mistake, self.calls = mistake, 0

    def start(self) -> Any:
        return [0] if self.mistake == "in place" else (0,)

    def turn(self, state: Any) -> Any:
        self.calls += 1
        if self.mistake == "fickle" and self.calls % 2:
            return "p2"
        return 1.0 if state[0] >= 2 and self.mistake != "endless" else "p1"

    def actions(self, state: Any) -> Any:
        return [1, 2]

    def apply(self, state: Any, step: int) -> Any:
        if self.mistake == "none":
            return None
        if self.mistake == "in place":
            state[0] += step
            return state
        return (min(state[0] + step, 2),)


CARELESS = {
    "in place": "contract: apply changed the state that it was given, [0], to [1] for the action 1; it must return",
    "none": "contract: apply returned None; it must return the new state",
    "fickle": "contract: the turn changes between two calls",
    "endless": "contract: none of 3 random games ended within 50 states each, 3 different ones in all, the last",
}


@pytest.mark.parametrize("mistake", CARELESS)
def test_a_careless_game_is_told_what_it_did(mistake: str) -> None:
    with pytest.raises(ValueError) as caught:
        astragal.Game(Careless(mistake)).check(games=3, length=50)
    assert CARELESS[mistake] in str(caught.value)


def test_a_missing_return_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="apply returned None; it must return the new state") as caught:
        astragal.analyze(astragal.Game(Careless("none")).start(), "star2", depth=2)
    assert isinstance(caught.value.__cause__, TypeError)


def test_a_game_without_end_passes_if_its_author_says_so() -> None:
    assert astragal.Game(Careless("endless")).check(games=3, length=50, unfinished=True).finished == 0


def test_leaves_that_nobody_valued_are_counted() -> None:
    game = astragal.Game(Stones())
    blind = astragal.analyze(game.start(), "star2", depth=1)
    assert 0 < blind.unevaluated <= blind.counts["leaves"]
    assert "leaves were not evaluated" in str(blind)
    assert astragal.analyze(game.start(), "uct", iterations=100).unevaluated == 0


class Boundless(Careless):
    """The count has no bound."""

    def actions(self, state: Any) -> Any:
        return [1, 2, 3]

    def apply(self, state: Any, step: int) -> Any:
        return (state[0] + step, step)


def test_a_game_that_grows_without_bound_is_asked_about() -> None:
    game = astragal.Game(Boundless("endless"))
    with pytest.warns(RuntimeWarning, match="number 1 of the state can grow from 0 to"):
        with pytest.raises(ValueError, match="grows on: is it bounded"):
            astragal.solve(game, states=2000)
