# SPDX-License-Identifier: BSD-3-Clause
"""Tests what `tutti bench` and `tutti tune` print and write. The tests do not depend on measured
times."""
import csv
import io
import json
import multiprocessing
import os
import signal
import subprocess
import tempfile
import time
import unittest

TUTTI = os.environ["TUTTI_COMMAND"]
OPERATIONS = [
    "barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "reduce_scatter",
    "alltoall", "scan", "exscan"
]
BLOCKS = ("gather", "scatter", "allgather", "reduce_scatter", "alltoall")
PLACEMENTS = ("sibling", "near", "mid", "far", "mixed")


class MeasuringTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tutti-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def tutti(self, *arguments, code=0, **variables):
        environment = {
            **os.environ, "XDG_CONFIG_HOME": self.folder, "TUTTI_PROFILE": "", **variables
        }
        done = subprocess.run([TUTTI, *arguments],
                              capture_output=True,
                              text=True,
                              timeout=100,
                              env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def bench(self, *arguments, **variables):
        return json.loads(
            self.tutti("bench", "--seconds", "0.2", "--json", *arguments, **variables).stdout)


class Bench(MeasuringTest):
    def check_figures(self, figures):
        self.assertGreaterEqual(figures["samples"], 1)
        self.assertLess(0, figures["minimum_us"])
        self.assertLessEqual(figures["minimum_us"], figures["median_us"])
        self.assertLessEqual(figures["median_us"], figures["p95_us"])
        self.assertGreaterEqual(figures["spread"], 0)

    def check_results(self, report, cells):
        self.assertEqual([(entry["op"], entry["block_bytes"]) for entry in report["results"]],
                         cells)
        for entry in report["results"]:
            self.assertIs(entry["verified"], True)
            self.assertTrue(entry["algorithm"])
            self.assertTrue(entry["placements"])
            for figures in entry["placements"]:
                self.assertIn(figures["placement"], PLACEMENTS)
                self.check_figures(figures)

    def test_every_operation(self):
        report = self.bench("--block-bytes", "8,32K", "-n", "2")
        self.assertEqual(report["ranks"], 2)
        self.check_results(report, [(op, size)
                                    for op in OPERATIONS
                                    for size in ((0, ) if op == "barrier" else (8, 32768))])
        self.assertTrue(report["busy"] is None or "process" in report["busy"], report["busy"])
        for entry in report["results"]:
            blocks = 2 if entry["op"] in BLOCKS else 1
            self.assertEqual(entry["bytes"], blocks * entry["block_bytes"])
        for word in ("date", "processor", "compiler", "system", "library_version"):
            self.assertTrue(report[word])

    def test_some_on_three_processes(self):
        report = self.bench("alltoall,bcast,combine_to_all", "--block-bytes", "8..128", "-n", "3")
        self.check_results(report, [(op, size)
                                    for op in ("alltoall", "bcast", "allreduce")
                                    for size in (8, 64, 128)])

    def test_bytes_are_those_of_the_whole_vector(self):
        report = self.bench("allgather,bcast", "--bytes", "8,96,1K", "-n", "3")
        self.assertEqual([(entry["op"], entry["bytes"], entry["block_bytes"])
                          for entry in report["results"]], [("allgather", 24, 8),
                                                            ("allgather", 96, 32),
                                                            ("allgather", 1032, 344),
                                                            ("bcast", 8, 8), ("bcast", 96, 96),
                                                            ("bcast", 1024, 1024)])

    def test_the_model_is_that_of_the_machine_that_is_named(self):
        report = self.bench("bcast", "--bytes", "1K", "-n", "4", "--root", "3", "--algorithm",
                            "mst", "--machine", "paragon", "--topology", "mesh:2x2")
        self.assertTrue(report["profile"].startswith("paragon"))
        explained = json.loads(
            self.tutti("explain", "bcast", "-n", "4", "--root", "3", "--bytes", "1K", "--algorithm",
                       "mst", "--machine", "paragon", "--topology", "mesh:2x2", "--json").stdout)
        for figures in report["results"][0]["placements"]:
            self.assertAlmostEqual(figures["predicted_us"], explained["asked"]["time_us"])

    def test_old_spelling(self):
        self.check_results(self.bench("bcast", "--bytes", "64"), [("bcast", 64)])

    def test_one_process(self):
        report = self.bench("allreduce,scan", "--bytes", "64", "-n", "1")
        self.assertEqual([entry["placements"][0]["placement"] for entry in report["results"]],
                         ["alone", "alone"])

    def test_an_algorithm_by_name(self):
        report = self.bench("--algorithm", "tree:branches=2", "--bytes", "8", "-n", "3")
        self.assertIn("bcast", [entry["op"] for entry in report["results"]])
        for entry in report["results"]:
            self.assertEqual(entry["algorithm"], "tree:branches=2")
            self.assertIsNotNone(entry["placements"][0]["predicted_us"])

    def test_table_and_csv(self):
        table = self.tutti("bench", "bcast", "--bytes", "1K", "--seconds", "0.1").stdout
        self.assertRegex(table, r"(?m)^bcast +1K ")
        text = self.tutti("bench", "bcast", "--bytes", "1K", "--seconds", "0.1", "--csv").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual({(row["op"], row["bytes"], row["verified"])
                          for row in rows}, {("bcast", "1024", "true")})
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))

    def test_refusals_take_one_line(self):
        for arguments, words in [(("foo", ), "allreduce"), (("--bytes", "7"), "multiple of 8"),
                                 (("--algorithm", "moon"), "moon"), (("-n", "5000"), "1024"),
                                 (("--against", "moon"), "openmpi"),
                                 (("bcast", "--bytes", "9999G"), "MiB"),
                                 (("bcast", "--seconds", "nan"), "above 0"),
                                 (("bcast", "-n", "0"), "-n is '0'"),
                                 (("bcast", "-n", "2", "--root", "2"), "--root is 2"),
                                 (("--algorithm", "tre"), "did you mean 'tree'")]:
            done = self.tutti("bench", *arguments, code=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(words, done.stderr)

    def test_against_an_mpi(self):
        measured = []
        for mpi in ("openmpi", "mpich"):
            with self.subTest(mpi):
                arguments = ("bench", "bcast", "--against", mpi, "--bytes", "8", "--seconds", "0.1",
                             "--json")
                done = subprocess.run([TUTTI, *arguments],
                                      capture_output=True,
                                      text=True,
                                      timeout=100)
                if done.returncode == 2:
                    self.assertIn("Install", done.stderr)
                    continue
                measured.append(mpi)
                self.assertEqual(done.returncode, 0, done.stderr)
                report = json.loads(done.stdout)
                self.check_results(report, [("bcast", 8)])
                self.assertEqual(report["against"], mpi)
                for figures in report["results"][0]["placements"]:
                    if "against" in figures:
                        self.check_figures(figures["against"])
                        self.assertGreater(figures["ratio"], 0)
        if not measured:
            self.skipTest("tutti was built for no MPI")


RATES = 'name = "made up"\n' + "".join(
    f'[{name}]\nvalue = 1\nstatus = "assumed"\nsource = "this test"\n'
    for name in ("alpha", "beta", "gamma", "kappa"))
TABLE = """[[plan]]
operation = "bcast"
ranks = [3, 3]
bytes = [0, 1000]
algorithm = "increasing_ring"
"""


class ChoicesInTurn(MeasuringTest):
    """Tests `tutti bench --choices`, which compares plans in one job and prints their ratios."""

    def table(self, text=TABLE):
        path = os.path.join(self.folder, "table.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_default_and_tuned(self):
        table, cells = self.table(), ("bcast,reduce,barrier", "--bytes", "8,4K", "-n", "3")
        report = self.bench(*cells, "--choices", "default,tuned", TUTTI_TABLE=table)
        self.assertEqual((report["choices"], report["tuned_by"], report["ranks"]),
                         (["default", "tuned"], table, 3))
        rows = {(row["op"], row["bytes"]): row for row in report["results"]}
        self.assertEqual(set(rows), {("bcast", 8), ("bcast", 4096), ("reduce", 8), ("reduce", 4096),
                                     ("barrier", 0)})
        changed = rows.pop(("bcast", 8))
        self.assertEqual(changed["plans"], ["fully_connected", "increasing_ring"])
        self.assertIs(changed["same_plan"], False)
        self.assertEqual(changed["ratios"][0], 1)
        self.assertGreater(changed["ratios"][1], 0)
        self.assertNotEqual(changed["ratios"][1], 1)
        for row in rows.values():
            self.assertEqual((row["same_plan"], row["ratios"]), (True, [1, 1]))
        for row in [changed, *rows.values()]:
            for place in row["placements"]:
                self.assertGreaterEqual(place["samples"], 1)
                for figures in place["figures"]:
                    self.assertLess(0, figures["minimum_us"])
                    self.assertLessEqual(figures["minimum_us"], figures["median_us"])
        self.assertIn("busy", report)
        self.assertEqual(report["operations"]["reduce"], [1, 1])
        self.assertAlmostEqual(report["operations"]["bcast"][1], changed["ratios"][1] ** (1 / 2))
        self.assertAlmostEqual(report["geometric_mean"][1], changed["ratios"][1] ** (1 / 5))

    def test_tuned_is_what_a_job_takes(self):
        table, cells = self.table(), ("all", "--bytes", "8,1000,1K,64K", "-n", "3")
        taken = self.bench(*cells, TUTTI_TABLE=table)
        chosen = self.bench(*cells, "--choices", "default,tuned", TUTTI_TABLE=table)
        self.assertEqual([row["plans"][1] for row in chosen["results"]],
                         [row["algorithm"] for row in taken["results"]])
        untuned = self.bench(*cells)
        self.assertEqual([row["plans"][0] for row in chosen["results"]],
                         [row["algorithm"] for row in untuned["results"]])

    def test_names_of_algorithms_and_a_profile_by_name(self):
        report = self.bench("bcast,barrier", "--bytes", "64", "-n", "4", "--choices",
                            "tree:branches=2,default")
        self.assertEqual([row["plans"][0] for row in report["results"]], ["tree:branches=2"] * 2)
        self.assertEqual(report["tuned_by"], "")
        report = self.bench("bcast,alltoall", "--bytes", "64", "-n", "3", "--choices",
                            "default,mst,tuned", "--profile", self.table(RATES + TABLE))
        self.assertEqual([row["plans"] for row in report["results"]],
                         [["fully_connected", "mst", "increasing_ring"]])
        self.assertEqual(len(report["left_out"]), 1)
        self.assertIn("alltoall by mst", report["left_out"][0])

    def test_as_a_table(self):
        text = self.tutti("bench",
                          "bcast",
                          "--bytes",
                          "8,4K",
                          "-n",
                          "3",
                          "--seconds",
                          "0.1",
                          "--choices",
                          "default,tuned",
                          TUTTI_TABLE=self.table()).stdout
        self.assertRegex(text, r"(?m)^bcast +4 KiB .* 1\.000  same plan: fully_connected$")
        self.assertRegex(text, r"(?m)^bcast +8 B .*  fully_connected, increasing_ring$")
        self.assertRegex(text, r"(?m)^all +\d")

    def test_refusals(self):
        trees = ",".join(f"tree:branches={branches}" for branches in range(1, 10))
        for arguments, words in [(("--choices", "default,tuned"), "run tutti tune"),
                                 (("--choices", "default"), "two or more"),
                                 (("--choices", "default,moon"), "moon"),
                                 (("bcast", "-n", "10", "--choices", trees),
                                  "9 different plans for bcast, but at most 8"),
                                 (("--profile", "sp2"), "--choices"),
                                 (("--choices", "default,tuned", "--profile", "/nowhere.toml"),
                                  "/nowhere.toml")]:
            done = self.tutti("bench", *arguments, code=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(words, done.stderr)


SPOILT = TABLE.replace("[3, 3]", "[2, 16]").replace("increasing_ring",
                                                    "circulant:segments=64") + """[[plan]]
operation = "scan"
ranks = [5, 6]
algorithm = "linear"
"""


def spin():
    while True:
        pass


class Tune(MeasuringTest):
    """Tests `tutti tune` with --force, because other tests keep the machine busy."""

    def tune(self, *arguments, **more):
        return self.tutti("tune", "--force", *arguments, **more).stdout

    def contents(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def file(self, text):
        path = os.path.join(self.folder, "mine.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_a_profile_is_written_and_found_again(self):
        out = self.tune("--quick")
        path = os.path.join(self.folder, "tutti", "host.toml")
        self.assertIn(f"then writes {path}, by which later jobs", out)
        self.assertIn(f"written to {path}", out)
        machine = json.loads(
            self.tutti("explain", "allreduce", "-n", "4", "--machine", path,
                       "--json").stdout)["machine"]
        self.assertEqual(machine["name"], "this-machine")
        text = self.contents(path)
        for word in ("date = ", "processor = ", "compiler = ", "samples = ", "placements = ",
                     "placements_not_seen = ", "[alpha]", "[beta]", "[gamma]", "[copy_256K]",
                     "[combine_256K]", "[wake]"):
            self.assertIn(word, text)
        self.assertEqual("busy = " in text, "busy: " in out)
        self.assertEqual(self.bench("bcast", "--bytes", "8")["profile"], "this-machine")
        self.assertEqual(self.bench("bcast", "--bytes", "8", TUTTI_PROFILE="sp2")["profile"], "sp2")

    def test_output(self):
        path = os.path.join(self.folder, "new folder", "mine.toml")
        self.tune("--quick", "--output", path)
        self.assertTrue(os.path.exists(path))
        self.assertEqual(os.listdir(os.path.dirname(path)), ["mine.toml"])
        done = self.tutti("tune", "--force", "--output", "/proc/no/such.toml", code=1)
        self.assertIn("cannot be written", done.stderr)

    def test_rows_that_lose_go_and_others_stay(self):
        path = self.file(RATES + SPOILT)
        out = self.tune("bcast", "-n", "2,4", "--bytes", "8", "--seconds", "1", "--output", path)
        self.assertIn("- broadcast by circulant:segments=64, 2 to 16 processes", out)
        self.assertRegex(out, r"prices: \d+ plans in 1[0-2] cells; a ratio .* by a factor of \d")
        self.assertRegex(out, r"prices: the fitted rates choose .*(stay|written)\n")
        text = self.contents(path)
        self.assertNotIn("circulant:segments=64", text)
        self.assertIn('operation = "scan"\nranks = [5, 6]\nalgorithm = "linear"', text)
        report = self.bench("bcast", "--bytes", "8", "-n", "4", "--choices", "default,tuned",
                            "--profile", path)
        self.assertNotIn("circulant", report["results"][0]["plans"][1])

    def test_a_dry_run_writes_nothing(self):
        path = self.file(RATES + SPOILT)
        out = self.tune("bcast", "-n", "2", "--bytes", "8", "--seconds", "0.5", "--dry-run",
                        "--output", path)
        self.assertIn("- broadcast by circulant:segments=64", out)
        self.assertNotIn("written to", out)
        self.assertEqual(self.contents(path), RATES + SPOILT)

    def test_quick_keeps_rows_and_costs_between_hosts(self):
        hosts = "[hosts]\n" + "".join(f'{name} = {{value = 2, status = "fitted", source = "x"}}\n'
                                      for name in ("alpha", "beta"))
        path = self.file(RATES + SPOILT + hosts)
        out = self.tune("--quick", "--output", path, TUTTI_TABLE=path, TUTTI_PROFILE="sp2")
        self.assertIn("TUTTI_PROFILE is set: jobs go by that profile", out)
        self.assertNotIn("TUTTI_TABLE is set", out)
        text = self.contents(path)
        self.assertIn("circulant:segments=64", text)
        self.assertIn(hosts, text)

    def test_the_profile_of_another_processor_is_not_used(self):
        path = self.file('processor = "none such"\n' + RATES + SPOILT)
        warning = "was measured on another processor (none such)"
        done = self.tutti("explain", "bcast", "-n", "4", "--json", TUTTI_PROFILE=path)
        self.assertIn(warning, done.stderr)
        self.assertNotEqual(json.loads(done.stdout)["library"]["decided_by"], "table")
        job = self.tutti("bench", "bcast", "-n", "2", "--bytes", "8", "--seconds", "0.1",
                         TUTTI_PROFILE=path)
        self.assertEqual(job.stderr.count(warning), 1, job.stderr)
        self.assertIn("its rates and rows will be replaced",
                      self.tune("--quick", "--output", path))
        self.assertNotIn("circulant", self.contents(path))
        self.assertEqual(self.tutti("explain", "bcast", "-n", "4", TUTTI_PROFILE=path).stderr, "")

    def test_a_file_that_is_not_understood_is_replaced(self):
        path = self.file("what = is this")
        self.assertIn("will be replaced", self.tune("--quick", "--output", path))
        self.assertIn("[alpha]", self.contents(path))

    def test_a_busy_machine_is_refused(self):
        path = self.file(RATES)
        others = [
            multiprocessing.Process(target=spin, daemon=True) for _ in range(2 * os.cpu_count())
        ]
        for other in others:
            other.start()
        try:
            done = self.tutti("tune", "--quick", "--output", path, code=1)
        finally:
            for other in others:
                other.kill()
                other.join()
        self.assertRegex(done.stderr, r"^tutti tune: the machine is busy: .* give --force\n$")
        self.assertEqual(self.contents(path), RATES)

    def test_an_interrupt_leaves_the_file(self):
        path = self.file(RATES)
        environment = {**os.environ, "XDG_CONFIG_HOME": self.folder}
        with subprocess.Popen([TUTTI, "tune", "--force", "--seconds", "60", "--output", path],
                              env=environment,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as job:
            time.sleep(0.7)
            job.send_signal(signal.SIGINT)
            job.communicate(timeout=30)
            self.assertNotEqual(job.returncode, 0)
        self.assertEqual(self.contents(path), RATES)
        self.assertEqual(os.listdir(self.folder), ["mine.toml"])

    def test_refusals_take_one_line(self):
        for arguments, words in [(("-n", "1"), "2 to 1024"), (("-n", "2,x"), "2 to 1024"),
                                 (("moon", ), "moon"), (("--bytes", "7"), "multiple of 8")]:
            done = self.tutti("tune",
                              "--output",
                              os.path.join(self.folder, "x.toml"),
                              *arguments,
                              code=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
