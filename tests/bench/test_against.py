# SPDX-License-Identifier: BSD-3-Clause
"""Tests what bench_against.py makes of samples: pairs, ratios, scatter, verdicts, the list of cells
that may be worse, and wrong arguments. Jobs are made up. With a build folder as argument, it also
compares that build with itself, for its cells and not for its times."""
import contextlib
import fnmatch
import io
import json
import random
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench/bench_against.py"
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "scripts")]
import bench_against  # noqa: E402
from against import builds, may_lose, more_subjects, ratios, report, runs, subjects  # noqa: E402

BUILD = Path(sys.argv.pop()) if len(sys.argv) > 1 else None
ENTRY = {"bench": "coll", "cell": "bcast * p=4", "most": 1.2, "reason": "known"}


def cell(base, new, base_places=None, new_places=None, **more):
    return {"bench": "coll", "cell": "bcast 8 B p=4", "unit": "us", "job": "p=4", "crowded": True,
            "base": base, "new": new, "base_places": base_places or ["near"] * len(base),
            "new_places": new_places or ["near"] * len(new), **more}


def noisy(numbers, median, spread, count=15):
    return [median * (1 + spread * numbers.gauss(0, 1)) for _ in range(count)]


class Ratios(unittest.TestCase):
    def test_the_bound_is_the_largest_within_the_risk(self):
        # 2^-7 <= 1 % < 2^-6; (1 + 15 + 105) / 2^15 = 0.4 % and with 455 more it is 1.8 %.
        self.assertEqual([ratios.rank_of_bound(n) for n in (0, 1, 6, 7, 15)], [0, 0, 0, 1, 3])

    def test_a_pair_needs_both_samples_at_one_distance(self):
        places = ["near", "near", "far", "mixed", None], ["near", "far", "far", "near", "near"]
        one = cell([1, 2, 3, 4, 5], [6, 7, 8, None, 9], *places)
        self.assertEqual(ratios.pairs_of(one), [(1, 6), (3, 8), (5, 9)])

    def test_verdicts(self):
        for factor, verdict in ((1.0, "same"), (1.02, "same"), (1.04, "worse"), (0.9, "better")):
            found = ratios.compared(cell([2.0] * 15, [2.0 * factor] * 15))
            self.assertEqual(found.verdict, verdict)
            self.assertAlmostEqual(found.ratio, factor)
            self.assertAlmostEqual(found.scatter, 0)
        self.assertEqual(ratios.compared(cell([1.0] * 6, [9.0] * 6)).verdict, "open")
        self.assertIsNone(ratios.compared(cell([None, 1.0], [1.0, None])))

    def test_the_scatter_is_the_distance_to_the_third_of_fifteen(self):
        found = ratios.compared(cell([1.0] * 15, [1 + i / 100 for i in range(15)]))
        self.assertAlmostEqual(found.ratio, 1.07)
        self.assertAlmostEqual(found.scatter, 0.05)
        self.assertEqual(found.verdict, "same")
        self.assertAlmostEqual(found.ratio_of_medians, 1.07)

    def test_outliers_and_drift_do_not_count(self):
        self.assertEqual(ratios.compared(cell([1.0] * 15, [1.0] * 9 + [50.0] * 6)).verdict, "same")
        self.assertEqual(ratios.compared(cell([9.0, 0.01] + [1.0] * 13, [1.1] * 15)).verdict,
                         "worse")
        state = [1.0] * 7 + [2.0] * 8  # the machine becomes slower; the base has one sample more
        found = ratios.compared(cell([1.0] + state, state + [2.0]))
        self.assertEqual((found.ratio, found.verdict), (1.0, "same"))

    def test_the_same_build_agrees_and_a_loss_is_found(self):
        numbers = random.Random(61)
        verdicts = [[ratios.compared(cell(noisy(numbers, 1, 0.05),
                                          noisy(numbers, factor, 0.05))).verdict
                     for _ in range(1000)] for factor in (1, 1.15)]
        self.assertLess(verdicts[0].count("worse"), 10)
        self.assertGreater(verdicts[1].count("worse"), 900)

    def test_figures_of_zero(self):
        self.assertEqual(ratios.compared(cell([0.0] * 15, [0.0] * 15)).verdict, "same")
        self.assertEqual(ratios.compared(cell([0.0] * 15, [1.0] * 15)).verdict, "worse")


