#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""programs.py FLAVOUR TUTTI PART PROGRAM [LIBRARY]: runs programs of an MPI by `tutti mpi`. The
parts random and random-wide make calls of tutti beside those of the MPI. The parts life and
life-long test communicators and the ends of jobs. Others are errors, threads, unusual,
large-element, f08, plug-in, command (what `tutti mpi` says and refuses), and rows (who serves by
the rows of a machine file, and tutti tune --mpi). The exit code is 77 (skipped) if the launcher is
missing."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import expectations  # noqa: E402
import mpi_launchers  # noqa: E402
from expectations import expect  # noqa: E402

SKIPPED = 77


def by_tutti(flavour, tutti, count, *words, **variables):
    """Runs a program under `tutti mpi`; returns its output with errors, and the exit code."""
    done = mpi_launchers.run(flavour, count, [tutti, "mpi", *map(str, words)], 600, **variables)
    return done.stdout + done.stderr, done.returncode


def table_row(output, operation):
    """Returns (calls of tutti, calls of the MPI) in the table at the end; (0, 0) without a row."""
    found = re.search(rf"^tutti: {operation} +(\d+) +\S+ +(\d+) ", output, flags=re.M)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def served(output):
    """Returns how many calls tutti has served, by the table at the end."""
    return sum(int(calls) for calls in re.findall(r"^tutti: \w+ +(\d+) +\S+ +\d+ +\S+$", output,
                                                  flags=re.M))


def table_of(flavour, folder):
    """Writes rows by which the MPI serves some of the calls; returns the file."""
    rows = [("allreduce", "bytes = [0, 256]"), ("alltoallv", ""), ("bcast", "bytes = [33, 4096]"),
            ("reduce", 'operator = "mpi"'), ("scan", "processors = 9999")]
    path = Path(folder) / "rows.toml"
    path.write_text("".join(f'[[plan]]\nmpi = "{flavour}"\noperation = "{operation}"\n'
                            f'algorithm = "native"\n{more}\n' for operation, more in rows))
    return str(path)


def random(flavour, tutti, program, runs):
    for count, calls, seed, has_rows in runs:
        with tempfile.TemporaryDirectory() as folder:
            rows = table_of(flavour, folder) if has_rows else None
            output, code = by_tutti(flavour, tutti, count, program, calls, seed,
                                    TUTTI_MPI_FIRST="3", TUTTI_TABLE=rows, TUTTI_EXPLAIN="1")
        print(*re.findall(r"^(?:right|WRONG): .*", output, flags=re.M))
        expect(f"{calls} random calls on {count} ranks", code == 0 and "right: " in output, output)
        expect("tutti serves most of them", served(output) > calls / 4, output)


def errors(flavour, tutti, program):
    output, code = by_tutti(flavour, tutti, 2, program, TUTTI_MPI_FIRST="2", TUTTI_EXPLAIN="1")
    expect("errors as without tutti", code == 0 and "right: " in output, output)
    expect("tutti serves calls beside errors", served(output) > 0, output)
    expect("the reason for data outside the extent",
           "the type has data outside of its extent" in output, output)


def threads(flavour, tutti, program):
    for count in (2, 3):
        output, code = by_tutti(flavour, tutti, count, program, 60, TUTTI_EXPLAIN="1")
        ours, theirs = table_row(output, "allreduce")
        expect(f"two threads on {count} ranks", code == 0 and "right: " in output, output)
        expect(f"tutti serves threads on {count} ranks", ours > theirs, output)


def life_part(flavour, tutti, program, count, *parts, **variables):
    output, code = by_tutti(flavour, tutti, count, program, *parts,
                            **{"TUTTI_MPI_FIRST": "1", **variables})
    expect(f"{' '.join(map(str, parts[:5]))} on {count} ranks", code == 0 and "right" in output,
           output)
    return output


def life(flavour, tutti, program):
    """A program without a collective makes no call, of which the report tells."""
    sessions = ["session"] if flavour == "mpich" else []
    life_part(flavour, tutti, program, 3, "self", "inter", "sizes", *sessions, "pending")
    if sessions:
        output = life_part(flavour, tutti, program, 3, "session-alone")
        expect("sessions without MPI_Init are said not to be served, once",
               output.count("because this program opens sessions without MPI_Init") == 1, output)
    output = life_part(flavour, tutti, program, 2, TUTTI_EXPLAIN="1")
    expect("a program without collectives", "no call has come here" in output, output)
    output = life_part(flavour, tutti, program, 2, "fortran", TUTTI_EXPLAIN="1")
    expect("Fortran's windows are noticed", "tutti: 2 windows and files were opened" in output,
           output)


