# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti simulate` with files of GOAL whose ranks have several processors and network
interfaces."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
from random import Random

TUTTI = os.environ["TUTTI_COMMAND"]


def goal(*ranks):
    """Returns a file of GOAL with the statements of each rank."""
    lists = [f"rank {rank} {{\n{text}\n}}" for rank, text in enumerate(ranks)]
    return f"num_ranks {len(ranks)}\n" + "\n".join(lists) + "\n"


def random_goal(random, ranks):
    """Returns a file in which no operations wait in a circle, and the longest time of work that
    must be done one piece after the other."""
    texts, done, longest, labels = [""] * ranks, [[] for _ in range(ranks)], {}, 0
    busy = {}

    def add(rank, what, work=0):
        nonlocal labels
        labels += 1
        name, cpu = f"l{labels}", random.randrange(3)
        texts[rank] += f"{name}: {what} cpu {cpu}\n"
        before = random.sample(done[rank], min(len(done[rank]), random.randrange(3)))
        for other in list(before):
            word = random.choice(("requires", "requires", "irequires"))
            texts[rank] += f"{name} {word} {other}\n"
            if word == "irequires":
                before.remove(other)
        longest[name] = work + max((longest[other] for other in before), default=0)
        busy[rank, cpu] = busy.get((rank, cpu), 0) + work
        done[rank].append(name)

    for tag in range(20):
        sender, receiver = random.sample(range(ranks), 2)
        if random.random() < 0.4:
            work = random.randrange(1, 50) * 1000
            add(sender, f"calc {work}", work)
            continue
        size = random.choice((0, 8, 4096, 100000))
        add(sender, f"send {size}b to {receiver} tag {tag} nic {random.randrange(2)}")
        add(receiver, f"recv {size}b from {sender} tag {tag} nic {random.randrange(2)}")
    return goal(*texts), max([*longest.values(), *busy.values()]) / 1000


def loggp():
    """Returns a machine of LogGP with o = 1 us, L = 10 us and G = 1 ns a byte."""
    def numbers(**values):
        return "".join(f'{key} = {{value = {value}, status = "assumed", source = "LogGP"}}\n'
                       for key, value in values.items())

    rates = numbers(alpha=12, beta=0.001, gamma=0, kappa="inf")
    network = numbers(topology='"crossbar:2"', switching='"circuit"')
    node = numbers(ports='"duplex"', send_alpha=1, send_beta=0.001, receive_alpha=1,
                   receive_beta=0)
    return f'name = "loggp"\nabout = "LogGP"\n{rates}[network]\n{network}[node]\n{node}'


