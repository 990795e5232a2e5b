# SPDX-License-Identifier: BSD-3-Clause
"""Runs tutti-lu with many orders, blocks, grids and topologies. The determinants are compared with
those of a factorization here, and the program's residuals must be small.

usage: program.py TUTTI LU [--all]"""

import itertools
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from started import check_errors, result_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
TREES = ROOT / "apps/matrix/spanning_trees.mtx"
MASK = (1 << 64) - 1
RESIDUAL = 16


def mixed(value):
    value = value + 0x9e3779b97f4a7c15 & MASK
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9 & MASK
    value = (value ^ value >> 27) * 0x94d049bb133111eb & MASK
    return value ^ value >> 31


def random_matrix(size, seed=1):
    """Returns the matrix that the program makes."""
    return [[(mixed(mixed(seed) ^ (i << 32) ^ j) >> 11) * 2.0**-53 - 0.5 for j in range(size)]
            for i in range(size)]


def determinant(matrix):
    """Returns log10 of the absolute value, and the sign."""
    rows, power, sign = [list(row) for row in matrix], 0.0, 1
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        power += math.log10(abs(rows[k][k]))
        sign = -sign if rows[k][k] < 0 else sign
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return power, sign


def check(result, expected, what):
    power, sign = expected
    if (not result["residual"] < RESIDUAL or result["determinant_sign"] != sign
            or abs(result["log10_abs_determinant"] - power) > 1e-8 * max(1, abs(power))):
        sys.exit(f"{what}: {result}, but the determinant is {sign}, 10^{power}")


def check_sizes(tutti, program, sizes, grids, blocks):
    """All sizes on all grids, with the blocks and settings in turn."""
    settings = itertools.cycle(
        itertools.product(blocks, ((), ("--look-ahead", )),
                          (" ", "I", "D", "S", "M", "H", "F", "T", "2")))
    for size in sizes:
        expected = determinant(random_matrix(size))
        for rows, columns in grids:
            block, ahead, topology = next(settings)
            words = ["--size", size, "--block", block, "--grid", f"{rows}x{columns}", "--runs", 1]
            words += ahead
            for option in ("--row-topology", "--column-topology"):
                words += [option, topology]
            check(result_of(tutti, program, rows * columns, *words), expected, words)


def check_files(tutti, program, folder):
    """Gives one matrix as text and in NumPy's format, by rows and by columns."""
    matrix = random_matrix(9)
    expected = determinant(matrix)
    text = "".join(f"{value!r}\n" for column in zip(*matrix) for value in column)
    (folder / "a.mtx").write_text("%%MatrixMarket matrix array real general\n% a remark\n9 9\n" +
                                  text)
    for name, lines, order in (("rows.npy", matrix, "False"),
                               ("columns.npy", list(zip(*matrix)), "True")):
        header = f"{{'descr': '<f8', 'fortran_order': {order}, 'shape': (9, 9), }}"
        header += " " * (117 - len(header)) + "\n"
        values = [value for line in lines for value in line]
        (folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                                    header.encode() + struct.pack("<81d", *values))
    for name in ("a.mtx", "rows.npy", "columns.npy"):
        for ranks in (1, 3, 4):
            words = [folder / name, "--block", 2, "--runs", 1]
            check(result_of(tutti, program, ranks, *words), expected, words)
    check(result_of(tutti, program, 4, TREES, "--block", 4), (math.log10(100352), 1), TREES)
    (folder / "a.raw").write_bytes(struct.pack("<81d", *(v for line in matrix for v in line)))
    words = [folder / "a.raw", "--size", 9, "--block", 2]
    check(result_of(tutti, program, 3, *words), expected, words)
    # Values of one entry are added: the matrix is (3 1; 1 4).
    (folder / "twice.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n"
                                      "1 1 1\n2 1 1\n2 2 4\n1 1 2\n")
    check(result_of(tutti, program, 2, folder / "twice.mtx"), (math.log10(11), 1), "twice")


