# SPDX-License-Identifier: BSD-3-Clause
"""Runs tutti-matmul with all of its algorithms, sizes and types. The program compares C x with
A (B x); here the residuals are checked, and products of files with those that are computed here.

usage: program.py TUTTI MATMUL [--all]"""

import ast
import itertools
import pathlib
import random
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from started import check_errors, check_prediction, result_of, started  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
ALGORITHMS = [("--mode", mode) for mode in ("auto", "gather", "split", "summa")]
for blocks, dealt, primitive in itertools.product((1, 8, 27, 64), ("custom", "static"),
                                                  ("get", "hpget", "put")):
    ALGORITHMS.append(("--mode", "blocks", "--blocks", blocks, "--distribution", dealt,
                       "--primitive", primitive))


def most_extra_elements(size, blocks):
    """Four blocks: two that were fetched and two of sums. They are the 4 n^2 / q^(2/3) elements of
    the thesis, with sides rounded up."""
    m, k, n = (map(int, size.split("x")) if isinstance(size, str) else 3 * [size])
    rows, depth, columns = (-(-side // round(blocks**(1 / 3))) for side in (m, k, n))
    return 4 * max(rows * depth, depth * columns, rows * columns)


def check_sizes(tutti, program, sizes, ranks_of):
    """All sizes with all numbers of ranks; algorithms and types take turns."""
    turns = itertools.cycle(itertools.product(("double", "float", "complex"), ALGORITHMS))
    for size in sizes:
        for ranks in ranks_of:
            kind, algorithm = next(turns)
            words = ["--size", size, "--runs", 1, "--type", kind, *algorithm]
            result = result_of(tutti, program, ranks, *words)
            if not result["residual"] <= 1 or result["processes"] != ranks:
                sys.exit(f"{words}, {ranks} ranks: {result}")
            if "--blocks" in algorithm:
                most = most_extra_elements(size, algorithm[algorithm.index("--blocks") + 1])
                if not 0 < result["extra_elements"] <= most:
                    sys.exit(f"{words}, {ranks} ranks: {result}, at most {most} elements more")


def product(first, second):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*second)] for row in first]


def write_text(path, matrix):
    values = "".join(f"{value}\n" for column in zip(*matrix) for value in column)
    path.write_text(f"%%MatrixMarket matrix array integer general\n{len(matrix)} {len(matrix[0])}\n"
                    + values)


