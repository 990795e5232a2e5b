# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti run`: the environment of the ranks, the folder in which they start, and jobs of
several programs."""
import json
import os
import tempfile
import unittest

from harness import PROBE, PROBE_WORD, TUTTI, TUTTI_WORD, LauncherTest

SHOW = ["sh", "-c", 'echo "$TUTTI_RANK of $TUTTI_SIZE: $A,$B: $0 $*"']


class Run(LauncherTest):
    def tutti(self, *arguments, code=0):
        return self.finish(self.start([TUTTI, "run", *arguments]), code)

    def lines(self, *arguments):
        return sorted(self.tutti(*arguments).out.splitlines())

    def refused(self, words, *arguments, code=2):
        job = self.tutti(*arguments, code=code)
        self.assertEqual(len(job.err.splitlines()), 1, job.err)
        self.assertIn(words, job.err)


class Environment(Run):
    def test_ranks_find_rank_and_size(self):
        self.assertEqual(self.lines("-n", "3", *SHOW),
                         [f"{rank} of 3: ,: sh " for rank in range(3)])

    def test_a_wrapper_writes_a_file_per_rank(self):
        with tempfile.TemporaryDirectory() as folder:
            self.tutti("-n", "3", "--wdir", folder, "sh", "-c",
                       f"exec {PROBE_WORD} '*:size' > out.$TUTTI_RANK")
            for rank in range(3):
                with open(os.path.join(folder, f"out.{rank}")) as file:
                    self.assertEqual(file.read(), f"{rank} of 3\n")

    def test_a_job_inside_a_rank_has_its_own(self):
        inner = f"exec {TUTTI_WORD} run -n 2 sh -c 'echo $TUTTI_RANK of $TUTTI_SIZE'"
        self.assertEqual(self.lines("-n", "1", "-x", "A=1", "sh", "-c", inner),
                         ["0 of 2", "1 of 2"])

    def test_variables(self):
        self.assertEqual(
            self.lines("-n", "2", "-x", "A=1", "-x", "B=x y=z", "-x", "A=2", "-x", "PATH", *SHOW),
            ["0 of 2: 2,x y=z: sh ", "1 of 2: 2,x y=z: sh "])
        self.refused("takes VAR=VALUE, not '=1'", "-n", "1", "-x", "=1", "true")
        for name in ("TUTTI_RANK", "TUTTI_SIZE", "TUTTI_JOB"):
            self.refused(f"tutti run itself sets {name}", "-n", "1", "-x", f"{name}=3", "true")
        self.refused("in front of the command", "-n", "1", "-x", "TUTTI_DEATHS=tolerant", "true")

    def test_misspelt_variables_are_named_once(self):
        wrong = ("-x", "TUTTI_ALGORITM=bcast=ring")
        words = ("environment variable TUTTI_ALGORITM is not known; did you mean "
                 "TUTTI_ALGORITHM?\n")
        first, second = ("-n", "2", *wrong, PROBE, "*:size"), ("-n", "1", *wrong, PROBE)
        self.assertEqual(self.tutti(*first, ":", *second).err, "tutti: " + words)
        job = self.start(["env", wrong[1], TUTTI, "run", *first])
        self.assertEqual(self.finish(job, 0).err, "tutti: " + words)
        nested = self.tutti("-n", "1", *wrong, TUTTI, "run", *first)
        self.assertEqual(nested.err, "tutti: " + words)
        self.assertEqual(self.tutti("-n", "2", "-x", "TUTTI_SEED=3", PROBE, "*:size").err, "")

    def test_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            program = os.path.join(folder, "prog")
            with open(program, "w") as file:
                file.write("#!/bin/sh\npwd\n")
            self.refused("chmod +x", "-n", "1", program, code=126)
            os.chmod(program, 0o755)
            self.assertEqual(self.lines("-n", "2", "--wdir", folder, "./prog"), [folder, folder])
            self.assertEqual(self.lines("-np", "1", "-wdir", folder, "pwd"), [folder])
            self.refused("called as ./prog", "-n", "1", "--wdir", folder, "prog", code=127)
            self.refused("cannot start 'true' in the folder '/no/such'",
                         "-n",
                         "1",
                         "--wdir",
                         "/no/such",
                         "true",
                         code=126)
            with open(program, "w") as file:
                file.write("#!/no/such/interpreter\n")
            self.refused("the interpreter or loader that it names is not",
                         "-n",
                         "1",
                         program,
                         code=127)

    def test_a_program_for_python(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "prog.py")
            with open(program, "w") as file:
                file.write("print(1)\n")
            for name, code in (("prog.py", 127), ("./prog.py", 126)):
                self.refused(f"python3 stands before it: python3 {name}\n", "-n", "1", "--wdir",
                             folder, name, code=code)
            os.chmod(program, 0o755)
            self.refused("called as ./prog.py", "-n", "1", "--wdir", folder, "prog.py", code=127)
            with open(program, "w") as file:
                file.write("#!/no/such/interpreter\n")
            self.refused("that it names is not", "-n", "1", program, code=127)


class Programs(Run):
    def test_each_has_its_ranks_arguments_and_variables(self):
        self.assertEqual(
            self.lines("-n", "2", "-x", "A=1", *SHOW, "x", ":", "-n", "1", "-x", "A=2", "-x", "B=3",
                       *SHOW, ":", "--ranks=1", *SHOW, "-n", "4"),
            ["0 of 4: 1,: x ", "1 of 4: 1,: x ", "2 of 4: 2,3: sh ", "3 of 4: ,: -n 4"])

    def test_all_are_one_job(self):
        job = self.tutti("-n",
                         "2",
                         PROBE,
                         "*:size",
                         "0:wait=3",
                         ":",
                         "-n",
                         "2",
                         PROBE,
                         "*:size",
                         "3:sleep=100",
                         "3:exit=7",
                         code=7)
        self.assertEqual(sorted(job.out.splitlines()), [f"{rank} of 4" for rank in range(4)])
        self.assert_one_report(job, f"rank 3 (pid ")
        self.assertIn("waiting in test_call", job.err)

    def test_reports_name_the_program_of_the_rank(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            job = self.tutti("--report",
                             path,
                             "-n",
                             "1",
                             "sleep",
                             "100",
                             ":",
                             "-n",
                             "1",
                             "sh",
                             "-c",
                             "exit 9",
                             code=9)
            self.assertRegex(job.err, r"rank 1 \(pid \d+, sh\) exited with code 9")
            with open(path) as file:
                self.assertEqual([rank["program"] for rank in json.load(file)["ranks"]],
                                 ["sleep", "sh"])
        self.refused("cannot run 'no-such' as rank 2",
                     "-n",
                     "2",
                     "true",
                     ":",
                     "-n",
                     "1",
                     "no-such",
                     code=127)

    def test_a_colon_as_an_argument(self):
        self.assertEqual(self.lines("-n", "1", "--", "echo", "a", ":", "b"), ["a : b"])
        self.assertEqual(self.lines("-n", "1", "echo", "a:", "b"), ["a: b"])

    def test_refusals(self):
        self.refused("no program behind the last ':'", "-n", "1", "echo", ":")
        self.refused("no program to run before a ':'", "-n", "1", ":", "-n", "1", "true")
        self.refused("program 2 of the command line: --ranks is required", "-n", "1", "true", ":",
                     "true")
        self.refused(
            "program 2 of the command line: --ranks: must be a whole number above 0, not '0'", "-n",
            "1", "true", ":", "-n", "0", "true")
        self.refused(
            "not expected: --timeout (behind a ':' there are the options --ranks, -x, --wdir", "-n",
            "1", "true", ":", "-n", "1", "--timeout", "3", "true")
        self.refused("between 1 and 1024 fit", "-n", "1000", "true", ":", "-n", "1000", "true")


class Advice(Run):
    """Tests the advice that `tutti run` prints if a rank ends with 126 or 127."""

    def test_a_library_that_the_loader_does_not_find(self):
        program, library = os.environ["TUTTI_NEEDS_LIBRARY"], os.environ["TUTTI_NEEDED_LIBRARY"]
        folder, name = os.path.split(library)
        job = self.tutti("-n", "2", program, code=127)
        self.assertIn(
            f"\ntutti run: '{program}' needs {name}, which the loader does not find: give the "
            "folder with -x LD_LIBRARY_PATH=FOLDER", job.err)
        self.tutti("-n", "2", "-x", f"LD_LIBRARY_PATH={folder}", program)
        job = self.tutti("-n", "1", "sleep", "100", ":", "-n", "1", program, code=127)
        self.assertIn(f"'{program}' needs {name}", job.err)

    def test_a_command_that_a_shell_does_not_find(self):
        job = self.tutti("-n", "2", "sh", "-c", "no-such-command", code=127)
        said = "\ntutti run: a shell or wrapper ends with"
        self.assertIn(f"{said} 127 when it does not find a command", job.err)
        job = self.tutti("-n", "2", "env", "/dev/null", code=126)
        self.assertIn(f"{said} 126 when it cannot run a command", job.err)

    def test_other_endings_need_no_advice(self):
        for code in (1, 128):
            self.assertNotIn("a shell or wrapper",
                             self.tutti("-n", "1", "sh", "-c", f"exit {code}", code=code).err)


if __name__ == "__main__":
    unittest.main()
