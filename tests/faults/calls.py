# SPDX-License-Identifier: BSD-3-Clause
"""Lets each system call of a job fail in turn, in each of its processes, and judges the end.

A first run counts the calls of each kind (kinds.def) in each process. Then the n-th one fails once,
for every n, with an error chosen by the seed; or all from the n-th on fail, for the first, a middle
and the last n. Right is the result of a run without a failure, or one sentence and an exit code
that is not 0, in time, with nothing left behind. Output that is lost must show in the exit code.

Prints a matrix: for each kind of call the runs, the n reached and the ends. A failed case is
printed with the arguments that repeat it."""
import argparse
import collections
import concurrent.futures
import dataclasses
import errno
import os
import random
import re
import sys
import time

import jobs
import plans
from processes import end_jobs_at_sigterm

KINDS = plans.kinds()
# These calls write what people read. If stderr cannot be written, the exit code must tell alone.
WRITES = {"write", "fwrite", "fclose", "close"}
# No system reports these for ever. A program that meets one of them may try again each time.
PASSING = {errno.EINTR, errno.ECONNABORTED}
# Processes of MPIs, which are no processes of ours.
LAUNCHERS = ("mpirun", "mpiexec", "orted", "hydra_")
CRASHES = {132, 134, 135, 136, 139, -4, -6, -7, -8, -11}


@dataclasses.dataclass(frozen=True)
class Case:
    job: str
    process: str
    kind: int
    number: int
    for_good: bool
    error: int

    def __str__(self):
        name = KINDS[self.kind][0]
        good = " --for-good" if self.for_good else ""
        return (f"--only {self.job} --process {self.process} --kind {name} --number {self.number}"
                f" --error {self.error}{good}  # {os.strerror(self.error)}")


def run(job, build, case, limit):
    """Runs a job with the case's failure, or with none. Returns its end and the plan's account."""
    with jobs.Run(job, limit) as one:
        wanted = {} if case is None else {
            "target": case.process, "kind": case.kind, "first": case.number,
            "for_good": case.for_good, "error": case.error}
        plan = plans.PlanFile(one.folder, **wanted)
        # LD_PRELOAD has no way to name a path with spaces, as that of the build may be.
        library = f"{one.folder}/failing_calls.so"
        os.symlink(f"{build}/tests/faults/libfaults_failing_calls.so", library)
        end = one.end({"LD_PRELOAD": library, "TUTTI_FAULTS_PLAN": plan.path})
        account = plan.counts(), plan.result()
        plan.close()
        return end, account


def verdict(job, case, right, end, account):
    """Returns what is wrong with an end, or "right", "sentence" and the like if nothing is."""
    fired, descriptor = account[1]
    name = KINDS[case.kind][0]
    if end.hung:
        # MPICH's launcher does not end a job if a rank ends before MPI_Init. The others are in that
        # call and cannot know of it; they say that they wait, but spare ones do not.
        hydra = job.name.startswith("mpich") and re.search(
            r"has waited \d+ s to join|^tutti mpi: .* cannot be preloaded"
            r"|^libpvm: tutti_init_in_machine: ", end.err, re.M)
        # Open MPI's launcher may fail itself when a rank calls MPI_Abort.
        orte = job.name.startswith("openmpi") and "ORTE_ERROR_LOG" in end.err
        # A task of PVM that cannot join is not the end of its machine, because anybody may still
        # join: the members of a barrier go on waiting until their user ends them.
        told = re.search(r"^(tutti|libpvm)", end.said, re.M)
        waits = job.can_be_given_up and not end.left and told
        # All that a launcher has started has ended, and it does not see it.
        alone = end.waiting and all(name.startswith(LAUNCHERS) for name in end.waiting)
        return ("hang of hydra" if hydra else "hang of orte" if orte else
                "wait of PVM" if waits else "hang of a launcher" if alone else
                f"HANG {end.waiting}")
    if job.environment is jobs.OF_MPI and end.code < 0:
        return "crash of a launcher"  # a rank that crashes is told of by its launcher's exit code
    if end.code in CRASHES or "terminate called" in end.err:
        return "CRASH"
    # A socket that cannot be removed stays; the next machine removes it.
    unremoved = name == "unlink" and all(str(one).endswith(".socket") for one in end.left)
    if end.left and not unremoved:
        return f"LEFT {end.left}"
    if end.code == 0:
        complete = jobs.same(job, end.out, right.out) and all(
            jobs.same(job, end.files[file], right.files[file]) for file in job.files)
        if not complete:
            # The records of a trace that cannot be written stay beside it.
            told = job.name == "tutti-trace" and os.strerror(case.error) in end.err
            return "told" if told else "LOST"
        return "right" if fired else "not reached"
    if end.err.strip() == "":
        unheard = name in WRITES and (descriptor in (-1, 2) or case.for_good)
        return "code alone" if unheard else "SILENT"
    # A process says why it fails. Another one that depends on it says how it has ended. Tasks of
    # PVM are on their own, so each says what it meets.
    said = re.findall(r"^tutti(?!.* (?:exited with|ended with exit) code|.*its launcher has ended)",
                      end.err, re.M)
    if not job.name.startswith("pvm") and len(said) > 1:
        return "TWO SENTENCES"
    return "sentence" if os.strerror(case.error) in end.err else "other sentence"