def unusual(flavour, tutti, program):
    """If one process took such a call to the MPI while the others are in tutti, all would wait."""
    for count in (2, 3):
        output, code = by_tutti(flavour, tutti, count, program, TUTTI_EXPLAIN="1")
        expect(f"unusual calls, {count} ranks", code == 0 and "right" in output, output)
        for operation, calls in (("reduce_scatter", 2), ("exscan", 1), ("allreduce", 3),
                                 ("alltoallw", 1)):
            expect(f"{operation} is tutti's", table_row(output, operation) == (calls, 0), output)
        expect("barriers beside a window",
               table_row(output, "barrier") == ((1, 2) if flavour == "mpich" else (3, 0)), output)
    # Open MPI does not look, and would end by a signal or wait. MPICH's launcher loses the last
    # words of a process at times, without tutti, too, so it may be asked again.
    words = "a buffer has no address" if flavour == "openmpi" else "Null buffer pointer"
    for _ in range(5):
        output, code = by_tutti(flavour, tutti, 2, program, "no-address")
        if output or code == 0:
            break
    expect("a forgotten buffer is an error", code != 0 and words in output, output)


def large_element(flavour, tutti, program):
    """Two processes need 9 GB for an element and its copy."""
    available = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
    if int(available.group(1)) < 12_000_000:
        print("skipped: 12 GB of memory are needed")
        sys.exit(SKIPPED)
    output, code = by_tutti(flavour, tutti, 2, program, "large-element", TUTTI_EXPLAIN="1")
    expect("an element of 2.25 GB", code == 0 and "right" in output, output)
    expect("its broadcast is tutti's", "broadcast of 2146 MiB" in output, output)


