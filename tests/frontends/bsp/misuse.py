#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""misuse.py TUTTI MISUSE: checks that every misuse ends all processes with an exit code that is not
0 and one message that names the routine, the mistake, process, superstep and place. Mistakes that
only safe mode finds must do no harm without it."""
import os
import re
import subprocess
import sys

WHERE = r"; process \d of 3, superstep \d, called at \w+\+0x\w+ \(bsp_misuse\+0x\w+\)"
PLACE = r"\w+\+0x\w+ \(bsp_misuse\+0x\w+\)"
ALWAYS = {
    "put_pid": r"bsp_put: argument 'pid' is 3 but there are 3 processes" + WHERE,
    "put_negative_pid": r"bsp_put: argument 'pid' is -1 but there are 3 processes" + WHERE,
    "put_unregistered": r"bsp_put: address 0x\w+ is not registered; a registration counts from the "
                        r"next bsp_sync on"
    + WHERE,
    "put_too_early": r"bsp_put: address 0x\w+ is not registered; a registration counts" + r".*" +
    WHERE,
    "put_after_pop": r"bsp_put: address 0x\w+ is not registered; .*superstep 2",
    "put_beyond": r"bsp_put: bytes 12 to 20 are outside of the 16 bytes that process 1 has "
                  r"registered"
    + WHERE,
    "put_negative_offset": r"bsp_put: argument 'offset' is -4, which is negative" + WHERE,
    "put_negative_size": r"bsp_put: argument 'size' is -4, which is negative" + WHERE,
    "put_null": r"bsp_put: argument 'source' is NULL" + WHERE,
    "get_beyond": r"bsp_get: bytes 16 to 17 are outside of the 16 bytes that process 1 has "
                  r"registered"
    + WHERE,
    "get_unregistered": r"bsp_get: address 0x\w+ is not registered" + r".*" + WHERE,
    "get_null": r"bsp_get: argument 'destination' is NULL" + WHERE,
    "hpput_beyond": r"bsp_hpput: bytes 13 to 17 are outside of the 16 bytes that process 0 has "
                    r"registered"
    + WHERE,
    "hpget_pid": r"bsp_hpget: argument 'pid' is 77 but there are 3 processes" + WHERE,
    "pop_unregistered": r"bsp_pop_reg: address 0x\w+ is not registered" + WHERE,
    "pop_twice": r"bsp_pop_reg: address 0x\w+ is not registered" + WHERE,
    "push_null": r"bsp_push_reg: NULL is registered with 8 bytes" + WHERE,
    "push_negative": r"bsp_push_reg: argument 'size' is -1, which is negative" + WHERE,
    "tag_size_negative": r"bsp_set_tagsize: argument 'size' is -8, which is negative" + WHERE,
    "send_pid": r"bsp_send: argument 'pid' is 4 but there are 3 processes" + WHERE,
    "send_null": r"bsp_send: the payload is NULL but has 4 bytes" + WHERE,
    "send_null_tag": r"bsp_send: the tag is NULL but has 4 bytes" + WHERE,
    "move_nothing": r"bsp_move: there is no message" + WHERE,
    "tag_null": r"bsp_get_tag: argument 'tag' is NULL but tags have 4 bytes" + WHERE,
    "begin_twice": r"bsp_begin: a parallel part has begun already" + WHERE,
    "begin_nothing": r"bsp_begin: argument 'processes' is 0 but must be 1 or more; called at " +
    PLACE,
    "free_other": r"bsp_free: .*argument 'address' is not that of memory",
    "free_registered": r"bsp_free: the memory at 0x\w+ is still registered, or freed twice" +
    WHERE,
    "fold_null": r"bsp_fold: argument 'op' is NULL" + WHERE,
    "bcast_root": r"bsp_bcast: argument 'pid' is 3 but there are 3 processes" + WHERE,
    "sync_before_begin": r"bsp_sync: was called before bsp_begin; called at " + PLACE,
    "put_after_end": r"bsp_put: was called after bsp_end; called at " + PLACE,
    "sync_after_end": r"bsp_sync: was called after bsp_end; called at " + PLACE,
    "init_null": r"bsp_init: argument 'spmd' is NULL; called at " + PLACE,
    "init_without_end": r"bsp_init: the parallel part returned without bsp_end; called at " + PLACE,
    "sync_counts_null": r"bsp_sync_counts: argument 'counts' is NULL" + WHERE,
    "sync_counts_after_get": r"bsp_sync_counts: there were gets in this superstep; they need "
                             r"bsp_sync"
    + WHERE,
    "sync_counts_after_push": r"bsp_sync_counts: registrations have changed in this superstep; "
                              r"they need bsp_sync"
    + WHERE,
    "sync_counts_tag_size": r"bsp_sync_counts: the tag size has changed; it needs bsp_sync" + WHERE,
    "no_neighbour": r"bsp_sync_neighbours: there are puts or messages for process \d, which is no "
                    r"neighbour"
    + WHERE,
    "neighbour_pid": r"bsp_sync_neighbours: argument 'pid' is 3 but there are 3 processes" + WHERE,
    "group_unknown": r"bsp_group_enter: 1 is not a group of this process" + WHERE,
    "group_freed": r"bsp_group_enter: 1 is not a group of this process any more" + WHERE,
    "group_twice": r"bsp_group_enter: group 1 has been entered already; process \d of 3 in group 1 "
                   r"\(process \d of all\)",
    "group_not_entered": r"bsp_group_leave: no group has been entered" + WHERE,
    "group_not_left": r"bsp_end: group 1 has not been left; process \d of \d in group 1",
    "group_put_pid": r"bsp_send: argument 'pid' is 2 but there are \d processes; process \d of \d "
                     r"in group 1 \(process \d of all\)",
    "group_on_its_way": r"bsp_group_free: group 1 has puts, gets or messages after its last "
                        r"bsp_sync"
    + WHERE,
    "counts_wrong": r"bsp_sync_counts: process 1 has 2 puts and messages for this one, not 1; "
                    r"process 2 of 3, superstep 1",
    "counts_against_sync": r"bsp_sync(_counts)?: .*bsp_sync.*bsp_sync",
    "push_some": r"bsp_sync: process \d called bsp_push_reg and bsp_pop_reg \d times in this "
                 r"superstep, process \d \d times"
    + WHERE,
    "push_against_pop": r"bsp_sync: process \d (registers|deregisters) where process \d "
                        r"(de)?registers \(number 1 of this",
    "pop_different": r"bsp_sync: processes 0 and 1 deregister memory that they registered as "
                     r"number 1 and number 2"
    + WHERE,
    "tag_sizes": r"bsp_sync: process \d set a tag size of \d bytes, process \d one of \d bytes" +
    WHERE,
    "tag_size_by_some": r"bsp_sync: process 1 called bsp_set_tagsize in this superstep, process \d "
                        r"did not" + WHERE,
    "pop_null_different": r"bsp_sync: processes \d and \d deregister NULL that they registered as "
                          r"number \d and number \d" + WHERE,
    "end_early": r"(bsp_sync|bsp_end): process \d is in bsp_(sync|end), process \d in "
                 r"bsp_(sync|end)"
    + WHERE,
    "bcast_against_sync": r"bsp_\w+: tutti_\w+: rank \d of 3 is in \w+ \(operation #\d",
    "bcast_sizes": r"bsp_broadcast: .*\b(8|12) bytes",
    "leave_early": r"rank 1 .*",
    "killed": r"rank 2 .* was killed by signal 9",
    "abort_one": r"bsp_abort: value 42 of x \(process 1 of 3, superstep 1\)",
    "abort_computing": r"bsp_abort: enough \(process 1 of 3, superstep 1\)",
}
BOTH = r"\d+ bytes of this process are the matter of both {} of process {} at " + PLACE + \
    (r".* and {} of process {} "
     r"at ") + PLACE + r".*, and chance decides what becomes of it; process {} of 3, superstep 1"
SAFE = {
    "two_puts": BOTH.format("bsp_put", r"\d", "bsp_put", r"\d", 2),
    "put_and_hpput": BOTH.format("bsp_put", 0, "bsp_hpput", 2, 1),
    "hpput_and_get": BOTH.format("bsp_hpput", 0, "bsp_get", 2, 1),
    "put_and_hpget": BOTH.format("bsp_put", 0, "bsp_hpget", 1, 0),
    "two_gets": BOTH.format("bsp_get", 1, "bsp_get", 1, 1),
    "hpget_into_registered": BOTH.format(r"bsp_\w+", r"\d", r"bsp_\w+", r"\d", 1),
    "source_changed": r"bsp_sync: the source of bsp_hpput at " + PLACE +
    r".* changed before the superstep ended",
    "not_mine": r"bsp_push_reg: not all of the 1073741824 bytes at 0x\w+ are memory of this process"
    + WHERE,
    "last_messages": r"bsp_end: there are messages for process 0 that it cannot read" + WHERE,
}


def main(tutti, program):
    failures = 0

    launcher = [tutti, "run", "-n", "3", "--timeout", "30"]

    def run(name, safe, start=launcher):
        return subprocess.run([*start, program, name],
                              capture_output=True,
                              text=True,
                              timeout=60,
                              check=False,
                              env=dict(os.environ, TUTTI_BSP_SAFE=safe))

    def check(good, name, done):
        nonlocal failures
        if not good:
            failures += 1
            print(f"failed: {name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")

    for name, pattern in ALWAYS.items():
        done = run(name, "1" if name == "put_too_early" else "0")
        check(
            len(re.findall(pattern, done.stderr)) == 1 and done.returncode not in (0, 124), name,
            done)
    for name, pattern in SAFE.items():
        done = run(name, "1")
        check(
            len(re.findall(pattern, done.stderr)) == 1 and done.returncode not in (0, 124),
            f"safe {name}", done)
        done = run(name, "0")
        check(done.returncode == 0 and not done.stderr or name == "last_messages",
              f"not safe {name}", done)
    # Without a launcher bsp_begin starts the processes.
    for name, code in (("put_pid", 1), ("abort_one", 1), ("abort_computing", 1), ("killed", 137)):
        done = run(name, "0", [])
        check(
            len(re.findall(ALWAYS[name], done.stderr)) == 1 and done.returncode == code,
            f"by hand {name}", done)
    print(f"{len(ALWAYS) + len(SAFE)} misuses, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