def cases_of(job, counts, seed, most):
    """Returns the cases of a job: every number once, and three numbers for good. Where a process
    makes more than `most` calls of a kind, as many numbers are chosen by the seed."""
    chance = random.Random(f"{seed} {job}")
    cases = []
    for (process, kind), calls in sorted(counts.items()):
        errors = KINDS[kind][1]
        numbers = list(range(1, calls + 1))
        if calls > most:
            numbers = sorted({1, calls, *chance.sample(numbers, most - 2)})
        cases += [Case(job, process, kind, n, False, chance.choice(errors)) for n in numbers]
        lasting = [error for error in errors if error not in PASSING]
        cases += [Case(job, process, kind, n, True, chance.choice(lasting))
                  for n in sorted({1, (calls + 1) // 2, calls}) if lasting]
    return cases


class Matrix:
    """Counts the ends by kind of call, and prints the failed cases."""

    def __init__(self):
        self.ends = collections.defaultdict(collections.Counter)
        self.reached = collections.Counter()
        self.sentences = collections.defaultdict(list)
        self.failed = 0

    def add(self, case, told, end):
        name = KINDS[case.kind][0]
        self.ends[name][told.split(" [")[0].split(" /")[0]] += 1
        if told not in ("not reached", "not run"):
            self.reached[name] = max(self.reached[name], case.number)
        if told.split()[0].isupper():
            self.failed += 1
            print(f"{told}: {case}\n  exit code {end.code}\n  " +
                  "\n  ".join(end.err.splitlines()[:6]), flush=True)
        elif told == "other sentence":
            text = re.sub(r"[0-9]+", "N", end.err.strip().splitlines()[0])
            self.sentences[text].append(case)

    def print(self, with_sentences):
        print(f"{'kind':18} {'runs':>6} {'to n':>5}  ends")
        for name in sorted(self.ends):
            ends = ", ".join(f"{count} {told}" for told, count in self.ends[name].most_common())
            print(f"{name:18} {self.ends[name].total():6} {self.reached[name]:5}  {ends}")
        if with_sentences:
            for text, cases in sorted(self.sentences.items(), key=lambda item: -len(item[1])):
                print(f"{len(cases):5} {text[:300]}\n        {cases[0]}")


def counted(job, build, limit):
    """Runs a job with no failure, and returns its end and its calls."""
    end, (calls, _) = run(job, build, None, limit)
    if end.code != 0 or end.hung or end.left or None in end.files.values():
        sys.exit(f"{job.name} fails without a failing call: {end}")
    if not calls[0]:
        sys.exit(f"{job.name}: no call is counted: the library is not preloaded")
    return end, calls[0]


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="the folder of the build")
    parser.add_argument("--only", help="jobs, with commas")
    parser.add_argument("--no-mpi", action="store_true", help="leave out what an MPI starts")
    parser.add_argument("--half", type=int, choices=(1, 2), help="every other job")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--most", type=int, default=40, help="numbers of a kind in a process")
    parser.add_argument("--cases", type=int, help="at most so many cases, chosen by the seed")
    parser.add_argument("--seconds", type=float, default=3300, help="no case starts later")
    parser.add_argument("--limit", type=float, default=4, help="seconds of a run")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--process")
    parser.add_argument("--kind")
    parser.add_argument("--number", type=int)
    parser.add_argument("--error", type=int)
    parser.add_argument("--for-good", action="store_true")
    parser.add_argument("--sentences", action="store_true",
                        help="also print the sentences that do not name the error")
    return parser.parse_args()


def main():
    given = options()
    end_jobs_at_sigterm()
    build = os.path.abspath(given.build)
    all_jobs = jobs.jobs(build)
    chosen = list(all_jobs.values())
    if given.no_mpi:
        chosen = [job for job in chosen if job.environment is not jobs.OF_MPI]
    if given.only:
        chosen = [all_jobs[name] for name in given.only.split(",")]
    if given.half:
        chosen = chosen[given.half - 1::2]
    right, cases = {}, []
    for job in chosen:
        right[job.name], counts = counted(job, build, given.limit)
        cases += cases_of(job.name, counts, given.seed, given.most)
    names = [name for name, _ in KINDS]
    if given.kind:
        cases = [case for case in cases if names[case.kind] in given.kind.split(",")]
    if given.number:
        cases = [Case(chosen[0].name, given.process, names.index(given.kind), given.number,
                      given.for_good, given.error)]
    if given.cases and len(cases) > given.cases:
        cases = random.Random(given.seed).sample(cases, given.cases)
    matrix, end_at = Matrix(), time.monotonic() + given.seconds
    with concurrent.futures.ThreadPoolExecutor(given.workers) as pool:

        def one(case):
            if time.monotonic() > end_at:
                return case, "not run", None
            end, account = run(all_jobs[case.job], build, case, given.limit)
            return case, verdict(all_jobs[case.job], case, right[case.job], end, account), end

        for case, told, end in pool.map(one, cases):
            matrix.add(case, told, end)
            if given.number:
                print(told, end)
    matrix.print(given.sentences)
    left_out = sum(ends["not run"] for ends in matrix.ends.values())
    if left_out:
        print(f"{left_out} cases were not run: the time was over (--seconds)")
    print(f"{len(cases)} cases, seed {given.seed}: {matrix.failed} failed")
    return matrix.failed != 0 or left_out != 0


if __name__ == "__main__":
    sys.exit(main())
