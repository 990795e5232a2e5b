# SPDX-License-Identifier: BSD-3-Clause
"""Tests what programs see in virtual time: data, clocks, tests of started collectives, choices of
algorithms, and what `tutti run --machine` reports and draws."""
import json
import os
import re
import subprocess
import unittest
from pathlib import Path

from jobs import ROOT, TUTTI, VirtualTimeTest, program

MACHINES = ("ipsc860", "cm5", "ethernet")


def answer(*words):
    done = subprocess.run([TUTTI, *map(str, words), "--json"], capture_output=True, text=True,
                          timeout=120, check=True)
    return json.loads(done.stdout)


class Programs(VirtualTimeTest):

    def test_ranks_far_ahead(self):
        for times, size in ((2000, 8), (200, 100000)):
            with self.subTest(times=times, bytes=size):
                job = self.run_job(4, "ahead", times, size)
                self.assertEqual(sorted(job.out.splitlines()),
                                 [f"rank {rank} is right" for rank in range(4)])
                self.assertEqual(self.result(job)["stopped"], False)

    def test_clocks(self):
        for machine in MACHINES:
            with self.subTest(machine=machine):
                job = self.run_job(2, "clocks", machine=machine)
                self.assertEqual(job.out, "")
                self.assertGreater(self.result(job)["time_us"], 1234567891.234)

    def test_clocks_of_interfaces(self):
        for name in ("nx", "bsp", "blacs"):
            with self.subTest(interface=name):
                self.assertEqual(self.run_job(2, name).out, "")

    def test_clock_that_a_wait_reads(self):
        self.assertEqual(self.run_job(3, "waits").out, "")

    def test_second_thread(self):
        for order, call in (("second", "gettimeofday"), ("first", "gettimeofday")):
            with self.subTest(thread=order):
                job = self.run_job(3, "threads", order, code=1)
                told = [line for line in job.err.splitlines() if "second thread" in line]
                self.assertEqual(len(told), 1, job.err)
                self.assertTrue(told[0].startswith(f"tutti: rank 1 calls {call} from a second "),
                                told)
                self.assertEqual(job.out, "")

    def test_tests_of_started_collectives(self):
        """A look in vain takes a microsecond, and nothing else takes time."""
        job = self.run_job(4, "tests")
        lines = [tuple(map(int, line.split())) for line in job.out.splitlines()]
        self.assertEqual(len(lines), 8)
        for looks, nanoseconds in lines:
            self.assertGreater(looks, 0)
            self.assertEqual(nanoseconds, looks * 1000)


class Reports(VirtualTimeTest):

    def test_report(self):
        job = self.run_job(4, "mixed", 1, 5)
        report = self.report(job)
        setting = report["virtual_time"]["settings"][0]
        result = setting["results"][0]
        self.assertEqual((setting["machine"], setting["ranks"]), ("ipsc860", 4))
        self.assertGreater(result["time_us"], 0)
        self.assertEqual(len(result["detail"]["per_rank"]), 4)
        ends = [rank["end_us"] for rank in result["detail"]["per_rank"]]
        self.assertEqual(max(ends), result["time_us"])
        # The last clock that a rank reads is not later than its end.
        seen = [float(time) for time in re.findall(r"([0-9.]+) us", job.out)]
        self.assertLessEqual(max(seen), max(ends) + 0.001)

    def test_report_of_a_job_in_the_time_of_this_machine(self):
        job = self.start([TUTTI, "run", "--report", "FOLDER/report", "-n", "2",
                          program("ends"), "some"])
        self.finish(job, 0)
        self.assertNotIn("virtual_time", self.report(job))

    def test_options_of_the_machine(self):
        def time(*options):
            return self.result(self.run_job(4, "mixed", 1, 5, options=options))["time_us"]
        exact = ("--drift", "0", "--noise", "0")
        plain = time(*exact)
        self.assertEqual(time(*exact, "--seed", "7"), plain)
        self.assertNotEqual(time(*exact, "--topology", "hypercube:6"), 0)
        self.assertNotEqual(time("--drift", "500", "--seed", "1"),
                            time("--drift", "500", "--seed", "2"))

    def test_pictures(self):
        pictures = [part for name in ("svg", "trace", "heat")
                    for part in (f"--{name}", f"FOLDER/{name}")]
        job = self.run_job(4, "mixed", 1, 5, options=pictures)
        for name in ("svg", "heat"):
            text = Path(job.folder, name).read_text()
            self.assertTrue(text.startswith("<svg ") and text.rstrip().endswith("</svg>"))
        self.assertIn("traceEvents", json.loads(Path(job.folder, "trace").read_text()))

    def test_record_is_replayed_in_the_same_time(self):
        for machine in MACHINES:
            with self.subTest(machine=machine):
                job = self.run_job(4, "mixed", 3, 20, machine=machine,
                                   options=("--record", "FOLDER/run.json"))
                replayed = answer("simulate", Path(job.folder, "run.json"), "--machine", machine)
                self.assertEqual(replayed["settings"][0]["results"][0]["time_us"],
                                 self.result(job)["time_us"])

    def test_file_of_a_machine(self):
        """Ranks find the file although they start in another folder."""
        file = os.path.relpath(ROOT / "src/machine/profiles/ipsc860.toml")
        times = [self.result(self.run_job(4, "mixed", 1, 5, machine=machine,
                                          options=("--wdir", "/")))["time_us"]
                 for machine in ("ipsc860", file)]
        self.assertEqual(times[0], times[1])


class Choices(VirtualTimeTest):
    SIZES = {"bcast": 64, "allreduce": 8192, "allgather": 65536}

    def chosen(self, n, machine, sizes, *options):
        """Returns the algorithm of each operation."""
        job = self.run_job(n, "choices", *sizes, machine=machine,
                           options=("--record", "FOLDER/run.json", *options))
        rank = json.loads(Path(job.folder, "run.json").read_text())["ranks"][0]
        return [rank["bound"][item["run"]]["algorithm"] for item in rank["items"] if "run" in item]

    def test_choices_are_those_of_explain(self):
        differences = 0
        for machine in MACHINES:
            for sizes in ((64, 8192, 65536), (1 << 20, 64, 256)):
                with self.subTest(machine=machine, sizes=sizes):
                    wanted = [self.explained(operation, machine, size)
                              for operation, size in zip(self.SIZES, sizes)]
                    self.assertEqual(self.chosen(8, machine, sizes), wanted)
                    differences += wanted != [self.explained(operation, None, size) for
                                              operation, size in zip(self.SIZES, sizes)]
        self.assertGreater(differences, 0)

    @staticmethod
    def explained(operation, machine, size):
        of_machine = ("--machine", machine) if machine else ()
        return answer("explain", operation, "-n", 8, "--bytes", size,
                      *of_machine)["candidates"][0]["name"]

    def test_algorithm_that_the_user_names(self):
        named = "broadcast=increasing_ring,allreduce=ring,allgather=circulant"
        chosen = self.chosen(8, "ipsc860", (64, 8192, 65536), "-x", f"TUTTI_ALGORITHM={named}")
        self.assertEqual(chosen, [word.split("=")[1] for word in named.split(",")])


if __name__ == "__main__":
    os.environ.pop("TUTTI_ALGORITHM", None)
    unittest.main()
