# SPDX-License-Identifier: BSD-3-Clause
"""Starts programs of each interface, the applications and each subcommand while some of the
descriptors 0, 1 and 2 are closed, and with an output that is a full disk or a pipe that nobody
reads. Where stdout takes what is printed, the result is that of an ordinary
start. Where it does not, a program of tutti's ends with another code than 0. A code that is not 0
comes with a sentence where stderr is open. Nothing waits for ever, nothing is left, and no process
is busy for ever. Arguments: the build folder, and `sample` for a part of all starts."""

import concurrent.futures
import itertools
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from processes import Mark  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
SAMPLE = sys.argv[2:] == ["sample"]
# `tutti pvm` needs a machine, and `none` is none. Each start has a folder of its own for machines.
OTHERS = {name: text for name, text in os.environ.items() if name != "TUTTI_PVM_MACHINE"}
SEED = int(os.environ.get("TUTTI_SEED", "0")) or random.randrange(1, 10**6)
TUTTI = str(BUILD / "bin/tutti")
PYTHON = str(BUILD / "python")
ROUNDS_PY = pathlib.Path(__file__).parent / "programs/rounds.py"
SCHEDULE = pathlib.Path(__file__).parents[2] / "examples/schedules/allreduce_1step_4.xml"
STARTS_IN_SAMPLE = 20
MOST_SECONDS = 60  # the machine may be busy
MOST_PROCESSOR_SECONDS = 10  # of a job that takes a few tenths
CLOSED = [closed for n in range(4) for closed in itertools.combinations((0, 1, 2), n)]
PIPE_CODES = (-signal.SIGPIPE, 128 + signal.SIGPIPE)


def rounds(name):
    return str(BUILD / "tests/faults" / f"rounds_{name}")


def app(name):
    return str(BUILD / "apps" / name / f"tutti-{name}")


class Job:
    """A command. `ours` says that tutti's own programs print all of its output, so that a lost one
    must be told. `vague` says that two outputs differ, for example in times."""

    def __init__(self, name, command, ours=True, vague=False, code=0):
        self.name, self.command, self.ours = name, command, ours
        self.vague, self.code = vague, code


def jobs():
    run = [TUTTI, "run", "-n", "3"]
    found = []
    for name, arguments in (("tutti", []), ("blacs", []), ("bsp", []), ("nx", ["-sz", "3"]),
                            ("icc", ["-sz", "3"]), ("pvm", [])):
        words = run if name != "pvm" else [TUTTI, "run", "-n", "1"]
        found.append(Job(name, [rounds(name), *arguments], ours=False))
        found.append(Job(f"run {name}", [*words, rounds(name)], ours=False))
        found.append(Job(f"run --tag-output {name}", [*words, "--tag-output", rounds(name)]))
        found.append(Job(f"run --output {name}", [*words, "--output", "ranks", rounds(name)]))
        found.append(Job(f"run --report {name}", [*words, "--report", "report", rounds(name)],
                         ours=False))
    if (BUILD / "python/tutti").exists():
        found.append(Job("python", [sys.executable, str(ROUNDS_PY)], ours=False))
        found.append(Job("run python", [*run, sys.executable, str(ROUNDS_PY)], ours=False))
    size = ["--size", "64", "--runs", "1"]
    for name, arguments in (("lu", size), ("matmul", size), ("llcs", ["a.txt", "b.txt"]),
                            ("exchange", ["--size", "64", "--runs", "1", "transpose"])):
        if os.path.exists(app(name)):
            found.append(Job(f"tutti-{name}", [app(name), "-n", "2", *arguments], vague=True))
            found.append(Job(f"run tutti-{name}", [*run, app(name), *arguments], vague=True))
            found.append(Job(f"tutti-{name} --help", [app(name), "--help"]))
    return found + subcommands()


def subcommands():
    """Returns at least one job for each subcommand."""
    listed = [
        ["help"], ["--version"], ["info"], ["info", "--vars"], ["explain", "allreduce", "-n", "4"],
        ["draw", "bcast", "-n", "4"], ["verify", "bcast", "-n", "4"], ["reproduce", "--help"],
        ["simulate", "bcast", "-n", "8", "--machine", "delta"], ["pvm", "help"], ["pvm-cc"],
        ["export", "bcast", "-n", "4", "--algorithm", "mst"], ["verify", str(SCHEDULE)],
        ["schedule", "alltoall", "--topology", "mesh:2x2"], ["run", "--help"], ["mpi", "--help"],
        ["preload", "--help"], ["spare", "--help"], ["bench", "--help"], ["tune", "--help"],
        ["probe", "--help"], ["predict", "--help"], ["trace", "--help"],
        ["verdict", "--help"]
    ]
    if (BUILD / "bin/tutti-papers").exists():
        listed.append(["reproduce", "--list"])
    failing = [["trace", "missing"], ["verdict", "missing"], ["spare"], ["preload"],
               ["predict", "missing"], ["nonsense"]]
    vague = ("info", )
    return [Job("tutti " + " ".join(words), [TUTTI, *words], vague=words[0] in vague)
            for words in listed] + [
                Job("tutti " + " ".join(words), [TUTTI, *words], code=None) for words in failing]


def check_all_subcommands_are_here(found):
    text = subprocess.run([TUTTI, "help"], capture_output=True, text=True, check=True).stdout
    verbs = [line.split()[0] for line in text.split("Subcommands:")[1].splitlines() if line.strip()]
    used = {job.command[1] for job in found if job.command[0] == TUTTI}
    return [f"no start of `tutti {verb}`" for verb in verbs if verb not in used]


