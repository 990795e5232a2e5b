#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mpi_spares.py FLAVOUR TUTTI TASKS PVM CONFORMANCE LIBRARIES: tests jobs of that MPI with spare
ranks, on which the programs tasks.c and those of tests/frontends/pvm start tasks. LIBRARIES is the
folder of libpvm3. With MPI_WIDE=1 in the environment all cases run. The exit code is 77 (skipped)
if the launcher is missing."""
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
for folder in ("scripts", "tests/command"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / folder))
import mpi_launchers  # noqa: E402
from processes import Mark  # noqa: E402

SKIPPED = 77
EXPECTED = pathlib.Path(__file__).parent.parent / "frontends/pvm/expected"
WIDE = os.environ.get("MPI_WIDE") == "1"
PROMPT = float(os.environ.get("TUTTI_PROMPT", "3"))


class Spares:
    def __init__(self, flavour, tutti, tasks, pvm, conformance, libraries):
        self.launcher, self.tutti, self.tasks, self.pvm, self.conformance = mpi_launchers.LAUNCHERS[
            flavour], tutti, tasks, pvm, conformance
        self.libraries = libraries
        self.mark = Mark()  # of all jobs, which run one after another
        self.failures = 0

    def run(self, *parts, variables=None, timeout=100):
        """Runs a job of parts (count, command...). Its exit code is None if it did not end in time
        and was killed."""
        command = list(self.launcher)
        for count, *words in parts:
            command += ["-n", str(count), *words, ":"]
        environment = {
            **os.environ, "OMPI_MCA_btl_base_warn_component_unused": "0", **self.mark.variables(),
            **(variables or {})
        }
        with subprocess.Popen(command[:-1],
                              env=environment,
                              text=True,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as job:
            try:
                out, err = job.communicate(timeout=timeout)
                return job.returncode, out, err
            except subprocess.TimeoutExpired:
                job.terminate()
                out, err = job.communicate()
                return None, out, err + f"\nended after {timeout} s"

    def spare(self, count):
        return (count, self.tutti, "spare")

    def expect(self, name, done, out="", err="", code=0):
        """Checks that a job's stdout and stderr contain these texts (err=None: stderr is empty) and
        that its exit code is `code` (None: any but 0)."""
        found, said, complained = done
        good = out in said and (complained == "" if err is None else err in complained)
        good = good and (found == code if code is not None else found not in (0, None))
        if not good:
            self.failures += 1
            print(
                f"FAILED {name}: exit code {found}, expected {code}, '{out}' and '{err}'\n"
                f"{said[-2000:]}\n{complained[-2000:]}"
            )
        else:
            print(f"{name}: good")

    def nothing_left(self, name):
        self.mark.gone_within(PROMPT)
        left = self.mark.pids()
        self.expect(f"{name}: nothing is left", (len(left), "", " ".join(map(str, left))))

    def coming_and_going(self):
        self.expect("rounds",
                    self.run((1, self.tasks, "rounds", "30" if WIDE else "5"), self.spare(3)),
                    "slots up to", None)
        self.expect("a pool that is empty", self.run((1, self.tasks, "crowded", "2"),
                                                     self.spare(2)), "still here", None)
        self.expect("a task outlives the ranks", self.run((2, self.tasks, "outlived"),
                                                          self.spare(1)), "the task ends", None)
        self.expect("a program as a spare rank",
                    self.run((2, self.tasks, "outlived"), (1, self.tasks, "spare")),
                    "tutti_rank: this process has served as a spare rank", None)
        if not WIDE:
            return
        where = self.run((1, self.tasks, "places"), (1, "taskset", "-c", "0", *self.spare(1)[1:]),
                         (1, "taskset", "-c", "1", *self.spare(1)[1:]))
        if os.cpu_count() > 1:
            self.expect("tasks run where their spare rank would", where, "processors 1 and 2")
        for test in ("late_mail", "tolerant", "limits", "errors"):
            self.expect(test, self.run((1, self.tasks, test), self.spare(3)), "", None)
        self.expect("every rank", self.run((2, self.tasks, "everybody"), self.spare(6)),
                    "slots up to", None)
        self.expect("spare ranks first", self.run(self.spare(3), (2, self.tasks, "rounds", "5")),
                    "slots up to", None)
        self.expect("between ranks",
                    self.run((1, self.tasks, "errors"), self.spare(3), (1, self.tasks, "errors")),
                    "", None)

    def refusals(self):
        done = subprocess.run([self.tutti, "spare"],
                              capture_output=True,
                              text=True,
                              timeout=60,
                              check=False)
        self.expect("by hand", (done.returncode, done.stdout, done.stderr), "",
                    "not started by an MPI", 2)
        self.expect("no pool", self.run((1, self.tasks, "no_pool")), "still here", None)
        if not WIDE:
            return
        self.expect("only spare ranks", self.run(self.spare(2)), "", "start a program beside them",
                    None)
        self.expect(
            "several hosts",
            self.run((2, self.tasks, "hosts"), self.spare(1), variables={"TUTTI_HOSTS": "0,1"}),
            "still here", None)

    def endings(self):
        self.expect("a death", self.run((1, self.tasks, "together"), self.spare(2)), "",
                    "tutti spare: task 1 (pid", None)
        self.nothing_left("a death")
        self.expect("a rank is killed", self.run((2, self.tasks, "killed"), self.spare(1)), "",
                    "was killed by signal 9", None)
        self.nothing_left("a rank is killed")
        if not WIDE:
            return
        self.expect("a rank aborts", self.run((1, self.tasks, "abort"), self.spare(2)), "",
                    "aborted by rank 0 with code 7", None)
        self.nothing_left("a rank aborts")
        self.expect("a task aborts", self.run((1, self.tasks, "task_aborts"), self.spare(2)), "",
                    "aborted with code 9: so be it", None)
        self.nothing_left("a task aborts")
        self.expect("MPI_Finalize first", self.run((1, self.tasks, "mpi_first"), self.spare(2)),
                    "still here", None)
        self.expect(
            "TUTTI_DEATHS",
            self.run((1, self.tasks, "tolerant"),
                     self.spare(3),
                     variables={"TUTTI_DEATHS": "tolerant"}), "still here", None)
        for hosts in ("", "0,1,1"):
            done = self.run((2, self.conformance),
                            self.spare(1), (1, self.conformance),
                            variables={"TUTTI_HOSTS": hosts})
            self.expect(f"conformance, hosts '{hosts}'", done, ", 0 failed")

    def of_pvm(self):
        variables = {"LD_LIBRARY_PATH": self.libraries}
        sections = {
            "tasks": 3, "crowd": 3, "instances": 4, "deaths": 8, "frozen": 8, "data": 8,
            "meetings": 8
        }
        for section, spares in sections.items() if WIDE else [("tasks", 3)]:
            # The first line of the file is the licence.
            wanted = "".join(
                (EXPECTED / f"{section}.txt").read_text().splitlines(keepends=True)[1:])
            self.expect(f"PVM, {section}",
                        self.run((1, self.pvm, section), self.spare(spares), variables=variables),
                        wanted)
        if WIDE:
            churn = self.run((1, self.pvm, "churn", "10", "1"), self.spare(8), variables=variables)
            self.expect("PVM, tasks follow each other", churn, "80 tasks, 0 wrong, 0 groups left",
                        None)
        few = self.run((1, self.pvm, "crowd"), self.spare(2), variables=variables)
        self.expect("PVM, too few", few, "only 0 of 3 tasks started: -27",
                    "libpvm: tutti_spawn: 3 tasks are asked for", None)


def main():
    flavour = sys.argv[1]
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    spares = Spares(*sys.argv[1:])
    for part in (spares.refusals, spares.coming_and_going, spares.endings, spares.of_pvm):
        part()
    print(f"{spares.failures} failures")
    return spares.failures != 0


if __name__ == "__main__":
    sys.exit(main())
