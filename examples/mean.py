# SPDX-License-Identifier: BSD-3-Clause
"""Computes the mean and the standard deviation of numbers that lie on several ranks.

Run it by `tutti run -n 4 python3 mean.py`."""

import math
import random

import tutti

world = tutti.world
mine = [random.Random(1000 * world.rank + i).gauss(10, 2) for i in range(1000)]

count = world.allreduce(len(mine))
mean = world.allreduce(math.fsum(mine)) / count
variance = world.allreduce(math.fsum((x - mean)**2 for x in mine)) / count
if world.rank == 0:
    print(f"{count} numbers: mean {mean:.3f}, standard deviation {math.sqrt(variance):.3f}")
