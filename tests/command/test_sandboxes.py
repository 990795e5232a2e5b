# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs where the system hides or refuses something: pid namespaces, no /proc, system calls
that a sandbox refuses, and core dumps of a process with a large sparse mapping."""
import glob
import os
import platform
import resource
import shlex
import signal
import subprocess
import sys
import unittest

from harness import PROBE, PROBE_WORD, PROMPT, TUTTI, TUTTI_WORD, LauncherTest
from sandbox import refuse

# Some system calls have a number of their own on each kind of machine.
WAITID = {"x86_64": 247, "aarch64": 95}.get(platform.machine())
ERRORS = (1, 38)  # EPERM of a sandbox, ENOSYS of an old kernel
NAMESPACE = ["unshare", "-r", "-f", "-p"]
LARGEST_CORE = 64 << 20
CORE_DUMPS = int(os.environ.get("TUTTI_CORE_DUMPS", "2"))


def works(*command):
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


class CoreDumps(LauncherTest):
    def test_the_segment_is_no_part_of_them(self):
        """The limit keeps the test small where the segment is dumped. Then the file has this size.
        """
        if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
            self.skipTest("the hard limit of core files is set")
        limited = ["prlimit", f"--core={LARGEST_CORE}:"]
        ranks = ["--wdir", "FOLDER", PROBE, "0:kill=11", "1:wait=0"]
        job = self.start([*limited, TUTTI, "run", "-n", "2", *ranks])
        self.finish(job, 128 + 11)
        self.assert_one_report(job, "was killed by signal 11")
        cores = glob.glob(os.path.join(job.folder, "core*"))
        if not cores:
            self.skipTest("core files are not written to the folder of the process")
        self.assertLess(max(os.stat(core).st_size for core in cores), LARGEST_CORE // 2)

    def test_they_need_little_memory(self):
        """Ranks dump core without a limit, in a control group of 512 MiB. If the segment were
        dumped, its pages would fill the group, and the kernel would kill a rank by signal 9."""
        if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
            self.skipTest("the hard limit of core files is set")
        with MemoryGroup(512 << 20) as group:
            if group.folder is None:
                self.skipTest("no control group of memory can be made here")
            found = sum(self.dump_core(group) for _ in range(CORE_DUMPS))
        if found == 0:
            self.skipTest("core files are not written to the folder of the process")
        self.assertEqual(found, CORE_DUMPS)

    def dump_core(self, group):
        """Returns the number of core files of a job whose rank 0 is killed by signal 11."""
        inside = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', group.processes]
        ranks = ["--wdir", "FOLDER", PROBE, "0:kill=11", "1:wait=0"]
        job = self.start(
            [*inside, "prlimit", "--core=unlimited:", TUTTI, "run", "-n", "2", *ranks])
        self.finish(job, 128 + 11)
        self.assert_one_report(job, "was killed by signal 11")
        cores = glob.glob(os.path.join(job.folder, "core*"))
        for core in cores:
            self.assertLess(os.stat(core).st_size, LARGEST_CORE)
            os.unlink(core)
        return len(cores)


class MemoryGroup:
    """A control group with a limit of memory. `folder` is None if it cannot be made."""
    PLACES = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"))

    def __init__(self, limit):
        self.limit = limit
        self.folder = None

    def __enter__(self):
        for parent, file in self.PLACES:
            folder = os.path.join(parent, f"tutti-test-{os.getpid()}")
            try:
                os.mkdir(folder)
                self.folder = folder
                with open(os.path.join(folder, file), "w") as limit:
                    limit.write(str(self.limit))
                self.processes = os.path.join(folder, "cgroup.procs")
                return self
            except OSError:
                self.__exit__()
        return self

    def __exit__(self, *error):
        if self.folder is not None:
            os.rmdir(self.folder)
        self.folder = None


class MemoryRunsOut(LauncherTest):
    def test_the_report_says_so(self):
        """Rank 1 fills the memory of its control group, and the kernel kills it by signal 9."""
        fill = ("import os, time; os.environ['TUTTI_RANK'] == '1' and b'x' * (1 << 30); "
                "time.sleep(100)")
        with MemoryGroup(64 << 20) as group:
            if group.folder is None:
                self.skipTest("no control group of memory can be made here")
            inside = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', group.processes]
            job = self.start([
                *inside, TUTTI, "run", "-n", "2", sys.executable, "-c", fill
            ])
            self.finish(job, 137)
            self.assert_one_report(
                job, "was killed by signal 9 (Killed), because memory had run out")
            self.assertIn("tutti run: rank 1 ", job.err)

    def test_another_kill_is_not_blamed_on_memory(self):
        job = self.finish(self.run_ranks(2, "1:kill=9", "0:compute"), 137)
        self.assertNotIn("memory", job.err)


class PidNamespaces(LauncherTest):
    def setUp(self):
        if not works(*NAMESPACE, "true"):
            self.skipTest("pid namespaces are refused")

    def test_ranks_in_namespaces_of_their_own(self):
        job = self.start(
            [TUTTI, "run", "-n", "2", *NAMESPACE, PROBE, "*:size", "*:finalize"])
        self.finish(job, 0)
        self.assertEqual(sorted(job.out.splitlines()), ["0 of 2", "1 of 2"])
        self.assertEqual(job.err, "")

    def test_a_killed_rank_is_named(self):
        shell = ["sh", "-c", f"{PROBE_WORD} \"$@\"; exit $?", "sh"]
        job = self.start([
            TUTTI, "run", "-n", "2", *NAMESPACE, *shell, "1:kill=9", "0:compute"
        ])
        self.finish_promptly(job, 137)
        self.assert_one_report(job, "was killed by signal 9")
        self.assertIn("rank 1", job.err)

    def test_strangers_get_no_signal(self):
        """The launcher and a stranger are in one namespace, and the rank is in another one, where
        it has the stranger's number, 2."""
        rank = f"{PROBE_WORD} '*:finalize'; :"
        inside = " ".join(
            [TUTTI_WORD, "run", "--timeout 2 -n 1", *NAMESPACE, "sh -c", shlex.quote(rank)])
        job = self.start([
            *NAMESPACE, "--mount-proc", "--kill-child", "sh", "-c",
            f"sleep 1000 & {inside}; echo code $?; kill -0 2 && echo it is there; kill 2; :"
        ])
        self.finish(job, 0)
        self.assertEqual(job.out, "code 0\nit is there\n", job.err)

    def test_the_proc_of_another_namespace(self):
        """The launcher's own number, 1, belongs to another process there, so no number that it
        finds below is one of its own."""
        inside = " ".join([TUTTI_WORD, "run", "-n 2", PROBE_WORD, "1:exit=3 0:compute"])
        job = self.start([*NAMESPACE, "sh", "-c", f"exec {inside}"])
        self.finish_promptly(job, 3)


