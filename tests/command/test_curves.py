# SPDX-License-Identifier: BSD-3-Clause
"""Tests the pictures that `--curve` writes, and looks at them as tests/house/plots.py looks at
those of the pages."""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "house"))
import plots

TUTTI = os.environ["TUTTI_COMMAND"]


class Curves(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tutti-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tutti(self, *words, code=0):
        done = subprocess.run([TUTTI, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=200)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def picture(self, *words):
        """Returns the picture that a command writes, after it has been looked at."""
        self.tutti(*words, "--curve", "curve.svg")
        text = (self.folder / "curve.svg").read_text(encoding="utf-8")
        self.assertEqual(plots.faults(text), [])
        return text

    def test_explain_over_bytes(self):
        words = ("explain", "bcast", "-n", "32", "--machine", "sp2")
        text = self.picture(*words, "--algorithm", "increasing_ring")
        table = self.tutti(*words).stdout.split("fastest from\n")[1].split("\n\n")[0]
        best, before = [line.rsplit(None, 1) for line in table.splitlines()], None
        self.assertGreater(len(best), 2)
        for size, plan in best:
            algorithm = plan.split(":")[0]  # the picture takes its best settings
            if before not in (None, algorithm):
                self.assertIn(f">{algorithm} from {size.strip()}</text>", text)
            before = algorithm
        for name in (">increasing_ring</text>", ">bound with one port</text>",
                     ">one message of the vector<"):
            self.assertIn(name, text)

    def test_explain_on_this_machine_and_networks(self):
        self.assertIn(">one copy of the vector<", self.picture("explain", "allreduce", "-n", "8"))
        self.picture("explain", "allgather", "--machine", "slingshot-dragonfly", "--topology",
                     "torus:3x4")

    def test_explain_over_ranks(self):
        for operation in ("barrier", "allreduce"):
            text = self.picture("explain", operation, "-n", "48", "--machine", "sp2", "--over",
                                "ranks")
            for rank in (2, 8, 32):
                self.assertIn(f">{rank}</text>", text)

    def test_simulate(self):
        words = ("simulate", "bcast", "--machine", "sp2", "--algorithm", "mst,scatter_allgather")
        self.assertIn("scatter_allgather from ",
                      self.picture(*words, "-n", "8", "--bytes", "8..4M"))
        self.assertIn(">ranks</text>", self.picture(
            "simulate", "alltoall", "--machine", "ipsc860", "-d", "1..4", "--bytes", "4K",
            "--algorithm", "pairwise,linear", "--runs", "3", "--noise", "20"))

    def test_simulate_over_ranks(self):
        words = ("simulate", "allreduce", "--machine", "sp2", "--bytes", "4K")
        text = self.picture(*words, "-n", "2..16", "--algorithm", "ring,bidirectional_exchange")
        table = self.tutti(*words, "-n", "2..16", "--algorithm", "ring,bidirectional_exchange",
                           "--csv").stdout
        rows = list(csv.DictReader(io.StringIO(table)))
        best = {ranks: min((row for row in rows if row["ranks"] == ranks),
                           key=lambda row: float(row["mean_us"]))["algorithm"]
                for ranks in dict.fromkeys(row["ranks"] for row in rows)}
        changes = [f"{name} from {ranks}" for (ranks, name), before in
                   zip(list(best.items())[1:], best.values()) if name != before]
        self.assertGreater(len(changes), 0)
        self.assertEqual(re.findall(r">(\w+ from \d+)</text>", text), changes)
        self.assertIn("allreduce of 4K on sp2, crossbar:64, simulated", text)
        self.picture(*words, "-n", "2..32")
        self.assertIn(">chain, settings by ranks</text>", self.picture(
            "simulate", "bcast", "--machine", "sp2", "--bytes", "1M", "-n", "4..9", "--algorithm",
            "chain,mst"))
        self.assertIn("barrier on sp2", self.picture("simulate", "barrier", "--machine", "sp2",
                                                     "-n", "2..9"))

    def test_bench(self):
        words = ("bench", "allreduce,bcast", "-n", "2", "--bytes", "8..4K", "--seconds", "0.5",
                 "--curve")
        self.tutti(*words, "curves.html")
        page = (self.folder / "curves.html").read_text(encoding="utf-8")
        pictures = ["<svg" + rest.split("</svg>")[0] + "</svg>" for rest in page.split("<svg")[1:]]
        self.assertEqual(len(pictures), 2)
        for picture in pictures:
            self.assertEqual(plots.faults(picture), [])
        done = self.tutti(*words, "curves.svg", code=2)
        self.assertIn("name one operation", done.stderr)

    def test_a_page_and_the_standard_output(self):
        words = ("explain", "bcast", "-n", "8", "--machine", "sp2", "--curve")
        self.tutti(*words, "page.html")
        self.assertIn("<!DOCTYPE html>", (self.folder / "page.html").read_text(encoding="utf-8"))
        self.assertEqual(plots.faults(self.tutti(*words, "-").stdout), [])

    def test_what_cannot_be_drawn(self):
        for words, answer in (
            (("explain", "barrier", "-n", "8"), "--over ranks"),
            (("explain", "bcast", "-n", "8", "--over", "ranks", "--hosts", "2"), "--hosts"),
            (("simulate", "bcast", "--machine", "sp2", "-n", "8"), "several sizes"),
            (("simulate", "bcast", "--machine", "sp2", "-n", "2..8", "--bytes", "8,64"),
             "over sizes or over ranks"),
            (("simulate", "bcast", "--machine", "ipsc860", "-n", "2..4", "-d", "2..3"),
             "one network for each number of ranks"),
        ):
            done = self.tutti(*words, "--curve", "x.svg", code=2)
            self.assertIn(answer, done.stderr)
            self.assertFalse((self.folder / "x.svg").exists())


class Faults(unittest.TestCase):
    """The eyes of these tests see what they look for."""

    def test_faults_are_found(self):
        done = subprocess.run([TUTTI, "explain", "bcast", "-n", "8", "--machine", "sp2", "--curve",
                               "-"], capture_output=True, text=True, check=True)
        good = done.stdout
        self.assertEqual(plots.faults(good), [])
        line = next(part for part in good.split("<g class=")
                    if 'class="line"' in part and "translate" not in part)
        twice = '<g class="c1">' + line.split(">", 1)[1].replace("<title>", "<title>other ")
        bad = {
            "cover each other": good.replace('<g class="plot">', '<g class="plot">' + twice),
            "overlaps": good.replace(">time<",
                                     ">time</text><text x=\"14\" y=\"60\" class=\"k\">x<"),
            "has an exponent": good.replace(">time<", ">1e+07<"),
            "leaves the page": good.replace(">time<", ">" + 200 * "time" + "<"),
            "no description": good.replace("<desc>", "<desc/><d>").replace("</desc>", "</d>"),
            "dark pages": good.replace("prefers-color-scheme", "prefers"),
            "too small": good.replace(".plot{font-size:12px", ".plot{font-size:9px"),
        }
        for fault, text in bad.items():
            self.assertIn(fault, "; ".join(plots.faults(text)))


if __name__ == "__main__":
    unittest.main()
