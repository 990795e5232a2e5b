# SPDX-License-Identifier: BSD-3-Clause
"""Says which typed number of the thesis, paper 003, belongs to a row of `tutti reproduce`.
NOT_PRINTED has the rows of all papers that no number of a text stands behind."""
import math

from typed_numbers import OURS, number_of, rule

MACHINES = ("skua", "argus", "aracari")
MPI = {"MPISHMEM": "MPI-2", "MPIMPASS": "MPI"}
LIBRARY = "(Oxtool|PUB|MPISHMEM|MPIMPASS)"
# The appendix whose cells a figure draws. The captions name the program and the distribution.
APPENDICES = ({f"4.{i}": "D" for i in range(4, 9)} | {"4.9": "E", "4.10": "E"} |
              {f"5.{i}": "F" for i in range(9, 12)} | {f"5.{i}": "G" for i in range(13, 17)})
CRITERIA = {"put_get": "Communication gap (put/get)", "send": "Communication gap (send)",
            "latency": "Latency", "product": "Matrix multiplication",
            "standard": "LLCS (standard)", "bit_parallel": "LLCS (bit-parallel)"}
ALGORITHMS = {"table": "simple", "bits": "bit-parallel"}
UNITS = {"Gflop/s": 1, "Mflop/s": 1e-3, "Gop/s": 1e3, "Mop/s": 1}


@rule("003-(?:table|figure)-.*",
      rf"(?:.\) )?(?:(\w+), )?p = (\d+), (q|alpha) = (\d+), {LIBRARY}, "
      r"(g constant|g\(h\)|g\(h, h\*\))(: mean error of prediction)?")
def cell(typed, name, machine, p, what, parameter, library, model, error):
    number = name.split("-")[-1]
    if machine:
        number = f"{APPENDICES[number]}.{MACHINES.index(machine) + 1}"
    column = "efficiency"
    if error:
        column = "error " + {"g constant": "const g"}.get(model, model.replace(" ", ""))
    return typed.number(f"003-table-{number}", f"{MPI.get(library, library)} p={p} "
                        f"{what}={parameter}", column)


def with_unit(typed, *key):
    return typed.number(*key) * UNITS[typed.units[key]]


@rule("003-table-4.2", "(.+): operations")
def product_rate(typed, name, machine):
    return with_unit(typed, name, machine, "F")


@rule("003-table-4.2", "(.+): operations", OURS)
def product_time(typed, name, machine):
    return 1 / typed.number(name, machine, "f")


@rule("003-table-5.3", "(.+), by (.+): time of an operation")
def string_time(typed, name, machine, way):
    return typed.number(name, f"{ALGORITHMS[way]} {machine}", "f")


@rule("003-table-5.3", "(.+), by (.+): time of an operation", OURS)
def string_rate(typed, name, machine, way):
    return 1e3 / with_unit(typed, name, f"{ALGORITHMS[way]} {machine}", "F")


@rule("003-table-5.4", "(.+): bits over table( without blocks)?")
def speedup(typed, name, machine, brackets):
    return typed.number(name, machine.replace("gno11", "gnoll"),
                        "speedup" + (" in brackets" if brackets else ""))


@rule("003-table-5.4", "(.+): bits over table", OURS)
def rates(typed, name, machine):
    row = machine.replace("gno11", "gnoll")
    return 1e3 * typed.number(name, row, "bit-parallel rate") / typed.number(
        name, row, "standard rate")


@rule("003-table-6.1", rf"(.+), (.+), {LIBRARY}: bullets")
def bullets(typed, name, machine, criterion, library):
    return typed.number(name, f"{machine} {CRITERIA[criterion]}",
                        "MPI" if library in MPI else library)


@rule("003-table-C.[147]", rf"{LIBRARY}, (.*): (?:rate|mean of both rates)")
def rate(typed, name, library, what):
    return typed.number(name, f"{library.replace('Oxtool', 'OXTOOL')} {what}", "1/f")


@rule("003-table-C.[147]", rf"{LIBRARY}, (.*): (rate|mean of both rates)", OURS)
def inverse(typed, name, library, what, way):
    row = f"{library.replace('Oxtool', 'OXTOOL')} {what}"
    if way == "rate":
        return 1 / typed.number(name, row, "f")
    return sum(typed.number(name, row.replace("Average", kind + " product"), "1/f")
               for kind in ("Dot", "Matrix")) / 2


@rule("003-table-C.8", "MPI over PUB, mean of all lines")
def times_as_much(typed, _name):
    least, most = typed.text("003-section-3.3", "aracari, MPI compared to PUB",
                             "times as much").split("-")
    return (int(least) + int(most)) / 2


@rule("003-table-C.8", "MPI over PUB, mean of all lines", OURS)
def latencies(typed, name):
    """Returns the geometric mean."""
    ratios = [number_of(value) / typed.number(name, row.replace("MPIMPASS", "PUB"), column)
              for (row, column), value in typed.rows(name).items() if row.startswith("MPIMPASS")]
    return math.prod(ratios)**(1 / len(ratios))


@rule("003-example", "(1000|500) bytes in (?:1|5) messages")
def example(typed, _name, length):
    if length == "1000":
        return typed.number("003-section-2.2", "example, one message of 1000 bytes",
                            "g(1000,1000)*1000")
    return typed.number("003-section-2.2", "example, 500 bytes in five messages", "g(500,100)*500")


@rule("003-latency", "(supersteps|time of their synchronisations)")
def synchronisation(typed, _name, what):
    column = "supersteps at most" if what == "supersteps" else "synchronization time"
    return typed.number("003-section-4.3", "experiments", column)


@rule("003-latency", "supersteps", OURS)
def supersteps(typed, _name):
    blocks, processors = (typed.number("003-section-4.3", "experiments", column)
                          for column in ("blocks at most", "processors at least"))
    return -(-blocks // processors)


@rule("003-section-4.7", "aracari, p = 4: the largest efficiency")
def up_to(typed, name):
    return typed.number(name, "aracari, 4 processors", "efficiency up to")


@rule("003-section-4.7", "aracari, p = 4: the largest efficiency", OURS)
def largest(typed, _name):
    return max(number_of(value) for row, value in
               typed.rows("003-table-D.3", "efficiency").items() if " p=4 " in row)


# Exhibit, label, and why no number of the paper's text stands behind the row.
NOT_PRINTED = (
    ("000-section-4.3.1", "(in|de)creasing_ring, .*: most that send at once",
     "a ring passes one message on, in words"),
    ("001-section-3.1", ".*: most messages on a link in a step", "no conflict, in words"),
    ("001-usenet", ".*", "the times are from a news group"),
    ("001-gain", ".*", "proportional, in words"),
    ("002-figure-5", "5 [ac], .*: messages of PVM within the host", "drawn in the figure"),
    ("003-exchanged-rates", ".*", "the same, if the thesis does not contradict itself"),
    ("003-wavefront", ".*", "no cell, if the thesis does not contradict itself"),
    ("004-table-section-3", ".*", "no constraint is broken, in words"),
    ("004-figure-[5-9]", ".*: (bytes|lines that differ)", "the chart itself"),
    ("004-.*", ".*links with two messages in a step", "no conflict, in words"),
    ("004-section-2.3", ".*", "no difference, in words"),
    ("004-section-3", ".*", "no such message, in words"),
)
