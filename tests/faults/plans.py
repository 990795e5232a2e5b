# SPDX-License-Identifier: BSD-3-Clause
"""The file by which a test and the processes of a job agree which call fails (plan.h, plan.c)."""
import ctypes
import errno
import mmap
import os
import pathlib
import re

KINDS, PROCESSES, NAME = 96, 128, 24


class Process(ctypes.Structure):
    _fields_ = [("pid", ctypes.c_int32), ("children", ctypes.c_uint32),
                ("name", ctypes.c_char * NAME), ("program", ctypes.c_char * NAME),
                ("counts", ctypes.c_uint32 * KINDS)]


class Plan(ctypes.Structure):
    _fields_ = [("target", ctypes.c_char * NAME), ("kind", ctypes.c_int32),
                ("first", ctypes.c_int32), ("for_good", ctypes.c_int32),
                ("error", ctypes.c_int32), ("fired", ctypes.c_int32),
                ("descriptor", ctypes.c_int32), ("processes", ctypes.c_uint32),
                ("process", Process * PROCESSES)]


def kinds():
    """Returns the names of the kinds and their errors, in the order of their numbers."""
    text = (pathlib.Path(__file__).parent / "kinds.def").read_text(encoding="utf-8")
    return [(name, [getattr(errno, error) for error in errors.split(", ")])
            for name, errors in re.findall(r"^KIND\((\w+), (.*)\)$", text, re.M)]


class PlanFile:
    """The plan of one run, in a file of this folder that the processes of the job map."""

    def __init__(self, folder, target="", kind=0, first=0, for_good=False, error=0):
        self.path = os.path.join(folder, "plan")
        with open(self.path, "w+b") as file:
            file.truncate(ctypes.sizeof(Plan))
            self.memory = mmap.mmap(file.fileno(), ctypes.sizeof(Plan))
        self.plan = Plan.from_buffer(self.memory)
        self.plan.target, self.plan.kind = target.encode(), kind
        self.plan.first, self.plan.for_good, self.plan.error = first, for_good, error
        self.plan.descriptor = -1

    def counts(self):
        """Returns {(process, kind number): calls} of the run, and the programs by process."""
        counts, programs = {}, {}
        for process in self.plan.process[:min(self.plan.processes, PROCESSES)]:
            name = process.name.decode()
            programs[name] = process.program.decode()
            for kind, count in enumerate(process.counts):
                if count:
                    counts[name, kind] = counts.get((name, kind), 0) + count
        return counts, programs

    def result(self):
        """Returns how often the call has failed, and which descriptor it concerned the first
        time."""
        return self.plan.fired, self.plan.descriptor

    def close(self):
        del self.plan
        self.memory.close()
