#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""on_mpi.py FLAVOUR INT SIZE_T PROGRAMS: runs the conformance driver and the textbook programs,
started by an MPI, on one host and on pretended ones. Windows do not work between hosts. The exit
code is 77 (skipped) if the launcher is missing."""
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77


def main(flavour, of_int, of_size, programs):
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    # Cases: processes, TUTTI_HOSTS, command, processes that take part.
    cases = [(2, "", [of_int], 2), (4, "0,0,1,1", [of_int], 4), (3, "0,1,1", [of_size], 3),
             (2, "0,1", [of_int], 2), (4, "0,1,0,1", [of_size], 4), (4, "0,0,1,1", [of_int,
                                                                                    "3"], 3),
             (1, "", [of_int], 1), (4, "0,0,1,1", [programs], 4), (2, "", [programs], 2)]
    failures = 0
    for count, hosts, command, part in cases:
        wanted = f"8 programs on {part} processes\n" if command == [
            programs
        ] else f"{part} processes conform\n"
        try:
            done = mpi_launchers.run(flavour, count, command, timeout=280, TUTTI_HOSTS=hosts)
            good, said = done.returncode == 0 and done.stdout == wanted, ("exit code "
                                                                          f"{done.returncode}\n"
                                                                          f"{done.stdout}"
                                                                          f"{done.stderr}")
        except subprocess.TimeoutExpired as late:
            good, said = False, str(late)
        failures += not good
        print(
            f"{'good' if good else 'FAILED'}: {count} processes, hosts '{hosts}': "
            f"{' '.join(command)}{'' if good else ': ' + said}",
            flush=True)
    print(f"{len(cases)} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
