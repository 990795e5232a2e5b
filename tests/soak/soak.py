#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""soak.py BUILD [--hours H | --minutes M] [--seed N] [--round R]: runs jobs of all kinds for hours.
In each round one long job communicates and checks its data, by tutti run, under an MPI, or on two
hosts in namespaces. Meanwhile its ranks are stopped and continued, the machine gets other load,
random mixes of collectives run beside it, and jobs of BSP, the BLACS and PVM are killed. The memory
of the long job must not grow, no process and no file may be left, and data must be right.
A line is printed each minute. A failure prints the round, which --seed and --round repeat."""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hosts"))
import two_hosts  # noqa: E402
from processes import Mark, all_processes, send  # noqa: E402
from two_hosts import TwoHosts, mpi_launchers  # noqa: E402
from watch import Files, Memory  # noqa: E402

BOUND = 60  # seconds of a Stopwatch in which a job must end


class Programs:
    def __init__(self, build):
        tests = Path(build).resolve() / "tests"
        self.tutti = str(Path(build).resolve() / "bin/tutti")
        self.endless = str(tests / "hosts/hosts_endless")
        self.mix, self.messages = str(tests / "api/api_mix"), str(tests / "api/api_messages")
        self.kill = [str(tests / f"command/tools_endless_{name}")
                     for name in ("bsp", "blacs", "pvm")]


class Started:
    """A process with its output in a file. Its group has the whole job but for other hosts."""

    def __init__(self, words, nice=0):
        self.words, self.mark = words, Mark()
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(words,
                                        env={**os.environ, **self.mark.variables()},
                                        stdin=subprocess.DEVNULL,
                                        stdout=self.output,
                                        stderr=subprocess.STDOUT,
                                        preexec_fn=lambda: os.nice(nice))

    def text(self):
        self.output.seek(0)
        return self.output.read()

    def ended(self):
        return self.process.poll() is not None


class Round:
    """One round, whose course the seed and its number decide."""

    def __init__(self, soak, number):
        self.soak, self.number = soak, number
        self.chance = random.Random(f"{soak.seed} {number}")
        self.problems, self.memory = [], Memory()
        self.seconds = min(self.chance.randrange(20, 90), max(5, int(soak.left())))
        self.beside = []  # jobs that run beside the long one
        self.load = []

    def launcher(self):
        """Returns the words in front of the long job's program."""
        ranks = self.chance.randrange(2, 6)
        ways = [("tutti run", [self.soak.programs.tutti, "run", "-n", str(ranks)])]
        for flavour in self.soak.flavours:
            ways.append((flavour, mpi_launchers.launcher(flavour, ranks)))
            if self.soak.hosts is not None:
                ways.append((f"two hosts, {flavour}",
                             self.soak.hosts.launcher(flavour, self.chance.choice(
                                 ([1, 1], [2, 1], [1, 2])))))
        return self.chance.choice(ways)

    def run(self):
        self.way, words = self.launcher()
        main = Started([*words, self.soak.programs.endless, str(self.seconds)],
                       self.chance.choice((0, 0, 5)))
        while not main.ended() and time.monotonic() < self.soak.limit_of(self):
            self.disturb()
            pids = [one.pid for one in self.ranks()]
            self.memory.look(pids)
            time.sleep(0.3)
            self.soak.tell(self)
        self.finish(main)

    def ranks(self):
        return [one for one in all_processes() if one.name == "hosts_endless"]

    def disturb(self):
        what = self.chance.random()
        if what < 0.25:
            self.stop_a_rank()
        elif what < 0.35 and len(self.load) < 3:
            self.load.append(subprocess.Popen(["sh", "-c", "while :; do :; done"]))
        elif what < 0.45 and self.load:
            self.end_load()
        elif what < 0.6 and len(self.beside) < 2:
            self.start_beside()
        elif what < 0.8:
            self.kill_a_job()
        self.collect(wait=False)

    def stop_a_rank(self):
        ranks = self.ranks()
        if not ranks:
            return
        pid = self.chance.choice(ranks).pid
        send([pid], signal.SIGSTOP)
        time.sleep(self.chance.random() * 0.2)
        send([pid], signal.SIGCONT)
        self.soak.stops += 1

    def start_beside(self):
        programs = self.soak.programs
        program = self.chance.choice(
            ([programs.mix, "200", str(self.chance.randrange(10**6))], [programs.messages]))
        inside = self.chance.choice(([], [], ["unshare", "--ipc", "--uts"]))
        self.beside.append(
            Started([*inside, programs.tutti, "run", "-n", str(self.chance.randrange(2, 5)),
                     *program]))

    def kill_a_job(self):
        """Starts a job that never ends by itself, and kills one of its processes. The job then
        ends, but for tasks of PVM that need nobody, which their first task takes with it."""
        program = self.chance.choice(self.soak.programs.kill)
        pvm = program.endswith("pvm")
        ahead = [] if pvm or self.chance.random() < 0.5 else [
            self.soak.programs.tutti, "run", "-n", "3"
        ]
        job = Started([*ahead, program])
        stops = self.chance.random() < 0.3
        # While the job starts, a stopped supervisor stays stopped (docs/internals/supervisor.md).
        watch = two_hosts.Stopwatch()
        moment = self.chance.random() * 0.2 + (1 if stops else 0)
        while watch.read() < moment:
            time.sleep(0.01)
        victims = job.mark.pids()
        if stops and victims:
            send([self.chance.choice(victims)], signal.SIGSTOP)
        send([job.process.pid if pvm or not victims else self.chance.choice(victims)])
        self.soak.kills += 1
        if not job.mark.gone_within(BOUND):
            self.problems.append(f"after a kill {job.mark.pids()} are left of {job.words}")
            job.mark.kill_all()
        job.process.wait()

    def collect(self, wait):
        for job in list(self.beside):
            watch = two_hosts.Stopwatch()
            while wait and not job.ended() and watch.read() < BOUND:
                time.sleep(0.02)
            if not job.ended() and not wait:
                continue
            if not job.ended():
                self.problems.append(f"a hang of {job.words}")
                job.mark.kill_all()
            if job.process.wait() != 0:
                self.problems.append(f"{job.words}: code {job.process.returncode}\n{job.text()}")
            self.beside.remove(job)
            self.soak.jobs += 1

    def end_load(self):
        for process in self.load:
            process.kill()
            process.wait()
        self.load = []

    def finish(self, main):
        self.end_load()
        self.collect(wait=True)
        if not main.ended():
            states = [(one.pid, one.state) for one in self.ranks()]
            self.problems.append(f"a hang by {self.way}: {states}\n{main.text()}")
            main.mark.kill_all()
        if main.process.wait() != 0 or "endless: right" not in main.text():
            self.problems.append(f"{self.way}: code {main.process.returncode}\n{main.text()}")
        self.soak.jobs += 1
        self.problems += self.memory.growth() + self.left_over()

    def left_over(self):
        """Returns what is left, after a time in which the daemons of an MPI may end."""
        watch = two_hosts.Stopwatch()
        while watch.read() < 10:
            left = [one for one in all_processes() if one.pid not in self.soak.own()]
            if not left:
                break
            time.sleep(0.05)
        texts = [f"process {one.pid} ({one.name}, {one.state}) is left" for one in left]
        send([one.pid for one in left])
        return texts + [f"file {name} is left" for name in self.soak.files.left()]


