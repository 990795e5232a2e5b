# SPDX-License-Identifier: BSD-3-Clause
"""Makes tables from the samples of bench_coll.py. All samples of the same ranks, placement,
operation and size are a cell; each cell is compared with the peers and with the goals for two
cores."""
import collections
import dataclasses
import statistics

from common import sampling

OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather",
              "reduce_scatter", "alltoall", "scan", "exscan")
CARRIERS = ("bcast", "reduce", "allreduce", "allgather", "alltoall", "reduce_scatter")
DISTRIBUTION = ("openmpi", "mpich")  # Debian's MPIs: the goal is half of their time
KIB, MIB = 1 << 10, 1 << 20
# The goals for operations of 8 bytes. The goal of "mid" lies between the others, as its line time
# does.
SHORT_US = {"near": 0.12, "mid": 0.23, "far": 0.30}

BARE = "bare-"  # the prefix of bare.c's methods, which use no library between two processes
# bare.c only moves data and does not combine. The bare time of an operation that combines is this
# number of bare broadcasts, that is, of messages on the critical path of two processes.
MESSAGES = {"reduce": 1, "allreduce": 1.5, "reduce_scatter": 2, "scan": 1, "exscan": 1}


@dataclasses.dataclass(frozen=True)
class Cell:
    ranks: int
    placement: str
    op: str
    bytes: int


@dataclasses.dataclass
class Figures:
    median: float
    minimum: float
    samples: int


def placement_of(sample):
    """Returns the placement of a sample. With more processes than processors, placements are not
    distinguished, because the processes run on all processors."""
    return "oversubscribed" if sample["ranks"] > sample["processors"] else sample["placement"]