class Streams(unittest.TestCase):
    """Processors and network interfaces of a rank, in files of GOAL."""
    MACHINE = ("--machine", "sp2")  # 40 us for a message

    def simulate(self, *arguments):
        done = subprocess.run([TUTTI, "simulate", *arguments],
                              capture_output=True,
                              text=True,
                              timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def time(self, *ranks, machine=MACHINE):
        return self.outcome(goal(*ranks), *machine)[1]["time_us"]

    def outcome(self, text, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.goal")
            path.write_text(text)
            setting, = json.loads(self.simulate(str(path), *words, "--json"))["settings"]
        outcome, = setting.pop("results")
        return setting, outcome, outcome["detail"]

    def test_processors_work_at_the_same_time(self):
        for second, wanted in (("cpu 0", 200), ("cpu 1", 100), ("cpu 7", 100)):
            self.assertEqual(self.time(f"calc 100000 cpu 0\ncalc 100000 {second}", ""), wanted)
        work = "a: calc 100000 cpu 0\nb: calc 100000 cpu 1\n"
        self.assertEqual(self.time(work + "b requires a", ""), 200)
        self.assertEqual(self.time(work + "b irequires a", ""), 100)
        self.assertEqual(
            self.time("a: calc 50000 cpu 1\nb: calc 100000 cpu 1\nb requires a\n"
                      "c: calc 100000 cpu 0\nc irequires b", ""), 150)

    def test_a_stream_waits_for_messages_of_another(self):
        receiver = "a: recv 8b from 0 cpu 1\nb: calc 100000 cpu 2\nc: calc 10000 cpu 3\n"
        sender = "send 8b to 1 cpu 5"
        together, after = self.time(sender, receiver), self.time(sender, receiver + "b requires a")
        self.assertEqual(together, 100)
        self.assertGreater(after, 140)

    def test_interfaces_send_at_the_same_time(self):
        receivers = ("recv 8b from 0", "recv 8b from 0")
        first = "send 8b to 1 cpu 0 nic 0\n"
        times = [self.time(f"{first}send 8b to 2 cpu {cpu} nic {nic}", *receivers)
                 for cpu, nic in ((0, 0), (1, 0), (1, 1))]
        self.assertEqual(times[0], times[1])
        self.assertGreater(times[1], times[2] + 39)
        outcome = self.outcome(goal("send 8b to 1 cpu 0\nsend 8b to 2 cpu 1", *receivers),
                               *self.MACHINE)[1]
        self.assertEqual(outcome["port_waits"], 1)

    def test_times_are_those_of_loggp(self):
        """Rank 0 works for 5 us and sends, while another of its processors receives."""
        text = goal("l1: calc 0 cpu 0\nl2: calc 5000 cpu 1\n"
                    "l3: send 4096b to 1 tag 101 cpu 1 nic 0\n"
                    "l4: recv 8192b from 1 tag 202 cpu 2 nic 1\nl5: calc 0 cpu 0\nl2 requires l1\n"
                    "l3 requires l2\nl4 irequires l1\nl5 requires l3\nl5 requires l4",
                    "l1: calc 0 cpu 0\nl2: recv 4096b from 0 tag 101 cpu 1 nic 0\n"
                    "l3: send 8192b to 0 tag 202 cpu 2 nic 1\nl4: calc 0 cpu 0\nl2 requires l1\n"
                    "l3 requires l1\nl4 requires l2\nl4 requires l3")
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder, "loggp.toml")
            machine.write_text(loggp())
            setting, outcome, detail = self.outcome(text, "--machine", str(machine))
        ends = dict(zip(setting["streams"], (row["end_us"] for row in detail["per_rank"])))
        for stream, end in (("0 cpu 1", 5 + 1 + 4.096), ("0 cpu 2", 12 + 8.192),
                            ("0 cpu 0", 12 + 8.192), ("1 cpu 2", 1 + 8.192),
                            ("1 cpu 1", 5 + 12 + 4.096), ("1 cpu 0", 5 + 12 + 4.096)):
            self.assertAlmostEqual(ends[stream], end, msg=stream)
        self.assertAlmostEqual(outcome["time_us"], 21.096)

    def test_exchanges_between_streams_do_not_hang(self):
        rank = ("a: send 100000b to {0} cpu 0\nb: recv 100000b from {0} cpu 1\nb requires a\n"
                "c: send 100000b to {0} tag 1 cpu 1\nd: recv 100000b from {0} tag 1 cpu 0\n"
                "d requires c")
        for machine in ("sp2", "ipsc860-nx", "paragon", "slingshot-dragonfly"):
            self.assertGreater(
                self.time(rank.format(1), rank.format(0), machine=("--machine", machine)), 0)

    def test_streams_have_names(self):
        text = goal("a: calc 5000 cpu 1\nb: send 8b to 1 cpu 2\nb requires a",
                    "recv 8b from 0 cpu 4")
        setting, _, detail = self.outcome(text, *self.MACHINE)
        self.assertEqual(setting["ranks"], 2)
        self.assertEqual(setting["streams"], ["0 cpu 1", "0 cpu 2", "1 cpu 4"])
        self.assertEqual(len(detail["per_rank"]), 3)
        with tempfile.TemporaryDirectory() as folder:
            path, trace = pathlib.Path(folder, "a.goal"), pathlib.Path(folder, "a.json")
            path.write_text(text)
            shown = self.simulate(str(path), *self.MACHINE, "--trace", str(trace))
            self.assertIn("waits for the message from 0 cpu 2", shown)
            self.assertIn("node 0 cpu 2 has waited for 0 cpu 1", shown)
            self.assertIn("rank 1 cpu 4", trace.read_text())
            picture = self.simulate(str(path), *self.MACHINE, "--svg", "-")
            self.assertIn(">1 cpu 4<", picture)

    def test_random_streams_end(self):
        for seed in range(24):
            random = Random(seed)
            text, least = random_goal(random, 2 + seed % 4)
            for machine in ("sp2", "paragon"):
                with self.subTest(seed=seed, machine=machine):
                    outcome = self.outcome(text, "--machine", machine)[1]
                    self.assertGreaterEqual(outcome["time_us"], least - 1e-6)


unittest.main()
