#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""errors.py TUTTI BLACS_ERRORS [--mpi FLAVOUR] [--only NAME,...]: checks that every wrong argument
ends the job with an exit code that is not zero and one message that names routine, argument, value
and place. Warnings must not end the job. Programs that are started without the launcher must be
able to start processes. With --mpi the launcher of that MPI starts the ranks, of a program that is
linked with the library for it. The exit code is 77 (skipped) if that launcher is missing."""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77

# The second text comes under an MPI.
LEFT_EARLY = (r"rank 2 has left while rank \d waits for it|"
              r"dgsum2d: .*rank 2 \(process \d+\) has left the job")
PLACE = r"; process \{\d,\d\}, context 0"
FATAL = {
    "rdest": r"dgesd2d: argument 'RDEST' is 7 but the grid has 2 rows" + PLACE,
    "cdest": r"zgesd2d: argument 'CDEST' is -2 but the grid has 2 columns" + PLACE,
    "rsrc": r"dgerv2d: argument 'RSRC' is 2 but the grid has 2 rows" + PLACE,
    "broadcast_root": r"dgebr2d: argument 'CSRC' is 5 but the grid has 2 columns" + PLACE,
    "combine_dest": r"dgsum2d: argument 'CDEST' is 2 but the grid has 2 columns" + PLACE,
    "scope": r"dgsum2d: argument 'SCOPE' is 'x', not one of" + r".*" + PLACE,
    "barrier_scope": r"blacs_barrier: argument 'SCOPE' is '\?', not one of",
    "top": r"dgebs2d: argument 'TOP' is 'q', not one of",
    "combine_top": r"dgamx2d: argument 'TOP' is '0', not one of",
    "empty_top": r"dgsum2d: argument 'TOP' is an empty text, not one of I D .* blank" + PLACE,
    "empty_uplo": r"dtrsd2d: argument 'UPLO' is an empty text, neither 'U' nor 'L'" + PLACE,
    "unprintable_scope": r"blacs_barrier: argument 'SCOPE' is the character with number 10, not "
                         r"one of .*" + PLACE,
    "uplo": r"dtrbs2d: argument 'UPLO' is 'x', neither 'U' nor 'L'" + PLACE,
    "diag": r"dtrsd2d: argument 'DIAG' is 'x', neither 'U' nor 'N'" + PLACE,
    "m": r"dgesd2d: argument 'M' is -1, which is negative" + PLACE,
    "n": r"dtrsd2d: argument 'N' is -3, which is negative" + PLACE,
    "lda": r"dgesd2d: argument 'LDA' is 2 but must be at least M, which is 3" + PLACE,
    "exited": r"dgsum2d: argument 'ICONTXT' is 0, which is not a context \(never made, or "
              r"exited\); process number \d",
    "no_context": r"blacs_gridexit: argument 'ICONTXT' is 7, which is not a context",
    "too_large": r"blacs_gridinit: arguments 'NPROW' and 'NPCOL' ask for a grid of 3 x 2, but "
                 r"there are 4 processes",
    "empty_grid": r"blacs_gridinit: arguments 'NPROW' and 'NPCOL' ask for a grid of 0 x 2",
    "map_twice": r"blacs_gridmap: process 1 appears twice in the grid",
    "low_ldumap": r"blacs_gridmap: argument 'LDUMAP' is 1 but must be at least NPROW, which is 2",
    "map_outside": r"blacs_gridmap: argument 'USERMAP'\(2,2\) is 4, but processes are numbered 0 "
                   r"to 3",
    "system_handle": r"blacs_gridinit: argument 'ICONTXT' is 99, which is not a system handle",
    "after_exit": r"blacs_get: was called after blacs_exit\(0\)",
    "receive_cycle": r"all processes wait for messages that nobody will send\n(.*\n)*"
                     r".*waiting in dgerv2d \(a message\) for rank \d(.*\n)*  cycle: rank 0 -> ",
    # The second text of each pair comes without a supervisor, under an MPI.
    "receive_from_ended": r"rank 3 has left while rank 0 waits for it|"
                          r"rank 3 \(process \d+\) has left the job",
    "order": r"(dgsum2d|blacs_barrier): .*rank \d of 4 is in \w+ .* but rank \d in \w+ "
             r".*all ranks must make the same call" + r".*" + PLACE,
    # Either side may be the first to see it.
    "sum_sizes": r"dgsum2d: .*expects (32 bytes from rank 0, which sent 64|64 bytes from rank \d, "
                 r"which sent 32)" + r".*" + PLACE,
    "broadcast_sizes": r"dgebr2d: .*expects 32 bytes from rank 0, which sent 64" + r".*" + PLACE,
    "own_broadcast": r"dgebr2d: arguments 'RSRC' and 'CSRC' are 0 and 1, which is this process "
                     r"itself; process \{0,1\}",
    "message_sizes": r"dgerv2d: .*rank 3 receives 32 bytes but rank 0 sent 64" + r".*" + PLACE,
    "list_twice": r"blacs_scopemap: argument 'N' is 5, but the grid has 4 processes" + PLACE,
    "list_same": r"blacs_scopemap: arguments 'LIST'\(2\) and 'LIST'\(4\) are the same process, 1" +
                 PLACE,
    "list_outside": r"blacs_scopemap: argument 'LIST'\(3\) is 4, but no process of the grid has "
                    r"this number" + PLACE,
    "list_absent": r"blacs_scopemap: argument 'LIST' has not this process, which has the number "
                   r"\d" + PLACE,
    "list_name": r"blacs_scopemap: argument 'SCOPE' is 'R', but must be a digit, or a letter other "
                 r"than R, C and A" + PLACE,
    "list_order": r"blacs_scopemap: argument 'LIST' has the processes 0 1 (2 3 here, but 0 1 3 2|3 "
                  r"2 here, but 0 1 2 3) in process \{\d,\d\}: all processes in a list give it in "
                  r"the same order" + PLACE,
    "list_lacks_one": r"blacs_scopemap: argument 'LIST' has the processes (0 1 2 3 here, but 3 0 1|"
                      r"3 0 1 here, but 0 1 2 3) in process \{\d,\d\}: all" + r".*" + PLACE,
    "list_names": r"blacs_scopemap: argument 'SCOPE' is '[12]' here, but '[12]' in process "
                  r"\{\d,\d\}, for the same list" + PLACE,
    "list_alone": r"all processes wait for messages that nobody will send\n(.*\n)*"
                  r".*waiting in blacs_scopemap \(a message\) for rank 2",
    "list_destination": r"dgsum2d: arguments 'RDEST' and 'CDEST' are 1 and 0, a process that is "
                        r"not in the list of the scope" + PLACE,
    "list_outsider": r"blacs_barrier: argument 'SCOPE' is '1', not one of 'Row', 'Column', 'All' "
                     r"and those of blacs_scopemap" + PLACE,
    "mpi_topology_largest": r"dgamx2d: argument 'TOP' is 'p', the MPI's own collective, which "
                            r"serves broadcasts and sums only" + PLACE,
    "user_uplo": r"dtuop2d: argument 'UPLO' is 'x', none of 'U', 'L' and 'G'" + PLACE,
    "user_op": r"dtuop2d: argument 'OP' is NULL" + PLACE,
    "user_combine_sizes": r"dtuop2d: .*expects (32 bytes from rank \d, which sent 64|64 bytes from "
                          r"rank \d, which sent 32)" + r".*" + PLACE,
    "user_combine_or_sum": r"(dtuop2d|dgsum2d): .*rank \d of 4 .* combines by (a user's .*, but "
                           r"rank \d by sum|sum .*, but rank \d by a user's) .*"
                           r"all ranks must give the same operator and type .*" + PLACE,
    "anybody_sizes": r"dgera2d: .*rank 3 receives 32 bytes but rank 0 sent 64" + r".*" + PLACE,
    "anybody_in_vain": r"all processes wait for messages that nobody will send\n(.*\n)*"
                       r".*rank 2: waiting in dgera2d \(a message\) from anybody\n",
    "anybody_from_ended": r"all processes wait for messages that nobody will send\n(.*\n)*"
                          r".*rank 0: waiting in dgera2d \(a message\) from anybody\n",
    "anybody_constant": r"dgerv2d: argument 'RSRC' is a constant, but the source of the message is "
                        r"returned in it" + PLACE,
    "anybody_by_value": r"dtrrv2d: argument 'RSRC' is -1; Cdtrra2d receives from anybody and tells "
                        r"who has sent" + PLACE,
    "null_list": r"blacs_scopemap: argument 'LIST' is NULL" + PLACE,
    "null_name": r"blacs_scopemap: argument 'SCOPE' is NULL" + PLACE,
    "null_scope": r"dtuop2d: argument 'SCOPE' is NULL" + PLACE,
    "null_top": r"dtuop2d: argument 'TOP' is NULL" + PLACE,
    "null_uplo": r"dtuop2d: argument 'UPLO' is NULL" + PLACE,
    "null_diag": r"dtrsd2d: argument 'DIAG' is NULL" + PLACE,
    "null_source": r"dtrra2d: argument 'CSRC' is NULL" + PLACE,
    "null_sources": r"dtrra2d: argument 'RSRC' is NULL" + PLACE,
    "null_value": r"blacs_get: argument 'VAL' is NULL; process number \d",
    "killed": r"rank 2 \(.*\) was killed by signal 9",
    "left_early": LEFT_EARLY,
    "left_while_others_compute": LEFT_EARLY,
    "abort": r"blacs_abort: process \{\d,\d\} of context 0 \(process number \d\) ended the job "
             r"with error number 42",
}
# These calls are right in processes that an MPI has started.
WITHOUT_MPI = {
    "mpi_topology": r"dgsum2d: argument 'TOP' is 'P', the MPI's own collective, but no MPI has "
                    r"started these processes" + PLACE,
}
ONE_DOUBLE = r"a 1 x 1 matrix of doubles \(LDA 1\)"
# (case, TUTTI_BLACS_DEBUG) -> message. The variable is checked before any call does its work.
LEVELS = {
    ("rdest", "0"): FATAL["rdest"],
    ("what", "abc"): r"blacs_get: environment variable TUTTI_BLACS_DEBUG is 'abc' but must be a "
                     r"whole number from 0 to 3; process number \d",
    ("what", "4"): r"blacs_get: environment variable TUTTI_BLACS_DEBUG is '4' but must be a whole "
                   r"number from 0 to 3; process number \d",
    ("hang", "1"): r"all processes wait for messages that nobody will send\n(.*\n)*"
                   r".*waiting in ztrrv2d \(a message\) for rank 3\n",
    ("hang", "2"): r"all processes wait for messages that nobody will send\n"
                   r"  rank 0: waiting in blacs_barrier \(barrier #\d, 2 ranks, round \d\) for "
                   r"rank 1: process \{0,0\}, context 0 waits at the barrier, SCOPE Row\n"
                   r"  rank 1: waiting in ztrrv2d \(a message\) for rank 3: process \{0,1\}, "
                   r"context 0 receives the lower trapezoid of a 2 x 1 matrix of complex doubles "
                   r"\(LDA 3, DIAG 'N'\) from process \{1,1\}\n"
                   r"  rank 2: waiting in sgebr2d \(broadcast #\d, 2 ranks, round \d\) for rank 0: "
                   r"process \{1,0\}, context 0 receives a 3 x 2 matrix of singles \(LDA 4\) that "
                   r"process \{0,0\} broadcasts, SCOPE Column, TOP 'F'\n"
                   r"  rank 3: waiting in dgamx2d \(\w+ #\d, 2 ranks, round \d\) for rank 2: "
                   rf"process \{{1,1\}}, context 0 takes the largest of {ONE_DOUBLE} for process "
                   r"\{1,1\}, SCOPE Row, TOP ' '\n"
                   r"  cycle: rank 0 -> rank 1 -> rank 3 -> rank 2 -> rank 0",
    ("hang_in_additions", "2"): r"all processes wait for messages that nobody will send\n"
                                r"  rank 0: waiting in dgera2d \(a message\) from anybody: process "
                                rf"\{{0,0\}}, context 0 receives {ONE_DOUBLE} from anybody\n"
                                r"  rank 1: waiting in blacs_scopemap .*: process \{0,1\}, context "
                                r"0 compares its list with those of the other processes in it\n"
                                r"  rank 2: waiting in blacs_scopemap .*\n"
                                r"  rank 3: waiting in blacs_barrier .* SCOPE All\n",
    ("anybody_types", "3"): r"dgera2d: the types differ: process \{0,1\} in igesd2d sends .*, but "
                            rf"process \{{0,0\}} in dgera2d receives {ONE_DOUBLE} from "
                            r"anybody" + PLACE,
    ("user_forms", "3"): r"dtuop2d: the UPLOs differ: process \{0,0\} in dtuop2d combines by "
                         r"its own functions the upper trapezoid .* but process \{1,1\} "
                         r".* lower .*" + PLACE,
    ("list_tops", "3"): r"dgsum2d: the TOPs differ: process \{1,1\} in dgsum2d sums .* for process "
                        r"\{0,1\}, SCOPE 'x', TOP 'I', but process \{0,1\} in .* TOP '2'" + PLACE,
    ("message_types", "3"): r"dgerv2d: the types differ: process \{0,0\} in igesd2d sends a 1 x 2 "
                            r"matrix of integers \(LDA 1\) to process \{1,1\}, but process \{1,1\} "
                            rf"in dgerv2d receives {ONE_DOUBLE} from process \{{0,0\}}" + PLACE,
    ("message_trapezoids", "3"): r"dtrrv2d: the UPLOs differ: process \{0,0\} in dtrsd2d sends the "
                                 r"upper trapezoid of a 2 x 2 .* but process \{1,1\} in dtrrv2d "
                                 r"receives the lower trapezoid of a 2 x 2 .*" + PLACE,
    ("message_sizes", "3"): r"dgerv2d: the shapes differ: process \{0,0\} in dgesd2d sends a 4 x 2 "
                            r".* but process \{1,1\} in dgerv2d receives a 2 x 2 .*" + PLACE,
    ("order", "3"): r"(dgsum2d|blacs_barrier): the operations differ: process \{0,0\} in dgsum2d "
                    r"sums a 2 x 2 matrix of doubles \(LDA 2\) for all, SCOPE All, TOP ' ', but "
                    r"process \{0,1\} in blacs_barrier waits at the barrier, SCOPE All" + PLACE,
    ("sum_sizes", "3"): r"dgsum2d: the shapes differ: process \{0,0\} in dgsum2d sums a 4 x 2 .* "
                        r"but process \{0,1\} in dgsum2d sums a 2 x 2 .*" + PLACE,
    ("broadcast_sizes", "3"): r"dgeb[sr]2d: the shapes differ: process \{0,0\} in dgebs2d "
                              r"broadcasts a 4 x 2 .*, but process \{0,1\} in dgebr2d receives a 2 "
                              r"x 2 .*" + PLACE,
    ("different_tops", "3"): r"dgeb[sr]2d: the TOPs differ: process \{0,0\} in dgebs2d broadcasts "
                             rf"{ONE_DOUBLE}, SCOPE All, TOP 'I', but process \{{1,1\}} in dgebr2d "
                             rf"receives {ONE_DOUBLE} that process \{{0,0\}} broadcasts, SCOPE "
                             r"All, TOP 'F'" + PLACE,
    ("different_scopes", "3"): r"dgsum2d: the SCOPEs differ: process \{0,0\} .* SCOPE All, .*, but "
                               r"process \{0,2\} in .* SCOPE Row, " + r".*" + PLACE,
    ("different_destinations", "3"): r"dgsum2d: the destinations differ: process \{0,0\} .* for "
                                     r"process \{0,0\}, .* but process \{0,1\} .* for process "
                                     r"\{0,1\}, " + r".*" + PLACE,
}
# Mistakes that no level below 3 finds.
UNNOTICED = {
    (name, level): None
    for name in ("message_types", "message_trapezoids", "different_scopes", "anybody_types",
                 "user_forms") for level in "12"
}
WARNINGS = UNNOTICED | {
    ("message_forms", "1"): None,
    ("sender_is_earlier", "1"): None,
    ("additions", "1"): None,
    ("additions", "2"): None,
    ("additions", "3"): None,
    ("level_value", "1"): r"blacs_set: argument 'VAL' is 4, but a level is 0 to 3 \(WHAT 2\)",
    ("what", "1"): r"blacs_set: argument 'WHAT' is 99, which is not known",
    ("rings", "1"): r"blacs_set: argument 'VAL' is 0: the number of rings cannot be zero",
    ("lda_raised", "0"): None,
    ("extreme_settings", "1"): None,
}
BY_HAND = {"hand": "number 0 of -1", "hand_world_of_one": "sum 5", "setup": "number 0 of 3"}




def run(command, level="1"):
    environment = dict(os.environ, TUTTI_BLACS_DEBUG=level)
    return subprocess.run(command,
                          env=environment,
                          capture_output=True,
                          text=True,
                          timeout=60,
                          check=False)


def launcher(options, level):
    """Returns the words in front of the program that start four ranks."""
    if options.mpi:
        return mpi_launchers.launcher(options.mpi, 4, {"TUTTI_BLACS_DEBUG": level})
    return [options.tutti, "run", "-n", "4", "--timeout", "30"]


class Report:
    """Counts the cases and prints those that failed."""

    def __init__(self, options):
        self.options = options
        self.cases = self.failures = 0

    def wanted(self, name):
        return not self.options.only or name in self.options.only.split(",")

    def check(self, good, name, done):
        self.cases += 1
        if not good:
            self.failures += 1
            print(f"failed: {name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def errors(options, report):
    fatal = FATAL if options.mpi else FATAL | WITHOUT_MPI
    cases = {(name, "1"): pattern for name, pattern in fatal.items()} | LEVELS
    for (name, level), pattern in cases.items():
        if not report.wanted(name):
            continue
        done = run(launcher(options, level) + [options.program, name], level)
        code_fits = done.returncode == 42 if name == "abort" else done.returncode not in (0, 124)
        report.check(
            len(re.findall(pattern, done.stderr)) == 1 and code_fits, f"{name} at level {level}",
            done)


def warnings(options, report):
    for (name, level), pattern in WARNINGS.items():
        if not report.wanted(name):
            continue
        done = run(launcher(options, level) + [options.program, name], level)
        said = mpi_launchers.without_notices(done.stderr)
        count = len(re.findall(pattern, said)) if pattern else len(said)
        report.check(done.returncode == 0 and count == (4 if pattern else 0),
                     f"{name} at level {level}", done)


def by_hand(options, report):
    for name, output in BY_HAND.items():
        done = run([options.program, name])
        report.check(done.returncode == 0 and output in done.stdout, name, done)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tutti")
    parser.add_argument("program")
    parser.add_argument("--mpi", choices=mpi_launchers.LAUNCHERS)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.mpi and not mpi_launchers.installed(options.mpi):
        print(f"skipped: {mpi_launchers.LAUNCHERS[options.mpi][0]} is not installed")
        return SKIPPED
    report = Report(options)
    errors(options, report)
    warnings(options, report)
    if not options.mpi:
        by_hand(options, report)
    print(f"{report.cases} cases, {report.failures} failed")
    return report.failures != 0


if __name__ == "__main__":
    sys.exit(main())
