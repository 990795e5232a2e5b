# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti run --record`: what the file has of programs of each interface, that it fits its
schema, that it is replayed, and what is left of it when processes and disks fail."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TUTTI = os.environ["TUTTI_COMMAND"]
PROGRAMS = Path(os.environ["TUTTI_PROGRAMS"])
ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/formats"))
from json_schema import misfits  # noqa: E402

SCHEMA = json.loads((ROOT / "src/formats/tutti-recording-1.schema.json").read_text())
MACHINES = ("ipsc860", "cm5", "ethernet")


class RecordTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tutti record ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "run.json"

    def command(self, *words, **variables):
        return subprocess.run([str(word) for word in words], env=dict(os.environ, **variables),
                              cwd=self.folder, capture_output=True, text=True, check=False,
                              timeout=120)

    def run_job(self, n, program, *words, code=0, file="run.json", **variables):
        done = self.command(TUTTI, "run", "--record", file, "-n", n, PROGRAMS / program, *words,
                            **variables)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def record(self):
        """Returns the file, which must fit its schema."""
        run = json.loads(self.file.read_text())
        self.assertEqual(list(misfits(SCHEMA, run)), [])
        return run

    def items(self, rank):
        """Returns what a rank did, without calls and times."""
        items = self.record()["ranks"][rank]["items"]
        return [{key: value for key, value in item.items() if key not in ("call", "after")}
                for item in items]

    def calls(self, rank):
        """Returns the call of each item."""
        found = self.record()["ranks"][rank]
        return [found["calls"][item["call"]] if "call" in item else "" for item in found["items"]]

    def replayed(self, *words, machines=MACHINES):
        """Returns the time on each machine."""
        done = self.command(TUTTI, "simulate", self.file, "--machine", ",".join(machines), "--json",
                            *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        times = [each["results"][0]["time_us"] for each in json.loads(done.stdout)["settings"]]
        self.assertEqual(len(times), len(machines))
        return times

    def refused(self, *words):
        """Returns the sentence by which the file is refused."""
        done = self.command(TUTTI, "simulate", self.file, "--machine", "ipsc860", *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr


class Messages(RecordTest):

    def test_messages_of_the_library(self):
        self.run_job(3, "replay_messages", "messages")
        first, others = self.items(0), [self.items(1), self.items(2)]
        # Requests that were taken back get no message, so they are not there.
        waits = [item["wait"] for item in first[10:12]]
        self.assertEqual(sorted(waits), [1, 2])
        self.assertEqual(first[:10] + first[12:], [
            {"receive": 1, "message": 2}, {"receive": 1, "message": 0},
            {"receive": 1, "message": 1}, {"receive": 2, "message": 0},
            {"send": 0, "bytes": 8}, {"receive": 0, "message": 0},
            {"post": 1, "message": 3, "request": 1}, {"post": 2, "message": 1, "request": 2},
            {"send": 1, "bytes": 8}, {"send": 2, "bytes": 8},
            {"probe": 2, "message": 2}, {"receive": 2, "message": 2},
            {"run": 0, "request": 4}, {"send": 1, "bytes": 16}, {"wait": 4}, {"run": 1}])
        self.assertEqual(others[1], [
            {"send": 0, "bytes": 32}, {"receive": 0, "message": 0},
            {"send": 0, "bytes": 40, "request": 1}, {"wait": 1}, {"send": 0, "bytes": 48},
            {"send": 1, "bytes": 56}, {"run": 0, "request": 2}, {"wait": 2}, {"run": 1}])
        self.assertIn({"receive": 0, "message": 1}, others[0])
        self.assertEqual(self.calls(0)[:5], ["tutti_receive"] * 4 + ["tutti_send"])
        self.assertTrue(all(time > 0 for time in self.replayed()))

    def test_operation_in_two_parts(self):
        """The second part begins while rank 0 is in a barrier, and the barrier in the other."""
        self.run_job(2, "replay_messages", "parts")
        self.assertEqual([next(iter(item)) for item in self.items(0)], ["run", "run", "wait"])
        self.assertEqual([next(iter(item)) for item in self.items(1)], ["run", "wait", "run"])
        first = self.record()["ranks"][0]["bound"][0]
        self.assertEqual((first["operation"], first["even"]), ("allreduce", False))
        self.assertTrue(all(time > 0 for time in self.replayed()))

    def test_sends_that_are_taken_back(self):
        done = self.run_job(2, "replay_messages", "back", TUTTI_SHM_LIMIT="24M")
        sent = int(done.stdout)
        self.assertLess(sent, 64)
        self.assertEqual(sum("send" in item for item in self.items(0)), sent)
        self.assertEqual(sum("receive" in item for item in self.items(1)), sent)
        self.replayed()

    def test_job_within_a_job_is_not_recorded(self):
        inner = f"'{TUTTI}' run -n 3 '{PROGRAMS / 'replay_messages'}' few"
        self.run_job(2, "replay_messages", "job", inner)
        run = self.record()
        self.assertEqual([rank["complete"] for rank in run["ranks"]], [True, True])
        self.assertEqual([len(rank["items"]) for rank in run["ranks"]], [2, 2])

    def test_computation_counts_if_it_is_asked_for(self):
        self.run_job(3, "replay_messages", "messages")
        without, some, more = (self.replayed(*words, machines=("sp2", ))[0]
                               for words in ((), ("--compute", "x1"), ("--compute", "x100")))
        self.assertLess(without, some)
        self.assertLess(some, more)

    def test_mail(self):
        self.run_job(3, "replay_messages", "mail")
        self.assertEqual(self.items(0), [
            {"send": 1, "bytes": 40}, {"receive": 2, "message": 0}, {"send": 1, "bytes": 24},
            {"send": 2, "bytes": 24}, {"arrive": 0, "count": 3}])
        self.assertEqual(self.items(2), [
            {"send": 0, "bytes": 40}, {"receive": 1, "message": 0}, {"receive": 0, "message": 0},
            {"arrive": 0, "count": 3}])
        self.assertEqual(self.record()["ranks"][1]["counters"], ["all"])
        self.replayed()

    def test_nx(self):
        self.run_job(3, "replay_nx")
        self.assertEqual(self.items(1), [
            {"post": 0, "message": 0, "request": 1}, {"send": 2, "bytes": 32}, {"wait": 1},
            {"send": 2, "bytes": 8}, {"probe": 0, "message": 1}, {"receive": 0, "message": 1},
            {"run": 0}])
        self.assertEqual(self.calls(1), ["irecv", "csend", "msgwait", "csend", "cprobe", "crecv",
                                         "gsync"])
        self.replayed()

    def test_bsplib(self):
        self.run_job(3, "replay_bsp")
        calls = self.calls(0)
        self.assertIn("bsp_sync", calls)
        run = self.record()["ranks"][0]
        sent = [sum(send["bytes"] for each in run["bound"][item["run"]]["rounds"]
                    for send in each.get("sends", ()))
                for item in run["items"] if "run" in item]
        self.assertGreater(sum(sent), 8)  # windows, which nobody sees, would leave the data out
        self.replayed()

    def test_blacs(self):
        self.run_job(3, "replay_blacs")
        self.assertIn({"send": 1, "bytes": 48}, self.items(0))
        self.assertIn({"receive": 0, "message": 0}, self.items(1))
        operations = [each["operation"] for each in self.record()["ranks"][2]["bound"]]
        for operation in ("broadcast", "allreduce", "barrier"):
            self.assertIn(operation, operations)
        self.replayed()

    def test_pvm(self):
        self.run_job(3, "replay_pvm")
        sends = [[item for item in self.items(rank) if "send" in item] for rank in range(3)]
        self.assertEqual([len(each) for each in sends], [1, 1, 1])
        done = self.command(TUTTI, "simulate", self.file, "--machine", "pvm-sparc")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "not counted: [1-9][0-9]* arrivals")


class Schema(RecordTest):

    def test_reader_and_schema_refuse_the_same(self):
        self.run_job(3, "replay_messages", "messages")
        self.record()
        whole = self.file.read_text()
        for change in self.changes():
            run = json.loads(whole)
            change(run)
            self.file.write_text(json.dumps(run, separators=(",", ":")))
            with self.subTest(problem=list(misfits(SCHEMA, run))):
                self.assertNotEqual(list(misfits(SCHEMA, run)), [])
                self.refused()

    @staticmethod
    def changes():
        def first(run):
            return run["ranks"][0]
        yield lambda run: run.update(tutti_recording=2)
        yield lambda run: run.update(colour="red")
        yield lambda run: run.pop("groups")
        yield lambda run: first(run).pop("complete")
        yield lambda run: first(run).update(process=-1)
        yield lambda run: first(run)["bound"][0].pop("element")
        yield lambda run: first(run)["bound"][0].update(operation="sum")
        yield lambda run: first(run)["bound"][0].update(even="yes")
        yield lambda run: first(run)["bound"][0]["rounds"][0].update(verse=1)
        yield lambda run: first(run)["bound"][0]["rounds"][0]["sends"][0].pop("bytes")
        yield lambda run: first(run)["items"][0].pop("message")
        yield lambda run: first(run)["items"][0].update(bytes=8)
        yield lambda run: first(run)["items"][0].update(send=1)
        yield lambda run: first(run)["items"][6].update(request=0)
        yield lambda run: first(run)["items"].append({"call": 0})
        yield lambda run: run.update(ranks=[])


class Faults(RecordTest):

    def test_rank_that_is_killed(self):
        done = self.run_job(3, "replay_messages", "killed", code=137)
        self.assertIn("ends early", done.stderr)
        run = self.record()
        self.assertEqual([rank["complete"] for rank in run["ranks"]], [False] * 3)
        # The operations before its death are there, and each of them is whole.
        self.assertEqual(self.items(1), [{"run": 0}] * 101)
        said = self.refused()
        self.assertIn("the record of rank 0 ends early, after", said)
        self.assertIn("in tutti_allreduce", said)

    def test_only_the_rank_that_ends_early_is_named(self):
        self.run_job(3, "replay_messages", "few")
        run = self.record()
        run["ranks"][1]["complete"] = False
        del run["ranks"][1]["items"][3:]
        self.file.write_text(json.dumps(run, separators=(",", ":")))
        self.assertIn("the record of rank 1 ends early, after 3 items, in tutti_allreduce",
                      self.refused())

    def test_processes_that_never_join(self):
        done = self.command(TUTTI, "run", "--record", "run.json", "-n", "2", "true")
        self.assertIn("no process has joined", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_disk_without_room(self):
        """The program goes on, each process says so once, and the file tells where it ends."""
        disk = self.folder / "disk"
        disk.mkdir()
        made = self.command("mount", "-t", "tmpfs", "-o", "size=512k", "none", disk)
        if made.returncode != 0:
            self.skipTest(f"no disk can be made here: {made.stderr.strip()}")
        self.addCleanup(self.command, "umount", disk)
        self.file = disk / "run.json"
        done = self.run_job(3, "replay_messages", "many", file=self.file)
        told = [line for line in done.stderr.splitlines() if "cannot grow" in line]
        self.assertEqual(len(told), 3, done.stderr)
        self.assertIn("No space left on device", told[0])
        self.assertIn("the record of 0, 1, 2 ends early", done.stderr)
        self.assertEqual([path.name for path in disk.iterdir()], ["run.json"])
        self.assertIn("ends early", self.refused())

    def test_disk_without_room_for_a_part(self):
        """A part without items, and one that is not there, are ranks that end early."""
        disk = self.folder / "disk"
        disk.mkdir()
        made = self.command("mount", "-t", "tmpfs", "-o", "size=8k", "none", disk)
        if made.returncode != 0:
            self.skipTest(f"no disk can be made here: {made.stderr.strip()}")
        self.addCleanup(self.command, "umount", disk)
        self.file = disk / "run.json"
        done = self.run_job(2, "replay_messages", "few", file=self.file)
        self.assertIn("ends early", done.stderr)
        self.assertIn("ends early", self.refused())

    def test_operations_that_do_not_fit_together(self):
        self.run_job(2, "replay_messages", "few")
        text = self.file.read_text()
        for change, words in (
                (lambda run: run["ranks"][1]["items"].clear(), "rank 1 has 0"),
                (lambda run: run["groups"].update({key: [0, 0] for key in run["groups"]}),
                 "stands twice"),
                (lambda run: run["ranks"][0]["bound"][0].update(element=1 << 32), "limit"),
        ):
            run = json.loads(text)
            change(run)
            self.file.write_text(json.dumps(run, indent=1))
            self.assertIn(words, self.refused())

    def test_file_that_cannot_be_written(self):
        done = self.run_job(2, "replay_messages", "few", code=2, file="nowhere/run.json")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("'nowhere/run.json' cannot be written", done.stderr)

    def test_other_files_stay(self):
        other = self.folder / "run.json.more.0.part"
        other.write_text("mine")
        self.run_job(2, "replay_messages", "few")
        self.assertEqual(other.read_text(), "mine")

    def test_next_job_replaces_the_file(self):
        self.run_job(4, "replay_messages", "few")
        # A job that was killed as a whole may have left this.
        (self.folder / "run.json.7.part").write_text("old")
        self.run_job(2, "replay_messages", "few")
        self.assertEqual(len(self.record()["ranks"]), 2)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.json"])

    def test_child_of_a_rank_writes_nothing(self):
        self.run_job(2, "replay_messages", "fork")
        self.assertEqual(self.items(0), [{"run": 0}, {"run": 1}])
        self.assertTrue(all(rank["complete"] for rank in self.record()["ranks"]))
        self.replayed()

    def test_more_ranks_than_nodes(self):
        self.run_job(8, "replay_messages", "few")
        self.assertIn("8 ranks do not fit", self.refused("--topology", "hypercube:2"))

    def test_options_that_a_record_refuses(self):
        self.run_job(2, "replay_messages", "few")
        for words in (("-n", "2"), ("--bytes", "8"), ("--root", "1"), ("--best", ), ("--map", ),
                      ("--algorithm", "ring"), ("--algorithm", "allreduce=rign"),
                      ("--algorithm", "allreduce=hybrid:7"), ("--compute", "-1"),
                      ("--compute", "fast")):
            with self.subTest(words=words):
                self.refused(*words)


if __name__ == "__main__":
    unittest.main()
