# SPDX-License-Identifier: BSD-3-Clause
"""The experiments of paper 004 as programs of NX: the six implementations of the complete exchange
(sections 5 and 6), and messages by distance and at once (section 2)."""
import json
import math
import re
import statistics

import experiment
from common.jobs import output_of

PAPER = "004"
PAGE = "exchange-bench.md"
TITLE = "The complete exchange as programs of NX"
ROUNDS = 15
NODES = (2, 4, 8, 16)
BLOCKS = [1 << k for k in range(13)]
SIX = ("linear", "stable", "pairwise_F", "standard_F", "pairwise_U", "standard_U")
WITHOUT = "pairwise_G"  # pairwise_F without the synchronisation of pairs
LARGE = 4096
LINE = re.compile(r"(\S+) +(\d+) bytes: longest (\S+) mean (\S+) shortest (\S+) median (\S+) us")
RUNS = 1000  # in all rounds together, as the paper
PAIR, MESSAGE_NODES = 2, 16


# ---- messages ----


def measured_messages(options, cells):
    program = options.build / "bin/tutti-nx-messages"
    repeats = 10 if options.quick else 15
    for nodes in (PAIR, MESSAGE_NODES):
        command = [program, "-sz", nodes, repeats, 400, 20, 1000, 250]
        text, place = experiment.placed(options, lambda: output_of(command, timeout=600))
        for line in text.splitlines():
            words = line.split()
            if words[0] == "message":
                _, kind, links, size, middle, least = words
                group = f"message over {links} link{'s' if links != '1' else ''}, {size} B"
            elif words[:2] == ["at", "once"] and nodes == MESSAGE_NODES:
                _, _, count, size, middle, least = words
                kind, links, group = f"{count} at once", 0, f"{count} at once, {size} B"
            else:
                continue
            cell = cells.add(f"p = {nodes}, {group}", kind, float(middle), place, kind=kind,
                             of=nodes, links=int(links), bytes=int(size), least=[])
            cell["least"].append(float(least))


