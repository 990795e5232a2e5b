# SPDX-License-Identifier: BSD-3-Clause
"""Tests that `tutti` starts tutti-papers from a build tree, from an installed tree and from one
that was moved. Options and exit codes must be those of one command."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TUTTI = pathlib.Path(os.environ["TUTTI_COMMAND"])
PAPERS = pathlib.Path(os.environ["TUTTI_PAPERS"])


def run(command, *arguments):
    return subprocess.run([command, *arguments],
                          capture_output=True,
                          text=True,
                          timeout=250,
                          check=False)


class Started(unittest.TestCase):
    def check(self, tutti):
        """The answers need the data of tutti-papers, so it was started."""
        listed = run(tutti, "reproduce", "--list", "--paper", "001", "--json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertGreater(len(json.loads(listed.stdout)["exhibits"]), 5)
        table = run(tutti, "explain", "--table2", "--json", "--machine", "paragon-512-R1.3")
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertEqual(json.loads(table.stdout)["machine"]["name"], "paragon-512-R1.3")

    def test_from_the_build_tree(self):
        self.check(TUTTI)

    def test_from_a_moved_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = pathlib.Path(folder, "one"), pathlib.Path(folder, "the other")
            helpers, pvm = "libexec/tutti", PAPERS.parents[1] / "frontends/pvm"
            for program, place in (
                (TUTTI, "bin"), (PAPERS, helpers), (PAPERS.parent / "tutti-grid-probe", helpers),
                (PAPERS.parent / "tutti-study", helpers),
                (PAPERS.parent / "tutti-id-probe", helpers),
                (pvm / "bin/pvm-probe", "lib/tutti/pvm/bin"),
                (pvm / "include/pvm3.h", "lib/tutti/pvm/include")):
                (first / place).mkdir(parents=True, exist_ok=True)
                shutil.copy(program, first / place)
            self.check(first / "bin/tutti")
            first.rename(second)
            self.check(second / "bin/tutti")
            # A program of the paper's measurements is started by `tutti run` of the same tree. One
            # that is missing is no empty table.
            empty = run(second / "bin/tutti", "reproduce", "003-figure-2.2")
            self.assertEqual((empty.returncode, empty.stdout), (2, ""), empty.stderr)
            self.assertIn("tutti-bsp-probe", empty.stderr)
            shutil.copy(PAPERS.parent / "tutti-bsp-probe", second / "libexec/tutti")
            full = run(second / "bin/tutti", "reproduce", "003-figure-2.2", "--json")
            self.assertEqual(full.returncode, 0, full.stderr)
            self.assertTrue(json.loads(full.stdout)["exhibits"][0]["rows"])

    def test_a_missing_program_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            lonely = shutil.copy(TUTTI, folder)
            for verb, program, others in (("reproduce", "tutti-papers",
                                           ", a wheel of Python leaves it out"),
                                          ("explain", "tutti-study", ""),
                                          ("bench", "tutti-measure", "")):
                done = run(lonely, verb, "--list")
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertRegex(
                    done.stderr,
                    rf"^tutti {verb}: the program {program} is neither in {folder} nor in .*"
                    rf"libexec/tutti; `make install` and the Debian package tutti bring it{others}"
                    r"\n$")
            self.assertEqual(run(lonely, "reproduce", "--help").returncode, 0)


class OneCommand(unittest.TestCase):
    def test_help_is_the_same(self):
        ours, theirs = run(TUTTI, "reproduce", "--help"), run(PAPERS, "reproduce", "--help")
        self.assertEqual((ours.returncode, ours.stdout), (0, theirs.stdout))
        self.assertIn("--paper NNN", ours.stdout)

    def test_errors_name_the_verb(self):
        for arguments, code, message in (
            (["reproduce"], 2, "tutti reproduce: name a table or figure"),
            (["reproduce", "no-such"], 2, "tutti reproduce: there is no 'no-such'"),
            (["reproduce", "--lsit"], 2, "tutti reproduce: there is no option '--lsit'"),
            (["explain", "--table2", "--machine", "ipsc860"], 2, "tutti explain: machine"),
        ):
            done = run(TUTTI, *arguments)
            self.assertEqual(done.returncode, code, arguments)
            self.assertTrue(done.stderr.startswith(message), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([TUTTI, "reproduce", "--list", "--paper", "001"],
                                  stdout=full,
                                  stderr=subprocess.PIPE,
                                  text=True,
                                  timeout=60,
                                  check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("tutti reproduce: the output cannot be written", done.stderr)


unittest.main()
