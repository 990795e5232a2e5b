#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fits the rates of the price in shared memory to cells that bench_regret.py has saved, and judges
them on other cells.

It fits ratios, not times: two jobs of one cell differ more than two plans do in one job. A cell
adds for each plan how far the ratio of its price to that of the best plan is from the measured
ratio, with less weight for slow plans. The rates of the profile `host` are the start, and a weak
term keeps rates near them that no cell determines.

  bench/regret_fit.py saved.json --fit-ranks 2,4,8,16
  bench/regret_fit.py saved.json --fit-bytes 8,4096,1048576
  bench/regret_fit.py saved.json --without wait"""
import argparse
import json
import math
import sys
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
TERMS = ("written", "read", "combined", "copied", "message", "line", "wait", "round")
PRIOR = 0.01  # weight of the distance from the rates of `host`


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("saved", type=Path, help="file that bench_regret.py --save has written")
    parser.add_argument("--fit-ranks", default="", help="fit to cells with these numbers of ranks")
    parser.add_argument("--fit-bytes", default="", help="fit to cells with these sizes")
    parser.add_argument("--without", default=[], action="append", choices=TERMS,
                        help="leave this term out of the price")
    return parser.parse_args()


def rates_of_host():
    profile = tomllib.loads((ROOT / "src/machine/profiles/host.toml").read_text())
    return [profile["shared_memory"][name]["value"] for name in TERMS]


def terms_of(plan, ranks):
    """Returns what each rate is multiplied with: selection/host_price.cpp, term by term."""
    block, processors = plan["block_bytes"], plan["processors"]
    oversubscribed = ranks > processors
    work = plan["all_ranks" if oversubscribed else "along_rounds"]
    share = processors if oversubscribed else 1
    bytes_terms = [work[f"{kind}_blocks"] * block / share
                   for kind in ("written", "read", "combined", "copied")]
    messages = (work["posted_messages"] + work["taken_messages"]) / share
    rounds, waits = plan["rounds"], plan["waits"]
    if oversubscribed:
        return [*bytes_terms, messages, 0, waits / share, rounds]
    return [*bytes_terms, messages, rounds, 0, 0]


def judgements(cells):
    """Returns for each job of each cell the measured ratios and the terms of its priced plans, and
    the least ratio of all plans. Plans have the order of the library, in which the first of equal
    prices is taken."""
    found = []
    for cell in cells:
        terms = {name: terms_of(plan, cell["ranks"]) for name, plan in cell["priced"].items()}
        for job in cell["jobs"]:
            names = [name for name in terms if name in job]
            if len(names) > 1:
                found.append(([job[name] for name in names], [terms[name] for name in names],
                              min(job.values())))
    return found


def price(terms, rates):
    return sum(a * b for a, b in zip(terms, rates)) + 1e-9


def loss(logs, start, judged):
    rates = list(map(math.exp, logs))
    total = 0
    for ratios, terms, _ in judged:
        best = ratios.index(min(ratios))
        least = price(terms[best], rates)
        for ratio, term in zip(ratios, terms):
            error = math.log(ratio / ratios[best]) - math.log(price(term, rates) / least)
            total += math.sqrt(ratios[best] / ratio) * (math.sqrt(1 + error * error) - 1)
    return total / len(judged) + PRIOR * sum((a - b) ** 2 for a, b in zip(logs, start))


def fitted(start, judged, free):
    """Searches along one rate after the other, with steps that get shorter."""
    logs, best, step = list(start), loss(start, start, judged), 0.4
    while step > 0.05:
        better = False
        for i in free:
            for sign in (1, -1):
                tried = [*logs]
                tried[i] += sign * step
                found = loss(tried, start, judged)
                if found < best - 1e-7:
                    logs, best, better = tried, found, True
                    break
        step = step if better else step / 2
    return logs


def regret_text(rates, judged):
    found = []
    for ratios, terms, least in judged:
        prices = [price(term, rates) for term in terms]
        found.append(ratios[prices.index(min(prices))] / least)
    found.sort()
    mean = math.exp(sum(map(math.log, found)) / len(found))
    at = [found[min(len(found) - 1, int(part * len(found)))] for part in (0.9, 0.95)]
    return f"{len(found):>6}{mean:>8.3f}{at[0]:>8.3f}{at[1]:>8.3f}{found[-1]:>8.3f}"


def main():
    options = arguments()
    cells = json.loads(options.saved.read_text())
    ranks = {int(word) for word in options.fit_ranks.split(",") if word}
    sizes = {int(word) for word in options.fit_bytes.split(",") if word}
    fit = [cell for cell in cells if (not ranks or cell["ranks"] in ranks) and
           (not sizes or cell["bytes"] in sizes)]
    rest = [cell for cell in cells if cell not in fit]
    rates = [0 if name in options.without else rate
             for name, rate in zip(TERMS, rates_of_host())]
    start = [math.log(rate) if rate > 0 else -30 for rate in rates]
    free = [i for i, name in enumerate(TERMS) if name not in options.without]
    logs = fitted(start, judgements(fit), free)
    found = list(map(math.exp, logs))
    print(f"{'rates, cells':<24}{'judged':>6}{'mean':>8}{'p90':>8}{'p95':>8}{'worst':>8}")
    for name, part in (("fitted", fit), ("others", rest)):
        if part:
            print(f"{'of host, ' + name:<24}{regret_text(rates, judgements(part))}")
            print(f"{'fitted, ' + name:<24}{regret_text(found, judgements(part))}")
    for name, old, new in zip(TERMS, start, found):
        if name not in options.without:
            print(f"{name:<9} {math.exp(old):.6g} -> {new:.6g} us")


if __name__ == "__main__":
    main()
