# SPDX-License-Identifier: BSD-3-Clause
"""Tests the output of several ranks: that lines stay whole, that it can go to files, and what
happens if it cannot be written."""
import collections
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from harness import PROBE, PROMPT, TUTTI, LauncherTest
from processes import Mark
from stopwatch import wait_for

LINES = os.environ["TUTTI_LINES"]
COUNT = 20000
WHOLE = re.compile(r"rank \d writes line \d+, one of \d+")


def torn(text, prefix=""):
    return [line for line in text.splitlines() if not WHOLE.fullmatch(line.removeprefix(prefix))]


class CutAtLines(LauncherTest):
    def ranks(self, *arguments, n=4):
        return [TUTTI, "run", "-n", str(n), *arguments]

    def test_in_a_file(self):
        job = self.finish(self.start(self.ranks(LINES, str(COUNT), "-")), 0)
        self.assertEqual(torn(job.out), [])
        self.assertEqual(len(job.out.splitlines()), 4 * COUNT)

    def test_in_a_pipe(self):
        done = subprocess.run(self.ranks(LINES, str(COUNT)),
                              stdout=subprocess.PIPE,
                              text=True,
                              timeout=60,
                              check=True)
        self.assertEqual(torn(done.stdout), [])
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 4 * COUNT)
        for rank in range(4):
            mine = [line for line in lines if line.startswith(f"rank {rank} ")]
            self.assertEqual(mine,
                             [f"rank {rank} writes line {i}, one of {COUNT}" for i in range(COUNT)])

    def test_lines_of_a_killed_rank_are_there(self):
        job = self.finish(self.start(self.ranks(LINES, "0", "-")), 137)
        self.assertIn("rank 0 says goodbye\n", job.out)

    def test_a_buffer_of_the_program_is_kept(self):
        for command in ([LINES, "0", "own"], ["stdbuf", "-o64K", LINES, "0", "-"]):
            job = self.finish(self.start(self.ranks(*command)), 137)
            self.assertNotIn("rank 0", job.out)

    def test_output_before_tutti_init_comes_first(self):
        job = self.finish(self.start(self.ranks(LINES, "3", "early", n=2)), 0)
        self.assertEqual(sorted(line for line in job.out.splitlines() if line.startswith("early")),
                         [f"early rank {rank} writes line 0, one of 3" for rank in range(2)])


