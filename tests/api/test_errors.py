# SPDX-License-Identifier: BSD-3-Clause
"""Tests errors in C, C++ and Fortran. Each mistake must give one message on stderr that says what
is wrong, and every process must end with an exit code that is not 0."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import mpi_launchers  # noqa: E402

TUTTI = os.environ["ERRORS_TUTTI"]
LIBRARIES = os.environ["ERRORS_LIBRARIES"].split(",")
PROGRAMS = dict(pair.split("=") for pair in os.environ["ERRORS_PROGRAMS"].split(","))
OTHERS = "OMPI_ PMI PMIX_ SLURM_ TUTTI_ RANK WORLD_SIZE MASTER_ADDR".split()
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(tuple(OTHERS))}


def run(command, **variables):
    return subprocess.run(command,
                          env={**CLEAN, **variables},
                          stdin=subprocess.DEVNULL,
                          capture_output=True,
                          text=True,
                          timeout=60)


class Errors(unittest.TestCase):
    def refused(self, done, *words):
        """Checks that the program failed and did not continue, and that stderr has one message with
        these words."""
        self.assertNotIn("came to its end", done.stdout)
        return self.reported(done, *words)

    def reported(self, done, *words):
        """Checks that the job failed, and that stderr has one message with these words."""
        self.assertNotEqual(done.returncode, 0, done)
        for word in words:
            self.assertIn(word, done.stderr)
        messages = [
            line for line in done.stderr.splitlines()
            if line.startswith(("tutti", "terminate", "what()"))
        ]
        self.assertEqual(len(messages), 1, done.stderr)
        return messages[0]

    def in_each_language(self, arguments, *words, ranks=3, check=None, **variables):
        check = check or self.refused
        for language, program in PROGRAMS.items():
            with self.subTest(language=language):
                message = check(
                    run([TUTTI, "run", "-n", str(ranks), program, *arguments], **variables), *words)
                self.assertRegex(message, r"^tutti run: rank \d+ \(pid \d+, ")


class InAJob(Errors):
    def test_algorithm(self):
        self.in_each_language([],
                              "tutti_init",
                              "TUTTI_ALGORITHM",
                              "treee",
                              TUTTI_ALGORITHM="bcast=treee")
        self.in_each_language([],
                              "tutti_init",
                              "TUTTI_ALGORITHM",
                              "foo",
                              TUTTI_ALGORITHM="foo=ring")

    def test_verify(self):
        self.in_each_language(["root"], "TUTTI_VERIFY", "'maybe'", "0 or 1", TUTTI_VERIFY="maybe")

    def test_errors_variable(self):
        self.in_each_language([],
                              "tutti_init",
                              "TUTTI_ERRORS is 'maybe'",
                              "end or return",
                              TUTTI_ERRORS="maybe")

    def test_calls(self):
        words = [f"{call} (operation #0 of processes 0-2)" for call in ("barrier", "allreduce")]
        self.in_each_language(["calls"], *words, "all ranks must make the same call")

    def test_counts(self):
        self.in_each_language(["counts"], "tutti_allreduce", "64", "32")

    def test_types(self):
        self.in_each_language(["types"], "tutti_allreduce", "sum of float64", "sum of int64")

    def test_root(self):
        self.in_each_language(["root"],
                              "tutti_bcast: argument 'root' is 9 but the group has 3 ranks (rank ")

    def test_messages_that_nobody_took(self):
        """Only tutti_finalize can see these mistakes, because no rank waits for another. A rank
        that leaves before the message comes reaches its end."""
        words = ("tutti_finalize: process ", "which did not take it",
                 "has sent a message of broadcast (operation #0 of processes 0")
        for mistake in ("roots", "one"):
            for ranks in (2, 3, 8):
                self.in_each_language([mistake], *words, ranks=ranks, check=self.reported)
        self.in_each_language(["roots"], *words, ranks=2, check=self.reported, TUTTI_VERIFY="1")

    def test_stale_handle(self):
        self.refused(run([TUTTI, "run", "-n", "2", PROGRAMS["c"], "stale"]), "tutti_size",
                     "'group'", "freed")

    def test_finalized(self):
        done = run([TUTTI, "run", "-n", "1", PROGRAMS["c"], "finalized"])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("tutti_rank: this process has left its job by tutti_finalize", done.stderr)

    def test_forked(self):
        for mistake, call in (("forked", "tutti_rank"), ("forked again", "tutti_init")):
            done = run([TUTTI, "run", "-n", "1", PROGRAMS["c"], mistake])
            self.assertEqual((done.returncode, done.stdout), (1, "rank 0 of 1\n"))
            self.assertIn(
                f"tutti: {call}: this process was made by fork() and is no process of the job: "
                "leave the calls of tutti to its parent\n", done.stderr)

    def test_no_errors(self):
        for program in PROGRAMS.values():
            done = run([TUTTI, "run", "-n", "3", program])
            self.assertEqual((done.returncode, done.stderr, done.stdout.count("came to its end")),
                             (0, "", 3))


class WhoHears(Errors):
    def test_environment(self):
        done = run([TUTTI, "run", "-n", "2", PROGRAMS["c"], "root"], TUTTI_ERRORS="return")
        self.assertEqual((done.returncode, done.stderr, done.stdout.count("came to its end")),
                         (0, "", 2))

    def test_init_is_printed_even_so(self):
        done = run([TUTTI, "run", "-n", "1", PROGRAMS["c"]],
                   TUTTI_ERRORS="return",
                   TUTTI_ALGORITHM="foo=ring")
        self.assertIn("rank -1 of -1", done.stdout)
        self.assertRegex(done.stderr, "(?m)^tutti: tutti_init: .*TUTTI_ALGORITHM.*foo")

    def test_interfaces_leave_the_programs_choice_alone(self):
        message = self.refused(run([TUTTI, "run", "-n", "1", PROGRAMS["c"], "pushed"]),
                               "'root' is 7")
        self.assertNotIn("'root' is 9", message)
        self.refused(run([TUTTI, "run", "-n", "1", PROGRAMS["c++"], "own"]),
                     "tutti_bcast: argument 'data' is NULL")

    def test_what_asks_for_errors_gets_them(self):
        for language in sorted(PROGRAMS.keys() - {"c"}):
            done = run([TUTTI, "run", "-n", "2", PROGRAMS[language], "caught", "root"])
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count("caught: "), 2)
        done = run([TUTTI, "run", "-n", "2", PROGRAMS["c++"], "caught"], TUTTI_ALGORITHM="foo=ring")
        self.assertEqual((done.returncode, done.stdout.count("caught: tutti_init")), (0, 2), done)


class Alone(Errors):
    def test_errors(self):
        for language, program in PROGRAMS.items():
            with self.subTest(language=language):
                self.refused(run([program, "root"]), "'root' is 9 but the group has 1 ranks")
                self.refused(run([program]  , TUTTI_ALGORITHM="foo=ring"), "TUTTI_ALGORITHM")
                self.refused(run([program, "uninitialised"]),
                             "tutti_init" if language != "c++" else "tutti::Session")

    def test_output_before_the_error_is_there(self):
        self.assertIn("rank 0 of 1", run([PROGRAMS["c"], "root"]).stdout)


def launched(name, size, rank):
    """Returns the variables that a launcher sets for one of its processes."""
    return {
        "torchrun": {
            "RANK": str(rank), "WORLD_SIZE": str(size), "LOCAL_RANK": str(rank),
            "MASTER_ADDR": "localhost", "MASTER_PORT": "29500"
        },
        "srun": {
            "SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": str(size),
            "SLURM_NTASKS": "16", "SLURM_PROCID": str(rank)
        },
        "old srun": {"SLURM_STEP_ID": "2", "SLURM_NTASKS": str(size), "SLURM_PROCID": str(rank)},
        "PMI of Slurm": {
            "SLURM_STEP_ID": "0", "SLURM_NTASKS": str(size), "SLURM_PROCID": str(rank),
            "PMI_SIZE": str(size), "PMI_RANK": str(rank)
        },
        "PMIx of Slurm": {
            "SLURM_STEP_ID": "0", "SLURM_NTASKS": str(size), "SLURM_PROCID": str(rank),
            "PMIX_RANK": str(rank), "PMIX_NAMESPACE": "slurm.pmix.7.0"
        },
        "batch script": {
            "SLURM_JOB_ID": "7", "SLURM_NTASKS": str(size), "SLURM_PROCID": "0", "SLURM_NODEID": "0"
        },
        "numbered batch script": {
            "SLURM_STEP_ID": "4294967291", "SLURM_NTASKS": str(size), "SLURM_PROCID": "0"
        },
        "interactive shell": {
            "SLURM_STEP_ID": "4294967290", "SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": str(size),
            "SLURM_PROCID": "0"
        },
    }[name]


class OtherLaunchers(Errors):
    SEVERAL = ("torchrun", "srun", "old srun", "PMI of Slurm", "PMIx of Slurm")
    ONE = ("batch script", "numbered batch script", "interactive shell")

    def test_several_processes_are_no_jobs_of_one(self):
        for name in self.SEVERAL:
            for language, program in PROGRAMS.items():
                with self.subTest(launcher=name, language=language):
                    self.refused(run([program], **launched(name, 4, 0)),
                                 f"tutti run -n 4 {program}")

    def test_one_speaks_for_all_and_all_fail(self):
        """At least one process must print the message, and all must fail. How many print it depends
        on the load: a process that starts late does not see that another has printed it."""
        for name in self.SEVERAL:
            ranks = [
                subprocess.Popen([PROGRAMS["c"]],
                                 env={**CLEAN, **launched(name, 4, rank)},
                                 text=True,
                                 stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE) for rank in range(4)
            ]
            first_to_end = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
            self.assertNotEqual(first_to_end.si_status, 0)
            said = [rank.communicate(timeout=60)[1] for rank in ranks]
            self.assertTrue(all(rank.returncode not in (0, None) for rank in ranks))
            self.assertIn("tutti run -n 4 ", "".join(said))
            self.assertTrue(all(text.count("\n") <= 1 for text in said))

    def test_who_is_silent_has_heard_the_speaker(self):
        """A process that prints nothing must wait for the one that prints the message. If that one
        is stopped meanwhile, the other does not end before it continues."""
        def start(rank):
            return subprocess.Popen([PROGRAMS["c"]],
                                    env={**CLEAN, **launched("torchrun", 2, rank)},
                                    text=True,
                                    stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE)

        def stopped_speaker():
            first = start(0)
            self.assertIn("torchrun has started this process as one of 2", first.stderr.readline())
            os.kill(first.pid, signal.SIGSTOP)
            return first if os.WIFSTOPPED(os.waitpid(first.pid, os.WUNTRACED)[1]) else None
        # A speaker that had ended before it could be stopped (None) is started again.
        first = next(found for found in iter(stopped_speaker, 0) if found is not None)
        second = start(1)
        with self.assertRaises(subprocess.TimeoutExpired):
            second.wait(1)
        os.kill(first.pid, signal.SIGCONT)
        self.assertEqual(second.communicate(timeout=60)[1], "")
        first.communicate(timeout=60)
        self.assertTrue(first.returncode != 0 and second.returncode != 0)

    def test_one_process_is_a_job_of_one(self):
        for name in self.ONE:
            with self.subTest(launcher=name):
                done = run([PROGRAMS["c"]], **launched(name, 4, 0))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("rank 0 of 1", done.stdout)
        self.assertEqual(run([PROGRAMS["c"]], **launched("torchrun", 1, 0)).returncode, 0)

    def test_tutti_run_within(self):
        for name in ("torchrun", "srun"):
            done = run([TUTTI, "run", "-n", "2", PROGRAMS["c"]], **launched(name, 4, 1))
            self.assertEqual((done.returncode, done.stderr, done.stdout.count(" of 2")), (0, "", 2))

    def test_the_first_tutti_run_within_says_that_there_are_several(self):
        command = [TUTTI, "run", "-n", "2", PROGRAMS["c"]]
        for name, left_out in (("torchrun", "torchrun"), ("srun", "srun"),
                               ("PMI of Slurm", "tutti run or srun")):
            with self.subTest(launcher=name):
                done = run(command, **launched(name, 4, 0))
                self.assertEqual((done.returncode, done.stdout.count(" of 2")), (0, 2), done)
                self.assertRegex(done.stderr,
                                 rf"\Atutti run: .* 4 times.* leave out {left_out} .*\n\Z")
                done = run(command, **launched(name, 4, 0), TUTTI_TRANSPORT="shm")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in self.ONE:
            with self.subTest(launcher=name):
                done = run(command, **launched(name, 4, 0))
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_alone_on_purpose(self):
        done = run([PROGRAMS["c"]], **launched("torchrun", 4, 1), TUTTI_TRANSPORT="shm")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Mpi(Errors):
    """Tests errors under Open MPI and MPICH, with the launchers of this machine, or with only the
    variables that these set for their processes."""
    VARIABLES = {
        "openmpi": {
            "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"
        },
        "mpich": {
            "PMI_SIZE": "4", "PMI_RANK": "0"
        }
    }

    def each(self, ranks=4):
        found = [mpi for mpi in mpi_launchers.LAUNCHERS if mpi_launchers.installed(mpi)]
        if not found:
            self.skipTest("no MPI is installed")
        return [(mpi, mpi_launchers.launcher(mpi, ranks)) for mpi in found]

    def libraries_for_no_mpi(self):
        """Returns a folder for the loader with tutti's libraries except those for an MPI."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for library in LIBRARIES:
            shutil.copy(library, folder)
        return folder

    def test_without_our_library_for_it(self):
        """The message of one rank must reach the user. The launcher may add messages of its own."""
        folder = self.libraries_for_no_mpi()
        for (mpi, launcher), (language, program) in ((m, p)
                                                     for m in self.each()
                                                     for p in PROGRAMS.items()):
            with self.subTest(mpi=mpi, language=language):
                words = [
                    *launcher, *mpi_launchers.words_for_ranks(mpi, {"LD_LIBRARY_PATH": folder})
                ]
                done = run([*words, program], LD_LIBRARY_PATH=folder)
                self.refused(done, f"lib{mpi}-dev", "tutti run -n 4 ")
                self.assertNotIn("rank -1", done.stdout)

    def test_variables_without_our_library_for_it(self):
        folder = self.libraries_for_no_mpi()
        for mpi, variables in self.VARIABLES.items():
            with self.subTest(mpi=mpi):
                self.refused(run([PROGRAMS["c"]], LD_LIBRARY_PATH=folder, **variables),
                             f"lib{mpi}-dev", "tutti run -n 4 ")

    def test_variables_without_a_launcher(self):
        """Variables that are left over from a launcher, or that were copied from one, make no job,
        whether tutti's library for that MPI is there or not."""
        for mpi, variables in self.VARIABLES.items():
            for kept in (variables, dict([next(iter(variables.items()))])):
                with self.subTest(mpi=mpi, variables=kept):
                    self.refused(run([PROGRAMS["c"]], **kept), f"tutti run -n 4 {PROGRAMS['c']}")

    def test_a_rank_without_a_size(self):
        for name in ("PMI_RANK", "OMPI_COMM_WORLD_RANK"):
            self.refused(run([PROGRAMS["c"]], **{name: "3"}), "as rank 3, but not as one of how")

    def test_tutti_run_within(self):
        """Each of mpirun's processes starts a job, and one of them says so."""
        for mpi, launcher in self.each(ranks=2):
            with self.subTest(mpi=mpi):
                done = run([*launcher, TUTTI, "run", "-n", "2", PROGRAMS["c"]])
                self.assertEqual((done.returncode, done.stdout.count(" of 2")), (0, 4), done)
                notes = [line for line in done.stderr.splitlines() if line.startswith("tutti")]
                self.assertEqual(len(notes), 1, done)
                self.assertIn("2 times", notes[0])
                self.assertIn("leave out tutti run or mpirun ", notes[0])

    def refused_within_tutti_run(self, launcher):
        done = run([TUTTI, "run", "-n", "1", *launcher, PROGRAMS["c"]])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"use mpirun -n 4 {PROGRAMS['c']} or tutti run -n 4 {PROGRAMS['c']}",
                      done.stderr)

    def test_within_tutti_run(self):
        for mpi, launcher in self.each():
            with self.subTest(mpi=mpi):
                self.refused_within_tutti_run(launcher)

    def test_variables_within_tutti_run(self):
        for mpi, variables in self.VARIABLES.items():
            with self.subTest(mpi=mpi):
                self.refused_within_tutti_run(
                    ["env", *(f"{name}={value}" for name, value in variables.items())])


class MisspeltVariables(unittest.TestCase):
    SENTENCE = ("tutti: environment variable TUTTI_EXPLIAN is not known; did you mean "
                "TUTTI_EXPLAIN?\n")

    def test_once_for_a_job(self):
        for command in ([TUTTI, "run", "-n", "4", PROGRAMS["c"]], [PROGRAMS["c"]], [TUTTI, "info"]):
            done = run(command, TUTTI_EXPLIAN="1")
            self.assertEqual((done.returncode, done.stderr), (0, self.SENTENCE))

    def test_names_that_are_near_none(self):
        done = run([TUTTI, "run", "-n", "2", PROGRAMS["c"]],
                   TUTTI_NO_DEPS="1",
                   TUTTI_SEED="3",
                   TUTTI_EXPLAIN="0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
