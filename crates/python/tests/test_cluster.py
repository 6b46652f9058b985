"""Plans on Ray: the results of one process, whatever happens to the workers and the driver."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import astragal
from astragal import _native, cluster

ray = pytest.importorskip("ray")
psutil = pytest.importorskip("psutil")

Alone: TypeAlias = "tuple[Path, astragal.TournamentReport]"
Row: TypeAlias = "tuple[str, str, int, str]"

LONGEST = 300.0
"""When a test gives up waiting, in seconds."""

ROUND_ROBIN = """
game = "ewn"
kind = "round-robin"
engines = ["star2ss(width=2)", "mcts", "random"]
pairs = 200
seed = 1
budget = { nodes = 1000 }
"""

ELIMINATION = """
game = "pig"
kind = "elimination"
engines = ["star2ss(width=2)", "mcts", "random", "expectimax", "hold-at(n=20)"]
pairs = 40
seed = 1
budget = { nodes = 300 }
"""

MATCH = """
game = "pig(target=40)"
kind = "match"
engines = ["hold-at(n=20)", "random"]
pairs = 50
budget = { depth = 1 }
"""

EXPERIMENTS = """
experiments = ["lecture-order", "mcms-star1-example"]
seed = "3"
"""

LONG = pytest.mark.skipif(os.environ.get("ASTRAGAL_LONG") != "1", reason="takes minutes: ASTRAGAL_LONG=1")


@pytest.fixture(scope="module")
def workers() -> Iterator[None]:
    """Two workers on this machine."""
    ray.init(
        address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR
    )
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    """The store and the report of the round robin in one process."""
    store = tmp_path_factory.mktemp("alone") / "store.db"
    return store, astragal.tournament(ROUND_ROBIN, store=store, jobs=2)


def rows(store: Path) -> list[Row]:
    """All results of a store, in one order."""
    query = "SELECT kind, text, number, result FROM unit JOIN job ON job.id = unit.job"
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return sorted(file.execute(query))


def files(folder: Path) -> dict[str, bytes]:
    """All reports in a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "results.db")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def busy() -> list[Any]:
    """The processes on this machine, below this one, that do a shard: Ray names them after it."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if process.cmdline()[:1] == ["ray::_shard"]:
                found.append(process)
    return found


class Killer(threading.Thread):
    """Kills workers at random moments."""

    def __init__(self, kills: int, longest: float) -> None:
        super().__init__(daemon=True)
        self.left, self.longest, self.over = kills, longest, threading.Event()

    def run(self) -> None:
        dice = random.Random(1)
        while self.left and not self.over.wait(dice.uniform(0, self.longest)):
            if victims := busy():
                dice.choice(victims).kill()
                self.left -= 1

    def __enter__(self) -> Killer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.join()


def command(plan: Path, *words: object) -> list[str]:
    return [sys.executable, "-m", "astragal.cluster", str(plan), *map(str, words)]


def begun(process: subprocess.Popen[str], store: Path) -> None:
    """Waits until a store has results. Ray starts slowly on a busy machine."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(sqlite3.Error, AssertionError):
            if rows(store):
                return
        time.sleep(0.05)
    pytest.fail("nothing was done")