class NoProc(LauncherTest):
    def without_proc(self, *command):
        hide = "mount -t tmpfs none /proc && exec \"$@\""
        hidden = ["unshare", "-r", "-m", "sh", "-c", hide, "sh"]
        if not works(*hidden, "true"):
            self.skipTest("mount namespaces are refused")
        return self.start([*hidden, TUTTI, "run", *command])

    def test_time_outs_end_the_job(self):
        sleepers = ["sh", "-c", "exec sleep 100"]
        job = self.without_proc("--timeout", "0.5", "-n", "2", *sleepers)
        self.finish_promptly(job, 124)
        self.assert_one_report(job, "time is up")

    def test_failures_end_the_job(self):
        one_fails = "[ $TUTTI_RANK = 0 ] && exit 3; exec sleep 100"
        job = self.without_proc("-n", "2", "sh", "-c", one_fails)
        self.finish_promptly(job, 3)
        job = self.without_proc("-n", "2", PROBE, "0:exit=3", "1:wait=0")
        self.finish_promptly(job, 3)

    def test_what_cannot_be_found_is_said(self):
        job = self.without_proc("-n", "1", "sh", "-c", "sleep 2 & exit 0")
        job.wait()
        job.text()
        self.assertEqual(job.code, 0, job.err)
        self.assert_one_report(job, "may still run: without /proc")


