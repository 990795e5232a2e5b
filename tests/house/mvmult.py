# SPDX-License-Identifier: BSD-3-Clause
"""Checks that apps/mvmult prints the same norms as on the reference BLACS (Debian's ScaLAPACK 2.2.1
under Open MPI 4.1.4), for several numbers of processes and for each way to start them. Arguments:
the command tutti, the program."""

import re
import subprocess
import sys

from problems import finish, problem

# processes: ||A||, ||x||, ||b||
REFERENCE = {
    1: (30.781040497022, 0.992966646791, 15.317555507218),
    2: (56.049817771208, 0.999039414804, 25.830885196470),
    4: (56.853635009776, 0.994645618831, 31.268741970876),
    5: (56.853635009776, 0.994645618831, 31.268741970876),
    6: (82.094538763675, 0.995634136254, 44.354104954496),
}


def check(who, done, expected):
    norms = [float(value) for value in re.findall(r"\|\|\w\|\| = +([\d.]+)", done.stdout)]
    if done.returncode != 0 or len(norms) != 3 or "agree" not in done.stdout:
        problem(f"{who}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    elif any(abs(value - reference) > 1e-9 for value, reference in zip(norms, expected)):
        problem(f"{who}: norms {norms}, reference {expected}")


def main():
    command, program = sys.argv[1:]
    for processes, expected in REFERENCE.items():
        done = subprocess.run(
            [command, "run", "-n", str(processes), "--timeout", "60", program],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL)
        check(f"{processes} processes", done, expected)
    # A program that is started without `tutti run` creates four processes by BLACS_SETUP.
    done = subprocess.run([program],
                          capture_output=True,
                          text=True,
                          check=False,
                          stdin=subprocess.DEVNULL,
                          timeout=60)
    check("by hand", done, REFERENCE[4])
    finish(f"{len(REFERENCE) + 1} runs")


if __name__ == "__main__":
    main()
