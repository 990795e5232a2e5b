#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""conformance.py TUTTI INT SIZE_T: runs the conformance driver with 1 to 4 processes, under the
launcher and without it, with fewer processes than the job has, for both generations of types, with
windows and without."""
import os
import subprocess
import sys


def main(tutti, of_int, of_size):
    launched = [tutti, "run", "--timeout", "60", "-n"]
    cases = [
        ([*launched, "1", of_int], 1, "1"),
        ([*launched, "2", of_int], 2, "1"),
        ([*launched, "3", of_int], 3, "1"),
        ([*launched, "4", of_int], 4, "1"),
        ([*launched, "2", of_size], 2, "1"),
        ([*launched, "3", of_int], 3, "0"),
        ([*launched, "4", of_size, "3"], 3, "0"),
        ([*launched, "4", of_int, "2"], 2, "1"),
        ([of_int, "3"], 3, "1"),
        ([of_size, "2"], 2, "1"),
        ([of_int, "1"], 1, "1"),
    ]
    failures = 0
    for command, count, windows in cases:
        done = subprocess.run(command,
                              env=dict(os.environ, TUTTI_BSP_WINDOWS=windows),
                              capture_output=True,
                              text=True,
                              timeout=100,
                              check=False,
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0 or done.stdout != f"{count} processes conform\n" or done.stderr:
            failures += 1
            print(
                f"failed: TUTTI_BSP_WINDOWS={windows} {' '.join(command)}: exit code "
                f"{done.returncode}\n"
                f"{done.stdout}{done.stderr}")
    print(f"{len(cases)} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
