# SPDX-License-Identifier: BSD-3-Clause
"""Tests chapters 4 and 5 of paper 003: what its models say of its machines, the drawings, and
`tutti reproduce --measure 003` on times that are made up."""
import json
import math
import pathlib
import re
import tempfile
import unittest

from command import tutti

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("customized", "static", "standard", "bit-parallel")


def made_up():
    """Returns runs as --save keeps them, of which two processes take 0.6 times the time of one."""
    rates = {"l": 3e-5, "l_empty": 1e-5, "g_inf": 1e-9, "h_half": 100, "o": 10}
    runs = []
    for program in PROGRAMS:
        product = program in PROGRAMS[:2]
        for n in (500, 1000):
            seconds = 1e-9 * n**(3 if product else 2)
            for p in (1, 2):
                parameter = 8 if product else p
                runs.append({"program": program, "p": p, "parameter": parameter, "n": n,
                             "seconds": seconds * (1 if p == 1 else 0.6),
                             "computing": seconds if product else 0,
                             "predicted": 0 if p == 1 else 0.66 * seconds})
    others = [{"mode": mode, "p": 2, "n": n, "seconds": 1e-9 * n**3}
              for mode in ("split", "summa") for n in (500, 1000)]
    return {"paper": "003", "machine": "Made up.", "plan": "full",
            "rates": [{"p": 2, "product": rates, "subsequence": rates}],
            "runs": runs, "others": others}


class MadeUp(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.kept = pathlib.Path(self.folder.name) / "kept.json"
        self.kept.write_text(json.dumps(made_up()))
        self.wanted = ["--measure", "003", "--from", str(self.kept)]

    def test_tables(self):
        tables = json.loads(tutti(*self.wanted, "--json").stdout)["measured"]["tables"]
        self.assertAlmostEqual(tables["table 4.2"][0]["f ns/operation"], 1)
        for name in "DEFG":
            (line,) = tables[f"table {name}"]
            self.assertAlmostEqual(line["efficiency %"], 100 / 1.2)
            self.assertAlmostEqual(line["by process"], 10)
        self.assertAlmostEqual(tables["figure 4.11"][0]["split"], 1)
        text = tutti(*self.wanted).stdout
        for name in tables:
            self.assertIn(f"\n{name}: ", text)

    def test_page_and_pictures(self):
        tutti(*self.wanted, "--write", self.folder.name)
        page = pathlib.Path(self.folder.name) / "bsp-applications.md"
        text = page.read_text()
        links = re.findall(r"\]\((.*\.svg)\)", text)
        self.assertEqual(len(links), 12)
        for link in links:
            self.assertIn("</svg>", (page.parent / link).read_text())
        page.write_text("Another page.\n")
        self.assertIn("where the tables begin",
                      tutti(*self.wanted, "--write", self.folder.name, code=2).stderr)

    def test_entries_show_the_runs(self):
        (item,) = json.loads(tutti("003-table-D.2", "--from", str(self.kept),
                                   "--json").stdout)["exhibits"]
        ours = {row["label"]: row["ours"] for row in item["rows"]}
        self.assertAlmostEqual(ours["here, p = 2, q = 8, efficiency"], 100 / 1.2)

    def test_misuse(self):
        times = made_up()
        times["runs"][0]["program"] = "sort"
        self.kept.write_text(json.dumps(times))
        self.assertIn("no program of paper 003", tutti(*self.wanted, code=2).stderr)
        self.kept.write_text("{}")
        self.assertIn("has no times of paper 003", tutti(*self.wanted, code=2).stderr)
        self.assertIn("paper 000 only",
                      tutti("--measure", "003", "--against", "x", code=2).stderr)


class Models(unittest.TestCase):
    """The places where the paper contradicts itself, each with the rows that show it."""

    def rows(self, name):
        (item,) = json.loads(tutti(name, "--json").stdout)["exhibits"]
        return item["state"], {row["label"]: row["ours"] for row in item["rows"]}

    def test_rates_of_the_clusters_are_exchanged(self):
        state, rows = self.rows("003-exchanged-rates")
        self.assertEqual(state, "erratum")
        for table, printed in (("F.2", 86 / 61), ("F.3", 61 / 86)):
            ratios = {"exchanged" in label: ours for label, ours in rows.items() if table in label}
            self.assertAlmostEqual(ratios[False] / printed, 1, delta=0.03)
            self.assertAlmostEqual(ratios[True], 1, delta=0.03)

    def test_output_has_its_own_supersteps(self):
        state, rows = self.rows("003-output-steps")
        self.assertEqual(state, "erratum")
        for label, ours in rows.items():
            if label.endswith("own supersteps"):
                self.assertLess(ours, rows[label.replace("its own supersteps", "each superstep")])

    def test_one_superstep_has_two_synchronisations(self):
        state, rows = self.rows("003-latency")
        self.assertEqual(state, "erratum")
        self.assertEqual(rows["supersteps"], 183)
        self.assertAlmostEqual(rows["time of their synchronisations"], 0.732)

    def test_speedups_of_long_strings_are_those_of_5_3(self):
        """Computes (5.3) with g(h) and the best alpha once more, from the file of tables C."""
        lines = [line.split(",") for line in
                 (ROOT / "study/bsp_model/data/thesis.csv").read_text().splitlines()]

        def speedup(machine, library, p, n):
            where = [machine, library, str(p)]
            latency = next(float(line[4]) for line in lines if line[:4] == ["l", *where])
            gap, half = next((float(line[6]), float(line[7])) for line in lines
                             if line[:6] == ["g", *where, "random", "put"])
            rates = {"skua": (130, 130), "aracari": (61, 86)}[machine]  # exchanged, printed
            best = 1e300
            for alpha in range(1, 65):
                width = math.ceil(n / (alpha * p))
                words = width * 5 / 8
                best = min(best, width**2 * (p * alpha * (alpha + 1) - alpha) / rates[0] +
                           alpha * (alpha * p - 1) * gap * (words + half) +
                           alpha * (2 * alpha * p - 1) * latency)
            return n * n / rates[1] / best

        state, rows = self.rows("003-figure-5.12")
        self.assertEqual(state, "contradicts")
        for machine, library, p, n in (("skua", "PUB", 32, 8192), ("skua", "MPISHMEM", 4, 65536),
                                       ("aracari", "Oxtool", 4, 524288),
                                       ("aracari", "MPIMPASS", 32, 131072)):
            label = f"{machine}, {library}, p = {p}, {n} characters: speedup"
            self.assertAlmostEqual(rows[label] / speedup(machine, library, p, n), 1, 9, label)

    def test_figures_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            tutti("003-figure-5.15", "003-figure-5.5", "--svg", folder)
            pictures = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(sorted(pictures), ["003-figure-5.15a.svg", "003-figure-5.15b.svg",
                                            "003-figure-5.5.svg"])
        self.assertEqual(pictures["003-figure-5.15a.svg"].count(">the paper's</text>"), 5)
        self.assertIn("p = 32", pictures["003-figure-5.5.svg"])
        self.assertIn("none of these", tutti("003-example", "--svg", "x", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
