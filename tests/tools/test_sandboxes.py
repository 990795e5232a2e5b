# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs where the system hides or refuses something: pid namespaces, no /proc, system calls
that a sandbox refuses, and core dumps of a process with a large sparse mapping."""
import glob
import os
import resource
import shlex
import subprocess
import sys
import unittest

from harness import PROBE, PROBE_WORD, TUTTI, TUTTI_WORD, LauncherTest

# Makes the system refuse pidfd_open with errno argv[1], and then becomes the command behind it.
REFUSE_PIDFDS = """
import ctypes, os, struct, sys
BPF = [(0x20, 0, 0, 0), (0x15, 0, 1, 434), (0x06, 0, 0, 0x50000 | int(sys.argv[1])),
       (0x06, 0, 0, 0x7fff0000)]
code = b"".join(struct.pack("HBBI", *one) for one in BPF)
text = ctypes.create_string_buffer(code, len(code))
program = struct.pack("HxxxxxxP", len(BPF), ctypes.addressof(text))
libc = ctypes.CDLL(None)
if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program) != 0:
    sys.exit(77)
os.execv(sys.argv[2], sys.argv[2:])
"""
NAMESPACE = ["unshare", "-r", "-f", "-p"]
LARGEST_CORE = 64 << 20


def works(*command):
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def refuse(error, *command):
    return [sys.executable, "-c", REFUSE_PIDFDS, str(error), *command]


class CoreDumps(LauncherTest):
    def test_the_segment_is_no_part_of_them(self):
        """The limit keeps the test small where the segment is dumped. Then the file has this size.
        """
        if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
            self.skipTest("the hard limit of core files is set")
        limited = ["prlimit", f"--core={LARGEST_CORE}:"]
        ranks = ["--wdir", "FOLDER", PROBE, "MARKER", "0:kill=11", "1:wait=0"]
        job = self.start([*limited, TUTTI, "run", "-n", "2", *ranks])
        self.finish(job, 128 + 11)
        self.assert_one_report(job, "was killed by signal 11")
        cores = glob.glob(os.path.join(job.folder, "core*"))
        if not cores:
            self.skipTest("core files are not written to the folder of the process")
        self.assertLess(max(os.stat(core).st_size for core in cores), LARGEST_CORE // 2)


if __name__ == "__main__":
    unittest.main()
