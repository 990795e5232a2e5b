# SPDX-License-Identifier: BSD-3-Clause
"""Random kills of the programs of the demo: a rank or the launcher, at a random moment. Each time everything ends soon,
nothing is left, and there is one report unless the launcher itself was killed. TUTTI_KILLS of them (20) from the seed
TUTTI_SEED (1). Arguments: the command tutti, mvmult, libtutti-blacs."""

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from problems import finish, problem

KILLS = int(os.environ.get("TUTTI_KILLS", "20"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
MARK = f"TUTTI_DEMO_KILLS={os.getpid()}"
PROMPT = 5.0  # "within a second", with room for a loaded machine
XDLU = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/xdlu")
INPUT = pathlib.Path("/usr/share/scalapack/LU.dat")


def marked():
    """Pids of living processes whose environment holds the mark."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            if MARK.encode() in pathlib.Path("/proc", entry, "environ").read_bytes() \
                    and pathlib.Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                found.append(int(entry))
        except OSError:
            pass
    return found


def left_behind():
    end = time.monotonic() + PROMPT
    while time.monotonic() < end:
        if not marked():
            return []
        time.sleep(0.01)
    return marked()


def one_kill(chance, command, longest, folder):
    """True when the kill came while the job ran."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", **dict([MARK.split("=")]))
    with open(folder / "errors", "w+", encoding="utf-8") as errors:
        job = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=errors)
        time.sleep(chance.random() * longest)
        victim = chance.choice(sorted(marked()) or [job.pid])
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            code = job.wait(PROMPT)
        except subprocess.TimeoutExpired:
            job.kill()
            problem(f"{command[-1]}: hangs after the kill of {victim}")
            return True
        errors.seek(0)
        reports = [line for line in errors.read().splitlines() if line.startswith("tutti")]
    if code != 0 and victim != job.pid and len(reports) != 1 or code == 0 and reports:
        problem(f"{command[-1]}: exit code {code} and {len(reports)} reports after the kill of {victim}: {reports}")
    if left := left_behind():
        problem(f"{command[-1]}: {left} left behind after the kill of {victim}")
    return code != 0


def main():
    tutti, mvmult, library = sys.argv[1:]
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Command and the time in which the kill comes: about as long as the program runs.
        jobs = [([tutti, "run", "-n", "4", mvmult], 0.05)]
        if XDLU.exists() and INPUT.exists():
            (folder / "LU.dat").write_text(re.sub(r"^T(\s.*Test Cond\. Est\.)", r"F\1", INPUT.read_text(), flags=re.M))
            jobs.append(([tutti, "run", "-n", "4", "env", f"LD_PRELOAD={library}", str(XDLU)], 0.3))
        hits = sum(one_kill(chance, *chance.choice(jobs), folder) for _ in range(KILLS))
    if hits * 4 < KILLS:
        problem(f"only {hits} of {KILLS} kills came in time")
    finish(f"{KILLS} kills, {hits} in time, seed {SEED} (again: TUTTI_SEED={SEED} ctest -R demo_kills)")


main()
