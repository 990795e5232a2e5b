# SPDX-License-Identifier: BSD-3-Clause
"""Has the goals of the collectives on two processors, and finds what misses them. A goal is a part
of the best peer's time. Where the bare way takes longer than that, the goal is the bare way."""
import dataclasses
import statistics

import cells
from cells import IN_PLACE, KIB, MIB, OURS

DISTRIBUTION = ("openmpi", "mpich")  # Debian's MPIs, the peers of four and eight processes
CROWDED = (4, 8)
# The first six of the seven sizes, without the longest.
SHORTER = (8, 512, 4 * KIB, 32 * KIB, 256 * KIB, 2 * MIB)


@dataclasses.dataclass(frozen=True)
class Goal:
    """Times of a library are to be at most so many times the best of these peers."""
    factor: float
    library: str = OURS
    peers: tuple = None  # None: all

    def has(self, library):
        return cells.is_peer(library) and (self.peers is None or library in self.peers)

    def has_bare(self, library):
        """Returns true for the bare ways that compare with the library."""
        if self.library == IN_PLACE:
            return cells.is_bare_in_place(library)
        return cells.is_bare(library)


@dataclasses.dataclass(frozen=True)
class Typical:
    """The goal of a median over all cells of a number of ranks and a placement."""
    ranks: int
    placement: str  # "": any
    goal: Goal
    sizes: tuple = None  # None: all

    def name(self):
        place = f", {self.placement}" if self.placement else ""
        sizes = ", 8 to 2M" if self.sizes else ""
        return f"median of p = {self.ranks}{place}{sizes}"

    def has(self, cell):
        return (cell.ranks == self.ranks and self.placement in ("", cell.placement)
                and cell.op != "barrier" and (self.sizes is None or cell.bytes in self.sizes))


TYPICAL = (Typical(2, "far", Goal(0.66), SHORTER), Typical(2, "near", Goal(0.56), SHORTER),
           *(Typical(ranks, "", Goal(0.65, peers=DISTRIBUTION)) for ranks in CROWDED))


def goals_of(cell):
    if cell.op == "barrier":
        return []
    if cell.ranks in CROWDED:
        return [Goal(1.15, peers=DISTRIBUTION)]
    if cell.ranks != 2:
        return []
    goals = [Goal(1.20 if cell.op == "alltoall" else 1.10)]
    if cell.op in ("allgather", "alltoall") and 256 * KIB <= cell.bytes <= 2 * MIB:
        goals.append(Goal(0.80, IN_PLACE))
    elif cell.op == "alltoall":
        goals.append(Goal(1.10, IN_PLACE))
    return goals


@dataclasses.dataclass(frozen=True)
class Verdict:
    goal: Goal
    us: float
    peer: str
    peer_us: float
    bare: tuple  # (name, us) of the bare way, if that takes longer than the goal; None: it does not
    missed: bool

    def text(self):
        what = "in place " if self.goal.library == IN_PLACE else ""
        words = f"{what}{self.us / self.peer_us:.2f} times {self.peer}, goal {self.goal.factor:.2f}"
        if self.bare:
            words += (f", but the bare way is at {self.bare[1] / self.peer_us:.2f}, which is the "
                      "goal")
        return words


def is_above(us, peer_us, bare_us, factor):
    return us / peer_us > factor and us > (bare_us or 0)


def verdict(figures, goal):
    """Returns the verdict on a cell, or None if there are no samples for it. The goal is missed if
    it is missed in each run."""
    ours, peer = figures.get(goal.library), cells.best(figures, goal.has)
    if ours is None or peer is None:
        return None
    bare = cells.best(figures, goal.has_bare)
    above = []
    for run, us in ours.medians.items():
        peer_us = cells.best_of_run(figures, goal.has, run)
        if peer_us is not None:
            bare_us = cells.best_of_run(figures, goal.has_bare, run)
            above.append(is_above(us, peer_us, bare_us or (bare and bare[1]), goal.factor))
    is_goal = bare is not None and bare[1] / peer[1] > goal.factor
    return Verdict(goal, ours.median, *peer, bare if is_goal else None,
                   bool(above) and all(above))


def verdicts(cell, figures):
    return [one for one in (verdict(figures, goal) for goal in goals_of(cell)) if one]


def typical(some, one):
    """Returns the median of the ratios of these cells ({Cell: figures}) as a dictionary, or None.
    The goal is the bare way's median where that is greater."""
    ratios, bare = [], []
    for cell, figures in some.items():
        peer = cells.best(figures, one.goal.has)
        if one.has(cell) and peer and one.goal.library in figures:
            ratios.append(figures[one.goal.library].median / peer[1])
            bare_way = cells.best(figures, one.goal.has_bare)
            bare += [bare_way[1] / peer[1]] if bare_way else []
    if not ratios:
        return None
    median, bare_median = statistics.median(ratios), statistics.median(bare) if bare else 0
    goal = max(one.goal.factor, bare_median)
    return {
        "what": one.name(), "cells": len(ratios), "median": round(median, 3),
        "goal": round(goal, 3), "bare_is_goal": bare_median > one.goal.factor,
        "missed": median > goal
    }