class Start:
    """A start of a job, and how it ended."""

    def __init__(self, job, closed, kind):
        self.job, self.closed, self.kind = job, closed, kind

    def name(self):
        closed = " ".join(f"{number}>&-" for number in self.closed)
        return f"{self.job.name} {closed} {self.kind}".strip()

    def run(self):
        with tempfile.TemporaryDirectory(prefix="tutti-descriptors-") as folder:
            self.folder = pathlib.Path(folder)
            for name, text in (("a.txt", "abcbdab" * 20), ("b.txt", "bdcaba" * 20)):
                (self.folder / name).write_text(text, encoding="ascii")
            self.start()
        return self

    def stdout(self):
        """Returns what the start has for stdout."""
        if self.kind == "full":
            return os.open("/dev/full", os.O_WRONLY)
        if self.kind == "pipe":
            reading, writing = os.pipe()
            os.close(reading)
            return writing
        return os.open(self.folder / "out", os.O_WRONLY | os.O_CREAT, 0o600)

    def start(self):
        mark = Mark()
        closing = " ".join(f"{number}>&-" if number else "<&-" for number in self.closed)
        words = ["sh", "-c", f'exec "$@" {closing}', "sh", *self.job.command]
        home = {"HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder), "PYTHONPATH": PYTHON,
                "PYTHONDONTWRITEBYTECODE": "1", **mark.variables()}
        stdout = self.stdout()
        with open(self.folder / "err", "wb") as err:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=err,
                                       cwd=self.folder, env={**OTHERS, **home})
        os.close(stdout)
        self.hangs = not self.wait(process, mark)
        self.code = process.returncode
        self.left = self.processes_left(mark)
        out = self.folder / "out"
        self.out = out.read_text(errors="replace") if out.exists() else ""
        self.err = (self.folder / "err").read_text(errors="replace")
        files = [path for path in self.folder.rglob("*") if path.parent.name == "ranks"]
        self.files = sorted(path.read_text(errors="replace") for path in files)

    def wait(self, process, mark):
        """Returns false for a job that does not end, or that keeps a processor busy."""
        end = time.monotonic() + MOST_SECONDS
        while time.monotonic() < end:
            try:
                process.wait(timeout=2)
                return True
            except subprocess.TimeoutExpired:
                if sum(one.seconds for one in mark.processes()) > MOST_PROCESSOR_SECONDS:
                    break
        mark.kill_all()
        process.wait()
        return False

    @staticmethod
    def processes_left(mark):
        """Returns the processes that are still there a moment after the job, and ends them."""
        mark.gone_within(5)
        left = mark.processes()
        mark.kill_all()
        return left

    def printed(self):
        return sorted(self.out.splitlines())


def faults(start, usual):
    """Returns what is wrong with a start, beside the usual one."""
    job = start.job
    if start.hangs:
        yield "does not end"
        return
    if start.left:
        yield f"leaves {len(start.left)} processes, which used {start.left[0].seconds} s"
    works = start.kind == "plain" and 1 not in start.closed
    code = usual.code
    prints = bool(usual.out)
    if job.code is None or works or not prints:
        if start.code != code:
            yield f"has code {start.code} instead of {code}: {start.err.strip()[:300]}"
    elif job.ours and start.code == 0:
        yield "has code 0 though its output is lost"
    if works and not job.vague and start.printed() != usual.printed():
        yield f"prints {start.out!r} instead of {usual.out!r}"
    if works and job.vague and not start.out:
        yield "prints nothing"
    if start.files != usual.files:
        yield f"writes the files {start.files} instead of {usual.files}"
    silent = not start.err.strip() and start.code not in PIPE_CODES
    if start.code != 0 and silent and 2 not in start.closed:
        yield f"has code {start.code} and says nothing"
    if "terminate called" in start.err or start.code in (-signal.SIGABRT, 128 + signal.SIGABRT,
                                                         -signal.SIGSEGV, 128 + signal.SIGSEGV):
        yield f"crashes with code {start.code}: {start.err.strip()[:300]}"


def with_few_descriptors():
    """Yields what is wrong with jobs that the shell allows too few open files for."""
    for name in ("pvm", "bsp", "blacs"):
        for most in (6, 8, 12, 16):
            done = subprocess.run(["sh", "-c", f'ulimit -n {most}; exec "$0"', rounds(name)],
                                  capture_output=True, text=True, timeout=MOST_SECONDS)
            if done.returncode == 0 or "too few open files" not in done.stderr:
                yield (f"{name} with ulimit -n {most}: code {done.returncode}, "
                       f"{done.stderr.strip()[:300]}")


def starts_of(job):
    for closed in CLOSED:
        for kind in ("plain", ) if 1 in closed else ("plain", "full", "pipe"):
            if closed or kind != "plain":
                yield Start(job, closed, kind)


def main():
    print(f"seed {SEED}; repeat with TUTTI_SEED={SEED}")
    found = jobs()
    problems = check_all_subcommands_are_here(found) + list(with_few_descriptors())
    all_starts = [start for job in found for start in starts_of(job)]
    if SAMPLE:
        all_starts = random.Random(SEED).sample(all_starts, STARTS_IN_SAMPLE)
    used = list({id(start.job): start.job for start in all_starts}.values())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        usual = {id(job): start for job, start in
                 zip(used, pool.map(lambda job: Start(job, (), "plain").run(), used))}
        for job in used:
            if job.code is not None and usual[id(job)].code != job.code:
                problems.append(f"{job.name} has code {usual[id(job)].code} in an ordinary start: "
                                f"{usual[id(job)].err.strip()[:300]}")
        for start in pool.map(Start.run, all_starts):
            problems.extend(f"{start.name()}: {fault}"
                            for fault in faults(start, usual[id(start.job)]))
    print("\n".join(problems))
    print(f"{len(all_starts)} starts of {len(used)} commands, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
