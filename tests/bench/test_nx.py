# SPDX-License-Identifier: BSD-3-Clause
"""Tests the programs of the papers' experiments on 1 to 8 processes: every byte and every sum must
be right, whatever the time. It also tests what bench_nx.py computes from their figures. Argument:
the build folder."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/nx"), str(ROOT / "bench"), str(ROOT / "scripts")]
import exchange  # noqa: E402
import experiment  # noqa: E402
import libraries  # noqa: E402

BUILD = Path(sys.argv.pop())
TOOLS = BUILD / "bin"
GRIDS = {1: (1, 1), 2: (1, 2), 3: (1, 3), 4: (2, 2), 5: (1, 5), 6: (2, 3), 7: (1, 7), 8: (2, 4)}


def printed(command, variables=None):
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False,
                          env=variables)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


class Programs(unittest.TestCase):
    def test_exchanges(self):
        for nodes in range(1, 9):
            text = printed([TOOLS / "tutti-nx-exchange", "-sz", nodes, 1, 0.5, 0.001, 100, 129])
            self.assertIn(f"{nodes} nodes, 1 runs each: 0 wrong bytes", text)
            found = {(name, int(size)) for name, size, *_ in exchange.LINE.findall(text)}
            power = nodes & (nodes - 1) == 0
            for name in (*exchange.SIX, exchange.WITHOUT):
                self.assertEqual((name, 100) in found, power or "standard" not in name, text)
                self.assertEqual((name, 129) in found, name[-1] not in "U" and name != "standard_F")

    def test_messages(self):
        for nodes in range(1, 9):
            text = printed([TOOLS / "tutti-nx-messages", "-sz", nodes, 1, 300, 300, 2000, 2000])
            self.assertIn("wrong bytes 0", text)
            links = {line.split()[2] for line in text.splitlines() if line.startswith("message")}
            self.assertEqual(len(links), nodes.bit_length() - 1, text)

    def libraries_of(self, scope, rows, columns, cells):
        with tempfile.NamedTemporaryFile(dir="/dev/shm") as lines:
            lines.truncate(8192)
            text = printed([TOOLS / "tutti", "run", "-n", rows * columns, "--timeout", 90,
                            TOOLS / "tutti-nx-libraries", scope, rows, columns, "tutti", lines.name,
                            "0/1", 10, cells])
        return [json.loads(line) for line in text.splitlines()]

    def test_libraries_in_turn(self):
        for ranks, (rows, columns) in GRIDS.items():
            for scope in ("All", "Row", "Column"):
                for operation in ("bcast", "allreduce"):
                    ways = libraries.ways_in(scope, operation)
                    if scope != "All" and rows == 1:
                        continue
                    lines = self.libraries_of(scope, rows, columns, ",".join(
                        f"{operation}:{size}/" + "/".join(ways) for size in (16, 65536)))
                    right = [line for line in lines if line.get("verified")]
                    self.assertEqual(len(right), 2 * len(ways), (ranks, scope, lines))

    def test_calls_of_nx_and_of_the_library(self):
        for ranks in (1, 3, 4):
            cells = ",".join(f"{operation}:{sizes[0]}/tutti/nx"
                             for operation, (_, sizes) in libraries.COST.items())
            lines = self.libraries_of("All", *GRIDS[ranks], cells)
            self.assertEqual(sum(line.get("verified", False) for line in lines), 6, lines)


def cells(times, places=("near",) * 5):
    return [{"group": "g", "what": name, "us": [us] * 5, "places": list(places)}
            for name, us in times.items()]


class Figures(unittest.TestCase):
    def test_line_through_messages(self):
        made = [{"kind": "forced", "of": 16, "bytes": m, "links": d,
                 "us": [95 + 0.394 * m + 10.3 * d]}
                for m in range(0, 401, 50) for d in range(1, 8)]
        for ours, paper in zip(exchange.fitted(made, "forced", 16), (95, 0.394, 10.3)):
            self.assertAlmostEqual(ours, paper)

    def test_a_second_run(self):
        first = cells({"a": 1.0, "b": 2.0, "c": 3.0})
        same = experiment.comparison(cells({"a": 1.1, "b": 2.1, "c": 2.9}), first)
        self.assertEqual(len(same), 1, same)
        self.assertIn("3 of 3 medians", same[0])
        self.assertIn("Of 3 pairs", same[0])
        other = experiment.comparison(cells({"a": 2.5, "b": 2.0, "c": 3.0}), first)
        self.assertIn("2 of 3 medians", other[0])
        self.assertIn("- g, a: 2.50 times the other run", other)
        self.assertIn("- another order at g: a and b", other)

    def test_runs_are_compared_at_the_same_distance(self):
        """Only the rounds in which the processors were near count, because both runs have them."""
        now = cells({"a": 1.0}, ["far", "far", "near", "near", "near"])
        now[0]["us"] = [5.0, 5.0, 1.0, 1.0, 1.0]
        before = cells({"a": 1.0}, ["near", "near", "near", "mixed", "mixed"])
        before[0]["us"] = [1.0, 1.0, 1.0, 9.0, 9.0]
        lines = experiment.comparison(now, before)
        self.assertIn("1 of 1 medians", lines[0])
        main, sentence = experiment.of_main_place(now)
        self.assertEqual(main[0]["us"], [1.0] * 3)
        self.assertIn("near from each other in 60% of the rounds", sentence)

    def test_pairs_that_are_alike_have_no_order(self):
        lines = experiment.comparison(cells({"a": 1.05, "b": 1.0}), cells({"a": 1.0, "b": 1.05}))
        self.assertIn("Of 0 pairs", lines[0])


if __name__ == "__main__":
    unittest.main()
