# SPDX-License-Identifier: BSD-3-Clause
"""Has what the experiments of bench_nx.py share. An experiment is measured in rounds, each of which
runs all jobs once. Its results are cells: {"group": what is compared, "what": one of the things
that are compared, "us": the figure of each round, "places": the distance of the two processors in
each round, ...}. On some machines this distance changes within seconds, and times with it. So
figures are those of the most frequent distance, and runs are compared at the same one."""
import collections
import json
import statistics
import subprocess
import tomllib
from pathlib import Path

from common import sampling
from common.jobs import output_of

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

    def add(self, group, what, us, place, **more):
        new = {"group": group, "what": what, "us": [], "places": [], **more}
        cell = self.cells.setdefault((group, what), new)
        cell["us"].append(us)
        cell["places"].append(place)
        return cell

    def list(self):
        return list(self.cells.values())


def placed(options, job):
    """Runs a job. Returns what it returns, and the distance of the processors: near, mid, far, or
    mixed if that has changed."""
    before = line_time(options)
    result = job()
    return result, sampling.placement(before, line_time(options))


def line_time(options):
    """Returns the least of several, because a process that still ends may disturb one."""
    return min(float(output_of([options.build / "bench/line_time"])) for _ in range(5))


def most_frequent(places):
    """Returns the most frequent place; mixed only if there is no other."""
    counts = collections.Counter(place for place in places if place != "mixed")
    return counts.most_common(1)[0][0] if counts else "mixed"


def of_place(cell, place):
    """Returns a cell whose medians are of the rounds in this place; of all rounds if too few were
    there."""
    chosen = [i for i, one in enumerate(cell["places"]) if one == place]
    if len(chosen) < sampling.ENOUGH:
        return cell
    return cell | {
        name: [cell[name][i] for i in chosen]
        for name in ("us", "places", "ratios") if name in cell
    }


def of_main_place(cells):
    """Returns the cells with the rounds of the most frequent place, and a sentence about it."""
    places = [place for cell in cells for place in cell["places"]]
    main = most_frequent(places)
    share = places.count(main) / len(places)
    settled = [of_place(cell, main) for cell in cells]
    if all(one is cell for one, cell in zip(settled, cells)):
        return cells, "The medians are of all rounds."
    return settled, (f"The processors were {main} from each other in {share:.0%} of the rounds, of "
                     "which the medians are.")


def median(cell):
    return statistics.median(cell["us"])


def medians(cells):
    """Returns {group: {what: median}}."""
    found = {}
    for cell in cells:
        found.setdefault(cell["group"], {})[cell["what"]] = median(cell)
    return found


def of_common_place(now, before):
    """Returns the two cells with the rounds of the place that is most frequent in both; with all
    rounds if neither place is."""
    counts = [collections.Counter(cell["places"]) for cell in (now, before)]
    common = max(sampling.PLACEMENTS, key=lambda place: min(count[place] for count in counts))
    if min(count[common] for count in counts) < sampling.ENOUGH:
        return now, before
    return of_place(now, common), of_place(before, common)


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
    others = {(cell["group"], cell["what"]): cell for cell in before}
    both = [of_common_place(cell, others[cell["group"], cell["what"]]) for cell in now
            if (cell["group"], cell["what"]) in others]
    now, before = (medians(cells) for cells in zip(*both))
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
