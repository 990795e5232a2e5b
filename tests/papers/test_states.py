# SPDX-License-Identifier: BSD-3-Clause
"""Tests the states of `tutti reproduce`: they must be those that judge.py derives from the rows, no
row of the papers may get lost, and no tolerance may be wider without a reason."""
import json
import pathlib
import re
import tomllib
import unittest

import judge
from command import tutti

ROOT = pathlib.Path(__file__).resolve().parents[2]
TWO_SIDES = pathlib.Path(__file__).with_name("rows_with_two_sides.txt")
# Rows that had two sides when states came.
ROWS = {tuple(line.split("\t")) for line in TWO_SIDES.read_text().splitlines()
        if not line.startswith("#")}
WIDER = pathlib.Path(__file__).with_name("wider_rows.txt")
CELLS = ROOT / "papers" / "data" / "thesis_applications.csv"
CELL = re.compile(r"(?:(?P<machine>\w+), )?p = (?P<p>\d+), (?:q|alpha) = (?P<parameter>\d+), "
                  r"(?P<library>\w+), (?P<model>g.*)(?<!prediction)$")
# The appendix whose cells a figure shows.
APPENDICES = ({f"4.{number}": "D." for number in range(4, 9)} | {"4.9": "E.", "4.10": "E."} |
              {f"5.{number}": "F." for number in range(9, 12)} |
              {f"5.{number}": "G." for number in range(13, 17)})
MACHINES = {"skua": "1", "argus": "2", "aracari": "3"}
FIRST = pathlib.Path(__file__).with_name("first_names.txt")
DEFAULT = {"relative": 0.1, "absolute": 0, "reason": "the default"}


def reproduce(*arguments):
    return tutti(*arguments, seconds=280).stdout


def ours(item):
    """Tells if a compared row has a side that is not the paper's."""
    return any(judge.row_state(row) in ("agrees", "differs") and not row["within_paper"]
               for row in item["rows"])


def declared():
    """Returns the declared states and the reasons by the names of the items."""
    states, reasons = {}, {}
    for path in (ROOT / "papers" / "data").glob("*.toml"):
        for kind, items in tomllib.loads(path.read_text()).items():
            for item in items if isinstance(items, list) else []:
                words = [path.stem, kind, item["number"]]
                name = "-".join(word for word in words if word != "statement")
                states[name], reasons[name] = item.get("state"), item.get("why", "")
    return states, reasons


