#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mpi.py FLAVOUR PART...: runs programs of tutti under an MPI of this machine, on one host and on
pretended ones. A part is "name=program". The names are conformance, mix, side (MPI in the same
program), native (the MPI's own collectives), processors, errors, ends, and late (a rank dies after
another has ended). There are also finalize and blacs_exit (a rank aborts after the others have
left), lean (memory of the failure monitor), last (the last call), messages, blacs, random (compared
with the MPI), and crossings (program,library of the MPI). MPI_WIDE=1 in the environment selects
wide ranges;
MPI_SECONDS is the time for `random`. The exit code is 77 (skipped) if the launcher is missing."""
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
for folder in ("scripts", "tests/command"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / folder))
import mpi_launchers  # noqa: E402
from processes import Mark  # noqa: E402

SKIPPED = 77
WIDE = os.environ.get("MPI_WIDE") == "1"
MARK = Mark()  # of all jobs, which run one after another
failures = 0


def start(flavour, count, command, variables, timeout=120):
    """Runs a job; returns (its output and errors, exit code). The code is None if the job did not
    end in time and was terminated."""
    environment = {**os.environ, "OMPI_MCA_btl_base_warn_component_unused": "0",
                   **MARK.variables(), **variables}
    process = subprocess.Popen(mpi_launchers.launcher(flavour, count) + command,
                               env=environment,
                               text=True,
                               stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        return process.communicate(timeout=timeout)[0], process.returncode
    except subprocess.TimeoutExpired:
        process.terminate()
        return process.communicate()[0] + f"\nended after {timeout} s", None


def expect(name, done, wanted, code=0):
    """Prints whether the wanted text is in the output and the exit code is `code` (None: any but
    0)."""
    global failures
    output, found = done
    good = wanted in output and (found == code if code is not None else found not in (0, None))
    if not good:
        failures += 1
        print(f"FAILED {name}: exit code {found}, '{wanted}' expected in:\n{output[-3000:]}")
    else:
        print(f"{name}: good")


def host_lists():
    """Returns (number of ranks, TUTTI_HOSTS) for each case. With '', the hosts are those that MPI
    reports."""
    lists = [(3, ""), (4, "0,0,1,1")]
    if WIDE:
        lists += [(p, "") for p in (1, 2, 4, 5, 6, 7, 8, 9)]
        lists += [(p, ",".join(str(rank * hosts // p)
                               for rank in range(p)))
                  for hosts in (2, 3)
                  for p in range(hosts, 10)]
        lists += [(p, ",".join(str(rank % 3) for rank in range(p))) for p in (4, 7, 9)]
    return lists


def conformance(flavour, program):
    for count, hosts in host_lists():
        done = start(flavour, count, [program], {"TUTTI_HOSTS": hosts, "TUTTI_CHECKING": "1"})
        expect(f"conformance on {count} ranks, hosts '{hosts}'", done, ", 0 failed")


def mix(flavour, program):
    for count, hosts in [(4, "0,0,1,1")] + (host_lists() if WIDE else []):
        done = start(flavour,
                     count, [program, "2000" if WIDE else "200"], {"TUTTI_HOSTS": hosts},
                     timeout=600)
        expect(f"mix on {count} ranks, hosts '{hosts}'", done, "right")


def side(flavour, program):
    expect("a thread that MPI does not allow", start(flavour, 2, [program, "thread"], {}), "right")
    for hosts in ("", "0,0,1,1") if WIDE else ("0,0,1,1",):
        expect(f"MPI's own messages, hosts '{hosts}'",
               start(flavour, 4, [program, "pending"], {"TUTTI_HOSTS": hosts}), "right")
        expect(f"MPI_Finalize first, hosts '{hosts}'",
               start(flavour, 4, [program, "early"], {"TUTTI_HOSTS": hosts}), "right")


TABLE = """[[plan]]
operation = "allreduce"
algorithm = "native"
"""


@contextlib.contextmanager
def busy_machine():
    """Keeps every processor busy meanwhile."""
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in os.sched_getaffinity(0)
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def native(flavour, program):
    for count, hosts in [(3, ""), (4, "0,0,1,1")] + (host_lists() if WIDE else []):
        expect(f"native plans on {count} ranks, hosts '{hosts}'",
               start(flavour, count, [program, "every" if WIDE else "by_name"],
                     {"TUTTI_HOSTS": hosts}), "right")
    forced = {"TUTTI_ALGORITHM": "allreduce=native,gather=native", "TUTTI_EXPLAIN": "1"}
    done = start(flavour, 3, [program, "forced"], forced)
    expect("native forced", done, "right")
    expect("native explained", done, "native: forced by TUTTI_ALGORITHM; its cost is not stated")
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as table:
        table.write(TABLE)
        table.flush()
        expect("native by a table",
               start(flavour, 3, [program, "table"], {"TUTTI_TABLE": table.name}), "right")
    # While both ranks wait for MPI, the job does not stand still.
    with busy_machine():
        expect("long native plans on a busy machine", start(flavour, 2, [program, "long"], {}),
               "right")
    expect("native without MPI", start(flavour, 1, [program, "without"],
                                       {"TUTTI_TRANSPORT": "shm"}), "right")


def processors(flavour, program):
    """Choices count the processors that the ranks of a host may use together, however the ranks are
    bound."""
    allowed = sorted(os.sched_getaffinity(0))
    explained = {"TUTTI_EXPLAIN": "1"}
    done = start(flavour, 2, ["taskset", "-c", str(allowed[0]), program, "1"], explained)
    expect("ranks that share one processor", done, "for 1 processors")
    if len(allowed) < 2:
        print("a processor for each rank: skipped, there is only one processor")
        return
    each = f"taskset -c $((${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} % 2 ? {allowed[0]} : {allowed[1]}))"
    done = start(flavour, 3, ["sh", "-c", f'exec {each} "$0" 1', program], explained)
    expect("ranks that are bound to two processors", done, "for 2 processors")


def random(flavour, program):
    seconds = float(os.environ.get("MPI_SECONDS", "2"))
    shares = {(4, "0,0,1,1"): 0.5, (5, "0,0,0,1,1"): 0.3, (3, "0,1,0"): 0.1,
              (4, ""): 0.1} if seconds > 60 else {(4, "0,0,1,1"): 1}
    for number, ((count, hosts), share) in enumerate(shares.items()):
        seed = str(int(time.time()) + number) if seconds > 60 else "20261121"
        done = start(flavour,
                     count, [program, str(seconds * share), seed], {"TUTTI_HOSTS": hosts},
                     timeout=seconds + 120)
        print(done[0].strip())
        expect(f"random calls on {count} ranks, hosts '{hosts}', as the MPI's", done, "right: ")


def errors(flavour, program):
    other = {"openmpi": "mpich", "mpich": "openmpi"}[flavour]
    expect("hosts that do not fit", start(flavour, 3, [program], {"TUTTI_HOSTS": "0,1"}),
           "each of the 3 ranks", None)
    if not WIDE:
        return
    expect("a transport that is none", start(flavour, 2, [program],
                                             {"TUTTI_TRANSPORT": "telepathy"}),
           "TUTTI_TRANSPORT is 'telepathy'", None)
    expect("the other MPI", start(flavour, 2, [program], {"TUTTI_TRANSPORT": other}),
           "different MPIs", None)


def left_over():
    """Returns the processes that still exist when all should have ended."""
    MARK.gone_within(float(os.environ.get("TUTTI_PROMPT", "3")))
    return MARK.pids()


# Way in which rank 1 ends -> text that MPI or tutti must print once.
ENDS = {
    "kill": {"openmpi": "rank 1 with PID", "mpich": "signal 9"},
    "kill-call": {"openmpi": "rank 1 with PID", "mpich": "signal 9"},
    "kill-busy": {"openmpi": "rank 1 with PID", "mpich": "signal 9"},
    "abort": "tutti: aborted by rank 1 with code 7: the program says so",
    "exit": {"openmpi": "Exit code:    3", "mpich": ""},
    "leave": "has left the job",
}


# Way in which rank 1 ends -> text in tutti's own report on what rank 1 was doing.
WITNESSED = {
    "kill": "; it was computing", "kill-busy": "; it was computing", "kill-call": "in tutti_scan"
}


def ends(flavour, program):
    prompt = float(os.environ.get("TUTTI_PROMPT", "3"))
    for how, said in ENDS.items() if WIDE else [(how, ENDS[how]) for how in ("kill-call", "abort")]:
        for hosts in ("", "0,0,1,1") if WIDE else ("0,0,1,1",):
            name = f"rank 1 ends by {how}, hosts '{hosts}'"
            wanted = said if isinstance(said, str) else said[flavour]
            done = start(flavour, 4, [program, how], {"TUTTI_HOSTS": hosts}, timeout=30)
            over = time.time()
            expect(name, done, wanted, None)
            ended = re.search(r"ends at ([0-9.]+)", done[0])
            if ended is not None and how != "leave":
                late = over - float(ended[1])
                expect(f"{name}: the job ends {late:.2f} s later", (str(late < prompt), 0), "True")
            if how in WITNESSED:
                words = re.findall(r"tutti: rank 1 \(process \d+\) was killed.*", done[0])
                expect(f"{name}: its call is named once",
                       ("\n".join(words) + done[0], 0 if len(words) == 1 else 1), WITNESSED[how])
            expect(f"{name}: leaves nothing", (" ".join(left_over()) or "nothing", 0),
                   "nothing")
            if how == "abort":
                expect(f"{name}: one message", (str(done[0].count("tutti:")), 0), "1")
    # An MPI kills the rank that reports if another one aborts before the report is written.
    done = start(flavour, 4, [program, "abort-all"], {}, timeout=30)
    said = re.findall(r"tutti: aborted by rank \d with code 7: all ranks say so\n", done[0])
    expect("all ranks abort at once: one message",
           (f"{len(said)} lines\n{done[0]}", done[1]), "1 lines", None)


def late(flavour, program):
    """A rank that ends in good order, without leaving the job, must not end the watch."""
    for hosts in ("", "0,1"):
        done = start(flavour, 2, [program, "late"], {"TUTTI_HOSTS": hosts}, timeout=60)
        found = re.findall(r"tutti: rank 0 \(process \d+\) was killed by signal 6 .*", done[0])
        expect(f"a late death is named once, hosts '{hosts}'",
               ("named once" if len(found) == 1 else done[0], done[1]), "named once", None)


def nobody_finalises(flavour, program, way):
    """A process that aborts after the others have left must not find them in MPI_Finalize."""
    done = start(flavour, 4, [program, way], {"OMPI_MCA_odls_base_sigkill_timeout": "3"},
                 timeout=60)
    expect(f"an abort after the others have left ({way})", done,
           "tutti: aborted by rank 1 with code 7: the others have left", None)
    expect(f"the others are not in MPI_Finalize ({way})",
           (f"{done[0].count('a process is in MPI_Finalize')} are\n{done[0]}", 0), "0 are")


def finalize(flavour, program):
    nobody_finalises(flavour, program, "by tutti_finalize")
    expect("a message that is under way when its sender leaves",
           start(flavour, 2, [program, "send"], {}, timeout=60), "right")
    expect("a process that works on is alive", start(flavour, 3, [program, "full"], {}, timeout=60),
           "right")


def blacs_exit(flavour, program):
    for way in ("stubborn", "own"):
        nobody_finalises(flavour, program, way)


def lean(flavour, program):
    expect("the monitor has no copy of a program's memory",
           start(flavour, 2, [program, "lean"], {}, timeout=60), "few KiB")


def stopped(flavour, program):
    """A monitor that somebody has stopped must not stay after the ranks."""
    done = start(flavour, 2, [program, "stopped"], {}, timeout=60)
    found = re.findall(r"stopped (\d+)", done[0])
    end = time.monotonic() + 30
    while found and os.path.exists(f"/proc/{found[0]}") and time.monotonic() < end:
        time.sleep(0.01)
    gone = "gone" if found and not os.path.exists(f"/proc/{found[0]}") else "left"
    expect("a stopped monitor ends with the job", (f"{gone}\n{done[0]}", done[1]), "gone", None)


# Operations in the order of last_calls.c.
OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "scatter", "gather", "allgather",
              "alltoall", "reduce_scatter", "scan", "exscan")


def last(flavour, program):
    """Ends jobs directly after one operation. A reduction to one rank is the hardest: the others
    may all have left when the root begins to wait."""
    runs = [(5, "reduce", 2000)] * 2 + [(4, "gather", 300)]
    if WIDE:
        runs = [(count, operation, elements) for count in range(2, 9) for operation in OPERATIONS
                for elements in (1, 300, 2000)]
    for count, operation, elements in runs:
        done = start(flavour, count,
                     [program, str(OPERATIONS.index(operation)), str(elements)], {})
        expect(f"{operation} of {elements} as the last call of {count} ranks", done, "right")


def messages(flavour, program):
    for count, hosts in host_lists():
        done = start(flavour, count, [program], {"TUTTI_HOSTS": hosts})
        expect(f"messages under way on {count} ranks, hosts '{hosts}'", done, "messages: right")


def blacs(flavour, program):
    for hosts in ("", "0,0,1,1"):
        fraction = "1" if WIDE else "0.05"
        done = start(flavour,
                     4, [program, "--grids", "2x2", "--fraction", fraction], {"TUTTI_HOSTS": hosts},
                     timeout=900)
        expect(f"BLACS, hosts '{hosts}'", done, ", 0 failed")


def crossings(flavour, program):
    for count, hosts in [(3, "0,1,0"), (4, "0,0,1,1")] + (host_lists() if WIDE else []):
        done = start(flavour, count, program.split(","), {"TUTTI_HOSTS": hosts})
        expect(f"crossings on {count} ranks, hosts '{hosts}'", done, " 0 failures")


def main():
    flavour, parts = sys.argv[1], dict(argument.split("=", 1) for argument in sys.argv[2:])
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    actions = {
        action.__name__: action
        for action in (conformance, mix, side, native, processors, random, errors, ends, late,
                       finalize, blacs_exit, lean, stopped, last, messages, blacs, crossings)
    }
    for name, program in parts.items():
        actions[name](flavour, program)
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
