# SPDX-License-Identifier: BSD-3-Clause
"""Has what the experiments of bench_nx.py share. An experiment is measured in rounds, each of which
runs all jobs once. Its results are cells: {"group": what is compared, "what": one of the things
that are compared, "us": the figure of each round, ...}."""
import json
import statistics
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ALIKE = 0.15  # two medians that differ by less are alike


def printed(paper):
    """Returns {"table 1": values, ...} that a paper prints, from the data of `tutti reproduce`."""
    text = (ROOT / "papers/data" / f"{paper}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return {
        f"{kind} {item['number']}": item.get("values", {})
        for kind in ("table", "figure", "statement")
        for item in data.get(kind, [])
    }


class Cells:
    """Collects the figures of all rounds."""

    def __init__(self):
        self.cells = {}

    def add(self, group, what, us, **more):
        new = {"group": group, "what": what, "us": [], **more}
        cell = self.cells.setdefault((group, what), new)
        cell["us"].append(us)
        return cell

    def list(self):
        return list(self.cells.values())


def median(cell):
    return statistics.median(cell["us"])


def medians(cells):
    """Returns {group: {what: median}}."""
    found = {}
    for cell in cells:
        found.setdefault(cell["group"], {})[cell["what"]] = median(cell)
    return found


def short(us):
    return f"{us:.2f}" if us < 100 else f"{us:.0f}"


def table(head, rows):
    """Returns the lines of a table in Markdown, whose first column is text."""
    return ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)] + [
        "| " + " | ".join(map(str, row)) + " |" for row in rows
    ]


def drawn(build, picture):
    """Returns an SVG picture of curves on logarithmic axes."""
    done = subprocess.run([build / "bench/bench_curves"], input=json.dumps(picture), text=True,
                          capture_output=True, check=True)
    return done.stdout


def curve(name, points, computed=False):
    """A curve without the points that cannot stand on logarithmic axes."""
    return {"name": name, "points": [p for p in points if p[0] > 0 and p[1] > 0],
            "computed": computed}


def same_order(now, before):
    """Returns pairs whose order differs although both runs tell them apart by more than ALIKE, and
    the number of pairs that both tell apart."""
    names, different, compared = sorted(set(now) & set(before)), [], 0
    for i, first in enumerate(names):
        for second in names[i + 1:]:
            ratios = [run[first] / run[second] for run in (now, before)]
            if all(max(ratio, 1 / ratio) > 1 + ALIKE for ratio in ratios):
                compared += 1
                if (ratios[0] > 1) != (ratios[1] > 1):
                    different.append((first, second))
    return different, compared


def comparison(now, before):
    """Returns lines that say how the medians of this run and of another one agree."""
    now, before = medians(now), medians(before)
    ratios = {(group, what): now[group][what] / us
              for group, found in before.items() for what, us in found.items()
              if what in now.get(group, {})}
    within = sum(1 / (1 + ALIKE) <= ratio <= 1 + ALIKE for ratio in ratios.values())
    different, compared = [], 0
    for group in before:
        pairs, count = same_order(now.get(group, {}), before[group])
        different += [f"{group}: {first} and {second}" for first, second in pairs]
        compared += count
    lines = [
        f"{within} of {len(ratios)} medians are within {ALIKE:.0%} of those of the other run; the "
        f"median of the ratios is {statistics.median(ratios.values()):.2f}. Of {compared} pairs "
        f"that both runs tell apart by more than {ALIKE:.0%}, {compared - len(different)} have the "
        "same order."
    ]
    worst = sorted(ratios.items(), key=lambda item: -max(item[1], 1 / item[1]))[:10]
    lines += [f"- {group}, {what}: {ratio:.2f} times the other run"
              for (group, what), ratio in worst if not 1 / (1 + ALIKE) <= ratio <= 1 + ALIKE]
    return lines + [f"- another order at {text}" for text in different]
