# SPDX-License-Identifier: BSD-3-Clause
"""Lets each allocation of a process of a job fail in turn, by the library of allocations.cpp.

    allocations.py sample    a few of every kind, for make test
    allocations.py whole     every allocation once, 1500 others by seed, and for good from some on

A job must end with the right result, or with a sentence and an exit code that is not 0. None may
crash, hang, or leave a process behind. TUTTI_SEED repeats a run.
"""
import collections
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "command"))
from processes import Mark  # noqa: E402

# LD_PRELOAD has no way to name a path with spaces, as that of the build may be.
FOLDER = tempfile.TemporaryDirectory(prefix="tutti-allocations-")
LIBRARY = os.path.join(FOLDER.name, "allocations.so")
os.symlink(os.environ["ALLOCATIONS_LIBRARY"], LIBRARY)
TUTTI = os.environ["ALLOCATIONS_TUTTI"]
PROGRAMS = dict(pair.split("=", 1) for pair in os.environ["ALLOCATIONS_PROGRAMS"].split(","))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("ALLOCATIONS_", "TUTTI_", "OMPI_", "PMI", "PMIX_"))
}
OTHERS = 110  # allocations of each job of which not each fails; 1500 together
PATIENCE = 30  # seconds after which a job hangs

Kind = collections.namedtuple("Kind", "program arguments ranks place options")


def kinds():
    """Returns the jobs, and the process of each whose allocations fail."""
    for program in PROGRAMS:
        ranks = 1 if program == "pvm" else 2
        # Rank 1 of the PVM job is the first task that rank 0 spawns.
        for place in ("0", "1"):
            yield Kind(program, [], ranks, place, [])
    yield Kind("calls", ["statuses"], 2, "0", [])
    yield Kind("calls", [], 2, "command", [])
    yield Kind("calls", [], 2, "supervisor", [])
    yield Kind("calls", [], 2, "supervisor", ["--tag-output", "--timeout", "60"])
    yield Kind("pvm", [], 1, "supervisor", [])


def name_of(kind):
    words = [kind.program, *kind.arguments, *kind.options]
    return f"{' '.join(words)}, {'rank ' if kind.place.isdigit() else ''}{kind.place}"


def left_behind(mark):
    """Ends the processes that a job has left, and returns how many there were."""
    mark.gone_within(5)
    found = len(mark.pids())
    mark.kill_all()
    return found


class Job:
    """Runs a job in which the allocations of `fail` fail, and says how it has ended."""
    def __init__(self, kind, fail, shared):
        self.kind, self.fail = kind, fail
        shared.seek(0)
        shared.write(bytes(16))
        shared.flush()
        mark = Mark()
        variables = {
            **mark.variables(),
            "LD_PRELOAD": LIBRARY,
            "ALLOCATIONS_IN": kind.place,
            "ALLOCATIONS_FILE": shared.name,
            "ALLOCATIONS_FAIL": fail
        }
        self.command = [
            TUTTI, "run", *kind.options, "-n",
            str(kind.ranks), PROGRAMS[kind.program], *kind.arguments
        ]
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            started = subprocess.Popen(self.command,
                                       env={
                                           **CLEAN,
                                           **variables
                                       },
                                       stdin=subprocess.DEVNULL,
                                       stdout=out,
                                       stderr=err)
            try:
                self.code = started.wait(PATIENCE)
                self.hung = False
            except subprocess.TimeoutExpired:
                self.hung = True
                started.kill()
                self.code = started.wait()
            self.left = left_behind(mark)
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read(), err.read()
        shared.seek(0)
        self.counted, _ = struct.unpack("qq", shared.read(16))

    def complaint(self):
        """Returns what is wrong with the way in which the job has ended; None if nothing is."""
        if self.hung:
            return "hang"
        if self.left:
            return f"{self.left} processes left"
        if re.search(r"terminate called|WRONG RESULT|signal (4|6|7|8|11)\b", self.err):
            return "crash or wrong result"
        if self.code < 0 or self.code in (128 + 6, 128 + 11):
            return f"code {self.code}"
        if self.code != 0 and self.err.strip() == "":
            return f"code {self.code} without a sentence"
        if self.kind.arguments == ["statuses"] and self.code not in (0, 3):
            return "no status"
        if self.code != 0 and "memory" not in self.err and "error -10" not in self.err:
            return "a sentence that does not say that memory is short"
        return None

    def told(self):
        return (f"ALLOCATIONS_FAIL={self.fail} ALLOCATIONS_IN={self.kind.place} "
                f"{' '.join(self.command)}\n    code {self.code}: "
                f"{self.err.strip()[:600]}")


class Matrix:
    """Runs jobs and counts what has become of them."""
    def __init__(self):
        self.shared = tempfile.NamedTemporaryFile()
        self.wrong = []
        self.jobs = 0

    def run(self, kind, fails):
        begin = time.monotonic()
        unharmed = refused = wrong = 0
        for fail in fails:
            job = Job(kind, fail, self.shared)
            complaint = job.complaint()
            if complaint:
                wrong += 1
                self.wrong.append(complaint)
                print(f"{complaint}: {job.told()}", flush=True)
            elif job.code == 0:
                unharmed += 1
            else:
                refused += 1
        self.jobs += len(fails)
        print(f"{name_of(kind):46} {len(fails):6} {unharmed:6} {refused:8} {wrong:6} "
              f"{time.monotonic() - begin:6.1f}", flush=True)

    def count(self, kind):
        job = Job(kind, "0", self.shared)
        if job.code != 0 or job.counted == 0:
            sys.exit(f"{name_of(kind)}: {job.counted} allocations are counted: {job.told()}")
        return job.counted


def in_turn(kind):
    """Returns true for the jobs of which each allocation fails once."""
    return kind.program == "calls" and kind.place in ("1", "supervisor") and not kind.options


def fails_of(kind, count, chance, whole):
    """Returns which allocations fail: some or each of them once, and for good from some on."""
    once = range(1, count + 1)
    if not in_turn(kind) or not whole:
        once = sorted(chance.sample(once, min(count, OTHERS if whole else 2)))
    for_good = {chance.randint(1, count)}
    if whole:
        for_good |= {1, 2, count // 2, count, *(chance.randint(1, count) for _ in range(40))} - {0}
    return [str(n) for n in once] + [f"{n}-" for n in sorted(for_good)]


def main():
    whole = sys.argv[1] == "whole"
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    chance = random.Random(SEED)
    matrix = Matrix()
    print(f"{'process':46} {'jobs':>6} {'right':>6} {'refused':>8} {'wrong':>6} {'s':>6}")
    for kind in kinds():
        if wanted in name_of(kind):
            matrix.run(kind, fails_of(kind, matrix.count(kind), chance, whole))
    print(f"{matrix.jobs} jobs, {len(matrix.wrong)} wrong; TUTTI_SEED={SEED}")
    if matrix.wrong:
        sys.exit(1)


main()
