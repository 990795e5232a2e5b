#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""misuse.py TUTTI MISUSE [--mpi FLAVOUR]: checks that every mistake with BLACS 1.0 ends all four
processes with an exit code that is not zero, and with one message that names routine, argument,
value and process. With --mpi the launcher of that MPI starts the processes for some of them. The
exit code is 77 (skipped) if that launcher is missing."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
PLACE = r"; process \{\d,\d\}"
NUMBER = r"; process number \d"
MISTAKES = {
    "rdest": r"dgesd2d: argument 'RDEST' is 7 but the grid has 2 rows" + PLACE,
    "cdest": r"dgesd2d: argument 'CDEST' is -2 but the grid has 2 columns" + PLACE,
    "rsrc": r"dgerv2d: argument 'RSRC' is 2 but the grid has 2 rows" + PLACE,
    "broadcast_root": r"dgebr2d: argument 'CSRC' is 5 but the grid has 2 columns" + PLACE,
    "own_broadcast": r"strbr2d: arguments 'RSRC' and 'CSRC' are 0 and 1, which is this process "
                     r"itself; process \{1,1\}",
    "combine_dest": r"dgsum2d: argument 'CDEST' is 2 but the grid has 2 columns" + PLACE,
    "combine_column": r"dgsum2d: argument 'CDEST' is -1 but the grid has 2 columns" + PLACE,
    "scope": r"dgsum2d: argument 'SCOPE' is 'x', not one of 'Row', 'Column', 'All' and those of "
             r"scopemap" + PLACE,
    "barrier_scope": r"barrier: argument 'SCOPE' is '\?', not one of .*" + PLACE,
    "top": r"dgebs2d: argument 'TOP' is ' ', not one of I D S M F H T and 1-9" + PLACE,
    "combine_top": r"dgmax2d: argument 'TOP' is 'I', not one of F H T and 1-9, which combines have"
                   + PLACE,
    "uplo": r"dtrbs2d: argument 'UPLO' is 'x', neither 'U' nor 'L'" + PLACE,
    "empty_uplo": r"dtrsd2d: argument 'UPLO' is an empty text, neither 'U' nor 'L'" + PLACE,
    "empty_top": r"dgsum2d: argument 'TOP' is an empty text, not one of F H T .*" + PLACE,
    "rdest_at_level_0": r"dgesd2d: argument 'RDEST' is 268435456 but the grid has 2 rows" + PLACE,
    "id_of_nobody_at_level_0": r"krecvid: argument 'CSRC' is 268435456 but the grid has 2 "
                               r"columns" + PLACE,
    "diag": r"dtrsd2d: argument 'DIAG' is 'x', neither 'U' nor 'N'" + PLACE,
    "negative_m": r"dgesd2d: argument 'M' is -1, which is negative" + PLACE,
    "negative_n": r"dtrsd2d: argument 'N' is -1, which is negative" + PLACE,
    "lda": r"dgesd2d: argument 'LDA' is 2 but must be at least M, which is 3" + PLACE,
    "ldia": r"dgmin2d: argument 'LDIA' is 2 but must be at least M, which is 3" + PLACE,
    "no_grid": r"dgesd2d: this process is in no grid: BLACSINIT or GRIDMAP makes one.*" + NUMBER,
    "outsider": r"dgsum2d: this process is in no grid: .*; process number 3",
    "too_large": r"blacsinit: arguments 'NPROW' and 'NPCOL' ask for a grid of 3 x 2, but there are "
                 r"4 processes" + NUMBER,
    "empty_grid": r"blacsinit: arguments 'NPROW' and 'NPCOL' ask for a grid of 0 x 2",
    "map_twice": r"gridmap: process 1 appears twice in the grid" + NUMBER,
    "low_ldumap": r"gridmap: argument 'LDUMAP' is 1 but must be at least NPROW, which is 2" +
                  NUMBER,
    "map_unknown": r"gridmap: argument 'USERMAP'\(2,2\) is 4, but processes are numbered 0 to 3",
    "branches": r"setbranches: argument 'BRANCHES' is 0 but must be 1 or more" + NUMBER,
    "ranges_overlap": r"shift_range: the ranges of ids 0 to 99 and 99 to 200 overlap",
    "range_reversed": r"shift_range: arguments 'MINSND' and 'MAXSND' are 10 and 9, but ids are 0 "
                      r"to 2147483647, and a range begins with its least one",
    "range_outside": r"shift_range: arguments 'MINBS' and 'MAXBS' are -20 and -10, but ids are 0",
    "range_too_small": r"blacsinit: a grid of 2 x 2 needs 4 ids for messages and 12 for scoped "
                       r"operations, but SHIFT_RANGE gave the ranges 0 to 2 and 10 to 100" + NUMBER,
    "id_of_another": r"ksendid: arguments 'RSRC' and 'CSRC' are 1 and 1, but only the source knows "
                     r"its next id; process \{0,1\}",
    "id_of_nobody": r"kbrid: argument 'CSRC' is 2 but the grid has 2 columns" + PLACE,
    "id_unknown": r"all processes wait for messages that nobody will send\n(.*\n)*"
                  r".*waiting in dgerv2d \(a message\) for rank 0",
    "after_exit": r"blacsinit: was called after BLACSEXIT\(0\)",
    "no_pvm": r"setpvmtids: this program is not linked with the PVM of tutti, so it has no tasks",
    "late_tids": r"setpvmtids: must be called before all other routines of the BLACS" + NUMBER,
    "receive_cycle": r"all processes wait for messages that nobody will send\n(.*\n)*"
                     r".*waiting in dgerv2d \(a message\) for rank \d(.*\n)*  cycle: rank 0 -> ",
    "order": r"(dgsum2d|barrier): .*rank \d of 4 is in \w+ .* but rank \d in \w+ "
             r".*all ranks must make the same call" + r".*" + PLACE,
    "sum_sizes": r"dgsum2d: .*expects (32 bytes from rank \d, which sent 64|64 bytes from rank \d, "
                 r"which sent 32)" + r".*" + PLACE,
    "broadcast_sizes": r"dgebr2d: .*expects 32 bytes from rank 0, which sent 64" + r".*" + PLACE,
    "message_sizes": r"dgerv2d: .*rank 3 receives 32 bytes but rank 0 sent 64" + r".*" + PLACE,
    "killed": r"rank 2 \(.*\) was killed by signal 9",
    "exit_code": r"rank 2 .*exited with code 9",
    "left_early": r"rank 2 has left while rank \d waits for it|"
                  r"exit: .*process \d has sent a message of \w+ .* to process 2, which did not "
                  r"take it",
}
ONE_DOUBLE = r"a 1 x 1 matrix of doubles \(LDA 1\)"
MISTAKES |= {
    "level_unknown": r"blacsdebug: argument 'LEVEL' is 4 but must be 0 to 3" + NUMBER,
    "null_level": r"blacsdebug: argument 'LEVEL' is NULL" + NUMBER,
    "null_tasks": r"setpvmtids: argument 'NTASKS' is NULL" + NUMBER,
    "timing_unknown": r"blacstiming: argument 'LEVEL' is 3 but must be 0 to 2" + NUMBER,
    "hang_explained": r"all processes wait for messages that nobody will send\n"
                      r"  rank 0: waiting in barrier .* for rank 1: process \{0,0\} waits at the "
                      r"barrier, SCOPE Row\n"
                      rf"  rank 1: .* for rank 3: process \{{0,1\}} receives {ONE_DOUBLE} from "
                      r"process \{1,1\}\n"
                      r"  rank 2: .* for rank 0: process \{1,0\} receives a 3 x 2 matrix of "
                      r"doubles \(LDA 4\) that process \{0,0\} broadcasts, SCOPE Column, TOP 'I'\n"
                      rf"  rank 3: .* for rank 2: process \{{1,1\}} sums {ONE_DOUBLE} for all, "
                      r"SCOPE Row, TOP '1'\n",
    "message_types": r"dgerv2d: the types differ: process \{0,0\} in igesd2d sends a 1 x 2 matrix "
                     r"of integers \(LDA 1\) to process \{1,1\}, but process \{1,1\} in dgerv2d "
                     rf"receives {ONE_DOUBLE} from process \{{0,0\}}" + PLACE,
    "operations": r"(dgsum2d|barrier): the operations differ: process \{0,0\} in dgsum2d sums .*, "
                  r"but process \{0,1\} in barrier waits at the barrier, SCOPE All" + PLACE,
}
OUTPUT = {
    "none": "",
    "level_3": "",
    "timed": r"times in the BLACS, of 4 of 4 processes\nroutine .*\n"
             r"(barrier  +\d  +1  +[.\d]+  +[.\d]+  +-  +-  +-\n){4}"
             r"(dgsum2d  +\d  +1  +[.\d]+  +[.\d]+  +8  +8.0  +8\n){4}",
}
MISTAKES |= {
    "anybody_variable": r"dgerv2d: arguments 'RSRC' and 'CSRC' are the same variable, but the "
                        r"source of the message is returned in both" + PLACE,
    "anybody_constant": r"dgerv2d: argument 'RSRC' is a constant, but the source of the message is "
                        r"returned in it" + PLACE,
    "anybody_in_vain": r"all processes wait for messages that nobody will send\n(.*\n)*"
                       r".*rank 2: waiting in dgerv2d \(a message\) from anybody\n",
    "anybody_sizes": r"dgerv2d: .*rank 3 receives 16 bytes but rank 1 sent 8.*" + PLACE,
    "anybody_id": r"dgerv2d: the message from process \{0,1\} has the id \d+, but the next one "
                  r"from there has \d+; both processes must take the same ids" + PLACE,
    "anybody_types": r"dgerv2d: the types differ: process \{0,1\} in igesd2d sends .*, but process "
                     rf"\{{1,1\}} in dgerv2d receives {ONE_DOUBLE} from anybody" + PLACE,
    "user_op": r"dtuop2d: argument 'OP' is NULL" + PLACE,
    "user_uplo": r"dtuop2d: argument 'UPLO' is 'x', none of 'U', 'L' and 'G'" + PLACE,
    "user_top": r"dtuop2d: argument 'TOP' is 'I', not one of F H T and 1-9, which combines have"
                + PLACE,
    "user_sizes": r"dtuop2d: .*expects (16 bytes from rank \d, which sent 32|32 bytes from rank "
                  r"\d, which sent 16).*" + PLACE,
    "user_or_sum": r"(dtuop2d|dgsum2d): .*rank \d of 4 .* combines by (a user's .*, but rank \d by "
                   r"sum|sum .*, but rank \d by a user's) .*all ranks must give the same operator "
                   r"and type .*" + PLACE,
    "list_same": r"scopemap: arguments 'LIST'\(2\) and 'LIST'\(4\) are the same process, 1" + PLACE,
    "list_long": r"scopemap: argument 'N' is 5, but the grid has 4 processes" + PLACE,
    "list_outside": r"scopemap: argument 'LIST'\(3\) is 4, but no process of the grid has this "
                    r"number" + PLACE,
    "list_outside_grid": r"scopemap: argument 'LIST'\(2\) is 3, but no process of the grid has "
                         r"this number" + PLACE,
    "list_absent": r"scopemap: argument 'LIST' has not this process, which has the number "
                   r"\d" + PLACE,
    "list_name": r"scopemap: argument 'SCOPE' is 'c', but must be a digit, or a letter other than "
                 r"R, C and A" + PLACE,
    "list_order": r"scopemap: argument 'LIST' has the processes 0 1 (2 3 here, but 0 1 3 2|3 2 "
                  r"here, but 0 1 2 3) in process \{\d,\d\}: all processes in a list give it in "
                  r"the same order" + PLACE,
    "list_names": r"scopemap: argument 'SCOPE' is '[12]' here, but '[12]' in process \{\d,\d\}, "
                  r"for the same list" + PLACE,
    "list_alone": r"all processes wait for messages that nobody will send\n(.*\n)*"
                  r".*waiting in scopemap \(a message\) for rank 2",
    "list_destination": r"dgsum2d: arguments 'RDEST' and 'CDEST' are 1 and 0, a process that is "
                        r"not in the list of the scope" + PLACE,
    "list_outsider": r"barrier: argument 'SCOPE' is 'x', not one of 'Row', 'Column', 'All' and "
                     r"those of scopemap; process \{1,1\}",
    "list_of_last_grid": r"barrier: argument 'SCOPE' is 'x', not one of .*" + PLACE,
    "list_ids": r"kbsid: argument 'SCOPE' is 'x', a list, but only operations of rows, columns and "
                r"all have ids" + PLACE,
    "null_list": r"scopemap: argument 'LIST' is NULL" + PLACE,
    "null_count": r"scopemap: argument 'N' is NULL" + NUMBER,
}
UNDER_MPI = ["rdest", "scope", "outsider", "ranges_overlap", "receive_cycle", "hang_explained"]


