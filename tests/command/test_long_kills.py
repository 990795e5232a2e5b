# SPDX-License-Identifier: BSD-3-Clause
"""Long vectors that are copied once, by the system, from the memory of one process into that of
another. Kills a rank in the middle: no survivor may see a wrong byte or wait for ever. TUTTI_KILLS
is the number of kills (20), TUTTI_SEED the seed (1). While one process copies, another that was
killed must not be waited for, because a stranger could get its id. Where a sandbox refuses such
copies, and where the table forbids them, the results are the same."""
import json
import os
import platform
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from harness import TUTTI, LauncherTest
from processes import rank_of, send
from sandbox import refuse

KILLS = int(os.environ.get("TUTTI_KILLS", "20"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
PROMPT = float(os.environ.get("TUTTI_PROMPT", "2"))
LONG = os.path.join(os.environ["TUTTI_ENDLESS"], "tools_endless_long")
# LD_PRELOAD ends a path at a space, so the library is copied to a place without one.
FOLDER = tempfile.TemporaryDirectory(prefix="tutti-test-")
SLOW_COPIES = shutil.copy(os.environ["TUTTI_SLOW_COPIES"], FOLDER.name)
# The numbers of process_vm_readv and process_vm_writev.
CALLS = {"x86_64": (310, 311), "aarch64": (270, 271)}.get(platform.machine())
WRONG_BYTE = 7


def ranks_of(job):
    """Returns the processes of the ranks of a job by their ranks."""
    found = {rank_of(pid): pid for pid in job.mark.pids()}
    return {rank: pid for rank, pid in found.items() if rank is not None}


def state_in_table(pid):
    """Returns the state of a process as the system lists it, also if it has ended and nobody has
    waited for it; "free" if the id is free."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "free"


class LongVectors(LauncherTest):
    def start_long(self, ranks, *words, before=(), **variables):
        os.environ.update(variables)
        self.addCleanup(lambda: [os.environ.pop(name, None) for name in variables])
        return self.start([*before, TUTTI, "run", "-n", str(ranks), LONG, *words])

    def wait_for(self, what, look, seconds=20):
        end = time.monotonic() + seconds
        while not (found := look()):
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.002)
        return found

    def one_kill(self, chance):
        ranks = chance.choice((2, 3, 4))
        variables = {"TUTTI_DEATHS": chance.choice(("together", "tolerant"))}
        job = self.start_long(ranks, str(chance.randrange(1 << 30)), **variables)
        self.wait_for("the ranks do not start", lambda: len(ranks_of(job)) == ranks)
        time.sleep(0.02 + chance.random() * 0.03)
        send([chance.choice(list(ranks_of(job).values()))], signal.SIGKILL)
        self.finish_killed(job, PROMPT, f"{ranks} ranks, {variables}")

    def finish_killed(self, job, seconds, what):
        try:
            job.wait(seconds)
        except subprocess.TimeoutExpired:
            self.fail(f"hangs: {what}: {job.text()}")
        job.text()
        self.assertNotIn("wrong byte", job.err)
        self.assertNotIn(f"code {WRONG_BYTE}", job.err)
        self.assertTrue(job.mark.gone_within(PROMPT), "something is left behind")
        self.assertNotEqual(job.code, 0)

    def test_kills(self):
        chance = random.Random(SEED)
        for number in range(KILLS):
            with self.subTest(kill=number, seed=SEED):
                self.one_kill(chance)
                self.doCleanups()

    def test_kills_in_a_copy(self):
        """The first copies prove that two processes reach each other."""
        chance = random.Random(SEED)
        for number in range(KILLS):
            ranks = chance.choice((2, 3, 4))
            last = f"{chance.randrange(ranks)}:{chance.randint(1, 30)}"
            deaths = chance.choice(("together", "tolerant"))
            with self.subTest(kill=number, seed=SEED):
                job = self.start_long(ranks, str(chance.randrange(1 << 30)), LD_PRELOAD=SLOW_COPIES,
                                      TUTTI_LAST_COPY=last, TUTTI_DEATHS=deaths)
                self.finish_killed(job, PROMPT + 10, f"{ranks} ranks, copy {last}, {deaths}")
                self.assertIn(job.code, (137, 3))
                self.doCleanups()

    def test_refused(self):
        for call in CALLS or ():
            job = self.start_long(2, "1", "200", before=refuse(1, call=call))
            job.wait()
            if job.code == 77:
                self.skipTest("no filter of system calls is allowed here")
            self.finish(job, 0)

    def test_a_refusal_is_told(self):
        for call in CALLS or ():
            asked = refuse(1, TUTTI, "info", "--tuning", "--json", call=call)
            done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
            if done.returncode == 77:
                self.skipTest("no filter of system calls is allowed here")
            self.assertEqual(json.loads(done.stdout)["copied_once_by_the_system"],
                             "no, the system refuses it: Operation not permitted")

    def test_forbidden_and_allowed(self):
        for allowed in ("0", "1"):
            for ranks in (2, 4):
                job = self.start_long(ranks, "2", "100", TUTTI_TUNING=f"copy_by_kernel={allowed}")
                self.finish(job, 0)

    def test_a_process_is_kept_while_it_is_copied_to(self):
        """The library of TUTTI_SLOW_COPIES makes the tenth copy of each process take half a second
        and writes the id of the other process to its standard error just before."""
        job = self.start_long(2, "3", LD_PRELOAD=SLOW_COPIES, TUTTI_DEATHS="tolerant")

        def victims():
            job.text()
            return [int(line.split()[-1]) for line in job.err.splitlines()
                    if line.startswith("slow copy with ")]

        victim = self.wait_for("no copy", victims)[0]
        os.kill(victim, signal.SIGKILL)
        kept = []
        self.wait_for("it is never waited for",
                      lambda: kept.append(state_in_table(victim)) or kept[-1] == "free", 10)
        self.assertGreater(kept.count("Z"), 20, "its id is free while another process copies to it")
        job.wait(PROMPT + 2)
        job.text()
        self.assertNotIn("wrong byte", job.err)

    def test_no_stranger_gets_the_id(self):
        """In a pid namespace the next id can be set, so strangers ask for that of the victim."""
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("needs root and unshare")
        script = f'''
          LD_PRELOAD={SLOW_COPIES!r} TUTTI_DEATHS=tolerant {TUTTI!r} run -n 2 {LONG!r} 3 2>log &
          job=$!
          for look in $(seq 1000); do
            victim=$(sed -n 's/^slow copy with //p' log | head -n 1)
            [ -z "$victim" ] || break
            sleep 0.01
          done
          [ -n "$victim" ] || exit 1
          kill -KILL "$victim"
          for i in 1 2 3 4 5 6 7 8 9 10; do
            echo $((victim - 1)) >/proc/sys/kernel/ns_last_pid
            sleep 0.2 & stranger=$!
            [ "$stranger" != "$victim" ] || echo "stranger $stranger after $i"
            sleep 0.02
          done
          wait $job
          cat log'''
        folder = self.start(["true"]).folder
        alone = ["unshare", "-p", "-f", "--kill-child", "--mount-proc"]
        done = subprocess.run([*alone, "sh", "-c", script],
                              cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertIn("slow copy with ", done.stdout, done.stderr)
        self.assertNotIn("stranger", done.stdout)
        self.assertNotIn("wrong byte", done.stdout)


if __name__ == "__main__":
    unittest.main()
