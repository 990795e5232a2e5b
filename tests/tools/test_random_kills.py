# SPDX-License-Identifier: BSD-3-Clause
"""Kills a random process of a job at a random moment. TUTTI_KILLS is the number of kills (30),
TUTTI_SEED the seed (1). The test prints the median and the longest time from the kill to the end of
the last process, which must be at most TUTTI_PROMPT seconds (3)."""
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


class RandomKills(LauncherTest):
    def one_kill(self, chance):
        command = chance.choice([
            [TUTTI, "run", "-n", "4", PROBE, *STEPS],
            [TUTTI, "run", "-n", "4", *SHELL, *STEPS],
            [PROBE, "0:spawn=4", *STEPS],
        ])
        job = self.start(command)
        time.sleep(chance.choice([0.0, 0.01, 0.1]) * chance.random() * 3)
        victims = sorted(processes(job.marker))
        victim = chance.choice(victims) if victims else job.process.pid
        # If the supervisor is killed, there is no report. It is a child of the launcher or of rank
        # 0. If the launcher itself is killed, nobody reads one.
        supervisor = job.process.pid in (victim, parent_of(victim))
        killed_at = time.monotonic()
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            job.wait(PROMPT)
        except Exception:
            self.fail(f"hangs after the kill of {victim}: {job.text()}")
        self.assertTrue(gone_within(job.marker, PROMPT), f"left behind: {processes(job.marker)}")
        self.times.append(time.monotonic() - killed_at)
        self.assertNotEqual(job.code, 0)
        job.text()
        reports = [line for line in job.err.splitlines() if line.startswith("tutti")]
        self.assertLessEqual(len(reports), 1, job.err)
        if not supervisor:
            self.assertEqual(len(reports), 1, f"no report of {victim}: {command} {job.err}")

    def test_kills(self):
        chance = random.Random(SEED)
        self.times = []
        for number in range(KILLS):
            with self.subTest(kill=number, seed=SEED):
                self.one_kill(chance)
                self.doCleanups()
        print(
            f"{KILLS} kills from seed {SEED}: from the kill to the end median "
            f"{statistics.median(self.times or [0]):.3f} s, "
            f"longest {max(self.times, default=0):.3f} s (bound {PROMPT} s)")


if __name__ == "__main__":
    unittest.main()
