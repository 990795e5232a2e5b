#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""start.py TUTTI HELLO NO_HEADER: checks how many nodes a program of NX has that is started by
hand, with -sz or with NX_DFLT_SIZE, and by `tutti run`. The options leave its arguments, and the
exit code of a node does not end the others. NO_HEADER is a program of K&R whose main returns
nothing, so its exit code is a matter of chance."""
import os
import subprocess
import sys


def nodes(count, arguments):
    return sorted(f"{node}/{count}: {arguments}" for node in range(count))


ALL_OPTIONS = ("-plk -mbf 1048576 -mex 65536 -mea 4096 -sth 2 -sct 1 -gth 3 -pkt 1792 -noc 4 "
               "-pri 5 -pn open -nd 2 -on all").split()


def main(tutti, hello, no_header):
    run = [tutti, "run", "-n", "3", hello]
    disagreement = ("nx: the option -sz asks for 5 nodes, but the program has the 3 that its "
                    "launcher has started")
    wrong_ptype = f"{hello}: the option -pt is 'x' but must be a number from 0 to 65535"
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
        (run + ["-sz", "5", "y"], "2", nodes(3, "y end") + [disagreement], 0),
        (run + ["-sz", "3", "y"], "2", nodes(3, "y end"), 0),
        ([hello, "a", *ALL_OPTIONS, "b", "-sz", "2"], None, nodes(2, "a b end"), 0),
        ([hello, "ptype", "-sz", "2", "-pt", "7"], None, ["7", "7"], 0),
        ([hello, "-pt", "x"], None, [wrong_ptype], 1),
        ([hello, "x", "-on", "0..1", "-sz", "2"], None, nodes(2, "x end") + [
            "nx: the option -on 0..1 is not obeyed: the program runs on all 2 nodes"
        ], 0),
        (run + ["code"], None, ["node 0 goes on", "node 2 goes on"], 17),
        ([hello, "code", "-sz", "3"], None, ["node 0 goes on", "node 2 goes on"], 0),
        ([no_header, "-sz", "4"], None, ["no_header: ok on 4 nodes"], None),
        ([tutti, "run", "-n", "4", no_header], None, ["no_header: ok on 4 nodes"], None),
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
        good = code in (done.returncode, None) and (found == lines if lines is not None else
                                                    len(found) == 1)
        failures += not good
        print(f"{'good' if good else 'FAILED'}: NX_DFLT_SIZE={size} {' '.join(command)}" +
              ("" if good else f": exit code {done.returncode}, {found}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
