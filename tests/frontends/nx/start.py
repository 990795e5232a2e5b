#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""start.py TUTTI HELLO: checks how many nodes a program of NX has that is started by hand, with -sz
or with NX_DFLT_SIZE, and by `tutti run`, and that the options leave its arguments."""
import os
import subprocess
import sys


def nodes(count, arguments):
    return sorted(f"{node}/{count}: {arguments}" for node in range(count))


def main(tutti, hello):
    run = [tutti, "run", "-n", "3", hello]
    # Cases: command, NX_DFLT_SIZE, lines, exit code.
    cases = [
        ([hello], None, nodes(1, "end"), 0),
        ([hello, "-sz", "4"], None, nodes(4, "end"), 0),
        ([hello, "a", "-pn", "open", "-sz", "3", "b c"], None, nodes(3, "a b c end"), 0),
        ([hello, "-sz", "2x3", "-x"], None, nodes(6, "-x end"), 0),
        ([hello, "-sz", "1"], "4", nodes(1, "end"), 0),
        ([hello, "x"], "4", nodes(4, "x end"), 0),
        ([hello, "-sz", "5", "-sz", "2"], None, nodes(2, "end"), 0),
        ([hello, "mesh", "-sz", "2x3"], None, ["2x3"] * 6, 0),
        ([hello, "mesh", "-sz", "3"], None, ["1x3"] * 3, 0),
        ([hello, "silent", "-sz", "3"], None, ["silent"] * 3, 0),
        (run, None, nodes(3, "end"), 0),
        (run + ["-sz", "5", "y"], "2", nodes(3, "y end"), 0),
        (run + ["silent"], None, ["silent"] * 3, 0),
        ([hello, "-sz", "none"], None, [
            f"{hello}: the option -sz is 'none' but must be a number of nodes such as 4, or 2x4 at "
            "most 1024"
        ], 1),
        ([hello, "-sz", "100x100"], None, None, 1),
        ([hello, "-sz"], None, [f"{hello}: the option -sz needs a value"], 1),
        ([hello], "0", None, 1),
    ]
    failures = 0
    for command, size, lines, code in cases:
        environment = {key: value for key, value in os.environ.items() if key != "NX_DFLT_SIZE"}
        if size is not None:
            environment["NX_DFLT_SIZE"] = size
        done = subprocess.run(command,
                              env=environment,
                              capture_output=True,
                              text=True,
                              check=False,
                              timeout=60,
                              stdin=subprocess.DEVNULL)
        found = sorted((done.stdout + done.stderr).splitlines())
        good = done.returncode == code and (found == lines if lines is not None else
                                            len(found) == 1)
        failures += not good
        print(f"{'good' if good else 'FAILED'}: NX_DFLT_SIZE={size} {' '.join(command)}" +
              ("" if good else f": exit code {done.returncode}, {found}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
