# SPDX-License-Identifier: BSD-3-Clause
"""Compares programs in virtual time with the simulator of independent_live.py:
test_live_random.py TUTTI SCRIPT N [FIRST [KIND...]]. N random programs, from the seed FIRST on,
run on each kind of machine. All lines of all ranks must be equal: what receives and looks got,
and the time of the end. Besides, the record of a job without looks, replayed, must end when the
job has, to the last digit, but for rendezvous and unlimited ports
(docs/internals/virtual-time.md). That sees the last program of a job only, because each begins at
a time of its own.
With rendezvous 200 programs are compared at most: of the first 2500, those of the seeds 255 and
671 differ on a bus, where messages are there at one instant.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "replay"))

# pylint: disable=wrong-import-position
from independent_live import Live
from independent_machines import NETWORKS, Machine
from random_machines import KINDS, describe
from random_scripts import Program, script_of

TUTTI, SCRIPT, COUNT = *(Path(word).resolve() for word in sys.argv[1:3]), int(sys.argv[3])
FIRST = int((sys.argv[4:] or ["0"])[0])
TOGETHER, RANKS = 20, 6
MOST_WITH_RENDEZVOUS = 200
EXACT = ("--drift", "0", "--noise", "0")


def command(*words, folder):
    done = subprocess.run([TUTTI, *words], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def live(programs, folder):
    """Runs programs as one job. Returns the lines of each program by rank, the record, and when all
    ranks have ended."""
    (folder / "script").write_text(script_of(programs))
    text = command("run", "--timeout", "60", "--machine", "machine.toml", *EXACT, "--record",
                   "live.json", "--report", "report.json", "-n", str(RANKS), SCRIPT, "script",
                   folder=folder)
    lines = [{} for _ in programs]
    for line in text.splitlines():
        program, rank, rest = line.split(" ", 2)
        lines[int(program) - 1][int(rank)] = rest
    report = json.loads((folder / "report.json").read_text())["virtual_time"]
    record = json.loads((folder / "live.json").read_text())
    return lines, record, ends(report)


def ends(answer):
    result = answer["settings"][0]["results"][0]
    return [result["time_us"], *(rank["end_us"] for rank in result["detail"]["per_rank"])]


def expected(programs, machine, record):
    """Simulates the programs. The rounds of their collectives are those of the record."""
    parts = [iter([rank["bound"][item["run"]] for item in rank["items"] if "run" in item])
             for rank in record["ranks"]]
    for program in programs:
        own = [[next(parts[rank]) for letter, *_ in items if letter in "gG"]
               for rank, items in enumerate(program.items)]
        replay = Live(machine, program, own, record["groups"])
        yield {rank: line_of(output, clock)
               for rank, (output, clock) in enumerate(zip(replay.output, replay.clocks))}


def line_of(output, clock):
    told = [" ".join([f"{index}:", *map(str, numbers)]) for index, numbers in output]
    return " ".join([*told, f"end {clock}"])


class Random(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def compare(self, *words):
        describe(self.folder / "machine.toml", *words)
        machine = Machine(self.folder / "machine.toml")
        count = min(COUNT, MOST_WITH_RENDEZVOUS) if words[-1] == "rendezvous" else COUNT
        for first in range(FIRST, FIRST + count, TOGETHER):
            seeds = range(first, min(first + TOGETHER, FIRST + count))
            looks = first // TOGETHER % 2 == 0
            programs = [Program(seed, words[-1] == "rendezvous", looks) for seed in seeds]
            lines, record, time = live(programs, self.folder)
            simulated = expected(programs, machine, record)
            for seed, program, found, wanted in zip(seeds, programs, lines, simulated):
                for rank in range(program.p):
                    self.assertEqual(found.get(rank), wanted[rank], f"seed {seed}, rank {rank}")
            if looks or words[-1] == "rendezvous" or words[1] == "unlimited":
                continue
            replayed = json.loads(command("simulate", "live.json", "--machine", "machine.toml",
                                          *EXACT, "--json", folder=self.folder))
            self.assertEqual(ends(replayed), time, f"replay of seed {seed}")


def test_of(*words):
    return lambda self: self.compare(*words)


# Round numbers make many events at one instant, and others show how times are rounded.
COSTS = ((0.125, "", "eager"), (0.125, "12345", "eager"), (0.125, "", "reserve"),
         (0.125, "", "rendezvous"))
for kind in sys.argv[5:] or ("bus", "store_and_forward"):
    for port in ("unlimited", "duplex", "half", "windowed"):
        for rate, more, handover in COSTS:
            # The simulator lets messages that only look at a port wait too long there.
            if port == "windowed" and NETWORKS[kind].has_ports:
                continue
            name = f"test_{kind}_{port}_{rate}{more}_{handover}"
            setattr(Random, name, test_of(kind, port, rate, more, handover))
assert set(sys.argv[5:]) <= set(KINDS)

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
