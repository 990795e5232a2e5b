# SPDX-License-Identifier: BSD-3-Clause
"""Compares `tutti simulate` with the simulator of independent.py: test_independent.py TUTTI N
[FIRST]. N random programs, from the seed FIRST on, run on each machine. Each rank must end at the
same picosecond. Many programs share a recording, where they have ranks of their own and begin 200
ms after each other, so that they do not meet.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from independent import Replay
from independent_machines import NETWORKS, Machine
from independent_ports import Lost
from random_machines import KINDS, describe
from random_recordings import Program, merged

TUTTI, COUNT, FIRST = sys.argv[1], int(sys.argv[2]), int((sys.argv[3:] or ["0"])[0])
TOGETHER, SPACING = 100, 200_000_000


class Independent(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        self.machine, self.record = folder / "machine.toml", folder / "run.json"

    def compare(self, *words):
        describe(self.machine, *words)
        for first in range(FIRST, FIRST + COUNT, TOGETHER):
            seeds = range(first, min(first + TOGETHER, FIRST + COUNT))
            programs = [Program(seed, words[-1] in ("forced", "rendezvous")) for seed in seeds]
            recording = merged(programs, SPACING)
            expected = Replay(Machine(self.machine), recording).ends
            found = self.simulated(recording)
            base = 0
            for seed, program in zip(seeds, programs):
                ranks = slice(base, base + program.p)
                self.assertEqual(found[ranks], expected[ranks], f"seed {seed}")
                base += program.p

    def simulated(self, recording):
        """Returns when each rank ends, and None if a message came before its receive."""
        self.record.write_text(json.dumps(recording))
        done = subprocess.run([TUTTI, "simulate", self.record, "--machine", self.machine,
                               "--compute", "x1", "--json"],
                              capture_output=True, text=True, check=False)
        result = json.loads(done.stdout)
        if "before its receive was posted" in result.get("message", ""):
            return None
        self.assertEqual(done.returncode, 0, done.stdout)
        detail = result["settings"][0]["results"][0]["detail"]
        return [round(rank["end_us"] * 1e6) for rank in detail["per_rank"]]

    def test_lost(self):
        """Programs that do not post ahead lose messages in both simulators, or in none."""
        describe(self.machine, "circuit", "duplex", 0.125, "", "forced")
        lost = 0
        for seed in range(FIRST, FIRST + min(COUNT, 300)):
            recording = merged([Program(seed)], SPACING)
            try:
                expected = Replay(Machine(self.machine), recording).ends
            except Lost:
                expected, lost = None, lost + 1
            self.assertEqual(self.simulated(recording), expected, f"seed {seed}")
        self.assertIn(lost, range(1, COUNT))


def test_of(*words):
    return lambda self: self.compare(*words)


# Round numbers make many events at one instant, and others show how times are rounded.
COSTS = ((0.125, "", "eager"), (0.5, "", "eager"), (0.125, "12345", "eager"),
         (0.125, "", "forced"), (0.125, "", "reserve"), (0.125, "", "rendezvous"))
for kind in KINDS:
    for port in ("unlimited", "duplex", "half", "windowed"):
        for rate, more, handover in COSTS:
            # The simulator lets messages that only look at a port wait too long there.
            if port == "windowed" and NETWORKS[kind].has_ports:
                continue
            name = f"test_{kind}_{port}_{rate}{more}_{handover}"
            setattr(Independent, name, test_of(kind, port, rate, more, handover))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
