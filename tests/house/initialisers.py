# SPDX-License-Identifier: BSD-3-Clause
"""Checks that no variable of the library is set by code that runs when it is loaded. A self-started
supervisor and a failure monitor work inside of such code, and would see variables that are not set
yet. Argument: the library libtutti."""

import subprocess
import sys

from problems import finish, problem


def main(library):
    symbols = subprocess.run(["nm", "--demangle", library],
                             capture_output=True,
                             text=True,
                             check=True).stdout.splitlines()
    if not any("help_if_started_for_it" in line for line in symbols):
        problem(f"{library} has no symbol of the function that serves as a supervisor or monitor")
    for line in symbols:
        if "_GLOBAL__sub_I" in line:
            problem(f"{line.split()[-1]} sets variables when {library} is loaded: "
                    "make them functions or constinit")
    finish(f"{len(symbols)} symbols")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