def solved(rows, right):
    """Solves a small system of equations by elimination."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(rows, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(n):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def fitted(cells, kind, nodes):
    """Returns a, b and c of the least squares t = a + b bytes + c links. Two nodes have one link,
    and so no c."""
    terms = 2 if nodes == PAIR else 3
    points = [((1, cell["bytes"], cell["links"]), experiment.median(cell)) for cell in cells
              if cell.get("kind") == kind and cell["of"] == nodes]
    sums = [[sum(x[i] * x[k] for x, _ in points) for k in range(terms)] for i in range(terms)]
    return solved(sums, [sum(x[i] * t for x, t in points) for i in range(terms)])


def line_text(line):
    text = f"{line[0]:.3g} + {line[1]:.3g} m"
    return text + "".join(f" {'+' if hop >= 0 else '-'} {abs(hop):.2g} d" for hop in line[2:])


def message_tables(cells):
    law = experiment.printed(PAPER)["figure 2"]
    lines = ["## Messages (section 2)", "",
             "Fitted lines in us: m bytes over d links. Node 0 sends to node 2^d - 1 of "
             f"{MESSAGE_NODES}, or of two.", ""]
    rows = []
    for kind in ("forced", "unforced"):
        paper = [law[kind][key] for key in ("alpha", "beta", "hop")]
        rows.append((kind, line_text(paper) + (" for m > 100" if kind == "unforced" else ""),
                     line_text(fitted(cells, kind, MESSAGE_NODES)),
                     line_text(fitted(cells, kind, PAIR))))
    lines += experiment.table(("type", "iPSC/860, printed in the paper",
                               f"here, {MESSAGE_NODES} nodes", f"here, {PAIR} nodes"), rows)
    lines += ["", f"Median us here, by links, {MESSAGE_NODES} nodes:", ""]
    one = [cell for cell in cells if cell.get("links") and cell["of"] == MESSAGE_NODES]
    links = sorted({cell["links"] for cell in one})
    rows = []
    for size in (0, 100, 120, 200, 400):
        for kind in ("forced", "unforced"):
            found = {cell["links"]: experiment.median(cell) for cell in one
                     if cell["bytes"] == size and cell["kind"] == kind}
            rows.append((f"{kind}, {size} B", *(f"{found[d]:.2f}" for d in links)))
    lines += experiment.table(("message", *(f"d = {d}" for d in links)), rows)
    return lines + at_once_table(cells)


def at_once_table(cells):
    found = {(int(cell["what"].split()[0]), cell["bytes"]): experiment.median(cell)
             for cell in cells if cell["what"].endswith("at once")}
    sizes = sorted({size for _, size in found})
    lines = ["", f"Messages at once between pairs of the {MESSAGE_NODES} nodes, us from the first "
             "start to the last end, and over one message:", ""]

    def cell(count, size):
        return f"{found[count, size]:.2f} ({found[count, size] / found[1, size]:.1f})"

    rows = [(f"{count} at once", *(cell(count, size) for size in sizes)) for count in range(1, 9)]
    lines += experiment.table(("messages", *(f"{size} B" for size in sizes)), rows)
    ratio = experiment.printed(PAPER)["figure 4"]["ratio"]
    return lines + ["", "The paper prints that eight messages of 1000 bytes take more than "
                    f"{ratio:.0f} times as long as one, because a link carries one at a time. Here "
                    f"they take {found[8, 1000] / found[1, 1000]:.1f} times as long: there is no "
                    "such link, but the sixteen nodes share the processors."]


# ---- exchanges ----


def measured_exchanges(options, rounds, cells):
    runs = math.ceil(RUNS / rounds)
    if options.quick:
        runs = max(runs // 20, 5)
    line = fitted(cells.list(), "forced", PAIR)
    program = options.build / "bin/tutti-nx-exchange"
    blocks = BLOCKS[::3] if options.quick else BLOCKS
    for nodes in NODES:
        command = [program, "-sz", nodes, runs, f"{line[0]:.4f}", f"{max(line[1], 0):.6f}", *blocks]
        text, place = experiment.placed(options, lambda: output_of(command, timeout=600))
        if f"{nodes} nodes, {runs} runs each: 0 wrong bytes" not in text:
            raise SystemExit(f"bench_nx: an exchange on {nodes} nodes is wrong:\n{text}")
        for name, size, longest, mean, shortest, middle in LINE.findall(text):
            cell = cells.add(f"p = {nodes}, {size} B", name, float(middle), place, nodes=nodes,
                             bytes=int(size), runs=[], longest=[], mean=[], shortest=[])
            cell["runs"].append(runs)
            for key, value in (("longest", longest), ("mean", mean), ("shortest", shortest)):
                cell[key].append(float(value))


def simulated(options):
    """Returns {(nodes, bytes, name): us} of the simulated iPSC/860."""
    text = output_of([options.build / "bin/tutti", "reproduce", "004-figure-11", "--json"])
    found = {}
    for row in json.loads(text)["exhibits"][0]["rows"]:
        match = re.fullmatch(r"d = (\d+), (\d+) B: (\w+)", row["label"])
        if match:
            found[1 << int(match[1]), int(match[2]), match[3]] = row["ours"]
    return found


class Exchanges:
    """Looks up what was measured: the longest, mean and shortest of all runs, and the median."""

    def __init__(self, cells):
        self.cells = {(cell["nodes"], cell["bytes"], cell["what"]): cell for cell in cells
                      if "nodes" in cell}
        self.blocks = sorted({size for _, size, _ in self.cells})

    def longest(self, *key):
        return max(self.cells[key]["longest"])

    def shortest(self, *key):
        return min(self.cells[key]["shortest"])

    def mean(self, *key):
        return statistics.mean(self.cells[key]["mean"])

    def median(self, *key):
        return experiment.median(self.cells[key])

    def best(self, nodes, size, measure):
        names = [name for name in SIX if (nodes, size, name) in self.cells]
        return min(names, key=lambda name: measure(nodes, size, name))

    def hull(self, nodes, measure):
        """Returns which of the six is the best from which size of blocks on."""
        parts, last = [], None
        for size in self.blocks:
            best = self.best(nodes, size, measure)
            if best != last:
                parts.append(f"{best} from {size}")
            last = best
        return ", ".join(parts)


def exchange_table(found, nodes, machine):
    rows = []
    for size in found.blocks:
        row = [size]
        for name in (*SIX, WITHOUT):
            key = (nodes, size, name)
            if key not in found.cells:
                row.append("")
                continue
            row.append(f"{experiment.short(found.longest(*key))} / "
                       f"{experiment.short(found.mean(*key))} / "
                       f"{experiment.short(found.shortest(*key))}"
                       + (f" [{machine[key]:.0f}]" if key in machine else ""))
        rows.append(row)
    return experiment.table(("bytes", *SIX, WITHOUT), rows)


def compared(found, above, below, nodes, sizes):
    """Returns how often `above` takes the time of `below`: its longest and its median runs, as the
    median over some sizes."""
    return [
        statistics.median(measure(nodes, size, above) / measure(nodes, size, below)
                          for size in sizes)
        for measure in (found.longest, found.median)
    ]


def statements(found):
    """Yields what the paper says of its machine, the number of nodes, and what holds here, by the
    longest and by the median runs."""
    small = [size for size in found.blocks if size <= 64]
    for said, above, below, sizes, least in (
        ("6.2: standard_F over standard_U, more than 1 for small blocks", "standard_F",
         "standard_U", small, 1),
        (f"6.3: linear over stable, {LARGE} B, more than 1 (on 32 to 128 nodes)", "linear",
         "stable", [LARGE], 1),
        ("6.4: pairwise_F over pairwise_U below 100 bytes, about 2", "pairwise_F", "pairwise_U",
         small, 1.5),
    ):
        for nodes in NODES:
            yield (said, nodes, *(f"{'yes' if ratio > least else '**no**'}: {ratio:.2f}"
                                  for ratio in compared(found, above, below, nodes, sizes)))
    for nodes in NODES[1:]:
        longest, middle = compared(found, WITHOUT, "pairwise_F", nodes, [LARGE])
        yield (f"6.4: without synchronisation of pairs, {LARGE} B, the longest runs are longer",
               nodes, f"{'yes' if longest > 1 else '**no**'}: {longest:.2f}", f"{middle:.2f}")
    wanted = ([(2, 8, "pairwise_U"), (2, LARGE, "linear")]
              + [(nodes, LARGE, "pairwise_F") for nodes in NODES[1:]]
              + [(nodes, 1, "standard_U") for nodes in NODES[2:]])
    for nodes, size, name in wanted:
        best = [found.best(nodes, size, measure) for measure in (found.longest, found.median)]
        yield (f"6.5: {name} is the best, {size} B", nodes,
               *("yes" if one == name else f"**no**: {one}" for one in best))


def measure(options, rounds):
    cells = experiment.Cells()
    for _ in range(rounds):
        measured_messages(options, cells)
        measured_exchanges(options, rounds, cells)
    return cells.list()


def text(options, cells):
    found, machine = Exchanges(cells), simulated(options)
    runs = [sum(cell["runs"]) for cell in found.cells.values()]
    lines = message_tables(cells)
    for nodes in NODES:
        lines += ["", f"## The six implementations, p = {nodes}", "",
                  f"Longest / mean / shortest of {min(runs)} runs here, us; in brackets the "
                  "iPSC/860, simulated, us.", "",
                  *exchange_table(found, nodes, machine)]
    lines += ["", "## The best implementation (section 6.6)", ""]
    lines += experiment.table(
        ("nodes", "by the longest run, as the paper", "by the median run"),
        [(f"p = {nodes}", found.hull(nodes, found.longest), found.hull(nodes, found.median))
         for nodes in NODES])
    lines += ["", "## What the paper says, and what holds here", ""]
    lines += experiment.table(
        ("the paper, section", "p", "by the longest run", "by the median run"), statements(found))
    return lines


def pictures(options, cells):
    """Returns {name: picture}: the longest runs over the size of blocks, and messages."""
    found = Exchanges(cells)
    result = {}
    for nodes in NODES:
        result[f"exchange-{nodes}"] = {
            "title": f"Complete exchange, {nodes} nodes: longest runs here, as figures 10, 11",
            "x": "bytes of a block", "y": "us",
            "curves": [experiment.curve(name, [(size, found.longest(nodes, size, name))
                                               for size in found.blocks
                                               if (nodes, size, name) in found.cells])
                       for name in SIX]
        }
    one = [cell for cell in cells if cell.get("links") and cell["of"] == MESSAGE_NODES]
    curves = []
    for kind in ("forced", "unforced"):
        for links in sorted({cell["links"] for cell in one}):
            curves.append(experiment.curve(
                f"{kind}, d = {links}", [(cell["bytes"], experiment.median(cell)) for cell in one
                                         if cell["links"] == links and cell["kind"] == kind]))
    result["messages"] = {"title": "Messages of NX here (as figure 2)", "x": "bytes", "y": "us",
                          "curves": curves}
    return result
