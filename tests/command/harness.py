# SPDX-License-Identifier: BSD-3-Clause
"""Runs jobs for the tests of the launcher and finds processes that they leave behind. Every job has
a mark of its own, by which tests find its processes."""
import os
import shlex
import subprocess
import tempfile
import time
import unittest

from processes import Mark
from stopwatch import wait_for

TUTTI = os.environ["TUTTI_COMMAND"]
PROBE = os.environ["TUTTI_PROBE"]
# The paths are quoted for a shell's line, because they may have spaces.
TUTTI_WORD, PROBE_WORD = shlex.quote(TUTTI), shlex.quote(PROBE)
# Seconds of a Stopwatch within which a job must end.
PROMPT = float(os.environ.get("TUTTI_PROMPT", "3"))


class Job:
    """Runs a command in the background. Its output goes to files, so that a process that is left
    behind and holds the output open cannot block a test."""
    def __init__(self, command, stdin=None):
        self.mark = Mark()
        self.folder = tempfile.mkdtemp(prefix="tutti-test-")
        self.output = open(os.path.join(self.folder, "out"), "w+")
        self.error = open(os.path.join(self.folder, "err"), "w+")
        command = [word.replace("FOLDER", self.folder) for word in command]
        self.process = subprocess.Popen(command,
                                        env={**os.environ, **self.mark.variables()},
                                        stdin=subprocess.PIPE,
                                        stdout=self.output,
                                        stderr=self.error)
        if stdin is not None:
            self.process.stdin.write(stdin.encode())
        self.process.stdin.close()

    def pid_of(self, name):
        """Returns the pid that a rank writes to FOLDER/name."""
        path = os.path.join(self.folder, name)
        end = time.monotonic() + 30
        while not os.path.exists(path) or os.path.getsize(path) == 0:  # it may exist but be empty
            if time.monotonic() > end:
                raise AssertionError(f"no {name}: {self.text()}")
            time.sleep(0.005)
        with open(path) as file:
            return int(file.read())

    def wait(self, seconds=30):
        """Waits for the end of the command, and returns how many seconds of a Stopwatch that has
        taken."""
        waited = 0.0
        if self.process.returncode is None:
            descriptor = os.pidfd_open(self.process.pid)
            try:
                waited = wait_for(descriptor, seconds)
            finally:
                os.close(descriptor)
        self.code = self.process.wait(0)
        return waited

    def text(self):
        texts = []
        for file in (self.output, self.error):
            file.flush()
            with open(file.name, errors="replace") as again:
                texts.append(again.read())
        self.out, self.err = texts
        return texts

    def clean_up(self):
        self.mark.kill_all()
        self.process.wait()
        self.output.close()
        self.error.close()
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        os.rmdir(self.folder)


class LauncherTest(unittest.TestCase):
    def start(self, command, stdin=None):
        job = Job(command, stdin)
        self.addCleanup(job.clean_up)
        return job

    def run_ranks(self, n, *steps, options=(), stdin=None):
        return self.start([TUTTI, "run", "-n", str(n), *options, PROBE, *steps], stdin)

    def finish(self, job, code, seconds=30):
        self.waited = job.wait(seconds)
        job.text()
        self.assertEqual(job.code, code, job.err)
        self.assertTrue(job.mark.gone_within(0 if code >= 0 else PROMPT),
                        "something is left behind")
        return job

    def finish_promptly(self, job, code):
        self.finish(job, code)
        self.assertLess(self.waited, PROMPT)
        return job

    def assert_one_report(self, job, words):
        reports = [line for line in job.err.splitlines() if line.startswith("tutti")]
        self.assertEqual(len(reports), 1, job.err)
        self.assertIn(words, reports[0])