def test_two_workers_give_the_results_of_one_process(workers: None, alone: Alone, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    heard: list[tuple[int, int, str]] = []
    done = cluster.run(ROUND_ROBIN, store, progress=lambda *news: heard.append(news))
    assert (done.complete, done.added, done.different) == (("tournament",), 600, 0)
    assert (done.waves, done.again, done.experiments) == (1, 0, ())
    assert heard[0] == (0, 8, "wave 1") and heard[-1] == (8, 8, "wave 1")
    assert rows(store) == rows(alone[0])
    assert astragal.tournament(ROUND_ROBIN, store=store).to_dict() == alone[1].to_dict()
    # What is complete is not done again.
    done = cluster.run(ROUND_ROBIN, store)
    assert (done.complete, done.added, done.waves) == (("tournament",), 0, 0)


def test_each_round_of_an_elimination_is_a_wave(workers: None, tmp_path: Path) -> None:
    alone = astragal.tournament(ELIMINATION, store=tmp_path / "alone.db", jobs=2)
    done = cluster.run(ELIMINATION, tmp_path / "store.db", shards=3, jobs=2)
    assert (done.complete, done.added, done.waves) == (("tournament",), 160, 3)
    assert rows(tmp_path / "store.db") == rows(tmp_path / "alone.db")
    assert astragal.tournament(ELIMINATION, store=tmp_path / "store.db").to_dict() == alone.to_dict()


def test_a_store_with_other_results_is_added_to(workers: None, alone: Alone, tmp_path: Path) -> None:
    plan, store = tmp_path / "match.toml", tmp_path / "store.db"
    plan.write_text(MATCH)
    astragal.merge(store, alone[0])
    done = cluster.run(plan, store, shards=2)
    assert (done.complete, done.added, done.waves) == (("match",), 50, 1)
    astragal.tournament(MATCH, store=tmp_path / "alone.db")
    assert rows(store) == sorted(rows(alone[0]) + rows(tmp_path / "alone.db"))


def test_a_shard_sends_what_is_new(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    astragal.merge(store)
    empty = store.read_bytes()
    for index, units in enumerate((17, 17, 16)):
        assert len(sent(index, empty, tmp_path)) == units
    # A unit that was known is not sent.
    assert _native.work(MATCH, 0, 2, str(store), 1, None) == [("match", "waits")]
    before = store.read_bytes()
    parts = [sent(index, before, tmp_path) for index in range(3)]
    assert [len(part) for part in parts] != [17, 17, 16]
    assert sum(map(len, parts)) == 25
    assert not set(rows(store)) & {row for part in parts for row in part}


def sent(index: int, before: bytes, folder: Path) -> list[Row]:
    part = folder / "part.db"
    part.write_bytes(cluster._shard(MATCH, index, 3, before, 1, astragal.__version__))
    return rows(part)


def test_reports_of_experiments_are_those_of_one_process(workers: None, tmp_path: Path) -> None:
    ids = ("lecture-order", "mcms-star1-example")
    found = astragal.reproduce(*ids, seed=3, out=tmp_path / "alone", jobs=2)
    done = cluster.run(EXPERIMENTS, out=tmp_path / "out", shards=4)
    assert sorted(done.complete) == sorted(ids) and done.waves >= 1
    assert [one.findings for one in done.experiments] == [one.findings for one in found]
    assert len(files(tmp_path / "out")) > 2
    assert files(tmp_path / "out") == files(tmp_path / "alone")
    assert rows(tmp_path / "out" / "results.db") == rows(tmp_path / "alone" / "results.db")


def test_shards_of_killed_workers_are_done_again(workers: None, alone: Alone, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    with Killer(3, 0.4) as killer:
        done = cluster.run(ROUND_ROBIN, store, shards=12)
    assert killer.left == 0 and 1 <= done.again <= 3
    assert (done.added, done.different, done.waves) == (600, 0, 1)
    assert rows(store) == rows(alone[0])
    assert astragal.tournament(ROUND_ROBIN, store=store).to_dict() == alone[1].to_dict()


def test_a_killed_driver_goes_on(alone: Alone, tmp_path: Path) -> None:
    plan, store = tmp_path / "plan.toml", tmp_path / "plan.db"
    plan.write_text(ROUND_ROBIN)
    with subprocess.Popen(command(plan, "--shards", 24), stderr=subprocess.PIPE, text=True) as driver:
        begun(driver, store)
        driver.kill()
    kept = rows(store)
    assert 0 < len(kept) < 600
    again = subprocess.run(command(plan), capture_output=True, text=True, timeout=LONGEST, check=True)
    assert f"tournament: complete; {600 - len(kept)} units added" in again.stderr
    assert again.stdout.splitlines()[-1].endswith("  random")
    assert rows(store) == rows(alone[0])


def test_an_interrupt_leaves_a_store_that_goes_on(alone: Alone, tmp_path: Path) -> None:
    plan, store = tmp_path / "plan.toml", tmp_path / "kept.db"
    plan.write_text(ROUND_ROBIN)
    words = command(plan, "--store", store, "--shards", 24)
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as driver:
        begun(driver, store)
        driver.send_signal(signal.SIGINT)
        _, said = driver.communicate(timeout=LONGEST)
    assert driver.returncode == 130
    assert "interrupted" in said and f"python -m astragal.cluster {plan} --store {store}" in said
    assert "Traceback" not in said
    kept = rows(store)
    assert 0 < len(kept) < 600 and set(kept) < set(rows(alone[0]))
    assert astragal.tournament(ROUND_ROBIN, store=store).to_dict() == alone[1].to_dict()


def test_what_a_shard_raises_is_raised(
    workers: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_native, "__version__", "0.0.0")
    with pytest.raises(RuntimeError, match=r"a worker has astragal .*, the driver has 0\.0\.0") as raised:
        cluster.run(MATCH, tmp_path / "store.db", shards=2)
    assert not isinstance(raised.value, ray.exceptions.RayError)


def test_a_shard_that_always_kills_its_worker_is_given_up(
    workers: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "ATTEMPTS", 2)
    monkeypatch.setattr(cluster, "_shard", lambda *_: os._exit(1))
    with pytest.raises(RuntimeError, match="shard 1/1: its worker died 2 times"):
        cluster.run(MATCH, tmp_path / "store.db", shards=1)


def test_shards_that_do_nothing_are_not_repeated_for_ever(
    workers: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_shard", lambda plan, index, count, before, *_: before)
    with pytest.raises(RuntimeError, match="the plan is not complete"):
        cluster.run(MATCH, tmp_path / "store.db", shards=2)


def test_more_jobs_than_a_machine_has_are_refused(workers: None, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no machine of the cluster has more than 2 CPUs"):
        cluster.run(MATCH, tmp_path / "store.db", jobs=3)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (MATCH.replace("pig(", "pigs("), "unknown game 'pigs'"),
        ("experiments = ['mcms-fig']", "did you mean mcms-fig2"),
        ("experiments = ['mcms']\nscale = 'huge'", "unknown variant `huge`"),
        ("no-such-plan.toml", "no-such-plan.toml: No such file"),
    ],
)
def test_a_bad_plan_is_refused_with_the_words_of_the_command(plan: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=words):
        cluster.run(plan, tmp_path / "store.db")
    assert not (tmp_path / "store.db").exists()


def test_bad_arguments_are_refused(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    refused: list[tuple[dict[str, Any], str]] = [
        ({}, "a store, or those of experiments into a folder"),
        ({"store": store, "out": tmp_path}, "a store, or those of experiments into a folder"),
        ({"out": tmp_path / "out"}, "a tournament needs a store"),
        ({"store": store, "shards": 0}, "shards is 1 to 1000000, not 0"),
        ({"store": store, "jobs": 0}, "jobs is 1 to 4096, not 0"),
    ]
    for given, words in refused:
        with pytest.raises(ValueError, match=words):
            cluster.run(MATCH, **given)
    store.write_text("this is no store, whatever its name says")
    with pytest.raises(ValueError, match="store.db"):
        cluster.run(MATCH, store)
    assert cluster.main([str(tmp_path / "none.toml")]) == 2


def test_without_ray_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'astragal\[cluster\]'"):
        cluster.run(MATCH, tmp_path / "store.db")


def test_ray_is_imported_only_when_it_is_needed() -> None:
    code = "import sys, astragal.cluster; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@LONG
def test_a_lost_machine_is_done_without(alone: Alone, tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster

    ray.shutdown()
    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        second = machines.add_node(num_cpus=1)

        def lose(done: int, of: int, what: str) -> None:
            if done and machines.worker_nodes:
                machines.remove_node(second, allow_graceful=False)

        done = cluster.run(ROUND_ROBIN, tmp_path / "store.db", address=machines.address, progress=lose)
        assert not ray.is_initialized()
    finally:
        machines.shutdown()
    assert (done.added, done.different) == (600, 0) and done.again >= 1
    assert rows(tmp_path / "store.db") == rows(alone[0])


@LONG
def test_figure_2_survives_five_kills(tmp_path: Path) -> None:
    began = time.monotonic()
    astragal.reproduce("mcms-fig2", out=tmp_path / "alone", jobs=2)
    halfway = time.monotonic()
    ray.shutdown()
    with Killer(5, 60) as killer:
        done = cluster.run("experiments = ['mcms-fig2']", out=tmp_path / "out", shards=16)
    took = time.monotonic() - halfway
    print(f"one process {halfway - began:.0f} s, with kills {took:.0f} s, {done.again} again")
    assert killer.left == 0 and 1 <= done.again <= 5 and done.different == 0
    assert files(tmp_path / "out") == files(tmp_path / "alone")
    assert rows(tmp_path / "out" / "results.db") == rows(tmp_path / "alone" / "results.db")
