# SPDX-License-Identifier: BSD-3-Clause
"""Counts what a test of MPI's programs has expected in vain. The tests of this folder use it."""

failures = 0


def expect(name, good, output):
    """Prints the name with its verdict. Counts a failure, and prints the end of its output."""
    global failures
    failures += not good
    print(f"{name}: good" if good else f"FAILED {name}:\n{output[-3000:]}", flush=True)
