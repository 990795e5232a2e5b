# SPDX-License-Identifier: BSD-3-Clause
"""Holds a process for a while, as a debugger does. SIGSTOP cannot hold a supervisor: the kernel
continues it when a process ends that it watches."""
import ctypes
import os

SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17  # of ptrace
ANY_CHILD = 0x40000000  # __WALL of waitpid

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def trace(request, pid, signal=None):
    if libc.ptrace(request, pid, None, signal) != 0:
        raise OSError(ctypes.get_errno(), f"ptrace of {pid}")


class Held:
    """Between begin and end, the process does nothing, whatever signal it gets but SIGKILL."""

    def __init__(self, pid):
        self.pid = pid

    def __enter__(self):
        trace(SEIZE, self.pid)
        trace(INTERRUPT, self.pid)
        status = os.waitpid(self.pid, ANY_CHILD)[1]
        # Another signal may have stopped the process first. It then gets this signal at the end.
        interrupted = status >> 16 != 0
        self.signal = None if interrupted else os.WSTOPSIG(status)
        return self

    def __exit__(self, *_):
        trace(DETACH, self.pid, self.signal)
