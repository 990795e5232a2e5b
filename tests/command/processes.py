# SPDX-License-Identifier: BSD-3-Clause
"""Finds the processes of a job by a mark in their environment. A process inherits the environment
of the one that starts it, so all processes of a job have its mark, and no other process has it."""
import itertools
import os
import signal
import time

from stopwatch import Stopwatch

VARIABLE = "TUTTI_TEST_MARK"
TICKS = os.sysconf("SC_CLK_TCK")
PAUSE = 0.005  # seconds between two looks at all processes


class Process:
    """A process as /proc shows it at one moment. The constructor raises an OSError if there is no
    such process. The state is R, S, D or T (stopped), or Z or X if the process has ended."""

    def __init__(self, pid):
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            head, tail = file.read().rsplit(")", 1)
        fields = tail.split()
        self.pid, self.name = int(pid), head.split("(", 1)[1]
        self.state, self.parent = fields[0], int(fields[1])
        self.seconds = (int(fields[11]) + int(fields[12])) / TICKS  # of a processor

    def is_alive(self):
        return self.state not in "ZX"


def process(pid):
    """Returns a process, or None if there is none with this number or if it has ended."""
    try:
        found = Process(pid)
    except OSError:
        return None
    return found if found.is_alive() else None


def all_processes(among=lambda pid: True):
    """Returns all processes that have not ended, among those for whose number this is true."""
    numbers = filter(str.isdigit, os.listdir("/proc"))
    return [found for pid in numbers if among(pid) and (found := process(pid)) is not None]


def state_of(pid):
    found = process(pid)
    return "gone" if found is None else found.state


def parent_of(pid):
    """Returns the pid of the parent of a process, -1 if the process has ended."""
    found = process(pid)
    return -1 if found is None else found.parent


def environment_of(pid):
    """Returns the variables with which a process was started, as NAME=value."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def rank_of(pid):
    """Returns the rank as which a launcher has started a process; None if it has not."""
    for variable in environment_of(pid):
        if variable.startswith(b"TUTTI_RANK="):
            return int(variable.split(b"=")[1])
    return None


def lists_libraries(pid):
    """Returns whether the process is the dynamic loader that lists a program's libraries before the
    job begins. A job does not need it, so a test of kills leaves it alone."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"--list" in file.read().split(b"\0")
    except OSError:
        return False


def send(pids, number=signal.SIGKILL):
    """Sends a signal to processes, of which some may have ended."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def kill_all(find):
    """Kills all processes whose pids find() returns, until it returns none. Processes that start
    meanwhile are killed, too."""
    while pids := find():
        send(pids)
        time.sleep(PAUSE)


def none_within(find, seconds):
    """Waits until find() returns nothing, for at most so many seconds of a Stopwatch. Returns
    whether that was so in time."""
    watch = Stopwatch()
    while find():
        if watch.read() >= seconds:
            return False
        time.sleep(PAUSE)
    return True


def end_jobs_at_sigterm():
    """Makes a SIGTERM, as from timeout(1), end the jobs of this test, too."""
    own = f"{VARIABLE}={os.getpid()}-".encode()

    def end(number, _):
        kill_all(lambda: [one.pid for one in all_processes(
            lambda pid: any(text.startswith(own) for text in environment_of(pid)))])
        os._exit(128 + number)

    signal.signal(signal.SIGTERM, end)


class Mark:
    """A mark that no other job has."""
    numbers = itertools.count(1)

    def __init__(self):
        self.value = f"{os.getpid()}-{next(Mark.numbers)}"

    def variables(self):
        """Returns the variables that a job must have in its environment."""
        return {VARIABLE: self.value}

    def processes(self):
        """Returns the processes of the job."""
        variable = f"{VARIABLE}={self.value}".encode()
        return all_processes(lambda pid: variable in environment_of(pid))

    def pids(self):
        """Returns the pids of the processes of the job, the oldest number first."""
        return sorted(one.pid for one in self.processes())

    def gone_within(self, seconds):
        """Waits until there is no process of the job, for at most so many seconds of a Stopwatch.
        Returns whether that was so in time."""
        return none_within(self.pids, seconds)

    def kill_all(self):
        """Kills all processes of the job."""
        kill_all(self.pids)