class Files(LauncherTest):
    def setUp(self):
        self.folder = os.path.join(tempfile.mkdtemp(prefix="tutti-output-"), "a", "b c")
        self.addCleanup(shutil.rmtree, os.path.dirname(os.path.dirname(self.folder)))

    def ranks(self, n, *command, options=()):
        return self.start([TUTTI, "run", "-n", str(n), "--output", self.folder, *options, *command])

    def text(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read()

    def test_each_rank_has_two_files(self):
        job = self.finish(
            self.ranks(11, "sh", "-c",
                       "echo out $TUTTI_RANK; echo err $TUTTI_RANK >&2; printf end"), 0)
        self.assertEqual((job.out, job.err), ("", ""))
        self.assertEqual(
            sorted(os.listdir(self.folder)),
            sorted(f"rank.{rank:02}.{kind}" for rank in range(11) for kind in ("out", "err")))
        for rank in range(11):
            self.assertEqual(self.text(f"rank.{rank:02}.out"), f"out {rank}\nend")
            self.assertEqual(self.text(f"rank.{rank:02}.err"), f"err {rank}\n")

    def test_a_second_job_begins_anew(self):
        for word in ("a longer text", "x"):
            self.finish(self.ranks(1, "echo", word), 0)
            self.assertEqual(self.text("rank.0.out"), f"{word}\n")

    def test_much_output(self):
        self.finish(self.ranks(4, LINES, str(COUNT), "-"), 0)
        for rank in range(4):
            self.assertEqual(
                self.text(f"rank.{rank}.out"),
                "".join(f"rank {rank} writes line {i}, one of {COUNT}\n" for i in range(COUNT)))

    def test_tags_show_what_the_files_get(self):
        job = self.finish(
            self.ranks(2, "sh", "-c", "echo hello; echo oh >&2", options=["--tag-output"]), 0)
        self.assertEqual(sorted(job.out.splitlines()), ["[0] hello", "[1] hello"])
        self.assertEqual(sorted(job.err.splitlines()), ["[0] oh", "[1] oh"])
        self.assertEqual(self.text("rank.1.out"), "hello\n")

    def test_nothing_of_a_killed_rank_is_lost(self):
        job = self.ranks(3, PROBE, "*:print=before", "2:pid=FOLDER/pid", "*:compute")
        os.kill(job.pid_of("pid"), signal.SIGKILL)
        self.finish_promptly(job, 137)
        self.assert_one_report(job, "rank 2")
        self.assertEqual(self.text("rank.2.out"), "before\n")

    def test_an_interrupt(self):
        job = self.ranks(2, PROBE, "*:print=before", "0:pid=FOLDER/pid", "*:compute")
        job.pid_of("pid")
        job.process.send_signal(signal.SIGINT)
        self.finish_promptly(job, 130)
        self.assertEqual(self.text("rank.0.out"), "before\n")

    def test_a_full_disk(self):
        os.makedirs(self.folder)
        os.symlink("/dev/full", os.path.join(self.folder, "rank.1.out"))
        # Rank 1 fails only when the output of rank 0 is in its file.
        script = (f'[ $TUTTI_RANK = 0 ] || until grep -q before "{self.folder}/rank.0.out"; do '
                  "sleep 0.01; done; echo before; exec sleep 100")
        job = self.finish_promptly(self.ranks(2, "sh", "-c", script), 1)
        self.assertEqual(
            job.err, f"tutti run: cannot write the job's output to {self.folder}/rank.1.out: "
            "No space left on device\n")
        self.assertEqual(self.text("rank.0.out"), "before\n")

    def test_folders_that_cannot_be_used(self):
        for folder, problem in (("/dev/null", "Not a directory"),
                                ("/dev/null/x", "Not a directory"), ("/proc/no", "No such file")):
            job = self.finish(self.start([TUTTI, "run", "-n", "2", "--output", folder, "true"]), 2)
            self.assertIn(f"--output: the folder '{folder}' cannot be used: {problem}", job.err)
        os.makedirs(os.path.join(self.folder, "rank.1.err"))
        job = self.finish(self.ranks(2, "true"), 1)
        self.assertIn("rank.1.err: Is a directory", job.err)


class Readers(LauncherTest):
    """Tests different readers of the output that the supervisor passes on."""

    def tagged(self, *command, options=(), **streams):
        self.mark = Mark()
        return subprocess.Popen([TUTTI, "run", "-n", "2", "--tag-output", *options, *command],
                                env={**os.environ, **self.mark.variables()}, **streams)

    def end(self, process, code):
        self.assertEqual(process.wait(30), code)

    def test_a_reader_that_has_enough(self):
        process = self.tagged("sh", "-c", "exec yes enough", stdout=subprocess.PIPE)
        self.assertTrue(process.stdout.readline().endswith(b"enough\n"))
        process.stdout.close()
        self.end(process, 128 + signal.SIGPIPE)
        self.assertTrue(self.mark.gone_within(0))

    def test_a_reader_that_does_not_read_stops_no_judgement(self):
        for options, command, code in ((["--timeout", "0.5"], "exec yes stuck", 124), (
            [], "[ $TUTTI_RANK = 0 ] && exec yes stuck; sleep 0.5; exit 3", 3)):
            process = self.tagged("sh",
                                  "-c",
                                  command,
                                  options=options,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            self.assertLess(wait_for(process.stderr, 30), PROMPT)
            report = process.stderr.readline()
            self.assertIn(b"time is up" if code == 124 else b"rank 1", report)
            process.stdout.read()
            self.end(process, code)
            process.stdout.close()
            process.stderr.close()

    def test_a_slow_reader_gets_everything(self):
        """Each burst is larger than a pipe's buffer. The reader has read it before the next begins.
        """
        bursts = "for i in 1 2 3; do seq 20000; sleep 0.3; done"
        process = self.tagged("sh", "-c", bursts, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        text = b""
        for piece in iter(lambda: process.stdout.read1(65536), b""):
            text += piece
            time.sleep(0.005)
        self.end(process, 0)
        self.assertEqual(process.stderr.read(), b"")
        process.stdout.close()
        process.stderr.close()
        lines = text.splitlines()
        for rank in (b"0", b"1"):
            mine = [line for line in lines if line.startswith(b"[" + rank)]
            self.assertEqual(mine, [b"[%s] %d" % (rank, i) for i in range(1, 20001)] * 3)

    def test_a_slow_reader_of_both_streams_gets_whole_lines(self):
        """Lines of 7000 characters do not fit into a pipe as a whole, and the report comes between
        two of them."""
        one = "seq 9000; for i in $(seq 9001 9200); do echo $i; sleep 0.003; done"
        other = "seq 9000; seq -f %07000.0f 300"
        process = self.tagged(
            "sh",
            "-c",
            f"[ $TUTTI_RANK = 1 ] || {{ {{ {one}; }} & {{ {other}; }} >&2; wait; exit 3; }}",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True)
        text = ""
        for piece in iter(lambda: process.stdout.read(5000), ""):
            text += piece
            time.sleep(0.001)
        self.end(process, 3)
        process.stdout.close()
        got = collections.Counter(text.splitlines())
        got.subtract([f"[0] {i}" for i in range(1, 9001)] * 2)
        got.subtract([f"[0] {i}" for i in range(9001, 9201)])
        got.subtract([f"[0] {i:07000}" for i in range(1, 301)])
        others = [f"{line[:40]} ({count})" for line, count in got.items() if count != 0]
        self.assertEqual(len(others), 2, others)
        self.assertRegex(others[0], r"^tutti run: rank 0 .*\(1\)$")
        self.assertEqual(others[1], "  rank 1: has left (1)")

    def test_time_is_up_while_the_reader_of_an_ended_job_does_not_read(self):
        """The output of the ranks fits into the supervisor's memory, so they end long before the
        time is up."""
        process = self.tagged("seq",
                              "10000",
                              options=["--timeout", "1"],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              text=True)
        self.addCleanup(process.kill)
        self.end(process, 124)
        report = process.stderr.read()
        self.assertRegex(report, r"^tutti run: time is up after 1 s \(--timeout\): the ranks have ")
        self.assertEqual(report.count("\n"), 1, report)
        self.assertTrue(process.stdout.read().endswith("\n"))
        process.stdout.close()
        process.stderr.close()

    def test_advice_waits_for_its_reader_no_longer_than_the_report(self):
        """The pipe is full before both texts are written, and then the time is up."""
        process = self.tagged("sh",
                              "-c",
                              "seq 20000 >&2; exit 127",
                              options=["--timeout", "1"],
                              stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.end(process, 127)
        process.stderr.close()

    def test_an_interrupt_while_nobody_reads(self):
        process = self.tagged("seq", "100000", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.end(process, 128 + signal.SIGINT)
        process.stdout.close()
        process.stderr.close()

    def test_a_full_disk(self):
        with open("/dev/full", "w") as full:
            process = self.tagged("sh",
                                  "-c",
                                  "echo x; exec sleep 100",
                                  stdout=full,
                                  stderr=subprocess.PIPE,
                                  text=True)
            self.assertEqual(process.stderr.readlines(), [
                "tutti run: cannot write the job's output to standard output: "
                "No space left on device\n"
            ])
            self.end(process, 1)
            process.stderr.close()


if __name__ == "__main__":
    unittest.main()
