#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares all collectives of tutti with those of every MPI that is installed.

`make bench-coll` runs it. The MPIs are Debian's Open MPI and MPICH, and those that `make peers`
installs, with gloo. One driver serves all; short runs take turns; tables show times and ratios.
Samples are appended to a file, so they may be collected over days and on several machines; --report
prints the tables of such a file.
"""
import argparse
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "collectives"))
import cells  # noqa: E402
import report  # noqa: E402
from common import fingerprint  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import mpi_launchers  # noqa: E402

MARK = "<!-- bench_coll: written by --doc from here on -->\n"
SIZES = "8,512,4096,32768,262144,2097152,16777216"
# A waiting process of these MPIs spins and does not give its processor away. With more processes
# than processors, a call takes milliseconds, so that case is not measured.
SPINNING = ("mpich", "mpich5")
BARE_METHODS = ("small", "large", "stream", "direct", "in-place")  # of bare.c


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--seconds",
                        type=float,
                        default=600,
                        help="stop starting runs after this time (600)")
    parser.add_argument("--turn", type=float, default=6, help="seconds of one run (6)")
    parser.add_argument("-n",
                        "--ranks",
                        default="2,4,8",
                        help="numbers of processes, with commas (2,4,8)")
    parser.add_argument("--op",
                        default=",".join(cells.OPERATIONS),
                        help="operations, with commas (all)")
    parser.add_argument("--bytes", default=SIZES, help=f"sizes, with commas ({SIZES})")
    parser.add_argument("--only", help="libraries, with commas (all there are)")
    parser.add_argument("--samples",
                        type=pathlib.Path,
                        help="file to append samples to (BUILD/bench/coll-samples.jsonl)")
    parser.add_argument("--report",
                        metavar="FILE",
                        nargs="+",
                        type=pathlib.Path,
                        help="no runs: tables of the samples in these files")
    parser.add_argument("--json", action="store_true", help="results as JSON instead of tables")
    parser.add_argument("--doc",
                        metavar="FILE",
                        type=pathlib.Path,
                        help="also put the tables into FILE, below its mark")
    return parser.parse_args()


def libraries_of(build):
    """Returns {library: function that gives the command for a number of ranks}. A command ends
    before the arguments of the driver."""
    tutti, bare = str(build / "bin" / "tutti"), str(build / "bench" / "bench_bare")
    worker = [str(build / "bin" / "tutti-measure"), "bench-worker"]
    found = {name: lambda ranks: [tutti, "run", "-n", str(ranks), *worker]
             for name in (cells.OURS, cells.IN_PLACE)}
    for name, (launcher, driver) in peers_of(build).items():
        found[name] = lambda ranks, words=launcher, program=str(
            driver): [*words, "-n", str(ranks), program]
    for method in BARE_METHODS:
        found[cells.BARE + method] = lambda ranks, words=[bare, method]: words
    return found


def serves(library, ranks):
    if library.startswith(cells.BARE):
        return ranks == 2 and (os.cpu_count() or 1) >= 2
    return ranks <= (os.cpu_count() or 1) or library not in SPINNING


def peers_of(build):
    """Returns {library: (launcher, driver)} of the MPIs that are installed."""
    found = {}
    for name, launcher in mpi_launchers.LAUNCHERS.items():
        driver = build / "bin" / f"mpi_driver_{name}"
        if mpi_launchers.installed(name) and os.access(driver, os.X_OK):
            found[name] = (launcher, driver)
    peers = ROOT / "build" / "peers" / "peers.json"
    if peers.exists():
        for name, entry in json.loads(peers.read_text()).items():
            found[name] = (entry["launcher"], pathlib.Path(entry["driver"]))
    return found


def cells_text(options, ranks, library):
    """Returns the operations and sizes for a run, as the driver reads them. Two of the largest
    buffers must fit easily into memory. So operations with a part for each rank stop at smaller
    sizes than those on vectors."""
    operations = options.op.split(",")
    if library.startswith(cells.BARE):  # broadcasts stand for operations that combine
        operations = [
            op for op in cells.OPERATIONS
            if op == "bcast" or (op in operations and op not in cells.MESSAGES)
        ]
    wanted = []
    for op in operations:
        for size in map(int, options.bytes.split(",")):
            if op == "barrier":
                continue
            parts = ranks if op in ("gather", "scatter", "allgather", "reduce_scatter",
                                    "alltoall") else 1
            if size * parts <= 64 << 20:
                wanted.append(f"{op}:{size}")
    return ",".join((["barrier:0"] if "barrier" in operations else []) + wanted)


def end(job):
    """Ends all processes of a job, and lets them remove their files if they do so soon."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            job.communicate(timeout=10)
            return


