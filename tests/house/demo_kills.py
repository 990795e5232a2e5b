# SPDX-License-Identifier: BSD-3-Clause
"""Random kills of the programs of the demo: a rank or the launcher, at a random moment. Each time
everything ends soon, nothing is left, the exit code tells of the kill, and there is one report
unless the launcher itself was killed. A victim is stopped first: a process that is seen stopped was
alive, so an exit code of 0 after its kill is a failure. Printed are the median and the longest time
from the kill to the end of the last process.

TUTTI_KILLS of them (20) from the seed TUTTI_SEED (1); a job must be gone TUTTI_PROMPT seconds (3)
after the kill, which leaves room for a loaded machine. Arguments: the command tutti, mvmult."""

import os
import pathlib
import random
import re
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from problems import finish, problem

KILLS = int(os.environ.get("TUTTI_KILLS", "20"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
MARK = f"TUTTI_DEMO_KILLS={os.getpid()}"
PROMPT = float(os.environ.get("TUTTI_PROMPT", "3"))
KILLED = 128 + signal.SIGKILL
XDLU = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/xdlu")
INPUT = pathlib.Path("/usr/share/scalapack/LU.dat")


def state_of(pid):
    """The letter in /proc: T stopped, Z ended and not yet waited for; Z as well when there is no
    such process."""
    try:
        return pathlib.Path("/proc", str(pid), "stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def marked():
    """Pids of living processes whose environment holds the mark."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            if MARK.encode() in pathlib.Path("/proc", entry,
                                             "environ").read_bytes() and state_of(entry) != "Z":
                found.append(int(entry))
        except OSError:
            pass
    return found


def only_looks(pid):
    """Whether it is the loader, which lists the libraries of a program before the job begins: no
    part of the job."""
    try:
        return b"--list" in pathlib.Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def stopped(pid):
    """Stops a process; False when it has already ended."""
    try:
        os.kill(pid, signal.SIGSTOP)
    except ProcessLookupError:
        return False
    while (state := state_of(pid)) not in "TZ":
        time.sleep(0.0005)
    return state == "T"


def ended(job, seconds):
    """Waits for the job without polling."""
    descriptor = os.pidfd_open(job.pid)
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def left_behind(deadline):
    while left := marked():
        if time.monotonic() > deadline:
            return left
        time.sleep(0.002)
    return []


def check_end(job, victim, errors):
    """After the kill of a living process; returns the seconds until everything had ended."""
    name, start = job.args[-1], time.monotonic()
    of_launcher = victim == job.pid
    if not ended(job, PROMPT):
        problem(f"{name}: hangs {PROMPT} s after the kill of {victim}")
        job.kill()
    # The launcher outlives its ranks; who kills it may see them for a moment.
    if left := left_behind(start + PROMPT if of_launcher else 0):
        problem(f"{name}: {left} left behind after the kill of {victim}")
    seconds = time.monotonic() - start
    code = job.wait()
    errors.seek(0)
    reports = [line for line in errors.read().splitlines() if line.startswith("tutti")]
    if of_launcher:  # nobody is left to report; a rank that was about to join says why it cannot
        right = code == -signal.SIGKILL and all("its launcher has ended" in line
                                                for line in reports)
    else:
        right = code == KILLED and len(reports) == 1
    if not right:
        problem(
            f"{name}: exit code {code} and {len(reports)} reports after the kill of {victim}: "
            f"{reports}"
        )
    return seconds


def one_kill(chance, command, longest, folder):
    """Seconds from the kill to the end, or None when the process had ended before."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", **dict([MARK.split("=")]))
    with open(folder / "errors", "w+", encoding="utf-8") as errors:
        job = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=errors)
        time.sleep(chance.random() * longest)
        victim = chance.choice([pid for pid in sorted(marked()) if not only_looks(pid)] or
                               [job.pid])
        if stopped(victim):
            os.kill(victim, signal.SIGKILL)
            return check_end(job, victim, errors)
        if not ended(job, 60) or job.wait() != 0:
            problem(
                f"{command[-1]}: exit code {job.poll()} although {victim} had ended before it was "
                "killed"
            )
            job.kill()
        return None


def run_time(command, folder):
    """Seconds of an undisturbed run: what is killed later dies in that time, on whatever machine.
    """
    start = time.monotonic()
    subprocess.run(command,
                   cwd=folder,
                   env=dict(os.environ, OPENBLAS_NUM_THREADS="1"),
                   stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL,
                   check=True,
                   timeout=60)
    return time.monotonic() - start


def main():
    tutti, mvmult = sys.argv[1:]
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        jobs = [[tutti, "run", "-n", "4", mvmult]]
        if XDLU.exists() and INPUT.exists():
            (folder / "LU.dat").write_text(
                re.sub(r"^T(\s.*Test Cond\. Est\.)", r"F\1", INPUT.read_text(), flags=re.M))
            jobs.append([tutti, "run", "-n", "4", "--preload", "blacs", str(XDLU)])
        jobs = [(command, run_time(command, folder)) for command in jobs]
        times = [seconds for _ in range(KILLS)
                 if (seconds := one_kill(chance, *chance.choice(jobs), folder)) is not None]
    if len(times) * 4 < KILLS:
        problem(f"only {len(times)} of {KILLS} kills came in time")
    print(
        f"from the kill to the end: median {statistics.median(times or [0]):.3f} s, longest "
        f"{max(times, default=0):.3f} s "
        f"(bound {PROMPT} s)")
    finish(
        f"{KILLS} kills, {len(times)} in time, seed {SEED} (again: TUTTI_SEED={SEED} ctest -R "
        "demo_kills)"
    )


main()