def read_text(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    rows, columns = map(int, lines[0].split())
    values = [float(line) for line in lines[1:]]
    return [[values[j * rows + i] for j in range(columns)] for i in range(rows)]


def read_numpy(path):
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    shape = ast.literal_eval(data[10:10 + length].decode())["shape"]
    values = struct.unpack(f"<{shape[0] * shape[1]}d", data[10 + length:])
    return [list(values[i * shape[1]:(i + 1) * shape[1]]) for i in range(shape[0])]


def check_files(tutti, program, folder):
    """Products of matrices of small integers are exact, so all algorithms give the same."""
    numbers = random.Random(3)
    first, second = ([[numbers.randrange(-9, 10) for _ in range(columns)] for _ in range(rows)]
                     for rows, columns in ((7, 11), (11, 5)))
    expected = product(first, second)
    write_text(folder / "a", first)
    write_text(folder / "b", second)
    for number, algorithm in enumerate(ALGORITHMS):
        ranks = (1, 2, 3, 4, 6)[number % 5]
        out = folder / ("c.npy" if number % 2 else "c.mtx")
        words = [folder / "a", folder / "b", "--output", out, "--runs", 1, *algorithm]
        done = started(tutti, program, ranks, *words)
        if done.returncode != 0:
            sys.exit(f"{words}: {done.stderr}")
        found = read_numpy(out) if number % 2 else read_text(out)
        if found != expected:
            sys.exit(f"{words}, {ranks} ranks: {found}, not {expected}")


def check_raw(tutti, program, folder):
    """Raw files have elements of the type that is computed with, row by row."""
    first, second = ([[i * columns + j + 1 for j in range(columns)] for i in range(rows)]
                     for rows, columns in ((2, 3), (3, 4)))
    for kind, code in (("float", "f"), ("double", "d"), ("complex", "d")):
        for name, matrix in (("a.raw", first), ("b.raw", second)):
            values = [value for row in matrix for value in row]
            if kind == "complex":
                values = [part for value in values for part in (value, 0)]
            (folder / name).write_bytes(struct.pack(f"<{len(values)}{code}", *values))
        out = folder / "c.raw"
        words = [folder / "a.raw", folder / "b.raw", "--size", "2x3x4", "--type", kind, "--output",
                 out]
        done = started(tutti, program, 2, *words)
        if done.returncode != 0:
            sys.exit(f"{words}: {done.stderr}")
        found = [value for value, in struct.iter_unpack(f"<{code}", out.read_bytes())]
        expected = [value for row in product(first, second) for value in row]
        if found != expected and found != [part for value in expected for part in (value, 0)]:
            sys.exit(f"{words}: {found}, not {expected}")


def check_output(tutti, program, folder):
    """The product replaces a file when it is complete. The earlier one stays under another name
    that it has. A link to a file stays, and a device is written to."""
    write_text(folder / "square", [[1, 2], [3, 4]])
    out, other, link = folder / "out.mtx", folder / "other.mtx", folder / "link.mtx"
    out.write_text("earlier")
    out.chmod(0o640)
    other.hardlink_to(out)
    link.symlink_to(out)
    before = set(folder.iterdir())
    for name in (link, "/dev/null"):
        done = started(tutti, program, 1, folder / "square", folder / "square", "--output", name)
        if done.returncode != 0:
            sys.exit(f"--output {name}: {done.stderr}")
    if (other.read_text() != "earlier" or read_text(out) != [[7, 10], [15, 22]]
            or not link.is_symlink() or out.stat().st_mode & 0o777 != 0o640
            or set(folder.iterdir()) != before or not pathlib.Path("/dev/null").is_char_device()):
        sys.exit(f"--output: {list(folder.iterdir())}, {out.read_text()!r}, {other.read_text()!r}")


def check_predictions(tutti, program, folder):
    for ranks, size, words in (
        (2, "20", ("--blocks", 27)), (3, "19x7x23", ("--blocks", 8, "--distribution", "static")),
        (4, "21", ("--blocks", 64, "--primitive", "get")),
        (4, "30", ("--blocks", 27, "--distribution", "static", "--primitive", "put")),
        (4, "16x40x9", ("--mode", "split")), (5, "8x300x8", ("--mode", "split")),
        (3, "17", ("--mode", "gather"))):
        mode = ("--mode", "blocks") if words[0] == "--blocks" else ()
        words = ("--size", size, *mode, *words)
        check_prediction(tutti, program, ranks, words, folder)


def check_choice(tutti, program, folder):
    """A machine whose messages are cheap and whose gets are dear sends sums. If its gets are cheap,
    it fetches the fewest words."""
    raw, machine = folder / "raw.csv", folder / "machine.json"
    for dear, expected in (("get", "split among 1x1x4 "), ("send", "split among 2x2x1 ")):
        raw.write_text("p,4\nl,no communication,1e-9\nl,cyclic shift,1e-9\n" + "".join(
            f"g,random,{access},{size},{count},{1e-3 if dear in access else 1e-9}\n"
            f"g,own,{access},{size},{count},1e-12\n"
            for access in ("put", "hpput", "get", "hpget", "send") for size in (1, 1000)
            for count in (1, 10)))
        started(tutti, tutti, 1, "probe", "--from", raw, "--output", machine)
        words = ("--size", 64, "--runs", 1, "--machine", machine)
        found = result_of(tutti, program, 4, *words)
        if not found["algorithm"].startswith(expected) or not found["predicted_s"] > 0:
            sys.exit(f"a {dear} is dear: {found}")
    for ranks in (1, 3):
        done = started(tutti, program, ranks, *words)
        message = f"is a machine of 4 processes, not of {ranks}"
        if done.returncode != 1 or message not in done.stderr:
            sys.exit(f"{words}, {ranks} ranks: {done.returncode}, {done.stderr}")


def check_inverse(tutti, program):
    """A matrix and its inverse: the program shows that the product is the identity."""
    matrix = ROOT / "apps/matrix/pascal.mtx"
    for ranks in (1, 2, 3, 4):
        found = result_of(tutti, program, ranks, matrix, matrix.with_stem("pascal_inverse"))
        if found["diagonal_sum"] != [6, 0] or found["largest_off_diagonal"] != 0:
            sys.exit(f"a matrix and its inverse, {ranks} ranks: {found}")
    found = result_of(tutti, program, 2, matrix, matrix)
    rows = read_text(matrix)
    squared = product(rows, rows)
    if (found["diagonal_sum"] != [sum(squared[i][i] for i in range(6)), 0] or
            found["largest_off_diagonal"] != squared[5][4]):
        sys.exit(f"a square: {found}, {squared}")


def check_messages(tutti, program, folder):
    write_text(folder / "square", [[1, 2], [3, 4]])
    write_text(folder / "wide", [[1, 2, 3]])
    (folder / "complex").write_text("%%MatrixMarket matrix array complex general\n1 1\n1 2\n")
    (folder / "infinite").write_text("%%MatrixMarket matrix array real general\n1 1\ninf\n")
    square, wide, complex_ = (folder / name for name in ("square", "wide", "complex"))
    (folder / "kept.mtx").write_text("earlier")
    (folder / "large").write_text("%%MatrixMarket matrix array real general\n1 1\n1e200\n")
    cases = (((square, wide), 1, "has 2 columns, but"), ((square, ), 2, "B is required"),
             ((complex_, complex_), 1, "use --type complex"),
             ((square, folder / "missing"), 1, "No such file"),
             ((square, square, "--output", folder / "no" / "c"), 1, "cannot write"),
             ((square, square, "--output", "/dev/full"), 1, "cannot write '/dev/full': No space"),
             ((folder / "a.raw", folder / "b.raw"), 1, "is no file of 1000 x 1000 elements"),
             (("--size", 8, "--predict", "/dev/full"), 1, "cannot write '/dev/full': No space"),
             ((folder / "infinite", folder / "infinite"), 1,
              "the element in row 1, column 1 is not finite"),
             ((folder / "large", folder / "large", "--output", folder / "kept.mtx"), 1,
              "the result is wrong"),
             (("--size", "0"), 2, "is no size"), (("--size", "2x3"), 2, "is no size"),
             (("--blocks", 9), 2, "is no third power"), (("--mode", "strassen"), 2, "--mode"),
             (("--mode", "summa", "--grid", "7x7"), 1, "a grid of 7x7 is none of"),
             (("--size", 900000), 1, "2^31"),
             (("--mode", "blocks", "--blocks", 1000000000), 2, "is more than a million blocks"),
             (("--size", 8, "--blocks", 8), 2, "--blocks requires --mode blocks"),
             (("--mode", "split", "--distribution", "static"), 2,
              "--distribution requires --mode blocks"),
             (("--primitive", "put"), 2, "--primitive requires --mode blocks"),
             (("--mode", "blocks", "--grid", "1x1"), 2, "--grid requires --mode summa"),
             (("--mode", "split", "--machine", "x"), 2, "--machine requires --mode auto"),
             ((square, square, "--seed", 3), 2, "--seed excludes files"),
             ((square, square, "--size", 2), 2, "--size excludes files that have their sizes"),
             (("--predict", "x", "--output", "y"), 2, "--output excludes --predict"),
             (("--predict", "x", "--runs", 3), 2, "--runs excludes --predict"))
    check_errors(tutti, program, cases)
    if (folder / "kept.mtx").read_text() != "earlier":
        sys.exit("a wrong product has replaced a file")


def main(tutti, program, *options):
    if options == ("--all", ):
        odd = ["1x70x3", "70x1x2", "3x5x70", "33x65x17", "64x64x1", "1x1x1", "100x7x200"]
        check_sizes(tutti, program, [*range(1, 71), *odd * 8], range(1, 10))
        return
    check_sizes(tutti, program, [1, 2, 7, 30, 65, "5x40x3", "40x3x17"], (1, 2, 3, 4, 6))
    check_inverse(tutti, program)
    with tempfile.TemporaryDirectory() as folder:
        check_files(tutti, program, pathlib.Path(folder))
        check_raw(tutti, program, pathlib.Path(folder))
        check_output(tutti, program, pathlib.Path(folder))
        check_predictions(tutti, program, pathlib.Path(folder))
        check_choice(tutti, program, pathlib.Path(folder))
        check_messages(tutti, program, pathlib.Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
