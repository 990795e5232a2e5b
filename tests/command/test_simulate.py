# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti simulate` by running the command and reading its output."""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

TUTTI = os.environ["TUTTI_COMMAND"]
SVG = "{http://www.w3.org/2000/svg}"


class CommandTest(unittest.TestCase):
    def simulate(self, *arguments, code=0):
        done = subprocess.run([TUTTI, "simulate", *arguments],
                              capture_output=True,
                              text=True,
                              timeout=200)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def cube(self, d, *arguments):
        return self.simulate("alltoall", "--machine", "ipsc860", "-d", str(d), *arguments)

    def results(self, text):
        """Returns the outcomes of the one setting in a JSON answer."""
        setting, = json.loads(text)["settings"]
        return setting["results"]

    def json(self, *arguments):
        return self.results(self.simulate(*arguments, "--json").stdout)

    def one(self, text):
        """Returns what the JSON of one simulation tells: the setting, the outcome, the detail."""
        setting, = json.loads(text)["settings"]
        outcome, = setting.pop("results")
        return setting, outcome, outcome["detail"]


class One(CommandTest):
    def test_everything_about_one(self):
        out = self.cube(3, "--algorithm", "linear", "--block-bytes", "1K").stdout
        self.assertIn(
            "alltoall on ipsc860, hypercube:3, 8 ranks: linear, 8192 bytes, 1024 in a block", out)
        for part in ("by the formula", "ranks end between", "slowest path", "busiest links",
                     "contentions: "):
            self.assertIn(part, out)

    def test_contentions_have_step_link_and_messages(self):
        out = self.cube(3, "--algorithm", "circle", "--sync", "barrier", "--block-bytes",
                        "1K").stdout
        self.assertRegex(
            out,
            r"step \d+, link [01]{3}->[01]{3}: message [01]{3}->[01]{3} waited [0-9.]+ us for "
            r"[01]{3}->[01]{3}"
        )
        self.assertIn("contentions: 0,",
                      self.cube(3, "--implementation", "pairwise_F", "--block-bytes", "1K").stdout)

    def test_json_has_everything(self):
        pairwise = ("--implementation", "pairwise_F", "--block-bytes", "1K", "--json")
        setting, out, detail = self.one(self.cube(3, *pairwise).stdout)
        self.assertEqual(setting["machine"], "ipsc860")
        self.assertEqual(setting["ranks"], 8)
        self.assertEqual(out["messages"], 56)
        self.assertEqual(len(detail["per_rank"]), 8)
        self.assertEqual(len(detail["per_link"]), 24)
        self.assertEqual({link["messages"] for link in detail["per_link"]}, {4})
        self.assertEqual(max(rank["end_us"] for rank in detail["per_rank"]), out["time_us"])
        self.assertEqual(detail["path"][-1]["end_us"], out["time_us"])
        self.assertIsNone(detail["timeline"])
        line = self.one(self.cube(3, *pairwise, "--timeline").stdout)[2]["timeline"]
        self.assertEqual(len(line["messages"]), 56)
        self.assertEqual(max(bar["to_us"] for bar in line["bars"]), out["time_us"])

    def test_same_bytes_for_same_input(self):
        arguments = (4, "--implementation", "linear", "--noise", "40", "--runs", "3", "--json")
        self.assertEqual(self.cube(*arguments).stdout, self.cube(*arguments).stdout)

    def test_other_machines(self):
        mesh = ("--machine", "paragon", "--topology", "mesh:4x8", "--json")
        setting, done, _ = self.one(
            self.simulate("allreduce", *mesh, "--algorithm", "mst", "--bytes", "64K").stdout)
        self.assertEqual(setting["topology"], "mesh:4x8")
        self.assertGreater(done["time_us"], 0)
        _, barrier, _ = self.one(
            self.simulate("barrier", *mesh, "--algorithm", "dissemination").stdout)
        self.assertEqual(barrier["bytes"], 0)


class Sizes(CommandTest):
    def test_bytes_are_those_of_the_whole_vector(self):
        for options in (["--bytes", "8K"], ["--block-bytes", "1K"]):
            out = self.one(self.cube(3, "--algorithm", "pairwise", *options, "--json").stdout)[1]
            self.assertEqual((out["bytes"], out["block_bytes"], out["bytes_sent"]),
                             (8192, 1024, 56 * 1024))
        out = self.one(
            self.cube(3, "--implementation", "pairwise_F", "--bytes", "12", "--json").stdout)[1]
        self.assertEqual((out["bytes"], out["block_bytes"]), (16, 2))


