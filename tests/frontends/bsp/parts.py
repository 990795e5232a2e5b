#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""parts.py TUTTI PARTS GLOBALS PARAMETERS: runs programs with several parallel parts, by hand and
under a launcher, with windows and without, and one that asks for the parameters of the machine."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WANTED = [1, 2, 4, 3, 3]
HINT = "bsp_begin: hint: process 0 has changed {} outside of a parallel part"
failures = 0


def run(*command, **variables):
    return subprocess.run([str(word) for word in command],
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=100,
                          stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **variables))


def expect(good, what, done):
    global failures
    if not good:
        failures += 1
        print(f"FAILED {what}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def lines_of_parts(most):
    """Returns what the program prints where each part has at most so many processes."""
    sizes = [min(size, most) for size in WANTED]
    lines = [
        f"part {i + 1}: {p} processes, right, sum {p * (p + 1) // 2}, the last has {(p - 2) % p}"
        for i, p in enumerate(sizes)
    ]
    return lines + [f"main ends after {len(sizes)} parts, of {sizes[-1]}"]


def parts(tutti, program):
    for windows in ("1", "0"):
        done = run(program, 3, TUTTI_BSP_WINDOWS=windows)
        good = done.returncode == 3 and done.stdout.splitlines() == lines_of_parts(4)
        expect(good and not done.stderr, f"by hand, windows {windows}", done)
    for ranks in (1, 2, 5):
        done = run(tutti, "run", "--timeout", 60, "-n", ranks, program)
        good = done.returncode == 0 and done.stdout.splitlines() == lines_of_parts(ranks)
        expect(good and not done.stderr, f"tutti run -n {ranks}", done)
    done = run(tutti, "run", "-n", 3, program, 0, "now")
    expect(done.returncode == 0 and not done.stderr, "without exit handlers", done)


def profile_of_parts(program):
    """The supersteps of all parts are in one file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "profile.csv")
        done = run(program, TUTTI_BSP_PROFILE=str(file))
        numbers = [line.split(",")[0] for line in file.read_text().splitlines()]
    supersteps = 3 * len(WANTED)
    expect(numbers == ["superstep", *map(str, range(supersteps))], f"profile {numbers}", done)


def hints(program):
    done = run(program, TUTTI_BSP_SAFE="1")
    said = done.stderr.splitlines()
    good = done.returncode == 0 and len(said) == 2
    good = good and said[0].startswith(HINT.format("length"))
    expect(good and said[1].startswith(HINT.format("rounds")), "hints in safe mode", done)
    done = run(program)
    expect(done.returncode == 0 and not done.stderr, "no hints otherwise", done)


def parameters(tutti, program):
    """The answers are those of the file, in which figures were chosen so that they are round."""
    speeds = [(10, 4e-9), (99, 2e-9)]
    gaps = [("random", 1, 1), ("all-to-all", 8e-9, 120.4)]
    probed = {
        "f": [dict(operation="dot", n=n, seconds=seconds) for n, seconds in speeds],
        "l": {
            "no communication": 1e-6
        },
        "g": [dict(pattern=pattern, access="put", g_inf=g, h_half=h) for pattern, g, h in gaps],
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "machine.json")
        file.write_text(json.dumps(probed))
        done = run(tutti, "run", "-n", 2, program, TUTTI_BSP_MACHINE=str(file))
        said = "s 500, l 500, g 4, n1/2 120: good\n"
        expect(done.stdout == said, "by a file of tutti probe", done)
        file.write_text("{}")
        done = run(tutti, "run", "-n", 2, program, TUTTI_BSP_MACHINE=str(file))
        why = "TUTTI_BSP_MACHINE: .*cannot be read, or was not written by tutti probe --output"
        expect(done.returncode != 0 and why.split(".*")[1] in done.stderr, "by a wrong file", done)
    done = run(tutti, "run", "-n", 2, program)
    expect(done.returncode == 0 and done.stdout.endswith(": good\n"), "by the profile", done)


def main(tutti, several, outside, asking):
    parts(tutti, several)
    profile_of_parts(several)
    hints(outside)
    parameters(tutti, asking)
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
