#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares collectives of MPI programs by `tutti mpi` with those of the MPI itself, in turns in one
job, and prints how they stand to the goals of the library.

For each MPI and number of processes it tunes first (`tutti tune --mpi` into a file of its own), and
then runs bench/mpi/programs.c twice. A cell counts as slow if it is so in both runs. There are nine
operations and the irregular forms, with input that stays and with input that is written before each
call. Other lines are the cost over tutti's own call, a loop of barriers, communicators that live
for one collective, and MPI's own one-sided and long messages beside a process that waits.

`make bench-mpi-programs` runs it. It needs a quiet machine and takes some minutes."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bench")]
import mpi_launchers  # noqa: E402
from common import sampling  # noqa: E402

MEDIAN_GOALS = {"openmpi": 0.60, "mpich": 0.35}  # of the cells of two processes
RUNS = 2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--processes", default="2,4")
    parser.add_argument("--bytes", default="8,64,512,4096,32768,262144,2097152")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--block", type=int, default=1000, help="us of a side in a turn (1000)")
    parser.add_argument("--tune", type=float, default=20,
                        help="seconds of tutti tune --mpi; 0: none")
    return parser.parse_args()


def run(flavour, processes, command, profile):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("TUTTI_")}
    if profile:
        environment["TUTTI_PROFILE"] = profile
    done = subprocess.run([*sampling.FIRST, *mpi_launchers.launcher(flavour, processes), *command],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} under {flavour} ended with {done.returncode}:\n"
                 f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def results_of(output):
    """Returns {(what, how, bytes): (us by tutti, us by the MPI)}."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) == 5:
            found[words[0], words[1], int(words[2])] = float(words[3]), float(words[4])
    return found


def is_cell(key):
    return key[1] != "-"


def slow(times, ratio):
    ours, theirs = times
    return ours > ratio * theirs and ours - theirs > 0.02


def print_cells(runs):
    print(f"{'operation':<22}{'input':<10}{'bytes':>9}" +
          "".join(f"{'tutti us':>12}{'MPI us':>12}{'ratio':>7}" for _ in runs))
    for key in runs[0]:
        if not is_cell(key):
            continue
        times = [run[key] for run in runs]
        print(f"{key[0]:<22}{key[1]:<10}{key[2]:>9}" +
              "".join(f"{a:>12.2f}{b:>12.2f}{a / b:>7.2f}" for a, b in times))


def summary(flavour, processes, runs):
    """Returns lines: what, the measured value, the goal."""
    cells = [key for key in runs[0] if is_cell(key)]
    ratios = [runs[i][key][0] / runs[i][key][1] for key in cells for i in range(len(runs))]
    limit = 1.02 if processes == 2 else 1.05
    beyond = [key for key in cells if all(slow(run[key], limit) for run in runs)]
    lines = [("cells", f"{len(cells)}", ""),
             (f"cells above {limit} and 20 ns in all runs",
              f"{len(beyond)} ({', '.join(f'{k[0]} {k[2]} {k[1]}' for k in beyond)})", "0")]
    if processes == 2:
        lines.append(("median ratio", f"{statistics.median(ratios):.2f}",
                      f"{MEDIAN_GOALS[flavour]:.2f}"))
    else:
        lines.append(("median ratio", f"{statistics.median(ratios):.2f}", ""))
    loops = {key[0]: [run[key] for run in runs] for key in runs[0] if not is_cell(key)}
    for what in ("own_barrier", "own_allreduce"):
        more = ", ".join(f"{(a - b) * 1000:.0f}" for a, b in loops[what])
        lines.append((f"ns over tutti's call, {what[4:]}", more, "15" if processes == 2 else ""))
    barrier = [run["barrier", "clean", 0] for run in runs]
    lines.append(("us of a barrier in a loop, tutti and the MPI",
                  "; ".join(f"{a:.2f} {b:.2f}" for a, b in barrier),
                  "20" if (flavour, processes) == ("mpich", 4) else ""))
    for what, goal in (("dup_allreduce_free", "1.1"), ("puts_beside", "1.5"),
                       ("message_beside", "1.5")):
        lines.append((f"ratio, {what}", ", ".join(f"{a / b:.2f}" for a, b in loops[what]), goal))
    return lines


def main():
    options = arguments()
    tutti = options.build / "bin/tutti"
    print(f"Load average before: {os.getloadavg()[0]:.1f}")
    for flavour in options.mpi.split(","):
        program = options.build / f"bench/bench_mpi_programs_{flavour}"
        if not mpi_launchers.installed(flavour) or not program.exists():
            print(f"{flavour}: not installed, or tutti was built without it")
            continue
        for processes in map(int, options.processes.split(",")):
            print(f"\n{flavour}, {processes} processes", flush=True)
            with tempfile.TemporaryDirectory() as folder:
                profile = str(Path(folder) / "host.toml") if options.tune else None
                if options.tune:
                    print(run(flavour, processes, [tutti, "tune", "--mpi", "--seconds",
                                                   str(options.tune), "--output", profile,
                                                   "-n", str(processes)], None), end="")
                runs = [results_of(run(flavour, processes,
                                       [tutti, "mpi", program, str(options.rounds),
                                        str(options.block), options.bytes], profile))
                        for _ in range(RUNS)]
            print_cells(runs)
            for what, value, goal in summary(flavour, processes, runs):
                print(f"{what}: {value}" + (f" (goal {goal})" if goal else ""))


if __name__ == "__main__":
    main()
