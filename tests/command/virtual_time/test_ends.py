# SPDX-License-Identifier: BSD-3-Clause
"""Ends jobs in virtual time in many ways. Each ends soon, with a report or a sentence, and leaves
nothing behind."""
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from jobs import PROMPT, TUTTI, Parts, VirtualTimeTest, program
from processes import none_within, send

EARLY = "the job has ended early; this is what it did until then"


class Ends(VirtualTimeTest):

    def running(self, n=3, how="endless", options=()):
        """Returns a job in the middle of what it does, and its processes."""
        job = self.job(n, "ends", how, options=options)
        self.assertTrue(none_within(lambda: not Parts(job).are_all(n), 30), "the job has not begun")
        time.sleep(0.2)
        return job, Parts(job)

    def assert_reported_early(self, job):
        """Checks that the report of the virtual time tells what was until the end."""
        self.assertEqual(job.err.count(EARLY), 1, job.err)
        result = self.result(job)
        self.assertTrue(result["stopped"])
        self.assertGreater(result["time_us"], 0)

    def test_end_as_it_should_be(self):
        job = self.run_job(3, "ends", "some")
        self.assertNotIn(EARLY, job.err)
        self.assertFalse(self.result(job)["stopped"])

    def test_rank_that_is_killed(self):
        job, parts = self.running()
        send([parts.ranks[1]])
        self.ended(job, 137)
        self.assertIn(f"rank 1 (pid {parts.ranks[1]}, ", self.said(job)[0])
        self.assertIn("was killed by signal 9", self.said(job)[0])
        self.assert_reported_early(job)

    def test_exit(self):
        for how in ("exit", "handler"):
            with self.subTest(how=how):
                job = self.run_job(3, "ends", how, code=3)
                self.assertIn("rank 1 ", self.said(job)[0])
                self.assertIn("exited with code 3", self.said(job)[0])
                self.assert_reported_early(job)

    def test_end_without_finalize(self):
        """tutti calls tutti_finalize where a program returns, so the others wait for it in vain."""
        for how in ("return", "_exit"):
            with self.subTest(how=how):
                job = self.job(3, "ends", how)
                job.wait()
                self.assertNotEqual(job.process.returncode, 0)
                self.ended(job, job.process.returncode)
                self.assertGreaterEqual(len(self.said(job)), 1, job.err)
                self.assertIn("rank 1", job.err)

    def test_collectives_in_another_order(self):
        job = self.job(3, "ends", "order")
        job.wait()
        self.assertNotEqual(job.process.returncode, 0)
        self.ended(job, job.process.returncode)
        self.assertGreaterEqual(len(self.said(job)), 1)
        self.assertIn("barrier", job.err)

    def test_signals_of_the_user(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                job, _ = self.running()
                send([job.process.pid], number)
                self.ended(job, 128 + number)
                self.assert_reported_early(job)

    def test_interrupt_of_the_terminal(self):
        """A terminal sends the signal to all processes of the group."""
        job, parts = self.running()
        send([job.process.pid, *parts.pids()], signal.SIGINT)
        self.ended(job, 130)
        self.assert_reported_early(job)

    def test_time_is_up(self):
        """A rank waits in a pipe, and the timekeeper for it."""
        job = self.job(3, "ends", "pipe", options=("--timeout", "0.7"))
        self.ended(job, 124)
        self.assertIn("  rank 1: computing", job.err)
        self.assert_reported_early(job)

    def test_timekeeper_that_is_killed(self):
        job, parts = self.running()
        send([parts.timekeeper])
        self.ended(job, 1)
        self.assertIn("the timekeeper of the virtual time was killed", self.said(job)[0])
        self.assertNotIn("virtual_time", self.report(job))

    def test_timekeeper_that_is_killed_last(self):
        """It waits for a reader of its picture when all ranks have ended."""
        with tempfile.TemporaryDirectory() as folder:
            pipe = str(Path(folder, "pipe"))
            os.mkfifo(pipe)
            job = self.job(3, "ends", "some", options=("--svg", pipe))
            self.assertTrue(none_within(lambda: not self.is_left_alone(job), 30))
            send([Parts(job).timekeeper])
            self.ended(job, 1)
            self.assertEqual(len(self.said(job)), 1, job.err)
            self.assertIn("the timekeeper was killed", self.said(job)[0])

    @staticmethod
    def is_left_alone(job):
        """Returns whether the timekeeper has said its words and no rank is left."""
        parts = Parts(job)
        return "contentions: " in job.text()[1] and not parts.ranks

    def test_supervisor_that_is_killed(self):
        job, parts = self.running()
        send([parts.supervisor])
        self.ended(job, -signal.SIGKILL)

    def test_launcher_that_is_killed(self):
        job, _ = self.running()
        send([job.process.pid])
        self.ended(job, -signal.SIGKILL)

    def test_stopped_timekeeper_does_not_hold_up_an_interrupt(self):
        job, parts = self.running()
        self.addCleanup(send, [parts.timekeeper], signal.SIGCONT)
        send([parts.timekeeper], signal.SIGSTOP)
        send([job.process.pid], signal.SIGINT)
        self.assertTrue(none_within(lambda: Parts(job).ranks, 2 * PROMPT), "ranks are left")
        send([parts.timekeeper], signal.SIGCONT)
        self.ended(job, 130)

    def refused(self, words, *options, code=2):
        job = self.start([TUTTI, "run", "-n", "8", *options, program("ends"), "some"])
        self.ended(job, code)
        self.assertEqual((job.out, len(job.err.splitlines())), ("", 1), job.err)
        self.assertIn(words, job.err)

    def test_refusals(self):
        self.refused("8 ranks do not fit on the 4 nodes of ", "--machine", "ipsc860", "--topology",
                     "hypercube:2")
        self.refused("nowhere", "--machine", "nowhere")
        self.refused("nowhere.toml", "--machine", "/nowhere.toml")
        self.refused("nothing:3", "--machine", "ipsc860", "--topology", "nothing:3")
        for option, value in (("--svg", "x"), ("--trace", "x"), ("--heat", "x"), ("--seed", "1"),
                              ("--noise", "1"), ("--drift", "1"), ("--top", "1"),
                              ("--topology", "mesh:2x4")):
            self.refused("need --machine", option, value)
        self.refused("--noise", "--machine", "ipsc860", "--noise", "-1")

    def test_picture_that_cannot_be_written(self):
        job = self.run_job(3, "ends", "some", options=("--svg", "/nowhere/x.svg"), code=1)
        self.assertEqual(job.err.count("/nowhere/x.svg"), 1, job.err)

    def test_disk_without_room(self):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", folder],
                                  capture_output=True, text=True, check=False)
            if made.returncode != 0:
                self.skipTest(f"no disk can be made here: {made.stderr.strip()}")
            try:
                file = str(Path(folder, "x.svg"))
                job = self.run_job(3, "ends", "some", options=("--svg", file), code=1)
                told = [line for line in self.said(job) if file in line]
                self.assertEqual(len(told), 1, job.err)
                self.assertIn("cannot be written", told[0])
            finally:
                subprocess.run(["umount", folder], check=False)


if __name__ == "__main__":
    os.environ.pop("TUTTI_ALGORITHM", None)
    unittest.main()
