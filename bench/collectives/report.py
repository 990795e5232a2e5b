# SPDX-License-Identifier: BSD-3-Clause
"""Makes the report of bench_coll.py: the machines, the goals, and a table of all cells. The figures
of several machines stand side by side."""
import collections
import statistics
import time

import cells
import goals
from cells import BARE, IN_PLACE, KIB, MIB, OPERATIONS, OURS
from common import sampling


def compare(samples):
    """Returns a dictionary for each cell that has samples of ours and of a peer."""
    results = []
    for cell, figures in sorted(cells.cells_of(samples).items(),
                                key=lambda item: cells.place_in_report(item[0])):
        peer = cells.best(figures, cells.is_peer)
        if OURS not in figures or peer is None:
            continue
        ours, in_place = figures[OURS], figures.get(IN_PLACE)
        bare = cells.best(figures, cells.is_bare)
        bare_in_place = cells.best(figures, cells.is_bare_in_place)
        least = min(f.minimum for name, f in figures.items() if cells.is_peer(name))
        found = goals.verdicts(cell, figures)
        results.append({
            **vars(cell), "us": round(ours.median, 3), "min_us": round(ours.minimum, 3),
            "samples": ours.samples, "runs": len(ours.medians), "peer": peer[0],
            "peer_us": round(peer[1], 3), "ratio": round(ours.median / peer[1], 3),
            "ratio_of_minima": round(ours.minimum / least, 3),
            "in_place_us": in_place and round(in_place.median, 3),
            "in_place_ratio": in_place and round(in_place.median / peer[1], 3),
            "sent": ours.sent, "in_place_sent": in_place and in_place.sent,
            "bare_in_place_us": bare_in_place and round(bare_in_place[1], 3),
            "bare_us": bare and round(bare[1], 3), "bare_method": bare and bare[0][len(BARE):],
            "bare_is_goal_of": [one.goal.library for one in found if one.bare],
            "missed": [one.text() for one in found if one.missed]
        })
    return results


def medians(samples):
    """Returns {machine: a dictionary for each goal that is a median}."""
    found = collections.defaultdict(list)
    every = cells.cells_of(samples)
    for machine in sorted({cell.machine for cell in every}):
        some = {cell: figures for cell, figures in every.items() if cell.machine == machine}
        found[machine] = [one for one in (goals.typical(some, goal) for goal in goals.TYPICAL)
                          if one]
    return dict(found)


def origin(records):
    """Returns {machine: {what: text}}: its fingerprint, and when its samples were taken."""
    by_machine = collections.defaultdict(list)
    for sample in records.samples:
        by_machine[cells.machine_of(sample)].append(sample)
    found = {}
    for machine, some in sorted(by_machine.items()):
        places = {sample["placement"] for sample in some}
        loads = [sample["load"] for sample in some]
        found[machine] = {
            **records.machines.get(machine, {}),
            "placements seen": ", ".join(p for p in sampling.PLACEMENTS if p in places) or "none",
            "libraries": ", ".join(sorted({sample["library"] for sample in some})),
            "days": ", ".join(sorted({time.strftime("%Y-%m-%d", time.gmtime(sample["when"]))
                                      for sample in some})),
            "runs": str(len({sample.get("run", 0) for sample in some})),
            "samples": str(len(some)),
            "load average before a run": f"{min(loads):.1f} to {max(loads):.1f}"
        }
    return found


def size_text(size):
    return f"{size // MIB}M" if size >= MIB else f"{size // KIB}K" if size >= KIB else str(size)


def time_text(us):
    if us >= 100:
        return f"{us:.0f}"
    return f"{us:.1f}" if us >= 10 else f"{us:.2f}"


def rows_of(title, rows):
    return ["| " + " | ".join(title) + " |", "|---" * len(title) + "|",
            *("| " + " | ".join(row) + " |" for row in rows)]


def machine_lines(machines):
    """Returns the table of the machines, one column for each."""
    whats = list(dict.fromkeys(what for one in machines.values() for what in one))
    return rows_of(["machine", *machines],
                   [[what, *(one.get(what, "unknown") for one in machines.values())]
                    for what in whats])


def median_text(one):
    if one is None:
        return "not sampled"
    mark = "**" if one["missed"] else ""
    bare = ", which is the bare way" if one["bare_is_goal"] else ""
    return f"{mark}{one['median']:.2f}{mark} of {one['cells']} cells, goal {one['goal']:.2f}{bare}"


def median_lines(of_machines):
    """Returns the table of the goals that are medians, one column for each machine."""
    names = [goal.name() for goal in goals.TYPICAL]
    found = {machine: {one["what"]: one for one in some} for machine, some in of_machines.items()}
    return rows_of(["ours / best peer", *found],
                   [[name, *(median_text(some.get(name)) for some in found.values())]
                    for name in names])


