# SPDX-License-Identifier: BSD-3-Clause
"""Tests how programs in Python begin and end: import, exit codes, exceptions, Ctrl-C, no NumPy."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

TUTTI = os.environ["PYTHON_TUTTI"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("TUTTI_")}


def job(ranks, text, *options):
    """Runs a program as a job. Returns its exit code, stdout and stderr."""
    command = [sys.executable, "-c", textwrap.dedent(text)]
    if ranks:
        command = [TUTTI, "run", "-n", str(ranks), "--timeout", "60", *options, *command]
    done = subprocess.run(command,
                          env=CLEAN,
                          stdin=subprocess.DEVNULL,
                          capture_output=True,
                          text=True,
                          timeout=100)
    return done.returncode, done.stdout, done.stderr


class Import(unittest.TestCase):
    def test_import_joins_nothing_and_needs_no_numpy(self):
        code, out, err = job(
            0, """
            import sys, threading
            before = set(sys.modules)
            import tutti
            print("numpy" in sys.modules, tutti.initialized(), threading.active_count())
            print(len(open("/proc/self/task/%d/children" % threading.get_native_id()).read()))
            """)
        self.assertEqual((code, out, err), (0, "False False 1\n0\n", ""))

    def test_a_job_without_numpy(self):
        code, out, err = job(
            2, """
            import sys
            sys.modules["numpy"] = None
            import array, tutti
            @tutti.op("float64")
            def larger(left, right):
                return array.array("d", map(max, left, right))
            g = tutti.world
            mine = array.array("d", [g.rank, -g.rank])
            assert list(g.allreduce(mine)) == [1, -1]
            assert list(g.allreduce(mine, op=larger)) == [1, 0]
            assert g.allgather(mine).shape == (2, 2)
            assert g.allgather_object("x") == ["x", "x"]
            """)
        self.assertEqual((code, out, err), (0, "", ""))

    def test_started_by_hand_it_is_a_job_of_one(self):
        code, out, _ = job(0, "import tutti; print(tutti.world.size, tutti.launched())")
        self.assertEqual((code, out), (0, "1 False\n"))

    def test_the_module_is_the_command(self):
        done = subprocess.run([sys.executable, "-m", "tutti", "--version"],
                              env=CLEAN,
                              capture_output=True,
                              text=True,
                              timeout=60)
        command = subprocess.run([TUTTI, "--version"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, command.stdout))


class Ends(unittest.TestCase):
    def test_exit_codes(self):
        for wanted in (0, 3):
            code, _, err = job(
                2, f"""
                import sys, tutti
                tutti.world.barrier()
                sys.exit({wanted})
                """)
            self.assertEqual(code, wanted, err)

    def test_an_exception_ends_the_job_and_the_report_names_it(self):
        code, _, err = job(
            3, """
            import tutti
            g = tutti.world
            if g.rank == 1:
                raise ValueError("my bad")
            g.barrier()
            """)
        self.assertEqual(code, 1, err)
        report = [line for line in err.splitlines() if line.startswith("tutti run: ")]
        self.assertEqual(len(report), 1, err)
        self.assertRegex(report[0], "rank 1 .*: ValueError: my bad$")
        self.assertEqual(err.count("Traceback"), 1)

    def test_tracebacks_of_several_ranks_do_not_mix(self):
        code, _, err = job(
            4, """
            import tutti
            tutti.world.barrier()
            def deep(n):
                if n == 0:
                    raise ValueError(tutti.world.rank)
                deep(n - 1)
            deep(20)
            """)
        self.assertEqual(code, 1)
        for piece in err.split("Traceback (most recent call last):")[1:]:
            self.assertRegex(piece, r"(?s)^(\n  [^\n]*)+\nValueError: \d\n")

    def test_the_suggestions_of_python_are_in_the_report_of_an_exception(self):
        code, _, err = job(
            1, """
            import tutti
            request = tutti.world.ibarrier()
            request.waits()
            """)
        self.assertEqual(code, 1)
        self.assertIn("no attribute 'waits'. Did you mean: 'wait'?", err)
        self.assertEqual(err.count("Traceback"), 1)

    def test_an_exception_of_an_operator_comes_out_of_the_call(self):
        code, _, err = job(
            2, """
            import array, tutti
            @tutti.op("int64")
            def fails(left, right):
                raise ZeroDivisionError("in the operator")
            tutti.world.allreduce(array.array("q", [1]), op=fails)
            """)
        self.assertEqual(code, 1)
        self.assertIn("ZeroDivisionError: in the operator", err)

    def test_a_crash_has_the_code_of_its_signal(self):
        code, _, err = job(
            2, """
            import os, signal, tutti
            g = tutti.world
            if g.rank == 0:
                os.kill(os.getpid(), signal.SIGSEGV)
            g.barrier()
            """)
        self.assertEqual(code, 139, err)

    def test_nothing_can_be_joined_after_finalize(self):
        code, out, err = job(
            2, """
            import tutti
            tutti.world.barrier()
            tutti.finalize()
            assert not tutti.initialized()
            try:
                tutti.world
            except tutti.Error as error:
                pass
            else:
                raise AssertionError
            """)
        self.assertEqual((code, out), (0, ""), err)

    def test_a_fork_is_no_rank(self):
        code, _, err = job(
            2, """
            import os, tutti
            g = tutti.world
            child = os.fork()
            if child == 0:
                try:
                    g.barrier()
                except tutti.Error:
                    os._exit(7)
                os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
            g.barrier()
            """)
        self.assertEqual(code, 0, err)


# Rank 0 waits in these calls for ever, because rank 1 never makes them, and never receives.
WAITS = {
    "barrier": "g.barrier()",
    "allreduce": "g.allreduce(1)",
    "wait": "g.iallreduce(1).wait()",
    "plan": "g.plan('allreduce')(1)",
    "recv": "g.recv(bytearray(1))",
    "probe": "g.probe(1, 3)",
    "irecv": "g.irecv(bytearray(1), 1).wait()",
    "wait_any": "tutti.wait_any([g.irecv(bytearray(1), 1), g.irecv(bytearray(1), 1)])",
    "send": "[g.send(bytes(1 << 20), 1) for _ in range(1000)]",
}


class Interrupted(unittest.TestCase):
    def interrupt(self, wait, folder):
        """Interrupts a job. Only rank 0 takes the signal, so that no other rank ends the job before
        it has come to its end. Returns the job's exit code and stderr."""
        text = f"""
            import os, signal, time, tutti
            g = tutti.world
            if g.rank != 0:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            os.write(1, b"ready\\n")
            try:
                if g.rank == 0:
                    {wait}
                else:
                    time.sleep(60)
            finally:
                open("{folder}/finally-%d" % g.rank, "w").close()
            """
        command = [TUTTI, "run", "-n", "2", "--timeout", "60", sys.executable, "-c",
                   textwrap.dedent(text)]
        limits = {"TUTTI_SHM_LIMIT": "64M", "TUTTI_SEND_WAIT": "inf"}
        process = subprocess.Popen(command,
                                   env=CLEAN | limits,
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE,
                                   text=True)
        with process:
            lines = [process.stdout.readline() for _ in range(2)]
            self.assertEqual(lines, ["ready\n"] * 2)
            time.sleep(0.2)  # the rank gets into its wait; an interrupt before it does the same
            process.send_signal(signal.SIGINT)
            err = process.communicate(timeout=50)[1]
        return process.returncode, err

    def test_ctrl_c_ends_every_wait(self):
        for name, wait in WAITS.items():
            with self.subTest(wait=name), tempfile.TemporaryDirectory() as folder:
                code, err = self.interrupt(wait, folder)
                self.assertEqual(code, 130, err)
                self.assertTrue((Path(folder) / "finally-0").exists(), err)

    def test_ctrl_c_ends_the_start_of_a_job(self):
        """The launcher is stopped, so that it does not answer the rank that joins."""
        code, _, err = job(
            1, """
            import os, signal, threading, time, tutti
            launcher = os.getppid()
            def interrupt():
                time.sleep(0.2)  # an interrupt before the wait does the same
                os.kill(os.getpid(), signal.SIGINT)
            os.kill(launcher, signal.SIGSTOP)
            threading.Thread(target=interrupt).start()
            try:
                tutti.world
            except KeyboardInterrupt:
                os.kill(launcher, signal.SIGCONT)
                try:
                    tutti.world
                except tutti.NotInitialized:
                    os._exit(7)
            finally:
                os.kill(launcher, signal.SIGCONT)
            """)
        self.assertEqual(code, 7, err)


if __name__ == "__main__":
    unittest.main()