def check_messages(tutti, program, folder):
    files = {"zero.mtx": "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n",
             "wide.mtx": "%%MatrixMarket matrix array real general\n1 2\n1\n2\n",
             "short.mtx": "%%MatrixMarket matrix array real general\n2 2\n1\n2\n",
             "long.mtx": "%%MatrixMarket matrix array real general\n1 1\n1\n2\n",
             "word.mtx": "%%MatrixMarket matrix array real general\n1 1\none\n",
             "outside.mtx": "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
             "above.mtx": "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
             "on.mtx": "%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 1\n1 1 1\n",
             "complex.mtx": "%%MatrixMarket matrix array complex general\n1 1\n1 2\n",
             "infinite.mtx": "%%MatrixMarket matrix array real general\n1 1\ninf\n",
             "text": "no matrix\n", "empty": "", "cut.npy": "\x93NUMPY\x01",
             "long.npy": "\x93NUMPY\x02\0\x40\x42\x0f\0{'descr': '" + "f" * 1000000}
    # Partial pivoting doubles the elements of the last column in each step, until all is rounded.
    order = 200
    files["growing.mtx"] = (f"%%MatrixMarket matrix coordinate real general\n{order} {order} "
                            f"{order * (order + 1) // 2 + order - 1}\n" + "".join(
                                f"{i} {j} {-1 if i > j else 1}\n" for i in range(1, order + 1)
                                for j in range(1, order + 1) if j <= i or j == order))
    for name, text in files.items():
        (folder / name).write_bytes(text.encode("latin-1"))
    cases = ((("zero.mtx", ), 1, "the matrix is singular: column 2 has no pivot"),
             (("wide.mtx", ), 1, "1 rows and 2 columns"),
             (("short.mtx", ), 1, "line 4: the file ends before entry (1, 2)"),
             (("long.mtx", ), 1, "line 4: there are more entries"),
             (("word.mtx", ), 1, "line 3: a value is missing"),
             (("outside.mtx", ), 1, "line 3: entry (3, 1) lies outside"),
             (("above.mtx", ), 1, "only those on or below the diagonal"),
             (("on.mtx", ), 1, "only those below the diagonal"),
             (("complex.mtx", ), 1, "complex numbers"), (("text", ), 1, "is no matrix"),
             (("empty", ), 1, "is no matrix"), (("cut.npy", ), 1, "ends in its header"),
             (("long.npy", ), 1, "its header is longer than that of a matrix"),
             (("infinite.mtx", ), 1, "the element in row 1, column 1 is not finite"),
             (("missing", ), 1, "No such file"), ((".", ), 1, "Is a directory"),
             (("--grid", "2x2"), 1, "a grid of 2x2 needs 4 processes"),
             (("--grid", "two"), 2, "is no grid"), (("--row-topology", "X"), 2, "is no topology"),
             (("--combine-topology", "P"), 2, "is no topology"),
             (("--size", 0), 2, "--size"), (("--size", 1000000), 1, "there is no memory"),
             (("growing.mtx", ), 1, "the result is wrong: residual"),
             (("wide.mtx", "--size", 2), 2, "--size excludes a file that has its size"),
             (("wide.mtx", "--seed", 2), 2, "--seed excludes FILE"))
    named = [((folder / words[0], *words[1:]) if not words[0].startswith("--") else words, code,
              text) for words, code, text in cases]
    check_errors(tutti, program, named)
    # No line may be waiting to be printed when the result is judged.
    done = subprocess.run(["stdbuf", "-oL", program, folder / "growing.mtx"],
                          capture_output=True,
                          text=True,
                          check=False)
    if done.returncode != 1 or done.stdout:
        sys.exit(f"a wrong result: {done}")


def main(tutti, program, *options):
    if options == ("--all", ):
        grids = [(p, q) for p in range(1, 10) for q in range(1, 10) if p * q <= 9]
        check_sizes(tutti, program, range(1, 71), grids, (1, 3, 8, 16, 64))
        return
    sizes = [*range(1, 8), random.Random(34).randrange(8, 40), 41, 64]
    check_sizes(tutti, program, sizes, [(1, 1), (1, 2), (2, 1), (2, 3)], (3, 8, 16))
    with tempfile.TemporaryDirectory() as folder:
        check_files(tutti, program, pathlib.Path(folder))
        check_messages(tutti, program, pathlib.Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
