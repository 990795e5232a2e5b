# SPDX-License-Identifier: BSD-3-Clause
"""under_mpi.py FLAVOUR PYTHON: runs programs in Python under an MPI's launcher, alone and together
with mpi4py. Exit code 77 if the launcher is missing."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
import mpi_launchers  # noqa: E402

FLAVOUR, PYTHON = sys.argv[1:3]
BOTH = """
assert (world.rank, world.size) == (comm.rank, comm.size)
for turn in range(5):
    assert comm.allreduce(world.rank) == world.allreduce(comm.rank)
    mine, theirs = numpy.full(3, world.rank), numpy.empty(3, int)
    comm.Sendrecv(mine, (comm.rank + 1) % comm.size, recvbuf=theirs)
    assert world.allgather(mine)[(comm.rank - 1) % comm.size][0] == theirs[0]
print("both", world.rank)
"""
TUTTI_FIRST = "import numpy, tutti\nworld = tutti.world\nfrom mpi4py import MPI\n"
MPI_FIRST = "import numpy, tutti\nfrom mpi4py import MPI\nworld = tutti.world\n"


def job(ranks, *command):
    """Runs Python as a job. Returns its exit code and its output."""
    environment = {**os.environ, "OMPI_MCA_btl_base_warn_component_unused": "0"}
    done = subprocess.run([*mpi_launchers.launcher(FLAVOUR, ranks), PYTHON, *command],
                          env=environment,
                          stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          text=True,
                          timeout=250,
                          check=False)
    return done.returncode, done.stdout


def mpi4py_is_for(flavour):
    text = ("from mpi4py import MPI\nname = MPI.Get_library_version()\n"
            "print('openmpi' if name.startswith('Open MPI') else 'mpich')")
    done = subprocess.run([PYTHON, "-c", text], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.split()[-1:] == [flavour]


class UnderMpi(unittest.TestCase):
    def test_programs(self):
        code, output = job(2, str(HERE / "programs.py"))
        self.assertEqual(code, 0, output)
        self.assertIn("errors OK", output)

    def test_it_is_known_before_the_job_is_joined(self):
        code, output = job(2, "-c", "import tutti; assert tutti.launched(); tutti.world.barrier()")
        self.assertEqual(code, 0, output)

    def test_an_exception_ends_the_job(self):
        code, output = job(2, "-c", "import tutti\ng = tutti.world\n"
                           "if g.rank == 1: raise ValueError('my bad')\ng.barrier()\n")
        self.assertNotEqual(code, 0, output)
        self.assertIn("ValueError: my bad", output)

    def test_beside_mpi4py(self):
        if not mpi4py_is_for(FLAVOUR):
            self.skipTest(f"there is no mpi4py for {FLAVOUR} (package python3-mpi4py)")
        for start in (TUTTI_FIRST, MPI_FIRST):
            code, output = job(2, "-c", start + "comm = MPI.COMM_WORLD\n" + BOTH)
            self.assertEqual(code, 0, output)
            self.assertEqual(output.count("both"), 2, output)


if not mpi_launchers.installed(FLAVOUR):
    print(f"skipped: the launcher of {FLAVOUR} was not found")
    sys.exit(77)
unittest.main(argv=sys.argv[:1], verbosity=2)
