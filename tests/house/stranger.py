# SPDX-License-Identifier: BSD-3-Clause
"""Compiles and runs programs with an installed tutti, as other people do who have only pkg-config.
It also says what the programs of the tests must print. consumers.py and manual_examples.py use it.
"""

import os
import pathlib
import shlex
import subprocess

PROCESSES = 3


class Prefix:
    """Describes an installed tree and the compilers that use it."""

    def __init__(self, prefix, c_compiler, cpp_compiler, fortran_compiler=None):
        self.path = pathlib.Path(prefix)
        self.compilers = {"c": [c_compiler, "-std=c11"], "c++": [cpp_compiler, "-std=c++20"]}
        if fortran_compiler:  # else tutti was built without Fortran
            self.compilers["fortran"] = [fortran_compiler]

    def environment(self):
        """Returns an environment in which pkg-config and CMake find the package. LD_LIBRARY_PATH is
        not set: programs must find the libraries by themselves."""
        variables = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        return variables | {
            "PKG_CONFIG_PATH": str(self.path / "lib/pkgconfig"), "CMAKE_PREFIX_PATH": str(self.path)
        }

    def flags(self, package):
        # pkg-config quotes for the shell, and quotes each byte of a letter outside of ASCII.
        done = subprocess.run(["pkg-config", "--cflags", "--libs", package],
                              capture_output=True,
                              check=True,
                              env=self.environment())
        return shlex.split(os.fsdecode(done.stdout))

    def pvm_flags(self):
        """Returns the flags that `tutti pvm-cc` prints, which are quoted for the shell."""
        command = [self.path / "bin/tutti", "pvm-cc"]
        return shlex.split(
            subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    def login(self):
        """Returns what a login sets for the linker, from which programs find the libraries."""
        return {"LD_RUN_PATH": str(self.path / "lib")}

    def compile(self, language, package, source, program):
        """Compiles a program as after a login. Returns None, or the messages of the compiler if it
        fails."""
        command = [
            *self.compilers[language], "-Wall", "-Wextra", "-Werror",
            str(source), "-o",
            str(program), *self.flags(package)
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, **self.login()})
        return None if done.returncode == 0 else f"{' '.join(command)}\n{done.stderr}"

    def run(self, program):
        """Runs a job of PROCESSES processes. Returns its exit code and its sorted lines."""
        done = subprocess.run([
            str(self.path / "bin/tutti"), "run", "-n",
            str(PROCESSES), "--timeout", "60",
            str(program)
        ],
                              capture_output=True,
                              text=True,
                              check=False,
                              env=self.environment(),
                              stdin=subprocess.DEVNULL)
        return done.returncode, sorted(done.stdout.splitlines()), done.stderr
