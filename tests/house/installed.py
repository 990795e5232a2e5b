# SPDX-License-Identifier: BSD-3-Clause
"""What is installed is complete and depends on nothing outside the prefix. Argument: the prefix."""

import pathlib
import re
import subprocess
import sys

from problems import finish, problem

EXPECTED = [
    "bin/tutti", "include/tutti/tutti.h", "include/tutti/tutti.hpp", "include/tutti/tutti_runtime.h",
    "include/tutti-blacs/tutti_blacs.h", "include/tutti-bsp/bsp.h", "bin/bspcc", "bin/bsprun",
    "lib/libtutti.so.0", "lib/libtutti-bsp.so.0", "lib/pkgconfig/tutti-bsp.pc", "lib/libtutti-blacs.so.0", "lib/libtutti-fortran.so.0",
    "lib/tutti/pvm/include/pvm3.h", "lib/tutti/pvm/lib/libpvm3.so.3", "lib/tutti/pvm/lib/libgpvm3.so.3",
    "lib/tutti/pvm/lib/libfpvm3.a", "lib/tutti/pvm/include/fpvm3.h", "lib/tutti/pvm/bin/console",
    "lib/tutti/fortran/tutti.mod", "lib/pkgconfig/tutti.pc", "lib/pkgconfig/tutti-blacs.pc",
    "lib/pkgconfig/tutti-fortran.pc", "lib/cmake/tutti/tuttiConfig.cmake", "lib/cmake/tutti/tuttiConfigVersion.cmake",
    "share/man/man1/tutti.1", "share/man/man1/tutti-run.1", "share/man/man3/tutti_bcast.3",
    "share/man/man3/dgesd2d.3", "share/man/man3/bsp_put.3", "share/man/man7/tutti.7",
]


def dynamic(path):
    return subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True, check=True).stdout


def symbols(path):
    listed = subprocess.run(["nm", "-D", "--defined-only", str(path)], capture_output=True, text=True, check=True).stdout
    return [line.split()[2].split("@")[0] for line in listed.splitlines() if line.split()[1] != "A"]


# Where a real PVM was there to be linked with.
FOR_A_REAL_PVM = ["lib/libtutti-pvmd.so.0", "lib/tutti/pvmd/lib/libgpvm3.so.3"]


def main():
    prefix = pathlib.Path(sys.argv[1])
    if any((prefix / name).exists() for name in FOR_A_REAL_PVM):
        EXPECTED.extend(FOR_A_REAL_PVM)
    for name in EXPECTED:
        if not (prefix / name).exists():
            problem(f"{name} is not installed")
    libraries = [prefix / "lib" / f"lib{name}.so.0" for name in ("tutti", "tutti-blacs", "tutti-bsp", "tutti-fortran")]
    for path in [library for library in libraries if library.exists()]:
        if f"Library soname: [{path.name}]" not in dynamic(path):
            problem(f"{path.name}: SONAME is another")
    if libraries[0].exists():
        for name in symbols(libraries[0]):
            if not name.startswith("tutti_") and not name.startswith("TUTTI_"):
                problem(f"libtutti.so exports {name}")
    for path in [prefix / "bin/tutti", *libraries]:
        if path.exists() and (runpath := re.search(r"runpath: \[(.*)\]", dynamic(path))):
            if not runpath.group(1).startswith("$ORIGIN"):
                problem(f"{path.name}: run path {runpath.group(1)} leaves the prefix")
    finish(f"{len(EXPECTED)} files")


main()
