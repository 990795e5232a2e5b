# SPDX-License-Identifier: BSD-3-Clause
"""Tests what bench_coll.py makes of samples that are made up: machines apart and side by side,
goals, bare ways above a goal, runs, and what a peer has not. It also tests the fingerprint of a
machine and how processes without a launcher are started."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/collectives")]
import bench_coll  # noqa: E402
import cells  # noqa: E402
import goals  # noqa: E402
import report  # noqa: E402
from common import fingerprint  # noqa: E402

KIB, MIB = 1 << 10, 1 << 20
HERE = {"maker": "GenuineIntel", "caches": "L1 48K, L2 2M", "processors": "2"}
THERE = {"maker": "AuthenticAMD", "caches": "L1 32K, L2 1M", "processors": "2"}


def sample(library, us, **more):
    return {"library": library, "op": "bcast", "bytes": 8, "us": us, "placement": "far", "ranks": 2,
            "processors": 2, "when": 86400, "load": 0.5, "machine": "here", "run": 1, **more}


def lines(*some):
    return [json.dumps(one) for one in some]


def result(*samples):
    """Returns the only cell of these samples."""
    results = report.compare(list(samples))
    assert len(results) == 1, results
    return results[0]


def median(what, samples):
    return next(one for one in report.medians(samples)["here"] if one["what"] == what)


class Cells(unittest.TestCase):
    def test_the_best_peer_is_the_fastest_by_its_median(self):
        one = result(sample("tutti", 3), sample("openmpi", 4), sample("openmpi", 6),
                     sample("openmpi", 5), sample("mpich", 6), sample("gloo", 9))
        self.assertEqual((one["peer"], one["peer_us"], one["ratio"]), ("openmpi", 5, 0.6))
        self.assertEqual(one["ratio_of_minima"], 0.75)

    def test_ours_with_shared_buffers_is_no_peer(self):
        one = result(sample("tutti", 3), sample("tutti-in-place", 1), sample("mpich", 6))
        self.assertEqual((one["peer"], one["in_place_us"]), ("mpich", 1))

    def test_a_combining_operation_has_the_bare_time_of_its_messages(self):
        one = report.compare([sample("bare-large", 2), sample("bare-small", 4),
                              sample("tutti", 3, op="allreduce"),
                              sample("mpich", 6, op="allreduce")])[0]
        self.assertEqual((one["op"], one["bare_us"], one["bare_method"]), ("allreduce", 3, "large"))

    def test_the_way_of_long_messages(self):
        def told(library, us, in_place, together):
            return sample(library, us, in_place=in_place, together=together)

        some = [told("tutti", 3, 0, 1), told("tutti", 4, 0, 0.9), told("tutti-in-place", 2, 2, 1),
                sample("mpich", 6)]
        one = result(*some)
        self.assertEqual(one["sent"], {"in_place": 0, "together": 0.95})
        self.assertEqual(one["in_place_sent"], {"in_place": 2, "together": 1})
        text = report.markdown(cells.read(lines(*some)))
        self.assertIn("| 2.00 | in place 2.0, together 1.0 | 3.50 | together 0.9 |", text)
        self.assertEqual(report.way_text({"in_place": 0, "together": 0.01}), "packets")
        # A bare broadcast that stands for another operation says nothing of it.
        self.assertIsNone(result(sample("tutti", 3), sample("mpich", 6))["sent"])

    def test_samples_of_two_machines_and_of_two_placements_are_apart(self):
        some = [sample(library, us, machine=machine, placement=place)
                for machine, place, factor in (("here", "far", 1), ("there", "far", 10),
                                               ("there", "near", 100))
                for library, us in (("tutti", 3 * factor), ("mpich", 6 * factor))]
        found = {(one["machine"], one["placement"]): one["us"] for one in report.compare(some)}
        self.assertEqual(found, {("here", "far"): 3, ("there", "far"): 30, ("there", "near"): 300})
        # The peer of one machine is not compared with ours of another.
        self.assertEqual(report.compare([sample("tutti", 3), sample("mpich", 6, machine="there")]),
                         [])

    def test_samples_without_a_machine_have_one_of_their_own(self):
        old = sample("tutti", 3), sample("mpich", 6)
        for one in old:
            del one["machine"], one["run"]
        self.assertEqual(result(*old)["machine"], "unknown")
        self.assertIn("| machine | unknown |", report.markdown(cells.read(lines(*old))))

    def test_a_changed_placement_is_left_out_unless_the_ranks_are_crowded(self):
        some = [sample(library, 1, placement="mixed") for library in ("tutti", "mpich")]
        self.assertEqual(report.compare(some), [])
        crowd = [one | {"ranks": 4} for one in some]
        self.assertEqual(result(*crowd)["placement"], "oversubscribed")


class Goals(unittest.TestCase):
    def missed(self, ours, **cell):
        """Returns the goals that a cell misses if the best peer takes 100 us."""
        return result(sample("tutti", ours, **cell), sample("impi", 100, **cell),
                      sample("openmpi", 100, **cell))["missed"]

    def test_each_cell_of_two_processes(self):
        self.assertEqual(self.missed(110), [])
        self.assertEqual(self.missed(111), ["1.11 times impi, goal 1.10"])
        self.assertEqual(self.missed(120, op="alltoall"), [])
        self.assertEqual(self.missed(121, op="alltoall"), ["1.21 times impi, goal 1.20"])
        self.assertEqual(self.missed(500, op="barrier", bytes=0), [])

    def test_four_and_eight_are_compared_with_debians_mpis(self):
        for ranks in (4, 8):
            self.assertEqual(self.missed(115, ranks=ranks), [])
            self.assertEqual(len(self.missed(116, ranks=ranks)), 1)
            one = result(sample("tutti", 100, ranks=ranks), sample("impi", 10, ranks=ranks),
                         sample("mpich", 100, ranks=ranks))
            self.assertEqual((one["missed"], one["ratio"]), ([], 10))
        self.assertEqual(self.missed(500, ranks=16), [])

    def test_shared_buffers(self):
        def missed(us, op, size):
            return result(sample("tutti", 90, op=op, bytes=size),
                          sample("tutti-in-place", us, op=op, bytes=size),
                          sample("impi", 100, op=op, bytes=size))["missed"]

        for op in ("allgather", "alltoall"):
            for size in (256 * KIB, 2 * MIB):
                self.assertEqual(missed(80, op, size), [])
                self.assertEqual(missed(81, op, size), ["in place 0.81 times impi, goal 0.80"])
        self.assertEqual(missed(500, "bcast", 2 * MIB), [])
        self.assertEqual(missed(110, "alltoall", 8), [])
        self.assertEqual(missed(115, "alltoall", 8), ["in place 1.15 times impi, goal 1.10"])

    def test_a_bare_way_above_a_goal_is_the_goal(self):
        def one(ours, bare):
            return result(sample("tutti", ours), sample("impi", 100), sample("bare-small", bare),
                          sample("bare-large", bare + 50))

        self.assertEqual(one(111, 109)["bare_is_goal_of"], [])
        self.assertEqual(one(130, 130)["missed"], [])
        self.assertEqual(one(130, 130)["bare_is_goal_of"], ["tutti"])
        self.assertEqual(one(131, 130)["missed"], ["1.31 times impi, goal 1.10, but the bare way "
                                                   "is at 1.30, which is the goal"])
        text = report.markdown(cells.read(lines(sample("tutti", 1), sample("impi", 100),
                                                sample("bare-small", 130))))
        self.assertIn("| bcast | 8 | impi 100 | small 130 = goal |  |  |  | 1.00 |  | "
                      "0.01 (0.01) |", text)

    def test_shared_buffers_are_compared_with_a_bare_way_that_shares_them(self):
        cell = {"op": "alltoall", "bytes": MIB}
        some = [sample("tutti", 85, **cell), sample("tutti-in-place", 85, **cell),
                sample("impi", 100, **cell), sample("bare-direct", 90, **cell)]
        self.assertEqual(result(*some)["missed"], ["in place 0.85 times impi, goal 0.80"])
        one = result(*some, sample("bare-in-place", 86, **cell))
        self.assertEqual((one["missed"], one["bare_us"], one["bare_in_place_us"]), ([], 90, 86))
        self.assertEqual(one["bare_is_goal_of"], ["tutti-in-place"])
        text = report.markdown(cells.read(lines(*some, sample("bare-in-place", 86, **cell))))
        self.assertIn("| alltoall | 1M | impi 100 | direct 90.0 | 86.0 = goal | 85.0 |  | 85.0 |  "
                      "| 0.85 (0.85) |", text)

    def test_a_goal_is_missed_if_it_is_missed_in_each_run(self):
        def missed(*times):
            return result(*(sample(library, us, run=run)
                            for run, ours in enumerate(times)
                            for library, us in (("tutti", ours), ("impi", 100))))["missed"]

        self.assertEqual(missed(500, 105), [])
        self.assertEqual(len(missed(500, 115)), 1)

    def test_medians(self):
        sizes = [*goals.SHORTER, 16 * MIB]
        some = [sample(library, us, bytes=size)
                for size, ours in zip(sizes, (50, 60, 65, 67, 70, 80, 900), strict=True)
                for library, us in (("tutti", ours), ("impi", 100))]
        some += [sample("tutti", 900, op="barrier", bytes=0),
                 sample("impi", 100, op="barrier", bytes=0)]
        one = median("median of p = 2, far, 8 to 2M", some)
        self.assertEqual((one["median"], one["cells"], one["goal"], one["missed"]),
                         (0.66, 6, 0.66, False))
        near = [one | {"placement": "near"} for one in some]
        self.assertTrue(median("median of p = 2, near, 8 to 2M", near)["missed"])
        crowd = [one | {"ranks": 4} for one in some]
        self.assertEqual(report.medians(crowd)["here"], [])  # Intel MPI does not count there
        crowd += [one | {"library": "openmpi"} for one in crowd if one["library"] == "impi"]
        one = median("median of p = 4", crowd)
        self.assertEqual((one["median"], one["cells"], one["missed"]), (0.67, 7, True))
        some += [sample("bare-small", 70, bytes=size) for size in sizes]
        one = median("median of p = 2, far, 8 to 2M", some)
        self.assertEqual((one["goal"], one["bare_is_goal"], one["missed"]), (0.7, True, False))
        self.assertIn("| median of p = 2, far, 8 to 2M | 0.66 of 6 cells, goal 0.70, which is the "
                      "bare way |", report.markdown(cells.read(lines(*some))))


class Text(unittest.TestCase):
    def records(self):
        some = [sample(library, us, machine=machine, placement=place, op=op)
                for machine, place, op, factor in (("here", "far", "bcast", 1),
                                                   ("there", "near", "bcast", 10),
                                                   ("there", "near", "scan", 100))
                for library, us in (("tutti", 3 * factor), ("mpich", 6 * factor))]
        return lines({"machine": "here", "fingerprint": HERE},
                     {"machine": "there", "fingerprint": THERE}, *some,
                     {"library": "gloo", "op": "scan", "refused": "gloo has no scan"})

    def test_two_machines_stand_side_by_side(self):
        text = report.markdown(cells.read(self.records())).splitlines()
        for line in ("| machine | here | there |", "| maker | GenuineIntel | AuthenticAMD |",
                     "| placements seen | far | near |", "| ours / best peer | here | there |",
                     "gloo has no scan.", "Median of the ratios: here far: 0.50, there near: 0.50.",
                     "| bcast | 8 | mpich 6.00 |  |  |  |  | 3.00 |  | 0.50 (0.50) | mpich 60.0 |  "
                     "|  |  |  | 30.0 |  | 0.50 (0.50) |",
                     "| scan | 8 |  |  |  |  |  |  |  |  | mpich 600 |  |  |  |  | 300 |  "
                     "| 0.50 (0.50) |",
                     "there, p = 2: not sampled: sibling, mid, far."):
            self.assertIn(line, text)
        self.assertEqual(text.count("### p = 2"), 1)

    def test_a_single_machine_has_a_table_for_each_placement(self):
        some = [sample(library, 1, placement=place) for place in ("near", "far")
                for library in ("tutti", "mpich")]
        text = report.markdown(cells.read(lines(*some)))
        self.assertEqual([line for line in text.splitlines() if line.startswith("###")],
                         ["### p = 2, far", "### p = 2, near"])

    def test_files_become_a_page_and_json(self):
        with tempfile.TemporaryDirectory() as folder:
            page, *files = (Path(folder) / name for name in ("page.md", "here", "there"))
            page.write_text("head\n" + bench_coll.MARK + "old\n", encoding="utf-8")
            files[0].write_text("\n".join(self.records()[:4]) + "\n", encoding="utf-8")
            files[1].write_text("\n".join(self.records()[4:]) + "\n", encoding="utf-8")
            words = ["x", "--report", *map(str, files), "--json", "--doc", str(page)]
            with mock.patch.object(sys, "argv", words), \
                    contextlib.redirect_stdout(io.StringIO()) as output:
                self.assertEqual(bench_coll.main(), 0)
            found = json.loads(output.getvalue())
            text = page.read_text(encoding="utf-8")
        self.assertEqual([one["maker"] for one in found["machines"].values()],
                         ["GenuineIntel", "AuthenticAMD"])
        self.assertEqual((len(found["results"]), found["refused"][0]["library"]), (3, "gloo"))
        self.assertTrue(text.startswith("head\n" + bench_coll.MARK + "| machine | here | there |"))
        self.assertNotIn("old", text)

    def test_a_library_that_is_not_there(self):
        self.assertEqual(list(bench_coll.chosen({"a": 1, "b": 2, "c": 3}, "c,a")), ["c", "a"])
        with self.assertRaises(SystemExit) as got:
            bench_coll.chosen({"a": 1}, "a,nothing")
        self.assertIn("nothing cannot be measured here; there are a", str(got.exception))


class Machine(unittest.TestCase):
    def test_the_key_changes_with_each_fact(self):
        one = fingerprint.take()
        self.assertEqual(fingerprint.key_of(one), fingerprint.key_of(fingerprint.take()))
        for what in one:
            self.assertTrue(one[what], what)
            self.assertNotEqual(fingerprint.key_of(one), fingerprint.key_of(one | {what: "other"}))
        self.assertRegex(one["process_vm_readv between children"], "^(permitted|refused|the C )")

    def test_a_processor_is_read_from_its_text(self):
        text = ("vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC"
                "\nstepping\t: 1\nflags\t\t: fpu hypervisor\n\nvendor_id\t: Other\n")
        self.assertEqual(fingerprint.processor(text),
                         ("AuthenticAMD", "AMD EPYC", "family 25, model 1, stepping 1"))
        self.assertEqual(fingerprint.is_virtual(text), "yes")
        arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n"
        self.assertEqual(fingerprint.processor(arm),
                         ("implementer 0x41", "unknown", "architecture 8, part 0xd0c"))

    def test_caches_without_those_of_code(self):
        with tempfile.TemporaryDirectory() as folder:
            for number, facts in enumerate((("1", "Data", "48K", "0"),
                                            ("1", "Instruction", "32K", "0"),
                                            ("3", "Unified", "32768K", "0-3,8"))):
                index = Path(folder) / f"index{number}"
                index.mkdir()
                for name, fact in zip(("level", "type", "size", "shared_cpu_list"), facts,
                                      strict=True):
                    (index / name).write_text(fact + "\n", encoding="utf-8")
            self.assertEqual(fingerprint.caches(Path(folder)), "L1 48K, L3 32M of 5 processors")


class Start(unittest.TestCase):
    def started(self, script, count=2):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            program.chmod(0o755)
            return subprocess.run(
                [ROOT / "bench/collectives/start.py", "-n", str(count), program, "word"],
                capture_output=True, text=True, timeout=60, check=False)

    def test_processes_get_their_numbers_and_a_folder(self):
        done = self.started('test -d "$3" && echo "$1 $2 $4 $3"')
        numbers = sorted(line.split()[:3] for line in done.stdout.splitlines())
        self.assertEqual((done.returncode, numbers), (0, [["0", "2", "word"], ["1", "2", "word"]]))
        self.assertFalse(os.path.exists(done.stdout.split()[3]))

    def test_a_failure_ends_the_others(self):
        self.assertEqual(self.started('[ "$1" = 1 ] && exit 3; exec sleep 60').returncode, 3)


if __name__ == "__main__":
    unittest.main()
