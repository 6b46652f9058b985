"""Plans on many machines, with Ray.

    python -m astragal.cluster PLAN.toml --address auto

A plan is a TOML file, as for `astragal work`: a match, a tournament or experiments. Its shards run as Ray
tasks, and their results are merged into one store as they arrive. Every unit is a pure function of the plan and
its number, and a unit that is computed twice counts once, so the results equal those of one process, regardless
of the number of machines, failures and restarts. An elimination tournament and experiments with several stages
take several waves, each of which starts from the results of the previous ones.

Ray is not a dependency of the package: `pip install 'astragal[cluster]'` adds it. A worker needs only the
package.
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
from ._arguments import path, whole
from ._lab import Path, plan_text, reproduce, tournament
from ._progress import Progress, shown
from ._reports import Experiment, TournamentReport

__all__ = ["Run", "run"]

SHARDS_PER_CPU = 4
"""Default number of shards for each CPU: little is lost with a worker, and none idles for long."""

ATTEMPTS = 10
"""How often a shard is tried if its worker dies each time."""

PAUSE = 0.2
"""Seconds between two checks for arrived results."""

MOST = 1_000_000
"""The maximum number of shards. One of so many has almost no units, so running it checks for completion."""


@dataclass(frozen=True)
class Run:
    """The outcome of a completed run."""

    complete: tuple[str, ...]
    """The complete items in the store: `match`, `tournament`, or the ids of experiments."""
    added: int
    """Units that were new in the store."""
    different: int
    """Units with a different result in the store, which was kept: this happens only with a budget in time."""
    waves: int
    """How often all shards were run; 0 if the store was already complete."""
    again: int
    """How often a shard was run again because its worker had died."""
    experiments: tuple[Experiment, ...]
    """The results of the experiments, if their reports were written."""


def run(
    plan: Path,
    store: Path | None = None,
    *,
    out: Path | None = None,
    address: str | None = None,
    shards: SupportsIndex | None = None,
    jobs: SupportsIndex = 1,
    progress: Progress = None,
) -> Run:
    """Runs a plan on the machines of a Ray cluster, and keeps the results in a store.

    The plan is a TOML file, or its text. Without an `address`, Ray is started on this machine and stopped
    afterwards; `"auto"` or `"ray://host:10001"` joins a cluster. An existing connection is used and kept. Each
    shard takes `jobs` CPUs. With a folder `out` instead of a store, reports of experiments are written there; the
    store is then `results.db` in it.

    Units in the store are not run again. A shard whose worker dies is run again by another. Ctrl-C keeps the
    results that have arrived, and the same call resumes. Raises `ValueError` if the plan is invalid, and
    `RuntimeError` if a shard fails, or if the shards do not complete the plan.

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
    with tempfile.TemporaryDirectory(prefix="astragal-") as folder, shown(progress, "cluster", "shards") as hear:
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
    """Returns the file of the store."""
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
    """Connects to Ray: uses an existing connection, or opens one that ends with the block."""
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
    """Returns a suitable number of shards for the cluster; checks that it can run one."""
    cpus = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    # An autoscaling cluster may start without any CPU.
    if 0 < max(cpus, default=0) < jobs:
        raise ValueError(f"jobs is {jobs}, and no machine of the cluster has more than {max(cpus)} CPUs")
    return min(MOST, SHARDS_PER_CPU * max(1, sum(cpus) // jobs))


class _Driver:
    """The process that distributes shards and merges their results."""

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
        """Returns the complete items if all are; takes a snapshot of the store for the next wave.

        A unit that this check itself computes is merged like any other.
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
        """Merges the results of a shard."""
        found = self.ray.get(reference)
        with open(self.arrival, "wb") as file:
            file.write(found)
        self.merge(self.arrival)

    def wave(self, count: int) -> None:
        """Runs all shards once."""
        self.waves += 1
        errors = self.ray.exceptions
        # Ray must not retry a task by itself: it would do so silently, and only a limited number of times.
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
                        # The shard itself failed, and would fail again.
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
            # If any are left, something failed: results that have arrived are kept, and the rest is not awaited.
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
    """Runs a shard on a worker: takes the store from before the wave, and returns one with the new results."""
    if version != _native.__version__:
        raise RuntimeError(f"a worker has astragal {_native.__version__}, the driver has {version}")
    with tempfile.TemporaryDirectory(prefix="astragal-") as folder:
        old, new = os.path.join(folder, "before.db"), os.path.join(folder, "shard.db")
        with open(old, "wb") as file:
            file.write(before)
        shutil.copyfile(old, new)
        _native.work(plan, index, count, new, jobs, None)
        # Units known before are not sent back. One store is a copy of the other, so job ids agree.
        with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as store:
            store.execute("ATTACH ? AS old", [old])
            store.execute("DELETE FROM main.unit WHERE (job, number) IN (SELECT job, number FROM old.unit)")
            store.execute("VACUUM main")
        with open(new, "rb") as file:
            return file.read()


class _Voice:
    """Progress on one line of the terminal, or as occasional lines if there is no terminal."""

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
    """A human-readable duration.

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
    """Prints the results of a run, or how to view them."""
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
        # As a path: a string could be the plan itself.
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
    # Imported by name, so that workers import the module and its source need not be sent to them.
    from astragal.cluster import main as by_name

    sys.exit(by_name())