class Tables(CommandTest):
    def test_a_row_for_each(self):
        text = self.cube(3, "--algorithm", "pairwise,linear", "--block-bytes", "1..64").stdout
        rows = [line.split() for line in text.splitlines()[2:]]
        self.assertEqual([(row[1], row[2]) for row in rows],
                         [(str(2 ** k), name) for k in range(7) for name in ("pairwise", "linear")])

    def test_csv_and_json_agree(self):
        arguments = (3, "--algorithm", "pairwise,stable", "--block-bytes", "64,1K")
        rows = list(csv.DictReader(io.StringIO(self.cube(*arguments, "--csv").stdout)))
        results = self.results(self.cube(*arguments, "--json").stdout)
        self.assertEqual([(row["algorithm"], int(row["bytes"]), float(row["mean_us"]))
                          for row in rows],
                         [(r["algorithm"], r["bytes"], r["time_us"]) for r in results])

    def test_runs_have_a_spread(self):
        rows = list(
            csv.DictReader(
                io.StringIO(
                    self.cube(4, "--implementation", "pairwise_F", "--sync", "barrier,pair",
                              "--noise", "50", "--runs", "8", "--csv").stdout)))
        self.assertEqual([row["sync"] for row in rows], ["barrier", "pair"])
        for row in rows:
            self.assertLess(float(row["least_us"]), float(row["mean_us"]))
            self.assertLess(float(row["mean_us"]), float(row["most_us"]))

    def test_usual_candidates(self):
        results = self.results(self.cube(2, "--block-bytes", "8,16", "--json").stdout)
        self.assertEqual(
            [r["algorithm"] for r in results[:7]],
            ["linear", "stable", "pairwise_F", "standard_F", "pairwise_U", "standard_U", "naive"])
        six = self.results(self.cube(3, "-n", "6", "--block-bytes", "8,16", "--json").stdout)
        self.assertIn("bruck", [r["algorithm"] for r in six])
        bcast = self.json("bcast", "--machine", "paragon", "--topology", "mesh:4x4",
                          "--block-bytes", "8,16")
        self.assertIn("mst", [r["algorithm"] for r in bcast])

    def test_a_setting_for_each_number_of_ranks(self):
        words = ("allreduce", "--machine", "sp2", "--algorithm", "ring,tree", "--bytes", "64,64K")
        found = json.loads(self.simulate(*words, "-n", "2..4,7", "--json").stdout)["settings"]
        self.assertEqual([part["ranks"] for part in found], [2, 3, 4, 7])
        for part in found:  # each is what a command for its ranks alone says
            alone = self.simulate(*words, "-n", str(part["ranks"]), "--json").stdout
            self.assertEqual(json.loads(alone)["settings"], [part])
        rows = csv.DictReader(io.StringIO(self.simulate(*words, "-n", "2..4,7", "--csv").stdout))
        self.assertEqual([int(row["ranks"]) for row in rows],
                         [ranks for ranks in (2, 3, 4, 7) for _ in range(4)])
        text = self.simulate(*words, "-n", "2..4,7").stdout
        self.assertEqual(re.findall(r"(\d+) ranks;", text), ["2", "3", "4", "7"])

    def test_algorithms_are_left_out_where_they_are_not_defined(self):
        rows = list(csv.DictReader(io.StringIO(self.simulate(
            "alltoall", "--machine", "paragon", "--algorithm", "standard,linear", "-n", "3..6",
            "--csv").stdout)))
        self.assertEqual([(row["ranks"], row["algorithm"]) for row in rows],
                         [("3", "linear"), ("4", "standard"), ("4", "linear"), ("5", "linear"),
                          ("6", "linear")])
        found = json.loads(self.simulate("alltoall", "--machine", "ipsc860", "-n", "2..9",
                                         "--implementation", "multiphase_F:2+1,pairwise_F",
                                         "--json").stdout)["settings"]
        self.assertEqual([(part["ranks"], len(part["results"])) for part in found],
                         [(2, 1), (4, 1), (8, 2)])

    def test_settings_of_algorithms(self):
        results = self.json("bcast", "--machine", "paragon", "--topology", "mesh:4x4", "--branches",
                            "3", "--algorithm", "tree,tree:branches=2,mst")
        self.assertEqual([r["algorithm"] for r in results],
                         ["tree:branches=3", "tree:branches=2", "mst"])

    def test_names_without_settings_take_the_best(self):
        words = ("bcast", "--machine", "infiniband-fattree", "-n", "16", "--bytes", "8,1M")
        rows = self.json(*words, "--algorithm", "chain,chain:segments=1")
        short, long = rows[::2]
        self.assertEqual(rows[1]["algorithm"], rows[3]["algorithm"])
        self.assertRegex(long["algorithm"], r"^chain:segments=\d+$")
        self.assertLess(long["time_us"], rows[3]["time_us"] / 2)
        self.assertLessEqual(short["time_us"], rows[1]["time_us"])
        asked = json.loads(subprocess.run(
            [TUTTI, "explain", *words[:-1], "1M", "--algorithm", "chain", "--json"], check=True,
            capture_output=True, text=True).stdout)["asked"]
        self.assertRegex(asked["name"], r"^chain:segments=\d+$")

    def test_lists_begin_with_the_best(self):
        words = ("bcast", "--machine", "sp2", "-n", "8", "--bytes", "8,64K", "--algorithm",
                 "chain,mst,scatter_allgather")
        head, *lines = self.simulate(*words).stdout.splitlines()[1:]
        self.assertNotIn("sync", head)
        self.assertIn("x best", head)
        rows = [line.split() for line in lines]
        for size in ("8", "65536"):
            mine = [row for row in rows if row[0] == size]
            times = [float(row[3]) for row in mine]
            self.assertEqual(times, sorted(times))
            self.assertEqual([row[4] == "best" for row in mine], [True, False, False])
            self.assertAlmostEqual(float(mine[2][4]), times[2] / times[0], delta=0.01)
        synchronised = self.cube(3, "--algorithm", "linear,pairwise", "--sync", "barrier").stdout
        self.assertIn("sync", synchronised.splitlines()[1])

    def test_best_by_price(self):
        words = ("allreduce", "--machine", "slingshot-dragonfly", "--topology", "dragonfly:4x3x2",
                 "--bytes", "1M")
        ten = self.json(*words, "--best")
        self.assertEqual(len(ten), 10)
        told = subprocess.run([TUTTI, "explain", *words, "--json"], capture_output=True, text=True,
                              timeout=200, check=True).stdout
        prices = {c["name"]: c["time_us"] for c in json.loads(told)["candidates"][:10]}
        self.assertEqual({plan["algorithm"]: plan["price_us"] for plan in ten}, prices)
        finished = [plan["time_us"] for plan in ten if not plan["stopped"]]
        self.assertEqual(finished, sorted(finished))
        self.assertFalse(ten[0]["stopped"])
        self.assertTrue(ten[-1]["stopped"])
        self.assertLessEqual(finished[0], min(plan["time_us"] for plan in ten))
        self.assertEqual(len(self.json(*words, "--best=3")), 3)
        self.assertRegex(self.simulate(*words, "--best").stdout, r"price us.*\n(.*\n)*.*above \d")

    def test_multiphase(self):
        text = self.cube(3, "--implementation", "multiphase_F:all,multiphase_F", "--block-bytes",
                         "8", "--csv").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([row["algorithm"] for row in rows[:3]],
                         ["multiphase_F:3", "multiphase_F:2+1", "multiphase_F:1+1+1"])
        best = min(rows[:3], key=lambda row: float(row["most_us"]))
        self.assertEqual(rows[3]["algorithm"], best["algorithm"])
        self.assertEqual(rows[3]["most_us"], best["most_us"])

    def test_map(self):
        arguments = ("-d", "1..3", "--map", "--block-bytes", "1..1K")
        text = self.simulate("alltoall", "--machine", "ipsc860", *arguments).stdout.splitlines()
        self.assertEqual(text[1].split(), [str(2 ** k) for k in range(10)] + ["1K"])
        self.assertEqual([line.split()[0] for line in text[2:5]],
                         ["hypercube:1", "hypercube:2", "hypercube:3"])
        cells = json.loads(self.simulate("alltoall", "--machine", "ipsc860", *arguments,
                                         "--json").stdout)["map"]
        self.assertEqual(len(cells), 33)
        rows = list(csv.DictReader(io.StringIO(
            self.simulate("alltoall", "--machine", "ipsc860", *arguments, "--csv").stdout)))
        self.assertEqual([row["algorithm"] for row in rows], [cell["algorithm"] for cell in cells])

    def test_map_over_ranks(self):
        text = self.simulate("allreduce", "--machine", "paragon", "--topology", "mesh:2x2", "--map",
                             "-n", "3..4", "--bytes", "8,1K").stdout.splitlines()
        self.assertEqual([re.split(r"  +", line)[0] for line in text[2:4]],
                         ["mesh:2x2, 3 ranks", "mesh:2x2"])


