# SPDX-License-Identifier: BSD-3-Clause
"""Tests that each row of the tuning table about starting, watching and ending processes does what
it says. No test knows how long anything takes. A long time shows by what happens before it."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from harness import PROBE, TUTTI, LauncherTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import mpi_launchers  # noqa: E402

TUNED = os.environ["TUTTI_TUNED"]
FLAVOURS = os.environ["TUTTI_MPI_FLAVOURS"].split()
# Seconds that are longer than the default of each row here.
A_WHILE = 1.5
SLEEP = "2500"  # milliseconds of a rank, longer than that


class Tuned(LauncherTest):
    def with_rows(self, rows):
        os.environ["TUTTI_TUNING"] = rows
        self.addCleanup(os.environ.pop, "TUTTI_TUNING", None)

    def goes_on(self, job):
        """Returns true if the job has not ended after a while."""
        try:
            job.process.wait(A_WHILE)
        except subprocess.TimeoutExpired:
            return True
        return False

    def ended(self, job):
        job.wait(60)
        job.text()
        return job

    # Rank 1 dies, and rank 0 does not care for the signal that asks it to end.
    def stubborn(self, rows):
        self.with_rows(rows)
        return self.ended(
            self.run_ranks(2, f"0:ignore={signal.SIGTERM.value}", f"0:sleep={SLEEP}",
                           "0:print=still here", "1:sleep=200", "1:kill=9"))

    def effect_of_patience(self):
        self.assertIn("still here", self.stubborn("patience=60s").out)
        self.assertNotIn("still here", self.stubborn("patience=10ms").out)

    # The user interrupts a job twice, which does not care for the first time.
    def interrupted_twice(self, rows):
        self.with_rows(rows)
        job = self.run_ranks(1, f"0:ignore={signal.SIGINT.value}", "0:pid=FOLDER/ready",
                             f"0:sleep={SLEEP}", "0:print=still here", "0:finalize")
        job.pid_of("ready")
        for _ in range(2):
            job.process.send_signal(signal.SIGINT)
            time.sleep(0.6)
        return self.ended(job)

    def effect_of_second_signal(self):
        self.assertIn("still here", self.interrupted_twice("second_signal=60s").out)
        self.assertIn("killed by a second", self.interrupted_twice("second_signal=10ms").err)

    def circle(self, rows):
        self.with_rows(rows)
        return self.run_ranks(2, "0:wait=1", "1:wait=0")

    def effect_of_tick(self):
        self.assertIn("nobody will send", self.ended(self.circle("tick=1ms")).err)
        self.assertTrue(self.goes_on(self.circle("tick=60s")))

    def effect_of_standstill_look(self):
        self.assertIn("nobody will send", self.ended(self.circle("standstill_look=1ms")).err)
        self.assertTrue(self.goes_on(self.circle("standstill_look=60s")))

    # A rank that writes two megabytes, which nobody reads, and sleeps.
    def unread(self, rows):
        self.with_rows(rows)
        text = "x" * 50000
        steps = [f"0:print={text}"] * 40
        job = self.start([
            "sh", "-c", 'mkfifo "$1/pipe"; exec 3<>"$1/pipe"; shift; exec "$@" >"$0/pipe"'
        ] + ["FOLDER", "FOLDER"] + [TUTTI, "run", "-n", "1", "--tag-output", PROBE] + steps +
                         ["0:pid=FOLDER/ready", "0:sleep=60000"])
        return job

    def effect_of_output_held(self):
        self.unread("output_held=1G").pid_of("ready")
        job = self.unread("output_held=4K")
        self.assertTrue(self.goes_on(job))
        self.assertNotIn("ready", os.listdir(job.folder))

    # All has been written, and nobody reads it, when the user ends the job.
    def ended_unread(self, rows):
        job = self.unread("output_held=1G," + rows)
        job.pid_of("ready")
        time.sleep(0.3)
        job.process.send_signal(signal.SIGTERM)
        return job

    def effect_of_last_output(self):
        self.assertTrue(self.goes_on(self.ended_unread("last_output=60s")))
        self.assertFalse(self.goes_on(self.ended_unread("last_output=1ms")))

    test_patience = effect_of_patience
    test_second_signal = effect_of_second_signal
    test_tick = effect_of_tick
    test_standstill_look = effect_of_standstill_look
    test_output_held = effect_of_output_held
    test_last_output = effect_of_last_output


@unittest.skipUnless(FLAVOURS, "no MPI was found")
class TunedOverMpi(LauncherTest):
    def said(self, rows, *parts):
        """Runs a job of parts (count, command...). Returns what it has written."""
        command = list(mpi_launchers.LAUNCHERS[FLAVOURS[0]])
        for count, *words in parts:
            command += ["-n", str(count), *words, ":"]
        os.environ["TUTTI_TUNING"] = rows
        self.addCleanup(os.environ.pop, "TUTTI_TUNING", None)
        job = self.start(command[:-1])
        job.wait(60)
        return job.text()

    # Rank 0 fails while rank 1 computes.
    def failing(self, rows):
        return self.said(rows, (2, TUNED, "fails"))[0]

    def effect_of_meeting_at_exit(self):
        self.assertIn("still here", self.failing("meeting_at_exit=60s"))
        self.assertNotIn("still here", self.failing("meeting_at_exit=1ms"))

    def second_task(self, rows, how):
        return self.said(rows, (1, TUNED, how), (1, TUTTI, "spare"))[0]

    def effect_of_spare_leaves(self):
        self.assertIn("a second task", self.second_task("spare_leaves=60s,spare_ends=60s", "late"))
        self.assertIn("no place", self.second_task("spare_leaves=1ms,spare_ends=60s", "late"))

    def effect_of_spare_ends(self):
        self.assertIn("a second task", self.second_task("spare_ends=60s", "slowly"))
        self.assertIn("no place", self.second_task("spare_ends=1ms", "slowly"))

    test_meeting_at_exit = effect_of_meeting_at_exit
    test_spare_leaves = effect_of_spare_leaves
    test_spare_ends = effect_of_spare_ends


if __name__ == "__main__":
    unittest.main()
