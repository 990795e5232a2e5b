#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""faults.py FLAVOUR ENDLESS PLAIN TUTTI: faults of jobs that run on two hosts. TUTTI_FAULTS is how
many (20), TUTTI_SEED the seed (1), TUTTI_PROMPT the bound in seconds (15). A rank, two ranks at
once, a whole host, the MPI's daemon of a host or its launcher is killed, also while a rank is
stopped and while the job begins, or the link goes down and comes up. After a kill the job must end
with the code and the sentence of the launcher for this kind of fault (endings.py) and leave nothing
on either host. Each rank that was killed must be named if it had joined, and tutti may say nothing
else. After a short break of the link the job must go on, with right results.

Where the job hangs or does not survive the link, the same fault hits a program of MPI alone, some
times. It is counted as the MPI's if that one leaves the same kinds of processes, or ends with the
same code and a sentence of the MPI's on the link. The exit code is 77 (skipped) where namespaces
are not allowed."""
import os
import random
import signal
import statistics
import sys
import time

sys.dont_write_bytecode = True
from two_hosts import Job, TwoHosts, run_isolated  # noqa: E402
from endings import blames_link, kinds_left, problem_of  # noqa: E402
from processes import send  # noqa: E402

FAULTS = int(os.environ.get("TUTTI_FAULTS", "20"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
PLACES = ([1, 1], [2, 1], [1, 2], [2, 2])
# Seconds of a Stopwatch for the launcher, and again for the processes that it leaves.
BOUND = float(os.environ.get("TUTTI_PROMPT", "15"))
TRIES_OF_PLAIN = 3
DAEMONS = ("orted", "hydra_pmi_proxy")


class Fault:
    """One fault by a seed, which may hit several jobs in turn."""

    KINDS = ("rank", "rank", "signal", "two ranks", "beside a stopped rank", "host", "daemon",
             "launcher", "start", "link")

    def __init__(self, seed):
        chance = random.Random(seed)
        self.seed = seed
        self.kind = chance.choice(self.KINDS)
        self.places = chance.choice(PLACES)
        self.host = chance.randrange(2)
        self.delay = chance.random() * 0.3
        other = chance.choice((signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM))
        self.number = other if self.kind == "signal" else signal.SIGKILL
        self.picks = [chance.random() for _ in range(2)]
        self.down = 0.2 + chance.random() * 1.5
        self.killed = []  # ranks that a signal has hit

    def begin(self):
        """Forgets the job before, because a fault hits several."""
        self.killed = []

    def is_short(self):
        return self.kind == "link"

    def hit(self, hosts, job):
        """Returns False if the job has not begun."""
        if self.kind == "start":
            time.sleep(self.delay * 5)
            victims = job.ranks(self.host)
            if victims:
                self.kill([victims[int(self.picks[0] * len(victims))].pid])
            else:
                send([job.process.pid])
            return True
        if not job.wait_for_begin(sum(self.places)):
            return False
        time.sleep(self.delay)
        {
            "rank": self.one_rank,
            "signal": self.one_rank,
            "two ranks": self.two_ranks,
            "beside a stopped rank": self.beside_a_stopped_rank,
            "host": lambda *_: send([one.pid for one in hosts.processes(self.host)]),
            "daemon": lambda *_: send(
                [one.pid for one in hosts.processes(self.host) if one.name in DAEMONS]),
            "launcher": lambda *_: send([job.process.pid]),
            "link": self.break_link
        }[self.kind](hosts, job)
        return True

    def one_rank(self, _, job):
        victims = job.ranks(self.host)
        self.kill([victims[int(self.picks[0] * len(victims))].pid])

    def two_ranks(self, _, job):
        self.kill([job.ranks(host)[0].pid for host in (0, 1)])

    def beside_a_stopped_rank(self, _, job):
        send([job.ranks(1 - self.host)[0].pid], signal.SIGSTOP)
        self.kill([job.ranks(self.host)[0].pid])

    def kill(self, pids):
        self.killed = pids
        send(pids, self.number)

    def break_link(self, hosts, _):
        hosts.set_link(False)
        time.sleep(self.down)
        hosts.set_link(True)


class Counts:
    def __init__(self):
        self.times, self.problems = {}, []
        self.of_mpi = 0

    def show(self):
        for kind, times in sorted(self.times.items()):
            print(f"{kind:22} {len(times):4} faults, median {statistics.median(times):6.2f} s, "
                  f"longest {max(times):6.2f} s")
        faults = sum(map(len, self.times.values()))
        print(f"{faults} faults from seed {SEED}: "
              f"{len(self.problems)} problems of tutti, {self.of_mpi} of the MPI")


def run_once(hosts, flavour, program, fault):
    """Returns what is left after the fault, the exit code, the text, and the seconds."""
    fault.begin()
    job = Job(hosts, flavour, fault.places, [program, "3" if fault.is_short() else "0"], {})
    try:
        begun = fault.hit(hosts, job)
        hit_at = time.monotonic()
        left = job.wait(BOUND) if begun else ["a job that does not begin"]
        return left, job.process.poll(), job.text(), time.monotonic() - hit_at
    finally:
        job.clean_up()


def is_the_mpis(hosts, flavour, programs, fault, left, code, text):
    """Returns what the MPI alone does after this fault if that is the same; None if it is not."""
    for _ in range(TRIES_OF_PLAIN):
        plain_left, plain_code, plain_text, _ = run_once(hosts, flavour, programs[1], fault)
        if left and kinds_left(left, programs[0]) == kinds_left(plain_left, programs[1]):
            return f"it leaves {plain_left}"
        same = not left and not plain_left and code == plain_code
        if same and blames_link(flavour, text) and blames_link(flavour, plain_text):
            return f"its code is {plain_code}"
    return None


def try_fault(hosts, flavour, programs, fault, counts):
    left, code, text, seconds = run_once(hosts, flavour, programs[0], fault)
    counts.times.setdefault(fault.kind, []).append(seconds)
    problem = f"a hang: {left}" if left else problem_of(flavour, fault, code, text)
    if problem is None:
        return
    if left or (fault.kind == "link" and code != 0 and "WRONG" not in text):
        like = is_the_mpis(hosts, flavour, programs, fault, left, code, text)
        if like is not None:
            counts.of_mpi += 1
            print(f"seed {fault.seed}, {fault.kind}, {fault.places}: {problem}; the MPI alone, "
                  f"too: {like}", flush=True)
            return
    counts.problems.append(problem)
    print(f"FAILED seed {fault.seed}, {fault.kind}, {fault.places}, host {fault.host}, "
          f"code {code}: {problem}\n{text[-3000:]}", flush=True)


def main():
    flavour, *programs = sys.argv[1:]
    counts = Counts()
    with TwoHosts() as hosts:
        for number in range(FAULTS):
            try_fault(hosts, flavour, programs, Fault(SEED + number), counts)
    counts.show()
    return counts.problems != []


if __name__ == "__main__":
    sys.exit(run_isolated(sys.argv[1], main))