def cells_of(samples):
    """Returns {Cell: {library: Figures}}. Samples whose processes changed their placement during
    the run are left out."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for sample in samples:
        place = placement_of(sample)
        if place in sampling.PLACEMENTS or place == "oversubscribed":
            times[Cell(sample["ranks"], place, sample["op"],
                       sample["bytes"])][sample["library"]].append(sample["us"])
    return {
        cell: {
            name: Figures(statistics.median(values), min(values), len(values))
            for name, values in libraries.items()
        }
        for cell, libraries in times.items()
    }


def is_peer(library):
    return library != "tutti" and not library.startswith(BARE)


def best_peer(figures, names=None):
    peers = {
        name: f
        for name, f in figures.items()
        if is_peer(name) and (names is None or name in names)
    }
    return min(peers.items(), key=lambda item: item[1].median) if peers else None


def limits_of(cell):
    """Returns the goals for a cell: ("us", most microseconds) or ("peer", greatest ratio to the
    median of the best peer, names of these peers or None for all)."""
    if cell.op == "barrier" and cell.ranks > 2:
        return [("us", {4: 2.5, 8: 8.0}[cell.ranks])] if cell.ranks in (4, 8) else []
    if cell.ranks == 2 and cell.bytes <= 8 and cell.placement in SHORT_US:
        return [("us", SHORT_US[cell.placement])]
    if cell.ranks > 2 or cell.op not in CARRIERS:
        return [("peer", 1.2, None)]
    low, high = (4 * KIB, 2 * MIB) if cell.placement == "far" else (32 * KIB, 256 * KIB)
    limits = []
    if low <= cell.bytes <= high:
        limits.append(("peer", 0.5, DISTRIBUTION))
        if cell.placement != "far":
            limits.append(("peer", 1.2, ("impi",)))
    if cell.bytes >= 2 * MIB:
        third = cell.placement == "far" and cell.bytes == 2 * MIB and cell.op in ("bcast",
                                                                                  "allreduce")
        limits.append(("peer", 1 / 3 if third else 1.0, None))
    return limits or [("peer", 1.2, None)]


def missed(cell, figures):
    """Returns a text for each goal that the cell misses. Goals that need a peer without samples are
    left out."""
    ours = figures["tutti"]
    found = []
    for limit in limits_of(cell):
        if limit[0] == "us":
            if ours.median > limit[1]:
                found.append(f"{ours.median:.3g} us, goal {limit[1]:g}")
            continue
        peer = best_peer(figures, limit[2])
        if peer is not None and ours.median > limit[1] * peer[1].median:
            found.append(f"{ours.median / peer[1].median:.2f} times {peer[0]}, goal {limit[1]:.2f}")
    return found


def compare(samples):
    results = []
    cells = cells_of(samples)
    bare = bare_times(cells)
    for cell, figures in cells.items():
        peer = best_peer(figures)
        if "tutti" not in figures or peer is None:
            continue
        ours = figures["tutti"]
        least = min(f.minimum for name, f in figures.items() if is_peer(name))
        bare_us, bare_method = bare.get(cell, (None, None))
        results.append({
            **dataclasses.asdict(cell), "us": round(ours.median, 3), "min_us": round(
                ours.minimum, 3), "samples": ours.samples, "peer": peer[0], "peer_us": round(
                    peer[1].median, 3), "ratio": round(ours.median / peer[1].median, 3),
            "ratio_of_minima": round(ours.minimum / least, 3), "missed": missed(cell, figures),
            "bare_us": bare_us, "bare_method": bare_method
        })
    return sorted(results,
                  key=lambda r: (r["ranks"], r["placement"], OPERATIONS.index(r["op"]), r["bytes"]))


def bare_times(cells):
    """Returns {cell: (us, method)}: the fastest method of bare.c for the cell's operation. An
    operation that combines has the time of its messages (MESSAGES)."""
    best = {}
    for cell, figures in cells.items():
        ways = [(f.median, name[len(BARE):])
                for name, f in figures.items()
                if name.startswith(BARE)]
        if ways:
            best[cell] = min(ways)
    for cell in cells:
        message = best.get(dataclasses.replace(cell, op="bcast"))
        if cell.op in MESSAGES and message:
            best[cell] = (MESSAGES[cell.op] * message[0], message[1])
    return {cell: (round(us, 3), method) for cell, (us, method) in best.items()}


def bare_table(results):
    """Returns the table of our times over the bare times, for two processes in one placement."""
    results = [result for result in results if result["bare_us"] and result["op"] != "barrier"]
    if not results:
        return []
    return [
        "",
        "Ours over the bare way (`bench/collectives/bare.c`), in brackets its us and its method; "
        "of operations that combine, over "
        + "bare broadcasts: " + ", ".join(f"{op} {times:g}" for op, times in MESSAGES.items()) +
        ".", "", *table(results, bare_cell_text)
    ]


def bare_cell_text(result):
    if result is None:
        return ""
    return (f"{result['us'] / result['bare_us']:.2f} ({result['bare_us']:.3g} "
            f"{result['bare_method']})")


def size_text(size):
    return f"{size // MIB}M" if size >= MIB else f"{size // KIB}K" if size >= KIB else str(size)


def table(results, text):
    sizes = sorted({result["bytes"] for result in results})
    rows = collections.defaultdict(dict)
    for result in results:
        rows[result["op"]][result["bytes"]] = result
    lines = [
        "| bytes | " + " | ".join(map(size_text, sizes)) + " |", "|---" * (len(sizes) + 1) + "|"
    ]
    for op in OPERATIONS:
        if op in rows:
            lines.append(f"| {op} | " + " | ".join(text(rows[op].get(size))
                                                   for size in sizes) + " |")
    return lines


def cell_text(result):
    if result is None:
        return ""
    time = f"{result['us']:.2f}" if result["us"] < 100 else f"{result['us']:.0f}"
    mark = "**" if result["missed"] else ""
    return f"{mark}{result['ratio']:.2f}{mark} ({result['ratio_of_minima']:.2f}) {time}"


def missed_lines(results):
    over = [result for result in results if result["missed"]]
    lines = [
        f"{len(results)} cells; {len(over)} miss a goal:", "",
        "| p | place | operation | bytes | what | best peer | bare way | samples |",
        "|---" * 8 + "|"
    ]
    for r in sorted(over, key=lambda r: -r["ratio"]):
        bare = f"{r['bare_method']} {r['bare_us']:.3g} us" if r["bare_us"] else ""
        lines.append(
            f"| {r['ranks']} | {r['placement']} | {r['op']} | {size_text(r['bytes'])} | "
            f"{'; '.join(r['missed'])} "
            f"| {r['peer']} {r['peer_us']:.3g} us | {bare} | {r['samples']} |")
    return lines


def markdown(results):
    lines = missed_lines(results)
    groups = collections.defaultdict(list)
    for result in results:
        groups[result["ranks"], result["placement"]].append(result)
    for (ranks, place), some in sorted(groups.items()):
        median = statistics.median(result["ratio"] for result in some)
        lines += [
            "", f"### p = {ranks}, {place} (median of the ratios {median:.2f})", "",
            "Cells: our median over the best peer's (the same of minima), our median in us; bold: "
            "misses a goal.",
            ""
        ]
        lines += table(some, cell_text)
        if ranks == 2:
            lines += bare_table(some)
    for ranks in sorted({result["ranks"] for result in results}):
        places = {result["placement"] for result in results if result["ranks"] == ranks}
        unseen = [
            place for place in sampling.PLACEMENTS
            if place not in places and "oversubscribed" not in places
        ]
        if unseen:
            lines += ["", f"p = {ranks}: not sampled: {', '.join(unseen)}."]
    return "\n".join(lines)
