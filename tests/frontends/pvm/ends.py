# SPDX-License-Identifier: BSD-3-Clause
"""ends.py PROGRAM: checks that a PVM task that dies before it joins is named, that no task waits
for ever when nobody can end its wait, and that nobody gives up a wait that can still end. It also
checks where tasks write (TUTTI_PVM_OUTPUT)."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import uuid

EARLY = r"tutti: task 1 \(pid \d+, .+\) {} before it joined\n"
IN_VAIN = (r"libpvm \[t\w+\]: {}\(\): The machine cannot be reached, or a task that is needed has "
           r"ended: all processes of the job wait, and nobody is left to send what they wait for")
DIED = r"task t40002 \(.+\) {}"
KILLED, FAILED = r"was killed by signal 6 \(Aborted\)", r"(has )?exited with code 3"


def start(program, word, **environment):
    return subprocess.Popen([program, word],
                            env=dict(os.environ, **environment),
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE,
                            text=True)


def run(program, word, **environment):
    """Returns stdout, sorted by line, and stderr. A program that hangs fails the test."""
    with start(program, word, **environment) as process:
        try:
            out, error = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return sorted(out.split("\n")[:-1]), error


def check(case, seen, expected, error, *patterns):
    missing = [pattern for pattern in patterns if not re.search(pattern, error)]
    if seen == expected and not missing and (patterns or not error):
        return False
    print(f"{case}: printed {seen}, expected {expected}; not on stderr: {missing}\n{error}")
    return True


def ends(program):
    """Waits that nobody can end any more."""
    failed = False
    for word, how in (("abort", KILLED), ("exit", FAILED)):
        out, error = run(program, word)
        failed |= check(word, out, ["barrier -14", "recv -14", "recv -14"], error,
                        EARLY.format(how), IN_VAIN.format("pvm_barrier") + "; " + DIED.format(how),
                        r"pvm_recv\(\): .*" + DIED.format(how))
    out, error = run(program, "nothing")
    failed |= check("nothing", out, ["barrier -14", "recv -14", "recv -14"], error,
                    IN_VAIN.format("pvm_barrier") + "\n")
    failed |= "joined" in error
    out, error = run(program, "member")
    failed |= check("member", out, ["barrier -14", "barrier -14"], error,
                    IN_VAIN.format("pvm_barrier"), "task t40003 .*" + KILLED)
    out, error = run(program, "info")
    failed |= check("info", out, ["info -14"], error, IN_VAIN.format("pvm_recvinfo") + "\n")
    out, error = run(program, "alone")
    return check("alone", out, ["recv -14"], error, IN_VAIN.format("pvm_recv") + "\n") or failed


def goes_on(program):
    """Waits that look the same and that somebody ends later."""
    failed = False
    for word in ("late", "patient"):
        out, error = run(program, word)
        failed |= check(word, out, ["recv ok"], error)
    machine = {"TUTTI_PVM_MACHINE": f"ends{uuid.uuid4().hex[:8]}"}
    with start(program, "meet", **machine) as first:
        try:
            first.wait(2)
            print("a task of a machine that others can join has not waited for them")
            failed = True
        except subprocess.TimeoutExpired:
            second = run(program, "meet", **machine)
            failed |= check("meet", [second[0], first.communicate(timeout=60)[0]],
                            [["barrier 0"], "barrier 0\n"], second[1])
        first.kill()
    return failed


def output(program):
    """Tasks write to the terminal, or to the file that a pvmd of PVM would use."""
    out, error = run(program, "print")
    failed = check("print", out, ["on stdout", "recv ok"], error, "^on stderr\n$")
    with tempfile.TemporaryDirectory(prefix="tutti-ends-") as folder:
        log = pathlib.Path(folder) / f"pvml.{os.getuid()}"
        for turn in (1, 2):
            out, error = run(program, "print", TUTTI_PVM_OUTPUT="log", PVM_TMP=folder)
            failed |= check("log", out, ["recv ok"], error)
            failed |= check("log", sorted(log.read_text().split()),
                            sorted(["on", "stdout", "on", "stderr"] * turn), "")
        log.unlink()
        log.symlink_to(pathlib.Path(folder) / "elsewhere")
        out, error = run(program, "print", TUTTI_PVM_OUTPUT="log", PVM_TMP=folder)
        failed |= check("link", out, ["on stdout", "recv ok"], error, "cannot be written")
        failed |= (pathlib.Path(folder) / "elsewhere").exists()
        log.unlink()
        os.mkfifo(log)  # nobody reads it, so a writer that waits would wait for ever
        out, error = run(program, "print", TUTTI_PVM_OUTPUT="log", PVM_TMP=folder)
        failed |= check("queue", out, ["on stdout", "recv ok"], error, "cannot be written")
    return failed


def main(program):
    return any([ends(program), goes_on(program), output(program)])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
