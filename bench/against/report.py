# SPDX-License-Identifier: BSD-3-Clause
"""Judges the cells of a comparison and prints them, the worse ones first."""
import statistics

from against import may_lose, ratios

SHOWN = 40  # cells of a table


def judged(cells, confirmed, entries):
    """Returns rows (cell, Comparison, reason) of the cells with pairs. A cell that was worse and
    was measured again counts with the second samples alone, unless these are too few. The reason is
    that of the list if the cell is worse."""
    again = {(cell["bench"], cell["cell"]): cell for cell in confirmed}
    rows = []
    for cell in cells:
        found = ratios.compared(cell)
        if found is None:
            continue
        second = again.get((cell["bench"], cell["cell"]))
        if found.verdict == ratios.WORSE and second is not None:
            repeated = ratios.compared(second)
            if repeated is not None and repeated.verdict != ratios.OPEN:
                found = repeated
        worse = found.verdict == ratios.WORSE
        rows.append((cell, found, may_lose.reason(entries, cell, found.ratio) if worse else None))
    return rows


def unlisted(rows):
    """Returns the rows of cells that are worse and may not be."""
    return [row for row in rows if row[1].verdict == ratios.WORSE and row[2] is None]


def only_one(cells):
    """Returns sentences about cells that one build alone has."""
    found = []
    for side, other in (("base", "new"), ("new", "base")):
        names = [f"{cell['bench']} {cell['cell']}" for cell in cells
                 if any(one is not None for one in cell[side])
                 and all(one is None for one in cell[other])]
        if names:
            found.append(f"{len(names)} cells are measured in the {side} build only: "
                         + "; ".join(names[:8]) + ("; ..." if len(names) > 8 else ""))
    return found


def number(value):
    return f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def per_cent(scatter):
    return "?" if scatter is None else f"{100 * scatter:.1f} %"


def line(row):
    cell, found, reason = row
    base, new = (f"{number(median)} ({number(least)})" for median, least in
                 ((found.base, found.base_least), (found.new, found.new_least)))
    return (f"| {cell['bench']} | {cell['cell']} | {base} | {new} | {cell['unit']} "
            f"| {found.ratio:.3f} | {per_cent(found.scatter)} | {found.pairs} | {reason or ''} |")


def table(title, rows):
    """Returns the lines of a table, the greatest ratios first."""
    if not rows:
        return [f"{title}: none", ""]
    rows = sorted(rows, key=lambda row: -row[1].ratio)
    lines = [f"{title}: {len(rows)}", "",
             "| bench | cell | base, median (least) | new | unit | new / base | scatter | pairs "
             "| reason |", "|---|---|---:|---:|---|---:|---:|---:|---|"]
    lines += map(line, rows[:SHOWN])
    return lines + ([f"and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []) + [""]


def counts(name, rows):
    found = [row[1] for row in rows]
    kinds = [sum(one.verdict == kind for one in found)
             for kind in (ratios.WORSE, ratios.BETTER, ratios.OPEN)]
    scatters = [one.scatter for one in found if one.scatter is not None]
    middle = per_cent(statistics.median(scatters)) if scatters else "?"
    return (f"| {name} | {len(rows)} | {statistics.median(one.ratio for one in found):.3f} "
            f"| {middle} | {kinds[0]} | {len(unlisted(rows))} | {kinds[1]} | {kinds[2]} |")


def summary(rows):
    lines = ["| bench | cells | median of new / base | median scatter | worse | not in the list "
             "| better | open |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    benches = dict.fromkeys(cell["bench"] for cell, _, _ in rows)
    lines += [counts(bench, [row for row in rows if row[0]["bench"] == bench])
              for bench in benches]
    return lines + ([counts("all", rows)] if len(benches) > 1 else [])


def text(rows, cells, notes):
    """Returns the whole report. `notes` are sentences about the builds and the machine."""
    listed = [row for row in rows if row[2] is not None]
    lines = [*notes, *only_one(cells), "", *table("Worse", unlisted(rows)),
             *table("Worse, and in the list of cells that may be", listed)]
    open_rows = [row for row in rows if row[1].verdict == ratios.OPEN]
    if open_rows and len(open_rows) < len(rows):
        lines += table("Too few pairs for a verdict", open_rows)
    return "\n".join(lines + (summary(rows) if rows else ["No cell was measured."]))
