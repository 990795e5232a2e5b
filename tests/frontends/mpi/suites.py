#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""suites.py TUTTI SUITE FLAVOUR [FOLDER...]: runs foreign suites of tests of MPI by `tutti mpi`.
SUITE is mpich, of which FOLDER... are the folders to run, or mpi4py. scripts/mpi_suites.sh has
built it. Each of MPICH's tests runs on as many ranks as its list says, and on 2. A test that fails
is run without tutti, too. If it does not fail there, both run five times more. The exit code is 1
if a test has failed more often with tutti than without it."""
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
REPEATS = 5
SECONDS = 300  # of a test; most take less than one, but a busy machine is slow
# Where MPICH's processes share processors, some of its tests of windows come to no end, with tutti
# or without it.
SECONDS_OF_WINDOWS = 60
MOST_MEMORY = 1  # of a test, in GB
# Communicators are served from their first call on, so that as many calls as possible are tutti's.
SETTINGS = {"TUTTI_MPI_FIRST": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}


class Runs:
    """Starts jobs, with tutti in front of the program and without, and counts the calls that tutti
    has served on rank 0."""

    def __init__(self, tutti, flavour, folder):
        self.tutti, self.flavour, self.folder, self.served = tutti, flavour, folder, 0
        self.report = ROOT / f"build/suites/served-{flavour}"

    def count(self):
        """Reads the table of TUTTI_EXPLAIN, which a job that fails may not have written."""
        if self.report.exists():
            rows = re.findall(r"^tutti: \w+ +(\d+) +\S+ +\d+ +\S+$", self.report.read_text(),
                              flags=re.M)
            self.served += sum(map(int, rows))
            self.report.unlink()

    def run(self, preloaded, ranks, words, seconds):
        """Returns the output of a job and its exit code, which is None if it took too long."""
        command = [*mpi_launchers.launcher(self.flavour, ranks),
                   *([self.tutti, "mpi"] if preloaded else []), *words]
        settings = {**SETTINGS, "TUTTI_EXPLAIN": str(self.report)}
        with subprocess.Popen(command, cwd=self.folder, env={**os.environ, **settings},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace",
                              start_new_session=True) as job:
            try:
                return job.communicate(timeout=seconds)[0], job.returncode
            except subprocess.TimeoutExpired:
                return end(job), None
            finally:
                self.count()


def end(job):
    """Ends a job that takes too long. A launcher that is killed leaves its ranks behind, so it is
    asked first."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(job.pid, how)
            return job.communicate(timeout=20)[0]
        except ProcessLookupError:
            return ""
        except subprocess.TimeoutExpired:
            pass
    return ""


class Test:
    """One line of a list of MPICH's tests: a program, its ranks, and what counts as success."""

    def __init__(self, line, folder):
        words = line.split()
        settings = [word.partition("=")[::2] for word in words[2:]]
        self.program, self.ranks = words[0], int(words[1])
        self.words = [value for key, value in settings if key == "arg"]
        self.settings = dict(settings)
        listed = int(self.settings.get("timeLimit", 0))
        self.seconds = SECONDS_OF_WINDOWS if folder == "rma" else max(SECONDS, listed)

    def left_out(self, folder):
        """Returns why the test is not run; None if it is."""
        if not (folder / self.program).exists():
            return "was not built"
        if float(self.settings.get("mem", 0)) > MOST_MEMORY:
            return f"needs {self.settings['mem']} GB"
        return None

    def good(self, output, code):
        wanted = self.settings.get("resultTest")
        if code is None:
            return False
        if wanted == "TestErrFatal":
            return code != 0
        return code == 0 and (wanted == "TestStatus" or
                              re.search(r"No Errors", output, re.I) is not None)

    def name(self, ranks):
        return " ".join([self.program, str(ranks), *self.words])


def hangs(why):
    return why is not None and why.startswith("exit code None")


