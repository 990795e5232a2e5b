#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares BSPlib of tutti with BSPlib over MPI (paper 003's MPIMPASS and MPISHMEM).

`make bench-bsp` runs it, with the measuring program of `tutti probe`. The peers (bench/bsp, target
bsp_peers) exist for the MPIs that are installed. A cell is what one run measures: l, or the gap of
a pattern and an access. The run first compares the data that arrive with the data that were sent.

Libraries take turns in each cell, round after round. The least of all rounds counts for each
sample, so that on a busy machine each library has several undisturbed chances. A run belongs to the
placement of the two processors before and after it (near, mid, far or sibling; mixed if the two
differ). The time of a cache line between the processors tells the placement
(command/driver/line_time.h).

All runs together take at most --seconds. A run may take its share of the time that is left, but
never more than a twentieth of the whole; it always gets five seconds if they are left. A library
that has finished a cell in no round has no figure there and is named. That happens to MPICH: its
waiting processes spin, so on a busy machine a wait for a process that does not run lasts a time
slice. The tables show l, g_inf, h_half and o, and the ratio of the best peer to ours.
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
import mpi_launchers  # noqa: E402
from common import sampling  # noqa: E402

AUTOGROUP = pathlib.Path("/proc/self/autogroup")
LEAST_SECONDS = 5.0  # limit of a run at the least, even if no time is left for later cells
PEERS = ["MPIMPASS", "MPISHMEM"]
CELLS = [("l",)] + [(pattern, access) for pattern in ("random", "all-to-all")
                    for access in ("put", "hpput", "get", "hpget", "send")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("-n", type=int, default=2, help="processes (2)")
    parser.add_argument("--seconds",
                        type=float,
                        default=300,
                        help="time for all runs together (300)")
    parser.add_argument("--rounds",
                        type=int,
                        default=20,
                        help="most rounds (20); later ones only while there is time")
    parser.add_argument("--words",
                        type=int,
                        default=1 << 14,
                        help="most words of a superstep (16384)")
    parser.add_argument("--messages",
                        type=int,
                        default=256,
                        help="most messages of a superstep (256)")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


def peers(build, processes, folder):
    """Returns name -> (launcher, program). The program is copied into the folder, so that every
    process that runs a program of the folder is known to belong to this bench."""
    found = {}
    for mpi in mpi_launchers.LAUNCHERS:
        for name in PEERS:
            program = f"{build}/bench/bsp_probe_{name.lower()}_{mpi}"
            if os.path.exists(program) and mpi_launchers.installed(mpi):
                found[f"{name} {mpi}"] = (mpi_launchers.launcher(mpi, processes),
                                          shutil.copy(program, folder))
            else:
                say(f"{name} on {mpi} is not there: it needs that MPI, and the target bsp_peers")
    return found


def end_left_over(folder):
    """Kills the processes that run a program of the folder. MPICH's processes leave the session of
    their launcher, so they may outlive it."""
    for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
        try:
            if os.readlink(link).startswith(f"{folder}/"):
                os.kill(int(link.parent.name), signal.SIGKILL)
        except OSError:
            continue  # it belongs to another user, or has ended


def inherit_autogroup():
    """Returns a function that gives a new session the nice value of this process's session, or None
    if that value is 0 (docs/measurements/bsp-bench.md says why on a busy machine)."""
    try:
        nice = AUTOGROUP.read_text(encoding="ascii").split()[-1] if AUTOGROUP.exists() else "0"
    except OSError:
        nice = "0"
    if nice == "0":
        return None
    return lambda: AUTOGROUP.write_text(nice, encoding="ascii")


def run_for(command, seconds):
    """Runs a command for some seconds at most. Returns (output lines, None), or (None, reason)."""
    with subprocess.Popen(command,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL,
                          text=True,
                          start_new_session=True,
                          preexec_fn=inherit_autogroup()) as process:
        try:
            output, errors = process.communicate(timeout=max(0.1, seconds))
        except subprocess.TimeoutExpired:
            # The launcher gets a chance to end processes that have left its process group.
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.communicate(timeout=1)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            return None, f"not done after {seconds:.1f} s"
    if process.returncode != 0:
        last = (errors.strip().splitlines() or ["no message"])[0]
        return None, f"exit code {process.returncode}: {last}"
    return output.splitlines(), None


class Bench:
    """Collects the lines of the measuring program per library, and derives the figures."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.tutti = f"{options.build}/bin/tutti"
        self.libraries = {
            "tutti": ([self.tutti, "run", "-n",
                       str(options.n)], f"{options.build}/bin/tutti-bsp-probe"),
            **peers(options.build, options.n, folder)
        }
        self.deadline = time.monotonic() + options.seconds
        # Placement -> library -> line without its last field -> that field, the least of all
        # rounds.
        self.samples = {}
        self.done = set()  # (library, cell)
        self.missing = {}  # (library, cell) -> why
        self.figures = {}  # placement -> library -> what -> value

    def left(self):
        return self.deadline - time.monotonic()

    def line_time(self):
        """Returns the microseconds that a cache line takes from one processor to the other."""
        found = subprocess.run([f"{self.options.build}/bench/line_time"],
                               capture_output=True,
                               text=True,
                               check=True)
        return float(found.stdout)

    def run(self, name, cell, number, seconds):
        launcher, program = self.libraries[name]
        settings = [self.options.words, self.options.messages, 2, 1000, 0, *cell]
        before = self.line_time()
        lines, why = run_for([*launcher, program, *map(str, settings)], seconds)
        if lines is None:
            end_left_over(self.folder)
            if (name, cell) not in self.done:
                self.missing[name, cell] = why
            say(f"{name} has no figure from round {number + 1} of {' '.join(cell)}: {why}")
            return
        self.done.add((name, cell))
        self.missing.pop((name, cell), None)
        mine = self.samples.setdefault(sampling.placement(before, self.line_time()),
                                       {}).setdefault(name, {})
        for line in lines[1:]:
            what, value = line.rsplit(",", 1)
            mine[what] = min(mine.get(what, value), value, key=float)

    def turn(self, cell, number, cells_after):
        """Runs each library once. A library that has not finished the cell before is tried again
        in every third round only."""
        names = [
            name for name in self.libraries if number % 3 == 0 or (name, cell) not in self.missing
        ]
        for place, name in enumerate(names):
            if number == 0 and self.left() < 1:
                self.missing[name, cell] = "no time was left"
                continue
            runs = len(names) - place + cells_after * len(self.libraries)
            share = min(self.left() / runs, self.options.seconds / 20)
            self.run(name, cell, number, min(self.left(), max(LEAST_SECONDS, share)))

    def measure(self):
        """Runs all cells once, and then repeats those cells whose last turn would still fit into
        the time that is left."""
        took = {}
        for number in range(self.options.rounds):
            for place, cell in enumerate(CELLS):
                if number > 0 and took[cell] > self.left():
                    continue
                start = time.monotonic()
                self.turn(cell, number, len(CELLS) - place - 1)
                took[cell] = time.monotonic() - start
                say(f"round {number + 1}, {' '.join(cell)}: {took[cell]:.1f} s, "
                    f"{max(0, self.left()):.0f} s left"
                    )
        for where, found in self.samples.items():
            for name, samples in found.items():
                self.read(where, name, [
                    f"p,{self.options.n}", *(f"{what},{value}" for what, value in samples.items())
                ])

    def read(self, where, name, lines):
        """Stores figures of a library, from its samples, in figures[where][name][what]."""
        mine = self.figures.setdefault(where, {}).setdefault(name, {})
        for line in lines:
            if line.startswith("l,"):
                mine["l us", line.split(",")[1]] = float(line.split(",")[2]) * 1e6
        raw = pathlib.Path(self.folder, "raw.csv")
        raw.write_text("\n".join(lines) + "\n", encoding="utf-8")
        if not any(line.startswith("g,") for line in lines):
            return
        table = subprocess.run(
            [self.tutti, "probe", "--from", str(raw), "--csv"],
            capture_output=True,
            text=True,
            check=True)
        for row in csv.DictReader(table.stdout.splitlines()):
            for key, label, scale in (("g_inf", "g ns/word", 1e9), ("h_half", "h_half", 1),
                                      ("o", "o", 1)):
                mine[label, f"{row['access']} {row['pattern']}"] = float(row[key]) * scale
        # The price of a message is the slope of the regression over supersteps with messages of one
        # word (8 bytes).
        data = json.loads(
            subprocess.run(
                [self.tutti, "probe", "--from", str(raw), "--json"],
                capture_output=True,
                text=True,
                check=True).stdout)
        for entry in data["g"]:
            slope = entry["regression_g"]
            if slope is not None:  # there is none where the samples scatter too much
                mine["message ns", f"{entry['access']} {entry['pattern']}"] = slope * 1e9

    def rows(self, where):
        figures = self.figures[where]
        order = dict.fromkeys(what for found in figures.values() for what in found)
        for what in order:
            values = {name: found[what] for name, found in figures.items() if what in found}
            others = [value for name, value in values.items() if name != "tutti"]
            yield what, values, min(others) / values["tutti"] if others and values.get(
                "tutti", 0) > 0 else None


def print_table(options, where, names, rows):
    print(
        f"\n{where}: {options.n} processes, of each sample the least of at most {options.rounds} "
        "rounds; load average "
        f"{os.getloadavg()[0]:.1f}")
    print(f"{'':<12}{'':<20}" + "".join(f"{name:>18}" for name in names) +
          f"{'best peer/ours':>16}")
    for (label, case), values, ratio in rows:
        print(f"{label:<12}{case:<20}" +
              "".join(f"{values[name]:>18.3f}" if name in values else f"{'-':>18}"
                      for name in names) +
              (f"{ratio:>16.2f}" if ratio and label not in ("h_half", "o") else ""))


def print_missing(missing):
    for cell, why in dict.fromkeys((one["cell"], one["why"]) for one in missing):
        names = [one["library"] for one in missing if (one["cell"], one["why"]) == (cell, why)]
        print(f"- {cell}, {', '.join(names)}: {why}")


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        bench.measure()
        tables = {where: list(bench.rows(where)) for where in sorted(bench.figures)}
    missing = [{"library": name, "cell": " ".join(cell), "why": why}
               for (name, cell), why in bench.missing.items()]
    if options.json:
        print(
            json.dumps(
                {
                    "rows": [{
                        "placement": where, "what": what[0], "case": what[1], "values": values,
                        "best_peer_over_tutti": ratio
                    }
                             for where, rows in tables.items()
                             for what, values, ratio in rows], "missing": missing
                },
                indent=1))
        return
    for where, rows in tables.items():
        print_table(options, where, list(bench.libraries), rows)
    print_missing(missing)


main()
