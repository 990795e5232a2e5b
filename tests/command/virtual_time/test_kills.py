# SPDX-License-Identifier: BSD-3-Clause
"""Kills a rank, the timekeeper or the supervisor of a job in virtual time at a random moment, and
runs as many jobs undisturbed, which must each have their report. TUTTI_KILLS is the number of kills
(12), TUTTI_SEED the seed (1)."""
import os
import random
import time
import unittest
from pathlib import Path

from jobs import Parts, VirtualTimeTest
from processes import lists_libraries, send

KILLS = int(os.environ.get("TUTTI_KILLS", "12"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
RANKS = 3


class Kills(VirtualTimeTest):

    @staticmethod
    def victim(job, chance):
        """Returns a process of the job and the words by which it should be named, if any."""
        parts = Parts(job)
        if parts.timekeeper is not None and lists_libraries(parts.timekeeper):
            parts.timekeeper = None
        kind = chance.choice(("rank", "timekeeper", "supervisor"))
        if kind == "rank" and parts.ranks:
            rank = chance.choice(sorted(parts.ranks))
            return parts.ranks[rank], f"rank {rank} "
        if kind == "timekeeper" and parts.timekeeper is not None:
            return parts.timekeeper, "the timekeeper of the virtual time was killed"
        return (parts.supervisor or job.process.pid), ""

    def test_random_kills(self):
        chance = random.Random(SEED)
        for number in range(KILLS):
            with self.subTest(kill=number, seed=SEED):
                job = self.job(RANKS, "ends", "endless")
                time.sleep(chance.choice([0.01, 0.1, 0.5]) * chance.random() * 2)
                pid, words = self.victim(job, chance)
                send([pid])
                job.wait()
                code = job.process.returncode
                self.assertNotEqual(code, 0)
                self.ended(job, code)
                self.assertIn(words, job.err)
                self.doCleanups()

    def test_undisturbed_runs(self):
        for number in range(KILLS):
            with self.subTest(run=number):
                job = self.run_job(RANKS, "ends", "some")
                self.assertEqual(len(self.said(job)), 0, job.err)
                self.assertFalse(self.result(job)["stopped"])
                self.assertEqual(Path(job.folder, "out").stat().st_size, 0)
                self.doCleanups()


if __name__ == "__main__":
    unittest.main()
