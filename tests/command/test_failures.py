# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs that fail. There must be one report, all processes must end within a second (PROMPT
seconds on a busy machine), and nothing may be left behind."""
import os
import pty
import signal
import time
import unittest

from harness import PROBE, PROBE_WORD, PROMPT, TUTTI, LauncherTest
from processes import parent_of

SHELL = ["sh", "-c", f"{PROBE_WORD} \"$@\"; code=$?; sleep 0; exit $code", "sh"]


class Failures(LauncherTest):
    def kill_rank(self, job, number, name="pid"):
        os.kill(job.pid_of(name), number)

    def test_exit_code_before_the_end(self):
        job = self.finish_promptly(
            self.run_ranks(4, "0:compute", "1:wait=3", "2:wait=3", "3:sleep=100", "3:exit=5"), 5)
        self.assert_one_report(job, "exited with code 5")
        self.assertIn("  rank 0: computing\n", job.err)
        self.assertIn(
            "  ranks 1, 2: waiting in test_call (broadcast #12, 4 ranks, round 2) for rank 3\n",
            job.err)

    def test_exit_code_after_the_end(self):
        job = self.finish(
            self.run_ranks(3, "*:finalize", "1:exit=4", "*:sleep=300", "2:print=alive"), 4)
        self.assertIn("alive", job.out)
        self.assertEqual(job.err, "")

    def test_plain_programs(self):
        job = self.finish(self.start([TUTTI, "run", "-n", "3", "sh", "-c", "exit 9"]), 9)
        self.assert_one_report(job, "exited with code 9")

    def test_kill_a_computing_rank(self):
        for number in (signal.SIGKILL, signal.SIGABRT, signal.SIGTERM):
            job = self.run_ranks(4, "2:pid=FOLDER/pid", "*:compute")
            self.kill_rank(job, number)
            self.finish_promptly(job, 128 + number)
            self.assert_one_report(job, f"was killed by signal {int(number)}")
            self.assertIn("rank 2", job.err)

    def test_kill_a_grandchild_of_a_shell_script(self):
        job = self.start(
            [TUTTI, "run", "-n", "3", *SHELL, "1:pid=FOLDER/pid", "*:compute"])
        self.kill_rank(job, signal.SIGKILL)
        self.finish_promptly(job, 137)
        self.assert_one_report(job, "rank 1")
        self.assertIn("was killed by signal 9", job.err)

    def test_a_grandchild_that_exits(self):
        job = self.start(
            [TUTTI, "run", "-n", "3", *SHELL, "1:sleep=50", "1:exit=6", "*:compute"])
        self.assert_one_report(self.finish_promptly(job, 6), "exited with code 6")
        job = self.start([TUTTI, "run", "-n", "3", *SHELL, "*:finalize"])
        self.assertEqual(self.finish_promptly(job, 0).err, "")
        job = self.start([TUTTI, "run", "-n", "3", *SHELL, "*:sleep=1"])
        self.assertEqual(self.finish_promptly(job, 0).err, "")

    def test_an_orphan_is_still_a_rank(self):
        orphan = ["sh", "-c", f"{PROBE_WORD} \"$@\" & sleep 0.3", "sh"]
        job = self.start(
            [TUTTI, "run", "-n", "2", *orphan, "*:sleep=600", "*:print=x", "*:finalize"])
        self.assertEqual(self.finish(job, 0).out, "x\nx\n")
        job = self.start(
            [TUTTI, "run", "-n", "2", *orphan, "0:pid=FOLDER/pid", "*:compute"])
        time.sleep(0.6)
        self.kill_rank(job, signal.SIGKILL)
        self.finish_promptly(job, 137)

    def test_nothing_stays_in_the_background(self):
        job = self.start([
            TUTTI, "run", "-n", "2", "sh", "-c",
            "trap '' TERM; (while :; do sleep 0.1; done) & (setsid sleep 100) & sleep 0.1"
        ])
        self.finish_promptly(job, 0)

    def test_second_program_of_a_rank(self):
        twice = ["sh", "-c", f"{PROBE_WORD} \"$@\"; {PROBE_WORD} \"$@\"", "sh"]
        job = self.finish(self.start([TUTTI, "run", "-n", "2", *twice, "*:finalize"]), 99)
        self.assertIn("one program per rank", job.err)

    def test_kill_the_launcher(self):
        for start in ([PROBE], SHELL):
            job = self.start([
                TUTTI, "run", "-n", "4", *start, "*:pid=FOLDER/pid", "3:wait=0",
                "*:ignore=15", "*:compute"
            ])
            job.pid_of("pid")
            time.sleep(0.3)
            os.kill(job.process.pid, signal.SIGKILL)
            self.assertTrue(job.mark.gone_within(PROMPT))

    def test_a_killed_launcher_leaves_no_program(self):
        """The sleeping programs are no ranks, and their parents die with the launcher. Its child is
        the supervisor."""
        one = "sh -c 'sleep 1000; :' & sh -c 'sleep 1000; :'; :"
        for of_supervisor in (False, True):
            job = self.start([TUTTI, "run", "-n", "2", "sh", "-c", f"echo ready; {one}"])
            while job.text()[0].count("ready") < 2:
                time.sleep(0.01)
            victims = [
                pid for pid in job.mark.pids()
                if job.process.pid == (parent_of(pid) if of_supervisor else pid)
            ]
            os.kill(victims[0], signal.SIGKILL)
            self.finish(job, -signal.SIGKILL)
            self.assertEqual(job.err, "")

    def test_abort(self):
        job = self.finish_promptly(self.run_ranks(4, "1:sleep=50", "1:abort=7", "*:compute"), 7)
        self.assert_one_report(job, "aborted with code 7: the probe was told to")
        job = self.finish_promptly(self.run_ranks(8, "*:abort=0"), 1)
        self.assert_one_report(job, "aborted with code 1")
        job = self.finish_promptly(self.start([PROBE, "0:abort=3"]), 3)
        self.assertIn("aborted with code 3", job.err)

    def test_leaving_while_others_wait(self):
        for leave in ("2:exit=0", "2:finalize"):
            job = self.finish_promptly(
                self.run_ranks(3, "0:wait=2", "1:compute", "2:sleep=50", leave), 1)
            self.assert_one_report(job, "rank 2 has left while rank 0 waits for it")
        job = self.finish_promptly(self.run_ranks(3, "0:wait=1|2", "*:sleep=50"), 1)
        self.assert_one_report(job, "has left while rank 0 waits for it")

    def test_leaving_while_others_may_go_on(self):
        job = self.finish(self.run_ranks(3, "0:wait=1|2", "2:compute", options=["--timeout", "1"]),
                          124)
        self.assert_one_report(job, "time is up")

    def test_timeout_names_the_cycle(self):
        job = self.finish(self.run_ranks(4, "0:wait=1", "1:wait=0", "2:wait=1", "3:compute",
                                         options=["--timeout", "0.5"]), 124)
        self.assert_one_report(job, "time is up after 0.5 s")
        self.assertIn("  cycle: rank 0 -> rank 1 -> rank 0\n", job.err)
        self.assertIn("  rank 3: computing\n", job.err)

    def test_signals_are_forwarded(self):
        job = self.run_ranks(2, "*:handle=10", "0:pid=FOLDER/pid", "*:compute")
        job.pid_of("pid")
        time.sleep(0.3)
        job.process.send_signal(signal.SIGUSR1)
        self.finish_promptly(job, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            job = self.run_ranks(2, "0:pid=FOLDER/pid", "*:compute")
            job.pid_of("pid")
            job.process.send_signal(number)
            self.finish_promptly(job, 128 + number)
            self.assert_one_report(job, f"ended by {number.name}")

    def test_interrupt_from_a_terminal(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(TUTTI, [TUTTI, "run", "-n", "3", PROBE, "0:print=ready", "*:compute"])
        text = b""
        interrupted = False
        while True:
            try:
                text += os.read(terminal, 4096)
            except OSError:  # the terminal has no writer any more
                break
            if b"ready" in text and not interrupted:
                interrupted = True
                os.write(terminal, b"\x03")
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 130, text)
        self.assertEqual(text.count(b"tutti run:"), 1, text)
        self.assertIn(b"ended by SIGINT", text)

    def test_ranks_get_clean_signals(self):
        job = self.finish(
            self.start([TUTTI, "run", "-n", "1", "grep", "-E", "Sig(Blk|Ign)",
                        "/proc/self/status"]), 0)
        masks = [int(line.split()[1], 16) for line in job.out.splitlines()]
        # GNU make 4.3 makes the programs that it starts ignore signals 32 and 33. The C library
        # reserves these two, so the launcher cannot change that.
        ignored_by_make = 0x180000000
        self.assertEqual([mask & ~ignored_by_make for mask in masks], [0, 0], job.out)

    def test_a_second_interrupt_kills(self):
        job = self.run_ranks(2, "*:ignore=2", "*:ignore=15", "0:pid=FOLDER/pid", "*:compute")
        job.pid_of("pid")
        time.sleep(0.3)
        job.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(job.process.poll())
        job.process.send_signal(signal.SIGINT)
        self.finish_promptly(job, 130)

    def test_a_forked_child_is_harmless(self):
        job = self.finish(self.run_ranks(2, "*:fork", "*:sleep=100", "*:finalize"), 0)
        self.assertEqual(job.out, "child said 7\nchild said 7\n")

    def test_ranks_that_ignore_sigterm_end_too(self):
        job = self.run_ranks(3, "*:ignore=15", "1:sleep=200", "1:kill=9", "*:compute")
        self.finish_promptly(job, 137)


if __name__ == "__main__":
    unittest.main()
