# SPDX-License-Identifier: BSD-3-Clause
"""Runs jobs in virtual time for the tests of this folder. TUTTI_PROGRAMS is the folder of their
programs, and TUTTI_SCHEMAS that of the schemas."""
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/command"), str(ROOT / "tests/formats")]
from harness import PROMPT, TUTTI, LauncherTest  # noqa: E402
from json_schema import misfits  # noqa: E402
from processes import none_within, rank_of  # noqa: E402

PROGRAMS = Path(os.environ["TUTTI_PROGRAMS"])
RUN, SIMULATE = (json.loads(Path(os.environ["TUTTI_SCHEMAS"], f"tutti-{verb}-1.schema.json")
                            .read_text()) for verb in ("run", "simulate"))
MEMORY = Path("/dev/shm")


def program(name):
    return str(PROGRAMS / f"virtual_time_{name}")


def is_timekeeper(pid):
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[1:2] == [b"timekeeper"]


def memory_files():
    return {path.name for path in MEMORY.iterdir()} if MEMORY.exists() else set()


class VirtualTimeTest(LauncherTest):

    def setUp(self):
        self.memory = memory_files()

    def job(self, n, name, *words, machine="ipsc860", options=(), before=()):
        """Starts a job whose report is FOLDER/report."""
        return self.start([*before, TUTTI, "run", "--machine", machine, "--report", "FOLDER/report",
                           "-n", str(n), *options, program(name), *map(str, words)])

    def ended(self, job, code=0):
        """Waits for the end of the job, which leaves nothing. Returns it."""
        self.finish(job, code)
        self.assertTrue(none_within(lambda: memory_files() - self.memory, PROMPT),
                        "a file is left in /dev/shm")
        return job

    def run_job(self, *words, code=0, **more):
        return self.ended(self.job(*words, **more), code)

    def report(self, job):
        """Returns the report of the job. It fits its schema, and what it says of virtual time that
        of `tutti simulate`."""
        report = json.loads(Path(job.folder, "report").read_text())
        self.assertEqual(list(misfits(RUN, report)), [])
        if "virtual_time" in report:
            answer = {"tutti_simulate": 1, **report["virtual_time"]}
            self.assertEqual(list(misfits(SIMULATE, answer)), [])
        return report

    def result(self, job):
        """Returns what the report of the job says of its virtual time."""
        return self.report(job)["virtual_time"]["settings"][0]["results"][0]

    def said(self, job):
        """Returns what the command itself has said about the end of the job, by lines."""
        return [line for line in job.err.splitlines() if line.startswith("tutti")]


class Parts:
    """The processes of a job: those of its ranks, by rank, its timekeeper, and its supervisor."""

    def __init__(self, job):
        self.ranks, self.timekeeper, self.supervisor = {}, None, None
        for one in job.mark.processes():
            rank = rank_of(one.pid)
            if rank is not None:
                self.ranks[rank] = one.pid
            elif is_timekeeper(one.pid):
                self.timekeeper = one.pid
            elif one.parent == job.process.pid:
                self.supervisor = one.pid

    def are_all(self, n):
        return len(self.ranks) == n and None not in (self.timekeeper, self.supervisor)

    def pids(self):
        others = (self.timekeeper, self.supervisor)
        return [*self.ranks.values(), *(pid for pid in others if pid is not None)]
