#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""testers.py FLAVOUR TUTTI [--reference] [--processes N] [--seeds FIRST LAST] [--program PROGRAM
[ARGUMENT...]]: runs Debian's testers of the BLACS, xCbtest and xFbtest, under their MPI with our
BLACS preloaded, on one host and on two pretended ones. Every line with counts must say 0 failed.
With --reference, the tester with its own BLACS must print the same lines. --program runs a program
of ours instead, on N processes, which must print "0 wrong". With --seeds it runs once for each of
these seeds, which stands for the word SEED among its arguments. The number of processes, the
pretended hosts and the function that starts MPI, for the word START, then follow from the seed. The
exit code is 77 (skipped) if the testers or the launcher are missing."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
TESTERS = Path("/usr/lib/x86_64-linux-gnu/scalapack")
INPUTS = Path("/usr/share/scalapack/BLACS")
HOSTS = ("", "0,0,1,1")  # of four processes
STARTS = ("c", "thread", "fortran", "f08")


def under_mpi(flavour, words, variables, processes=4):
    return mpi_launchers.launcher(flavour, processes, variables) + [str(word) for word in words]


def run(command, folder):
    start = time.monotonic()
    done = subprocess.run(command,
                          cwd=folder,
                          stdin=subprocess.DEVNULL,
                          capture_output=True,
                          text=True,
                          timeout=900,
                          env=dict(os.environ, OPENBLAS_NUM_THREADS="1"),
                          check=False)
    return done, time.monotonic() - start


def counts(output):
    """Returns (name, tests, passed, skipped, failed) of each line with counts."""
    return re.findall(
        r"^ *(.*?TESTS?): *(\d+) TESTS?; *(\d+) PASSED, *(\d+) SKIPPED, *(\d+) FAILED", output,
        re.M)


def is_good(output, found):
    return (len(found) >= 20 and all(line[4] == "0" for line in found) and
            "DONE BLACS_GRIDEXIT" in output and not re.search(r"^ *FAILED", output, re.M))


def testers(options, folder):
    failures = 0
    for tester in ("xCbtest", "xFbtest"):
        program = TESTERS / f"{options.flavour}-tests/BLACS" / tester
        reference = None
        if options.reference:
            done, seconds = run(under_mpi(options.flavour, [program], {}), folder)
            reference = counts(done.stdout)
            print(f"{tester} with its own BLACS: {len(reference)} groups of tests, {seconds:.1f} s")
        for hosts in HOSTS:
            ours = [options.tutti, "preload", "blacs", program]
            done, seconds = run(under_mpi(options.flavour, ours, {"TUTTI_HOSTS": hosts}), folder)
            found = counts(done.stdout)
            ours = "tutti: aborted" in done.stderr  # the last test calls BLACS_ABORT
            good = is_good(done.stdout, found) and ours and (reference is None or
                                                             reference == found)
            failures += not good
            passed = sum(int(line[2]) for line in found)
            print(
                f"{'' if good else 'FAILED '}{tester}, hosts '{hosts}': {passed} passed, "
                f"{seconds:.1f} s"
                + ("" if good else f"\n{done.stdout[-3000:]}{done.stderr[-2000:]}"))
    return failures


def own_program(options, folder):
    failures = 0
    for hosts in HOSTS if options.processes == 4 else HOSTS[:1]:
        command = under_mpi(options.flavour, options.program, {"TUTTI_HOSTS": hosts},
                            options.processes)
        done, seconds = run(command, folder)
        good = done.returncode == 0 and "0 wrong" in done.stdout
        failures += not good
        print(f"{'' if good else 'FAILED '}hosts '{hosts}': {seconds:.1f} s" +
              ("" if good else done.stdout + done.stderr))
    return failures


def for_each_seed(options, folder):
    failures = 0
    begun = time.monotonic()
    for seed in range(options.seeds[0], options.seeds[1] + 1):
        processes = 2 + seed % 5
        hosts = ",".join(str(rank % 2) for rank in range(processes)) if seed % 3 == 0 else ""
        values = {"SEED": str(seed), "START": STARTS[seed % len(STARTS)]}
        words = [values.get(word, word) for word in options.program]
        command = under_mpi(options.flavour, words, {"TUTTI_HOSTS": hosts}, processes)
        done, _ = run(command, folder)
        if done.returncode != 0 or "0 wrong" not in done.stdout:
            failures += 1
            print(f"FAILED exit code {done.returncode}: {' '.join(command)}\n{done.stdout}"
                  f"{done.stderr}")
    print(f"seeds {options.seeds[0]} to {options.seeds[1]}, {time.monotonic() - begun:.1f} s")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("flavour", choices=mpi_launchers.LAUNCHERS)
    parser.add_argument("tutti")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--seeds", type=int, nargs=2)
    parser.add_argument("--program", nargs="+")
    options = parser.parse_args()
    options.tutti = str(Path(options.tutti).resolve())
    if not mpi_launchers.installed(options.flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[options.flavour][0]} is not installed")
        return SKIPPED
    if not options.program and not (TESTERS / f"{options.flavour}-tests/BLACS/xCbtest").exists():
        print(
            "skipped: the packages scalapack-mpi-test and scalapack-test-common are not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="tutti-testers-") as name:
        for source in INPUTS.glob("*.dat"):
            shutil.copy(source, name)
        kind = for_each_seed if options.seeds else own_program if options.program else testers
        failures = kind(options, name)
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
