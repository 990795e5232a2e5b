# SPDX-License-Identifier: BSD-3-Clause
"""Stops all processes of a job but one (SIGSTOP) and kills that one. Nothing may be left: a process
that somebody has stopped cannot end anybody, so the kernel continues it when the process ends that
it waits for, or the kernel ends it itself."""
import os
import signal
import time
import unittest

from harness import (PROBE, PROBE_WORD, PROMPT, TUTTI, LauncherTest, gone_within, parent_of,
                     processes)

SHELL = ["sh", "-c", f"{PROBE_WORD} \"$@\"; exit $?", "sh"]
STEPS = ["MARKER", "0:pid=FOLDER/0", "1:pid=FOLDER/1", "0:wait=1", "1:compute"]
JOBS = {
    "shells around the ranks": [TUTTI, "run", "-n", "2", *SHELL, *STEPS],
    "a program that starts its world": [PROBE, "0:spawn=2", *STEPS],
}


def name_of(pid):
    with open(f"/proc/{pid}/comm") as file:
        return file.read().strip()


def state_of(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "gone"


def stop(pids):
    """Stops processes, and waits until they are seen to be stopped or gone."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGSTOP)
        except ProcessLookupError:
            pass
    end = time.monotonic() + 30
    while any(state_of(pid) not in ("T", "Z", "gone") for pid in pids):
        if time.monotonic() > end:
            raise AssertionError("the processes do not stop")
        time.sleep(0.001)


class Stopped(LauncherTest):
    def start_and_list(self, command):
        job = self.start(command)
        for name in ("0", "1"):
            job.pid_of(name)
        return job, sorted(processes(job.marker))

    def kill_one_of(self, command, place):
        """Stops all but the process at this place, and kills that one. Returns how many there are
        in the job. The kernel tells the parent of a shell of its end by SIGCHLD alone, which
        continues nobody, so the job then stays stopped until its supervisor is continued."""
        job, pids = self.start_and_list(command)
        is_shell = name_of(pids[place]) == "sh"
        parent = parent_of(pids[place])
        stop(pids[:place] + pids[place + 1:])
        os.kill(pids[place], signal.SIGKILL)
        if is_shell:
            os.kill(parent, signal.SIGCONT)
        job.wait(PROMPT)
        self.assertTrue(gone_within(job.marker, PROMPT),
                        [(pid, state_of(pid)) for pid in processes(job.marker)])
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
