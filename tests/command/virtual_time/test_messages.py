# SPDX-License-Identifier: BSD-3-Clause
"""Messages outside of collectives in virtual time: those that come, and those for which ranks wait
in vain, which the report names. tests/study/live has what receives and looks get."""
import unittest

from jobs import VirtualTimeTest


class Messages(VirtualTimeTest):

    def run_well(self, what):
        job = self.run_job(3, "messages", what)
        self.assertEqual(sorted(job.out.splitlines()), [f"rank {r} is right" for r in range(3)])

    def run_badly(self, what, *words, machine="ipsc860"):
        job = self.job(3, "messages", what, machine=machine)
        job.wait()
        self.assertNotEqual(job.process.returncode, 0)
        self.ended(job, job.process.returncode)
        for word in words:
            self.assertIn(word, job.err)

    def test_messages_that_come(self):
        for what in ("ahead", "in_vain", "left", "first"):
            with self.subTest(what=what):
                self.run_well(what)

    def test_receives_in_a_circle(self):
        self.run_badly("circle", "nothing moves", "ranks wait in a circle: rank 0 (tutti_receive",
                       "waits for a message of 2")

    def test_sends_that_wait_for_receives(self):
        """They do on a machine with rendezvous, and nowhere else."""
        self.run_badly("sends", "ranks wait in a circle: rank 0 (tutti_send", "for 1 to receive",
                       machine="infiniband-fattree")
        self.run_well("sends")

    def test_message_that_nobody_sends(self):
        self.run_badly("nobody", "rank 1 (tutti_receive", "waits for a message of anybody")

    def test_posted_receive_with_a_function(self):
        self.run_badly("predicate", "rank 1", "tutti_mail_post: a posted receive that chooses its "
                       "message by a function has no virtual time")


if __name__ == "__main__":
    unittest.main()
