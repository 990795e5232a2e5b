# SPDX-License-Identifier: BSD-3-Clause
"""The programs in README.md compile as they stand there and print what they say. Arguments: prefix, C, C++ and Fortran
compiler."""

import pathlib
import re
import sys
import tempfile

from problems import finish, problem
from stranger import PROCESSES, Prefix
from tree import ROOT

LANGUAGES = {"c": ("first.c", "tutti"), "c++": ("first.cpp", "tutti"), "fortran": ("first.f90", "tutti-fortran")}
LONGEST_PROGRAM = 11


def main():
    prefix = Prefix(*sys.argv[1:])
    text = (ROOT / "README.md").read_text()
    total = sum(range(PROCESSES))
    expected = [f"rank {rank} of {PROCESSES}: sum {total}" for rank in range(PROCESSES)]
    with tempfile.TemporaryDirectory() as folder:
        for language, (name, package) in LANGUAGES.items():
            if language not in prefix.compilers:
                continue
            source = re.search(rf"```{re.escape(language)}\n(.*?)```", text, flags=re.S).group(1)
            if len(source.splitlines()) > LONGEST_PROGRAM:
                problem(f"the {language} program has {len(source.splitlines())} lines")
            file, program = pathlib.Path(folder, name), pathlib.Path(folder, name + ".out")
            file.write_text(source)
            if message := prefix.compile(language, package, file, program):
                problem(message)
                continue
            code, lines, errors = prefix.run(program)
            if code != 0 or [re.sub(r"(sum \d+)\.0*$", r"\1", line) for line in lines] != expected:
                problem(f"{language}: exit code {code}, printed {lines}, expected {expected}\n{errors}")
    finish(f"{len(prefix.compilers)} programs")


main()
