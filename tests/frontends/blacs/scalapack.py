#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scalapack.py TUTTI [--reference] [--mpi mpich] [--launcher mpi] [--hosts 0,0,1,1] [--own-blacs]
[--asan LIBASAN] [--only name,name]: runs Debian's ScaLAPACK test programs under `tutti run` with
our BLACS preloaded. Their counts are compared with those of docs/measurements/blacs-baseline.md.
With --reference they also run under Open MPI with their own BLACS, and the counts must be equal.
With --mpi mpich it takes the programs that were linked with MPICH's ScaLAPACK; no MPI runs with
either. With --launcher mpi that MPI starts them instead, with our library for it and --hosts
pretended. With --own-blacs that MPI starts them with its own BLACS, and tutti serves the
collectives (`tutti mpi`). With --asan it preloads the runtime of the address sanitizer beside our
library, which was built with it. The exit code is 77 (skipped) if the programs are missing."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

PROGRAMS = Path("/usr/lib/x86_64-linux-gnu/scalapack")
INPUTS = Path("/usr/share/scalapack")
# Program -> (tests passed, tests skipped for illegal input).
KNOWN = {
    "xdlu": (240, 0),
    "xslu": (240, 0),
    "xclu": (240, 0),
    "xzlu": (240, 0),
    "xdllt": (432, 0),
    "xdqr": (352, 32),
    "xdls": (1152, 0),
    "xdinv": (320, 0),
    "PBLAS/dpb1tst": (128, 0),
    "PBLAS/dpb2tst": (112, 0),
    "PBLAS/dpb3tst": (128, 0),
    "PBLAS/zpb3tst": (176, 0),
}
PROCESSES = 4
SKIPPED = 77


def prepare(folder):
    """Copies the input files and switches off the estimation of condition numbers, because its test
    reads a value that it has never set."""
    for source in list(INPUTS.glob("*.dat")) + list((INPUTS / "PBLAS").glob("*.dat")):
        text = source.read_text()
        if source.name in ("LU.dat", "LLT.dat"):
            text, count = re.subn(r"(?m)^T(\s+\(T or F\) Test Cond)", r"F\1", text)
            assert count == 1, source
        (folder / source.name).write_text(text)


def counts(output):
    """Returns (passed, failed, skipped) from a program's summary, or None if it printed none."""
    linear = [re.search(rf"(\d+) tests {what}", output)
              for what in ("completed and passed", "completed and failed", "skipped")]
    if all(linear):
        return tuple(int(m.group(1)) for m in linear)
    table = re.findall(r"^\s*\|\s+P\w+\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$", output, re.M)
    if not table or "End of Tests" not in output:
        return None
    return tuple(sum(int(row[i]) for row in table) for i in (1, 2, 3))


def run(command, folder, program, environment):
    with tempfile.TemporaryDirectory(prefix="tutti-scalapack-") as name:
        prepare(Path(name))
        start = time.monotonic()
        done = subprocess.run(command + [str(folder / program)],
                              cwd=name,
                              env=dict(os.environ, **environment),
                              stdin=subprocess.DEVNULL,
                              capture_output=True,
                              text=True,
                              timeout=600,
                              check=False)
        return done, counts(done.stdout), time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tutti")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), default="openmpi")
    parser.add_argument("--launcher", choices=("tutti", "mpi"), default="tutti")
    parser.add_argument("--hosts", default="")
    parser.add_argument("--own-blacs", action="store_true")
    parser.add_argument("--asan", default="")
    parser.add_argument("--only", default=",".join(KNOWN))
    options = parser.parse_args()
    programs = PROGRAMS / f"{options.mpi}-tests"
    if not (programs / "xdlu").exists():
        print(
            "skipped: the packages scalapack-mpi-test and scalapack-test-common are not installed")
        return SKIPPED
    tutti = str(Path(options.tutti).resolve())
    ours = [tutti, "run", "-n", str(PROCESSES), "--timeout", "540", "--preload", "blacs"]
    theirs = mpi_launchers.launcher("openmpi", PROCESSES)
    environment = {"OPENBLAS_NUM_THREADS": "1"}
    if options.launcher == "mpi":
        ours = mpi_launchers.launcher(options.mpi, PROCESSES,
                                      {"TUTTI_HOSTS": options.hosts}) + [tutti, "preload", "blacs"]
    if options.own_blacs:
        ours = mpi_launchers.launcher(options.mpi, PROCESSES) + [tutti, "mpi"]
    if options.asan:
        environment |= {
            "LD_PRELOAD": options.asan, "ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0"
        }
    compare = options.reference and options.mpi == "openmpi" and mpi_launchers.installed("openmpi")
    failures = 0
    for program in options.only.split(","):
        done, found, seconds = run(ours, programs, program, environment)
        good = done.returncode == 0 and found == (KNOWN[program][0], 0, KNOWN[program][1])
        line = f"{program}: passed, failed, skipped = {found}, {seconds:.1f} s"
        if compare:
            _, reference, reference_seconds = run(theirs, programs, program,
                                                  {"OPENBLAS_NUM_THREADS": "1"})
            good = good and found == reference
            line += f"; reference under Open MPI {reference}, {reference_seconds:.1f} s"
        print(line
              if good else f"FAILED {line}\nexit code {done.returncode}, known {KNOWN[program]}\n"
              f"{done.stdout[-1500:]}{done.stderr[-3000:]}")
        failures += not good
    print(f"{failures} programs failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
