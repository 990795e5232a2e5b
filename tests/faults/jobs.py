# SPDX-License-Identifier: BSD-3-Clause
"""The jobs in which a call fails: programs of each interface, by themselves and by `tutti run`,
and commands that write files. A job runs in a folder of its own, which is its home and holds its
sockets, so that files that it leaves behind can be seen."""
import dataclasses
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "command"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts"))
import mpi_launchers  # noqa: E402
from processes import Mark  # noqa: E402
from stopwatch import wait_for  # noqa: E402

NUMBERS = r"[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?"
# The name of the place that calls, which is told where the program's file can be read.
PLACES = r"main\+0x\w+ |[()]"
# Waits in a trace, which come as the processes meet.
WAITS = r'(?m)^.*"cat":"wait".*\n|' + NUMBERS
# All that `tutti tune` prints but the last line, and all of a profile but the names of its entries.
MEASURED = r"(?m)^(?!written to|\w+ = )(?:.*\n|.+$)|= .*|^busy.*\n"

# The files of an MPI have a folder of their own, because what it leaves there is not ours.
OF_MPI = {"TMPDIR": "FOLDER/mpi", "OMPI_MCA_btl_base_warn_component_unused": "0",
          "OMPI_MCA_btl_vader_backing_directory": "FOLDER/mpi"}
# A user makes a machine of PVM, starts a program by hand that joins it, and ends the machine,
# whose log has what it has said. A machine that is told of as not started must not be there;
# `halt` after that is for the one whose starter could not print. At SIGTERM the user gives the
# program up, and ends the machine.
BY_HAND = """
"$1" pvm start || {
  code=$?
  "$1" pvm halt 2>/dev/null
  rm -f "$XDG_RUNTIME_DIR"/*/*.log
  exit $code
}
"$2" &
program=$!
trap 'kill $program' TERM
wait $program
code=$?
"$1" pvm halt || { code=1; "$1" pvm halt; }
cat "$XDG_RUNTIME_DIR"/*/*.log >&2
rm -f "$XDG_RUNTIME_DIR"/*/*.log
exit $code
"""


@dataclasses.dataclass
class Job:
    """A command that is run. `files` are outputs of the job that are compared like stdout. `vague`
    matches the parts of a text that may differ between two right runs."""
    name: str
    command: list
    files: tuple = ()
    environment: dict = dataclasses.field(default_factory=dict)
    vague: str = r"[0-9.]+ (us|ms|s)\b"
    more_seconds: float = 0  # for the end of a run
    can_be_given_up: bool = False  # ends at SIGTERM as its user would end it


def jobs(build):
    """Returns the jobs, in a fixed order. `build` is the folder of the build."""
    tutti = f"{build}/bin/tutti"
    run = [tutti, "run", "-n", "3"]

    def rounds(name):
        return f"{build}/tests/faults/rounds_{name}"

    python = {"PYTHONPATH": f"{build}/python", "PYTHONDONTWRITEBYTECODE": "1"}
    rounds_py = os.path.join(os.path.dirname(__file__), "programs", "rounds.py")
    lists = [
        Job("tutti", [*run, rounds("tutti")]),
        Job("tutti-output", [*run, "--output", "FOLDER/ranks", rounds("tutti")],
            ("ranks/rank.0.out", "ranks/rank.1.out", "ranks/rank.2.out")),
        Job("tutti-tagged", [*run, "--tag-output", rounds("tutti")]),
        Job("tutti-report", [*run, "--report", "FOLDER/report", rounds("tutti")], ("report", ),
            vague=NUMBERS),
        Job("tutti-trace", [*run, rounds("tutti")], ("trace", ),
            {"TUTTI_TRACE": "FOLDER/trace"}, WAITS),
        Job("tutti-explain", [*run, rounds("tutti")], ("explain", ),
            {"TUTTI_EXPLAIN": "FOLDER/explain"}, PLACES),
        Job("blacs", [*run, rounds("blacs")]),
        Job("blacs-self", [rounds("blacs")]),
        Job("bsp", [*run, rounds("bsp")]),
        Job("bsp-self", [rounds("bsp")]),
        Job("nx", [*run, rounds("nx")]),
        Job("nx-self", [rounds("nx"), "-sz", "3"]),
        Job("icc-self", [rounds("icc"), "-sz", "3"]),
        Job("pvm-self", [rounds("pvm")]),
        Job("pvm", [tutti, "run", "-n", "1", rounds("pvm")]),
        Job("pvm-hand", ["sh", "-c", BY_HAND, "sh", tutti, rounds("pvm")], can_be_given_up=True),
        Job("python", [*run, sys.executable, rounds_py], (), python),
        *jobs_of_applications(build, run),
        Job("simulate", [tutti, "simulate", "bcast", "-n", "8", "--machine", "delta"]),
        Job("export", [tutti, "export", "allreduce", "-n", "4", "--algorithm", "ring", "--out",
                       "FOLDER/schedule"], ("schedule", )),
        Job("tune", [tutti, "tune", "--quick", "--force", "-n", "2", "--output", "FOLDER/profile"],
            ("profile", ), vague=MEASURED, more_seconds=40),  # processes without a place are slow
        *jobs_of_mpis(build),
    ]
    return {job.name: job for job in lists if shutil.which(job.command[0])}


