#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs real programs of MPI in turn with the MPI alone and under `tutti mpi`. It compares the times
and rates that they print themselves. The programs are Debian's and linked with Open MPI: HPCC
(transposition PTRANS, Fourier transform MPIFFT, LU, random accesses) and CP2K (molecular dynamics
of water)."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import mpi_launchers  # noqa: E402

EXAMPLE = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
# Names in the output of HPCC, how the table calls them, and whether more is better.
HPCC = {
    "PTRANS_GBs": ("PTRANS, GB/s", True),
    "MPIFFT_Gflops": ("MPIFFT, Gflop/s", True),
    "HPL_Tflops": ("HPL, Tflop/s", True),
    "MPIRandomAccess_GUPs": ("RandomAccess, GUP/s", True)
}
WATER = """&GLOBAL
  PROJECT water
  RUN_TYPE MD
  PRINT_LEVEL LOW
&END
&MOTION
  &MD
    ENSEMBLE NVE
    STEPS {steps}
    TIMESTEP 0.5
    TEMPERATURE 300
  &END
&END
&FORCE_EVAL
  METHOD Quickstep
  &DFT
    BASIS_SET_FILE_NAME GTH_BASIS_SETS
    POTENTIAL_FILE_NAME GTH_POTENTIALS
    &MGRID
      CUTOFF 150
    &END
    &SCF
      SCF_GUESS ATOMIC
      EPS_SCF 1.0E-5
      MAX_SCF 50
    &END
    &XC
      &XC_FUNCTIONAL PADE
      &END
    &END
  &END
  &SUBSYS
    &CELL
      ABC 6 6 6
    &END
    &COORD
      O  0.000  0.000  0.000
      H  0.757  0.586  0.000
      H -0.757  0.586  0.000
      O  0.000 -2.900  0.000
      H  0.757 -3.486  0.000
      H  0.000 -1.940  0.000
    &END
    &KIND H
      BASIS_SET DZVP-GTH
      POTENTIAL GTH-PADE-q1
    &END
    &KIND O
      BASIS_SET DZVP-GTH
      POTENTIAL GTH-PADE-q6
    &END
  &END
&END
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=lambda word: Path(word).resolve(),
                        default=ROOT / "build/release")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--processes", default="2,4")
    parser.add_argument("--programs", default="hpcc,cp2k")
    parser.add_argument("--n", type=int, default=2000, help="order of HPCC's matrices")
    parser.add_argument("--steps", type=int, default=3, help="steps of CP2K's molecular dynamics")
    parser.add_argument("--json", action="store_true", help="samples as JSON lines, too")
    return parser.parse_args()


def run(options, preloaded, processes, words, folder):
    """Runs a program to its end and returns what it printed."""
    command = [*mpi_launchers.launcher("openmpi", processes),
               *([str(options.build / "bin/tutti"), "mpi"] if preloaded else []), *words]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=1800, check=False,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
                               "OMPI_MCA_btl_base_warn_component_unused": "0"})
    if done.returncode != 0:
        sys.exit(f"bench_mpi_real: {' '.join(command)} has failed:\n{done.stdout[-3000:]}")
    return done.stdout


def grid_of(processes):
    rows = int(processes**0.5)
    while processes % rows != 0:
        rows -= 1
    return rows, processes // rows


def hpcc(options, preloaded, processes):
    """Returns {name: (value, whether more is better)}."""
    rows, columns = grid_of(processes)
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, value in ((5, options.n), (10, rows), (11, columns)):
        lines[number] = re.sub(r"^\S+", str(value), lines[number])
    with tempfile.TemporaryDirectory(prefix="tutti-hpcc-") as folder:
        (Path(folder) / "hpccinf.txt").write_text("".join(lines), encoding="utf-8")
        run(options, preloaded, processes, ["hpcc"], folder)
        output = (Path(folder) / "hpccoutf.txt").read_text(encoding="utf-8")
    found = dict(re.findall(r"^(\w+)=([-+.\w]+)$", output, re.M))
    if found.get("Success") != "1":
        sys.exit(f"bench_mpi_real: HPCC has found errors:\n{output[-3000:]}")
    return {name: (float(found[key]), more) for key, (name, more) in HPCC.items()}


def cp2k(options, preloaded, processes):
    with tempfile.TemporaryDirectory(prefix="tutti-cp2k-") as folder:
        (Path(folder) / "water.inp").write_text(WATER.format(steps=options.steps),
                                                encoding="utf-8")
        output = run(options, preloaded, processes, ["cp2k", "-i", "water.inp"], folder)
    total = re.search(r"^ CP2K +\d+ +\S+ +\S+ +\S+ +\S+ +(\S+)$", output, re.M)
    if total is None:
        sys.exit(f"bench_mpi_real: CP2K has printed no table of times:\n{output[-3000:]}")
    return {"CP2K, s": (float(total[1]), False)}


def table(samples):
    """samples: {(processes, name): ([values of the MPI alone], [values with tutti], more)}"""
    print("| processes | figure | MPI alone | with tutti | time, tutti / MPI | range |")
    print("|---|---|---|---|---|---|")
    for (processes, name), (plain, ours, more) in samples.items():
        ratios = [a / b if more else b / a for a, b in zip(plain, ours)]
        print(f"| {processes} | {name} | {statistics.median(plain):.4g} | "
              f"{statistics.median(ours):.4g} | {statistics.median(ratios):.2f} | "
              f"{min(ratios):.2f} to {max(ratios):.2f} |")


def main():
    options = arguments()
    programs = {"hpcc": (hpcc, EXAMPLE), "cp2k": (cp2k, Path("/usr/bin/cp2k"))}
    chosen = options.programs.split(",")
    for name in chosen:
        if not programs[name][1].exists():
            sys.exit(f"bench_mpi_real: the package {name} is not installed (make deps)")
    samples = {}
    for turn in range(options.turns):
        for processes in map(int, options.processes.split(",")):
            for name in chosen:
                # The order of the two changes with the turn.
                for preloaded in (turn % 2 == 1, turn % 2 == 0):
                    for figure, (value, more) in programs[name][0](options, preloaded,
                                                                   processes).items():
                        kept = samples.setdefault((processes, figure), ([], [], more))
                        kept[preloaded].append(value)
                        if options.json:
                            print(json.dumps({"turn": turn, "processes": processes,
                                              "figure": figure, "preloaded": preloaded,
                                              "value": value}), flush=True)
    table(samples)


main()
