# SPDX-License-Identifier: BSD-3-Clause
"""What benches share that compare samples of jobs run in turn: where two processors lie, ratios,
and who goes first."""
import statistics

PLACEMENTS = ("sibling", "near", "mid", "far")
ENOUGH = 3  # samples of either side; fewer are a placement that hardly ever occurred
# In front of a program: schedulers that share time by session let a session that asks for it go
# first, if it may.
FIRST = ["sh", "-c", 'echo -20 2>/dev/null >/proc/self/autogroup; exec "$@"', "sh"]


def placement(before, after):
    """As tutti_bench_placement() says of two one-way times of a cache line, us."""
    low, high = min(before, after), max(before, after)
    if high < 0.035:
        return "sibling"
    if low >= 0.035 and high < 0.09:
        return "near"
    if low >= 0.09 and high <= 0.15:
        return "mid"
    return "far" if low > 0.15 and high < 0.6 else "mixed"


def ratio(ours, theirs, digits=2):
    """Of medians, and in brackets of minima."""
    if min(len(ours), len(theirs)) < ENOUGH:
        return "not sampled"
    medians, minima = statistics.median(ours) / statistics.median(theirs), min(ours) / min(theirs)
    return f"{medians:.{digits}f} ({minima:.{digits}f})"