class List(unittest.TestCase):
    def test_the_list_of_the_tree_can_be_read(self):
        entries = may_lose.read()
        pair = {"bench": "blacs", "cell": "amx ' ' 64 doubles 1x2", "crowded": False}
        self.assertIsNotNone(may_lose.reason(entries, pair, 2.5))
        self.assertIsNone(may_lose.reason(entries, pair, 2.7))
        crowd = {"bench": "coll", "cell": "bcast 8 B p=4", "crowded": True}
        self.assertIsNotNone(may_lose.reason(entries, crowd, 1.14))
        self.assertIsNone(may_lose.reason(entries, crowd | {"crowded": False}, 1.14))

    def test_each_entry_matches_a_cell_that_a_job_has(self):
        names = [(job.bench, "* " + job.name) for make in bench_against.BENCHES.values()
                 for job in make()]
        for entry in may_lose.read():
            self.assertTrue(any(fnmatch.fnmatchcase(bench, entry.bench)
                                and entry.cell.split()[-1].lstrip("*") in name
                                for bench, name in names), entry)

    def test_mistakes_in_a_list(self):
        lines = ['[[may_lose]]\nbench = "a"', 'a = 1', '[[may_lose]', '[[may_lose]]\n' + "\n".join(
            f'{key} = {json.dumps(value)}' for key, value in (ENTRY | {"most": 0.9}).items())]
        with tempfile.TemporaryDirectory() as folder:
            for text in lines:
                file = Path(folder) / "list.toml"
                file.write_text(text, encoding="utf-8")
                with self.assertRaises(may_lose.Mistake):
                    may_lose.read(file)
        for change in ({"reason": " "}, {"most": "2"}, {"cells": "x"}):
            with self.assertRaises(may_lose.Mistake):
                may_lose.entry_of(ENTRY | change, "here")


class Report(unittest.TestCase):
    def rows(self, new, again=()):
        return report.judged([cell([1.0] * 15, new)], again, [may_lose.Entry(**ENTRY)])

    def test_a_listed_cell_may_be_worse_up_to_its_limit(self):
        self.assertEqual(report.unlisted(self.rows([1.19] * 15)), [])
        self.assertEqual(len(report.unlisted(self.rows([1.21] * 15))), 1)

    def test_a_cell_is_worse_if_it_is_so_twice(self):
        same, few = cell([1.0] * 15, [1.0] * 15), cell([1.0] * 3, [1.0] * 3)
        worse = cell([1.0] * 15, [1.5] * 15)
        self.assertEqual(report.unlisted(self.rows([2.0] * 15, [same])), [])
        self.assertEqual(report.unlisted(self.rows([2.0] * 15, [worse]))[0][1].ratio, 1.5)
        self.assertEqual(report.unlisted(self.rows([2.0] * 15, [few]))[0][1].ratio, 2.0)

    def test_worse_cells_come_first_and_each_bench_is_summed_up(self):
        cells = [cell([1.0] * 15, [1.0] * 15, cell="a"), cell([1.0] * 15, [3.0] * 15, cell="b"),
                 cell([1.0] * 15, [2.0] * 15, bench="lat", cell="c"),
                 cell([1.0], [None], cell="d")]
        lines = report.text(report.judged(cells, [], []), cells, ["Base: x"]).splitlines()
        self.assertEqual([line.split(" | ")[1] for line in lines if line.startswith("| coll | b ")
                          or line.startswith("| lat | c ")], ["b", "c"])
        self.assertIn("| coll | 2 | 2.000 | 0.0 % | 1 | 1 | 0 | 0 |", lines)
        self.assertIn("| all | 3 | 2.000 | 0.0 % | 2 | 2 | 0 | 0 |", lines)
        self.assertIn("1 cells are measured in the base build only: coll d", lines)


def printing(name, script, unit="us"):
    """Returns a job whose `build` is a word for a shell script."""
    return subjects.Job("made up", name, 2, lambda build, _: ["sh", "-c", script, "sh", build],
                        lambda text, _: {f"of {name}": (float(text), "near")}, (), unit)


class Runs(unittest.TestCase):
    def taken(self, jobs, count, seconds=60):
        measurement = runs.Measurement({"base": "1", "new": "2"}, time.monotonic() + seconds, 2)
        samples = runs.Samples(1)
        with contextlib.redirect_stderr(io.StringIO()):
            rounds = measurement.take(jobs, count, samples)
        return measurement, samples.list(), rounds

    def test_the_builds_take_turns_in_both_orders(self):
        with tempfile.NamedTemporaryFile() as file:
            _, cells, rounds = self.taken([printing("a", f'echo $1 | tee -a {file.name}')], 3)
            self.assertEqual(Path(file.name).read_text(encoding="utf-8").split(), list("122112"))
        self.assertEqual((cells[0]["base"], cells[0]["new"], rounds), ([1] * 3, [2] * 3, 3))
        self.assertTrue(cells[0]["crowded"])

    def test_a_failing_job_is_told_and_not_repeated(self):
        bad = printing("bad", 'echo reason >&2; [ $1 = 1 ] && echo 1')
        measurement, cells, _ = self.taken([bad, printing("good", "echo 3")], 2)
        self.assertEqual(list(measurement.failures), [("made up", "bad", "new")])
        self.assertIn("reason", measurement.failures["made up", "bad", "new"])
        self.assertEqual([(one["cell"], one["new"]) for one in cells],
                         [("of bad", [None, None]), ("of good", [3, 3])])
        measurement, _, _ = self.taken([printing("text", "echo no number")], 1)
        self.assertEqual(len(measurement.failures), 2)

    def test_a_job_that_cannot_run_here_is_skipped(self):
        measurement, cells, _ = self.taken([printing("a", "exit 77")], 2)
        self.assertEqual((measurement.failures, cells), ({}, []))

    def test_no_job_starts_when_the_time_is_over(self):
        self.assertEqual(self.taken([printing("a", "echo 1")], 2, -1)[1:], ([], 0))

    def test_a_sample_that_is_missing_keeps_the_pairs_together(self):
        samples, job = runs.Samples(2), printing("a", "")
        samples.add(job, "base", 0, {"cell": (1.0, None)})
        samples.add(job, "new", 1, {"cell": (2.0, None)})
        samples.add(job, "base", 1, {"cell": (3.0, None)})
        self.assertEqual(ratios.pairs_of(samples.list()[0]), [(3.0, 2.0)])