def half(flavour, tutti, program):
    """Rank 1 is started without tutti, so rank 0 would wait without a word. Open MPI ends such a
    job by an error of its own, because the calls of the two do not match."""
    words = [*mpi_launchers.launcher(flavour, 1), tutti, "mpi", program, "sizes",
             ":", "-n", "1", program, "sizes"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as job:
        for line in job.stderr:
            if "must be started by tutti mpi" in line:
                expect("a process without tutti", "rank 0 has waited" in line, line)
                break
        else:
            expect("a process without tutti is noticed", False, "")
        os.killpg(job.pid, signal.SIGTERM)


def life_long(flavour, tutti, program):
    if flavour == "mpich":
        half(flavour, tutti, program)
    life_part(flavour, tutti, program, 2, "many", "alive", "window")
    life_part(flavour, tutti, program, 2, "many", TUTTI_MPI_FIRST="8")
    life_part(flavour, tutti, program, 4, "alive", "window")
    if flavour == "openmpi":  # MPICH 4.0.2 of Debian cannot spawn
        for child in ([tutti, "mpi", program], [program]):
            life_part(flavour, tutti, program, 2, "spawn", *child, "spawn")
    for how in ("abort", "death"):
        plain = mpi_launchers.run(flavour, 3, [program, how], 60)
        output, code = by_tutti(flavour, tutti, 3, program, how)
        expect(f"{how} of a rank: exit code {code}, and {plain.returncode} without tutti",
               code == plain.returncode, output)


def command(flavour, tutti, program):
    """The program makes 200 random calls, so each operation occurs."""
    output, code = by_tutti(flavour, tutti, 2, program, 200, 5, TUTTI_EXPLAIN="1",
                            TUTTI_MPI_FIRST="1", TUTTI_MPI_OFF="bcast,gatherv")
    expect("with two operations off", code == 0 and "right: " in output, output)
    expect("bcast is the MPI's", table_row(output, "bcast")[0] == 0 < table_row(output, "bcast")[1],
           output)
    expect("allreduce is tutti's", table_row(output, "allreduce")[0] > 0, output)
    expect("the reason is told", "by the MPI, because TUTTI_MPI_OFF says so" in output, output)
    output, _ = by_tutti(flavour, tutti, 2, program, 50, 5, TUTTI_EXPLAIN="1", TUTTI_MPI_OFF="all")
    expect("all off", table_row(output, "allreduce")[0] == 0, output)
    dry = subprocess.run([tutti, "mpi", "--dry-run", "--", program, "7"],
                         capture_output=True, text=True, check=False)
    expect("dry run", f"the MPI is {flavour}, because" in dry.stdout and
           f"libtutti-preload-{flavour}.so.0" in dry.stdout, dry.stdout + dry.stderr)
    for words, code, reason in (([], 2, "a program is needed"),
                                (["/bin/true"], 2, "the MPI of /bin/true is not known"),
                                (["/nowhere/program"], 127, "there is no program"),
                                (["/etc/passwd"], 126, "/etc/passwd cannot be run"),
                                (["/usr"], 126, "/usr cannot be run"),
                                (["mpirun", "-n", "2", program], 2, "write tutti mpi behind"),
                                (["--comapre"], 2, "did you mean '--compare'")):
        done = subprocess.run([tutti, "mpi", *words], capture_output=True, text=True, check=False)
        expect(f"refused: {words}", done.returncode == code and reason in done.stderr, done.stderr)
    alone(flavour, tutti, program)
    one_that_cannot_start(flavour, tutti, program)
    output, code = by_tutti(flavour, tutti, 2, "sh", "-c", "exit 3")
    expect("a shell without MPI", code != 0 and "tutti:" not in output, output)


def one_that_cannot_start(flavour, tutti, program):
    """A rank that ends before MPI_Init ends its job, where another one waits in that call."""
    words = [tutti, "mpi", "/nowhere/program", ":", "-n", "1", program, "50", "5"]
    done = mpi_launchers.run(flavour, 1, words, 120)
    expect("one without a program", done.returncode == 127 and "there is no program" in done.stderr,
           f"code {done.returncode}: {done.stderr}")


def alone(flavour, tutti, program):
    """A program that nobody has launched is told so, and so is one that tutti run has started, or
    the launcher of another MPI, once."""
    environment = {name: value for name, value in os.environ.items() if name != "TUTTI_EXPLAIN"}
    words = [tutti, "mpi", program, "20", "5"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    expect("alone", done.returncode == 0 and
           done.stderr.count("nobody has launched this process") == 1, done.stderr)
    done = subprocess.run([tutti, "run", "-n", "2", *words], capture_output=True, text=True,
                          check=False, env=environment)
    expect("by tutti run", done.returncode == 2 and
           f"write mpirun -n 2 tutti mpi {program}" in done.stderr, done.stderr)
    single = [mpi_launchers.run(flavour, 1, words, 120, TUTTI_EXPLAIN=value)
              for value in (None, "1")]
    expect("one process", "tutti" not in single[0].stderr and
           "this process is alone" in single[1].stderr, single[0].stderr + single[1].stderr)
    other = "mpich" if flavour == "openmpi" else "openmpi"
    if not mpi_launchers.installed(other):
        return
    output, _ = by_tutti(other, tutti, 2, program, 20, 5)
    hidden, code = by_tutti(other, tutti, 1, "sh", "-c", f"'{program}' 20 5")
    expect("a shell hides a program of another MPI than its launcher's",
           code == 2 and "write tutti mpi directly before the program" in hidden, hidden)
    expect("launched by the other MPI",
           output.count("so its processes are no job together") == 1, output)


def f08(flavour, tutti, program):
    """A program of mpi_f08 is served from MPI_Init to MPI_Finalize, under MPICH but for the barrier
    beside a window."""
    barriers = (1, 1) if flavour == "mpich" else (2, 0)
    for count in (2, 3):
        output, code = by_tutti(flavour, tutti, count, program, TUTTI_EXPLAIN="1")
        expect(f"mpi_f08 with {count} ranks", code == 0 and "right" in output, output)
        for operation, calls in (("barrier", barriers), ("allreduce", (3, 0)), ("gatherv", (1, 0))):
            expect(f"{operation} of mpi_f08", table_row(output, operation) == calls, output)
        expect("windows of mpi_f08", "tutti: 2 windows and files were opened" in output, output)


def plug_in(flavour, tutti, program, library):
    """A library of Fortran that a program opens for itself alone is served, and understood."""
    output, code = by_tutti(flavour, tutti, 2, program, library, TUTTI_EXPLAIN="1")
    expect("a library of MPI", code == 0 and "right" in output, output)
    for operation in ("allreduce", "bcast"):
        expect(f"{operation} of a library", table_row(output, operation) == (1, 0), output)


def rows(flavour, tutti, program):
    """The program makes 200 random calls, so each operation occurs."""
    with tempfile.TemporaryDirectory() as folder:
        variables = {"TUTTI_MPI_FIRST": "1", "TUTTI_TABLE": table_of(flavour, folder)}
        output, code = by_tutti(flavour, tutti, 2, program, 200, 5, TUTTI_EXPLAIN="1", **variables)
        expect("rows: right results", code == 0 and "right: " in output, output)
        ours, theirs = table_row(output, "alltoallv")
        expect("alltoallv is the MPI's", ours == 0 and theirs > 0, output)
        expect("allreduce is divided", all(table_row(output, "allreduce")), output)
        expect("a row for other processors", table_row(output, "scan")[0] > 0, output)
        expect("the row is told", "by the MPI, because a row of the machine file" in output, output)
        output, code = by_tutti(flavour, tutti, 2, program, 200, 5, TUTTI_EXPLAIN="1",
                                TUTTI_REPRODUCIBLE="1", **variables)
        expect("reproducible results go by no row",
               code == 0 and "because a row of the machine file" not in output, output)
        record = Path(folder) / "record.json"
        output, code = by_tutti(flavour, tutti, 2, f"--verdict={record}", "--compare", program, 200,
                                5, **variables)
        again = {one["operation"]: one for one in json.loads(record.read_text())["compared"]}
        expect("calls made again", code == 0 and "right: " in output and
               all(min(again[name]["tutti_us"] + again[name]["mpi_us"]) > 0
                   for name in ("gather", "allgatherv", "exscan")), output)
        expect("calls of the MPI are not made again", "alltoallv" not in again, output)
        tune(flavour, tutti, folder)
        tune_says(flavour, tutti, folder)
        tune_on_a_busy_machine(flavour, tutti, folder)
        tune_counts_processors(flavour, tutti, folder, program)


def tune(flavour, tutti, folder):
    file = Path(folder) / "host.toml"
    file.write_text('name = "mine"\nlike = "host"\n'
                    '[[plan]]\noperation = "bcast"\nalgorithm = "mst"\n'
                    f'[[plan]]\nmpi = "{flavour}"\noperation = "barrier"\nranks = [7, 7]\n'
                    'algorithm = "native"\n'
                    f'[[plan]]\nmpi = "{flavour}"\noperation = "barrier"\nranks = [2, 2]\n'
                    'bytes = [0, 77]\nalgorithm = "native"\n')
    words = [tutti, "tune", "--mpi", "--bytes", "64", "--seconds", "0.2", "--force",
             "--output", file]
    done = mpi_launchers.run(flavour, 2, list(map(str, words)), 300)
    expect("tune --mpi", done.returncode == 0 and "kinds of calls of " + flavour in done.stdout and
           f"written to {file}" in done.stdout, done.stdout + done.stderr)
    plans = tomllib.loads(file.read_text())["plan"]
    expect("other rows stay", plans[0]["algorithm"] == "mst" and
           any(plan.get("ranks") == [7, 7] for plan in plans), file.read_text())
    expect("rows of what was measured do not", not any(plan.get("bytes") == [0, 77]
                                                       for plan in plans), file.read_text())
    tune_refuses(flavour, tutti, folder)
    alone = subprocess.run([tutti, "tune", "--mpi", "--output", file], capture_output=True,
                           text=True, check=False)
    expect("tune --mpi without a launcher", alone.returncode != 0 and
           "start it by its launcher" in alone.stderr, alone.stderr)


def tune_refuses(flavour, tutti, folder):
    """A file that cannot be read or written ends all processes before calls are measured, and the
    first process says why."""
    unreadable, occupied = Path(folder) / "unreadable.toml", Path(folder) / "occupied"
    unreadable.write_text("no profile")
    occupied.write_text("")  # a file in the place of a folder
    for file in (unreadable, occupied / "host.toml", Path(folder) / ("long" * 100)):
        done = mpi_launchers.run(flavour, 2, [tutti, "tune", "--mpi", "--output", str(file)], 60)
        expect(f"tune --mpi refuses {file}", done.returncode != 0 and
               done.stderr.count("tutti tune: ") == 1 and str(file) in done.stderr and
               "kinds of calls" not in done.stdout, done.stdout + done.stderr)
    expect("the file stays as it is", unreadable.read_text() == "no profile", "")


def tune_on_a_busy_machine(flavour, tutti, folder):
    """Other processes use all processors, and nothing is written."""
    file = Path(folder) / "busy.toml"
    words = [tutti, "tune", "--mpi", "--bytes", "64", "--seconds", "0.2", "--output", str(file)]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(2 * os.cpu_count())]
    try:
        done = mpi_launchers.run(flavour, 2, words, 300)
    finally:
        for one in busy:
            one.kill()
            one.wait()
    expect("a busy machine", done.returncode != 0 and not file.exists() and
           done.stderr.count("the machine is busy") == 1 and "busy: " in done.stdout,
           done.stdout + done.stderr)


def tune_says(flavour, tutti, folder):
    """The first process says where rows go, who reads them, and what a foreign file loses."""
    file = Path(folder) / "tutti" / "host.toml"
    file.parent.mkdir()
    file.write_text('name = "mine"\nlike = "host"\nprocessor = "another one"\n')
    words = [tutti, "tune", "--mpi", "-n", "2", "--bytes", "64", "--seconds", "0.2", "--force"]
    done = mpi_launchers.run(flavour, 2, list(map(str, words)), 300, XDG_CONFIG_HOME=folder,
                             TUTTI_PROFILE="sp2")
    for notice in ("measures for about 0 s, then writes " + str(file),
                   f"TUTTI_PROFILE is set: jobs go by that profile and not by {file}",
                   f"{file} was measured on another processor (another one); its rates and rows"):
        expect("tune --mpi says it once: " + notice, done.stdout.count(notice) == 1, done.stdout)
    expect("nothing but the rows follows", done.returncode == 0 and
           "another one" not in file.read_text(), done.stdout + done.stderr)


# Binds rank 0 to the processors in $FIRST and the others to those in $OTHER.
BOUND = ('[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && exec taskset -c $FIRST "$@"; '
         'exec taskset -c $OTHER "$@"')


def tune_counts_processors(flavour, tutti, folder, program):
    """The file has the number of processors by which jobs choose rows: of all processes of a host,
    and of the host that has the fewest."""
    usable = sorted(map(str, os.sched_getaffinity(0)))
    if len(usable) < 2:
        return
    both = ",".join(usable[:2])
    for name, hosts, first, other, count in (("apart", "", usable[0], usable[1], 2),
                                             ("few on the other host", "0,1", both, usable[1], 1)):
        variables = {"FIRST": first, "OTHER": other, "TUTTI_HOSTS": hosts}
        bound = ["sh", "-c", BOUND, "sh", tutti]
        file, table = Path(folder) / "counted.toml", Path(folder) / "own.toml"
        file.unlink(missing_ok=True)
        done = mpi_launchers.run(flavour, 2, [*bound, "tune", "--mpi", "--bytes", "64", "--seconds",
                                              "0.2", "--force", "--output", str(file)],
                                 300, **variables)
        expect("tune --mpi, " + name, done.returncode == 0, done.stdout + done.stderr)
        made = tomllib.loads(file.read_text())
        numbers = {part["processors"] for part in (made, *made.get("plan", ()))}
        expect("numbers of processors, " + name, numbers == {count}, file.read_text())
        table.write_text(f'[[plan]]\nmpi = "{flavour}"\noperation = "alltoallv"\n'
                         f'algorithm = "native"\nprocessors = {count}\n')
        done = mpi_launchers.run(flavour, 2, [*bound, "mpi", program, "200", "5"], 300,
                                 TUTTI_TABLE=str(table), TUTTI_EXPLAIN="1", **variables)
        expect("a row for so many serves, " + name,
               table_row(done.stdout + done.stderr, "alltoallv")[1] > 0, done.stdout + done.stderr)


def main():
    flavour, tutti, part, program, *others = sys.argv[1:]
    if not mpi_launchers.installed(flavour):
        print(f"skipped: the launcher of {flavour} is not installed")
        return SKIPPED
    if part == "random":
        random(flavour, tutti, program, [(2, 400, 1, False), (3, 250, 2, True), (5, 120, 3, False)])
    elif part == "random-wide":
        seed = int(os.environ.get("MPI_SEED", str(int(time.time()))))
        random(flavour, tutti, program, [(count, 10000, seed + count, count == 3)
                                         for count in (2, 3, 5, 8)])
    elif part == "errors":
        errors(flavour, tutti, program)
    else:
        actions = (threads, life, life_long, unusual, large_element, f08, plug_in, command, rows)
        by_name = {action.__name__.replace("_", "-"): action for action in actions}
        by_name[part](flavour, tutti, program, *others)
    return 1 if expectations.failures else 0


sys.exit(main())
