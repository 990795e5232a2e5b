# SPDX-License-Identifier: BSD-3-Clause
"""Tests programs that start their own world. A self-started supervisor watches the processes and
ends with them."""
import os
import signal
import subprocess
import tempfile
import time
import unittest

from harness import PROBE, PROMPT, LauncherTest
from processes import all_processes


def supervisor_of(pid):
    """Returns the pid of the supervisor, a child of rank 0 with the name tutti-supervise."""
    for one in all_processes():
        if one.name.startswith("tutti-supervise") and one.parent == pid:
            return one.pid
    raise AssertionError("there is no supervisor")


class SelfSupervised(LauncherTest):
    def world(self, *steps, n=3):
        return self.start([PROBE, f"0:spawn={n}", *steps])

    def test_a_world_of_its_own(self):
        job = self.world("*:size", "*:finalize", n=4)
        self.finish_world(job, 0)
        self.assertEqual(sorted(job.out.splitlines()), [f"{rank} of 4" for rank in range(4)])
        self.assertEqual(job.err, "")

    def finish_world(self, job, code):
        """Checks the end of a world. The shell waits for rank 0 only; the other processes may end a
        moment later."""
        self.assertLess(job.wait(), PROMPT)
        self.assertTrue(job.mark.gone_within(PROMPT), "something is left behind")
        job.text()
        self.assertEqual(job.code, code, job.err)

    def test_a_world_of_one_needs_no_supervisor(self):
        job = self.finish(self.world("*:size", "*:finalize", n=1), 0)
        self.assertEqual(job.out, "0 of 1\n")

    def test_too_large(self):
        job = self.finish(self.world(n=2000), 99)
        self.assertIn("between 1 and 1024 fit", job.err)

    def test_kill_rank_1(self):
        job = self.world("1:pid=FOLDER/pid", "*:compute")
        os.kill(job.pid_of("pid"), signal.SIGKILL)
        self.finish_world(job, 128 + signal.SIGKILL)
        self.assert_one_report(job, "rank 1")
        self.assertIn("was killed by signal 9", job.err)

    def test_kill_rank_0(self):
        job = self.world("1:pid=FOLDER/pid", "*:compute")
        job.pid_of("pid")
        job.process.kill()
        self.finish_world(job, -signal.SIGKILL)
        self.assert_one_report(job, "rank 0")

    def test_kill_the_supervisor(self):
        job = self.world("1:pid=FOLDER/pid", "*:compute")
        job.pid_of("pid")
        time.sleep(0.3)
        os.kill(supervisor_of(job.process.pid), signal.SIGKILL)
        self.finish_world(job, -signal.SIGKILL)

    def test_exit_of_rank_0(self):
        job = self.world("1:pid=FOLDER/pid", "1:compute", "0:sleep=300", "0:exit=4")
        self.finish_world(job, 4)
        self.assert_one_report(job, "rank 0")

    def test_rank_0_leaves_while_others_wait(self):
        job = self.world("1:wait=0", "2:compute", "0:finalize")
        self.finish_world(job, 1)
        self.assert_one_report(job, "rank 0 has left while rank 1 waits for it")

    def test_abort(self):
        self.finish_world(self.world("1:sleep=100", "1:abort=5", "*:compute"), 5)

    def test_rank_0_ends_last(self):
        job = self.world("*:finalize", "1:sleep=500", "1:print=late")
        job.wait()
        job.text()
        self.assertEqual(job.out, "late\n")
        self.finish_world(job, 0)

    def test_output_ends_with_the_job(self):
        command = [PROBE, "output-ends", "0:spawn=3", "*:print=x", "0:sleep=300", "*:finalize"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
        self.assertEqual(done.stdout, b"x\nx\nx\n")

    def test_a_copy_that_ends_at_once(self):
        """The other ranks may end before rank 0 goes on after it has started its supervisor."""
        if not os.environ["TUTTI_SLOW_SPAWN"]:
            self.skipTest("a sanitizer's library must be the first that is preloaded")
        with tempfile.TemporaryDirectory() as folder:
            # LD_PRELOAD has no way to name a path with spaces, as that of the build may be.
            library = os.path.join(folder, "slow_spawn.so")
            os.symlink(os.environ["TUTTI_SLOW_SPAWN"], library)
            done = subprocess.run([os.environ["TUTTI_EARLY_END"]], capture_output=True, text=True,
                                  env=dict(os.environ, LD_PRELOAD=library), timeout=30)
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("exited with code 7", done.stderr)

    def test_a_second_world_is_refused(self):
        job = self.world("0:sleep=100", "0:spawn=2", "*:compute")
        self.finish_world(job, 99)
        self.assertIn("cannot start a world", job.err)


if __name__ == "__main__":
    unittest.main()
