# SPDX-License-Identifier: BSD-3-Clause
"""Compares the samples of one cell that two builds have taken in turn.

A pair is two samples of the two builds right after each other. Its ratio (new / base) does not see
the machine drift from pair to pair, so the ratio of a cell is the median of its pairs' ratios. On a
machine whose state changes every few minutes, the ratio of the two medians may compare one state
with the other; it decides nothing.

The scatter comes from the order of the pairs' ratios alone, so neither outliers nor two modes of a
cell can spoil it. Each pair's ratio is below the true median with probability 1/2. So the k-th
least of n ratios is above the true median as rarely as n tosses of a coin show less than k heads.
`rank_of_bound` gives the largest k for which that probability is at most RISK: 3 of 15, with 0.4 %.
The scatter is the distance from the ratio down to the k-th least. The distance up to the k-th
greatest serves cells that have become better.

A cell is worse if its ratio is above 1 + scatter + MARGIN. The margin stands for what differs
between two builds of the same source in two folders. With less than 7 pairs, no k exists and the
cell stays open."""
import math
import statistics
from dataclasses import dataclass

RISK = 0.01
MARGIN = 0.03
OPEN, SAME, WORSE, BETTER = "open", "same", "worse", "better"


@dataclass
class Comparison:
    """The figures of a cell. `scatter` is None if there are too few pairs."""
    base: float
    new: float
    base_least: float
    new_least: float
    ratio: float
    scatter: float | None
    pairs: int
    verdict: str

    @property
    def ratio_of_medians(self):
        return self.new / self.base


def rank_of_bound(pairs, risk=RISK):
    """Returns the largest k with P(at most k - 1 heads of so many tosses) <= risk; 0 if there is
    none."""
    heads, rank = 0, 0
    for k in range(pairs):
        heads += math.comb(pairs, k)
        if heads > risk * 2**pairs:
            break
        rank = k + 1
    return rank


def alike(one, other):
    """Two samples are a pair unless their processors had different distances. The distance "mixed"
    says that it changed, or that another process disturbed its measurement."""
    return one == other or "mixed" in (one, other) or None in (one, other)


def pairs_of(cell):
    """Returns the pairs (base, new) of a cell, without those that lack one of the two."""
    rows = zip(cell["base"], cell["new"], cell["base_places"], cell["new_places"])
    return [(base, new) for base, new, here, there in rows
            if base is not None and new is not None and alike(here, there)]


def quotient(base, new):
    """A figure of 0, such as a time below the clock's step, is as good as another 0."""
    if base > 0:
        return new / base
    return 1.0 if new == base else math.inf


def compared(cell):
    """Returns the Comparison of a cell, or None if it has no pair."""
    pairs = pairs_of(cell)
    if not pairs:
        return None
    ratios = sorted(quotient(base, new) for base, new in pairs)
    ratio, scatter, verdict = statistics.median(ratios), None, OPEN
    rank = rank_of_bound(len(ratios))
    if rank > 0:
        scatter = ratio - ratios[rank - 1] if ratio != math.inf else 0.0
        verdict = verdict_of(ratio, scatter, ratios[-rank] - ratio if ratio != math.inf else 0.0)
    base, new = zip(*pairs)
    return Comparison(statistics.median(base), statistics.median(new), min(base), min(new), ratio,
                      scatter, len(ratios), verdict)


def verdict_of(ratio, scatter, upwards):
    """Returns the verdict on a ratio whose scatter downwards and upwards is known."""
    if ratio > 1 + scatter + MARGIN:
        return WORSE
    return BETTER if ratio + upwards < 1 - MARGIN else SAME
