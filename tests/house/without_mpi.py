# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a tutti that was built without an MPI names the packages to install if a user needs
one. Argument: the prefix of a complete tree. The test uses a copy without the libraries and the
drivers for the MPIs."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from problems import finish, problem

PACKAGES = {"openmpi": ["openmpi-bin", "libopenmpi-dev"], "mpich": ["mpich", "libmpich-dev"]}
# Prints the text of the failure, both if it ends the process and if it is returned.
PROGRAM = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.tutti_error_text.restype = ctypes.c_char_p
if library.tutti_init() != 0:
    print(library.tutti_error_text().decode())
    sys.exit(1)
"""


def check(what, command, environment, packages):
    done = subprocess.run(command,
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=60,
                          stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **environment))
    said = done.stdout + done.stderr
    if done.returncode == 0:
        problem(f"{what}: succeeded without an MPI")
    for package in packages:
        if package not in said:
            problem(f"{what}: does not name {package}:\n{said}")


def main():
    prefix = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for name in [
                "bin/tutti",
                "libexec/tutti/tutti-measure",
                *[f"lib/{path.name}" for path in (prefix / "lib").glob("libtutti.so*")]
        ]:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(prefix / name, copy / name)
        tutti = str(copy / "bin/tutti")
        for mpi, packages in PACKAGES.items():
            check(f"a process under {mpi}",
                  [sys.executable, "-c", PROGRAM,
                   str(copy / "lib/libtutti.so.0")], {"TUTTI_TRANSPORT": mpi}, packages)
            check(f"tutti bench --against {mpi}",
                  [tutti, "bench", "--op", "allreduce", "-n", "2", "--against", mpi], {}, packages)
        check("tutti tune --hosts", [tutti, "tune", "--hosts"], {},
              [name for pair in PACKAGES.values() for name in pair])
    finish(f"{len(PACKAGES)} MPIs")


main()
