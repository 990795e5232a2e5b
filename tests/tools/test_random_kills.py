# SPDX-License-Identifier: BSD-3-Clause
"""Kills a random process of a job at a random moment, often while the processes start and join.
TUTTI_KILLS is the number of kills (30), TUTTI_SEED the seed (1). Each test prints the median and
the longest time from the kill to the end of the last process, which must be at most TUTTI_PROMPT
seconds (3). The programs of the BLACS, BSP and PVM that communicate for ever are in the folder
TUTTI_ENDLESS."""
import os
import random
import signal
import statistics
import time
import unittest

from harness import (PROBE, PROBE_WORD, PROMPT, TUTTI, LauncherTest, gone_within, parent_of,
                     processes)

KILLS = int(os.environ.get("TUTTI_KILLS", "30"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
SHELL = ["sh", "-c", f"{PROBE_WORD} \"$@\"; exit $?", "sh"]
STEPS = ["MARKER", "0:wait=1", "1:compute", "2:wait=0|1", "3:compute"]
PROBES = [
    [TUTTI, "run", "-n", "4", PROBE, *STEPS],
    [TUTTI, "run", "-n", "4", *SHELL, *STEPS],
    [PROBE, "0:spawn=4", *STEPS],
]


def endless(name):
    return os.path.join(os.environ["TUTTI_ENDLESS"], f"tools_endless_{name}")


FRONTENDS = [
    [endless("bsp"), "MARKER"],
    [TUTTI, "run", "-n", "4", endless("bsp"), "MARKER"],
    [endless("blacs"), "MARKER"],
    [TUTTI, "run", "-n", "4", endless("blacs"), "MARKER"],
]


PVM = [
    [endless("pvm"), "MARKER"],
    [TUTTI, "run", "-n", "1", endless("pvm"), "MARKER"],
]


class RandomKills(LauncherTest):
    def kill_one(self, chance, command):
        """Starts a job and kills one of its processes. Returns the job, the victim, and whether
        the victim was the launcher or the supervisor, a child of the launcher or of rank 0."""
        job = self.start(command)
        time.sleep(chance.choice([0.0, 0.01, 0.1]) * chance.random() * 3)
        victims = sorted(processes(job.marker))
        victim = chance.choice(victims) if victims else job.process.pid
        parent = parent_of(victim)
        killed_at = time.monotonic()
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            job.wait(PROMPT)
        except Exception:
            self.fail(f"hangs after the kill of {victim}: {command} {job.text()}")
        self.assertTrue(gone_within(job.marker, PROMPT), f"left behind: {processes(job.marker)}")
        self.times.append(time.monotonic() - killed_at)
        self.assertNotEqual(job.code, 0)
        job.text()
        return job, victim, job.process.pid in (victim, parent)

    def kill_many(self, commands, check):
        chance = random.Random(SEED)
        self.times = []
        for number in range(KILLS):
            with self.subTest(kill=number, seed=SEED):
                check(*self.kill_one(chance, chance.choice(commands)))
                self.doCleanups()
        print(f"{KILLS} kills from seed {SEED}: from the kill to the end median "
              f"{statistics.median(self.times or [0]):.3f} s, "
              f"longest {max(self.times, default=0):.3f} s (bound {PROMPT} s)")

    def check_report(self, job, victim, supervises):
        """Checks that there is one report, or at most one if a process was killed that makes or
        prints the report."""
        reports = [line for line in job.err.splitlines() if line.startswith("tutti")]
        self.assertLessEqual(len(reports), 1, job.err)
        if not supervises:
            self.assertEqual(len(reports), 1, f"no report of {victim}: {job.err}")

    def check_named(self, job, victim, supervises):
        """Checks that somebody names the task that was killed. A machine outlives its tasks, so
        those that need the dead one say it, and the supervisor says it of one that had not joined
        yet. Nobody can say it if the group has lost its member before anybody needs it."""
        if not supervises:
            self.assertRegex(job.err, "was killed by signal 9|No such instance", f"of {victim}")

    def test_probes(self):
        self.kill_many(PROBES, self.check_report)

    def test_frontends(self):
        self.kill_many(FRONTENDS, self.check_report)

    def test_pvm(self):
        self.kill_many(PVM, self.check_named)


if __name__ == "__main__":
    unittest.main()
