# SPDX-License-Identifier: BSD-3-Clause
"""Has the ways of a long message (docs/internals/long-vectors.md) and the bare ways beside them,
and makes a figure and a table of what bench_ways.py has sampled."""
import collections
import dataclasses
import statistics

import cells
import report
from common import sampling

MOST_BYTES = 1 << 40  # no message is so long


@dataclasses.dataclass(frozen=True)
class Way:
    """A way of tutti. `rows` of the tuning table switch the others off."""
    rows: str
    memory: tuple = ()  # words for the driver
    sent: str = None  # the way of cells.WITHOUT_PACKETS that is taken; None: packets

    def is_taken(self, sample):
        """Returns true if most messages of the sample went this way."""
        counts = {way: sample.get(way, 0) for way in cells.WITHOUT_PACKETS}
        if self.sent is None:
            return not any(counts.values())
        return counts[self.sent] > 0.5


# A broadcast between two processes is one message, from the root.
WAYS = {
    "in packets": Way(f"copy_by_kernel=0,one_copy_from={MOST_BYTES}"),
    "together, by the system": Way("one_copy_from=64K", sent="together"),
    "together, by memcpy": Way("copy_by_kernel=0,one_copy_from=64K", ("shared",), "together"),
    "read in place": Way("copy_by_kernel=0,one_copy_from=64K,one_end_from=4K",
                         ("shared-by-root",), "in_place"),
}
# The quickest method of each stands for all.
BARE = {
    "bare: two copies": ("bare-small", "bare-large", "bare-stream"),
    "bare: one by the system": ("bare-direct",),
    "bare: one by memcpy": (cells.BARE_IN_PLACE,),
}


def plain(sample):
    """Returns the sample with numbers in place of lists of one number."""
    return {key: value[0] if isinstance(value, list) else value for key, value in sample.items()}


def medians(samples, place):
    """Returns {library: {bytes: us}} of a placement. Samples that went another way are left out."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for one in samples:
        library = one["library"]
        if one["placement"] == place and (library not in WAYS or WAYS[library].is_taken(one)):
            times[library][one["bytes"]].append(one["us"])
    return {library: {size: statistics.median(some) for size, some in sorted(sizes.items())}
            for library, sizes in times.items()}


def usual_place(samples):
    """Returns the placement with the most samples, or None if all were of changed placements."""
    count = collections.Counter(one["placement"] for one in samples
                                if one["placement"] in sampling.PLACEMENTS)
    return count.most_common(1)[0][0] if count else None


def best_of(found, libraries):
    """Returns {bytes: the least us of these libraries}."""
    least = {}
    for library in libraries:
        for size, us in found.get(library, {}).items():
            least[size] = min(us, least.get(size, us))
    return least


def curves(samples, place):
    """Returns {name: {bytes: us}}, ours first. Ways that were never taken are not among them."""
    found = medians(samples, place)
    some = {name: found.get(name) for name in WAYS} | {name: best_of(found, libraries)
                                                       for name, libraries in BARE.items()}
    return {name: sizes for name, sizes in some.items() if sizes}


def picture(samples, place):
    """Returns what bench_curves draws."""
    return {
        "title": f"A long message between two processes, {place}", "x": "bytes", "y": "us",
        "curves": [{"name": name, "limit": name in BARE, "points": sorted(sizes.items())}
                   for name, sizes in curves(samples, place).items()]
    }


def table(samples, place):
    some = curves(samples, place)
    every = sorted({size for sizes in some.values() for size in sizes})
    rows = [[name, *(report.time_text(sizes[size]) if size in sizes else "" for size in every)]
            for name, sizes in some.items()]
    lines = report.rows_of(["us", *map(report.size_text, every)], rows)
    missing = [name for name in WAYS if name not in some]
    return lines + (["", f"Not taken on this machine: {', '.join(missing)}."] if missing else [])
