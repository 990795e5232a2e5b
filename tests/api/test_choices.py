# SPDX-License-Identifier: BSD-3-Clause
"""Tests what determines the choice of plans in a job: the profile and the table of rank 0, and
algorithms that all ranks force alike. It also tests what TUTTI_EXPLAIN prints about the choice. A
shell between the launcher and the program sets the environment of single ranks."""
import json
import os
import pathlib
import re
import unittest

from harness import TUTTI, LauncherTest

CHOICES = os.environ["TUTTI_CHOICES"]
MVMULT = os.environ["TUTTI_MVMULT"]
NUMBER = '[{}]\nvalue = {}\nstatus = "assumed"\nsource = "this test"\n'
TABLE = """[[plan]]
operation = "allreduce"
ranks = [2, 8]
bytes = [56000, "56K"]
algorithm = "ring"
"""


def profile(alpha):
    """Returns a machine profile in which only start-ups (alpha) cost time."""
    return 'name = "absurd"\n' + "".join(
        NUMBER.format(*pair)
        for pair in [("alpha", alpha), ("beta", 1e-9), ("gamma", 1e-9), ("kappa", 1)])


class Choices(LauncherTest):
    def choices(self, *arguments, n=3, files=(), everywhere=(), **of_rank):
        """Starts a job. rank0="NAME=VALUE" sets a variable of rank 0, `everywhere` sets variables
        of all ranks, and `files` are (name, text) pairs to write to FOLDER, the job's folder."""
        cases = " ".join(
            f"*rank={rank[4:]}) export {setting};;" for rank, setting in of_rank.items())
        script = (f'{" ".join(f"export {one};" for one in everywhere)} case "$TUTTI_JOB" in '
                  f'{cases} *) ;; esac; exec "$@"')
        content = " ".join(f"printf '%s' '{text}' > FOLDER/{name};" for name, text in files)
        return self.start([
            "sh", "-c", f'{content} exec "$0" "$@"', TUTTI, "run", "-n",
            str(n), "--timeout", "60", "sh", "-c", script, "sh", CHOICES, *arguments
        ])

    def chosen(self, job):
        return set(re.findall(r": (\w+)$", self.finish(job, 0).out, re.M))

    def refused(self, job, *words):
        self.finish(job, 2)
        for word in words:
            self.assert_one_report(job, word)

    def command_says(self, size="56000", n=3):
        """Returns what `tutti explain` says that a job gets: it depends on the processors."""
        job = self.finish(
            self.start([TUTTI, "explain", "allreduce", "-n",
                        str(n), "--bytes", size, "--json"]), 0)
        return {json.loads(job.out)["winner"]}

    def test_a_job_gets_what_the_command_says(self):
        """The command, tutti_plan_algorithm and the report of the run name the same plan."""
        for n in (2, 3, 6):
            for size in ["56000"] + [str(2**k) for k in range(3, 26, 2)]:
                job = self.choices(size, n=n, everywhere=["TUTTI_EXPLAIN=1"])
                says = self.command_says(size, n)
                self.assertEqual(self.chosen(job), says, f"{n} {size}")
                ran = re.findall(rf": allreduce of .* over {n} ranks: (\w+): ", job.err)
                self.assertEqual(set(ran), says, f"{n} {size}: {job.err}")

    def test_profile_of_rank_0_counts_for_all(self):
        job = self.choices("56000",
                           files=[("p.toml", profile(1e9) + TABLE)],
                           rank0="TUTTI_PROFILE=FOLDER/p.toml")
        self.assertEqual(self.chosen(job), {"ring"})

    def test_rates_of_messages_between_hosts_decide_nothing_on_one_host(self):
        for alpha in (1e9, 1e-9):
            job = self.choices("56000",
                               files=[("p.toml", profile(alpha))],
                               rank0="TUTTI_PROFILE=FOLDER/p.toml")
            self.assertEqual(self.chosen(job), self.command_says())

    def test_rates_of_shared_memory_decide(self):
        for dear, plan in ((("message",), "fully_connected"), (("round", "line"), "direct")):
            rates = "".join(NUMBER.format(f"shared_memory.{name}", 1e6) for name in dear)
            job = self.choices("56000",
                               files=[("p.toml", profile(1) + rates)],
                               rank0="TUTTI_PROFILE=FOLDER/p.toml")
            self.assertEqual(self.chosen(job), {plan}, dear)

    def test_profile_is_found_where_tune_writes_it(self):
        job = self.start([
            "sh", "-c",
            f"mkdir -p FOLDER; printf '%s' '{profile(1e9) + TABLE}' > FOLDER/host.toml; mkdir "
            "FOLDER/tutti;"
            "mv FOLDER/host.toml FOLDER/tutti; XDG_CONFIG_HOME=FOLDER \"$@\"; code=$?; rm -r "
            "FOLDER/tutti; exit $code",
            "sh", TUTTI, "run", "-n", "3", CHOICES, "56000"
        ])
        self.assertEqual(self.chosen(job), {"ring"})

    def test_table_of_rank_0_counts_for_all_and_for_its_sizes_only(self):
        files = [("t.toml", TABLE)]
        for size, plan in [("56000", {"ring"}), ("57344", {"ring"}),
                           ("57352", self.command_says("57352")),
                           ("55992", self.command_says("55992"))]:
            job = self.choices(size, files=files, rank0="TUTTI_TABLE=FOLDER/t.toml")
            self.assertEqual(self.chosen(job), plan, size)
        job = self.choices("56000", n=9, files=files, rank0="TUTTI_TABLE=FOLDER/t.toml")
        self.assertNotIn("ring", self.chosen(job))

    def test_forcing_comes_before_a_table(self):
        job = self.choices(
            "56000",
            files=[("t.toml", TABLE)],
            everywhere=["TUTTI_TABLE=FOLDER/t.toml", "TUTTI_ALGORITHM=allreduce=mst"])
        self.assertEqual(self.chosen(job), {"mst"})

    def test_tasks_go_by_the_same(self):
        job = self.choices("56000",
                           "task",
                           n=1,
                           files=[("t.toml", TABLE)],
                           rank0="TUTTI_TABLE=FOLDER/t.toml")
        out = self.finish(job, 0).out
        self.assertEqual(sorted(re.findall(r"task (\d): ring", out)), ["0", "1"], out)

    def test_files_that_are_not_understood(self):
        bad = [("p.toml", profile("what"), "TUTTI_PROFILE", "p.toml:3"),
               ("p.toml", profile(-1), "TUTTI_PROFILE", "alpha is -1"),
               ("t.toml", TABLE.replace("ring", "rings"), "TUTTI_TABLE",
                "t.toml: line 1: there is no algorithm 'rings'"),
               ("t.toml", TABLE.replace("56000",
                                        "64000"), "TUTTI_TABLE", "t.toml: line 4: bytes must be"),
               ("t.toml", TABLE.replace(
                   "ranks", "p"), "TUTTI_TABLE", "line 3: a [[plan]] has operation, ranks"),
               ("t.toml", TABLE.replace("[[plan]]", "[plan]"), "TUTTI_TABLE", "[[plan]]"),
               ("t.toml", "=", "TUTTI_TABLE", "line 1")]
        for name, text, variable, words in bad:
            job = self.choices("8", files=[(name, text)], rank0=f"{variable}=FOLDER/{name}")
            self.refused(job, "rank 0", words, variable)
        self.refused(self.choices("8", rank0="TUTTI_TABLE=FOLDER/nowhere"), "nowhere",
                     "cannot be read")

    def test_by_hand_an_error_is_returned(self):
        job = self.start([
            "sh", "-c", "TUTTI_ERRORS=return TUTTI_TABLE=/nonexistent exec \"$@\"", "sh", CHOICES,
            "8"
        ])
        self.assertIn("choices: init: tutti_init: environment variable TUTTI_TABLE",
                      self.finish(job, 3).err)

    def test_unequal_forcing(self):
        self.refused(
            self.choices("8", rank0="TUTTI_ALGORITHM=bcast=mst", rank1="TUTTI_ALGORITHM=bcast=mst"),
            "rank 2", "TUTTI_ALGORITHM=broadcast=mst", "no TUTTI_ALGORITHM", "must be the same")
        self.refused(self.choices("8", rank1="TUTTI_REPRODUCIBLE=1"), "rank 1",
                     "TUTTI_REPRODUCIBLE=1", "no TUTTI_REPRODUCIBLE")
        self.refused(
            self.choices("8",
                         everywhere=["TUTTI_ALGORITHM=bcast=mst"],
                         rank1="TUTTI_ALGORITHM=bcast=tree"), "broadcast=tree", "broadcast=mst")
        same = self.choices("56000",
                            rank0="TUTTI_ALGORITHM=sum=ring",
                            rank1="TUTTI_ALGORITHM=allreduce=ring",
                            rank2="TUTTI_ALGORITHM=combine_to_all=ring")
        self.assertEqual(self.chosen(same), {"ring"})

    def test_unequal_profiles_and_tables(self):
        files = [("p.toml", profile(1e9)), ("q.toml", profile(1e8)), ("same.toml", profile(1e9))]
        self.refused(
            self.choices("8",
                         files=files,
                         rank0="TUTTI_PROFILE=FOLDER/p.toml",
                         rank2="TUTTI_PROFILE=FOLDER/q.toml"), "rank 2", "p.toml", "q.toml",
            "rank 0")
        self.refused(self.choices("8", files=files, rank2="TUTTI_PROFILE=FOLDER/q.toml"),
                     "no TUTTI_PROFILE", "q.toml")
        same = self.choices("56000", files=files, rank0="TUTTI_PROFILE=FOLDER/p.toml",
                            rank1="TUTTI_PROFILE=FOLDER/same.toml")
        self.assertEqual(self.chosen(same), self.command_says())

    def explained(self, text):
        return [line for line in text.splitlines() if line.startswith("tutti: ")]

    def test_explain_says_once_per_call_site_why(self):
        job = self.finish(
            self.choices("56000",
                         files=[("t.toml", TABLE)],
                         everywhere=["TUTTI_EXPLAIN=1", "TUTTI_TABLE=FOLDER/t.toml"]), 0)
        lines = self.explained(job.err)
        self.assertEqual(len(lines), 2, job.err)
        self.assertRegex(
            lines[0],
            r"main\+0x[0-9a-f]+ \(api_choices\+0x[0-9a-f]+\): allreduce of 54\.69 KiB over 3 "
            r"ranks: "
            r"ring: named by .*t\.toml line 1; .* us in shared memory; "
            r"(runner-up|cheaper at this size) \w+")
        self.assertRegex(lines[1], r"main\+0x[0-9a-f]+ .*: barrier of 0 B over 3 ranks: direct: ")

    def test_explain_names_what_forces_and_what_a_table_may_not_name(self):
        job = self.finish(
            self.choices("8", everywhere=["TUTTI_EXPLAIN=yes", "TUTTI_ALGORITHM=allreduce=ring"]),
            0)
        self.assertIn(": ring: forced by TUTTI_ALGORITHM; ", job.err)
        job = self.choices("56000",
                           files=[("t.toml", TABLE.replace('"ring"', '"hybrid:factors=4"'))],
                           everywhere=["TUTTI_EXPLAIN=1", "TUTTI_TABLE=FOLDER/t.toml"])
        self.finish(job, 0)
        self.assertRegex(job.err, r"t\.toml line 1 names hybrid:\.4, but it ")

    def test_explain_into_files(self):
        job = self.finish(self.choices("8", everywhere=["TUTTI_EXPLAIN=FOLDER/why"]), 0)
        self.assertEqual(job.err, "")
        self.assertEqual(len(self.explained(pathlib.Path(job.folder, "why").read_text())), 2)
        job = self.finish(self.choices("8", everywhere=["TUTTI_EXPLAIN=FOLDER/why.%r"]), 0)
        for rank in range(3):
            self.assertEqual(
                len(self.explained(pathlib.Path(job.folder, f"why.{rank}").read_text())), 2)
        job = self.choices("8", n=1, everywhere=["TUTTI_EXPLAIN=FOLDER/none/why"])
        self.assertIn("cannot be written", self.finish(job, 1).err)


    @unittest.skipUnless(MVMULT, "mvmult is not built: it needs Fortran and a BLAS")
    def test_explain_names_the_place_that_calls_a_front_end(self):
        job = self.finish(
            self.start([
                "sh", "-c", 'TUTTI_EXPLAIN=1 exec "$@"', "sh", TUTTI, "run", "-n", "4", MVMULT
            ]), 0)
        lines = self.explained(job.err)
        self.assertTrue(lines, job.err)
        for line in lines:
            self.assertRegex(
                line,
                r"tutti: \w+\+0x[0-9a-f]+ \(mvmult\+0x[0-9a-f]+\): .*: the plan that the program "
                r"asks for; "
            )

    def command_explains(self, *options):
        job = self.start([
            "sh", "-c",
            f"printf '%s' '{TABLE}' > FOLDER/t.toml; TUTTI_TABLE=FOLDER/t.toml exec \"$@\"", "sh",
            TUTTI, "explain", "allreduce", "-n", "3", *options
        ])
        return self.finish(job, 0).out

    def test_command_says_when_a_table_decides(self):
        self.assertRegex(self.command_explains("--bytes", "56000"),
                         r"on this host gets ring: named by .*t\.toml line 1\n")
        self.assertNotIn("t.toml", self.command_explains("--bytes", "6000"))
        library = json.loads(self.command_explains("--bytes", "56000", "--json"))["library"]
        self.assertEqual((library["name"], library["decided_by"]), ("ring", "table"))


if __name__ == "__main__":
    unittest.main()
