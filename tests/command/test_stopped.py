# SPDX-License-Identifier: BSD-3-Clause
"""Stops all processes of a job but one (SIGSTOP) and kills that one. Nothing may be left: a process
that somebody has stopped cannot end anybody, so the kernel continues it when the process ends that
it waits for, or the kernel ends it itself."""
import os
import signal
import time
import unittest

from harness import PROBE, PROBE_WORD, PROMPT, TUTTI, LauncherTest
from processes import parent_of, process, send, state_of

SHELL = ["sh", "-c", f"{PROBE_WORD} \"$@\"; exit $?", "sh"]
STEPS = ["0:pid=FOLDER/0", "1:pid=FOLDER/1", "0:wait=1", "1:compute"]
JOBS = {
    "shells around the ranks": [TUTTI, "run", "-n", "2", *SHELL, *STEPS],
    "a program that starts its world": [PROBE, "0:spawn=2", *STEPS],
}


def stop(pids):
    """Stops processes, and waits until they are seen to be stopped or gone."""
    send(pids, signal.SIGSTOP)
    end = time.monotonic() + 30
    while any(state_of(pid) not in ("T", "gone") for pid in pids):
        if time.monotonic() > end:
            raise AssertionError("the processes do not stop")
        time.sleep(0.001)


class Stopped(LauncherTest):
    def start_and_list(self, command):
        job = self.start(command)
        for name in ("0", "1"):
            job.pid_of(name)
        return job, job.mark.pids()

    def kill_one_of(self, command, place):
        """Stops all but the process at this place, and kills that one. Returns how many there are
        in the job. The kernel tells the parent of a shell of its end by SIGCHLD alone, which
        continues nobody, so the job then stays stopped until its supervisor is continued."""
        job, pids = self.start_and_list(command)
        is_shell = process(pids[place]).name == "sh"
        parent = parent_of(pids[place])
        stop(pids[:place] + pids[place + 1:])
        os.kill(pids[place], signal.SIGKILL)
        if is_shell:
            os.kill(parent, signal.SIGCONT)
        job.wait(PROMPT)
        self.assertTrue(job.mark.gone_within(PROMPT),
                        [(pid, state_of(pid)) for pid in job.mark.pids()])
        self.assertNotEqual(job.code, 0)
        return len(pids)

    def test_the_kill_of_any_process(self):
        for name, command in JOBS.items():
            place, last = 0, 1
            while place < last:
                with self.subTest(job=name, place=place):
                    last = self.kill_one_of(command, place)
                    self.doCleanups()
                place += 1

    def test_a_stopped_launcher_whose_job_ends(self):
        job, _ = self.start_and_list(JOBS["shells around the ranks"])
        stop([job.process.pid])
        os.kill(job.pid_of("1"), signal.SIGKILL)
        self.finish_promptly(job, 137)
        self.assert_one_report(job, "was killed by signal 9")


if __name__ == "__main__":
    unittest.main()
