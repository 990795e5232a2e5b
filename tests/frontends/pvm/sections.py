# SPDX-License-Identifier: BSD-3-Clause
"""sections.py PROGRAM LIBRARIES | --real | --chance | --pvmd FOLDER: checks that every section of
the program prints the text in expected/, on our PVM or on the real one. Sections in BEYOND are left
out on the real PVM, because it does them wrong. With --chance it compares 10,000 random sequences
of calls on both. With --pvmd it runs the sections about groups with the real libpvm3 and pvmd, and
the libgpvm3 of that folder. There, 1000 random sequences must have the same results as with PVM's
own libgpvm3, and tasks that start and end in large numbers must leave nothing behind."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import machine

EXPECTED = pathlib.Path(__file__).parent / "expected"
BEYOND = {"wide", "back_to_back", "deaths", "lost_member"}
# Sections about groups, for --pvmd.
ABOUT_GROUPS = ["back_to_back", "data", "deaths", "frozen", "instances", "meetings", "wide"]
# Section -> TUTTI_HOSTS, the host of each task. Sections that are not listed run on one host.
HOSTS = {"lost_member": ",".join(["0"] + ["1"] * 12)}
SKIPPED = 77


def differs(section, text):
    # The first line of the file is the licence.
    wanted = "".join((EXPECTED / f"{section}.txt").read_text().splitlines(keepends=True)[1:])
    if text == wanted:
        return False
    print(f"{section}: FAILED")
    for number, (got, line) in enumerate(zip(text.splitlines() + [""],
                                             wanted.splitlines() + [""]), 1):
        if got != line:
            print(f"  line {number} is   {got}\n  expected  {line}")
            break
    return True


def run(program, section, environment):
    environment = dict(environment, TUTTI_HOSTS=HOSTS.get(section, ""))
    done = subprocess.run([program, section],
                          env=environment,
                          capture_output=True,
                          text=True,
                          timeout=60,
                          check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0 or done.stderr:
        print(f"{section}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return differs(section, done.stdout) or done.returncode != 0


def seed():
    """Returns the seed of the random sequences: TUTTI_SEED, or another number every day."""
    return int(os.environ.get("TUTTI_SEED", time.time() // 86400 * 10000 % 1000000000))


def chance(program, real):
    """Runs random sequences on our PVM and on the real one and compares the results. It prints the
    seed, the first number, with which they can be repeated."""
    command = [program, "chance", str(seed()), "10000"]
    print(f"chance: {' '.join(command[1:])}")
    ours, theirs = (subprocess.run(command,
                                   env=environment,
                                   capture_output=True,
                                   text=True,
                                   timeout=400,
                                   check=False) for environment in (os.environ, real.environment))
    if ours.returncode != 0 or theirs.returncode != 0 or ours.stdout != theirs.stdout:
        print(
            f"ours ({ours.returncode}):\n{ours.stdout}real ({theirs.returncode}):\n{theirs.stdout}")
        return True
    return False


def churn(program, real):
    batches = 12
    done = subprocess.run([program, "churn", str(batches), "4"],
                          env=real.environment,
                          capture_output=True,
                          text=True,
                          timeout=200,
                          check=False)
    if done.stdout == f"{8 * batches} tasks, 0 wrong, 0 groups left\n":
        return False
    print(f"churn ({done.returncode}): {done.stdout}{done.stderr}")
    return True


def over_pvmd(program, group_library):
    """Runs the tests of --pvmd. The random sequences run on two machines, one after the other,
    because groups of the two libraries cannot meet in one machine."""
    texts, failed = {}, False
    for kind, library in (("ours", os.path.abspath(group_library)), ("real", None)):
        with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as folder:
            with machine.RealMachine(folder, pathlib.Path(program).parent, library) as real:
                texts[kind] = subprocess.run(
                    [program, "chance", str(seed()), "1000"],
                    env=real.environment,
                    timeout=200,
                    capture_output=True,
                    text=True,
                    check=False).stdout
                if kind == "ours":
                    failed = any(
                        [run(program, section, real.environment) for section in ABOUT_GROUPS])
                    failed = churn(program, real) or failed
    if not texts["ours"] or texts["ours"] != texts["real"]:
        print(f"chance {seed()} 1000: ours\n{texts['ours'][-2000:]}real\n{texts['real'][-2000:]}")
        return True
    return failed


def all_sections():
    return sorted(path.stem for path in EXPECTED.glob("*.txt"))


def main(program, where, group_library=None):
    program = os.path.abspath(program)  # the real one has a working directory of its own
    if where not in ("--real", "--chance", "--pvmd"):
        environment = dict(os.environ, LD_LIBRARY_PATH=where)
        return any([run(program, section, environment) for section in all_sections()])
    if not machine.installed():
        print("the real PVM is not installed: skipped")
        return SKIPPED
    if where == "--pvmd":
        return over_pvmd(program, group_library)
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as folder:
        with machine.RealMachine(folder, pathlib.Path(program).parent) as real:
            if where == "--chance":
                return chance(program, real)
            return any([
                run(program, section, real.environment)
                for section in all_sections()
                if section not in BEYOND
            ])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
