# SPDX-License-Identifier: BSD-3-Clause
"""Runs all the programs of this folder that check themselves, one after the other in one job."""

import importlib
import sys

import tutti

PROGRAMS = ("ring_allreduce monte_carlo_pi jacobi requests_and_operators noncontiguous dtypes "
            "messages errors numpy_habits result_types").split()
if tutti.world.size == 2:
    PROGRAMS.append("help_texts")

for program in PROGRAMS:
    importlib.import_module(program).main()
    if tutti.world.rank == 0:
        print(program, "OK", flush=True)
sys.exit(0)
