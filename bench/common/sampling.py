# SPDX-License-Identifier: BSD-3-Clause
"""Helps the benches that run jobs in turn and compare their samples: the distance of two processors
("placement"), ratios of samples, and the priority of the jobs."""
import statistics

PLACEMENTS = ("sibling", "near", "mid", "far")
ENOUGH = 3  # samples of either side; with fewer, no ratio is given
# Words in front of a program. Schedulers that share time by session prefer a session with a low
# nice value; these words ask for the lowest, if the user has the right to.
FIRST = ["sh", "-c", 'echo -20 2>/dev/null >/proc/self/autogroup; exec "$@"', "sh"]


def placement(before, after):
    """Returns the placement that belongs to the one-way times of a cache line before and after a
    run, in us. tutti_bench_placement() (line_time.h) has the same rule."""
    low, high = min(before, after), max(before, after)
    if high < 0.035:
        return "sibling"
    if low >= 0.035 and high < 0.09:
        return "near"
    if low >= 0.09 and high <= 0.15:
        return "mid"
    return "far" if low > 0.15 and high < 0.6 else "mixed"


def ratio(ours, theirs, digits=2):
    """Returns the ratio of the medians and, in brackets, that of the minima, as text."""
    if min(len(ours), len(theirs)) < ENOUGH:
        return "not sampled"
    medians, minima = statistics.median(ours) / statistics.median(theirs), min(ours) / min(theirs)
    return f"{medians:.{digits}f} ({minima:.{digits}f})"
