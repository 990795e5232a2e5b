#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""start.py -n P PROGRAM [ARGUMENT...]: starts P processes of a library that has no launcher. Each
gets its number, P and a folder in which they can meet, in front of the arguments. The exit code is
0 if all have exited with 0. If one has not, the others are ended."""
import os
import signal
import subprocess
import sys
import tempfile
import time

FOLDER = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def wait_for(processes):
    """Returns the first exit code other than 0, or 0 after the end of all."""
    while True:
        codes = [process.poll() for process in processes]
        for code in codes:
            if code not in (None, 0):
                return code if code > 0 else 128 - code
        if None not in codes:
            return 0
        time.sleep(0.01)


def main():
    if len(sys.argv) < 4 or sys.argv[1] != "-n" or not sys.argv[2].isdigit():
        print(f"usage: {sys.argv[0]} -n P PROGRAM [ARGUMENT...]", file=sys.stderr)
        return 2
    count, program, arguments = int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    processes = []
    with tempfile.TemporaryDirectory(dir=FOLDER, prefix="tutti-bench-") as folder:
        try:
            for rank in range(count):
                processes.append(
                    subprocess.Popen([program, str(rank), str(count), folder, *arguments],
                                     stdin=subprocess.DEVNULL))
            return wait_for(processes)
        finally:
            for process in processes:
                process.kill()
                process.wait()


if __name__ == "__main__":
    sys.exit(main())
