# SPDX-License-Identifier: BSD-3-Clause
"""Runs the jobs of both builds in turn and keeps their samples."""
import os
import signal
import subprocess
import sys
import tempfile
import time

from common import sampling

SIDES = ("base", "new")
LONGEST = 120  # seconds of one job
LINES_BYTES = 8192  # more than the drivers map of the file of cache lines
SKIPPED = 77


class Failed(Exception):
    """A job ended with an error, or its output cannot be read."""


def ended(process):
    """Ends a job and what belongs to its session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.communicate(timeout=3)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def environment(job, build):
    """Returns the variables for a job. The variables of tutti in the
    user's shell are left out, because they would change figures."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TUTTI_")}
    return kept | {"OPENBLAS_NUM_THREADS": "1"} | job.variables(build)


def output_of(job, build, lines):
    """Returns what a job prints and the seconds it took, or None if it cannot run here."""
    words = [*sampling.FIRST, *map(str, job.command(build, lines))]
    start = time.monotonic()
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, start_new_session=True,
                          env=environment(job, build)) as process:
        try:
            output, errors = process.communicate(timeout=LONGEST)
        except BaseException as error:
            ended(process)
            if isinstance(error, subprocess.TimeoutExpired):
                raise Failed(f"not done after {LONGEST} s") from error
            raise
    seconds = time.monotonic() - start
    if process.returncode == SKIPPED:
        return None
    if process.returncode != 0:
        raise Failed(f"exit code {process.returncode}: {errors.strip()[-600:]}")
    return output, seconds


class Samples:
    """Keeps the samples of all cells. Those of one sample number stand at the same place in the
    lists of both builds; a sample that is missing is None."""

    def __init__(self, processors):
        self.processors, self.cells = processors, {}

    def add(self, job, side, number, found):
        for name, (value, place) in found.items():
            cell = self.cells.setdefault((job.bench, name), {
                "bench": job.bench, "cell": name, "unit": job.unit, "job": job.name,
                "crowded": job.ranks > self.processors,
                **{f"{side}{what}": [] for side in SIDES for what in ("", "_places")}})
            for kind, one in ((side, value), (f"{side}_places", place)):
                cell[kind] += [None] * (number - len(cell[kind])) + [one]

    def list(self):
        """Returns the cells with lists of equal length."""
        cells = list(self.cells.values())
        longest = max((len(cell[side]) for cell in cells for side in SIDES), default=0)
        for cell in cells:
            for kind in (*SIDES, *(f"{side}_places" for side in SIDES)):
                cell[kind] += [None] * (longest - len(cell[kind]))
        return cells


class Measurement:
    """Takes samples until there are enough or the time is over. Both builds take a job one right
    after the other, and in every second sample in the opposite order. A job that fails is not tried
    again by either."""

    def __init__(self, builds, deadline, processors):
        self.builds, self.deadline, self.processors = builds, deadline, processors
        self.failures, self.skipped, self.seconds = {}, set(), {}

    def run(self, job, side, number, samples, lines):
        lines.truncate(0)
        lines.truncate(LINES_BYTES)
        try:
            found = output_of(job, self.builds[side], lines.name)
            if found is None:
                self.skipped.add((job.bench, job.name))
            else:
                samples.add(job, side, number, job.read(*found))
        except (Failed, KeyError, IndexError, ValueError) as error:
            self.failures[job.bench, job.name, side] = f"{type(error).__name__}: {error}"

    def works(self, job):
        return ((job.bench, job.name) not in self.skipped
                and all((job.bench, job.name, side) not in self.failures for side in SIDES))

    def left(self, jobs, place, rounds_after):
        """Returns the seconds that are left, from how long each job took the last time."""
        known = [self.seconds[job.bench, job.name] for job in jobs
                 if (job.bench, job.name) in self.seconds]
        mean = sum(known) / len(known) if known else 0
        each = [self.seconds.get((job.bench, job.name), mean) if self.works(job) else 0
                for job in jobs]
        return sum(each) * rounds_after + sum(each[place:])

    def take(self, jobs, count, samples):
        """Takes so many samples of each job into `samples`. Returns how many rounds were whole."""
        with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
            for number in range(count):
                for place, job in enumerate(jobs):
                    if time.monotonic() > self.deadline:
                        return number
                    if not self.works(job):
                        continue
                    progress(f"sample {number + 1} of {count}, {job.bench} {job.name}; "
                             f"{self.left(jobs, place, count - number - 1):.0f} s left")
                    start = time.monotonic()
                    for side in SIDES[::-1] if number % 2 else SIDES:
                        self.run(job, side, number, samples, lines)
                    self.seconds[job.bench, job.name] = time.monotonic() - start
        return count


def progress(text):
    """Shows one line that is overwritten on a terminal, and elsewhere a line in ten seconds."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif time.monotonic() - progress.last > 10:
        print(text, file=sys.stderr, flush=True)
        progress.last = time.monotonic()


progress.last = float("-inf")
