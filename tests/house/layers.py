# SPDX-License-Identifier: BSD-3-Clause
"""Checks rules for sources that the compiler does not enforce. They concern includes, reading the
environment, and the lengths of files and functions."""

import re

from folders import COMMAND, LIBRARY
from problems import finish, problem
from tree import ROOT, matching

LONGEST_FILE = 400
LONGEST_FUNCTION = 40
# The only files that may include mpi.h: the wire over MPI, the library that takes over MPI's
# collectives, and the BLACS of programs that use MPI, whose handles are MPI's.
MPI_FILES = {"src/transport/wire/plugin_mpi.cpp", "frontends/mpi/plain.hpp"} | {
    f"frontends/blacs/{name}"
    for name in ("communicators_mpi.cpp", "communicators_mpi.hpp", "contexts_mpi.cpp",
                 "start_mpi.cpp")
}

# The only files that may read variables. The second one makes the call, where the host has it.
# The library that is preloaded has not loaded libtutti yet when passed_by.cpp asks.
ENVIRONMENT_FILES = ("src/base/environment.cpp", "src/base/host_calls.cpp",
                     "frontends/mpi/passed_by.cpp")


def without_comments(text):
    """Returns the text with blanks instead of comments. Lines keep their numbers."""
    return re.sub(r"/\*.*?\*/|//[^\n]*",
                  lambda match: re.sub(r"[^\n]", " ", match.group(0)),
                  text,
                  flags=re.S)


def check_words(path, code):
    core = str(path).startswith(LIBRARY)
    for number, line in enumerate(code.splitlines(), 1):
        where = f"{path}:{number}"
        if re.search(r'#\s*include\s*"(\.\./|[^"]*/\.\./)', line):
            problem(f"{where}: include with ../")
        if str(path).startswith((*LIBRARY, *COMMAND, "papers/")) \
                and re.search(r"\b(secure_)?getenv\b", line) \
                and str(path) not in ENVIRONMENT_FILES:
            problem(f"{where}: getenv; variables are read in src/base/environment.cpp only")
        if "toml::parse(" in line and path.name != "toml_text.cpp":
            problem(f"{where}: toml::parse; texts are read by machine::read_toml() only")
        if "papers" not in path.parts and re.search(r'#\s*include\s*"papers/', line):
            problem(f"{where}: papers/ uses the rest of the tree, and only its tests use it")
        if core and str(path) not in MPI_FILES and re.search(r"#\s*include\s*[<\"]mpi\.h", line):
            problem(f"{where}: mpi.h in the core")
        if path.parts[0] == "frontends":
            include = re.search(r'#\s*include\s*"([^"]+)"', line)
            if include and "/" in include.group(1):
                problem(
                    f"{where}: a front end includes {include.group(1)}; it may use installed "
                    "headers only"
                )


def check_lengths(path, code):
    lines = code.splitlines()
    if len(lines) > LONGEST_FILE:
        problem(f"{path}: {len(lines)} lines, more than {LONGEST_FILE}")
    # clang-format puts the head and the last brace of a function in column 0, because namespaces
    # are not indented.
    start = None
    for number, line in enumerate(lines, 1):
        if re.match(r"[A-Za-z_].*[^=,]\{$", line) and re.search(r"\)|TEST", line) \
                and not re.match(r"(namespace|extern|class|struct|enum|union|static "
                                 r"const|constexpr)\b", line):
            start = number
        elif re.match(r"\}", line):
            if start is not None and number - start - 1 > LONGEST_FUNCTION:
                problem(
                    f"{path}:{start}: a function of {number - start - 1} lines, more than "
                    f"{LONGEST_FUNCTION}"
                )
            start = None


def main():
    sources = matching("*.c", "*.h", "*.cpp", "*.hpp")
    for path in sources:
        code = without_comments((ROOT / path).read_text())
        check_words(path, code)
        check_lengths(path, code)
    finish(f"{len(sources)} sources")


main()
