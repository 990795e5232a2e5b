#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""set_user_id.py PROGRAM: a program that runs with rights that its caller does not have must
read no environment variables: some of them name files to write. A copy of the program that belongs
to root and has the set-user-ID bit is run by an ordinary user."""
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

NOBODY = 65534


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*command, **variables):
    """Runs a command as an ordinary user. Returns what it has printed on stdout and stderr."""
    done = subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                           *map(str, command)],
                          env={"PATH": os.environ["PATH"], **variables},
                          cwd="/",
                          stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          text=True,
                          timeout=60)
    return done.returncode, done.stdout


def expect(holds, text):
    if not holds:
        sys.exit(f"not as expected:\n{text}")


def check(folder, program):
    file = str(folder / "explained")
    code, text = run(program, TUTTI_EXPLAIN=file)
    if "secure 1" not in text:
        skip("set-user-ID programs get no rights in the folder of temporary files")
    expect(code == 0 and "file '0'" in text and "rank 0 of 1" in text, text)
    expect(not os.path.exists(file), f"the program has written {file}")
    for variable in ("TUTTI_JOB", "OMPI_COMM_WORLD_SIZE"):
        code, text = run(program, **{variable: "2"})
        expect(code != 0 and f"cannot join the job that {variable} names" in text, text)
    program.chmod(0o755)
    code, text = run(program, TUTTI_EXPLAIN=file)
    if "secure 0" not in text:
        skip("an ordinary user cannot run programs of this build")
    expect(f"file '{file}'" in text, text)


if os.geteuid() != 0 or shutil.which("setpriv") is None:
    skip("only root can make a set-user-ID program of another user; setpriv is needed, too")
with tempfile.TemporaryDirectory() as name:
    os.chmod(name, 0o755)
    copy = Path(name) / "program"
    shutil.copy(sys.argv[1], copy)
    copy.chmod(0o755 | stat.S_ISUID)
    check(Path(name), copy)
