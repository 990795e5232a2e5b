# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands in a sandbox that refuses one system call."""
import sys

# Makes the system refuse the system call with number argv[1], with errno argv[2], and then becomes
# the command behind them.
REFUSE = """
import ctypes, os, struct, sys
BPF = [(0x20, 0, 0, 0), (0x15, 0, 1, int(sys.argv[1])),
       (0x06, 0, 0, 0x50000 | int(sys.argv[2])), (0x06, 0, 0, 0x7fff0000)]
code = b"".join(struct.pack("HBBI", *one) for one in BPF)
text = ctypes.create_string_buffer(code, len(code))
program = struct.pack("HxxxxxxP", len(BPF), ctypes.addressof(text))
libc = ctypes.CDLL(None)
if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program) != 0:
    sys.exit(77)
os.execv(sys.argv[3], sys.argv[3:])
"""
PIDFD_OPEN = 434


def refuse(error, *command, call=PIDFD_OPEN):
    return [sys.executable, "-c", REFUSE, str(call), str(error), *command]