class Pictures(CommandTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tutti-test-")
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return str(pathlib.Path(self.folder.name, name))

    def test_time_line_and_heat(self):
        self.cube(3, "--algorithm", "pairwise", "--block-bytes", "64", "--svg",
                  self.path("line.svg"), "--heat", self.path("heat.svg"))
        line = xml.etree.ElementTree.parse(self.path("line.svg")).getroot()
        self.assertGreaterEqual(len(line.findall(f"{SVG}rect")), 2 * 56)
        self.assertGreaterEqual(len(line.findall(f"{SVG}path")), 56)
        heat = xml.etree.ElementTree.parse(self.path("heat.svg")).getroot()
        arrows = [path for path in heat.findall(f"{SVG}path") if path.get("marker-end")]
        self.assertEqual(len(arrows), 24)
        for topology in ("mesh:4x4", "line:8"):
            self.simulate("bcast", "--machine", "paragon", "--topology", topology, "--algorithm",
                          "mst", "--heat", self.path("mesh.svg"))
            xml.etree.ElementTree.parse(self.path("mesh.svg"))

    def test_trace(self):
        self.cube(3, "--implementation", "standard_F", "--block-bytes", "64", "--trace",
                  self.path("trace.json"))
        with open(self.path("trace.json")) as file:
            trace = json.load(file)
        events = trace["traceEvents"]
        spans = [event for event in events if event["ph"] == "X"]
        self.assertTrue(all(event["dur"] >= 0 and event["ts"] >= 0 for event in spans))
        self.assertEqual(sum(event["ph"] == "s" for event in events), 3 * 8)
        self.assertEqual(sum(event["ph"] == "f" for event in events), 3 * 8)
        self.assertEqual({event["pid"] for event in events}, set(range(8)))
        self.assertIn("copy", {event["name"] for event in spans})
        self.assertEqual({event["ph"] for event in events}, {"M", "X", "s", "f"})

    def test_too_large_for_viewers(self):
        for option, mesh in ("--svg", "mesh:16x16"), ("--trace", "mesh:12x12"):
            done = self.simulate("alltoall",
                                 "--machine",
                                 "paragon",
                                 "--topology",
                                 mesh,
                                 "--algorithm",
                                 "linear",
                                 option,
                                 self.path("large"),
                                 code=2)
            self.assertRegex(
                done.stderr,
                rf"{option} .*large would have [0-9.]+ MB, .*ask for fewer ranks.*--force")
            self.assertFalse(pathlib.Path(self.path("large")).exists())
        self.simulate("alltoall", "--machine", "paragon", "--topology", "mesh:12x12", "--algorithm",
                      "linear", "--trace", self.path("large"), "--force")
        self.assertGreater(pathlib.Path(self.path("large")).stat().st_size, 8_000_000)

    def test_only_of_one_simulation(self):
        done = self.simulate("alltoall",
                             "--machine",
                             "ipsc860",
                             "-d",
                             "3",
                             "--block-bytes",
                             "64,128",
                             "--algorithm",
                             "pairwise",
                             "--svg",
                             self.path("x.svg"),
                             code=2)
        self.assertIn("show one simulation", done.stderr)


class Errors(CommandTest):
    def refuse(self, *arguments, says):
        done = self.simulate(*arguments, code=2)
        self.assertEqual("tutti_error" in done.stdout, "--json" in arguments)
        if "--json" not in arguments:
            self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("tutti simulate: "), done.stderr)
        for part in says:
            self.assertIn(part, done.stderr)

    def test_one_line_each(self):
        cube = ("--machine", "ipsc860", "-d", "3")
        mesh = ("--machine", "paragon", "--topology", "mesh:3x4")
        self.refuse("alltoall", says=["--machine is needed", "ipsc860"])
        self.refuse("alltoall", "--machine", "abacus", says=["abacus"])
        self.refuse("everything", *cube, says=["no operation 'everything'"])
        self.refuse("alltoall",
                    *cube,
                    "--algorithm",
                    "magic",
                    says=["no algorithm 'magic'", "pairwise"])
        self.refuse("alltoall",
                    *cube,
                    "--implementation",
                    "pairwise_X",
                    says=["'pairwise_X'", "pairwise_F"])
        self.refuse("alltoall",
                    *cube,
                    "--implementation",
                    "multiphase_F:2+2",
                    says=["no partition of 3"])
        self.refuse("alltoall", *cube, "--implementation", "linear:2", says=["'linear:2'"])
        self.refuse("bcast", *cube, "--implementation", "linear", says=["is for alltoall"])
        self.refuse("allreduce", *mesh, "--best", "--algorithm", "ring",
                    says=["--best", "--algorithm"])
        self.refuse("alltoall", *mesh, "--algorithm", "standard", says=["12 ranks", "power of two"])
        self.refuse("alltoall",
                    *mesh,
                    "--implementation",
                    "pairwise_F",
                    says=["power of two", "12"])
        self.refuse("alltoall", *mesh, "--algorithm", "standard,linear", "-n", "5..7",
                    says=["standard", "5 ranks", "power of two"])
        self.refuse("alltoall", *mesh, "-n", "7..14",
                    says=["14 ranks do not fit on the 12 nodes"])
        self.refuse("alltoall", *mesh, "-n", "7..5", says=["-n is '7..5'", "range"])
        self.refuse("allreduce", *mesh, "-n", "2,3", "--algorithm", "ring", "--svg", "x.svg",
                    says=["show one simulation", "one -n"])
        self.refuse("alltoall", *cube, "-n", "9", says=["9 ranks do not fit on the 8 nodes"])
        self.refuse("bcast", *cube, "--root", "8", says=["--root is 8"])
        self.refuse("alltoall", *cube, "--bytes", "64..1", says=["--bytes", "backwards"])
        self.refuse("alltoall", *cube, "--bytes", "many", says=["--bytes", "'many'"])
        self.refuse("alltoall", *cube, "--sync", "maybe", says=["--sync", "'maybe'"])
        self.refuse("alltoall",
                    *cube,
                    "--runs",
                    "0",
                    says=["--runs", "must be a whole number above 0, not '0'"])
        self.refuse("alltoall",
                    *cube,
                    "--noise",
                    "-1",
                    says=["--noise", "must be a number, 0 or more, not '-1'"])
        self.refuse("alltoall", *cube, "--drift", "nan", says=["--drift", "not 'nan'"])
        self.refuse("alltoall", *cube, "-n", "0", says=["-n is '0'"])
        self.refuse("alltoall", *cube, "--algorithm", "pairwis", says=["did you mean 'pairwise'?"])
        self.refuse("alltoal", *cube, says=["did you mean 'alltoall'?"])
        self.refuse("alltoall", *cube, "--topology", "line:4", says=["exclude each other"])
        self.refuse("alltoall", "--machine", "ipsc860", "-d", "3..x", says=["-d is '3..x'"])
        self.refuse("alltoall", *cube, "--json", "--csv", says=["exclude each other"])
        self.refuse("alltoall",
                    *cube,
                    "--algorithm",
                    "pairwise",
                    "--svg",
                    "/nonexistent/x.svg",
                    says=["/nonexistent"])

    def test_forced_messages_without_receives_are_lost(self):
        done = self.simulate("alltoall",
                             "--machine",
                             "ipsc860",
                             "-d",
                             "3",
                             "--implementation",
                             "linear",
                             "--sync",
                             "none",
                             "--drift",
                             "5000",
                             code=1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("lost", done.stderr)


unittest.main()
