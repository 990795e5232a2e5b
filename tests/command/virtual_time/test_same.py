# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program in virtual time several times while the kernel schedules its processes in other
ways: by other priorities, on one processor, and stopped at random. Each time the output of each
rank and the report must be the same bytes. TUTTI_RUNS is the number of runs (6), TUTTI_SEED the
seed (1)."""
import json
import os
import random
import signal
import threading
import time
import unittest
from pathlib import Path

from jobs import Parts, VirtualTimeTest
from processes import send

RUNS = int(os.environ.get("TUTTI_RUNS", "6"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
RANKS = 6
MOST_STOPS = 60


class Stops(threading.Thread):
    """Stops processes of a job at random, and lets them go on."""

    def __init__(self, job, seed):
        super().__init__()
        self.job, self.chance, self.over = job, random.Random(seed), threading.Event()
        self.stops = 0

    def run(self):
        while not self.over.is_set() and self.stops < MOST_STOPS:
            parts = Parts(self.job)
            pids = [pid for pid in parts.pids() if pid != parts.supervisor]
            some = self.chance.sample(pids, self.chance.randint(0, len(pids)))
            send(some, signal.SIGSTOP)
            time.sleep(self.chance.random() * 0.03)
            send(some, signal.SIGCONT)
            self.stops += len(some)
            time.sleep(self.chance.random() * 0.01)

    def end(self):
        self.over.set()
        self.join()


class Same(VirtualTimeTest):

    def seen(self, number):
        """Returns what a run has printed, by rank, and what was reported."""
        chance = random.Random(SEED * 1000 + number)
        one = str(min(os.sched_getaffinity(0)))
        ways = [], ["nice", "-n", str(chance.randint(1, 19))], ["taskset", "-c", one]
        before = ways[number % 3]
        job = self.job(RANKS, "mixed", SEED, 25, before=before, options=("--tag-output", ))
        stops = Stops(job, number)
        if number > 2:
            stops.start()
        try:
            job.wait(60)
        finally:
            if stops.is_alive():
                stops.end()
                self.stops += stops.stops
        self.ended(job)
        lines = [[line for line in job.out.splitlines() if line.startswith(f"[{rank}] ")]
                 for rank in range(RANKS)]
        report = json.dumps(self.report(job)["virtual_time"])
        return {"output": lines, "text": job.err, "report": report,
                "size": Path(job.folder, "out").stat().st_size}

    def test_runs_are_the_same(self):
        self.stops = 0
        first = self.seen(0)
        self.assertTrue(all(first["output"]), "each rank prints something")
        for number in range(1, RUNS):
            with self.subTest(run=number, seed=SEED):
                again = self.seen(number)
                for what, seen in first.items():
                    self.assertEqual(again[what], seen, what)
        print(f"{self.stops} processes were stopped")


if __name__ == "__main__":
    unittest.main()