def jobs_of_applications(build, run):
    """Returns a job of an application, if the applications are built."""
    program = f"{build}/apps/lu/tutti-lu"
    return ([Job("lu", [*run, program, "--size", "64"], vague=NUMBERS)]
            if os.path.exists(program) else [])


def jobs_of_mpis(build):
    """Returns the jobs that an MPI starts. Its launcher and daemons are no processes of ours, and
    no call of theirs fails."""
    jobs_of_all = []
    # A rank says after 5 s that it waits in MPI_Init for others.
    of_mpi = {"environment": OF_MPI, "more_seconds": 4}
    for mpi, launcher in mpi_launchers.LAUNCHERS.items():
        tutti, faults = f"{build}/bin/tutti", f"{build}/tests/faults"
        if not os.path.exists(f"{faults}/rounds_mpi_{mpi}"):
            continue
        jobs_of_all += [
            Job(mpi, [*launcher, "-n", "2", f"{faults}/rounds_tutti"], **of_mpi),
            Job(f"{mpi}-command", [*launcher, "-n", "2", tutti, "mpi",
                                   f"{faults}/rounds_mpi_{mpi}"], **of_mpi),
            Job(f"{mpi}-spare", [*launcher, "-n", "1", f"{faults}/rounds_pvm",
                                 ":", "-n", "2", tutti, "spare"], **of_mpi),
        ]
    return jobs_of_all


@dataclasses.dataclass
class End:
    """How a run has ended."""
    code: int
    out: str
    err: str
    files: dict
    hung: bool
    said: str  # before a job that hung was ended, also in the log of its machine
    left: list  # processes and files
    waiting: list  # the names of the processes that were there when a job had hung


class Run:
    """One run of a job in a folder of its own."""

    def __init__(self, job, limit):
        self.job, self.limit = job, limit + job.more_seconds
        self.mark = Mark()
        self.folder = tempfile.mkdtemp(prefix="tutti-faults-")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def place(self, word):
        return word.replace("FOLDER", self.folder)

    def environment(self, more):
        runtime = f"{self.folder}/runtime"
        os.makedirs(runtime, mode=0o700, exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        os.makedirs(f"{self.folder}/mpi", exist_ok=True)
        own = {name: self.place(value) for name, value in self.job.environment.items()}
        return {**kept, "HOME": self.folder, "XDG_RUNTIME_DIR": runtime, "TMPDIR": runtime,
                "OPENBLAS_NUM_THREADS": "1", **self.mark.variables(), **own, **more}

    def start(self, environment):
        command = [self.place(word) for word in self.job.command]
        with open(f"{self.folder}/out", "wb") as out, open(f"{self.folder}/err", "wb") as err:
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=out,
                                    stderr=err, stdin=subprocess.DEVNULL, start_new_session=True)

    def ends(self, process):
        """Waits for the end, and returns whether it came in time."""
        descriptor = os.pidfd_open(process.pid)
        try:
            wait_for(descriptor, self.limit)
            return bool(select.select([descriptor], [], [], 0)[0])
        finally:
            os.close(descriptor)

    def text(self, name):
        try:
            with open(f"{self.folder}/{name}", encoding="utf-8", errors="replace") as file:
                return file.read().replace(self.folder, "FOLDER")
        except OSError:
            return None

    def said(self):
        """Returns stderr, and the log of a machine of PVM that is there."""
        logs = [os.path.relpath(os.path.join(path, name), self.folder)
                for path, _, names in os.walk(f"{self.folder}/runtime")
                for name in names if name.endswith(".log")]
        return "".join(self.text(name) or "" for name in ["err", *logs])

    def sockets(self):
        """Returns the sockets that are left in the folder of this run's sockets. A lock beside a
        socket stays for the next job."""
        return [os.path.join(path, name) for path, _, names in os.walk(f"{self.folder}/runtime")
                for name in names if not name.endswith(".lock")]

    def left(self):
        """Returns the processes and sockets that are still there three seconds after the end. A
        supervisor that a program has started itself ends after it."""
        self.mark.gone_within(3)
        return [*self.mark.pids(), *self.sockets()]

    def end(self, more):
        process = self.start(self.environment(more))
        try:
            in_time = self.ends(process)
            said = self.said()
            waiting = [] if in_time else sorted(one.name for one in self.mark.processes())
            if not in_time and self.job.can_be_given_up:
                process.terminate()
                ended = self.ends(process)
            else:
                ended = in_time
            left = self.left() if ended else [f"process {process.pid}"]
        finally:  # this test, too, may be ended
            self.mark.kill_all()
        code = process.wait()
        return End(code, self.text("out"), self.text("err"),
                   {name: self.text(name) for name in self.job.files}, not in_time, said, left,
                   waiting)


def same(job, text, other):
    """Compares what two runs have printed. Lines of ranks come in any order, and each distinct line
    of a profile as often as there were placements."""

    def lines(one):
        return None if one is None else set(re.sub(job.vague, "", one).splitlines())

    return lines(text) == lines(other)
