# SPDX-License-Identifier: BSD-3-Clause
"""Checks the configuration without a Fortran compiler and without Sphinx. The parts in Fortran and
the manual pages are left out, and a line of each says so. If a compiler is installed later, the
next configuration finds it. TUTTI_FORTRAN=OFF leaves these parts out, too. Arguments: cmake, C and
C++ compiler."""

import os
import subprocess
import sys
import tempfile

from problems import finish, problem
from tree import ROOT


class Build:
    """Configures a build folder and builds nothing in it."""

    def __init__(self, folder, cmake, c_compiler, cpp_compiler):
        self.folder, self.cmake = folder, cmake
        self.options = [
            "-G", "Ninja", f"-DCMAKE_C_COMPILER={c_compiler}",
            f"-DCMAKE_CXX_COMPILER={cpp_compiler}", "-DTUTTI_BENCH=OFF", "-DTUTTI_TESTS=OFF",
            "-DTUTTI_MPI=OFF", "-DTUTTI_PVMD=OFF", "-DTUTTI_SPHINX=OFF",
            "--log-level=NOTICE"
        ]

    def run(self, *command, **variables):
        return subprocess.run(command,
                              capture_output=True,
                              text=True,
                              check=False,
                              env=dict(os.environ, **variables))

    def configure(self, *options, **variables):
        """Configures the folder; returns the lines that name the parts that are left out."""
        done = self.run(self.cmake, "-S", ROOT, "-B", self.folder, *self.options, *options,
                        **variables)
        if done.returncode != 0:
            problem(f"configuring with {options} {variables}: {done.stderr}")
        return [
            line for line in done.stderr.splitlines() if line.startswith("tutti is built without")
        ]

    def has_module(self):
        listed = self.run(self.cmake, "--build", self.folder, "--target", "help").stdout
        return "tutti-fortran:" in listed

    def demo(self):
        return self.run(self.cmake, "--build", self.folder, "--target", "demo")


def check(what, build, said, wanted, module):
    if len(said) != len(wanted) or any(word not in line for word, line in zip(wanted, said)):
        problem(f"{what}: says {said}, expected {wanted}")
    if build.has_module() != module:
        problem(f"{what}: the module is {'missing' if module else 'there'}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        build = Build(folder, *sys.argv[1:])
        check("no compiler, no Sphinx", build, build.configure(FC="/bin/false"),
              ["(package gfortran)", "(packages python3-sphinx"], False)
        check("no compiler, again", build, build.configure(FC="/bin/false"), [], False)
        demo = build.demo()
        if demo.returncode == 0 or "gfortran" not in demo.stdout:
            problem(f"the demo without Fortran: code {demo.returncode}, {demo.stdout}")
        check("a compiler since", build, build.configure(), [], True)
        check("not wanted", build, build.configure("-DTUTTI_FORTRAN=OFF"), ["TUTTI_FORTRAN is OFF"],
              False)
    finish("4 configurations")


main()
