# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every name of an algorithm that one verb prints is accepted by all others: explain,
verify, draw, simulate, bench and a job.

With TUTTI_NAMES=all, all names are tried with all verbs. Otherwise the verbs that start a process
for each name get a random sample; its seed is printed.
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

TUTTI = os.environ["TUTTI_COMMAND"]
ALL = os.environ.get("TUTTI_NAMES") == "all"
SEED = int(os.environ.get("TUTTI_SEED", random.randrange(1 << 30)))
SAMPLE = 3  # names of an operation
IN_ONE_JOB = 7  # one less than the driver of the bench takes
RANKS = "16"
OPERATIONS = ("barrier", "broadcast", "reduce", "allreduce", "scatter", "gather", "allgather",
              "reduce_scatter", "alltoall", "scan", "exscan")


def tutti(*words, **variables):
    done = subprocess.run([TUTTI, *words],
                          capture_output=True,
                          text=True,
                          timeout=300,
                          env={**os.environ, **variables})
    if done.returncode != 0:
        raise AssertionError(
            f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}{done.stdout[-500:]}")
    return done.stdout


def names_of(operation):
    """Returns name -> algorithm for the names that explain lists on one host, on a network without
    conflicts and on a mesh, because the hybrids of a mesh have names of their own."""
    found = {}
    for network in ([], ["--topology", f"crossbar:{RANKS}"],
                    ["--topology", "mesh:4x4", "--machine", "paragon"]):
        listed = json.loads(tutti("explain", operation, "-n", RANKS, *network,
                                  "--json"))["candidates"]
        found.update((candidate["name"], candidate["algorithm"]) for candidate in listed)
    return found


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="tutti-test-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.names = {operation: names_of(operation) for operation in OPERATIONS}
        cls.random = random.Random(SEED)
        print(f"{sum(map(len, cls.names.values()))} names; TUTTI_SEED={SEED}")

    def sample(self, operation):
        names = sorted(self.names[operation])
        return names if ALL else self.random.sample(names, min(SAMPLE, len(names)))

    def each(self):
        for operation in OPERATIONS:
            for name in self.sample(operation):
                with self.subTest(operation=operation, name=name, seed=SEED):
                    yield operation, name

    def test_they_are_many(self):
        for name in ("tree:branches=2", "multiring:rings=3", "hybrid:2x2x2x2", "ring",
                     "hybrid:4cx4r"):
            self.assertTrue(any(name in names for names in self.names.values()), name)

    def test_explain(self):
        for operation, name in self.each():
            priced = json.loads(
                tutti("explain", operation, "-n", RANKS, "--algorithm", name, "--json"))["asked"]
            self.assertEqual(priced["name"], name)

    def test_verify(self):
        for operation, name in self.each():
            line, = json.loads(
                tutti("verify", operation, "-n", RANKS, "--algorithm", name, "--root", "0",
                      "--json"))["results"]
            self.assertEqual((line["algorithm"], line["correct"]), (name, True))
            self.assertGreater(line["shape_count"], 0)

    def test_draw(self):
        for operation, name in self.each():
            picture = json.loads(
                tutti("draw", operation, "-n", RANKS, "--algorithm", name, "--json"))
            self.assertTrue(picture["title"].startswith(f"{operation} {name}, p = {RANKS}"),
                            picture["title"])

    def test_simulate(self):
        """All names of an operation are simulated in one process."""
        for operation in OPERATIONS:
            names = sorted(self.names[operation])
            results = json.loads(
                tutti("simulate", operation, "-n", RANKS, "--machine", "paragon", "--topology",
                      "mesh:4x4", "--bytes", "1K,2K", "--algorithm", ",".join(names),
                      "--json"))["settings"][0]["results"]
            for name, result in zip(names, results[:len(names)], strict=True):
                told = result["algorithm"]  # a name without settings gets the best ones
                self.assertTrue(told == name or ":" not in name and told.startswith(f"{name}:"),
                                f"{name} becomes {told}")

    def test_bench_of_several_in_one_job(self):
        for operation in OPERATIONS:
            names = sorted(self.names[operation])
            self.random.shuffle(names)
            batches = [names[i:i + IN_ONE_JOB] for i in range(0, len(names), IN_ONE_JOB)]
            for batch in batches if ALL else batches[:1]:
                report = json.loads(
                    tutti("bench", operation, "-n", RANKS, "--bytes", "1K", "--seconds", "0.01",
                          "--choices", ",".join([*batch, "default"]), "--json"))
                self.assertEqual(report["results"][0]["plans"][:-1], batch)

    def test_bench_and_a_job_by_name(self):
        """`tutti bench --algorithm` starts a job with the name in TUTTI_ALGORITHM."""
        for operation, name in self.each():
            report = json.loads(
                tutti("bench", operation, "-n", RANKS, "--bytes", "1K", "--seconds", "0.01",
                      "--algorithm", name, "--json"))
            self.assertEqual([result["algorithm"] for result in report["results"]], [name])

    def test_explain_says_what_a_job_takes(self):
        """The library decides for a whole class of sizes. Explanation and job must agree even on a
        size within a class: 69 KB in three blocks are in the class up to 128 KiB, where blocks
        count as long."""
        sizes, table = (8, 1008, 69000), os.path.join(self.folder.name, "table.toml")
        pathlib.Path(table).write_text(
            "[[plan]]\noperation = 'bcast'\nbytes = [1000, 1010]\nalgorithm = 'mst'\n"
            "[[plan]]\noperation = 'reduce'\nbytes = [1024, 1024]\nalgorithm = 'mst'\n")
        for operation in OPERATIONS:
            taken = json.loads(
                tutti("bench", operation, "-n", "3", "--bytes", ",".join(map(str, sizes)),
                      "--seconds", "0.01", "--json", TUTTI_TABLE=table))["results"]
            for result in taken:
                explained = json.loads(
                    tutti("explain", operation, "-n", "3", "--bytes", str(result["bytes"]),
                          "--json", TUTTI_TABLE=table))["library"]
                self.assertEqual(explained["name"], result["algorithm"], (operation, result))

    def test_the_first_plan_on_hosts_is_what_a_job_takes(self):
        """Rates of the user's profile choose other plans than those of the profile `host`, and the
        prices that are shown must be those that choose."""
        profile = os.path.join(self.folder.name, "absurd.toml")
        pathlib.Path(profile).write_text(
            "name = 'absurd'\nlike = 'host'\n" +
            "".join(f"{rate} = {{value = {value}, status = 'assumed', source = 'a test'}}\n"
                    for rate, value in (("alpha", 0.001), ("beta", 1), ("hosts.alpha", 3000),
                                        ("hosts.beta", 0.002))))
        differ = 0
        for operation in OPERATIONS:
            for size in ("64", "4K", "4M"):
                words = ("explain", operation, "-n", "32", "--hosts", "4", "--bytes", size,
                         "--json")
                told = json.loads(tutti(*words, TUTTI_PROFILE=profile))
                first = told["candidates"][0]["name"]
                self.assertEqual((first, told["library"]["decided_by"]),
                                 (told["library"]["name"], "model"), (operation, size))
                differ += first != json.loads(tutti(*words))["candidates"][0]["name"]
        self.assertGreater(differ, 0)

    def test_what_the_library_takes_has_such_a_name(self):
        for operation in OPERATIONS:
            taken = json.loads(tutti("explain", operation, "-n", RANKS,
                                     "--json"))["library"]["name"]
            forced = json.loads(
                tutti("explain",
                      operation,
                      "-n",
                      RANKS,
                      "--json",
                      TUTTI_ALGORITHM=f"{operation}={taken}"))["library"]
            self.assertEqual((forced["name"], forced["decided_by"]), (taken, "user"))


if __name__ == "__main__":
    unittest.main()
