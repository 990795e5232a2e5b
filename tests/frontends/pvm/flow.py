# SPDX-License-Identifier: BSD-3-Clause
"""flow.py PROGRAM: checks the messages between hosts of 4, 6 and 1 tasks (flow.c). It also checks
that TUTTI_EXPLAIN shows which reductions within the host of six tasks the runtime has done itself.
These are the three cases of paper 002, figure 5."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HOSTS = "0,0,0,0,1,1,1,1,1,1,2"
WANTED = {
    "5 a, a native host": r"reduce of 4 B over 6 ranks: (?!coordinators)\w+",
    "5 b, one task of six does not take "
    "part": r"reduce of 4 B over 5 ranks: coordinators:factors=1x1x1x1x1\b",
    "5 c, a function of the user": r"reduce of 4 B over 11 ranks: coordinators:factors=4x6x1\b",
}
UNWANTED = {
    "five of six tasks combine natively": r"reduce of 4 B over 5 ranks: (?!coordinators)",
    "the place of a call is in a library of PVM": r"lib(g)?pvm3",
}


def main(program):
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as folder:
        environment = dict(os.environ, TUTTI_HOSTS=HOSTS, TUTTI_EXPLAIN=f"{folder}/%r")
        done = subprocess.run([program],
                              env=environment,
                              timeout=60,
                              check=False,
                              stdin=subprocess.DEVNULL)
        text = "".join(path.read_text() for path in pathlib.Path(folder).iterdir())
    problems = [f"missing: {what}" for what, line in WANTED.items() if not re.search(line, text)]
    problems += [f"but {what}" for what, line in UNWANTED.items() if re.search(line, text)]
    if problems:
        print(*problems, text, sep="\n")
    return 1 if problems else done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