class Soak:
    def __init__(self, options, hosts):
        self.programs, self.seed, self.hosts = Programs(options.build), options.seed, hosts
        self.flavours = [one for one in mpi_launchers.LAUNCHERS if mpi_launchers.installed(one)]
        self.folder = tempfile.mkdtemp(prefix="tutti-soak-")
        os.environ["TMPDIR"] = self.folder
        self.files = Files([self.folder, "/dev/shm"])
        self.begun = self.told = time.monotonic()
        self.duration = options.hours * 3600 + options.minutes * 60
        self.jobs = self.kills = self.stops = self.rounds = self.failed = 0
        self.largest = {"own": 0, "segment": 0}  # bytes of any process so far

    def own(self):
        return {1, os.getpid()}

    def left(self):
        return self.duration - (time.monotonic() - self.begun)

    def limit_of(self, one):
        """A loaded machine is slow, and stopped ranks keep others waiting."""
        one.limit = getattr(one, "limit", time.monotonic() + 10 * one.seconds + BOUND)
        return one.limit

    def tell(self, one):
        if time.monotonic() < self.told + 60:
            return
        self.told = time.monotonic()
        print(f"{(self.told - self.begun) / 60:6.1f} min  round {one.number} ({one.way})  "
              f"{self.jobs} jobs  {self.kills} kills  {self.stops} stops  own memory "
              f"{self.largest['own'] >> 10} KiB  segment {self.largest['segment'] >> 10} KiB  "
              f"files {len(self.files.list())}  {self.failed} failed rounds", flush=True)

    def run_round(self, number):
        one = Round(self, number)
        one.run()
        self.rounds += 1
        self.failed += one.problems != []
        for kind in self.largest:
            self.largest[kind] = max(self.largest[kind], one.memory.largest(kind))
        for problem in one.problems:
            print(f"FAILED round {number} ({one.way}): {problem}\n"
                  f'repeat it: make soak ARGS="--seed {self.seed} --round {number}"', flush=True)
        self.tell(one)

    def run(self, only):
        number = only or 1
        while only is None and self.left() > 0 or self.rounds == 0:
            self.run_round(number)
            number += 1
        print(f"soak: seed {self.seed}, {(time.monotonic() - self.begun) / 60:.1f} min, "
              f"{self.rounds} rounds, {self.jobs} jobs, {self.kills} kills, {self.stops} stops, "
              f"{self.failed} failed rounds")
        return self.failed != 0


def options_of():
    parser = argparse.ArgumentParser(description="Runs random jobs, faults and load for hours.")
    parser.add_argument("build", help="the folder of the build")
    parser.add_argument("--hours", type=float, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--round", type=int, help="this round only")
    options = parser.parse_args()
    options.minutes = options.minutes if options.hours or options.minutes else 60
    return options


def main():
    options = options_of()
    with TwoHosts() as hosts:
        two_hosts.command("mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
        return Soak(options, hosts).run(options.round)


if __name__ == "__main__":
    sys.exit(two_hosts.run_isolated(None, main))
