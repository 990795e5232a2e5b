# SPDX-License-Identifier: BSD-3-Clause
"""Tests recorded runs as GOAL: a graph takes exactly as long as the run that it was made of."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TUTTI, PROGRAM = os.environ["TUTTI_COMMAND"], os.environ["TUTTI_RECORDED"]
PROFILES = pathlib.Path(os.environ["TUTTI_PROFILES"])

# Different ways of switching, ports and protocols; on all, work of ranks costs nothing.
MACHINES = ("delta", "ethernet", "ipsc860-nx", "slingshot-dragonfly")
ALGORITHMS = (
    "allreduce=ring,reduce=mst,bcast=mst,alltoall=linear,reduce_scatter=ring",
    "allreduce=recursive_doubling,bcast=chain,alltoall=bruck,allgather=bruck,scan=linear",
    "allreduce=tree,reduce=tree,gather=linear,scatter=linear,allgather=ring,alltoall=pairwise")


def without_costs(name):
    """Returns a machine of ours on which combining, copying and chance cost nothing."""
    text = (PROFILES / f"{name}.toml").read_text()
    text = re.sub(r"^(gamma_alpha|copy|copy_alpha|noise|drift) = \{value = [^,]*,",
                  r"\1 = {value = 0,", text, flags=re.MULTILINE)
    return re.sub(r"(\[gamma\]\n(?:#.*\n)*value *= *)[^\n]*", r"\g<1>0", text)


def run(*command, **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=100, env={**os.environ, **variables})


class RecordedGoal(unittest.TestCase):
    """Records runs, exports them, and simulates both."""
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tutti-goal-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.record, self.goal = self.folder / "run.json", self.folder / "run.goal"

    def do(self, *words, **variables):
        done = run(TUTTI, *words, **variables)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def recorded(self, p, size, algorithms=ALGORITHMS[0]):
        self.do("run", "-n", p, "--record", self.record, PROGRAM, size, TUTTI_ALGORITHM=algorithms)

    def machine(self, name):
        path = self.folder / f"{name}.toml"
        path.write_text(without_costs(name))
        return path

    def times(self, machine, *compute):
        found = []
        for words in ((self.record, *compute), (self.goal, )):
            answer = json.loads(self.do("simulate", *words, "--machine", machine, "--json"))
            setting, = answer["settings"]
            outcome, = setting["results"]
            found.append((outcome["time_us"], outcome["messages"], outcome["bytes"]))
        return found

    def compare(self, *compute):
        self.do("export", self.record, "--format", "goal", "--out", self.goal, *compute)
        for name in MACHINES:
            with self.subTest(machine=name, compute=compute):
                record, goal = self.times(self.machine(name), *compute)
                self.assertEqual(record, goal)

    def test_the_graph_takes_as_long_as_the_run(self):
        for p in (2, 5, 8):
            for i, algorithms in enumerate(ALGORITHMS):
                size = ("long", "short")[(p + i) % 2]
                with self.subTest(p=p, size=size, algorithms=algorithms):
                    self.recorded(p, size, algorithms)
                    self.compare()
                    if i == 0:
                        self.compare("--compute", "x1")

    # The Paragon's costs of these sizes are whole nanoseconds.
    def test_a_machine_gives_its_times(self):
        self.recorded(5, "long")
        for compute in ((), ("--compute", "x1")):
            self.do("export", self.record, "--format", "goal", "--out", self.goal, "--machine",
                    "paragon-512-R1.2", *compute)
            record, goal = self.times("paragon-512-R1.2", *compute)
            self.assertEqual(record, goal)
            self.do("export", self.record, "--format", "goal", "--out", self.goal)
            self.assertLess(self.times("paragon-512-R1.2")[1][0], goal[0])

    # Three ranks have few messages at one instant, so no rounded time changes their order.
    def test_times_are_rounded_to_nanoseconds(self):
        self.recorded(3, "short")
        self.do("export", self.record, "--format", "goal", "--out", self.goal, "--machine", "sp2")
        record, goal = self.times("sp2")
        works = len(re.findall(r"calc [1-9]", self.goal.read_text()))
        self.assertGreater(works, 0)
        self.assertLessEqual(abs(record[0] - goal[0]), works / 1000)

    def test_each_message_of_a_pair_has_a_tag(self):
        self.recorded(3, "short")
        self.do("export", self.record, "--format", "goal", "--out", self.goal)
        ends, rank = set(), None
        for line in self.goal.read_text().splitlines():
            if line.startswith("rank"):
                rank = int(line.split()[1])
            match = re.search(r"(send|recv) \d+b (?:to|from) (\d+) tag (\d+)", line)
            if match:
                end = (rank, *match.groups())
                self.assertNotIn(end, ends)
                ends.add(end)
        self.assertGreater(len(ends), 100)

    def test_what_cannot_be_is_refused(self):
        self.recorded(2, "short")
        for words, part in (
            ((), "give --format goal"),
            (("--format", "msccl"), "give --format goal"),
            (("--format", "goal", "-n", 2), "has its ranks, operations and sizes"),
            (("--format", "goal", "--algorithm", "ring"), "has its ranks, operations and sizes"),
            (("--format", "goal", "--compute", "much"), "must be a factor")):
            done = run(TUTTI, "export", self.record, *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(part, done.stderr)
        done = run(TUTTI, "export", "allreduce", "-n", 4, "--compute", "x1")
        self.assertIn("--compute is for a recorded run", done.stderr)
        text = self.record.read_text()
        self.record.write_text(text.replace('"complete":true', '"complete":false', 1))
        done = run(TUTTI, "export", self.record, "--format", "goal")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the record of rank 0 ends early", done.stderr)


unittest.main()
