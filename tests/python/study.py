# SPDX-License-Identifier: BSD-3-Clause
"""Tests the functions that study algorithms: what they tell agrees with the command, notebooks can
show it, and no job is joined. With the word "all", algorithms in Python are proved up to p = 64."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import own_algorithms as own
import tutti
from shown import LONGEST_REPR, SVG, Shown

ALL = "all" in sys.argv[1:]
LONGEST_PICTURE = 100_000


class Study(Shown):
    def is_picture(self, svg):
        self.assertLess(len(svg), LONGEST_PICTURE)
        self.assertEqual(ElementTree.fromstring(svg).tag, SVG)

    def test_explain(self):
        found = tutti.explain("allreduce", n=8, bytes="64K", machine="paragon")
        self.shows(found)
        self.assertEqual(found.winner, found.candidates[0]["name"])
        times = found.candidates.column("time_us")
        self.assertEqual(times, sorted(times))
        self.assertEqual(found.crossovers[0]["from_bytes"], 0)
        self.assertTrue(found.not_eligible)
        self.assertIsNone(found.library)
        self.assertIsNone(found.asked)
        here = tutti.explain("allreduce", "tree:branches=2", 8, bytes=64)
        self.assertEqual(here.asked["name"], "tree:branches=2")
        self.assertIn(here.library["decided_by"], ("user", "table", "shared memory", "model"))
        self.shows(found, "data:image/svg+xml")
        for over in ("bytes", "ranks"):
            self.is_picture(found.picture(over).svg)
        self.shows(tutti.explain("barrier", n=8, machine="paragon"), "data:image/svg+xml")
        self.shows(tutti.explain("allreduce", n=1, machine="paragon"))
        two = tutti.explain("allreduce", n=8, machine="paragon", hosts=[4, 4], ordered=True)
        self.assertFalse(two.json["commutative"])

    def test_simulate(self):
        several = tutti.simulate("bcast", ["mst", "tree:branches=2"], 8, machine="paragon",
                                 bytes=["1K", 65536])
        self.shows(several, "data:image/svg+xml")
        self.is_picture(several.picture().svg)
        self.shows(tutti.simulate("bcast", ["mst", "tree:branches=2"], 8, machine="paragon"))
        ranks = tutti.simulate("allgather", "ring", range(2, 6), machine="paragon", block_bytes=64)
        self.assertEqual(ranks.column("ranks"), [2, 3, 4, 5])
        self.shows(ranks, "data:image/svg+xml")
        self.is_picture(ranks.picture().svg)
        both = tutti.simulate("allgather", "ring", [2, 5], machine="paragon", bytes=[64, 128])
        self.assertEqual(both.column("ranks"), [2, 2, 5, 5])
        self.shows(both)
        self.assertEqual([(row["algorithm"], row["bytes"]) for row in several],
                         [("mst", 1024), ("tree:branches=2", 1024), ("mst", 65536),
                          ("tree:branches=2", 65536)])
        self.assertEqual(several.best["time_us"], min(several.column("time_us")))
        with self.assertRaisesRegex(tutti.InvalidArgument, "4 simulations"):
            several.per_rank
        one = tutti.simulate("bcast", "mst", 8, machine="paragon", bytes="1K")
        self.shows(one, "data:image/svg+xml")
        self.is_picture(one.picture().svg)
        self.assertEqual(len(one.per_rank), 8)
        self.assertEqual(max(one.per_rank.column("end_us")), one[0]["time_us"])
        self.assertEqual(max(one.timeline.column("to_us")), one[0]["time_us"])
        self.assertEqual(sum(one.per_link.column("messages")) > 0, True)

    def test_verify(self):
        right = tutti.verify("allreduce", "ring", range(2, 10))
        self.shows(right, None)
        self.assertTrue(right)
        self.assertEqual(right.ranks, list(range(2, 10)))
        self.assertEqual((right.problem, right.counterexample), ("", None))
        schedule = tutti.draw("allreduce", "ring", 4)
        self.assertTrue(schedule.verify())
        del schedule.program["rounds"][2]["1"][0]
        wrong = schedule.verify()
        self.shows(wrong, None)
        self.assertFalse(wrong)
        self.assertEqual((wrong.counterexample["ranks"], wrong.counterexample["round"]), (4, 3))
        self.assertIn("round 3 (t = 2)", wrong.problem)
        self.assertIn("WRONG: ", schedule.picture().svg)
        self.assertEqual(schedule.film()["fault"]["problem"], wrong.problem)

    def test_draw(self):
        schedule = tutti.draw("reduce", "tree:branches=2", 7, root=3)
        self.shows(schedule, "<img")
        self.assertEqual((schedule.operation, schedule.n, schedule.root, schedule.name),
                         ("reduce", 7, 3, "tree:branches=2"))
        self.assertEqual(len(schedule.messages), 6)
        ring = tutti.draw("allreduce", "ring", 8)
        self.assertEqual(ring.messages[0], {"round": 1, "source": 0, "dest": 1,
                                            "blocks": ["input[7]"], "numbers": [7]})
        self.assertEqual(len(ring.messages), 2 * 7 * 8)
        self.assertEqual(len(ring.work(0)), 2 * 2 * 7)
        self.assertEqual(len(ring.film()["rounds"]), 14)
        self.is_picture(ring.picture().svg)
        self.shows(ring, "max-width:100%")
        self.assertIsNone(tutti.draw("bcast", "mst", 17)._repr_html_())
        self.assertEqual(tutti.draw("bcast", n=4).name, tutti.explain("bcast", n=4).library["name"])
        self.assertEqual(tutti.Schedule.from_json(ring.to_json()), ring)
        with tempfile.TemporaryDirectory() as folder:
            ring.save(f"{folder}/ring.json")
            ring.save(f"{folder}/ring.svg")
            self.is_picture(Path(folder, "ring.svg").read_text())
            self.assertEqual(json.loads(Path(folder, "ring.json").read_text()), ring.program)
        priced = ring.explain(machine="paragon", bytes="64K").asked
        self.assertEqual(priced["time_us"],
                         tutti.explain("allreduce", "ring", 8, machine="paragon",
                                       bytes="64K").asked["time_us"])
        self.assertEqual(ring.simulate(machine="paragon")[0]["algorithm"], "ring")

    def test_receivers_in_a_row(self):
        """A send to several ranks at once is a message to each."""
        direct = tutti.draw("allgather", "direct", 5)
        self.assertEqual(len(direct.messages), 5 * 4)
        pairs = {(row["source"], row["dest"]) for row in direct.messages}
        self.assertEqual(len(pairs), 5 * 4)
        self.assertTrue(all(source != dest for source, dest in pairs))

    def test_lists(self):
        self.shows(tutti.algorithms())
        names = tutti.algorithms("bcast").column("name")
        self.assertEqual(names, tutti.algorithms("broadcast").column("name"))
        self.assertIn("mst", names)
        for row in tutti.algorithms("allreduce"):
            self.assertTrue(row["about"] and row["source"] and row["cost"] and row["needs"], row)
        machines = tutti.machines()
        self.shows(machines)
        self.assertIn("ipsc860", machines.column("name"))
        self.assertGreater(min(machines.column("alpha_us")), 0)
        self.assertIn("alpha", tutti.machines("paragon").column("name"))
        self.assertIsInstance(machines[:3], tutti.Records)

    def test_tables_are_readable(self):
        rows = tutti.Records([{"name": "a & b " * 20, "time_us": 1101690.4, "bytes": 1048576,
                               "small": 0.000333333, "best": True, "more": None, "list": [1]}])
        self.shows(rows)
        page = rows._repr_html_()
        for cell in ("<td>1,101,690</td>", "<td>1,048,576</td>", "<td>0.0003333</td>", ">yes</td>",
                     "a &amp; b " * 20, ">[1]</td>"):
            self.assertIn(cell, page)
        self.assertIn("text-align:left", page)
        self.assertNotIn("...", page)
        self.assertEqual(rows.select("best", "none"), [{"best": True, "none": None}])

    def test_errors_have_their_class_and_text(self):
        for call, kind, text in (
                (lambda: tutti.explain("allreduec", n=8), tutti.InvalidArgument, "did you mean"),
                (lambda: tutti.draw("bcast", "rign", 4), tutti.NoSuchPlan, "no algorithm 'rign'"),
                (lambda: tutti.simulate("bcast", "mst", 4, machine="moon"), tutti.InvalidArgument,
                 "moon"),
                (lambda: tutti.algorithms("sing"), tutti.InvalidArgument, "sing"),
                (lambda: tutti.Schedule({}), tutti.InvalidArgument, "tutti_program"),
                (lambda: tutti.simulate(own.RING, machine="sp2"), tutti.InvalidArgument, "n,")):
            with self.assertRaisesRegex(kind, text):
                call()

    def test_no_job_is_joined(self):
        text = ("import sys, tutti; tutti.explain('bcast', n=4, machine='sp2'); "
                "assert not tutti.initialized(); assert 'numpy' not in sys.modules")
        subprocess.run([sys.executable, "-c", text], check=True)


class OwnAlgorithms(unittest.TestCase):
    def test_they_are_proved(self):
        most = 64 if ALL else 9
        for generator in (own.RING, own.DOUBLING, own.BINOMIAL):
            verdict = generator.verify(range(2, most + 1))
            self.assertTrue(verdict, verdict)
            served = [p for p in range(2, most + 1) if generator.serves(p)]
            self.assertEqual(verdict.ranks, served)
            self.assertLess(len(repr(verdict)), LONGEST_REPR)

    def test_the_ring_is_that_of_the_library(self):
        for p in (2, 5, 8):
            ours, theirs = own.RING.schedule(p).program, tutti.draw("allreduce", "ring", p).program
            self.assertEqual(ours["rounds"], theirs["rounds"])
            self.assertEqual(ours["buffers"], theirs["buffers"])

    def test_they_are_drawn_priced_and_simulated(self):
        schedule = own.RING.schedule(8)
        svg = schedule.picture().svg
        self.assertEqual(ElementTree.fromstring(svg).tag, SVG)
        self.assertLess(len(svg), LONGEST_PICTURE)
        self.assertIn("<title>allreduce python_ring, p = 8</title>", svg)
        asked = tutti.explain(own.RING, n=8, bytes="64K", machine="paragon").asked
        self.assertEqual((asked["name"], asked["alpha"], asked["beta"]), ("python_ring", 14, 1.75))
        named = tutti.simulate("allreduce", "ring", 8, machine="paragon", bytes="64K")
        ours = tutti.simulate(own.RING, n=8, machine="paragon", bytes="64K")
        self.assertEqual(ours[0], named[0] | {"algorithm": "python_ring"})
        self.assertIn("8 ranks: python_ring,", ours.picture().svg)
        self.assertEqual(own.BINOMIAL.schedule(6, root=2).root, 2)
        self.assertTrue(own.BINOMIAL.verify(6, root=2))

    def test_twenty_mutants_are_refused(self):
        n = 4
        mutants = own.mutants(own.RING, n)
        self.assertEqual(len(mutants), 20)
        proofs = 0
        for name, mutant in mutants:
            try:
                verdict = mutant.verify(n)
            except tutti.InvalidArgument as error:  # a rank sends to itself
                self.assertIn("itself", str(error))
                continue
            proofs += 1
            self.assertFalse(verdict, name)
            self.assertTrue(verdict.problem, name)
            self.assertEqual(verdict.counterexample["ranks"], n, name)
        self.assertGreater(proofs, 15)

    def test_mistakes_are_errors_where_they_are_made(self):
        for emit, kind, text in (
                (lambda r, s, me, t: r.send(r.output(-1), to=0), tutti.InvalidArgument, "block -1"),
                (lambda r, s, me, t: r.output(0, 0), tutti.InvalidArgument, "0 blocks"),
                (lambda r, s, me, t: r.output(0, 2), tutti.InvalidArgument, "block 1 of the outp"),
                (lambda r, s, me, t: r.send(r.output(0), to=4), tutti.InvalidArgument, "no rank 4"),
                (lambda r, s, me, t: r.send(r.output(0), to=me), tutti.InvalidArgument, "itself"),
                (lambda r, s, me, t: r.sned(1), AttributeError, "sned"),
                (lambda r, s, me, t: 1 / 0, ZeroDivisionError, "zero")):
            with self.assertRaisesRegex(kind, text):
                tutti.generator("bcast", rounds=1)(emit).schedule(4)
        with self.assertRaisesRegex(tutti.InvalidArgument, "no operation 'sing'"):
            tutti.generator("sing", rounds=1)
            tutti.generator("sing", rounds=1)(own.ring)
        with self.assertRaisesRegex(tutti.NoSuchPlan, "does not serve 6"):
            own.DOUBLING.schedule(6)
        with self.assertRaisesRegex(tutti.InvalidArgument, "multiple of 4"):
            tutti.generator("allgather", rounds=1, blocks=3)(own.ring).schedule(4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
