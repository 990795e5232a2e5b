# SPDX-License-Identifier: BSD-3-Clause
"""Kills a rank or the launcher of a program of the demo at a random moment, many times. After each
kill, all processes must end soon, the exit code must show the kill, and there must be one report
(none if the launcher was killed). A victim is stopped before it is killed. A process that has been
seen stopped was alive, so an exit code of 0 after its kill is a failure. The test prints the median
and the longest time from the kill to the end of the last process.

TUTTI_KILLS is the number of kills (20), TUTTI_SEED the seed (1). All processes must have ended
TUTTI_PROMPT seconds (3) after the kill, which leaves room for a busy machine. Arguments: the
command tutti, mvmult."""

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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from processes import Mark, lists_libraries, parent_of, send, state_of  # noqa: E402

KILLS = int(os.environ.get("TUTTI_KILLS", "20"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
PROMPT = float(os.environ.get("TUTTI_PROMPT", "3"))
SHORTEST = 0.002  # seconds; a kill at a random moment before may always come
KILLED = 128 + signal.SIGKILL
XDLU = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/xdlu")
INPUT = pathlib.Path("/usr/share/scalapack/LU.dat")


def program_of(pid):
    """Returns the file that a process runs, or None if it has ended."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return None


def of_the_job(launcher, mark):
    """Returns the processes that may be killed. Before a rank runs its program, that is the
    launcher alone: a child of it that still runs the launcher's program may be about to list
    libraries, and such a child is not part of the job."""
    pids = [pid for pid in mark.pids() if not lists_libraries(pid)]
    own = program_of(launcher)
    begun = any(program_of(pid) not in (own, None) for pid in pids)
    return pids if begun else [launcher]


def stopped(pid):
    """Stops a process. Returns False if it has already ended."""
    send([pid], signal.SIGSTOP)
    while (state := state_of(pid)) not in ("T", "gone"):
        time.sleep(0.0005)
    return state == "T"


def ended(job, seconds):
    """Waits without polling. Returns True if the job ends within these seconds."""
    descriptor = os.pidfd_open(job.pid)
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def check_end(job, mark, victim, of_launcher, errors):
    """Checks the end of the job after a living process was killed. Returns the seconds until the
    last process had ended."""
    name, start = job.args[-1], time.monotonic()
    if not ended(job, PROMPT):
        problem(f"{name}: hangs {PROMPT} s after the kill of {victim}")
        job.kill()
    # The launcher outlives its ranks. Only if it was itself killed may ranks exist for a moment
    # longer.
    if not mark.gone_within(PROMPT if of_launcher else 0):
        problem(f"{name}: {mark.pids()} left behind after the kill of {victim}")
    seconds = time.monotonic() - start
    code = job.wait()
    errors.seek(0)
    reports = [line for line in errors.read().splitlines() if line.startswith("tutti")]
    if of_launcher:  # only a rank that was about to join reports why it cannot
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


def one_kill(chance, job, folder):
    """Runs a job and kills one of its processes. Returns the seconds from the kill to the end of
    the job, or None if the process had ended before. The next kill of this job then comes earlier:
    a busy machine may have measured a run that was much longer than the next ones."""
    command, longest = job["command"], job["seconds"]
    mark = Mark()
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", **mark.variables())
    with open(folder / "errors", "w+", encoding="utf-8") as errors:
        launcher = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=errors)
        delay = chance.random() * longest
        time.sleep(delay)
        victim = chance.choice(of_the_job(launcher.pid, mark))
        if stopped(victim):
            # The launcher is two processes, of which one is the parent of the other.
            of_launcher = launcher.pid in (victim, parent_of(victim))
            os.kill(victim, signal.SIGKILL)
            return check_end(launcher, mark, victim, of_launcher, errors)
        job["seconds"] = max(delay, SHORTEST)
        if not ended(launcher, 60) or launcher.wait() != 0:
            problem(
                f"{command[-1]}: exit code {launcher.poll()} although {victim} had ended before it "
                "was killed"
            )
            launcher.kill()
        return None


def run_time(command, folder):
    """Returns the seconds of an undisturbed run. On any machine, a kill within that time meets a
    running job."""
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
        jobs = [{"command": command, "seconds": run_time(command, folder)} for command in jobs]
        times = [seconds for _ in range(KILLS)
                 if (seconds := one_kill(chance, chance.choice(jobs), folder)) is not None]
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
