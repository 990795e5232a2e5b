# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti draw` and `tutti verify` by running the command and reading its output."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

TUTTI = os.environ["TUTTI_COMMAND"]
XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
TREE = pathlib.Path(__file__).resolve().parents[2]
CHARTS, GOLDEN = TREE / "papers/data/charts", TREE / "tests/study/draw/golden"


def golden(name):
    """Returns a chart of a paper, or a golden file, without its comment lines."""
    folder = CHARTS if name.startswith("fig") else GOLDEN
    lines = (folder / f"{name}.txt").read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#"))


class CommandTest(unittest.TestCase):
    def tutti(self, *arguments, code=0, stdin=""):
        done = subprocess.run([TUTTI, *arguments], capture_output=True, text=True, timeout=100,
                              input=stdin)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def verify_text(self, text, *arguments, code=0):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            return self.tutti("verify", "--schedule", file.name, *arguments, code=code)


class Draw(CommandTest):
    def cube(self, *arguments):
        return self.tutti("draw", "alltoall", *arguments, "--topology", "hypercube:3")

    def test_figures_of_paper_004(self):
        self.assertEqual(self.cube("--as", "needs").stdout, golden("fig5"))
        self.assertEqual(self.cube("--algorithm", "naive").stdout, golden("fig6"))
        for name, figure in [("linear", "fig7"), ("pairwise", "fig8_pairwise"), ("stable", "fig9")]:
            done = self.cube("--algorithm", name)
            self.assertEqual(done.stdout, golden(figure))
            self.assertEqual(done.stderr, "")

    def test_standard_input_is_named_as_it_names_itself(self):
        program = self.tutti("export", "bcast", "--algorithm", "tree:branches=3", "-n", "4").stdout
        named = json.loads(program)
        nameless = {key: value for key, value in named.items() if key != "name"}
        for schedule, name in ((named, "tree:branches=3"), (named | {"name": "mine"}, "mine"),
                               (named | {"name": ""}, "schedule"), (nameless, "schedule")):
            done = self.tutti("draw", "-", stdin=json.dumps(schedule))
            self.assertEqual(done.stdout.splitlines()[0], f"broadcast {name}, p = 4, root 0")
            done = self.tutti("verify", "-", stdin=json.dumps(schedule))
            self.assertEqual(done.stdout.splitlines()[1].split()[:2], ["broadcast", name])
            copied = json.loads(self.tutti("export", "-", stdin=json.dumps(schedule)).stdout)
            self.assertEqual(copied, named | {"name": name})

    def test_rounds_without_messages(self):
        tree = pathlib.Path(__file__).resolve().parents[2]
        done = self.tutti("draw", str(tree / "examples/schedules/allreduce_1step_4.xml"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Rounds 2–4: no messages; ranks combine what they hold.", done.stdout)

    def test_circle_has_a_conflict(self):
        done = self.cube("--algorithm", "circle")
        self.assertEqual(done.stdout, golden("fig8_as_printed"))
        self.assertEqual(done.stderr,
                         "conflict: step 3, link 010->000: messages 011->000 and 010->100\n")

    def test_rounds(self):
        done = self.tutti("draw", "bcast", "--algorithm", "tree:branches=3", "-n", "8", "--as",
                          "rounds")
        title, _, picture = done.stdout.partition("\n\n")
        self.assertEqual(title, "broadcast tree:branches=3, p = 8, root 0, line:8")
        self.assertEqual(picture, golden("blacs_fig19"))

    def test_film(self):
        ring = ["draw", "allreduce", "--algorithm", "ring", "-n", "4"]
        text = self.tutti(*ring, "--ascii").stdout
        self.assertEqual(text, golden("film_ring_allreduce_4"))
        out = json.loads(self.tutti(*ring, "--bytes", "64K", "--json").stdout)
        self.assertEqual((out["title"], out["block_bytes"]),
                         ("allreduce ring, p = 4, 64K bytes", 65536))
        first = out["rounds"][0]
        self.assertEqual((first["round"], first["rule"]), (1, "r → r + 1"))
        self.assertEqual(first["messages"][1],
                         {"from": 1, "to": 2, "adds": True, "blocks": [0], "terms": [[1]]})
        self.assertEqual(first["cells"][2][0],
                         [{"state": "partial", "block": 0, "terms": [1, 2]}])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "film.svg")
            self.assertEqual(self.tutti(*ring, "--svg", str(file)).stdout, f"wrote {file}\n")
            self.assertIn(">r → r + 1<", file.read_text())

    def test_film_of_the_plan_that_would_run(self):
        for operation in ("allreduce", "bcast", "alltoall", "barrier"):
            chosen, = json.loads(self.tutti("explain", operation, "-n", "4", "--bytes", "64K",
                                            "--json").stdout)["library"],
            title = self.tutti("draw", operation, "-n", "4", "--bytes",
                               "64K").stdout.splitlines()[0]
            name = {"bcast": "broadcast"}.get(operation, operation)
            self.assertTrue(title.startswith(f"{name} {chosen['name']}, p = 4"), title)
            self.assertIn("chosen here for ", title)
        best = json.loads(self.tutti("explain", "bcast", "-n", "16", "--bytes", "1M", "--machine",
                                     "sp2", "--json").stdout)["winner"]
        film = json.loads(self.tutti("draw", "bcast", "-n", "16", "--bytes", "1M", "--machine",
                                     "sp2", "--as", "film", "--json").stdout)
        self.assertTrue(film["title"].startswith(f"broadcast {best}, p = 16"), film["title"])
        self.assertTrue(film["title"].endswith("the fastest for 1M bytes on sp2"), film["title"])

    def wrong_ring(self, change):
        """Returns the film and the text of a ring whose file was changed."""
        ring = json.loads(self.tutti("export", "allgather", "--algorithm", "ring", "-n",
                                     "4").stdout)
        change(ring["rounds"])
        schedule = json.dumps(ring)
        film = json.loads(self.tutti("draw", "-", "--json", stdin=schedule, code=1).stdout)
        text = self.tutti("draw", "-", "--ascii", stdin=schedule, code=1).stdout
        page = self.tutti("draw", "-", "--html", "-", stdin=schedule, code=1).stdout
        picture = self.tutti("draw", "-", "--svg", "-", stdin=schedule, code=1).stdout
        proof = self.tutti("verify", "-", stdin=schedule, code=1).stdout
        for each in (text, page, picture):
            self.assertIn("WRONG: ", each)
        self.assertIn(film["fault"]["problem"], proof)
        return film, text, page, picture

    def test_a_wrong_round_is_drawn_in_red(self):
        def send_too_far(rounds):
            send, = (one for one in rounds[1]["1"] if "send" in one)
            send["to"] = 3

        film, text, page, picture = self.wrong_ring(send_too_far)
        fault = film["fault"]
        self.assertEqual((fault["round"], fault["rank"], fault["from"], fault["to"]), (2, 2, 1, 2))
        self.assertTrue(fault["problem"].startswith("round 2 (t = 1): rank 2: "), fault)
        self.assertEqual([round["round"] for round in film["rounds"]], [1, 2])
        self.assertNotIn("cells", film["rounds"][1])
        self.assertIn({"from": 1, "to": 3}, [{key: each[key] for key in ("from", "to")}
                                             for each in film["rounds"][1]["messages"]])
        self.assertRegex(text, r"(?m)^ +2 .* 1!")
        self.assertIn("the message from rank 1 to rank 2 is wrong or missing", text)
        for each in (page, picture):
            self.assertEqual(each.count('class="w gap"'), 2)  # in the round and in the key
            self.assertIn("a message that nobody sends", each)
        self.assertIn('class="sentence wrong"', page)

    def test_a_wrong_result_is_framed(self):
        def drop_the_end(rounds):
            rounds.pop()

        film, text, _, picture = self.wrong_ring(drop_the_end)
        fault = film["fault"]
        self.assertEqual((fault["round"], fault["rank"]), (None, 0))
        self.assertRegex(fault["problem"],
                         r"^result: output\[1\] of rank 0 holds nothing, not part 1 of rank 1$")
        self.assertEqual(picture.count('class="bad"'), 1)
        self.assertIn("every rank holds 3 of 4 complete blocks", text)

    def test_verifier_says_what_a_sum_lacks(self):
        tree = json.loads(self.tutti("export", "reduce", "--algorithm", "fully_connected", "-n",
                                     "2").stdout)
        fold, = (one for one in tree["rounds"][0]["0"] if "receive_combine" in one)
        tree["rounds"][0]["0"] = [{"copy": fold["receive_combine"], "of": [["input[0]"]]}]
        tree["rounds"][0]["1"] = []
        said = self.tutti("verify", "-", stdin=json.dumps(tree), code=1).stdout
        self.assertIn("output[0] of rank 0 holds the contribution of rank 0 only; missing: rank 1",
                      said)

    def test_page_with_a_step_for_each_round(self):
        pages = (["allreduce", "--algorithm", "ring", "-n", "4"],
                 ["alltoall", "--algorithm", "bruck:factors=2x2x2", "-n", "8"],
                 ["barrier", "--algorithm", "dissemination", "-n", "5"],
                 ["bcast", "--algorithm", "mst", "-n", "40"],
                 ["bcast", "--algorithm", "mst", "-n", "1"])
        for words in pages:
            with self.subTest(words=words):
                rounds = json.loads(self.tutti("draw", *words, "--json").stdout)["rounds"]
                self.check_page(self.tutti("draw", *words, "--html", "-").stdout, rounds)

    def check_page(self, text, rounds):
        page = xml.etree.ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
        sections = page.findall(f".//{XHTML}section")
        self.assertEqual([section.get("data-name") for section in sections],
                         ["start"] + [f"round {each['round']}" for each in rounds])
        for section in sections:
            self.assertEqual(len(section.findall(f"{XHTML}div/{SVG}svg")), 1)
            self.assertTrue(section.find(f"{XHTML}p").text)
        for each, section in zip(rounds, sections[1:]):
            self.assertEqual(each["rule"] in [text.text for text in section.iter(f"{SVG}text")],
                             each["rule"] != "")
        # Only the names of the languages have addresses.
        self.assertEqual(set(re.findall(r"[a-z]+://[^\s\"'<]*", text)),
                         {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"})
        for element in page.iter():
            self.assertFalse({"src", "href"} & set(element.attrib), element.tag)
        script = page.find(f".//{XHTML}script").text
        named = set(re.findall(r'part\("(\w+)"\)', script))
        self.assertLessEqual(named, {element.get("id") for element in page.iter()})

    def test_page_and_picture_on_standard_output(self):
        ring = ["draw", "allreduce", "--algorithm", "ring", "-n", "4"]
        self.assertTrue(self.tutti(*ring, "--svg", "-").stdout.startswith("<svg "))
        for options in (["--html", "-", "--json"], ["--html", "-", "--svg", "-"]):
            self.assertIn("would both write", self.tutti(*ring, *options, code=2).stderr)
        for words in (["bcast", "-n", "4", "--as", "needs"],
                      ["bcast", "--algorithm", "mst", "-n", "129"],
                      ["bcast", "--algorithm", "mst", "--topology", "hypercube:3"]):
            done = self.tutti("draw", *words, "--html", "-", code=2)
            self.assertRegex(done.stderr, "--html shows .* round by round")
            self.assertEqual(done.stdout, "")

    def test_json_of_a_long_film(self):
        chain = ["draw", "scan", "--algorithm", "chain:segments=256", "-n", "4", "--json"]
        for options, every in ([], False), (["--force"], True):
            out = json.loads(self.tutti(*chain, *options).stdout)
            self.assertEqual(len(out["rounds"]), 258)
            self.assertEqual(all("cells" in round for round in out["rounds"]), every)
            self.assertIn("cells", out["rounds"][-1])

    def test_more_ranks_than_a_film_shows(self):
        done = self.tutti("draw", "bcast", "--algorithm", "mst", "-n", "129", "--ascii")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "broadcast mst, p = 129, root 0")
        self.assertEqual(lines[2], "Block A is the whole vector of rank 0.")
        self.assertIn("Round 1: 0 -> 65; round 2: 0 -> 33, 65 -> 97;", done.stdout)
        self.assertLess(max(map(len, lines)), 100)

    def test_map_of_many_ranks(self):
        """200 ranks pass 200 blocks around. The way of block A has a piece for each of its rounds,
        and the last column is one box: every rank has everything."""
        ring = ["draw", "allreduce", "--algorithm", "ring", "-n", "200"]
        text = self.tutti(*ring, "--ascii").stdout
        self.assertIn("Rounds 1-199: every rank r sends 1 block to rank r + 1 (mod 200)", text)
        self.assertLess(max(map(len, text.splitlines())), 100)
        page = xml.etree.ElementTree.fromstring(self.tutti(*ring, "--svg", "-").stdout)
        paths = {path.get("class"): path.get("d") for path in page.iter(f"{SVG}path")
                 if " small" in (path.get("class") or "") or path.get("class") == "way"}
        self.assertEqual(set(paths), {"own small", "part small", "d1 small", "d2 small",
                                      "done small", "way"} & set(paths))
        self.assertIn("done small", paths)
        self.assertIn("part small", paths)
        self.assertLessEqual(float(page.get("width")), 1600)
        self.assertIn("fewer ranks", self.tutti("draw", "allreduce", "--algorithm", "ring", "-n",
                                                "1024", code=2).stderr)

    def test_json(self):
        out = json.loads(self.cube("--algorithm", "circle", "--json").stdout)
        self.assertEqual(out["topology"], "hypercube:3")
        self.assertEqual(len(out["steps"]), 7)
        self.assertEqual(out["steps"][0]["messages"][0],
                         {"from": 0, "to": 1, "block_count": 1, "route": [0, 1]})
        self.assertEqual(out["conflicts"],
                         [{"step": 3, "link": "010->000", "messages": ["011->000", "010->100"]}])
        self.assertEqual(out["steps_are"], "rounds")

    def test_svg(self):
        with tempfile.TemporaryDirectory() as folder:
            for form in "chart", "rounds":
                file = pathlib.Path(folder, form)
                self.cube("--algorithm", "stable", "--as", form, "--svg", str(file))
                self.assertTrue(file.read_text().startswith("<svg "))
            self.assertIn("cannot be written",
                          self.tutti("draw", "bcast", "-n", "2", "--svg", folder, code=2).stderr)

    def test_svg_says_what_a_step_has(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "mst.svg")
            self.tutti("draw", "bcast", "--algorithm", "mst", "-n", "8", "--as", "rounds", "--svg",
                       str(file))
            self.assertIn(">step 1: 1 message, at most 1 on a link<", file.read_text())
            self.assertIn(">step 3: 4 messages, at most 1 on a link<", file.read_text())

    def test_svg_too_large_for_viewers(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "large.svg")
            large = [
                "draw", "alltoall", "--algorithm", "linear", "--as", "rounds", "-n", "300", "--svg",
                str(file)
            ]
            self.assertRegex(
                self.tutti(*large, code=2).stderr,
                r"--svg .* would have [0-9.]+ MB, .*fewer ranks \(-n\).*--force")
            self.assertFalse(file.exists())

    def test_sizes_and_machines(self):
        out = json.loads(
            self.tutti("draw", "allgather", "--algorithm", "ring", "-n", "8", "--machine",
                       "paragon", "--bytes", "64K", "--json").stdout)
        self.assertEqual((out["bytes"], out["block_bytes"], out["parts"]), (65536, 8192, 8))
        self.assertEqual(
            (out["topology"], out["title"]),
            ("mesh:16x32", "allgather ring, p = 8, mesh:16x32, 64K bytes, blocks of 8K"))

    def test_what_is_not_understood(self):
        for arguments, text in [
            (["draw", "bcast"], "-n is needed, the number of ranks, or a --topology"),
            (["draw", "bcast", "--topology", "tree:4"], "topology 'tree:4': expected line:N"),
            (["draw", "bcast", "--algorithm", "none", "-n",
              "4"], "there is no algorithm 'none' for broadcast; there are: mst"),
            (["draw", "bcast", "--algorithm", "hypercube", "-n", "5"], "is not defined"),
            (["draw", "bcast", "-n", "5", "--topology", "line:4"], "5 ranks do not fit on 4 nodes"),
            (["draw", "bcast", "-n", "4", "--root", "4"], "--root is 4 but there are 4 ranks"),
            (["draw", "alltoall", "-n", "200", "--as", "needs"], "at most 128"),
            (["draw", "alltoall", "-n", "8", "--as", "movie"], "--as"),
            (["draw", "bcast", "--algorithm", "mst", "-n", "129", "--as", "film", "--json"],
             "at most 128")
        ]:
            self.assertIn(text, self.tutti(*arguments, code=2).stderr)


class Verify(CommandTest):
    def test_table(self):
        out = json.loads(
            self.tutti("verify", "allreduce", "-n", "1..9", "--root", "all", "--json").stdout)
        self.assertTrue(out["correct"])
        found = {line["algorithm"]: line for line in out["results"]}
        self.assertTrue(all(line["correct"] for line in out["results"]))
        mst = found["mst"]
        for name in ("same_tree", "canonical", "rank_order", "one_port"):
            self.assertEqual(mst[name], "always", name)
        self.assertEqual(mst["shape_count"], sum(range(1, 10)))
        self.assertEqual(mst["ranks"], list(range(1, 10)))
        self.assertEqual(mst["counts"]["alpha"], 8)
        ring = found["increasing_ring"]
        self.assertEqual([ring["same_tree"], ring["canonical"], ring["rank_order"]],
                         ["always", "sometimes", "sometimes"])
        self.assertEqual(found["direct"]["one_port"], "sometimes")

    def test_text_names_columns(self):
        text = self.tutti("verify", "barrier", "-n", "5").stdout
        self.assertIn("R0: the same expression on all ranks", text)
        self.assertRegex(text, r"barrier +dissemination +1 yes +- +- +- +always")

    def test_a_plan_by_the_name_that_explain_prints(self):
        tree, = json.loads(
            self.tutti("verify", "allreduce", "-n", "16", "--algorithm", "tree:branches=2",
                       "--json").stdout)["results"]
        self.assertEqual((tree["algorithm"], tree["shape_count"]), ("tree:branches=2", 1))
        hybrid, = json.loads(
            self.tutti("verify", "allreduce", "-n", "8", "--algorithm", "hybrid:2x2.2",
                       "--json").stdout)["results"]
        self.assertEqual((hybrid["algorithm"], hybrid["shape_count"], hybrid["correct"]),
                         ("hybrid:2x2.2", 1, True))
        every = json.loads(self.tutti("verify", "-n", "4", "--algorithm", "tree:branches=3",
                                      "--json").stdout)["results"]
        self.assertEqual({line["algorithm"] for line in every}, {"tree:branches=3"})
        self.assertEqual({line["operation"]
                          for line in every}, {"barrier", "broadcast", "reduce", "allreduce"})

    def test_a_hybrid_of_a_mesh_by_its_strategy(self):
        for name in ("hybrid:4cx4r", "hybrid:2c.4r.2c", "hybrid:4rx2c.2c"):
            line, = json.loads(self.tutti("verify", "allreduce", "-n", "16", "--algorithm", name,
                                          "--json").stdout)["results"]
            self.assertEqual((line["algorithm"], line["correct"], line["problem"]),
                             (name, True, ""))

    def test_counts_become_times(self):
        line, = json.loads(
            self.tutti("verify", "allgather", "-n", "8", "--algorithm", "ring", "--machine", "sp2",
                       "--bytes", "64K", "--json").stdout)["results"]
        self.assertEqual((line["bytes"], line["block_bytes"]), (65536, 8192))
        explained = json.loads(
            self.tutti("explain", "allgather", "-n", "8", "--algorithm", "ring", "--machine", "sp2",
                       "--block-bytes", "8K", "--json").stdout)
        # The price in tutti explain also has the links that messages pass.
        terms, machine = explained["asked"]["terms"], explained["machine"]["numbers"]
        priced = terms["alpha"] * machine["alpha"]["value"] + 65536 * sum(
            terms[name] * machine[name]["value"] for name in ("beta", "gamma"))
        self.assertAlmostEqual(line["time_us"], priced, delta=1e-9 * priced)

    def test_old_spellings(self):
        for old, new in [([
                "--op", "allreduce", "--p", "5", "--algorithm", "tree", "--branches", "2"
        ], ["allreduce", "-n", "5", "--algorithm", "tree:branches=2"])]:
            self.assertEqual(self.tutti("verify", *old).stdout, self.tutti("verify", *new).stdout)
        self.assertEqual(
            self.tutti("draw", "bcast", "--algorithm", "tree", "--branches", "3", "-n", "8").stdout,
            self.tutti("draw", "bcast", "--algorithm", "tree:branches=3", "-n", "8").stdout)

    def test_links(self):
        arguments = ["verify", "alltoall", "--algorithm", "circle", "--topology", "hypercube:3"]
        conflict = "step 3, link 010->000: messages 011->000 and 010->100"
        self.assertIn(f"alltoall circle, p = 8: {conflict}", self.tutti(*arguments).stdout)
        self.tutti(*arguments, "--conflict-free", code=1)
        self.assertEqual(
            json.loads(self.tutti(*arguments, "--json").stdout)["results"][0]["conflicts"],
            [conflict])
        self.tutti("verify", "alltoall", "--algorithm", "pairwise", "--topology", "hypercube:3",
                   "--conflict-free")

    def test_seven_operations_on_a_mesh(self):
        """Paper 001, section 3.3, promises no conflicts. Trees over rank numbers have some."""
        seven = "broadcast,reduce,scatter,gather,allgather,reduce_scatter,allreduce"
        arguments = ["verify", seven, "--topology", "mesh:3x5", "--root", "all", "--conflict-free"]
        for name in "hybrid:.3r.5c", "hybrid:.5c.3r", "hybrid:3rx5c", "hybrid:5cx3r":
            out = json.loads(self.tutti(*arguments, "--algorithm", name,
                                        "--json").stdout)["results"]
            self.assertEqual([(line["load"], line["shape_count"]) for line in out], [(1, 15)] * 7)
        self.tutti(*arguments, "--algorithm", "mst", code=1)

    def test_draws_a_scatter_on_a_mesh(self):
        arguments = ["scatter", "--algorithm", "hybrid:3rx5c", "--topology", "mesh:3x5"]
        out = json.loads(self.tutti("draw", *arguments, "--root", "7", "--json").stdout)
        self.assertEqual((out["title"], out["conflicts"]),
                         ("scatter hybrid:3rx5c, p = 15, root 7, mesh:3x5", []))

    def test_charts(self):
        for name in "fig6", "fig7", "fig8_pairwise", "fig9":
            self.tutti("verify", "--schedule", str(CHARTS / f"{name}.txt"))
        done = self.tutti("verify", "--schedule", str(CHARTS / "fig8_as_printed.txt"), code=1)
        self.assertIn("\nstep 3, link 010->000: messages 011->000 and 010->100\n", done.stdout)
        self.assertIn("2 steps later",
                      self.tutti("verify", "--schedule", str(CHARTS / "fig9.txt")).stdout)
        self.assertIn("has no steps",
                      self.tutti("verify", "--schedule", str(CHARTS / "fig5.txt"), code=2).stderr)
        self.tutti("verify", "--schedule", str(CHARTS / "fig6.txt"), "--one-receive", code=1)

    def test_lists(self):
        self.verify_text("1: 0--1\n", "--topology", "line:2")
        done = self.verify_text("1: 0->1\n2: 0->2\n2: 1->2\n", "--topology", "line:3", code=1)
        self.assertIn("step 2, link 1->2: messages 0->2 and 1->2", done.stdout)
        self.assertIn("2->0: no message in any step", done.stdout)
        self.assertIn("--topology is needed", self.verify_text("1: 0->1\n", code=2).stderr)

    def test_patterns(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("0->2\n1->2\n")
            file.flush()
            self.verify_text("1: 0->2\n2: 1->2\n", "--pattern", file.name, "--topology", "line:3")
            done = self.tutti("verify",
                              "--pattern",
                              file.name,
                              "--topology",
                              "line:3",
                              "--json",
                              code=1)
            self.assertEqual(
                json.loads(done.stdout)["results"][0]["problems"],
                ["step 1, link 1->2: messages 0->2 and 1->2"])

    def test_what_is_not_understood(self):
        for arguments, text in [(["-n", "0"], "-n is '0'"), (["-n", "5..3"], "-n is '5..3'"),
                                (["-n", "x"], "-n is 'x'"),
                                (["-n", "4", "--root", "4"], "--root is '4'"), (["sing"], "sing"),
                                (["barrier", "--algorithm",
                                  "none"], "there is no algorithm 'none' for barrier"),
                                (["allreduce", "-n", "6", "--algorithm",
                                  "hybrid:2x2"], "serves none of these"),
                                (["--algorithm", "none"], "there is no algorithm 'none'"),
                                (["--conflict-free"], "needs a --topology"),
                                (["--schedule", "/nonexistent"], "cannot be read")]:
            self.assertIn(text, self.tutti("verify", *arguments, code=2).stderr)

    def test_an_empty_pattern(self):
        with tempfile.NamedTemporaryFile() as file:
            words = ("schedule", "--pattern", file.name, "--topology", "line:3")
            self.assertIn("holds no messages", self.tutti(*words, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