class Verdicts:
    """Counts what became of the tests, and prints those that differ."""

    def __init__(self):
        self.passed = self.both = self.ours = 0

    def judge(self, name, once):
        """once(preloaded) runs the test once and returns None, or how it has failed."""
        why = once(True)
        if why is None:
            self.passed += 1
            return
        plain = once(False)
        if plain is not None and hangs(why) <= hangs(plain):
            self.both += 1
            print(f"fails in both: {name}", flush=True)
            return
        # Where both fail and only one hangs, the hangs are counted.
        counts = hangs if plain is not None else (lambda how: how is not None)
        failed = {kind: sum(counts(once(kind)) for _ in range(REPEATS)) for kind in (True, False)}
        ours = failed[True] + 1 > failed[False]
        self.ours += ours
        print(f"{'DIFFERS' if ours else 'fails at times'}: {name}: failed {failed[True] + 1} of "
              f"{REPEATS + 1} times with tutti, {failed[False]} without it; the first time:\n{why}",
              flush=True)

    def close(self, name, calls):
        print(f"{name}: {self.passed} passed, {self.both} fail in both, {self.ours} differ; tutti "
              f"has served {calls} calls of rank 0", flush=True)
        if self.passed == 0 or calls == 0:
            print(f"{name}: nothing has passed, or tutti has served nothing; so nothing was tested")
            return 1
        return self.ours


def run_folder(tutti, flavour, name):
    folder = ROOT / f"build/suites/mpich-{flavour}" / name
    verdicts, runs, left_out = Verdicts(), Runs(tutti, flavour, folder), {}
    made = folder / "testlist"  # some lists are made by configure, and others are not
    given = ROOT / "build/suites/mpich/test/mpi" / name / "testlist"
    lines = (made if made.exists() else given).read_text(encoding="utf-8").splitlines()
    done = set()
    for test in (Test(line, name) for line in lines if re.match(r" *\w+ +\d+", line)):
        why = test.left_out(folder)
        if why is not None:
            left_out.setdefault(why, []).append(test.program)
            continue
        for ranks in dict.fromkeys((test.ranks, 2)):
            if test.name(ranks) in done:
                continue
            done.add(test.name(ranks))

            def once(preloaded):
                output, code = runs.run(preloaded, ranks, [f"./{test.program}", *test.words],
                                        test.seconds)
                return None if test.good(output, code) else f"exit code {code}\n{output[-1500:]}"

            verdicts.judge(f"{name}/{test.name(ranks)}", once)
    for why, names in left_out.items():
        print(f"left out, {why}: {' '.join(dict.fromkeys(names))}", flush=True)
    return verdicts.close(f"{flavour} {name}", runs.served)


def run_mpi4py(tutti, flavour):
    environment = ROOT / f"build/suites/mpi4py-{flavour}/environment"
    tests = ROOT / "build/suites/mpi4py/test"
    runs, verdicts = Runs(tutti, flavour, tests), Verdicts()
    print("left out, because neither MPI of Debian 12 starts as many processes as asked: spawn")
    for ranks in range(1, 6):

        def once(preloaded):
            output, code = runs.run(preloaded, ranks, [environment / "bin/python", "main.py", "-q",
                                                       "-e", "spawn"], 1800)
            return None if code == 0 else f"exit code {code}\n{output[-4000:]}"

        verdicts.judge(f"mpi4py on {ranks} ranks", once)
    return verdicts.close(f"{flavour} mpi4py", runs.served)


def main():
    command, suite, flavour, *folders = sys.argv[1:]
    tutti = str(Path(command).resolve())  # jobs run in other folders
    if not mpi_launchers.installed(flavour):
        print(f"skipped: the launcher of {flavour} is not installed")
        return SKIPPED
    if suite == "mpi4py":
        return 1 if run_mpi4py(tutti, flavour) > 0 else 0
    return 1 if sum(run_folder(tutti, flavour, folder) for folder in folders) > 0 else 0


sys.exit(main())
