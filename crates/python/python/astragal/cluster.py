"""Plans on many machines, with Ray.

    python -m astragal.cluster PLAN.toml --address auto

A plan is a TOML file as `astragal work` takes it: a match, a tournament or experiments. Its shards run as
Ray tasks, and what they find is merged into one store as it comes. Every unit is a pure function of the plan
and its number, and one that is done twice counts once: the results are those of one process, on however many
machines, however often one of them dies, and over however many days. An elimination tournament and
experiments with several stages take several waves: each begins with what the waves before it found.

Ray does not come with the package: `pip install 'astragal[cluster]'`. A worker needs nothing but the package.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import pathlib
import shlex
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

from . import _native
from ._arguments import Progress, path, shown, whole
from ._lab import Path, plan_text, reproduce, tournament
from ._reports import Experiment, TournamentReport

__all__ = ["Run", "run"]

SHARDS_PER_CPU = 4
"""So many shards for each CPU if nobody says how many: little is lost with a worker, and none idles long."""

ATTEMPTS = 10
"""So often a shard is tried whose worker dies each time."""

PAUSE = 0.2
"""Seconds between two looks at what has arrived."""

MOST = 1_000_000
"""The most shards. One of so many holds next to no units: doing it asks whether the others are done."""


@dataclass(frozen=True)
class Run:
    """What a run did, when all is complete."""

    complete: tuple[str, ...]
    """What the store now holds: `match`, `tournament`, or the ids of experiments."""
    added: int
    """Units that were new in the store."""
    different: int
    """Units that the store had with another result, which was kept: only a budget in time makes such."""
    waves: int
    """How often all shards were done; 0 if the store held everything."""
    again: int
    """How often a shard was done again because its worker had died."""
    experiments: tuple[Experiment, ...]
    """What the experiments found, if their reports were written."""


def run(
    plan: Path,
    store: Path | None = None,
    *,
    out: Path | None = None,
    address: str | None = None,
    shards: SupportsIndex | None = None,
    jobs: SupportsIndex = 1,
    progress: Progress = False,
) -> Run:
    """Does all that a plan asks for on the machines of a Ray cluster, and keeps the results in a store.

    The plan is a TOML file, or its text. Without an `address` Ray is started on this machine and stopped
    again; `"auto"` or `"ray://host:10001"` joins a cluster. A process that is connected already stays so.
    Each shard takes `jobs` CPUs. With a folder `out` instead of a store, reports of experiments are written
    there; the store is then `results.db` in it.

    What the store has is not done again. A shard whose worker dies is done again, by another. Ctrl-C keeps
    what has arrived, and the same call goes on. Raises `ValueError` if something is wrong in the plan, and
    `RuntimeError` if a shard cannot be done, or the shards do not complete the plan.

    >>> plan = '''
    ... game = "pig(target=30)"
    ... kind = "elimination"
    ... engines = ["expectimax", "random", "hold-at(n=10)"]
    ... pairs = 20
    ... budget = { depth = 1 }
    ... '''
    >>> done = run(plan, "pig.db", address="auto")  # doctest: +SKIP
    >>> done.complete, done.added, done.waves  # doctest: +SKIP
    (('tournament',), 40, 2)
    """
    ray = _ray()
    text = plan_text(plan)
    threads = whole("jobs", jobs, 1, 4096)
    count = None if shards is None else whole("shards", shards, 1, MOST)
    kind, scale, seed = _native.check_plan(text)
    kept = _store(kind, path(store), path(out))
    with tempfile.TemporaryDirectory(prefix="astragal-") as folder, shown(progress, "shards") as hear:
        driver = _Driver(ray, text, kept, folder, threads, hear)
        complete = driver.look()
        if complete is None:
            with _connected(ray, address):
                suited = _shards(ray, threads)
                count = suited if count is None else count
                while complete is None:
                    before = driver.added
                    driver.wave(count)
                    complete = driver.look()
                    if complete is None and driver.added == before:
                        raise RuntimeError(
                            "the shards were done and the plan is not complete: "
                            "have all workers the same version of astragal?"
                        )
    found: list[Experiment] = []
    if out is not None:
        manner: Any = scale
        found = reproduce(*complete, scale=manner, seed=seed, out=out, jobs=threads)
    return Run(complete, driver.added, driver.different, driver.waves, driver.again, tuple(found))


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise ImportError("astragal.cluster runs on Ray: pip install 'astragal[cluster]'") from None
    return ray


def _store(kind: str, store: str | None, out: str | None) -> str:
    """The file of the store."""
    if (store is None) == (out is None):
        raise ValueError("the results go into a store, or those of experiments into a folder `out`")
    if out is None:
        assert store is not None
        return store
    if kind != "experiments":
        raise ValueError("`out` is for the reports of experiments; a tournament needs a store")
    try:
        os.makedirs(out, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{out}: {error.strerror}") from error
    return os.path.join(out, "results.db")


@contextlib.contextmanager
def _connected(ray: Any, address: str | None) -> Iterator[None]:
    """A connection to Ray: the one that there is, or one that ends with the block."""
    if ray.is_initialized():
        yield
        return
    quiet: dict[str, Any] = {"logging_level": logging.WARNING, "log_to_driver": False}
    if address is None:
        # Without "local", Ray would join whatever cluster it finds on this machine.
        ray.init(address="local", include_dashboard=False, **quiet)
    else:
        ray.init(address=address, **quiet)
    try:
        yield
    finally:
        ray.shutdown()


def _shards(ray: Any, jobs: int) -> int:
    """How many shards suit the cluster, if it can do any."""
    cpus = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    # A cluster that grows on demand may begin with none.
    if 0 < max(cpus, default=0) < jobs:
        raise ValueError(f"jobs is {jobs}, and no machine of the cluster has more than {max(cpus)} CPUs")
    return min(MOST, SHARDS_PER_CPU * max(1, sum(cpus) // jobs))


class _Driver:
    """The process that hands out shards and merges what they found."""

    def __init__(
        self,
        ray: Any,
        plan: str,
        store: str,
        folder: str,
        jobs: int,
        hear: Callable[[int, int, str], object] | None,
    ) -> None:
        self.ray, self.plan, self.store, self.jobs, self.hear = ray, plan, store, jobs, hear
        self.snapshot = os.path.join(folder, "snapshot.db")
        self.arrival = os.path.join(folder, "arrival.db")
        self.added = self.different = self.waves = self.again = 0

    def look(self) -> tuple[str, ...] | None:
        """What is complete, if all is; takes a snapshot of the store for the next wave.

        A unit that the look does by itself is merged like any other.
        """
        _native.merge(self.store, [])
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.snapshot)
        _native.merge(self.snapshot, [self.store])
        states = _native.work(self.plan, 0, MOST, self.snapshot, self.jobs, None)
        self.merge(self.snapshot)
        return tuple(name for name, _ in states) if all(state == "complete" for _, state in states) else None

    def merge(self, store: str) -> None:
        _, added, _, different = _native.merge(self.store, [store])
        self.added += added
        self.different += different

    def take(self, reference: Any) -> None:
        """Merges what a shard found."""
        found = self.ray.get(reference)
        with open(self.arrival, "wb") as file:
            file.write(found)
        self.merge(self.arrival)

    def wave(self, count: int) -> None:
        """Does all shards once."""
        self.waves += 1
        errors = self.ray.exceptions
        # Ray must not repeat a task by itself: it would do so without a word, and only so often.
        task = self.ray.remote(num_cpus=self.jobs, max_retries=0)(_shard)
        with open(self.snapshot, "rb") as file:
            before = self.ray.put(file.read())

        def start(index: int) -> Any:
            return task.remote(self.plan, index, count, before, self.jobs, _native.__version__)

        attempts = [1] * count
        pending: dict[Any, int] = {}
        try:
            pending.update((start(index), index) for index in range(count))
            while pending:
                self.tell(count - len(pending), count)
                ready, _ = self.ray.wait(list(pending), num_returns=len(pending), timeout=PAUSE)
                for reference in ready:
                    index = pending[reference]
                    try:
                        self.take(reference)
                    except errors.RayTaskError as error:
                        # The shard itself failed, and would again.
                        raise getattr(error, "cause", error) from error
                    except (
                        errors.WorkerCrashedError,
                        errors.NodeDiedError,
                        errors.OutOfMemoryError,
                        errors.ObjectLostError,
                    ) as error:
                        if attempts[index] == ATTEMPTS:
                            raise RuntimeError(
                                f"shard {index + 1}/{count}: its worker died {ATTEMPTS} times: {error}"
                            ) from error
                        attempts[index] += 1
                        self.again += 1
                        pending[start(index)] = index
                    del pending[reference]
            self.tell(count, count)
        finally:
            # If any are left, something went wrong: what has arrived is kept, the rest is not waited for.
            self.rescue(list(pending))

    def rescue(self, pending: list[Any]) -> None:
        if not pending:
            return
        ready, rest = self.ray.wait(pending, num_returns=len(pending), timeout=0)
        for reference in rest:
            self.ray.cancel(reference, force=True)
        for reference in ready:
            with contextlib.suppress(self.ray.exceptions.RayError):
                self.take(reference)

    def tell(self, done: int, count: int) -> None:
        if self.hear is not None:
            again = f", {self.again} again" if self.again else ""
            self.hear(done, count, f"wave {self.waves}{again}")


def _shard(plan: str, index: int, count: int, before: bytes, jobs: int, version: str) -> bytes:
    """Does a shard on a worker: takes the store as it was before the wave, gives one with what is new."""
    if version != _native.__version__:
        raise RuntimeError(f"a worker has astragal {_native.__version__}, the driver has {version}")
    with tempfile.TemporaryDirectory(prefix="astragal-") as folder:
        old, new = os.path.join(folder, "before.db"), os.path.join(folder, "shard.db")
        with open(old, "wb") as file:
            file.write(before)
        shutil.copyfile(old, new)
        _native.work(plan, index, count, new, jobs, None)
        # What everybody knows is not sent back. One is a copy of the other, so a job has the same id in both.
        with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as store:
            store.execute("ATTACH ? AS old", [old])
            store.execute("DELETE FROM main.unit WHERE (job, number) IN (SELECT job, number FROM old.unit)")
            store.execute("VACUUM main")
        with open(new, "rb") as file:
            return file.read()


class _Voice:
    """Progress on a line of the terminal, or as lines now and then where there is none."""

    EVERY = 30.0

    def __init__(self) -> None:
        self.wave = ""
        self.began = self.said = time.monotonic()
        self.line = ""
        self.live = sys.stderr.isatty()

    def __call__(self, done: int, of: int, what: str) -> None:
        now, wave = time.monotonic(), what.split(",")[0]
        is_new = wave != self.wave
        if is_new:
            self.wave, self.began = wave, now
        left = f", {_duration((now - self.began) / done * (of - done))} left" if 0 < done < of else ""
        line = f"{what}: {done} of {of} shards{left}"
        if self.live and line != self.line:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        elif not self.live and (is_new or done == of or now - self.said >= self.EVERY):
            self.said = now
            print(line, file=sys.stderr, flush=True)
        self.line = line

    def end(self) -> None:
        if self.live and self.line:
            print(file=sys.stderr)


def _duration(seconds: float) -> str:
    """A time for people.

    >>> _duration(7), _duration(100), _duration(4 * 3600)
    ('7 s', '1:40 min', '4.0 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds) // 60}:{int(seconds) % 60:02} min"
    return f"{seconds / 3600:.1f} h"


def _table(report: TournamentReport) -> str:
    """The ratings of a tournament, the best engine first.

    >>> plan = {"game": "pig(target=30)", "kind": "match", "pairs": 5, "budget": {"depth": 1},
    ...         "engines": ["hold-at(n=20)", "random"]}
    >>> print(_table(tournament(plan)).splitlines()[0])
        Elo           95 %  engine
    """
    columns = report.columns()
    rows = zip(columns["elo"], columns["lo"], columns["hi"], columns["engine"])
    lines = [f"{elo:+7.0f}  {f'{lo:+.0f} to {hi:+.0f}':>13}  {engine}" for elo, lo, hi, engine in rows]
    return "\n".join([f"{'Elo':>7}  {'95 %':>13}  engine", *lines])


def _finish(plan: str, kept: str, jobs: int, done: Run) -> None:
    """Prints what a run found, or says how to see it."""
    again = f", {done.again} shards done again" if done.again else ""
    print(f"{', '.join(done.complete)}: complete; {done.added} units added{again}", file=sys.stderr)
    if done.different:
        print(f"{done.different} units were there with another result, which was kept", file=sys.stderr)
    kind, scale, seed = _native.check_plan(plan)
    if kind == "tournament":
        print(_table(tournament(plan, store=kept, jobs=jobs)))
    elif done.experiments:
        for experiment in done.experiments:
            print(f"{experiment.id}: {experiment.report}")
    else:
        command = f"astragal reproduce {' '.join(done.complete)} --scale {scale} --seed {seed} --out DIR"
        print(f"with {kept} as DIR/results.db, `{command}` writes the reports")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m astragal.cluster`."""
    parser = argparse.ArgumentParser(
        prog="python -m astragal.cluster",
        description="Does a match, a tournament or experiments on a Ray cluster, into a results store.",
        epilog="Started again, it goes on where it stopped, however it was stopped.",
    )
    parser.add_argument("plan", metavar="PLAN", help="the plan, a TOML file as for `astragal work`")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--store", metavar="FILE", help="the store; the plan's name with .db if not given")
    where.add_argument("--out", metavar="DIR", help="write reports here; the store is DIR/results.db")
    parser.add_argument("--address", help="as auto or ray://host:10001; this machine if not given")
    parser.add_argument("--shards", metavar="N", type=int, help=f"{SHARDS_PER_CPU} for each CPU if not given")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="CPUs of a shard; 1 if not given")
    given = parser.parse_args(arguments)
    kept = None if given.out is not None else given.store or os.path.splitext(given.plan)[0] + ".db"
    voice = _Voice()
    try:
        # By its path: a text could be a plan itself.
        plan = plan_text(pathlib.Path(given.plan))
        done = run(
            plan,
            kept,
            out=given.out,
            address=given.address,
            shards=given.shards,
            jobs=given.jobs,
            progress=voice,
        )
        voice.end()
        _finish(plan, kept or os.path.join(given.out, "results.db"), given.jobs, done)
    except KeyboardInterrupt:
        voice.end()
        words = sys.argv[1:] if arguments is None else arguments
        command = shlex.join(["python", "-m", "astragal.cluster", *words])
        print("interrupted; what has arrived is in the store. The same command goes on:", file=sys.stderr)
        print(f"  {command}", file=sys.stderr)
        return 130
    except (ValueError, ImportError, RuntimeError, ConnectionError) as error:
        voice.end()
        print(f"astragal: {error}", file=sys.stderr)
        return 2 if isinstance(error, (ValueError, ImportError)) else 1
    return 0


if __name__ == "__main__":
    # By its name: workers then import the module, and need not be sent its source.
    from astragal.cluster import main as by_name

    sys.exit(by_name())
