#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures each way of a long message of tutti, and the bare ways beside them.

`make bench-ways` runs it. The message is a broadcast of two processes. The driver of bench_coll.py
takes the samples, rows of the tuning table switch the other ways off, and samples that went another
way all the same are left out. The result is a table, with --svg a figure of time over size, and
with --doc both in a page. Samples are appended to a file; --report uses those of such files.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "collectives"))
import bench_coll  # noqa: E402
import cells  # noqa: E402
import report  # noqa: E402
import ways  # noqa: E402

MARK = "<!-- bench_ways: written by --doc from here on -->\n"
SIZES = ",".join(str(1 << power) for power in range(16, 25))  # 64 KiB to 16 MiB
RANKS = 2
PLAN = "mst"  # one message, whatever the tables of this machine say


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=bench_coll.ROOT / "build/release")
    parser.add_argument("--seconds", type=float, default=180,
                        help="stop starting runs after this time (180)")
    parser.add_argument("--turn", type=float, default=3, help="seconds of one run (3)")
    parser.add_argument("--bytes", default=SIZES, help="sizes, with commas (64 KiB to 16 MiB)")
    parser.add_argument("--samples", type=pathlib.Path,
                        help="file to append samples to (BUILD/bench/ways-samples.jsonl)")
    parser.add_argument("--report", metavar="FILE", nargs="+", type=pathlib.Path,
                        help="no runs: the samples in these files")
    parser.add_argument("--svg", metavar="FILE", type=pathlib.Path, help="write the figure to FILE")
    parser.add_argument("--doc", metavar="FILE", type=pathlib.Path,
                        help="put the table into FILE, below its mark, and the figure beside it")
    return parser.parse_args()


def jobs_of(build):
    """Returns {library: (command, words for the driver about memory, plan)}."""
    worker = [str(build / "bin" / "tutti"), "run", "-n", str(RANKS),
              str(build / "bin" / "tutti-measure"), "bench-worker"]
    jobs = {name: (["env", f"TUTTI_TUNING={way.rows}", *worker], way.memory, f"/{PLAN}")
            for name, way in ways.WAYS.items()}
    for library in (one for libraries in ways.BARE.values() for one in libraries):
        words = [str(build / "bench" / "bench_bare"), library[len(cells.BARE):]]
        jobs[library] = (words, ["shared"] if cells.shares_buffers(library) else [], "")
    return jobs


def measure(options):
    jobs = list(jobs_of(options.build).items())
    options.samples = options.samples or options.build / "bench" / "ways-samples.jsonl"
    deadline = time.monotonic() + options.seconds
    with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
        bench = bench_coll.Bench(options, lines)
        turn = 0
        while turn == 0 or time.monotonic() < deadline:
            first = turn % len(jobs)
            for name, (command, memory, plan) in jobs[first:] + jobs[:first]:
                wanted = ",".join(f"bcast:{size}{plan}" for size in options.bytes.split(","))
                bench.run(name, command, RANKS, wanted, memory)
            turn += 1
    return bench.written, bench.all_ended


def drawn(build, picture):
    return subprocess.run([build / "bench" / "bench_curves"], input=json.dumps(picture), text=True,
                          capture_output=True, check=True).stdout


def write_page(page, figure, text):
    head, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    if not mark:
        sys.exit(f"bench_ways: {page} has no line that says where the table begins")
    page.write_text(f"{head}{mark}![Time over size of each way]({figure.name})\n\n{text}",
                    encoding="utf-8")


def main():
    options = arguments()
    if not options.report and (os.cpu_count() or 1) < RANKS:
        sys.exit("bench_ways: two processors are needed")
    lines, all_ended = ((bench_coll.lines_of(options.report), True) if options.report else
                        measure(options))
    records = cells.read(lines)
    samples = [ways.plain(one) for one in records.samples]
    if len({cells.machine_of(one) for one in samples}) > 1:
        sys.exit("bench_ways: the samples are of several machines")
    place = ways.usual_place(samples)
    if place is None:
        sys.exit("bench_ways: the processes moved in all samples; measure for longer")
    text = "\n".join([*report.machine_lines(report.origin(records)), "", f"Placement: {place}.", "",
                      *ways.table(samples, place)]) + "\n"
    figure = options.svg or (options.doc and options.doc.with_suffix(".svg"))
    if figure:
        figure.write_text(drawn(options.build, ways.picture(samples, place)), encoding="utf-8")
    if options.doc:
        write_page(options.doc, figure, text)
    print(text, end="")
    return 0 if all_ended else 1


if __name__ == "__main__":
    sys.exit(main())
