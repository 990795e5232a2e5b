# SPDX-License-Identifier: BSD-3-Clause
"""How programs of strangers are compiled with pkg-config and run, and what the programs here must
print."""

import os
import pathlib
import shlex
import subprocess

PROCESSES = 3


class Prefix:
    """An installed tree with compilers to use it."""

    def __init__(self, prefix, c_compiler, cpp_compiler, fortran_compiler=None):
        self.path = pathlib.Path(prefix)
        self.compilers = {"c": [c_compiler, "-std=c11"], "c++": [cpp_compiler, "-std=c++20"]}
        if fortran_compiler:  # else tutti was built without Fortran
            self.compilers["fortran"] = [fortran_compiler]

    def environment(self):
        """What finds the package. Nothing says where its libraries are: programs must know."""
        variables = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        return variables | {
            "PKG_CONFIG_PATH": str(self.path / "lib/pkgconfig"), "CMAKE_PREFIX_PATH": str(self.path)
        }

    def flags(self, package):
        # Quoted for the shell, and each byte of a letter outside of ASCII by itself.
        done = subprocess.run(["pkg-config", "--cflags", "--libs", package],
                              capture_output=True,
                              check=True,
                              env=self.environment())
        return shlex.split(os.fsdecode(done.stdout))

    def pvm_flags(self):
        """What `tutti pvm-cc` prints: quoted for the shell, too."""
        command = [self.path / "bin/tutti", "pvm-cc"]
        return shlex.split(
            subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    def compile(self, language, package, source, program):
        """None, or what the compiler said."""
        command = [
            *self.compilers[language], "-Wall", "-Wextra", "-Werror",
            str(source), "-o",
            str(program), *self.flags(package)
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return None if done.returncode == 0 else f"{' '.join(command)}\n{done.stderr}"

    def run(self, program):
        """Exit code and sorted lines of a job of PROCESSES processes."""
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
