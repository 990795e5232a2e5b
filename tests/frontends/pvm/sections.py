# SPDX-License-Identifier: BSD-3-Clause
"""sections.py PROGRAM LIBRARIES | --real | --chance: every section of the program prints what expected/ says, on our PVM or on
the real one. Sections that are listed in BEYOND are about what the real one does wrong. --chance: 10,000 random sequences of calls
look the same on both."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import machine

EXPECTED = pathlib.Path(__file__).parent / "expected"
BEYOND = {"wide", "back_to_back", "deaths", "lost_member"}
# Sections about several hosts, and how many of the tasks are on which.
HOSTS = {"lost_member": ",".join(["0"] + ["1"] * 12)}
SKIPPED = 77


def differs(section, text):
    wanted = "".join((EXPECTED / f"{section}.txt").read_text().splitlines(keepends=True)[1:])  # without the licence
    if text == wanted:
        return False
    print(f"{section}: FAILED")
    for number, (got, line) in enumerate(zip(text.splitlines() + [""], wanted.splitlines() + [""]), 1):
        if got != line:
            print(f"  line {number} is   {got}\n  expected  {line}")
            break
    return True


def run(program, section, environment):
    environment = dict(environment, TUTTI_HOSTS=HOSTS.get(section, ""))
    done = subprocess.run([program, section], env=environment, capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0 or done.stderr:
        print(f"{section}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return differs(section, done.stdout) or done.returncode != 0


def chance(program, real):
    """Sequences of their own every day; the first number repeats them."""
    first = int(os.environ.get("TUTTI_SEED", time.time() // 86400 * 10000 % 1000000000))
    command = [program, "chance", str(first), "10000"]
    print(f"chance: {' '.join(command[1:])}")
    ours, theirs = (subprocess.run(command, env=environment, capture_output=True, text=True, timeout=400, check=False)
                    for environment in (os.environ, real.environment))
    if ours.returncode != 0 or theirs.returncode != 0 or ours.stdout != theirs.stdout:
        print(f"ours ({ours.returncode}):\n{ours.stdout}real ({theirs.returncode}):\n{theirs.stdout}")
        return True
    return False


def all_sections():
    return sorted(path.stem for path in EXPECTED.glob("*.txt"))


def main(program, where):
    program = os.path.abspath(program)  # the real one has a working directory of its own
    if where not in ("--real", "--chance"):
        environment = dict(os.environ, LD_LIBRARY_PATH=where)
        return any([run(program, section, environment) for section in all_sections()])
    if not machine.installed():
        print("the real PVM is not installed: skipped")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as folder:
        with machine.RealMachine(folder, pathlib.Path(program).parent) as real:
            if where == "--chance":
                return chance(program, real)
            return any([run(program, section, real.environment) for section in all_sections() if section not in BEYOND])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
