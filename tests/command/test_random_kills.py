# SPDX-License-Identifier: BSD-3-Clause
"""Kills a random process of a job at a random moment, often while the processes start and join.
TUTTI_KILLS is the number of kills (30), TUTTI_SEED the seed (1). Reports must name the process that
was killed. Each test prints the median and the longest time from the kill to the end of the last
process, as a clock has seen them. Neither the launcher nor what it leaves may take more than
TUTTI_PROMPT seconds (2) of the harness's Stopwatch. The programs of the BLACS, BSP and PVM that
communicate for ever are in the folder TUTTI_ENDLESS."""
import os
import random
import re
import statistics
import subprocess
import time
import unittest

from harness import PROBE, PROBE_WORD, TUTTI, LauncherTest
from processes import lists_libraries, parent_of, rank_of, send

PROMPT = float(os.environ.get("TUTTI_PROMPT", "2"))

KILLS = int(os.environ.get("TUTTI_KILLS", "30"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
SHELL = ["sh", "-c", f"{PROBE_WORD} \"$@\"; exit $?", "sh"]
STEPS = ["0:wait=1", "1:compute", "2:wait=0|1", "3:compute"]
PROBES = [
    [TUTTI, "run", "-n", "4", PROBE, *STEPS],
    [TUTTI, "run", "-n", "4", *SHELL, *STEPS],
    [PROBE, "0:spawn=4", *STEPS],
]


def endless(name):
    return os.path.join(os.environ["TUTTI_ENDLESS"], f"tools_endless_{name}")


FRONTENDS = [
    [endless("bsp")],
    [TUTTI, "run", "-n", "4", endless("bsp")],
    [endless("blacs")],
    [TUTTI, "run", "-n", "4", endless("blacs")],
]


PVM = [
    [endless("pvm")],
    [TUTTI, "run", "-n", "1", endless("pvm")],
]


class Victim:
    """A process that is about to be killed. `supervises` says whether it makes or prints reports:
    it is the launcher, or the supervisor, a child of the launcher or of rank 0."""

    def __init__(self, pid, job):
        self.pid, self.parent, self.rank = pid, parent_of(pid), rank_of(pid)
        self.supervises = job.process.pid in (pid, self.parent)

    def reports(self):
        """Returns the regular expression of the reports that name this process. A rank that its
        supervisor does not know yet is named by the shell that waits for it, and ends like it.
        The supervisor may know of a child of that shell only that it has ended."""
        if self.supervises:
            return (rf"rank 0 \(pid {self.pid}, .*killed by signal 9|"
                    r"the supervisor .*killed by signal 9|its launcher has ended")
        rank = rf"rank {r'[0-9]+' if self.rank is None else self.rank} "
        return (rf"{rank}\(pid {self.pid}, .*\) was killed by signal 9|"
                rf"{rank}\(pid {self.pid}, .*\) was killed or left by _exit|"
                rf"{rank}\(pid {self.parent}, sh\) exited with code 137")

    def names_as_task(self, output):
        """Returns the regular expression of the texts that name this task of PVM: by its number, by
        the tid that it has printed, or, if it was killed before it could, by a tid that no other
        task has printed."""
        tids = dict(re.findall(r"^([0-9]+) is (t[0-9a-f]+)$", output, re.M))
        tid = tids.get(str(self.pid))
        others = "|".join(rf"{one}\b" for one in tids.values())
        if tid is None:
            tid = rf"(?!{others})t[0-9a-f]+" if others else "t[0-9a-f]+"
        return rf"(\(pid {self.pid}, .*\)|task {tid} .*) was killed by signal 9"


class RandomKills(LauncherTest):
    def kill_one(self, chance, command):
        """Starts a job and kills one of its processes. Returns the job and the victim."""
        job = self.start(command)
        time.sleep(chance.choice([0.0, 0.01, 0.1]) * chance.random() * 3)
        pids = [pid for pid in job.mark.pids() if not lists_libraries(pid)]
        victim = Victim(chance.choice(pids) if pids else job.process.pid, job)
        killed_at = time.monotonic()
        send([victim.pid])
        try:
            job.wait(PROMPT)
        except subprocess.TimeoutExpired:
            self.fail(f"hangs after the kill of {victim.pid}: {command} {job.text()}")
        self.assertTrue(job.mark.gone_within(PROMPT), f"left behind: {job.mark.pids()}")
        self.times.append(time.monotonic() - killed_at)
        self.assertNotEqual(job.code, 0)
        job.text()
        return job, victim

    def kill_many(self, commands, check):
        chance = random.Random(SEED)
        self.times = []
        for number in range(KILLS):
            with self.subTest(kill=number, seed=SEED):
                check(*self.kill_one(chance, chance.choice(commands)))
                self.doCleanups()
        print(f"{KILLS} kills from seed {SEED}: from the kill to the end median "
              f"{statistics.median(self.times or [0]):.3f} s, "
              f"longest {max(self.times, default=0):.3f} s (bound {PROMPT} s of a Stopwatch)")

    def check_report(self, job, victim):
        """Checks that there is one report, which names the victim. Nobody need report the death of
        a process that makes or prints reports."""
        reports = [line for line in job.err.splitlines() if line.startswith("tutti")]
        self.assertLessEqual(len(reports), 1, job.err)
        if not victim.supervises:
            self.assertEqual(len(reports), 1, f"no report of {victim.pid}: {job.err}")
        for report in reports:
            self.assertRegex(report, victim.reports(), f"{vars(victim)}")

    def check_named(self, job, victim):
        """Checks that somebody names the task that was killed. A machine outlives its tasks, so
        those that need the dead one say it, and the supervisor says it of one that had not joined
        yet. Nobody can say it if the group has lost its member before anybody needs it."""
        if not victim.supervises:
            self.assertRegex(job.err,
                             victim.names_as_task(job.out) + "|No such instance", vars(victim))

    def test_probes(self):
        self.kill_many(PROBES, self.check_report)

    def test_frontends(self):
        self.kill_many(FRONTENDS, self.check_report)

    def test_pvm(self):
        self.kill_many(PVM, self.check_named)


if __name__ == "__main__":
    unittest.main()
