#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""regret_figure.py SAVED CELL... [--build DIR]: draws predicted against measured times of all plans
of some cells of a saved run of bench_regret.py, as SVG on standard output. A cell is
OPERATION:PROCESSES:BYTES, such as allreduce:4:65536.

Both axes are ratios within a cell: the price over the least price, and the time over the least
time (the smaller one of the two jobs' ratios is that of the quieter job). Points on the dashed line
are predicted exactly. The plan that the library takes stands at the left edge, and its regret is
its height."""
import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def points_of(cell):
    """Returns [(price ratio, time ratio)] of the plans that have a price."""
    prices = {plan: sum(price["time_us"].values()) for plan, price in cell["priced"].items()}
    least_price = min(prices.values())
    least_time = [min(job.values()) for job in cell["jobs"]]
    return [(price / least_price,
             min(job[plan] / least for job, least in zip(cell["jobs"], least_time)))
            for plan, price in prices.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("saved", type=Path)
    parser.add_argument("cells", nargs="+", metavar="CELL")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    options = parser.parse_args()
    cells = {f"{c['operation']}:{c['ranks']}:{c['bytes']}": c
             for c in json.loads(options.saved.read_text())}
    curves = []
    for name in options.cells:
        if name not in cells:
            sys.exit(f"{options.saved} has no cell {name}")
        points = points_of(cells[name])
        operation, ranks, size = name.split(":")
        curves.append({"name": f"{operation}, {ranks} processes, {size} bytes",
                       "circles": True, "points": points})
    picture = {"title": "Prices and times of plans, as ratios to the least of the cell",
               "x": "price over the least price", "y": "time over the least time",
               "curves": curves, "diagonal": "predicted = measured"}
    sys.stdout.write(subprocess.run([options.build / "bench/bench_curves"], check=True, text=True,
                                    input=json.dumps(picture), stdout=subprocess.PIPE).stdout)


if __name__ == "__main__":
    main()
