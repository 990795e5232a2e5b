# SPDX-License-Identifier: BSD-3-Clause
"""Kills processes of jobs in harder ways than test_random_kills.py: two ranks at once, two while
the supervisor is held, one of a job with a stopped rank, while the job starts, and while its ranks
leave it, by every interface. TUTTI_KILLS is the number of kills (30), TUTTI_SEED the seed (1). No
job may hang or leave anything. The report names every rank that is dead when it is made: a held
supervisor makes it after both deaths, so it must name both. If two are killed at once, one may be
alive when the supervisor sees the other's end, so the report must name one. The medians of the
times to the end are printed for quiet jobs and for those with a stopped rank, which is only ended
by SIGKILL."""
import contextlib
import os
import random
import re
import signal
import statistics
import subprocess
import time
import unittest

from harness import TUTTI, LauncherTest
from held import Held
from processes import none_within, parent_of, rank_of, send, state_of

PROMPT = float(os.environ.get("TUTTI_PROMPT", "2"))
KILLS = int(os.environ.get("TUTTI_KILLS", "30"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
RANKS = 4
# Programs by interface.
INTERFACES = ("tutti", "bsp", "blacs", "nx", "icc", "pvm")
KINDS = ("one", "two at once", "two unseen", "a stopped rank", "at the start", "at the end")


def program(name):
    return os.path.join(os.environ["TUTTI_ENDLESS"], f"tools_endless_{name}")


class HardKills(LauncherTest):
    def command(self, chance, kind):
        """Returns the interface and the words of a job."""
        name = "tutti" if kind == "at the end" else chance.choice(INTERFACES)
        if name == "pvm" and kind == "two unseen":  # its jobs outlive tasks
            name = "tutti"
        if name == "pvm":  # its first task starts the others
            return name, [program(name)]
        turns = [str(chance.randrange(1, 4000))] if kind == "at the end" else []
        return name, [TUTTI, "run", "-n", str(RANKS), program(name), *turns]

    def ranks_of(self, job, name):
        """Returns the processes that a kill may hit: the ranks, or the tasks of PVM. The first task
        of PVM has started the others and stands for the job."""
        found = {pid: rank_of(pid) for pid in job.mark.pids()}
        if name == "pvm":
            return sorted(found)
        return sorted(pid for pid, rank in found.items() if rank is not None)

    def wait_for_ranks(self, job, name):
        end = time.monotonic() + 20
        while len(self.ranks_of(job, name)) < RANKS and time.monotonic() < end:
            if job.process.poll() is not None:
                return
            time.sleep(0.002)

    def hit(self, chance, kind, name, job):
        """Kills, and returns the victims. A job of PVM outlives its tasks, so its first one is hit,
        too, and all others end with it."""
        if kind == "at the start":
            time.sleep(chance.random() * 0.03)
        elif kind == "at the end":
            time.sleep(chance.random() * 0.1)
        else:
            self.wait_for_ranks(job, name)
            time.sleep(chance.random() * 0.02)
        ranks = self.ranks_of(job, name) or [job.process.pid]
        victims = [chance.choice(ranks)]
        others = [pid for pid in ranks if pid not in victims]
        if kind == "a stopped rank" and others:
            send([chance.choice(others)], signal.SIGSTOP)
        if kind in ("two at once", "two unseen") and others:
            victims.append(chance.choice(others))
        if name == "pvm" and job.process.pid not in victims:
            victims.append(job.process.pid)
        self.ranks = {pid: rank_of(pid) for pid in victims}
        unseen = kind == "two unseen" and len(victims) == 2
        with Held(parent_of(victims[0])) if unseen else contextlib.nullcontext():
            send(victims)
            self.assertTrue(not unseen or none_within(lambda: self.alive(victims), PROMPT))
        return victims

    @staticmethod
    def alive(pids):
        return [pid for pid in pids if state_of(pid) != "gone"]

    def one_job(self, chance):
        kind = chance.choice(KINDS)
        name, words = self.command(chance, kind)
        job = self.start(words)
        victims = self.hit(chance, kind, name, job)
        hit_at = time.monotonic()
        try:
            job.wait(PROMPT)
        except subprocess.TimeoutExpired:
            self.fail(f"hangs: {kind}, {words}: {job.text()}")
        self.assertTrue(job.mark.gone_within(PROMPT), f"left: {job.mark.pids()}")
        self.times.setdefault("stopped" if kind == "a stopped rank" else "quiet",
                              []).append(time.monotonic() - hit_at)
        job.text()
        if kind == "at the end" and job.code == 0:
            return  # the job had ended
        self.assertNotEqual(job.code, 0, f"{kind}, {words}")
        if name != "pvm" and job.process.pid not in victims:
            self.check_report(job, victims, kind)

    def named(self, victims, text):
        """Returns those of the victims that a report names: one in its first line, by its process,
        and others in lines of their own, by their ranks."""
        return [pid for pid in victims if re.search(
            rf"(?m)^tutti run: rank {self.ranks[pid]} \(pid {pid}, .*\) was killed by signal 9 |"
            rf"^  rank {self.ranks[pid]}: was killed by signal 9 ", text)]

    def check_report(self, job, victims, kind):
        """Checks that there is one report, and that it names the victims."""
        reports = [line for line in job.err.splitlines() if line.startswith("tutti")]
        self.assertEqual(len(reports), 1, f"{kind}: {job.err}")
        named = self.named(victims, job.err)
        if kind == "two unseen":
            self.assertEqual(named, victims, f"{kind} {self.ranks}: {job.err}")
            self.unseen += len(victims) == 2
        self.assertTrue(named or any(f"(pid {pid}, " in reports[0] for pid in victims) or
                        "its launcher has ended" in job.err, f"{kind} {victims}: {job.err}")
        if kind == "two at once":
            self.both += len(named) == 2
            self.pairs += 1

    def test_kills(self):
        chance = random.Random(SEED)
        self.times, self.both, self.pairs, self.unseen = {}, 0, 0, 0
        for number in range(KILLS):
            with self.subTest(kill=number, seed=SEED):
                self.one_job(chance)
                self.doCleanups()
        for what, times in sorted(self.times.items()):
            print(f"{what}: {len(times)} jobs, median {statistics.median(times):.3f} s, longest "
                  f"{max(times):.3f} s")
        print(f"{KILLS} jobs from seed {SEED}; {self.unseen} reports that were made after two "
              f"deaths named both; of {self.pairs} pairs that were killed at once, {self.both} "
              f"reports named both (bound {PROMPT} s of a Stopwatch)")


if __name__ == "__main__":
    unittest.main()