class States(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.items = json.loads(reproduce("--all", "--quick", "--json"))["exhibits"]
        cls.declared, cls.reasons = declared()

    def rows(self):
        for item in self.items:
            for row in item["rows"]:
                yield f"{item['name']}: {row['label']}", item, row

    def test_each_state_follows_from_the_rows(self):
        for name, _, row in self.rows():
            self.assertEqual(row["state"], judge.row_state(row), name)
        for item in self.items:
            self.assertEqual(item["state"], judge.state(item, self.declared[item["name"]]),
                             item["name"])

    def test_counts_are_those_of_the_rows(self):
        for item in self.items:
            states = [judge.row_state(row) for row in item["rows"] if not row["measured"]]
            self.assertEqual((item["agree"], item["compared"], item["missing"]),
                             (states.count("agrees"), states.count("agrees") +
                              states.count("differs"), states.count("missing")), item["name"])
            if item["state"] == "agrees":
                self.assertGreater(item["compared"], 0, item["name"])
                self.assertFalse({"differs", "missing"} & set(states), item["name"])

    def test_reasons(self):
        """An exhibit that is not computed or contradicts has a reason, and no other one has."""
        for item in self.items:
            needs = (item["state"] in ("contradicts", "erratum") or
                     self.declared[item["name"]] is not None)
            self.assertEqual(item["why"], self.reasons[item["name"]], item["name"])
            self.assertEqual(bool(item["why"]), needs, f"{item['name']}: {item['state']}")

    def test_contradictions_say_if_they_wait(self):
        """Each contradiction says whether the paper's own programs in virtual time could change
        its state."""
        for item in self.items:
            self.assertEqual(item["virtual_time"] is not None, item["state"] == "contradicts",
                             item["name"])
        self.assertIn("it waits for the paper's programs in virtual time",
                      reproduce("000-table-16"))
        self.assertIn("it does not wait for virtual time", reproduce("001-nx-sum"))

    def test_names_of_the_first_count(self):
        """The names that were there when errata came are counted apart from those that were added
        since."""
        names = [line for line in FIRST.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(len(names), 217)
        self.assertEqual(sorted(item["name"] for item in self.items if not item["added"]),
                         sorted(names))

    def test_no_exhibit_is_empty(self):
        for item in self.items:
            computed = self.declared[item["name"]] in (None, "drawn", "beyond")
            if computed or item["measured"]:
                self.assertTrue(
                    item.get("picture") or any(row["ours"] is not None for row in item["rows"]),
                    item["name"])

    def test_sources(self):
        for name, _, row in self.rows():
            self.assertEqual(bool(row["source"]), row["ours"] is not None, name)
        for item in self.items:
            for parameter in item["parameters"]:
                self.assertTrue(parameter["source"], f"{item['name']}: {parameter['name']}")

    def test_no_row_loses_its_paper_side(self):
        now = {(item["name"], row["label"]) for _, item, row in self.rows()
               if row["paper"] is not None and row["ours"] is not None}
        self.assertEqual(sorted(ROWS - now), [])

    def test_tolerances(self):
        """A tolerance other than the default has a reason. Rows that were there when tolerances
        came have none that is wider."""
        for name, item, row in self.rows():
            tolerance = row["tolerance"]
            if tolerance["reason"] == DEFAULT["reason"]:
                self.assertEqual(tolerance, DEFAULT, name)
            self.assertGreater(len(tolerance["reason"]), 5, name)
            about_twice = tolerance["reason"] == "the paper says: about twice"
            if about_twice:
                self.assertIn(item["name"], ("004-section-6.4", "004-figure-10"))
            elif (item["name"], row["label"]) in ROWS and not isinstance(row["paper"], str):
                self.assertLessEqual(tolerance["relative"], DEFAULT["relative"], name)
                self.assertEqual(tolerance["absolute"], 0, name)

    def test_rows_that_agree_by_a_tenth_only(self):
        """The thesis's own errors are tolerances of its rows, which once could be below a tenth.
        The list has all rows that agree because they no longer can."""
        cells = {}
        for line in CELLS.read_text().splitlines():
            if not line.startswith("#"):
                table, p, parameter, library, _, *errors = line.split(",")
                cells[table, p, parameter, library] = [float(error) for error in errors]
        found = set()
        for _, item, row in self.rows():
            cell = CELL.search(row["label"])
            if item["paper"] != "003" or cell is None or row["ours"] is None or row["measured"]:
                continue
            table = (item["number"] if item["kind"] == "table" else
                     APPENDICES[item["number"]] + MACHINES[cell["machine"]])
            errors = cells[table, cell["p"], cell["parameter"], cell["library"]]
            own = errors[0 if cell["model"] == "g constant" else 1] / 100
            self.assertEqual(row["tolerance"]["relative"], min(max(own, 0.1), 0.25))
            apart = abs(row["ours"] - row["paper"]) / row["paper"]
            if own < apart <= 0.1:
                found.add((item["name"], row["label"]))
        wanted = {tuple(line.split("\t")) for line in WIDER.read_text().splitlines()
                  if not line.startswith("#")}
        self.assertEqual(found, wanted)
        self.assertEqual(len(wanted), 91)

    def test_what_is_fitted_names_an_exhibit(self):
        """A parameter that is fitted to a paper must name what it is fitted to in the form that the
        command reads."""
        for item in self.items:
            for parameter in item["parameters"]:
                source = parameter["source"]
                if source.startswith("fitted: to ") and "paper" in source:
                    self.assertTrue(judge.origins(source), source)

    def test_hard_cases(self):
        """These exhibits once looked better than they are."""
        states = {item["name"]: item["state"] for item in self.items}
        for wanted, names in (
            (("fitted", "contradicts"), ("001-table-2", "002-table-1", "002-table-2")),
            (("fitted",), ("004-figure-2", "004-figure-4")),
            (("drawn",), ("000-table-3", "003-table-2.1", "000-figure-12")),
            (("contradicts",), ("000-figure-40",)),
            (("erratum",), ("000-table-9", "002-overhead", "003-wavefront", "004-figure-8")),
            (("agrees",), ("004-table-section-5",))):
            for name in names:
                self.assertIn(states[name], wanted, name)

    def test_documents_print_what_the_command_counts(self):
        counts = reproduce("--counts")
        for path in ("docs/guide/10-the-five-papers.md", "docs/papers/README.md"):
            self.assertIn(counts, (ROOT / path).read_text(), f"{path}: make reproduce")
        self.assertIn(reproduce("--headlines"), (ROOT / "docs/papers/README.md").read_text())
        heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")]
                           for line in counts.splitlines())
        self.assertEqual(len(rows), 7)
        for paper, *cells in rows:
            items = [item for item in self.items if item["added"] == (paper == "added") and
                     paper in (item["paper"], "all", "added")]
            judged = [item for item in items if self.declared[item["name"]] is None]
            timed = [item for item in items if item["time"]]
            wanted = {"exhibits": len(items), "measured": sum(item["measured"] for item in items),
                      "about time": len(timed),
                      "agree in time": sum(item["state"] == "agrees" and ours(item)
                                           for item in timed),
                      "rows": sum(item["compared"] for item in judged),
                      "rows agree": sum(item["agree"] for item in judged)}
            for head, cell in zip(heads[1:], cells):
                self.assertEqual(int(cell), wanted.get(head, sum(item["state"] == head
                                                                 for item in items)), head)


if __name__ == "__main__":
    unittest.main()
