#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pvm_tasks.py TUTTI FIRST SECOND: runs MVMULT of BLACS 1.0 (FIRST) and of BLACS 1.1 (SECOND) in
tasks that PVM has spawned, and checks their norms. Tasks that SETPVMTIDS does not name, or names
wrongly, must end with one message and exit code 1. Each program is started by hand
and by `tutti run`."""
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "house"))
import mvmult  # noqa: E402
import mvmult94  # noqa: E402

PROCESSES = {"parent": 4, "others": 3, "reversed": 4, "late": 5}
TID = r"; its tid is t[0-9a-f]+\n"
MISTAKES = {
    "nobody": r"\w+: (PVM has spawned this process|this process has spawned 2 tasks of PVM): "
              r"SETPVMTIDS must say first which tasks are the processes of the BLACS" + TID,
    "unknown": r"setpvmtids: argument 'TIDS'\(3\) is 12345 \(t3039\), which is no task of PVM" +
               TID,
    "twice": r"setpvmtids: arguments 'TIDS'\(1\) and 'TIDS'\(3\) are the same task, t[0-9a-f]+" +
             TID,
    "none": r"setpvmtids: argument 'NTASKS' is 0 but must be 1 or more" + TID,
    "outside": r"setpvmtids: none of the 3 numbers in 'TIDS' is this task" + TID,
}


def run(words, how):
    return subprocess.run([*words, how],
                          capture_output=True,
                          text=True,
                          check=False,
                          stdin=subprocess.DEVNULL,
                          timeout=100)


def right(done, expected):
    found = [float(value) for value in re.findall(r"\|\|\w\|\| = +([\d.]+)", done.stdout)]
    return done.returncode == 0 and done.stderr == "" and len(found) == 3 and all(
        abs(value / wanted - 1) < 1e-12 for value, wanted in zip(found, expected))


def main(tutti, first, second):
    known = {first: mvmult94.norms, second: mvmult.REFERENCE.get}
    failures = 0
    for program, launcher in [(program, launcher) for program in (first, second)
                              for launcher in ([], [tutti, "run", "-n", "1", "--timeout", "60"])]:
        results = {}
        for how, processes in PROCESSES.items():
            done = run([*launcher, program], how)
            expected = known[program](processes)
            results[how] = done, right(done, expected) if expected else done.returncode == 0
        for how, pattern in MISTAKES.items():
            done = run([*launcher, program], how)
            results[how] = done, (len(re.findall(pattern, done.stderr)) == 1 and
                                  done.returncode == 1)
        for how, (done, good) in results.items():
            failures += not good
            print(f"{'good' if good else 'FAILED'}: {' '.join([*launcher, program, how])}" +
                  ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
