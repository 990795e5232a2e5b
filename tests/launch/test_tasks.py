# SPDX-License-Identifier: BSD-3-Clause
"""Tests tasks that start and end during a job (tasks.c), under the launcher and in a program that
was started without it."""
import os
import signal
import tempfile
import unittest

from harness import PROMPT, TUTTI, LauncherTest

TASKS = os.environ["TUTTI_TASKS"]


class Tasks(LauncherTest):
    def by_hand(self, *arguments, code=0):
        """Runs the program without the launcher and checks its exit code. Its supervisor may end a
        moment after it."""
        job = self.start([TASKS, *arguments])
        job.wait(100)
        job.text()
        self.assertEqual(job.code, code, job.err)
        self.assertTrue(job.mark.gone_within(PROMPT), "something is left behind")
        return job

    def launched(self, n, *arguments, options=()):
        return self.start([TUTTI, "run", "-n", str(n), *options, TASKS, *arguments])

    def test_slots_are_used_anew(self):
        job = self.by_hand("rounds", "100")
        self.assertIn("slots up to", job.out)
        self.assertEqual(job.err, "")

    def test_slots_are_used_anew_under_a_launcher(self):
        self.finish(self.launched(2, "rounds", "100", options=["--timeout", "90"]), 0, 100)

    def test_every_rank_starts_tasks(self):
        self.finish(self.launched(4, "everybody", options=["--timeout", "60"]), 0, 70)

    def test_mail_outlives_its_sender(self):
        self.by_hand("late_mail")
        self.finish(self.launched(1, "late_mail"), 0)

    def test_errors(self):
        self.by_hand("errors")
        self.finish(self.launched(2, "errors"), 0)

    def test_tolerant(self):
        job = self.by_hand("tolerant")
        self.assertIn("still here", job.out)
        self.assertEqual(job.err, "")

    def test_limits(self):
        job = self.by_hand("limits")
        self.assertIn("still here", job.out)

    def test_tolerant_by_variable(self):
        os.environ["TUTTI_DEATHS"] = "tolerant"
        self.addCleanup(os.environ.pop, "TUTTI_DEATHS")
        job = self.finish(self.launched(2, "tolerant", options=["--tag-output"]), 0)
        self.assertIn("[0] still here", job.out)

    def test_tasks_have_files_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            self.finish(self.launched(2, "rounds", "3", options=["--output", folder]), 0)
            names = os.listdir(folder)
            self.assertIn("task.2.out", names)
            self.assertIn("task.2.err", names)
            with open(os.path.join(folder, "rank.0.out")) as file:
                self.assertIn("slots up to", file.read())

    def test_together(self):
        for test in ("together", "computing"):
            job = self.by_hand(test, code=128 + signal.SIGKILL)
            self.assert_one_report(job, "task 1")
            self.assertIn("was killed by signal 9", job.err)

    def test_a_program_that_handles_sigterm_keeps_its_way(self):
        self.assert_one_report(self.by_hand("handling", code=23), "task 1")

    def test_sigterm_from_elsewhere_ends_the_program(self):
        self.by_hand("terminated", code=-signal.SIGTERM)

    def test_together_under_a_launcher(self):
        job = self.finish(self.launched(2, "together"), 137)
        self.assert_one_report(job, "task 2")

    def test_an_unknown_policy(self):
        os.environ["TUTTI_DEATHS"] = "maybe"
        self.addCleanup(os.environ.pop, "TUTTI_DEATHS")
        self.assertIn("TUTTI_DEATHS is 'maybe'", self.finish(self.launched(1, "errors"), 2).err)


if __name__ == "__main__":
    unittest.main()
