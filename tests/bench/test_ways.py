# SPDX-License-Identifier: BSD-3-Clause
"""Tests bench_ways.py: what it makes of samples that are made up, and that the driver takes each
way and says so. Argument: the build folder."""
import argparse
import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/collectives"), str(ROOT / "tests/house")]
import bench_coll  # noqa: E402
import bench_ways  # noqa: E402
import cells  # noqa: E402
import plots  # noqa: E402
import ways  # noqa: E402

BUILD = Path(sys.argv.pop())
KIB, MIB = 1 << 10, 1 << 20


def sample(library, us, size=MIB, place="far", **sent):
    return {"library": library, "op": "bcast", "bytes": size, "us": us, "placement": place, **sent}


PACKETS = {"in_place": 0, "together": 0}
TOGETHER = {"in_place": 0, "together": 1}
IN_PLACE = {"in_place": 1, "together": 0}
SOME = [
    sample("in packets", 4, **PACKETS), sample("in packets", 6, **PACKETS),
    sample("together, by memcpy", 2, **TOGETHER), sample("together, by memcpy", 1, **PACKETS),
    sample("read in place", 3, **IN_PLACE), sample("read in place", 1, **TOGETHER),
    sample("bare-small", 9), sample("bare-large", 8), sample("bare-small", 1, 64 * KIB),
    sample("bare-direct", 7), sample("in packets", 100, place="near", **PACKETS)
]


class Curves(unittest.TestCase):
    def test_samples_that_went_another_way_are_left_out(self):
        found = ways.curves(SOME, "far")
        self.assertEqual(found["in packets"], {MIB: 5})
        self.assertEqual(found["together, by memcpy"], {MIB: 2})
        self.assertEqual(found["read in place"], {MIB: 3})
        self.assertNotIn("together, by the system", found)

    def test_the_quickest_bare_way_counts(self):
        found = ways.curves(SOME, "far")
        self.assertEqual(found["bare: two copies"], {64 * KIB: 1, MIB: 8})
        self.assertEqual(found["bare: one by the system"], {MIB: 7})

    def test_the_placement_with_the_most_samples_counts(self):
        self.assertEqual(ways.usual_place(SOME), "far")
        self.assertIsNone(ways.usual_place([sample("in packets", 1, place="mixed")]))

    def test_a_way_that_was_not_taken_is_told(self):
        lines = ways.table(SOME, "far")
        self.assertIn("| in packets |  | 5.00 |", lines)
        self.assertEqual(lines[-1], "Not taken on this machine: together, by the system.")

    def test_a_figure_with_bare_ways_as_limits(self):
        wide = SOME + [{**one, "bytes": 16 * MIB, "us": 20 * one["us"]} for one in SOME]
        text = bench_ways.drawn(BUILD, ways.picture(wide, "far"))
        self.assertEqual(plots.faults(text), [])
        self.assertIn("in packets", text)
        self.assertIn("bare: two copies", text)


class Runs(unittest.TestCase):
    def test_the_driver_takes_each_way(self):
        """A message goes in packets if its receiver comes late, so it is tried again."""
        with tempfile.TemporaryDirectory() as folder:
            options = argparse.Namespace(samples=Path(folder) / "samples", build=BUILD, turn=0.1)
            with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
                bench = bench_coll.Bench(options, lines)
                for name, (command, memory, plan) in bench_ways.jobs_of(BUILD).items():
                    if name == "together, by the system" and not self.permitted(bench):
                        continue
                    with self.subTest(name):
                        self.assertTrue(any(self.taken(bench, name, command, memory, plan)
                                            for _ in range(20)))
            self.assertTrue(bench.all_ended)

    @staticmethod
    def permitted(bench):
        here = json.loads(bench.written[0])["fingerprint"]
        return (here["process_vm_readv between children"] == "permitted"
                and here["Yama's ptrace_scope"] in ("0", "not there"))

    @staticmethod
    def taken(bench, name, command, memory, plan):
        before = len(bench.written)
        bench.run(name, command, 2, f"bcast:{2 * MIB}{plan}", memory)
        some = [ways.plain(one) for one in cells.read(bench.written[before:]).samples]
        return some and all(name not in ways.WAYS or ways.WAYS[name].is_taken(one) for one in some)


if __name__ == "__main__":
    unittest.main()
