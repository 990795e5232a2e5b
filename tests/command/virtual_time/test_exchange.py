# SPDX-License-Identifier: BSD-3-Clause
"""Runs examples/complete_exchange.c in the time of Bokhari's machine (paper 004), and compares it
with the simulated scenes of `tutti simulate`, to the last digit that both print. pairwise_U does
what its scene does. The others differ, see docs/internals/virtual-time.md. TUTTI_DIMENSIONS are
those of cubes, such as 1,2,3.
"""

import json
import os
import subprocess
import unittest

import jobs

DIMENSIONS = [int(word) for word in os.environ["TUTTI_DIMENSIONS"].split(",")]
SIZES = (16, 128)
EXACT = ("--machine", "ipsc860", "--drift", "0", "--noise", "0")


class Exchange(unittest.TestCase):
    def live(self, d):
        """Returns the longest times by implementation and size, as text."""
        done = subprocess.run(
            [jobs.TUTTI, "run", *EXACT, "--topology", f"hypercube:{d}", "--timeout", "500", "-n",
             str(1 << d), jobs.program("exchange"), "1", "100", "0.3", *map(str, SIZES)],
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 wrong bytes", done.stdout)
        rows = [line.split() for line in done.stdout.splitlines() if " bytes: longest " in line]
        return {(words[0], int(words[1])): words[4] for words in rows}

    def scene(self, d, size):
        done = subprocess.run(
            [jobs.TUTTI, "simulate", "alltoall", "-d", str(d), *EXACT, "--implementation",
             "pairwise_U", "--block-bytes", str(size), "--json"],
            capture_output=True, text=True, check=False)
        result = json.loads(done.stdout)["settings"][0]["results"][0]
        return f"{result['time_us']:.2f}"

    def test_pairwise(self):
        for d in DIMENSIONS:
            live = self.live(d)
            for size in SIZES:
                with self.subTest(d=d, size=size):
                    self.assertEqual(live["pairwise_U", size], self.scene(d, size))


if __name__ == "__main__":
    unittest.main()
