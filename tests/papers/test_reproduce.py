# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti reproduce`. Its list must have all tables and figures of the papers, results must
have what the papers say of them, and docs/papers must agree with the results."""
import json
import pathlib
import re
import tempfile
import unittest

from command import tutti

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "papers"


def numbered(paper, kind, numbers):
    return [f"{paper}-{kind}-{number}" for number in numbers]


def chapters(chapter, last):
    return [f"{chapter}.{number}" for number in range(1, last + 1)]


# All tables and figures, numbered as in the papers. Paper 003 has no tables 4.1 and 5.2, and the
# tables of paper 004 have no numbers.
EVERYTHING = (
    numbered("000", "table", range(1, 18)) + numbered("000", "figure", range(1, 53)) +
    numbered("001", "table", range(1, 3)) + numbered("001", "figure", range(1, 4)) +
    numbered("002", "table", range(1, 8)) + numbered("002", "figure", range(1, 10)) +
    numbered("003", "table", ["2.1", "2.2", "4.2", "5.1", "5.3", "5.4", "6.1"] + chapters("C", 9) +
             chapters("D", 3) + chapters("E", 3) + chapters("F", 3) + chapters("G", 3)) +
    numbered("003", "figure",
             chapters("2", 5) + chapters("3", 10) + chapters("4", 11) + chapters("5", 16)) +
    numbered("004", "table", ["section-3", "section-5", "section-6"]) +
    numbered("004", "figure", range(1, 14)))


class Registry(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = json.loads(tutti("--list", "--json").stdout)["exhibits"]
        cls.items = {item["name"]: item for item in listed}

    def test_nothing_is_missing(self):
        self.assertEqual([name for name in EVERYTHING if name not in self.items], [])

    def test_nothing_is_invented(self):
        beyond = set(self.items) - set(EVERYTHING)
        self.assertTrue(all(self.items[name]["kind"] == "statement" for name in beyond), beyond)

    def test_one_line_each(self):
        """Paper 004 is left out, because its states take seconds to compute."""
        for paper in ("000", "001", "002", "003"):
            self.assertEqual(len(tutti("--list", "--paper", paper).stdout.splitlines()),
                             sum(item["paper"] == paper for item in self.items.values()))


class Results(unittest.TestCase):
    def rows(self, name):
        exhibit, = json.loads(tutti(name, "--json").stdout)["exhibits"]
        return {row["label"]: row for row in exhibit["rows"]}

    def test_slopes_of_broadcasts_and_sums(self):
        """The slopes differ from those measured in paper 000 by at most 11 %, on the iPSC/860 by at
        most 1 %."""
        for table in ("000-table-12", "000-table-16"):
            slopes = {
                label: row["ratio"]
                for label, row in self.rows(table).items()
                if "per double" in label and "system" not in label
            }
            self.assertEqual(len(slopes), 4)
            for label, ratio in slopes.items():
                self.assertLess(abs(ratio - 1), 0.0105 if label.startswith("i860") else 0.11,
                                f"{table}: {label}")

    def test_rings_that_follow_each_other(self):
        """The simulator agrees with the formula of paper 000. Links of the Paragon are faster than
        its nodes; otherwise the three rings would hold each other up by 30 %."""
        for figure in (24, 26, 28, 30):
            for label, row in self.rows(f"000-figure-{figure}").items():
                if label.startswith("average"):
                    self.assertLess(abs(row["ratio"] - 1), 0.03, f"figure {figure}: {label}")

    def test_long_sums_of_the_paragon_have_one_factor(self):
        """With halving and doubling, the published rates give the same part of each printed time
        of 10000 integers."""
        rows = self.rows("002-table-5")
        end = "published rates over the paper's"
        parts = [row["ours"] for label, row in rows.items()
                 if label.startswith("10000") and label.endswith(end)]
        self.assertEqual(len(parts), 6)
        self.assertLess(max(parts) / min(parts), 1.2)
        for label, row in rows.items():
            if label.startswith("10000") and row["paper"] is not None:
                self.assertTrue(row["fitted"], label)
                self.assertEqual(row["state"], "agrees", label)
            elif label.startswith("1 ") and row["paper"] is not None:
                self.assertFalse(row["fitted"], label)

    def test_messages_of_the_blacs_are_those_of_the_system_and_a_copy(self):
        for table in ("000-table-5", "000-table-6"):
            slopes = [row["ratio"] for label, row in self.rows(table).items()
                      if label.endswith("BLACS, per double")]
            self.assertEqual(len(slopes), 4)
            for ratio in slopes:
                self.assertAlmostEqual(ratio, 1, delta=0.026)

    def test_what_the_papers_conjecture(self):
        """On larger cubes standard_F leads over more sizes, a multiphase exchange is faster than
        the six for small blocks, and the best number of rings is a root for each To/Tc."""
        rows = self.rows("004-larger-cubes")
        led = [len(rows[f"d = {d}: sizes for which standard_F is the best"]["ours"].split(", "))
               for d in (7, 8, 9)]
        self.assertEqual(led, sorted(led))
        self.assertLess(led[0], led[2])
        rows = self.rows("004-multiphase")
        over = "B: multiphase over the fastest of the six"
        self.assertLess(rows[f"d = 5, 16 {over}"]["ours"], 0.95)
        self.assertLess(rows[f"d = 6, 4 {over}"]["ours"], 0.95)
        self.assertGreater(rows[f"d = 6, 64 {over}"]["ours"], 1.02)
        rows = self.rows("000-rings")
        for ranks, root in ((17, 4), (65, 8)):
            for ratio in (2, 4, 8):
                who = f"{ranks} processors, To/Tc = {ratio}"
                self.assertEqual(rows[f"{who}: the fastest number of rings"]["ours"], root)
                self.assertGreater(rows[f"{who}: gain over one ring"]["ours"], 1.5)
                self.assertLess(rows[f"{who}: the 1-tree"]["ours"],
                                rows[f"{who}: {root} rings"]["ours"])

    def test_charts_are_those_of_the_paper(self):
        for figure in (5, 6, 7, 9):
            rows = self.rows(f"004-figure-{figure}")
            self.assertEqual(
                [row["ours"] for label, row in rows.items() if "lines that differ" in label], [0])
        rows = self.rows("004-figure-8")
        self.assertEqual(rows["figure 8 against the circle schedule: lines that differ"]["ours"], 0)
        self.assertGreater(rows["figure 8 against procedure pairwise: lines that differ"]["ours"],
                           0)

    def test_costs_are_the_papers_formulas(self):
        for name in ("001-costs", "001-mesh-costs", "004-steps"):
            for label, row in self.rows(name).items():
                if not row["statement"]:
                    self.assertAlmostEqual(row["ratio"], 1, 9, f"{name}: {label}")

    def test_messages_on_one_link(self):
        ratio = self.rows("004-figure-4")["eight messages over one"]["ours"]
        self.assertTrue(7.0 < ratio < 7.6, ratio)

    def test_law_of_unforced_messages(self):
        for label, row in self.rows("004-figure-2").items():
            if "forced, " in label:
                self.assertAlmostEqual(row["ratio"], 1, delta=0.06, msg=label)

    def test_simulated_ratios_of_table_2(self):
        """Up to 64 KiB the ratios differ by at most 30 % from the paper's. The model and the
        simulator agree."""
        rows = self.rows("001-table-2")
        for label, row in rows.items():
            if label.startswith("paragon-512-R1.2") and "1048576" not in label:
                self.assertLess(abs(row["ratio"] - 1), 0.3, label)
            if label.endswith("simulated"):
                model = rows[label.replace("simulated", "BLACS/iCC")]
                self.assertAlmostEqual(row["ours"] / model["ours"], 1, delta=0.01, msg=label)

    def test_stable_is_faster_than_linear_by_drift(self):
        rows = self.rows("004-figure-10")
        for dimension in (5, 6, 7):
            self.assertEqual(
                rows[f"d = {dimension}, 1024 B: stable faster than linear by drift alone"]["ours"],
                "yes")

    def test_text_has_paper_ours_ratio_and_sources(self):
        text = tutti("000-table-12").stdout
        for word in ("paper", "ours", "ratio", "within", "state: ", "parameters:",
                     "paper 000, table 5"):
            self.assertIn(word, text)


def made_up_times():
    """Returns times of paper 000, as --save keeps them, which lie on lines."""
    def series(program, library, top, p, beta):
        def run(kind, lengths):
            return {"kind": kind, "place": "near",
                    "points": [[n, 1 + beta * n, 0.5 + beta * n] for n in lengths]}
        return {"program": program, "library": library, "top": top, "p": p,
                "runs": [run("survey", range(0, 50001, 5000)), run("again", range(0, 50001, 10000)),
                         run("single", range(10000, 50001, 10000)),
                         run("small", range(0, 1001, 100))]}

    every = [series("Tm", "", "", 1, 0.001), series("To", "", "", 1, 0.001)]
    for p in (2, 4):
        every += [series("Tc", library, "", p, 0.002) for library in ("blacs", "nx")]
        every += [series("Ts", library, "", p, 0.001) for library in ("blacs", "nx")]
        for program in ("Tbs", "Tg"):
            every += [series(program, "blacs", top, p, 0.003 + i / 1000)
                      for i, top in enumerate("1HI")]
            every.append(series(program, "nx", "p", p, 0.004))
    return {"paper": "000", "machine": "Made up.", "plan": "full", "reps": 5, "series": every}


class Measured(unittest.TestCase):
    """Tests what `--measure 000` makes of times, without measuring."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.times = pathlib.Path(self.folder.name) / "times.json"
        self.times.write_text(json.dumps(made_up_times()))

    def test_text_and_json(self):
        text = tutti("--measure", "000", "--from", str(self.times)).stdout
        found = json.loads(tutti("--measure", "000", "--from", str(self.times), "--against",
                                 str(self.times), "--json").stdout)["measured"]
        for number in (5, 6, 7, 8, 11, 12, 14, 15, 16):
            self.assertIn(f"table {number}: ", text)
            self.assertTrue(found["tables"][f"table {number}"], number)
        rows = {(row["library"], row["p"]): row for row in found["tables"]["table 5"]}
        self.assertAlmostEqual(rows["NX", 4]["beta us/double"], 0.002)
        self.assertAlmostEqual(rows["NX", 4]["alpha us"], 1)
        self.assertEqual(found["against"]["within"], found["against"]["slopes"])
        self.assertGreater(found["against"]["pairs"], 0)

    def test_page_and_pictures(self):
        page = pathlib.Path(self.folder.name) / "blacs-timing.md"
        wanted = ["--measure", "000", "--from", str(self.times), "--write", self.folder.name]
        tutti(*wanted)
        text = page.read_text()
        for link in re.findall(r"\]\((.*\.svg)\)", text):
            self.assertIn("</svg>", (page.parent / link).read_text())
        self.assertEqual(text.count(".svg)"), 14)
        page.write_text("What a person wrote.\n\n" + text[text.index("<!-- tutti reproduce"):])
        tutti(*wanted)
        self.assertTrue(page.read_text().startswith("What a person wrote.\n\n<!-- tutti"))
        self.assertTrue(page.read_text().endswith(text[text.index("<!-- tutti reproduce"):]))
        page.write_text("Another page.\n")
        self.assertIn("where the tables begin", tutti(*wanted, code=2).stderr)
        self.assertEqual(page.read_text(), "Another page.\n")

    def test_entries_show_the_times(self):
        items = json.loads(tutti("000-table-5", "000-figure-4", "000-figure-48", "--from",
                                 str(self.times), "--json").stdout)["exhibits"]
        found = {(item["name"], row["label"]): row["ours"] for item in items
                 for row in item["rows"]}
        self.assertAlmostEqual(found["000-table-5", "here, NX, per double"], 0.002)
        self.assertAlmostEqual(found["000-figure-4", "here, NX, 20000 doubles"], 41)
        self.assertIn(("000-figure-48", "here, BLACS 1.1, TOP 1, relative error"), found)

    def test_misuse(self):
        for arguments, said in ((("--measure", "001"), "only papers 000 and 003"),
                                (("--save", "x", "000-table-5"), "belong to --measure"),
                                (("--measure", "000", "--all"), "no names"),
                                (("--measure", "000", "--from", "x", "--quick"), "--from measures"),
                                (("--measure", "000", "--from", "/no/file"), "cannot be read"),
                                (("--measure", "000", "--against", __file__), "is no file that")):
            self.assertIn(said, tutti(*arguments, code=2).stderr)

    def test_files_that_were_changed(self):
        """A file without what a table needs is refused."""

        def without_points(times):
            times["series"][0]["runs"][0]["points"] = []

        def without_survey(times):
            broadcasts = next(one for one in times["series"] if one["program"] == "Tbs")
            broadcasts["runs"] = [run for run in broadcasts["runs"] if run["kind"] == "single"]

        def without_processes(times):
            times["series"][2]["p"] = 0

        def without_calls(times):
            times["reps"] = 0

        for change, said in ((without_points, "a run has no points"),
                             (without_survey, "a series has no run of the kind survey"),
                             (without_processes, "a series has 0 processes"),
                             (without_calls, "loops have 0 calls")):
            times = made_up_times()
            change(times)
            self.times.write_text(json.dumps(times))
            done = tutti("--measure", "000", "--from", str(self.times), code=2)
            self.assertIn(said, done.stderr)