class RefusedPidfds(LauncherTest):
    def setUp(self):
        if not works(*refuse(1, "/bin/true")):
            self.skipTest("system calls cannot be refused here")

    def test_ranks_that_are_children_need_none(self):
        for error in ERRORS:
            job = self.start(
                refuse(error, TUTTI, "run", "-n", "2", PROBE, "*:size", "*:finalize"))
            self.finish(job, 0)
            self.assertEqual(job.err, "")
            job = self.start(
                refuse(error, TUTTI, "run", "-n", "2", PROBE, "1:kill=9", "0:wait=1"))
            self.finish_promptly(job, 137)
            self.assert_one_report(job, "was killed by signal 9")

    def test_others_are_refused_with_the_reason(self):
        shell = ["sh", "-c", f"{PROBE_WORD} \"$@\"; exit $?", "sh"]
        for error in ERRORS:
            job = self.start(refuse(error, TUTTI, "run", "-n", "2", *shell, "*:compute"))
            self.finish_promptly(job, 1)
            self.assert_one_report(job, f"refuses pidfd_open ({os.strerror(error)})")

    def world(self, error, *steps):
        return self.start(refuse(error, PROBE, "0:spawn=3", *steps))

    def test_a_program_starts_its_own_world(self):
        for error in ERRORS:
            job = self.world(error, "*:size", "*:finalize")
            job.wait()
            self.assertTrue(job.mark.gone_within(PROMPT), "something is left behind")
            job.text()
            self.assertEqual(job.code, 0, job.err)
            self.assertEqual(sorted(job.out.splitlines()), [f"{rank} of 3" for rank in range(3)])
            self.assertEqual(job.err, "")

    def finish_world(self, job, code, report):
        """Checks the end of a world. The other processes may end a moment after rank 0."""
        job.wait()
        self.assertTrue(job.mark.gone_within(PROMPT), "something is left behind")
        job.text()
        self.assertEqual(job.code, code, job.err)
        self.assert_one_report(job, report)

    def test_deaths_in_a_world_of_its_own(self):
        for error in ERRORS:
            job = self.world(error, "1:kill=9", "*:compute")
            self.finish_world(job, 128 + signal.SIGKILL, "rank 1")
            self.assertIn("was killed by signal 9", job.err)
            self.finish_world(self.world(error, "0:exit=4", "*:compute"), 4, "rank 0")
            job = self.world(error, "1:pid=FOLDER/pid", "*:compute")
            job.pid_of("pid")
            job.process.kill()
            self.finish_world(job, -signal.SIGKILL, "rank 0")

    def test_a_sandbox_around_the_ranks_does_not_matter(self):
        shell = ["sh", "-c", f"{PROBE_WORD} \"$@\"; exit $?", "sh"]
        job = self.start(
            [TUTTI, "run", "-n", "2", *refuse(1, "/bin/sh", *shell[1:]), "*:finalize"])
        self.assertEqual(self.finish(job, 0).err, "")


class RefusedWaitid(LauncherTest):
    def setUp(self):
        if WAITID is None or not works(*refuse(1, "/bin/true", call=WAITID)):
            self.skipTest("this system call cannot be refused here")

    def test_the_job_ends(self):
        for error in ERRORS:
            refused = lambda *words: self.start(refuse(error, *words, call=WAITID))
            job = refused(TUTTI, "run", "-n", "2", PROBE, "*:size", "*:finalize")
            self.assertEqual(self.finish(job, 0).err, "")
            job = refused(TUTTI, "run", "-n", "2", PROBE, "1:kill=9", "0:wait=1")
            self.assert_one_report(self.finish(job, 137), "was killed by signal 9")
            job = refused(TUTTI, "run", "-n", "2", "sh", "-c", "sleep 100 & exit 3")
            self.finish(job, 3)
            job = refused(PROBE, "0:spawn=3", "*:size", "*:finalize")
            job.wait()
            self.assertTrue(job.mark.gone_within(PROMPT), "something is left behind")
            job.text()
            self.assertEqual((job.code, job.err), (0, ""))


if __name__ == "__main__":
    unittest.main()
