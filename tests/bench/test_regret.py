# SPDX-License-Identifier: BSD-3-Clause
"""Tests which cells bench/bench_regret.py keeps, with plans and ratios that are made up."""
import argparse
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "bench")]
import bench_regret  # noqa: E402

OPTIONS = argparse.Namespace(build=Path("build"), ranks="2", ops="bcast,reduce,scan", bytes="8")


def explained(_, operation, *__):
    names = ("a",) if operation == "scan" else ("a", "b")
    candidates = [{"name": name, "algorithm": name, "shared_memory": {}} for name in names]
    return {"library": "a"}, candidates, candidates


def measured(_, __, operation, *___):
    return None if operation == "reduce" else {"a": 1.0, "b": 2.0}


class Cells(unittest.TestCase):
    def test_those_without_a_result_are_told(self):
        dropped = []
        with mock.patch.multiple(bench_regret, explained=explained, measured=measured):
            kept = [cell["operation"] for cell in bench_regret.cells(OPTIONS, dropped)]
        self.assertEqual(kept, ["bcast"])
        self.assertEqual(dropped, ["reduce of 8 bytes, 2 processes: a job had no result",
                                   "scan of 8 bytes, 2 processes: there is one plan only"])

    def test_a_cell_has_eight_plans_of_different_algorithms_at_most(self):
        candidates = [{"name": f"{name}:n={n}", "algorithm": name}
                      for name in "abcdefghij" for n in (1, 2)]
        plans = bench_regret.plans_of({"library": "c:n=2"}, candidates, candidates)
        self.assertEqual(plans, ["c:n=2"] + [f"{name}:n=1" for name in "abdefgh"])


if __name__ == "__main__":
    unittest.main()