class Pages(unittest.TestCase):
    def test_committed_pages_are_what_the_command_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            tutti("--write", folder)
            written = pathlib.Path(folder)
            pages = sorted(written.glob("*.md"))
            self.assertEqual([path.name for path in pages], [f"00{i}.md" for i in range(5)])
            figures = {path.name for path in (written / "figures").iterdir()}
            self.assertEqual(figures, {path.name for path in (PAGES / "figures").iterdir()},
                             "make reproduce")
            shown = [name for page in pages
                     for name in re.findall(r"\]\(figures/(.*?)\)", page.read_text())]
            self.assertEqual(sorted(shown), sorted(figures))
            for path in pages + sorted((written / "figures").iterdir()):
                committed = PAGES / path.relative_to(written)
                self.assertEqual(committed.read_text(), path.read_text(),
                                 f"{committed.name}: make reproduce")

    def test_pages_show_what_was_reworded(self):
        """Each page has the old words, the new ones and the paper's sentence of each such name."""
        listed = json.loads(tutti("--list", "--json").stdout)["exhibits"]
        reworded = [item for item in listed if item["reworded"]]
        self.assertGreater(len(reworded), 10)
        for item in reworded:
            page = (PAGES / f"{item['paper']}.md").read_text()
            _, _, section = page.partition("\n## Questions that were reworded\n")
            entry, = (entry for entry in section.split("\n\n##")[0].split("\n- ")
                      if item["name"] in entry.split(":")[0].split(", "))
            for words in item["reworded"].values():
                self.assertIn(words, entry, item["name"])

    def test_figures_of_the_papers_are_drawn(self):
        """Each figure that is not declared impossible is a picture of its page, and --svg writes
        the same."""
        listed = json.loads(tutti("--list", "--json").stdout)["exhibits"]
        figures = {item["name"]: item["state"] for item in listed if item["kind"] == "figure"}
        drawn = sorted(name for name, state in figures.items() if state != "impossible")
        self.assertGreater(len(drawn), 60)
        with tempfile.TemporaryDirectory() as folder:
            tutti(*drawn, "--svg", folder)
            pictures = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
        for name in drawn:
            parts = re.compile(re.escape(name) + r"(-?[1-9]|[a-z])?\.svg")
            self.assertTrue(any(parts.fullmatch(picture) for picture in pictures), name)
        for name, text in pictures.items():
            self.assertEqual(text, (PAGES / "figures" / name).read_text(), name)


class Errors(unittest.TestCase):
    def test_unknown_names(self):
        self.assertIn("000-table-99", tutti("000-table-99", code=2).stderr)
        self.assertIn("there are 000, 001", tutti("--paper", "007", code=2).stderr)
        self.assertIn("--list", tutti(code=2).stderr)


if __name__ == "__main__":
    unittest.main()
