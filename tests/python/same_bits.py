# SPDX-License-Identifier: BSD-3-Clause
"""same_bits.py CALLS SEED KINDS ROOTS: what tests/frontends/same_bits does, by operators in Python.
"""

import sys
import zlib

import numpy as np

import tutti


def nan_max(left, right):
    return np.where((left >= right) | np.isnan(left), left, right)


def means(left, right):
    (w, m), (v, n) = left.reshape(-1, 2).T, right.reshape(-1, 2).T
    return np.stack([w + v, m + (n - m) * (v / (w + v))], axis=1).reshape(-1)


def affine(left, right):
    (a, b), (c, d) = left.reshape(-1, 2).T, right.reshape(-1, 2).T
    return np.stack([a * c, a * d + b], axis=1).reshape(-1)


# Name, numbers of an element, operator. Elements of several numbers must not be cut.
KINDS: list[tuple[str, int, tutti.Op | str]] = [
    ("maxima with NaN", 1, tutti.op("float64")(nan_max)),
    ("means", 2, tutti.op("float64", whole=True)(means)),
    ("functions a t + b", 2, tutti.op("float64", commutative=False, whole=True)(affine)),
    ("numbers by sum", 1, "sum"),
    ("numbers by max", 1, "max"),
]
ORDERED, WHOLE = {"functions a t + b"}, {"means", "functions a t + b"}


def numbers(chance, size, with_nan):
    made = chance.uniform(1e-9, 2, size)
    if with_nan:
        which = chance.random(size) < 0.25
        bits = np.uint64(0x7ff8000000000000) | chance.integers(1, 1000000, size).astype(np.uint64)
        made[which] = bits.view(np.float64)[which]
    return made


def main():
    calls, seed, which, roots = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4] == "1"
    world, made = tutti.world, 0
    for call in range(calls):
        common = np.random.default_rng([seed, call])
        name, width, op = KINDS[common.integers(len(KINDS))]
        most = 9000 // width if common.integers(8) == 0 else 20
        size = width * int(common.integers(1, most + 1))
        if (name in ORDERED and "o" not in which) or (name in WHOLE and "w" not in which):
            continue
        data = numbers(np.random.default_rng([seed, call, world.rank]), size, width == 1)
        result = world.allreduce(data, op=op).tobytes()
        made += 1
        for root in range(world.size if roots else 0):
            at_root = world.reduce(data, op=op, root=root)
            made += 1
            if root == world.rank and (at_root is None or at_root.tobytes() != result):
                sys.exit(f"WRONG: call {call}: {size // width} {name} at root {root} differ")
        mine = np.array([zlib.crc32(result)])
        if len(set(world.allgather(mine).reshape(-1).tolist())) != 1:
            sys.exit(f"WRONG: python: call {call}: allreduce of {size // width} {name} differs")
    if world.rank == 0:
        print(f"right: python: {made} calls on {world.size} ranks", flush=True)


main()
