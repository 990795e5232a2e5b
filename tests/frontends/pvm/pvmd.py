# SPDX-License-Identifier: BSD-3-Clause
"""pvmd.py PAIR SECTIONS KILLS FOLDER START CONFORMANCE: tests tutti's collectives between tasks of
the real PVM (pvmd_pair.c), and the output of TUTTI_EXPLAIN. Plans must be chosen for hosts of one
task each. The reductions of PVM's groups (FOLDER has our libgpvm3) must be plans, too. Tasks that
are killed while they change a group (pvmd_kills.c) must leave nothing behind. The conformance
program of the C interface, which does not use PVM, must run as tasks of it."""

import pathlib
import re
import subprocess
import sys
import tempfile

import machine

WANTED = ("sums 16, letters 16, undisturbed 4, worlds 10, sums in worlds 16\n"
          "present 1, barrier with a task that was killed: 1, present 0, departures 1\n")
PLANS = {
    "pair": [
        r"allreduce of 8 B over 4 ranks: \w+", r"allreduce of 156.2 KiB over 4 ranks: \w+",
        r"barrier .*over 4 ranks: \w+"
    ],
    "sections": [
        r"reduce of \d+ B over 4 ranks: fully_connected",
        r"gather of \d+ B over 4 ranks: fully_connected",
        r"scatter of \d+ B over 4 ranks: fully_connected"
    ],
}
SKIPPED = 77


def explained(program, arguments, group_library, kind):
    """Runs a program on the real PVM. Returns its stdout, and True if it failed or if a plan of
    PLANS[kind] is missing in its explanation. Missing plans are printed."""
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as folder:
        with machine.RealMachine(folder, pathlib.Path(program).parent, group_library) as real:
            environment = dict(real.environment, TUTTI_EXPLAIN=f"{folder}/explained")
            done = subprocess.run([program, *arguments],
                                  env=environment,
                                  capture_output=True,
                                  text=True,
                                  timeout=60,
                                  check=False)
        text = (pathlib.Path(folder) / "explained").read_text()
    missing = [plan for plan in PLANS[kind] if not re.search(plan, text)]
    if missing or done.returncode != 0:
        print(f"{kind}: exit code {done.returncode}, missing {missing}\n{done.stderr}{text[:3000]}")
    return done.stdout, bool(missing) or done.returncode != 0


def survives(kills, group_library):
    killed = 60
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as folder:
        with machine.RealMachine(folder, pathlib.Path(kills).parent, group_library) as real:
            done = subprocess.run([kills, str(killed)],
                                  env=real.environment,
                                  capture_output=True,
                                  text=True,
                                  timeout=100,
                                  check=False)
    if done.stdout == f"{killed} killed, joined {killed} times, nothing left\n":
        return True
    print(f"kills: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return False


def conforms(start, conformance, count):
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as folder:
        peer = machine.RealMachine(folder, pathlib.Path(conformance).parent)
        peer.environment["TUTTI_TRANSPORT"] = "pvmd"
        with peer as real:
            done = subprocess.run([start, conformance, str(count)],
                                  env=real.environment,
                                  capture_output=True,
                                  text=True,
                                  timeout=100,
                                  check=False)
    if re.search(r"\] [1-9]\d{3} passed, 0 failed$", done.stdout, re.M):
        return True
    print(
        f"{conformance} with {count} tasks: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    )
    return False


def main(pair, sections, kills, group_library, start, conformance):
    if not machine.installed():
        print("the real PVM is not installed: skipped")
        return SKIPPED
    pair, sections, kills, group_library, start, conformance = (str(
        pathlib.Path(path).resolve()) for path in (pair, sections, kills, group_library, start,
                                                   conformance))
    printed, failed = explained(pair, [], group_library, "pair")
    failed = not survives(kills, group_library) or failed
    for count in (2, 3, 5):
        failed = not conforms(start, conformance, count) or failed
    if printed != WANTED:
        print(f"printed\n{printed}expected\n{WANTED}")
        failed = True
    return explained(sections, ["data"], group_library, "sections")[1] or failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
