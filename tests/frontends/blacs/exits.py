#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""exits.py FLAVOUR [--only WAY,...] BLACS_EXITS [PLAIN_BLACS_EXITS]: programs in which the BLACS
have initialised MPI end without blacs_exit. The launcher of the MPI must see processes that end
well, and their exit codes, unless one of them has failed, which must be named, and no process may
wait for ever. The second program has the BLACS for no MPI in particular. With --only some of the
ways to end are tried, and of one program. The exit code is 77 (skipped) if the launcher is
missing."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
FAILED = None
# Way to end -> the exit code of the launcher (FAILED: not 0), and what tutti says.
WAYS = {
    "return": (0, ""),
    "handler": (0, ""),
    "some_leave": (0, ""),
    "late": (0, ""),
    "code": (3, ""),
    "codes": (3, ""),
    "awaited": (FAILED, r"rank 1 \(process \d+\) exited with code 3; it was computing"),
    "alone": (FAILED, r"rank 1 \(process \d+\) exited with code 3; it was computing"),
    "left": (FAILED, r"dgerv2d: .*rank 1 \(process \d+\) has left the job.*; process \{0,2\}"),
    "circle": (FAILED, r"all processes wait for messages that nobody will send\n(.*\n)*"
                       r"  cycle: rank 0 -> rank 2 -> rank 3 -> rank 0\n"),
    "killed": (FAILED, r"rank 1 \(process \d+\) was killed by signal 9 .*; it was computing"),
}
HOSTS = "0,0,1,1"
WAYS_ON_HOSTS = ("return", "some_leave", "late")


def said_by_tutti(text):
    return [line for line in mpi_launchers.without_notices(text).splitlines() if "tutti" in line]


def run(flavour, program, way, options=(), variables=None):
    """Returns how the job has ended; code 124 if it has not after a minute."""
    launcher = mpi_launchers.launcher(flavour, 4, variables)
    command = [launcher[0], *options, *launcher[1:], program, way]
    try:
        return subprocess.run(command,
                              capture_output=True,
                              text=True,
                              check=False,
                              timeout=60,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 124, str(late.stdout), str(late.stderr))


def report(good, name, done):
    print(f"{'good' if good else 'FAILED'}: {name}" +
          ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return 0 if good else 1


def try_ways(flavour, program, ways):
    failures = 0
    for way in ways:
        code, words = WAYS[way]
        done = run(flavour, program, way)
        good = done.returncode == code or code is FAILED and done.returncode not in (0, 124)
        found = re.search(words, done.stderr) if words else not said_by_tutti(done.stderr)
        failures += report(good and found, way, done)
    return failures


def try_hosts(flavour, program):
    failures = 0
    for way in WAYS_ON_HOSTS:
        done = run(flavour, program, way, variables={"TUTTI_HOSTS": HOSTS})
        good = done.returncode == 0 and not said_by_tutti(done.stderr)
        failures += report(good, f"{way}, hosts {HOSTS}", done)
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("flavour", choices=mpi_launchers.LAUNCHERS)
    parser.add_argument("program")
    parser.add_argument("plain", nargs="?")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not mpi_launchers.installed(options.flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[options.flavour][0]} is not installed")
        return SKIPPED
    if options.only:
        return try_ways(options.flavour, options.program, options.only.split(",")) != 0
    failures = try_ways(options.flavour, options.program, WAYS)
    failures += try_ways(options.flavour, options.plain, ["return", "code", "handler"])
    failures += try_hosts(options.flavour, options.program)
    if options.flavour == "mpich":
        done = run("mpich", options.program, "killed", ["-disable-auto-cleanup"])
        good = done.returncode not in (0, 124)
        failures += report(good, "killed, under a launcher that kills nobody", done)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
