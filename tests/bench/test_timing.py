# SPDX-License-Identifier: BSD-3-Clause
"""Tests the timing programs of the BLACS paper on few processes with short messages: the lines that
appendix D prints, results that are checked, and wrong arguments. With `full`, it also measures as
`tutti reproduce --measure 000 --quick` does. Arguments: the build folder [full]."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/command")]
import mpi_launchers  # noqa: E402
from processes import Mark  # noqa: E402

FULL = sys.argv[-1] == "full" and bool(sys.argv.pop())
BUILD = Path(sys.argv.pop())
TOOLS = BUILD / "bin"
TC = re.compile(r"^ Node 0 send to (\d+): length=(\d+), Tc = +([\d.]+) \(us\), ThruPut = [\d.]+ "
                r"\(KB/s\)\.$", re.M)
TS = re.compile(r"^  0: length=(\d+), Ts = +([\d.]+) \(us\)\.$", re.M)


def run(library, processes, *arguments):
    program = [TOOLS / f"tutti-timing-{library}", *arguments]
    if library in mpi_launchers.LAUNCHERS:
        return mpi_launchers.run(library, processes, list(map(str, program)), 100)
    words = [TOOLS / "tutti", "run", "-n", processes, "--timeout", 90, *program]
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=100,
                          check=False)


class Programs(unittest.TestCase):
    def printed(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def rows(self, columns, *arguments):
        """Returns the rows of numbers, of which the first is a length."""
        text = self.printed(*arguments)
        rows = [line.split() for line in text.splitlines() if re.match(r" +\d+ ", line)]
        self.assertTrue(all(len(row) == columns for row in rows), text)
        self.assertIn("End of Run.", text)
        for row in rows:
            least, longest, average = map(float, row[-3:])
            self.assertTrue(0 < least <= average <= longest, text)
        return [int(row[0]) for row in rows]

    def messages(self, library, processes):
        text = self.printed(library, processes, "Tc", 0, 64, 32, 3, 0, 1, processes - 1, 1)
        self.assertEqual([(int(to), int(length)) for to, length, _ in TC.findall(text)],
                         [(to, length) for length in (0, 32, 64) for to in range(1, processes)])
        text = self.printed(library, processes, "Ts", "stdout", 3, 4, 16, 16, 0, 1)
        self.assertEqual([int(length) for length, _ in TS.findall(text)], [4, 8, 16], text)

    def test_messages(self):
        for library in ("blacs", "blacs94", "nx"):
            self.messages(library, 3)

    def test_broadcasts_and_combines(self):
        for library, tops in (("blacs", ("1", "M3", " ")), ("blacs94", ("H", "T2")), ("nx", "p"),
                              ("icc", "p")):
            for top in tops:
                self.assertEqual(self.rows(5, library, 3, "Tbs", top, 0, 40, 20, 2, 1), [0, 20, 40])
                self.assertEqual(self.rows(4, library, 3, "Tg", "+", top, 0, 40, 40, 2, -1),
                                 [0, 1, 2, 4, 8, 16, 32])

    def test_maxima_with_their_places_and_results_on_one(self):
        for library in ("blacs", "blacs94"):
            self.assertEqual(self.rows(4, library, 2, "Tg", ">", "1", 1, 99, 49, 2, 1), [1, 50, 99])
        self.assertEqual(self.rows(4, "icc", 2, "Tg", "<", "p", 5, 5, 1, 1, 0), [5])

    def test_lengths_double_without_an_increment(self):
        self.assertEqual(self.rows(5, "blacs94", 2, "Tbs", "H", 3, 13, 0, 2, 0), [3, 6, 12])

    def test_output_into_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out"
            text = self.printed("nx", 2, "Tc", 8, 8, 8, 1, 1, 0, 0, 1, path)
            self.assertEqual(text, "")
            self.assertIn("Node 1 send to 0: length=8", path.read_text())

    def test_started_by_hand(self):
        """The BLACS start the processes themselves."""
        for library in ("blacs", "blacs94"):
            done = subprocess.run([TOOLS / f"tutti-timing-{library}", "Tc", "8", "8", "8", "1", "0",
                                   "1", "2", "1"], capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual(len(TC.findall(done.stdout)), 2, done.stdout + done.stderr)
            alone = [TOOLS / f"tutti-timing-{library}", "Tbs", "1", "8", "8", "8", "1", "0"]
            done = subprocess.run(alone, capture_output=True, text=True, timeout=60, check=False)
            self.assertIn("\nnnodes=1, reps=1, src=0", done.stdout, done.stderr)

    @unittest.skipUnless(FULL, "MPIs are measured with `full`")
    def test_mpis(self):
        for library in mpi_launchers.LAUNCHERS:
            if (TOOLS / f"tutti-timing-{library}").exists() and mpi_launchers.installed(library):
                self.messages(library, 2)
                self.rows(5, library, 2, "Tbs", "p", 0, 40, 20, 2, 1)
                self.rows(4, library, 2, "Tg", "+", "p", 0, 40, 20, 2, -1)


class Misuse(unittest.TestCase):
    def test_wrong_arguments(self):
        for library, arguments, words in (
            ("nx", ["Tx"], "one of"),
            ("nx", ["Tc", "0", "8"], "the arguments are Tc"),
            ("nx", ["Tc", "0", "8x", "8", "1", "0", "1", "1", "1"], "not a number"),
            ("nx", ["Ts", "stdout", "1", "0", "8", "8", "0", "2147483647"], "too large"),
            ("nx", ["Tc", "0", "8", "8", "1", "0", "1", "7", "1"], "does not exist"),
            ("nx", ["Tc", "0", "6", "4", "1", "0", "1", "1", "1"], "multiples of 4"),
            ("nx", ["Ts", "stdout", "1", "0", "8", "8", "1", "1"], "cannot be a receiver"),
            ("nx", ["Tbs", "1", "0", "8", "8", "1", "0"], "TOP must be p"),
            ("nx", ["Tg", "+", "p", "0", "8", "8", "1", "0"], "must be -1"),
            ("icc", ["Tc", "0", "8", "8", "1", "0", "1", "1", "1"], "no messages"),
            ("blacs", ["Tg", "*", "1", "0", "8", "8", "1", "0"], "the operation is"),
            ("blacs94", ["Tbs", "H3", "0", "8", "8", "1", "0"], "number behind M and T"),
        ):
            done = run(library, 2, *arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            said = [line for line in done.stderr.splitlines() if line.startswith("timing ")]
            self.assertEqual(len(said), 1, (arguments, done.stderr))
            self.assertIn(words, done.stderr)


@unittest.skipUnless(FULL, "takes about two minutes; it runs with `full`")
class Measuring(unittest.TestCase):
    def test_interruption_leaves_nothing(self):
        for tenths in range(2, 14):
            mark = Mark()
            command = subprocess.Popen(
                [TOOLS / "tutti", "reproduce", "--measure", "000"],
                env={**os.environ, **mark.variables()}, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(tenths / 10)
            command.send_signal(signal.SIGINT)
            command.wait(10)
            mark.gone_within(10)
            self.assertEqual([one.name for one in mark.processes()], [])

    def test_quick_measurement(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "times.json"
            tutti = [str(TOOLS / "tutti"), "reproduce", "--measure", "000"]
            subprocess.run([*tutti, "--quick", "--save", kept, "--write", folder], check=True,
                           timeout=900)
            page = (Path(folder) / "blacs-timing.md").read_text()
            for table in (5, 6, 7, 8, 11, 12, 14, 15, 16):
                self.assertIn(f"## Table {table}:", page)
            self.assertEqual(len(list(Path(folder).glob("*.svg"))), 20)
            done = subprocess.run([*tutti, "--from", kept, "--against", kept, "--json"], check=True,
                                  capture_output=True, text=True, timeout=60)
            against = json.loads(done.stdout)["measured"]["against"]
            self.assertEqual(against["within"], against["slopes"])
            self.assertEqual(against["same_order"], against["pairs"])


if __name__ == "__main__":
    unittest.main()
