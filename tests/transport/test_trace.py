# SPDX-License-Identifier: BSD-3-Clause
"""Tests TUTTI_TRACE and `tutti trace`: what each kind of call leaves in the file, that the file is
right JSON whatever happens to the processes and the disk, and which waits are named. With
WHICH_TESTS=all, also what takes longer."""
import collections
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TUTTI = os.environ["TUTTI_COMMAND"]
CALLS = os.environ["TUTTI_CALLS"]
ALL = os.environ["WHICH_TESTS"] == "all"
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "formats"))
import mpi_launchers  # noqa: E402
from json_schema import misfits  # noqa: E402

SCHEMA = json.loads((Path(__file__).resolve().parents[2] /
                     "command/schemas/tutti-trace-1.schema.json").read_text())


class TraceTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tutti trace ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "job.json"

    def command(self, *words, **variables):
        return subprocess.run([str(word) for word in words],
                              env=dict(os.environ, **variables),
                              cwd=self.folder,
                              capture_output=True,
                              text=True,
                              check=False,
                              timeout=120)

    def run_job(self, n, *steps, code=0, **variables):
        done = self.command(TUTTI, "run", "-n", n, CALLS, *steps,
                            **{"TUTTI_TRACE": "job.json", **variables})
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def events(self):
        return json.loads(self.file.read_text())["traceEvents"]

    def shown(self, *options):
        done = self.command(TUTTI, "trace", self.file, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(list(misfits(SCHEMA, answer)), [])
        return answer

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


class Recorded(TraceTest):

    def test_each_kind_of_call(self):
        for n in (1, 2, 3, 4, 5) if ALL else (1, 3):
            with self.subTest(n=n):
                self.run_job(n, "all")
                self.assertEqual(self.files(), ["job.json"])
                self.check_calls(n, self.events())

    def check_calls(self, n, events):
        calls = collections.Counter()
        for event in events:
            if event.get("cat") == "call":
                calls[event["pid"], event["name"]] += 1
                self.assertGreaterEqual(event["dur"], 0)
        for rank in range(n):
            self.assertEqual(calls[rank, "tutti_allreduce"], 2)
            self.assertEqual(calls[rank, "tutti_iallreduce"], 1)
            self.assertEqual(calls[rank, "tutti_wait"], 3)
            self.assertEqual(calls[rank, "tutti_start"], 2)
            self.assertEqual(calls[rank, "tutti_plan_run"], 1)
            self.assertEqual(calls[rank, "tutti_barrier"], 1)
        self.assertEqual(calls[0, "tutti_send"], n > 1)
        self.assertEqual(calls[1, "tutti_receive"], n > 1)
        begun = [event for event in events if event.get("ph") == "b"]
        operations = [event["name"] for event in begun if "round" not in event["args"]]
        self.assertEqual(collections.Counter(operations), {"allreduce": n, "broadcast": 2 * n})
        self.assertEqual(len(begun), sum(event.get("ph") == "e" for event in events))
        # A ring has 2 (p - 1) rounds, and each rank shows all of them.
        rounds = [(event["pid"], event["args"]["round"]) for event in events
                  if event.get("cat") == "round" and event["args"].get("algorithm") == "ring"
                  and event["args"]["group"].startswith("process") and "tutti_plan_run" in str(
                      self.call_around(events, event))]
        if n == 1:
            return
        self.assertEqual(sorted(rounds),
                         [(rank, t) for rank in range(n) for t in range(1, 2 * n - 1)])

    @staticmethod
    def call_around(events, inner):
        return [event["name"] for event in events
                if event.get("cat") == "call" and event["pid"] == inner["pid"]
                and event["ts"] <= inner["ts"] + 0.002
                and inner["ts"] + inner["dur"] <= event["ts"] + event["dur"] + 0.004]

    def test_groups_are_named_by_their_processes(self):
        self.run_job(5, "all")
        facts = [event.get("args", {}) for event in self.events()]
        groups = {each["group"] for each in facts if "group" in each}
        self.assertIn("processes 0-4", groups)
        self.assertIn("processes 0, 2, 4", groups)
        self.assertIn("processes 1, 3", groups)

    def test_program_without_finalize(self):
        self.run_job(3, "all", "exit")
        self.assertEqual(self.files(), ["job.json"])
        self.assertEqual({event["pid"] for event in self.events()}, {0, 1, 2})

    def test_program_without_launcher(self):
        done = self.command(CALLS, "all", TUTTI_TRACE="job.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({event["pid"] for event in self.events()}, {0})

    def test_child_of_a_rank_writes_nothing(self):
        self.run_job(2, "fork")
        titles = [event for event in self.events() if event["name"] == "process_name"]
        self.assertEqual(len(titles), 2)

    def test_nothing_is_written_without_the_variable(self):
        self.run_job(2, "all", TUTTI_TRACE="")
        self.assertEqual(self.files(), [])

    def test_next_job_replaces_the_file(self):
        self.run_job(4, "all")
        self.run_job(2, "all")
        self.assertEqual({event["pid"] for event in self.events()}, {0, 1})

    def test_memory_is_bounded(self):
        self.run_job(2, "many", TUTTI_TRACE_MEMORY="64K")
        kept = 64 * 1024 // 64 - 1
        events = collections.Counter(event["pid"] for event in self.events()
                                     if event["ph"] == "X")
        for process in self.shown()["processes"]:
            # A record has the events of a call, a round and a wait, or of one of them.
            self.assertLessEqual(kept, events[process["process"]])
            self.assertLessEqual(events[process["process"]], 3 * kept)
            # Each of the 5000 calls is a record at least.
            self.assertGreater(process["lost_records"], 5000 - 2 * kept)

    def test_other_launchers(self):
        # They take long.
        for flavour in os.environ["TUTTI_MPI_FLAVOURS"].split() if ALL else ():
            with self.subTest(flavour=flavour):
                self.assertTrue(mpi_launchers.installed(flavour), f"{flavour} is not installed")
                variables = {"TUTTI_TRACE": str(self.file)}
                done = self.command(*mpi_launchers.launcher(flavour, 3, variables), CALLS, "all")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.files(), ["job.json"])
                self.assertEqual({event["pid"] for event in self.events()}, {0, 1, 2})

    def test_values_that_are_not_understood(self):
        for variables, words in ((dict(TUTTI_TRACE="none/job.json"), "none/job.json"),
                                 (dict(TUTTI_TRACE_MEMORY="1K"), "must be 64K to 4G")):
            with self.subTest(words=words):
                done = self.command(CALLS, "all", **{"TUTTI_TRACE": "job.json", **variables})
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(words, done.stderr)


class Whole(TraceTest):
    """Looks at calls that are one record: their events are derived when the file is written."""

    def sums(self, n=2, **variables):
        """Returns the events of each sum of the last process, by their categories."""
        self.run_job(n, "few", **variables)
        events = [event for event in self.events()
                  if event["pid"] == n - 1 and event.get("ph") == "X"]
        calls = [event for event in events if event["name"] == "tutti_allreduce"]
        return [{each["cat"]: each for each in events
                 if call["ts"] - 0.002 <= each["ts"]
                 and each["ts"] + each["dur"] <= call["ts"] + call["dur"] + 0.004}
                for call in calls]

    def test_repeated_call_has_its_round_within(self):
        # The first call, in which the plan is chosen, is several records.
        sums = self.sums()
        self.assertEqual(len(sums), 200)
        self.assertIn("choice", sums[0])
        self.assertEqual(sums[0]["call"]["args"]["operation"], "allreduce")
        for each in sums[1:]:
            self.assertIn("round", each)
            facts = each["round"]["args"]
            self.assertEqual((facts["operation"], facts["round"], facts["bytes"]),
                             ("allreduce", 1, 1024))
            self.assertEqual(each["call"]["args"]["number"], facts["number"])
        numbers = [each["call"]["args"]["number"] for each in sums]
        self.assertEqual(numbers, sorted(set(numbers)))
        waits = [each["wait"] for each in sums[1:] if "wait" in each]
        self.assertGreater(len(waits), 0)
        for wait in waits:
            facts = wait["args"]
            self.assertEqual((facts.get("for", 0), facts["call"], facts["round"]),
                             (0, "tutti_allreduce", 1))

    def test_call_with_many_rounds_is_split(self):
        for each in self.sums(TUTTI_ALGORITHM="allreduce=ring")[1:]:
            rounds = each["round"]["args"]
            self.assertEqual((rounds["round"], rounds["algorithm"]), (2, "ring"))


class Killed(TraceTest):

    def check_killed(self):
        self.assertEqual(self.files(), ["job.json"])
        ends = {event["pid"]: event for event in self.events()
                if event.get("cat") == "wait" and event["args"].get("unfinished")}
        self.assertNotIn(1, ends)
        for rank in (0, 2):
            self.assertEqual(ends[rank]["args"]["call"], "tutti_allreduce")
        done = self.command(TUTTI, "trace", self.file)
        self.assertIn("(never ended)", done.stdout)
        calls = [event["pid"] for event in self.events() if event["name"] == "tutti_allreduce"]
        self.assertEqual(collections.Counter(calls), {0: 2, 1: 1, 2: 2})

    def test_rank_of_tutti_run(self):
        self.run_job(3, "killed", code=137)
        self.check_killed()

    def be_killed_unseen(self):
        """Runs a job with a trace of which `tutti run` does not know, as under another launcher."""
        traced = f"export TUTTI_TRACE=job.json; exec '{CALLS}' killed"
        done = self.command(TUTTI, "run", "-n", "3", "sh", "-c", traced)
        self.assertEqual(done.returncode, 137, done.stderr)

    def test_parts_are_put_together_later(self):
        self.be_killed_unseen()
        self.assertEqual(self.files(),
                         ["job.json", "job.json.0.part", "job.json.1.part", "job.json.2.part"])
        self.shown()
        self.check_killed()

    def test_half_an_event_is_cut_off(self):
        self.run_job(2, "all")
        whole = self.file.read_text()
        self.be_killed_unseen()
        head = self.file.read_text().split("[")[0]
        body = whole.split("[", 1)[1]
        self.file.write_text(head + "[" + body[:-40])
        self.shown()
        self.check_killed_beside(whole)

    def check_killed_beside(self, whole):
        self.assertEqual(self.files(), ["job.json"])
        kept = [event for event in self.events() if event.get("cat") == "round"]
        events = json.loads(whole)["traceEvents"]
        before = [event for event in events if event.get("cat") == "round"]
        self.assertGreater(len(kept), len(before) - 2)


class Full(TraceTest):

    def test_disk_without_room_is_told_once(self):
        done = self.run_job(3, "all", TUTTI_TRACE_MEMORY="1M", TUTTI_TRACE=self.small_disk())
        told = [line for line in done.stderr.splitlines() if "there is no trace" in line]
        self.assertEqual(len(told), 1, done.stderr)
        self.assertIn("has no room", told[0])

    def small_disk(self):
        """Returns a file on a disk of 256 KiB, if this user may make one."""
        disk = self.folder / "disk"
        disk.mkdir()
        made = self.command("mount", "-t", "tmpfs", "-o", "size=256k", "none", disk)
        if made.returncode != 0:
            self.skipTest(f"no disk can be made here: {made.stderr.strip()}")
        self.addCleanup(self.command, "umount", disk)
        return str(disk / "job.json")


class Shown(TraceTest):

    def test_longest_wait_names_the_process_that_is_late(self):
        # On a busy machine rank 0 may be late, too. Then the job runs again.
        for _ in range(10):
            self.run_job(2, "late")
            calls = {event["pid"]: event for event in self.events()
                     if event["name"] == "tutti_allreduce"}
            if calls[0]["ts"] + 50_000 < calls[1]["ts"]:
                return self.check_late(calls)
        self.fail("rank 1 was never late")

    def check_late(self, calls):
        barrier = next(event for event in self.events()
                       if event["name"] == "tutti_barrier" and event["pid"] == 1)
        begin = barrier["ts"] + barrier["dur"]
        end = calls[1]["ts"]
        late = [wait for wait in self.shown()["longest_waits"]
                if wait["process"] == 0 and wait["call"] == "tutti_allreduce"]
        self.assertEqual(len(late), 1)
        self.assertEqual((late[0]["for"], late[0]["operation"], late[0]["round"]),
                         (1, "allreduce", 1))
        over = late[0]["begin_us"] + late[0]["wait_us"]
        self.assertLessEqual(late[0]["begin_us"], end)
        self.assertGreaterEqual(over, end - 1)
        # Rank 1 has made its call, and is outside again, before rank 0 wakes up.
        outside = end - max(begin, late[0]["begin_us"]) + max(0, over - end - calls[1]["dur"])
        self.assertAlmostEqual(late[0]["outside_us"], outside, delta=1)

    def test_list_is_sorted_and_cut(self):
        self.run_job(3, "all")
        longest = self.shown()["longest_waits"]
        self.assertLessEqual(len(longest), 10)
        lengths = [wait["wait_us"] for wait in longest]
        self.assertEqual(lengths, sorted(lengths, reverse=True))
        self.assertEqual(self.shown("--top", "2")["longest_waits"], longest[:2])
        done = self.command(TUTTI, "trace", self.file, "--top", "2")
        table = done.stdout.split("the longest waits")[1].splitlines()[2:]
        self.assertEqual(len(table), 2)
        for line, wait in zip(table, longest):
            self.assertIn(wait["call"], line)

    def test_standard_input(self):
        self.run_job(2, "all")
        with open(self.file) as trace:
            done = subprocess.run([TUTTI, "trace", "-", "--json"], stdin=trace, capture_output=True,
                                  text=True, check=True)
        self.assertEqual(json.loads(done.stdout), self.shown())

    def test_files_that_are_no_traces(self):
        texts = {"a": "{}", "b": "no JSON", "c": '{"traceEvents":[]}', "none": None}
        for name, text in texts.items():
            with self.subTest(text=text):
                if text is not None:
                    (self.folder / name).write_text(text)
                done = self.command(TUTTI, "trace", self.folder / name)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assertIn(name, done.stderr)

    def test_form_is_that_of_the_simulator(self):
        done = self.command(TUTTI, "simulate", "allreduce", "-n", "4", "--machine", "ipsc860",
                            "--algorithm", "ring", "--trace", "simulated.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_job(4, "all")
        simulated = json.loads((self.folder / "simulated.json").read_text())
        run = json.loads(self.file.read_text())
        self.assertEqual(simulated["displayTimeUnit"], run["displayTimeUnit"])
        names = [[(event["pid"], event["args"]["name"]) for event in trace["traceEvents"]
                  if event["name"] == "process_name"] for trace in (simulated, run)]
        self.assertEqual(sorted(names[0]), sorted(names[1]))


if __name__ == "__main__":
    unittest.main()