def outcome(good, name, done):
    print(f"{'good' if good else 'FAILED'}: {name}" +
          ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return not good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tutti")
    parser.add_argument("program")
    parser.add_argument("--mpi", choices=mpi_launchers.LAUNCHERS)
    options = parser.parse_args()
    if options.mpi and not mpi_launchers.installed(options.mpi):
        print(f"skipped: {mpi_launchers.LAUNCHERS[options.mpi][0]} is not installed")
        return SKIPPED
    launcher = mpi_launchers.launcher(options.mpi, 4) if options.mpi else [
        options.tutti, "run", "-n", "4", "--timeout", "30"
    ]
    failures = 0
    for name in UNDER_MPI if options.mpi else MISTAKES:
        done = subprocess.run([*launcher, options.program, name],
                              capture_output=True,
                              text=True,
                              check=False,
                              timeout=100,
                              stdin=subprocess.DEVNULL)
        good = len(re.findall(MISTAKES[name], done.stderr)) == 1 and done.returncode not in (0, 124)
        failures += outcome(good, name, done)
    # A program without mistakes may end without BLACSEXIT.
    for name, output in OUTPUT.items():
        done = subprocess.run([*launcher, options.program, name],
                              capture_output=True,
                              text=True,
                              check=False,
                              timeout=100,
                              stdin=subprocess.DEVNULL)
        said = mpi_launchers.without_notices(done.stderr)
        good = done.returncode == 0 and re.fullmatch(output, said) is not None
        failures += outcome(good, name, done)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
