# SPDX-License-Identifier: BSD-3-Clause
"""Sorts the samples of bench_coll.py. All samples of the same machine, ranks, placement, operation
and size are a cell. Its libraries are ours, ours with shared buffers, the peers, and the bare
ways."""
import collections
import dataclasses
import json
import statistics

from common import sampling

OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather",
              "reduce_scatter", "alltoall", "scan", "exscan")
KIB, MIB = 1 << 10, 1 << 20
OURS = "tutti"
IN_PLACE = "tutti-in-place"  # its buffers lie in the job's memory, so others can read them in place
BARE = "bare-"  # the prefix of bare.c's methods, which use no library between two processes
BARE_IN_PLACE = "bare-in-place"  # the one that needs shared buffers
# bare.c only moves data and does not combine. The bare time of an operation that combines is this
# number of bare broadcasts, that is, of messages on the critical path of two processes.
MESSAGES = {"reduce": 1, "allreduce": 1.5, "reduce_scatter": 2, "scan": 1, "exscan": 1}
# Ways of long messages that need no packets, by the names that samples give them. A sample has the
# number of messages of a call that went so, of all processes together.
WITHOUT_PACKETS = {"in_place": "in place", "together": "together"}
UNKNOWN = "unknown"  # the machine of samples that do not tell theirs


@dataclasses.dataclass(frozen=True)
class Cell:
    machine: str  # key of its fingerprint
    ranks: int
    placement: str
    op: str
    bytes: int


@dataclasses.dataclass
class Figures:
    median: float
    minimum: float
    samples: int
    medians: dict  # by run
    sent: dict  # {way without packets: messages of a call}; None: the library does not tell


@dataclasses.dataclass
class Records:
    """Holds what a file of samples says."""
    samples: list
    machines: dict  # {key: fingerprint}
    refused: dict  # {(library, operation): why}


def read(lines):
    """Reads the lines of a file of samples."""
    records = Records([], {}, {})
    for line in lines:
        one = json.loads(line)
        if "us" in one:
            records.samples.append(one)
        elif "fingerprint" in one:
            records.machines[one["machine"]] = one["fingerprint"]
        elif "refused" in one:
            records.refused[one["library"], one["op"]] = one["refused"]
    return records


def machine_of(sample):
    return sample.get("machine", UNKNOWN)


def placement_of(sample):
    """Returns the placement of a sample. With more processes than processors, placements are not
    distinguished, because the processes run on all processors."""
    return "oversubscribed" if sample["ranks"] > sample["processors"] else sample["placement"]


@dataclasses.dataclass(frozen=True)
class Time:
    run: int
    us: float
    sent: dict = None  # as in Figures

    def of_messages(self, count):
        return Time(self.run, count * self.us)


def time_of(sample):
    sent = {way: sample[way] for way in WITHOUT_PACKETS if way in sample}
    return Time(sample.get("run", 0), sample["us"], sent or None)


def mean_sent(times):
    told = [one.sent for one in times if one.sent]
    if not told:
        return None
    return {way: round(statistics.fmean(sent[way] for sent in told), 3) for way in WITHOUT_PACKETS}


def figures_of(times):
    runs = collections.defaultdict(list)
    for one in times:
        runs[one.run].append(one.us)
    every = [one.us for one in times]
    return Figures(statistics.median(every), min(every), len(every),
                   {run: statistics.median(some) for run, some in runs.items()}, mean_sent(times))


def cells_of(samples):
    """Returns {Cell: {library: Figures}}. Samples whose processes changed their placement during
    the run are left out. Those of combining operations get bare ways out of bare broadcasts."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for sample in samples:
        place = placement_of(sample)
        if place in sampling.PLACEMENTS or place == "oversubscribed":
            cell = Cell(machine_of(sample), sample["ranks"], place, sample["op"], sample["bytes"])
            times[cell][sample["library"]].append(time_of(sample))
    for cell, libraries in times.items():
        message = times.get(dataclasses.replace(cell, op="bcast"), {})
        if cell.op in MESSAGES:
            libraries.update({
                name: [one.of_messages(MESSAGES[cell.op]) for one in some]
                for name, some in message.items()
                if name.startswith(BARE)
            })
    return {
        cell: {name: figures_of(some)
               for name, some in libraries.items()}
        for cell, libraries in times.items()
    }


def is_peer(library):
    return library not in (OURS, IN_PLACE) and not library.startswith(BARE)


def shares_buffers(library):
    return library in (IN_PLACE, BARE_IN_PLACE)


def is_bare(library):
    """Returns true for bare ways with buffers like those of a usual program."""
    return library.startswith(BARE) and library != BARE_IN_PLACE


def is_bare_in_place(library):
    return library == BARE_IN_PLACE


def best(figures, wanted):
    """Returns (name, us) of the fastest library of those wanted, or None."""
    some = [(f.median, name) for name, f in figures.items() if wanted(name)]
    return min(some)[::-1] if some else None


def best_of_run(figures, wanted, run):
    """Returns the least median of a run, or None."""
    some = [f.medians[run] for name, f in figures.items() if wanted(name) and run in f.medians]
    return min(some, default=None)


def place_in_report(cell):
    return cell.ranks, cell.placement, OPERATIONS.index(cell.op), cell.bytes
