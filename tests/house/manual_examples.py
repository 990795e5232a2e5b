# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the C programs in the manual pages compile with an installed tree, without a warning,
and run. Arguments: prefix, C, C++ and Fortran compiler."""

import os
import pathlib
import subprocess
import sys
import tempfile

import man_pages
from problems import finish, problem
from stranger import Prefix
from tree import ROOT

# The page bsp_backend needs no example, because no program includes its header.
WITHOUT_EXAMPLE = {"bsp_backend"}


def pvm(prefix, source, program):
    """Compiles a program with the flags that `tutti pvm-cc` prints and runs it without `tutti run`,
    as programs of PVM run. Returns an error text or None."""
    command = [
        *prefix.compilers["c"], "-Wall", "-Werror", source, "-o", program, *prefix.pvm_flags()
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr
    done = subprocess.run([program],
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=60,
                          cwd=program.parent,
                          env=dict(os.environ, TUTTI_PVM_MACHINE="none"),
                          stdin=subprocess.DEVNULL)
    return None if done.returncode == 0 and done.stdout else (f"exit code {done.returncode}, "
                                                              f"'{done.stdout}'\n{done.stderr}")


def by_pkg_config(prefix, package, source, program):
    if message := prefix.compile("c", package, source, program):
        return message
    code, lines, errors = prefix.run(program)
    return None if code == 0 and lines else f"exit code {code}, printed {lines}\n{errors}"


def main():
    prefix, checked = Prefix(*sys.argv[1:]), 0
    with tempfile.TemporaryDirectory() as folder:
        for source in man_pages.pages():
            if not source.header or source.name in WITHOUT_EXAMPLE:
                continue
            checked += 1
            file, program = pathlib.Path(folder,
                                         source.name + ".c"), pathlib.Path(folder, source.name)
            file.write_text(source.example())
            package = source.library
            message = pvm(prefix, file, program) if "pvm" in package else by_pkg_config(
                prefix, package, file, program)
            if message:
                problem(f"{source.name}: {message}")
    finish(f"{checked} examples")


main()
