# SPDX-License-Identifier: BSD-3-Clause
"""Divides the time that tutti-llcs loses on two processes against the bound of its wavefront."""
import csv
import json
import statistics
import tempfile
from pathlib import Path

from . import jobs
from .strings import write_strings

PROCESSES = 2
HEAD = ("length", "alpha", "ms", "E, %", "bound, %", "small blocks", "both busy", "supersteps",
        "rest")


class Losses:
    """Runs the cases of one length and alpha in turn. `start` begins each command."""

    def __init__(self, build, start, folder, power, alpha):
        self.program = build / "apps/llcs/tutti-llcs"
        self.start, self.job = start, [build / "bin/tutti", "run", "-n", PROCESSES]
        self.profile = Path(folder) / "supersteps.csv"
        self.power, self.alpha = power, alpha
        self.blocks = PROCESSES * alpha  # in a row of the table
        self.long = write_strings(folder, 2**power)
        self.short = write_strings(folder, 64 * self.blocks)
        self.seconds = {name: [] for name in ("one", "blocks", "two", "computing", "short",
                                              "short on two")}

    def run(self, start, alpha, files, variables=None):
        words = [*self.start, *start, self.program, "--kernel", "words", "--alpha", alpha, "--json",
                 *files]
        return json.loads(jobs.output_of(words, variables))

    def turn(self):
        """Runs the table on one process in one block, and in as many blocks as on two. Then on two
        processes, also with a profile. Blocks of 64 characters take longer on two processes than
        half of their time on one by what their supersteps take."""
        self.seconds["one"].append(self.run([], 1, self.long)["time_s"])
        self.seconds["blocks"].append(self.run([], self.blocks, self.long)["time_s"])
        self.seconds["two"].append(self.run(self.job, self.alpha, self.long)["time_s"])
        found = self.run(self.job, self.alpha, self.long, {"TUTTI_BSP_PROFILE": str(self.profile)})
        self.seconds["computing"].append(self.computing(found["supersteps"]))
        self.seconds["short"].append(self.run([], self.blocks, self.short)["time_s"])
        self.seconds["short on two"].append(self.run(self.job, self.alpha, self.short)["time_s"])

    def computing(self, supersteps):
        """Returns the sum of the longest computations of the wavefront's supersteps, and of what is
        computed after the last of them."""
        with self.profile.open(encoding="utf-8") as lines:
            steps = list(csv.DictReader(lines))
        inside = [number for number, step in enumerate(steps) if "Wavefront" in step["call path"]
                  and step["call path"].endswith("::run")]
        if len(inside) != supersteps:
            raise ValueError(f"{len(inside)} supersteps of the wavefront, not {supersteps}")
        return sum(float(step["compute_s"]) for step in steps[inside[0]:inside[-1] + 2])

    def row(self):
        """Returns the cells of the table. Losses are in % of the time on two processes."""
        time = {name: statistics.median(seconds) for name, seconds in self.seconds.items()}
        # The part of the table that each process would compute if none waited for its first block.
        bound = self.blocks / (self.blocks + PROCESSES - 1)
        part = 1 / (PROCESSES * bound)
        losses = ((time["blocks"] - time["one"]) * part, time["computing"] - time["blocks"] * part,
                  time["short on two"] - time["short"] * part)
        rest = time["two"] - time["one"] * part - sum(losses)
        return [f"2^{self.power}", str(self.alpha), f"{time['two'] * 1e3:.3f}",
                f"{100 * time['one'] / time['two'] / PROCESSES:.1f}", f"{100 * bound:.1f}",
                *(f"{100 * loss / time['two']:.1f}" for loss in (*losses, rest))]


def rows(build, start, turns, powers):
    """Returns the rows of the table, from so many turns of all cases."""
    with tempfile.TemporaryDirectory() as folder:
        cases = [Losses(build, start, folder, power, alpha) for power in powers for alpha in (5, 8)]
        for _ in range(turns):
            for case in cases:
                case.turn()
        return [case.row() for case in cases]