def missed_lines(results):
    over = [result for result in results if result["missed"]]
    lines = [f"{len(results)} cells; {len(over)} miss a goal."]
    if not over:
        return lines
    rows = []
    for r in sorted(over, key=lambda r: -r["ratio"]):
        bare = f"{r['bare_method']} {r['bare_us']:.3g} us" if r["bare_us"] else ""
        rows.append([r["machine"], str(r["ranks"]), r["placement"], r["op"], size_text(r["bytes"]),
                     "; ".join(r["missed"]), f"{r['peer']} {r['peer_us']:.3g} us", bare,
                     str(r["samples"])])
    title = ["machine", "p", "place", "operation", "bytes", "what", "best peer", "bare way",
             "samples"]
    return [*lines, "", *rows_of(title, rows)]


def way_text(sent):
    """Says how long messages went. A number is that of a call's messages that went so."""
    if sent is None:
        return ""
    some = [f"{cells.WITHOUT_PACKETS[way]} {count:.1f}" for way, count in sent.items()
            if count >= 0.05]
    return ", ".join(some) or "packets"


COLUMNS = ("best peer", "bare way", "bare in place", "in place", "its way", "ours", "our way",
           "ours / peer")


def cell_texts(result):
    """Returns the texts of COLUMNS."""
    if result is None:
        return [""] * len(COLUMNS)
    bare = f"{result['bare_method']} {time_text(result['bare_us'])}" if result["bare_us"] else ""
    bare_in_place, in_place = (time_text(result[of]) if result[of] else ""
                               for of in ("bare_in_place_us", "in_place_us"))
    mark = "**" if result["missed"] else ""
    return [f"{result['peer']} {time_text(result['peer_us'])}",
            bare + (" = goal" if OURS in result["bare_is_goal_of"] else ""),
            bare_in_place + (" = goal" if IN_PLACE in result["bare_is_goal_of"] else ""),
            in_place, way_text(result["in_place_sent"]),
            time_text(result["us"]), way_text(result["sent"]),
            f"{mark}{result['ratio']:.2f}{mark} ({result['ratio_of_minima']:.2f})"]


def cell_lines(groups):
    """Returns a table. `groups` is {title: results}, which stand side by side."""
    found = {title: {(r["op"], r["bytes"]): r for r in some} for title, some in groups.items()}
    keys = sorted({key for some in found.values() for key in some},
                  key=lambda key: (OPERATIONS.index(key[0]), key[1]))
    title = ["operation", "bytes", *(f"{before}{column}" for before in found for column in COLUMNS)]
    rows = [[op, size_text(size),
             *(text for some in found.values() for text in cell_texts(some.get((op, size))))]
            for op, size in keys]
    return rows_of(title, rows)


def parts_of(results):
    """Yields (heading, {title of columns: results}). A single machine has a table for each
    placement. Several machines are rarely seen in the same placement, so a table has them all."""
    groups = collections.defaultdict(list)
    for result in results:
        groups[result["ranks"], result["machine"], result["placement"]].append(result)
    machines = {machine for _, machine, _ in groups}
    if len(machines) < 2:
        for (ranks, _, place), some in sorted(groups.items()):
            yield f"p = {ranks}, {place}", {"": some}
        return
    for ranks in sorted({ranks for ranks, _, _ in groups}):
        yield f"p = {ranks}", {f"{machine} {place}: ": some
                               for (of, machine, place), some in sorted(groups.items())
                               if of == ranks}


def unseen_lines(results):
    lines = []
    for machine in sorted({r["machine"] for r in results}):
        for ranks in sorted({r["ranks"] for r in results if r["machine"] == machine}):
            places = {r["placement"] for r in results
                      if (r["machine"], r["ranks"]) == (machine, ranks)}
            unseen = [place for place in sampling.PLACEMENTS if place not in places]
            if unseen and "oversubscribed" not in places:
                lines += ["", f"{machine}, p = {ranks}: not sampled: {', '.join(unseen)}."]
    return lines


def refused_lines(refused):
    by_library = collections.defaultdict(list)
    for (library, op), _ in sorted(refused.items()):
        by_library[library].append(op)
    return ["", *(f"{library} has no {', '.join(ops)}." for library, ops in by_library.items())
            ] if by_library else []


def markdown(records):
    results = compare(records.samples)
    lines = [*machine_lines(origin(records)), "", *median_lines(medians(records.samples)),
             *refused_lines(records.refused), "", *missed_lines(results)]
    for heading, groups in parts_of(results):
        ratios = [f"{title}{statistics.median(r['ratio'] for r in some):.2f}"
                  for title, some in groups.items()]
        lines += ["", f"### {heading}", "", f"Median of the ratios: {', '.join(ratios)}.", "",
                  *cell_lines(groups)]
    return "\n".join([*lines, *unseen_lines(results)])


def as_json(records):
    return {
        "machines": origin(records), "medians": medians(records.samples),
        "refused": [{"library": library, "op": op, "why": why}
                    for (library, op), why in sorted(records.refused.items())],
        "results": compare(records.samples)
    }
