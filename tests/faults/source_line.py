# SPDX-License-Identifier: BSD-3-Clause
"""source_line.py PROGRAM: addr2line, which a process asks for the line of a call, ends when that
process is killed. The addr2line of this test says its pid and sleeps."""
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "command"))
from stopwatch import wait_for  # noqa: E402

PROMPT = 2
SLEEPER = """#!/bin/sh
echo $$ > "$TUTTI_TEST_PIPE"
exec sleep 60
"""


def main(program):
    with tempfile.TemporaryDirectory(prefix="tutti-line-") as folder:
        sleeper = pathlib.Path(folder, "addr2line")
        sleeper.write_text(SLEEPER, encoding="utf-8")
        sleeper.chmod(0o700)
        pipe = f"{folder}/pipe"
        os.mkfifo(pipe)
        environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", TUTTI_EXPLAIN="1",
                           TUTTI_TEST_PIPE=pipe)
        with subprocess.Popen([program], env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as asking:
            with open(pipe, encoding="ascii") as said:
                started = int(said.read())
            descriptor = os.pidfd_open(started)
            asking.kill()
        wait_for(descriptor, PROMPT)
        ended = bool(select.select([descriptor], [], [], 0)[0])
        if not ended:
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        os.close(descriptor)
    print("addr2line has ended" if ended else "addr2line outlives the process that has asked it")
    return not ended


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
