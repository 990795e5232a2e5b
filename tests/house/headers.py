# SPDX-License-Identifier: BSD-3-Clause
"""Checks that each installed header compiles alone, those of C also as C89, and that tutti.h,
tutti.hpp, the Fortran module and status.def give the same numbers to operators, types and statuses.
Arguments: C and C++ compiler."""

import re
import subprocess
import sys

import c_headers
from problems import finish, problem
from tree import ROOT

CPP_FOLDER = "tutti-bspwrapper"  # C++, with names that the thesis gives its headers
FORTRAN = {"fbsp.h", "fbsp_level1.h", "ficc.h", "fnx.h"}  # included by Fortran programs


def operators_c(text):
    return {
        name.lower(): int(value)
        for name, value in re.findall(r"#define TUTTI_(\w+) \(\(tutti_op\)\{(\d+)\}\)", text)
    }


def operators_cpp(text):
    body = re.search(r"enum class Op[^{]*\{([^}]*)\}", text).group(1)
    names = [entry.split("=")[0].strip() for entry in body.split(",")]
    return {name: number for number, name in enumerate(names, 1)}


def constants_fortran(text):
    text = text.replace("&\n", " ")
    return {name: int(value) for name, value in re.findall(r"\b(\w+) = (-?\d+)", text)}


def enumerators(header, name):
    """Returns name -> value of an enum of the header, whose values are numbered from 0."""
    body = re.search(rf"typedef enum \{{([^}}]*)\}} {name};", header).group(1)
    return {entry.split("=")[0].strip(): number for number, entry in enumerate(body.split(","))}


def main():
    header = c_headers.text_of("tutti/tutti.h")
    fortran = constants_fortran((ROOT / "src/api/fortran/tutti_types.f90").read_text())
    expected = operators_c(header)
    if operators_cpp((ROOT / "include/tutti/tutti.hpp").read_text()) != expected:
        problem("tutti.hpp: enum Op differs from the operators of tutti.h")
    for name, value in expected.items():
        if fortran.get(f"tutti_{name}") != value:
            problem(
                f"Fortran: tutti_{name} is {fortran.get(f'tutti_{name}')}, tutti.h says {value}")
    for name, value in enumerators(header, "tutti_type").items():
        if fortran.get(name.lower()) != value:
            problem(f"Fortran: {name.lower()} is {fortran.get(name.lower())}, tutti.h says {value}")
    check_calls(header)
    table = dict(
        re.findall(r"TUTTI_STATUS\((\w+), (\d+)", (ROOT / "src/base/status.def").read_text()))
    in_header = dict(re.findall(r"^\s*TUTTI_(\w+) = (\d+)", header, flags=re.M))
    if {name.upper(): value for name, value in table.items()}.items() - in_header.items():
        problem("status.def and the statuses of tutti.h differ")
    check_alone(sys.argv[1], sys.argv[2])
    finish(f"{len(expected)} operators, {len(table)} statuses")


def check_calls(header):
    """Checks that Fortran has every call of C. Excepted are calls on plans, strided data and error
    texts, those that select how errors are returned, because in Fortran an argument does that, and
    names of types and operators, for which Fortran has constants."""
    left_out = re.compile(
        r"tutti_(plan_\w+|on_run|matrix|initialized|strerror|error_text|version|errors_\w+|"
        r"type_\w+|op_named?)$")
    module = "".join((ROOT / "src/api/fortran" / name).read_text()
                     for name in ("tutti.f90", "tutti_memory.f90", "tutti_requests.f90",
                                  "tutti_types.f90"))
    for form in ("tutti_{}", "tutti_i{}", "tutti_{}_init"):
        for name in re.findall(r"^TUTTI_COLLECTIVE\(\s*(\w+)",
                               (ROOT / "src/api/collectives.def").read_text(), re.M):
            # scripts/fortran_collectives.py makes a procedure of this name during the build.
            module += f"\nsubroutine {form.format(name)}\n"
    for name in re.findall(r"^(?:TUTTI_API|TUTTI_INLINE) [\w ]+[ *](tutti_\w+)\(", header, re.M):
        if not left_out.match(name) and not re.search(
                rf"(?<!end )(?:subroutine|function|interface) {name}\b", module):
            problem(f"Fortran: there is no {name}")


def check_alone(c_compiler, cpp_compiler):
    """Checks that each installed header compiles by itself without a warning."""
    strict = [
        "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only",
        f"-I{ROOT}/include"
    ]
    headers = sorted((ROOT / "include").rglob("*.h*"))
    compilers = (("C89", [c_compiler, "-x", "c", "-std=c89", "-pedantic-errors"]),
                 ("C11", [c_compiler, "-x", "c", "-std=c11"]),
                 ("C++", [
                     cpp_compiler, "-x", "c++", "-std=c++20", "-Wold-style-cast",
                     "-Wnon-virtual-dtor"
                 ]))
    for path in headers:
        is_cpp = path.suffix == ".hpp" or path.parent.name == CPP_FOLDER
        for language, compiler in compilers:
            if path.name in FORTRAN or (is_cpp and language != "C++"):
                continue
            done = subprocess.run([*compiler, *strict, "-"],
                                  text=True,
                                  capture_output=True,
                                  input=f"#include <{path.relative_to(ROOT / 'include')}>\n",
                                  check=False)
            if done.returncode != 0:
                problem(f"{path.name} does not compile alone as {language}:\n{done.stderr}")


main()
