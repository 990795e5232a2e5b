#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""misuse.py TUTTI MISUSE: checks that every misuse of NX ends all nodes with an exit code that is
not 0, and with one line that names the call, what is wrong, the node and the place."""
import os
import re
import subprocess
import sys

FORCED = (r"TUTTI_NX_FORCED=error: no receive was posted for the message of type 1073741825 "
          r"from node 0, of 16 bytes; node 1 of 3")
WHERE = r"; node \d of 3, called at \w+\+0x\w+ \(nx_misuse\+0x\w+\)"
MISTAKES = {
    "wrong_node": r"csend: argument 'node' is 3, the host, but there is none" + WHERE,
    "no_host": r"csend: argument 'node' is 3, the host, but there is none" + WHERE,
    "negative_type": r"isend: argument 'type' is -5, but types are 0 to 2147483647" + WHERE,
    "too_long": r"crecv: the message of type 6 from node 0 has 16 bytes, but the buffer has 8" +
                WHERE,
    "too_long_posted": r"(msgwait|irecv): the message of type 6 from node 0 has 16 bytes, but the "
                       r"buffer has 8" + WHERE,
    "all_wait": r"all processes wait for messages that nobody will send\n"
                r"  ranks 0-2: waiting in crecv \(a message of type 8\) from anybody\n",
    "all_wait_posted": r"all processes wait for messages that nobody will send\n"
                       r"  rank 0: waiting in msgwait \(a message of type 8, id \d+\) for rank 1\n"
                       r"(.*\n)*  cycle: rank 0 -> rank 1 -> rank 2 -> rank 0\n",
    "all_wait_otherwise":
        r"all processes wait for messages that nobody will send\n"
        r"  rank 0: waiting in crecvx \(a message of a type in 0x80000006, ptype 5\) from anybody\n"
        r"  rank 1: waiting in cprobex \(a message of any type\) for rank 0\n"
        r"  rank 2: waiting in csendrecv \(a message of type 10\) from anybody\n",
    "all_wait_merged":
        r"all processes wait for messages that nobody will send\n"
        r"  rank 0: waiting in msgwait \(a message of type 8, id \d+ of the merged id \d+; then "
        r"a message of type 9, id \d+; then a message of type 10 from node 1, id \d+\) for rank "
        r"1\n",
    "all_wait_beside_a_handler":
        r"all processes wait for messages that nobody will send\n"
        r"  ranks? 0.*: waiting in gsync \(barrier #0, 3 ranks, round \d\) for ranks? [12, ]+, or "
        r"for another message\n"
        r"  rank 1: waiting in crecv \(a message of type 8\) from anybody, or for another "
        r"message\n",
    "other_call": r"(gsync|gdsum): tutti_\w+: rank \d of 3 is in (barrier|allreduce) \(operation "
                  r"#0 of processes 0-2\) but rank \d in (barrier|allreduce) \(operation #0 of "
                  r"processes 0-2\): all ranks must make the same call with the same root "
                  r"\(world rank \d\)" + WHERE,
    "used_up": r"msgwait: argument 'id' is \d+, which names no message, or one that is over" +
               WHERE,
    "in_a_child": r"csend: this process has left the job, or was made by fork\(\); called at ",
    "forced": FORCED,
    "forced_unseen": FORCED,
    "gopen_fails": r"gopen: (node 2 could not open its file: )?/dev/null/file: Not a directory" +
                   WHERE,
    "gopen_fails_everywhere": r"gopen: (node 0 could not open its file: )?/tmp/not/there: No such "
                              r"file or directory" + WHERE,
    "host_call": r"load: there is no host and no partition to manage: -sz, NX_DFLT_SIZE or a "
                 r"launcher starts the nodes" + WHERE,
    "exit_code": r"rank 1 .*exit(ed)? with code 9",
    "last_exit_code": r"rank 1 .*exit(ed)? with code 9",
    "forced_to_the_ended":
        r"TUTTI_NX_FORCED=error: no receive was posted for the message of type 1073741825 (to node "
        r"1, which has ended|from node 0), of 16 bytes; node [01] of 3",
}


def run(command, **variables):
    return subprocess.run(command,
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=100,
                          env=dict(os.environ, **variables),
                          stdin=subprocess.DEVNULL)


def main(tutti, program):
    launched = [tutti, "run", "-n", "3", "--timeout", "60", program]
    failures = 0
    for name, pattern in MISTAKES.items():
        codes = set()
        for command in (launched + [name], [program, name, "-sz", "3"]):
            done = run(command, TUTTI_NX_FORCED="error")
            lines = [line for line in done.stderr.splitlines() if not line.startswith("  ")]
            good = re.search(pattern, done.stderr) and done.returncode not in (0, 124)
            # A child that was forked is no process of the job, so it prints a line of its own.
            good = good and len(lines) <= (2 if name == "in_a_child" else 1)
            codes.add(done.returncode)
            failures += not good
            print(f"{'good' if good else 'FAILED'}: {' '.join(command)}" +
                  ("" if good else f": exit code {done.returncode}\n{done.stderr}"))
        if len(codes) > 1:
            failures += 1
            print(f"FAILED: {name} has the exit codes {codes} with and without a launcher")
    told = ("nx: node {} has discarded 1 message of forced types, for which no receive was "
            "posted\n")
    for name, node in (("forced", 1), ("forced_unseen", 1), ("forced_to_the_ended", 0)):
        done = run(launched + [name])
        if done.returncode != 0 or done.stderr != told.format(node):
            failures += 1
            print(f"FAILED: {name}, discarded: exit code {done.returncode}\n{done.stderr}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
