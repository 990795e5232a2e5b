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

from independent import ends_of
from independent_machines import Machine
from random_recordings import Program, merged

TUTTI, COUNT, FIRST = sys.argv[1], int(sys.argv[2]), int((sys.argv[3:] or ["0"])[0])
TOGETHER, SPACING = 100, 200_000_000
TEXT = """name = "test"
alpha = 10.0{digits}
beta = 0.5{digits}
gamma = 0.25{digits}
[network]
topology = "{topology}:1024"
switching = "{switching}"
hop = 1.5{digits}
link_beta = {link_beta}{digits}
{more}
[node]
ports = "{ports}"
send_alpha = 4.0{digits}
send_beta = 0.3{digits}
receive_alpha = 3.0{digits}
receive_beta = 0.2{digits}
gamma_alpha = 1.0{digits}
copy_alpha = 2.0{digits}
copy = 0.1{digits}
"""
KINDS = {"bus": ("bus", "packet = 64\ngap = 2"),
         "store_and_forward": ("crossbar", "packet = 64"), "circuit": ("crossbar", "held = 3")}


class Independent(unittest.TestCase):
    def compare(self, switching, ports, link_beta, digits):
        topology, more = KINDS[switching]
        with tempfile.TemporaryDirectory() as folder:
            machine = Path(folder) / "machine.toml"
            machine.write_text(TEXT.format(topology=topology, switching=switching, more=more,
                                           ports=ports, link_beta=link_beta, digits=digits))
            for first in range(FIRST, FIRST + COUNT, TOGETHER):
                seeds = range(first, min(first + TOGETHER, FIRST + COUNT))
                programs = [Program(seed) for seed in seeds]
                recording = merged(programs, SPACING)
                expected = ends_of(Machine(machine), recording)
                found = self.simulated(recording, machine, Path(folder) / "recording.json")
                base = 0
                for seed, program in zip(seeds, programs):
                    ranks = slice(base, base + program.p)
                    self.assertEqual(found[ranks], expected[ranks], f"seed {seed}")
                    base += program.p

    def simulated(self, recording, machine, file):
        file.write_text(json.dumps(recording))
        done = subprocess.run([TUTTI, "simulate", file, "--machine", machine, "--compute", "x1",
                               "--json"], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        detail = json.loads(done.stdout)["settings"][0]["results"][0]["detail"]
        return [round(rank["end_us"] * 1e6) for rank in detail["per_rank"]]


def test_of(*words):
    return lambda self: self.compare(*words)


for kind in KINDS:
    for port in ("unlimited", "duplex", "half"):
        # Round numbers make many events at one instant, and others show how times are rounded.
        for rate, more in ((0.125, ""), (0.5, ""), (0.125, "12345")):
            name = f"test_{kind}_{port}_{rate}{more}"
            setattr(Independent, name, test_of(kind, port, rate, more))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
