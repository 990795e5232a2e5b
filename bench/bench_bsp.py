#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""BSPlib of tutti against BSPlib over MPI (paper 003's MPIMPASS and MPISHMEM), by the measuring program of `tutti probe`.

The peers (bench/bsp) are compiled here with the MPIs that are installed. Runs of all libraries take turns; a figure is the
least of its rounds, as the probe's samples are. Prints l, g_inf, h_half and o, and the best peer over ours.
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROBE = [str(ROOT / "tools/probe" / name) for name in ("main.c", "measure_f.c", "measure_g.c")]
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n"], "mpich": ["mpiexec.mpich", "-n"]}
PEERS = {"MPIMPASS": [], "MPISHMEM": ["-DBENCH_BSP_WINDOWS=1"]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("-n", type=int, default=2, help="processes (2)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--words", type=int, default=1 << 14, help="most words of a superstep (16384)")
    parser.add_argument("--messages", type=int, default=256, help="most messages of a superstep (256)")
    parser.add_argument("--timeout", type=float, default=120, help="of one run; a library that takes longer is left out")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def peers(folder):
    """name -> command up to the number of processes."""
    found = {}
    for mpi, launcher in LAUNCHERS.items():
        compiler = shutil.which(f"mpicc.{mpi}")
        if not compiler or not shutil.which(launcher[0]):
            print(f"{mpi} is not installed", file=sys.stderr)
            continue
        for name, flags in PEERS.items():
            program = f"{folder}/{name}_{mpi}"
            subprocess.run([compiler, "-O3", f"-I{ROOT}/bench/bsp", f"-I{ROOT}/tools/probe", *flags, *PROBE,
                            f"{ROOT}/bench/bsp/over_mpi.c", "-o", program], check=True)
            found[f"{name} {mpi}"] = (launcher, program)
    return found


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.tutti = f"{options.build}/tools/tutti"
        self.libraries = {"tutti": ([self.tutti, "run", "-n"], f"{options.build}/tools/tutti-bsp-probe"), **peers(folder)}
        self.figures = {}

    def run(self, name):
        """One round of a library into figures[name][what] = list."""
        launcher, program = self.libraries[name]
        settings = [str(value) for value in (self.options.words, self.options.messages, 3, 50, 0)]
        raw = pathlib.Path(self.folder, "raw.csv")
        try:
            with open(raw, "w", encoding="utf-8") as output:
                subprocess.run([*launcher, str(self.options.n), program, *settings], stdout=output, check=True,
                               timeout=self.options.timeout, stdin=subprocess.DEVNULL)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            self.libraries.pop(name)
            return
        mine = self.figures.setdefault(name, {})
        for line in raw.read_text(encoding="utf-8").splitlines():
            if line.startswith("l,"):
                mine.setdefault(("l us", line.split(",")[1]), []).append(float(line.split(",")[2]) * 1e6)
        table = subprocess.run([self.tutti, "probe", "--from", str(raw), "--csv"], capture_output=True, text=True, check=True)
        for row in csv.DictReader(table.stdout.splitlines()):
            for key, label, scale in (("g_inf", "g ns/word", 1e9), ("h_half", "h_half", 1), ("o", "o", 1)):
                mine.setdefault((label, f"{row['access']} {row['pattern']}"), []).append(float(row[key]) * scale)
        # The price of one message: the slope over the supersteps of the smallest ones, per word of 8 bytes.
        data = json.loads(subprocess.run([self.tutti, "probe", "--from", str(raw), "--json"], capture_output=True, text=True,
                                         check=True).stdout)
        for entry in data["g"]:
            what = ("message ns", f"{entry['access']} {entry['pattern']}")
            mine.setdefault(what, []).append(entry["regression_g"] * 1e9)

    def rows(self):
        for what in self.figures["tutti"]:
            choose = statistics.median if what[0] in ("h_half", "o") else min
            values = {name: choose(found[what]) for name, found in self.figures.items() if what in found}
            others = [value for name, value in values.items() if name != "tutti"]
            yield what, values, min(others) / values["tutti"] if others and values["tutti"] > 0 else None


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for _ in range(options.rounds):
            for name in list(bench.libraries):
                bench.run(name)
        rows = list(bench.rows())
    if options.json:
        print(json.dumps([{"what": what[0], "case": what[1], "values": values, "best_peer_over_tutti": ratio}
                          for what, values, ratio in rows], indent=1))
        return
    names = list(bench.figures)
    print(f"{options.n} processes, least of {options.rounds} rounds (h_half and o: median)\n")
    print(f"{'':<12}{'':<20}" + "".join(f"{name:>18}" for name in names) + f"{'best peer/ours':>16}")
    for (label, case), values, ratio in rows:
        print(f"{label:<12}{case:<20}" + "".join(f"{values[name]:>18.3f}" if name in values else f"{'-':>18}" for name in names)
              + (f"{ratio:>16.2f}" if ratio and label not in ("h_half", "o") else ""))


main()
