# SPDX-License-Identifier: BSD-3-Clause
"""Gives applications command lines that they do not understand. Each must say so in one short line
of tutti's words, without control characters. Arguments: the programs."""
import os
import subprocess
import sys

LONG = 300 * "x"
CASES = (("--\x1b[31mx", "there is no option '--\\x1b[31mx'"),
         (f"--{LONG}", f"there is no option '--{LONG[:198]}...'"), ("-n", "-n needs a value"),
         ("--hepl", "there is no option '--hepl'; did you mean '--help'?"),
         ("-n 0", "-n: must be a number from 1 to 1024, not '0'"))

wrong = 0
for program in sys.argv[1:]:
    name = os.path.basename(program)
    for words, text in CASES:
        done = subprocess.run([program, *words.split(" ")], capture_output=True, text=True)
        lines = done.stderr.splitlines()
        line = lines[0] if len(lines) == 1 else ""
        fits = done.returncode == 2 and len(line) < 400 and "\x1b" not in line
        if not fits or not line.startswith(f"{name}: ") or text not in line:
            print(f"{name} {words!r}: code {done.returncode}, {done.stderr!r}, not {text!r}")
            wrong += 1
sys.exit(wrong > 0)
