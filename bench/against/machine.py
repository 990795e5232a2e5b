# SPDX-License-Identifier: BSD-3-Clause
"""Describes the machine that measures: its processors, how far they are from each other, and what
other programs use of them meanwhile."""
import os
import platform
import subprocess
import time
from pathlib import Path

from common import sampling

CPUS = Path("/sys/devices/system/cpu")
MOST_BUSY = 0.5  # processors that other programs may use
TICKS = os.sysconf("SC_CLK_TCK")


def numbers_of(text):
    """Returns the numbers of a list such as "0-3,8"."""
    found = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def sharing(cpu, what):
    """Returns the processors that share something with this one, or none if Linux does not tell."""
    try:
        return numbers_of((CPUS / f"cpu{cpu}" / what).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return set()


def model():
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")),
                platform.machine())


def groups(processors, what):
    """Returns the groups of these processors that share something, as text."""
    found = {tuple(sorted(sharing(cpu, what) & processors)) for cpu in processors}
    shown = ("+".join(map(str, group)) for group in sorted(found) if len(group) > 1)
    return " ".join(shown) or "none"


def line_placement(build):
    """Returns the distance of two processors by the time of a cache line, and that time in us."""
    times = [float(subprocess.run([build / "bench/line_time"], capture_output=True, text=True,
                                  check=True).stdout) for _ in range(5)]
    least = min(times)
    return sampling.placement(least, least), least


def description(build):
    """Returns lines about the processors that this program may use."""
    processors = os.sched_getaffinity(0)
    lines = [f"{model()}, processors {','.join(map(str, sorted(processors)))}; SMT siblings: "
             f"{groups(processors, 'topology/thread_siblings_list')}; same last cache: "
             f"{groups(processors, 'cache/index3/shared_cpu_list')}"]
    if len(processors) > 1 and (build / "bench/line_time").exists():
        place, us = line_placement(build)
        lines.append(f"two processors are {place} now ({us * 1000:.0f} ns for a cache line)")
    return lines


def used_by_all():
    """Returns the processor seconds that all programs have used since the start."""
    words = Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:]
    user, nice, system, _, _, irq, softirq = map(int, words[:7])
    return (user + nice + system + irq + softirq) / TICKS


def used_by_me():
    """Returns the processor seconds of this program and of the programs that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Others:
    """Tells how many processors other programs have used since it was made."""

    def __init__(self):
        self.start, self.all, self.mine = time.monotonic(), used_by_all(), used_by_me()

    def processors(self):
        took = max(time.monotonic() - self.start, 1e-9)
        return max(0.0, used_by_all() - self.all - (used_by_me() - self.mine)) / took


def quiet(seconds):
    """Waits until other programs use little, but not longer than so many seconds. Returns how many
    processors they used in the last second."""
    deadline = time.monotonic() + seconds
    while True:
        others = Others()
        time.sleep(1)
        busy = others.processors()
        if busy <= MOST_BUSY or time.monotonic() > deadline:
            return busy
