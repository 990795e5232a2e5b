# SPDX-License-Identifier: BSD-3-Clause
"""Compares the lists of operations and of element types in other languages, and those that users
read, with src/schedule/operations.def and src/data/elements.def, from which C++ makes its own. The
collectives of an MPI are compared with frontends/mpi/operations.def."""

import json
import re

from problems import finish, problem
from tree import ROOT, matching

compared = 0


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def lines_of(path, macro):
    """Returns the arguments of each line of a list."""
    lines = re.findall(rf"^{macro}\((.*?)\)$", text_of(path), re.M | re.S)
    return [[word.strip().strip('"') for word in line.split(",")] for line in lines]


def compare(where, found, wanted):
    global compared
    compared += 1
    if list(found) != list(wanted):
        problem(f"{where} has {', '.join(found)}, not {', '.join(wanted)}")


def enumerators(path, prefix, first):
    """Returns the names, without their prefix, of the enumeration that begins with the first."""
    body = re.search(rf"enum \{{\s*{prefix}{first}\b.*?\}}", text_of(path), re.S)
    return re.findall(rf"^\s*{prefix}(\w+)", body.group(), re.M)


def words_behind(path, opening):
    """Returns the quoted words between this text and the next bracket that closes."""
    text = text_of(path)
    begin = text.index(opening) + len(opening)
    return re.findall(r'"(\w+)"', text[begin:re.compile(r"[)}\]];?\n").search(text, begin).start()])


def enumerations(schema):
    """Yields the lists of allowed words in a schema."""
    parts = schema.values() if isinstance(schema, dict) else schema
    for part in parts if isinstance(schema, (dict, list)) else ():
        yield from enumerations(part)
    if isinstance(schema, dict) and isinstance(schema.get("enum"), list):
        yield schema["enum"]


def compare_operations():
    operations = lines_of("src/schedule/operations.def", "TUTTI_OPERATION")
    names = [line[0] for line in operations]
    numbers = [line[1] for line in operations]
    compare("tutti_plan.h", enumerators("include/tutti/tutti_plan.h", "TUTTI_OP_", "BARRIER"),
            numbers)
    compare("plugin.h", enumerators("src/transport/wire/plugin.h", "TUTTI_WIRE_", "BARRIER"),
            numbers)
    compare("core.h", re.findall(r"CORE_\w+ = TUTTI_OP_(\w+)", text_of("python/core/core.h")),
            numbers)
    generator = "python/tutti/_generator.py"
    compare(generator, words_behind(generator, "_OPERATIONS = ("), names)
    compare(f"{generator}, _ROOTED", words_behind(generator, "_ROOTED = ("),
            [line[0] for line in operations if {"at_root", "from_root"} & {line[2], line[3]}])
    compare(f"{generator}, _CUT_BY_RANK", words_behind(generator, "_CUT_BY_RANK = ("),
            [line[0] for line in operations if {"own", "cut"} & {line[2], line[3]}])
    bench = [line[0] for line in lines_of("command/driver/operations.def", "TUTTI_BENCH_OPERATION")]
    short = [line[5].split()[0] if line[0] == "broadcast" else line[0] for line in operations]
    compare("command/driver/operations.def", sorted(bench), sorted(short))
    called = re.findall(r"\(\{Operation::(\w+)", text_of("src/api/collectives.def"))
    compare("src/api/collectives.def", sorted(set(called)), sorted(names))
    for path in matching("*.schema.json"):
        for words in enumerations(json.loads(text_of(path))):
            if "exscan" in words:
                compare(path, [word for word in words if word is not None], names)


def compare_types():
    elements = lines_of("src/data/elements.def", "TUTTI_ELEMENT")
    numbers = [line[2] for line in elements]
    compare("tutti.h", enumerators("include/tutti/tutti.h", "TUTTI_", "BYTE"), numbers)
    wire = enumerators("src/transport/wire/plugin.h", "TUTTI_WIRE_", "BYTE")
    compare("plugin.h", wire, [line[1].upper() for line in elements][:len(wire)])
    fortran = text_of("src/api/fortran/tutti_types.f90")
    listed = re.search(r"parameter, public :: (tutti_byte.*?[^&])\n", fortran, re.S).group(1)
    found = sorted(
        (int(number), name) for name, number in re.findall(r"tutti_(\w+) = (\d+)", listed))
    compare("tutti_types.f90", [f"{number} {name}" for number, name in found],
            [f"{number} {name.lower()}" for number, name in enumerate(numbers)])
    known = re.findall(r'\{"(\w+)", "\w+\??", (\d+), TUTTI_(\w+)\}',
                       text_of("python/core/elements.c").replace('"?"', '"t"'))
    moved_only = "byte"
    wanted = [f"{name} {size} {number}" for _, name, number, size in elements if name != moved_only]
    compare("elements.c", sorted(" ".join(row) for row in known), sorted(wanted))


def compare_collectives_of_mpi():
    listed = re.findall(r"^TUTTI_MPI_\w+\((\w+), \w+\)$",
                        text_of("frontends/mpi/operations.def"), re.M)
    table = "src/selection/table.cpp"
    compare(table, sorted(words_behind(table, "mpi_operations[] = {")), sorted(listed))
    tune = text_of("command/measure/tune/mpi.cpp")
    measured = re.findall(r'\{"(\w+)", Size::', tune)
    compare("command/measure/tune/mpi.cpp", sorted(measured), sorted(listed))


def main():
    compare_operations()
    compare_types()
    compare_collectives_of_mpi()
    finish(f"{compared} lists")


main()
