# SPDX-License-Identifier: BSD-3-Clause
"""Makes ratios and then tables from the samples of bench_blacs.py."""
import collections
import statistics

from common import sampling

OPERATIONS = ("broadcast", "sum", "amx", "pair")
LIMIT = 3.0  # the goal: no cell has a greater ratio


def compare(samples):
    """Returns a result for each grid, placement, operation, TOP, shape and size for which both
    sides have samples."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for sample in samples:
        if sample["placement"] in sampling.PLACEMENTS:
            key = (sample["grid"], sample["placement"], sample["op"], sample["top"],
                   sample["shape"], sample["doubles"])
            times[key][sample["library"]].append(sample["us"])
    results = []
    for key, by_library in times.items():
        references = {name: values for name, values in by_library.items() if name != "tutti"}
        if "tutti" in by_library and references:
            results.append(one_result(key, by_library["tutti"], references))
    return sorted(results, key=lambda result: -result["ratio"])


def one_result(key, ours, references):
    best, values = min(references.items(), key=lambda item: statistics.median(item[1]))
    least = min(min(values) for values in references.values())
    grid, placement, op, top, shape, doubles = key
    return {
        "grid": grid, "placement": placement, "op": op, "top": top, "shape": shape,
        "doubles": doubles, "ratio": round(statistics.median(ours) / statistics.median(values),
                                           3), "ratio_of_minima": round(min(ours) / least, 3),
        "us": round(statistics.median(ours), 3), "reference_us": round(
            statistics.median(values),
            3), "reference": best, "samples": len(ours), "reference_samples": len(values)
    }


def size_text(doubles):
    if doubles >= 1 << 20:
        return f"{doubles >> 20}M"
    return f"{doubles >> 10}K" if doubles >= 1024 else str(doubles)


def row_name(result):
    top = "" if result["op"] == "pair" else f" '{result['top']}'"
    return f"{result['op']}{top} {result['shape']}"


def is_seen(result):
    return min(result["samples"], result["reference_samples"]) >= sampling.ENOUGH


def count_over(results):
    over = sum(result["ratio"] > LIMIT for result in results)
    return f"{len(results)} cells, {over} of them with a ratio above {LIMIT:g}"


def worst_cells(results, count=12):
    seen = [result for result in results if is_seen(result)]
    seldom = [result for result in results if not is_seen(result)]
    lines = [
        f"With at least {sampling.ENOUGH} samples of each side: {count_over(seen)}.",
        f"With fewer: {count_over(seldom)}. The worst of both:", "",
        "| grid | place | operation | doubles | ratio (of minima) | ours us | reference us | "
        "samples |",
        "|---|---|---|---|---|---|---|---|"
    ]
    for result in results[:count]:
        lines.append(
            f"| {result['grid']} | {result['placement']} | {row_name(result)} | "
            f"{size_text(result['doubles'])} "
            f"| {result['ratio']:.2f} ({result['ratio_of_minima']:.2f}) | {result['us']:.2f} "
            f"| {result['reference_us']:.2f} {result['reference']} "
            f"| {result['samples']}, {result['reference_samples']} |")
    return lines


def table(results):
    sizes = sorted({result["doubles"] for result in results})
    rows = collections.defaultdict(dict)
    for result in results:
        order = (OPERATIONS.index(result["op"]), result["shape"], result["top"])
        rows[(order, row_name(result))][result["doubles"]] = result
    lines = [
        "| doubles | " + " | ".join(map(size_text, sizes)) + " |", "|---" * (len(sizes) + 1) + "|"
    ]
    for (_, name), cells in sorted(rows.items()):
        texts = [cell_text(cells[size]) if size in cells else "" for size in sizes]
        lines.append(f"| {name} | " + " | ".join(texts) + " |")
    return lines


def cell_text(result):
    """Returns the text of a cell: ratio of medians, ratio of minima, our median time."""
    time = f"{result['us']:.2f}" if result["us"] < 100 else f"{result['us']:.0f}"
    return f"{result['ratio']:.2f} ({result['ratio_of_minima']:.2f}) {time}"


def markdown(results):
    if not results:
        return "No cell has samples of both sides in the same placement."
    lines = worst_cells(results)
    groups = collections.defaultdict(list)
    for result in results:
        groups[(result["grid"], result["placement"])].append(result)
    for (grid, placement), members in sorted(groups.items()):
        middle = statistics.median(result["ratio"] for result in members)
        lines += ["", f"### {grid}, {placement} (median of the ratios {middle:.2f})", "",
                  "Cells: ratio of medians (ratio of minima) our median in us.", ""]
        lines += table(members)
    return "\n".join(lines)
