#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""silence.py FLAVOUR ENDLESS PLAIN TUTTI: what a job says and does when the link between two hosts
goes down, with the row silence of TUTTI_TUNING. The exit code is 77 (skipped) where namespaces are
not allowed."""
import os
import re
import signal
import sys
import time

sys.dont_write_bytecode = True
from two_hosts import Job, TwoHosts, run_isolated  # noqa: E402

LIMIT = 4
ENDING = {"TUTTI_TUNING": f"silence={LIMIT}s,silence_ends=1"}
failures = 0


def expect(name, good, text):
    global failures
    failures += not good
    print(f"{name}: good" if good else f"FAILED {name}:\n{text[-3000:]}", flush=True)


def lines(job):
    return re.findall(r"(?m)^tutti: rank .* on host .*$", job.text())


def wait_for_line(job, seconds):
    end = time.monotonic() + seconds
    while not lines(job) and job.process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)


def broken_link(hosts, flavour, program):
    """The link goes down for good: one line, and the job goes on waiting. Then it comes up."""
    job = Job(hosts, flavour, [2, 1], [program, "30"], {"TUTTI_TUNING": f"silence={LIMIT}s"})
    begun = job.wait_for_begin(3)
    time.sleep(1.5)
    hosts.set_link(False)
    wait_for_line(job, 60)
    said = lines(job)
    # Each side says it once.
    expect("a silent host is named", begun and 1 <= len(said) <= 2 and
           all("which is silent: its last answer came" in line for line in said) and
           job.process.poll() is None, job.text())
    hosts.set_link(True)
    left = job.wait(90)
    expect("the job goes on when the link is up again", not left and
           "endless: right" in job.text() and job.process.returncode == 0,
           f"{left} {job.process.returncode} {job.text()}")
    job.clean_up()


def end_of_silence(hosts, flavour, program):
    job = Job(hosts, flavour, [2, 1], [program, "0"], ENDING)
    job.wait_for_begin(3)
    time.sleep(1.5)
    hosts.set_link(False)
    wait_for_line(job, 60)
    end = time.monotonic() + 30
    while (job.ranks(0) or job.ranks(1)) and time.monotonic() < end:
        time.sleep(0.05)
    ranks = job.ranks(0) + job.ranks(1)
    expect("a silent host ends the job", not ranks and "the job ends" in job.text(),
           f"{len(ranks)} ranks left: {job.text()}")
    hosts.set_link(True)
    job.clean_up()


def computing(hosts, flavour, program):
    """Rank 2, on the other host, computes for longer than the limit, and its monitor is stopped."""
    job = Job(hosts, flavour, [2, 1], [program, "6", "2", str(3 * LIMIT)],
              ENDING)
    job.wait_for_begin(3)
    for one in hosts.everything():
        if one.name == "tutti-monitor":
            os.kill(one.pid, signal.SIGSTOP)
    left = job.wait(90)
    expect("a host that computes is not ended, and nothing is said", not left and
           not lines(job) and "endless: right" in job.text() and job.process.returncode == 0,
           f"{left} {job.process.returncode} {job.text()}")
    job.clean_up()


def main():
    flavour, program, _, _ = sys.argv[1:]
    with TwoHosts() as hosts:
        computing(hosts, flavour, program)
        if hosts.bypassed(flavour) is None:
            broken_link(hosts, flavour, program)
            end_of_silence(hosts, flavour, program)
        else:
            print(f"without a broken link: {hosts.bypassed(flavour)}")
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(run_isolated(sys.argv[1], main))
