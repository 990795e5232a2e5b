# SPDX-License-Identifier: BSD-3-Clause
"""Measures how long a job takes, so that a busy machine makes none late."""
import os
import select
import time


class Stopwatch:
    """Counts the seconds that a machine with a processor for everybody would have needed. While
    more processes want to run than there are processors, time counts only in proportion, so a busy
    machine makes no job late. It is read at least every SLICE seconds."""
    SLICE = 0.05

    def __init__(self):
        self.seconds = 0.0
        self.before = time.monotonic()

    def read(self):
        now = time.monotonic()
        self.seconds += (now - self.before) * min(1, os.cpu_count() / self.running())
        self.before = now
        return self.seconds

    @staticmethod
    def running():
        """Returns how many processes want to run now; this one is among them."""
        with open("/proc/loadavg") as file:
            return max(1, int(file.read().split()[3].split("/")[0]))


def wait_for(descriptor, seconds):
    """Waits until a descriptor can be read, for at most so many seconds of a Stopwatch. Returns how
    many that took."""
    watch = Stopwatch()
    while watch.read() < seconds and not select.select([descriptor], [], [], Stopwatch.SLICE)[0]:
        pass
    return watch.read()
