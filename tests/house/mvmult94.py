# SPDX-License-Identifier: BSD-3-Clause
"""Checks that apps/mvmult/mvmult94.f, the example of paper 000 for BLACS 1.0, prints the norms that
its numbers have, for several numbers of processes and when it is started by hand. Arguments: the
command tutti, the program."""

import re
import subprocess
import sys

from problems import finish, problem

BLOCK = 50
MODULUS = 2**31 - 1


class Numbers:
    """Gives the numbers of DRAND in the program."""

    def __init__(self):
        self.state = 1

    def next(self, seed=0):
        if seed != 0:
            self.state = 1 + 7919 * seed
        self.state = 16807 * self.state % MODULUS
        return self.state / MODULUS


def norms(processes):
    """Computes the norms of A, x and b on the grid that the program makes."""
    rows = int(processes**0.5)
    columns = processes // rows
    grid = [[Numbers() for _ in range(columns)] for _ in range(rows)]
    matrix = [[0.0] * (columns * BLOCK) for _ in range(rows * BLOCK)]
    for p in range(rows):
        for q in range(columns):
            grid[p][q].next(p * columns + q)
            for j in range(BLOCK):
                for i in range(BLOCK):
                    matrix[p * BLOCK + i][q * BLOCK + j] = grid[p][q].next()
    vector = []
    for q in range(columns):
        grid[0][q].next(q)
        vector += [grid[0][q].next() for _ in range(BLOCK)]
    product = [sum(a * x for a, x in zip(row, vector)) for row in matrix]
    return max(sum(row) for row in matrix), max(vector), max(product)


def check(who, done, expected):
    found = [float(value) for value in re.findall(r"\|\|\w\|\| = +([\d.]+)", done.stdout)]
    if done.returncode != 0 or len(found) != 3 or done.stderr != "" or "ERROR" in done.stdout:
        problem(f"{who}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    elif any(abs(value / wanted - 1) > 1e-13 for value, wanted in zip(found, expected)):
        problem(f"{who}: norms {found}, computed {expected}")


def main():
    command, program = sys.argv[1:]
    launched = {p: [command, "run", "-n", str(p), "--timeout", "60"] for p in (1, 2, 3, 4, 5, 7)}
    for processes, words in {**launched, 8: []}.items():
        done = subprocess.run([*words, program],
                              capture_output=True,
                              text=True,
                              check=False,
                              stdin=subprocess.DEVNULL,
                              timeout=100)
        check(f"{processes} processes", done, norms(processes))
    finish(f"{len(launched) + 1} runs")


if __name__ == "__main__":
    main()