def run_to_end(words, seconds):
    """Runs a job. Returns its exit code, its output and its errors, or None if it does not end in
    this time."""
    with subprocess.Popen(words,
                          stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE,
                          text=True,
                          start_new_session=True) as job:
        try:
            output, errors = job.communicate(timeout=seconds)
            return job.returncode, output, errors
        except subprocess.TimeoutExpired:
            end(job)
            return None


class Bench:
    def __init__(self, options, lines):
        self.options, self.lines = options, lines
        self.path = options.samples or options.build / "bench" / "coll-samples.jsonl"
        self.written = []
        self.all_ended = True
        self.started = int(time.time())
        here = fingerprint.take()
        self.machine = fingerprint.key_of(here)
        self.write([{"machine": self.machine, "fingerprint": here}])

    def run(self, library, command, ranks, wanted, memory=()):
        """`memory` are words for the driver that say where buffers lie."""
        self.lines.truncate(0)
        self.lines.truncate(8192)
        words = command + [library, self.lines.name, f"{self.options.turn:g}", "2000", wanted]
        words += memory
        load = os.getloadavg()[0]
        done = run_to_end(words, 60 * self.options.turn)
        if done is None:
            print(f"bench_coll: {library} with {ranks} processes does not end", file=sys.stderr)
            self.all_ended = False
            return
        code, output, errors = done
        if code != 0:
            sys.exit(f"bench_coll: {library} with {ranks} processes: exit code {code}\n"
                     f"{errors[-2000:]}")
        lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        if not all(line.get("verified", True) for line in lines):
            sys.exit(f"bench_coll: {library} with {ranks} processes: a wrong result")
        self.keep([line for line in lines if "us" in line or "refused" in line], ranks, load)

    def keep(self, found, ranks, load):
        for one in found:
            one.update(ranks=ranks,
                       processors=os.cpu_count(),
                       when=int(time.time()),
                       load=round(load, 1),
                       machine=self.machine,
                       run=self.started)
        self.write(found)

    def write(self, found):
        lines = [json.dumps(one) for one in found]
        self.written += lines
        with open(self.path, "a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)


def chosen(libraries, only):
    """Returns the libraries of this list with commas, or all if there is no list."""
    if only is None:
        return libraries
    names = only.split(",")
    unknown = [name for name in names if name not in libraries]
    if unknown:
        sys.exit(f"bench_coll: {', '.join(unknown)} cannot be measured here; there are "
                 f"{', '.join(libraries)}")
    return {name: libraries[name] for name in names}


def measure(options):
    libraries = chosen(libraries_of(options.build), options.only)
    names = list(libraries)
    print(f"bench_coll: {', '.join(names)}", file=sys.stderr)
    deadline = time.monotonic() + options.seconds
    with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
        bench = Bench(options, lines)
        turn = 0
        while turn == 0 or time.monotonic() < deadline:
            for ranks in map(int, options.ranks.split(",")):
                for name in names[turn % len(names):] + names[:turn % len(names)]:
                    if turn > 0 and time.monotonic() > deadline:
                        break
                    if serves(name, ranks):
                        bench.run(name, libraries[name](ranks), ranks,
                                  cells_text(options, ranks, name),
                                  ["shared"] if cells.shares_buffers(name) else [])
            turn += 1
    return bench.written, bench.all_ended


def lines_of(paths):
    return [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def main():
    options = arguments()
    lines, all_ended = (lines_of(options.report), True) if options.report else measure(options)
    records = cells.read(lines)
    text = report.markdown(records) + "\n"
    if options.doc:
        head, mark, _ = options.doc.read_text().partition(MARK)
        if not mark:
            sys.exit(f"bench_coll: {options.doc} has no line that says where the tables begin")
        options.doc.write_text(head + mark + text)
    print(json.dumps(report.as_json(records), indent=1) if options.json else text)
    return 0 if all_ended else 1


if __name__ == "__main__":
    sys.exit(main())
