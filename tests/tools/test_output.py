# SPDX-License-Identifier: BSD-3-Clause
"""The output of several ranks: cut at lines, in files, and what happens when it cannot be written."""
import os
import re
import subprocess
import unittest

from harness import TUTTI, LauncherTest

LINES = os.environ["TUTTI_LINES"]
COUNT = 20000
WHOLE = re.compile(r"rank \d writes line \d+, one of \d+")


def torn(text, prefix=""):
    return [line for line in text.splitlines() if not WHOLE.fullmatch(line.removeprefix(prefix))]


class CutAtLines(LauncherTest):
    def ranks(self, *arguments, n=4):
        return [TUTTI, "run", "-n", str(n), *arguments]

    def test_in_a_file(self):
        job = self.finish(self.start(self.ranks(LINES, str(COUNT), "-", "MARKER")), 0)
        self.assertEqual(torn(job.out), [])
        self.assertEqual(len(job.out.splitlines()), 4 * COUNT)

    def test_in_a_pipe(self):
        done = subprocess.run(self.ranks(LINES, str(COUNT)), stdout=subprocess.PIPE, text=True, timeout=60, check=True)
        self.assertEqual(torn(done.stdout), [])
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 4 * COUNT)
        for rank in range(4):
            mine = [line for line in lines if line.startswith(f"rank {rank} ")]
            self.assertEqual(mine, [f"rank {rank} writes line {i}, one of {COUNT}" for i in range(COUNT)])

    def test_lines_of_a_killed_rank_are_there(self):
        job = self.finish(self.start(self.ranks(LINES, "0", "-", "MARKER")), 137)
        self.assertIn("rank 0 says goodbye\n", job.out)

    def test_a_buffer_of_the_program_is_kept(self):
        for command in ([LINES, "0", "own"], ["stdbuf", "-o64K", LINES, "0", "-"]):
            job = self.finish(self.start(self.ranks(*command, "MARKER")), 137)
            self.assertNotIn("rank 0", job.out)

    def test_output_before_tutti_init_comes_first(self):
        job = self.finish(self.start(self.ranks(LINES, "3", "early", "MARKER", n=2)), 0)
        self.assertEqual(sorted(line for line in job.out.splitlines() if line.startswith("early")),
                         [f"early rank {rank} writes line 0, one of 3" for rank in range(2)])


if __name__ == "__main__":
    unittest.main()