class Reading(unittest.TestCase):
    def test_the_median_is_of_the_most_frequent_distance(self):
        rows = [(9, "mixed"), (9, "mixed"), (9, "mixed"), (1, "near"), (2, "near"), (5, "far")]
        self.assertEqual(subjects.settled(rows), (1.5, "near"))
        self.assertEqual(subjects.settled(rows[:3]), (9, "mixed"))

    def test_unknown_lines_and_fields_do_no_harm(self):
        job = subjects.coll()[0]
        found = job.read('notice\n{"op":"bcast","bytes":8,"verified":true}\n'
                         '{"op":"bcast","bytes":8,"us":1.5,"placement":"near","more":[1]}\n', 1.0)
        self.assertEqual(found, {"bcast 8 B p=2": (1.5, "near")})
        self.assertEqual(subjects.bsp_cells("p,2\nx,y\nl,shift,1e-6\nl,shift\n"
                                            "g,random,put,1,4,2e-6\ng,random,put,2,4,9\n"
                                            "g,random,put,1,8,9\n", (1,), (4,)),
                         [("l after shift", 1.0), ("random put, 4 of 1 words", 2.0)])

    def test_little_waiting_is_not_told_apart(self):
        job = next(job for job in more_subjects.limits() if job.name == "waiting p=2")
        line = '{"processes": 2, "operation": "scan", "bytes": 8, "busy_percent": 0.01}'
        self.assertEqual(list(job.read(line, 1.0).values()), [(0.5, None)])


class Command(unittest.TestCase):
    def test_wrong_arguments(self):
        wrong = ([], ["HEAD", "--base-build", "x"], ["HEAD", "--benches", "lat fast"],
                 ["HEAD", "--benches", ""], ["HEAD", "--samples", "0"], ["HEAD", "--minutes", "0"],
                 ["HEAD", "--processors", "x"])
        for words in wrong:
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as got:
                bench_against.arguments(words)
            self.assertEqual(got.exception.code, 2, words)
        self.assertEqual(bench_against.arguments(["x", "--benches", "lat,lu"]).benches,
                         ["lat", "lu"])
        with self.assertRaises(builds.Failure):
            builds.commit_of("--all")

    def written(self, new, **more):
        """Returns the exit code and the output of --report."""
        found = {"format": bench_against.FORMAT, "notes": [], "stopped": False, "failures": [],
                 "cells": [cell([1.0] * 15, new)], "again": []} | more
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(found, file)
            file.flush()
            with mock.patch.object(sys, "argv", ["x", "--report", file.name]), \
                    contextlib.redirect_stdout(io.StringIO()) as output, \
                    contextlib.redirect_stderr(output):
                return bench_against.main(), output.getvalue()

    def test_exit_codes(self):
        self.assertEqual(self.written([1.0] * 15)[0], 0)
        code, text = self.written([1.5] * 15)
        self.assertEqual(code, 1)
        self.assertIn("| coll | bcast 8 B p=4 | 1 (1) | 1.5 (1.5) | us | 1.500 | 0.0 % | 15 |",
                      text)
        self.assertEqual(self.written([1.5] * 15, failures=["why"])[0], 2)
        self.assertEqual(self.written([1.0] * 15, stopped=True)[0], 130)
        code, text = self.written([1.0] * 15, format="another")
        self.assertEqual(code, 2)
        self.assertIn("is not of the format", text)

    @unittest.skipIf(BUILD is None, "no build folder is given")
    def test_a_build_against_itself(self):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            done = subprocess.run(
                [sys.executable, "-B", SCRIPT, "--base-build", BUILD, "--build", BUILD, "--benches",
                 "choice limits", "--samples", "1", "--wait", "0", "--json", file.name],
                capture_output=True, text=True, timeout=280, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            cells = json.loads(Path(file.name).read_text(encoding="utf-8"))["cells"]
        self.assertEqual({one["bench"] for one in cells}, {"choice", "limits"})
        for one in cells:
            self.assertEqual((len(one["base"]), len(one["new"])), (1, 1))
            self.assertGreater(min(*one["base"], *one["new"]), 0)

    @unittest.skipIf(BUILD is None, "no build folder is given")
    def test_two_signals_end_it_with_a_report(self):
        words = [sys.executable, "-B", SCRIPT, "--base-build", BUILD, "--build", BUILD, "--benches",
                 "choice", "--samples", "1000000", "--wait", "0"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            next(line for line in process.stderr if line.startswith("sample"))
            process.terminate()
            process.terminate()
            output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("After: load average", output)


if __name__ == "__main__":
    unittest.main()
