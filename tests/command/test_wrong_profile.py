# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs with a wrong profile: one of another processor, one whose rows are all as low or as
high as they may be, and one with a value that a row cannot have. Results must be right all the
same, and `tutti info --tuning` tells what the profile does."""
import json
import os
import subprocess
import tempfile
import unittest

TUTTI = os.environ["TUTTI_COMMAND"]
# Rows that decide how messages travel. Those about waiting and watching have tests of their own.
BENCHES = ("bench-coll", "bench-blacs")
OPERATIONS = "bcast,allreduce,alltoall,scan"
SIZES = "4096,1048576"


class WrongProfile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tutti-test-")
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "wrong.toml")

    def tutti(self, *arguments, code=0, **variables):
        environment = {**os.environ, "TUTTI_PROFILE": self.path, "TUTTI_TUNING": "", **variables}
        done = subprocess.run([TUTTI, *arguments], capture_output=True, text=True, timeout=200,
                              env=environment, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def write(self, rows, processor=None):
        """Writes a profile with the rates of the profile `host` and these rows."""
        text = self.tutti("info", "--machine", "host", "--toml", TUTTI_PROFILE="").stdout
        with open(self.path, "w", encoding="utf-8") as file:
            if processor:
                file.write(f'processor = "{processor}"\n')
            file.write(text + "[tuning]\n")
            file.writelines(f'{name} = "{value}"\n' for name, value in rows.items())

    def table(self, **variables):
        answer = json.loads(self.tutti("info", "--tuning", "--json", **variables).stdout)
        return answer, {row["name"]: row for row in answer["tuning"]}

    def extremes(self, which):
        """Returns {row: the text of its least or its most value}."""
        _, rows = self.table(TUTTI_PROFILE="")
        return {name: f"{row[which]}{'ns' if row['unit'] == 'time' else ''}"
                for name, row in rows.items()
                if row["bench"] in BENCHES and row["scope"] != "layout"}

    def results_are_right(self, ranks):
        report = json.loads(self.tutti("bench", OPERATIONS, "-n", str(ranks), "--bytes", SIZES,
                                       "--seconds", "0.1", "--json").stdout)
        self.assertEqual(len(report["results"]), 8)
        for one in report["results"]:
            self.assertIs(one["verified"], True, one)

    def test_rows_of_another_processor_do_not_count(self):
        self.write(self.extremes("most"), "none such")
        answer, rows = self.table()
        self.assertIn("was measured on another processor (none such)",
                      answer["rows_of_the_machine_file"])
        self.assertIn(self.path, answer["rows_of_the_machine_file"])
        self.assertNotIn("machine file", {row["source"] for row in rows.values()})
        self.assertEqual(rows, self.table(TUTTI_PROFILE="")[1])
        self.assertIn("rows of the machine file: not used: ", self.tutti("info", "--tuning").stdout)
        self.results_are_right(2)

    def test_values_without_sense_are_told_and_change_no_result(self):
        for which in ("least", "most"):
            absurd = self.extremes(which)
            self.write(absurd)
            answer, rows = self.table()
            self.assertEqual(answer["rows_of_the_machine_file"], f"{len(absurd)} of {self.path}")
            for name in absurd:
                self.assertEqual((rows[name]["value"], rows[name]["source"]),
                                 (rows[name][which], "machine file"))
            for ranks in (2, 3):
                with self.subTest(which, ranks=ranks):
                    self.results_are_right(ranks)

    def test_a_value_that_a_row_cannot_have_is_refused(self):
        for row, value, words in (("one_copy_from", 1, "must be a size"),
                                  ("copy_by_kernel", 2, "from 0 to 1"),
                                  ("one_copy_form", 1, "did you mean")):
            self.write({row: value})
            for command in (("info", "--tuning"), ("run", "-n", "2", "true")):
                with self.subTest(row, command=command):
                    errors = self.tutti(*command, code=2).stderr
                    self.assertIn(self.path, errors)
                    self.assertIn(words, errors)

    def test_one_copy_that_is_forbidden(self):
        self.write({"copy_by_kernel": 0})
        self.assertEqual(self.table()[0]["copied_once_by_the_system"],
                         "no, copy_by_kernel is 0 (machine file)")
        os.remove(self.path)
        forbidden = {"TUTTI_PROFILE": "", "TUTTI_TUNING": "copy_by_kernel=0",
                     "XDG_CONFIG_HOME": os.path.dirname(self.path)}
        answer, _ = self.table(**forbidden)
        self.assertEqual(answer["copied_once_by_the_system"],
                         "no, copy_by_kernel is 0 (TUTTI_TUNING)")
        self.assertEqual(answer["rows_of_the_machine_file"],
                         "there is no profile; tutti tune writes one")


if __name__ == "__main__":
    unittest.main()
