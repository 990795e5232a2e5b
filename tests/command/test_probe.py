#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti probe` and `tutti predict`: a short measurement, reading its files again, and the
predicted cost of a profiled program on this machine and on machines of paper 003."""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

TUTTI = os.environ["TUTTI_COMMAND"]
PROGRAM = os.environ["TUTTI_PROGRAM"]
ACCESSES = ["put", "hpput", "get", "hpget", "send"]
PROFILE = (
    "superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,total_s,"
    "each process,call path,called at\n")


def tutti(*words, **environment):
    return subprocess.run([TUTTI, *words], capture_output=True, text=True, check=False, timeout=200,
                          env=dict(os.environ, **environment))


class Probe(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_measure_and_predict(self):
        raw, machine = self.path / "raw.csv", self.path / "machine.json"
        profile = self.path / "steps.csv"
        done = tutti("probe", "-n", "3", "--quick", "--passes", "2", "--raw", str(raw), "--output",
                     str(machine))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        parameters = json.loads(machine.read_text())
        self.assertEqual(parameters["processes"], 3)
        found = [(entry["pattern"], entry["access"]) for entry in parameters["g"]]
        self.assertEqual(found, [(pattern, access)
                                 for pattern in ("random", "all-to-all", "own")
                                 for access in ACCESSES +
                                 (["exchange"] if pattern == "all-to-all" else [])])
        self.assertGreater(parameters["processors"], 0)
        # Supersteps in which 1, 2 or 3 processes compute. How long they last depends on what else
        # runs on the machine.
        shared = parameters["w"]
        self.assertEqual({active for active, _, _ in shared}, {1, 2, 3})
        self.assertTrue(all(time > 0 and seconds > 0 for _, seconds, time in shared))
        self.assertTrue(all(entry["g_inf"] > 0 for entry in parameters["g"]))
        again = tutti("probe", "--from", str(self.path), "--json")
        self.assertEqual(json.loads(again.stdout)["g"], parameters["g"])
        self.assertIn("error BSP*", tutti("probe", "--from", str(raw), "--in-plus-out").stdout)
        table = list(csv.DictReader(
            tutti("probe", "--from", str(raw), "--csv").stdout.splitlines()))
        self.assertEqual(len(table), 16)

        self.check_report(raw)

        done = tutti("run", "-n", "3", PROGRAM, TUTTI_BSP_PROFILE=str(profile))
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = list(csv.DictReader(profile.read_text().splitlines()))
        self.assertGreater(len(steps), 50)
        self.assertTrue(
            all(float(step["total_s"]) >= float(step["compute_mean_s"]) for step in steps))
        self.assertTrue(any("inner_product" in step["called at"] for step in steps))
        for where in (str(machine), "skua/PUB/16", "argus/Oxtool/10"):
            done = tutti("predict", str(profile), "--machine", where, "--access", "put", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            times = json.loads(done.stdout)
            self.assertEqual(times["supersteps"], len(steps))
            self.assertGreater(times["overhead_s"], 0)
        self.assertIn("(2.6)",
                      tutti("predict", str(profile), "--g", "1", "--l", "2", "--each").stdout)

    def check_report(self, raw):
        """Checks a report of two machines. The second is the first with twice its time to
        synchronise."""
        folder, page = self.path / "both", self.path / "report.html"
        folder.mkdir()
        lines = raw.read_text().splitlines()
        (folder / "a.csv").write_text("\n".join(lines) + "\n")
        slow = [
            f"{line.rsplit(',', 1)[0]},{2 * float(line.rsplit(',', 1)[1])}"
            if line.startswith("l,") else line for line in lines
        ]
        (folder / "b.csv").write_text("\n".join(slow) + "\n")
        done = tutti("probe", "--from", str(folder), "--compare", "--html", str(page))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"l after no communication, us +\S+ +1\.00 +\S+ +2\.00\n")
        self.assertRegex(done.stdout, r"g_inf put, random, ns/word +(\S+) +1\.00 +\1 +1\.00\n")
        text = page.read_text()
        self.assertNotRegex(text, r"<script|<link|href=|src=")
        body = xml.etree.ElementTree.fromstring("<body>" +
                                                text.split("<body>")[1].split("</html>")[0])
        tables = [table.get("class") for table in body.findall("table")]
        self.assertEqual(tables, ["f", "l", "g"] * 2)
        # The comparison has a picture of each of the sixteen series. Each machine has a picture of
        # its speeds, one of the start-up for each of three patterns, and one surface for each
        # series.
        self.assertEqual(len(body.findall("{http://www.w3.org/2000/svg}svg")),
                         16 + 2 * (1 + 3 + 16))

    def test_page(self):
        """The sums of call sites and of supersteps agree with the total. The page is well-formed
        and needs no other file."""
        profile, page = self.path / "steps.csv", self.path / "steps.html"
        line = "{},{},{},{},{},{},{},{},{},{},main;f<{}>,\"f<{}> at a,b\"\n"
        rows = [(3e-6, 2e-6, 7, 7, 5, 2, 1e-6, 4e-6, "3e-6 put:7:5:2:1;1e-6 put:5:7:1:2"),
                (1e-6, 1e-6, 10, 8, 10, 3, 2e-6, 5e-6, "1e-6 put:8:10:3:2;1e-6 put:10:8:2:3"),
                (0, 0, 0, 0, 0, 0, 1e-6, 1e-6, "0;0")]
        profile.write_text(PROFILE +
                           "".join(line.format(i, *rows[i % 3], i % 3, i % 3) for i in range(900)))
        done = tutti("predict", str(profile), "--g", "100", "--l", "2", "--html", str(page))
        self.assertEqual(done.returncode, 0, done.stderr)
        text = page.read_text()
        self.assertNotRegex(text, r"<script|<link|href=|src=")
        body = xml.etree.ElementTree.fromstring("<body>" +
                                                text.split("<body>")[1].split("</html>")[0])
        tables = {table.get("id"): [[cell.text for cell in row] for row in table.findall("tr")][1:]
                  for table in body.iter("table")}
        self.assertEqual(tables["supersteps"][1], ["1", "f<1> at a,b"] +
                         "1.00 0.00 8 10 10 3 2.00 5.00 4.00 4.00 4.00 4.00".split() +
                         ["-20.0 %"])
        self.assertEqual([row[:2] for row in tables["sites"]],
                         [[f"f<{i}> at a,b", "300"] for i in (1, 0, 2)])
        self.assertEqual(tables["sites"][1][2:8],
                         ["900.00", "300.00", "2100", "1500", "2100", "600"])
        self.assertEqual([row[:2] for row in tables["calls"]],
                         [["program", "900"], ["main", "900"]] + [[f"f<{i}>", "300"]
                                                                  for i in range(3)])
        self.assertEqual(tables["calls"][2][2:8], tables["sites"][1][2:8])
        self.assertEqual(tables["whole"][0][:3], ["900", "1200.00", "300.00"])
        svg = body.find("{http://www.w3.org/2000/svg}svg")
        self.assertEqual(len(svg.findall("{http://www.w3.org/2000/svg}g")), 300)
        self.assertIn("us", [text.text for text in svg])
        self.assertEqual(tutti("predict", str(profile), "--html", "/nowhere/x").returncode, 1)

    def test_what_cannot_be_true_is_marked(self):
        raw, machine = self.path / "raw.csv", self.path / "machine.json"
        page = self.path / "page.html"
        falling = [
            f"g,{pattern},{access},1,{count},{(1e-5 - 1e-8 * count) / count:.6g}"
            for pattern in ("random", "all-to-all")
            for access in ACCESSES
            for count in (1, 2, 4, 8)
        ]
        raw.write_text("\n".join([
            "p,2", "f,dgemm,16,1e-9", "f,dgemm,32,2e-8", "f,dgemm,64,1e-9",
            "l,no communication,1e-6", *falling, "busy,other processes used 1.3 of 2 processors"
        ]) + "\n")
        text = tutti("probe", "--from", str(raw), "--output", str(machine), "--html",
                     str(page)).stdout
        self.assertRegex(text, r"(?m)^dgemm +32 .* not usable$")
        self.assertNotRegex(text, r"(?m)^dgemm +(16|64) .* not usable$")
        self.assertRegex(text, r"(?m)^random +put .* not usable *$")
        self.assertIn("not usable: busy: other processes used 1.3", text)
        self.assertIn("other processes used 1.3", page.read_text())
        parameters = json.loads(machine.read_text())
        self.assertIsNone(parameters["g"][0]["regression_g"])
        self.assertEqual(parameters["busy"], "other processes used 1.3 of 2 processors")
        profile = self.path / "steps.csv"
        profile.write_text(PROFILE +
                           "".join(f"{i},1e-6,1e-6,1,1,1,1,1e-6,9,1e-6,main,x\n"
                                   for i in range(9)))
        done = tutti("predict", str(profile), "--machine", str(machine), "--html", str(page))
        self.assertRegex(done.stdout, r"-100\.0 % of what was measured, not usable\n")
        self.assertIn("more than 5 times apart", done.stdout)
        self.assertIn("busy: other processes", done.stdout)
        self.assertIn("more than 5 times apart", page.read_text())
        reasons = json.loads(
            tutti("predict", str(profile), "--machine", str(machine),
                  "--json").stdout)["not_usable"]
        self.assertTrue(any("busy" in reason for reason in reasons))
        # Doubts about the measurement do not concern a machine of the paper.
        done = tutti("predict", str(profile), "--machine", "skua/PUB/16", "--json")
        self.assertEqual(json.loads(done.stdout)["not_usable"], [])
        # A profile of other processes than the machine has is named, not refused.
        done = tutti("predict", str(profile), "--machine", "skua/PUB/16")
        self.assertIn("The profile has 1 processes, and the machine 16.\n", done.stdout)

    def test_machine_files_predict(self):
        """A superstep of 1000 words takes g h, its start-up, and the latency of 16 processes."""
        profile = self.path / "steps.csv"
        profile.write_text(PROFILE + "0,0,0,1000,1000,1000,1,0,0" + 10 * ",0" + ",main,x\n")
        alone = tutti("predict", str(profile), "--machine", "aracari", "--json")
        self.assertEqual(alone.returncode, 2)
        self.assertIn("needs --processes", alone.stderr)
        done = tutti("predict", str(profile), "--machine", "aracari", "--processes", "16", "--json")
        alpha, beta = 46.431e-6, 0.0175875e-6
        self.assertAlmostEqual(json.loads(done.stdout)["startup_s"], 5 * alpha + 8000 * beta, 9)
        done = tutti("predict", str(profile), "--machine", "aracari", "--processes", "200")
        self.assertIn("200 processes do not fit", done.stderr)

    def test_profile_counts(self):
        """Each process of the inner product puts one word to each of the two others."""
        profile = self.path / "steps.csv"
        self.assertEqual(
            tutti("run", "-n", "3", PROGRAM, TUTTI_BSP_PROFILE=str(profile)).returncode, 0)
        steps = list(csv.DictReader(profile.read_text().splitlines()))
        self.assertEqual(
            [steps[1][name] for name in ("h_words", "h_out_words", "h_in_words", "messages")],
            ["2"] * 4)
        each = [process.split(" ")[1:] for process in steps[1]["each process"].split(";")]
        self.assertEqual(each, 3 * [["put:2:2:2:2", "own-put:1:1"]])
        self.assertEqual(steps[1]["call path"], "main;inner_product")
        self.assertEqual(steps[0]["h_words"], "0")

    def test_compare(self):
        """Rows have the mean errors of their runs, and a table the medians of its rows."""
        machine, runs = self.path / "machine.json", self.path / "runs.csv"
        raw = self.path / "raw.csv"
        # A message of any kind takes 1 us and 1 ns for each word, beside the 2 us of an empty
        # superstep.
        samples = [(f"{pattern},{access},{size},{count}", size * count,
                    2e-6 + count * (1e-6 + 1e-9 * size))
                   for pattern in ("random", "own") for access in ACCESSES for size in (1, 1000)
                   for count in (1, 10)]
        raw.write_text("p,2\nl,no communication,2e-6\nl,cyclic shift,3e-6\n" +
                       "".join(f"g,{sample},{time / words}\n" for sample, words, time in samples))
        self.assertEqual(
            tutti("probe", "--from", str(raw), "--output", str(machine)).returncode, 0)
        profile = self.path / "steps.csv"
        # One process computes and the other sends, so the maxima belong to two processes.
        profile.write_text(PROFILE +
                           "0,3e-5,1e-5,500,500,500,5,0,0,3e-5;0 hpput:500:0:5:0,main,x\n")
        lines = [("t", "q = 8", 2, 32e-6, 40e-6), ("t", "q = 8", 2, 64e-6, ""),
                 ("t", "q = 27", 2, 32e-6, ""), ("u", "q = 8", 2, 16e-6, "")]
        head = "table,row,processes,machine,profile,measured_s,alone_s\n"
        runs.write_text(head + "".join(f"{table},{row},{p},{machine},{profile},{time},{alone}\n"
                                       for table, row, p, time, alone in lines))
        done = tutti("predict", "--compare", str(runs), "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = json.loads(done.stdout)
        # The slowest process takes 30 us and the superstep 2 us more. The sum of maxima has the
        # 5.5 us of the other process, too.
        self.assertAlmostEqual(found["runs"][0]["predicted_s"]["by_process"], 32e-6, places=12)
        self.assertGreater(found["runs"][0]["predicted_s"]["overhead"], 34e-6)
        self.assertEqual([table["table"] for table in found["tables"]], ["t", "u"])
        rows = found["tables"][0]["rows"]
        self.assertEqual([row["row"] for row in rows], ["q = 8", "q = 27"])
        self.assertAlmostEqual(rows[0]["errors_percent"]["by_process"], 25, places=6)
        self.assertAlmostEqual(rows[0]["efficiency_percent"], 62.5, places=6)
        self.assertAlmostEqual(found["tables"][0]["medians_percent"]["by_process"], 12.5, places=6)
        # Names in the list count from its folder, and its lines may end as on other systems.
        moved = runs.read_text().replace(f"{self.path}/", "").replace("\n", "\r\n")
        runs.write_bytes(moved.encode())
        self.assertEqual(json.loads(tutti("predict", "--compare", str(runs), "--json").stdout)
                         ["tables"], found["tables"])
        text = tutti("predict", "--compare", str(runs)).stdout
        self.assertRegex(text, r"efficiency +const\. g +g\(h\) +g\(h, h\*\) +by process\n")
        self.assertRegex(text, r"(?m)^q = 8 +62\.5 .* 25\.0$")
        runs.write_text(head + f"t,q = 8,3,{machine},{profile},1,\n")
        done = tutti("predict", "--compare", str(runs))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a machine of 2 processes, not of 3", done.stderr)
        one = self.path / "one.csv"
        one.write_text(PROFILE + "0,1,1,1,1,1,1,1,1,1,main,x\n")
        none = self.path / "none.csv"
        none.write_text(PROFILE)
        for processes, file, time, message in (
            (2, one, 1, "has supersteps of 1 processes, not of 2"),
            (2, none, 1, "has no superstep"), (2, profile, "inf", "'inf' in "),
            (2.5, profile, 1, "'2.5' in ")):
            runs.write_text(head + f"t,q = 8,{processes},{machine},{file},{time},\n")
            done = tutti("predict", "--compare", str(runs))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)
        self.assertEqual(tutti("predict").returncode, 2)

    def test_errors(self):
        for words, text in ((["predict", "/nowhere"], "cannot read"), ([
                "probe", "--from", "/nowhere"
        ], "cannot read"), (["predict", __file__], "is no profile")):
            done = tutti(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, done.stderr)
        profile = self.path / "steps.csv"
        for processes in ("1 putt:1:1:1:1", "1 put:1", "x", "1 own-put:1:1:1:1"):
            profile.write_text(PROFILE + f"0,1,1,1,1,1,1,1,1,{processes},main,x\n")
            done = tutti("predict", str(profile), "--g", "1")
            self.assertEqual(done.returncode, 2, processes)
            self.assertRegex(done.stderr, "is no (access|number)")
        profile.write_text(PROFILE + "0,1,1,1,1,1,1,1,1,1,main,x\n")
        for machine, text in (("skua/PUB/9", "but of skua/Oxtool/4, 8, 10, 16, 25, 32; skua/"),
                              ("argus/Oxtool/5", "but of argus/Oxtool/4, 10; argus/PUB/4, 10; arg"),
                              ("a/b/c", "; argus/Oxtool/4, 10; "), (str(profile), "tutti probe")):
            done = tutti("predict", str(profile), "--machine", machine)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
