# SPDX-License-Identifier: BSD-3-Clause
"""Builds the programs in examples/ with an installed tree and runs them, once through CMake's
find_package and once through pkg-config. An old program of PVM is built with the flags that the
installed command prints. Arguments: prefix, C, C++ and Fortran compiler."""

import pathlib
import subprocess
import sys
import tempfile

from problems import finish, problem
from stranger import Prefix
from tree import ROOT

# source: language, package, target in examples/CMakeLists.txt
NO_TASKS = '{\n  "tutti_pvm": 1,\n  "tasks": []\n}\n'
PROGRAMS = {
    "pi.c": ("c", "tutti", "pi_c"),
    "halves.cpp": ("c++", "tutti", "halves_cpp"),
    "ring.f90": ("fortran", "tutti-fortran", "ring_fortran"),
    "grid.c": ("c", "tutti-blacs", "grid_c"),
    "resistors.c": ("c", "tutti-blacs", "resistors_c"),
    "grid94.c": ("c", "tutti-blacs94", "grid94_c"),
    "inner_product.c": ("c", "tutti-bsp", "inner_product_c"),
    "bspwrapper.cpp": ("c++", "tutti-bspwrapper", "bspwrapper_cpp"),
    "conjugate_gradients.c": ("c", "tutti-icc", "conjugate_gradients_c"),
    "jacobi.c": ("c", "tutti-nx", "jacobi_c"),
    "two_libraries94.c": ("c", "tutti-nx tutti-blacs94", "two_libraries94_c"),
    "complete_exchange.c": ("c", "tutti-nx", "complete_exchange_c"),
    "grid.f90": ("fortran", "tutti-blacs", "grid_fortran"),
    "trace.f90": ("fortran", "tutti-blacs", "trace_fortran"),
    "task_farm.f90": ("fortran", "tutti-blacs", "task_farm_fortran"),
}


def programs(prefix):
    """Returns the entries of PROGRAMS for which there is a compiler."""
    return {
        source: program
        for source, program in PROGRAMS.items()
        if program[0] in prefix.compilers
    }


def check_run(prefix, how, program):
    code, lines, errors = prefix.run(program)
    if code != 0 or not lines:
        problem(f"{program.name} ({how}): exit code {code}, printed {lines}\n{errors}")


def check_alone(how, program):
    """Checks that a program that is started without `tutti run` and with an empty environment finds
    its libraries by its run path."""
    done = subprocess.run([program],
                          capture_output=True,
                          text=True,
                          check=False,
                          env={},
                          timeout=60,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0 and "error while loading" in done.stderr:
        problem(f"{program.name} ({how}), alone: exit code {done.returncode}\n{done.stderr}")


def old_standard(prefix, folder):
    """Checks that a compiler for an older C++ prints one line of tutti.hpp that names the standard
    it needs."""
    source = folder / "old.cpp"
    source.write_text("#include <tutti/tutti.hpp>\nint main() {}\n")
    command = [
        prefix.compilers["c++"][0], "-std=c++17", "-fsyntax-only", source, *prefix.flags("tutti")
    ]
    done = subprocess.run(command,
                          capture_output=True,
                          text=True,
                          check=False,
                          env=dict(prefix.environment(), LC_ALL="C"))
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    if done.returncode == 0 or not any("tutti.hpp needs C++20" in line for line in errors) \
            or len([line for line in errors if "error:" in line]) != 1:
        problem(f"C++17: exit code {done.returncode}, {len(errors)} errors: {done.stderr[:500]}")


def by_cmake(prefix, folder):
    compilers = [
        f"-DCMAKE_{language}_COMPILER={prefix.compilers[key][0]}"
        for language, key in (("C", "c"), ("CXX", "c++"), ("Fortran", "fortran"))
        if key in prefix.compilers
    ]
    for command in (["cmake", "-S", str(ROOT / "examples"), "-B", str(folder), *compilers],
                    ["cmake", "--build", str(folder)]):
        done = subprocess.run(command,
                              capture_output=True,
                              text=True,
                              check=False,
                              env=prefix.environment())
        if done.returncode != 0:
            problem(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
            return
    for _, _, target in programs(prefix).values():
        check_run(prefix, "find_package", folder / target)
        check_alone("find_package", folder / target)


def check_packages(prefix):
    """Checks that pkg-config's files name the licence, no run path, and each folder as it is."""
    files = sorted(prefix.path.glob("lib/pkgconfig/*.pc"))
    for file in files:
        text = file.read_text()
        if "\nLicense: BSD-3-Clause\n" not in text or "rpath" in text or "..//" in text:
            problem(f"{file.name}: {text}")
    if len(files) < 7:
        problem(f"the files of pkg-config are {files}")


def by_pkg_config(prefix, folder):
    check_packages(prefix)
    for source, (language, package, target) in programs(prefix).items():
        program = folder / f"{target}_pc"
        if message := prefix.compile(language, package, ROOT / "examples" / source, program):
            problem(message)
        else:
            check_run(prefix, "pkg-config", program)
            check_alone("pkg-config", program)
    check_without_login(prefix, folder / "without_login")


def check_without_login(prefix, program):
    """Checks that `tutti run` starts a program that nothing tells where the libraries are."""
    prefix.login = dict
    if message := prefix.compile("c", "tutti", ROOT / "examples/pi.c", program):
        problem(message)
        return
    check_run(prefix, "without LD_RUN_PATH", program)
    if subprocess.run([program], capture_output=True, check=False, env={}).returncode == 0:
        problem("a program without a run path starts alone, so the other checks show nothing")


def by_pvm_cc(prefix, folder):
    tutti, program = prefix.path / "bin/tutti", folder / "old_pvm"
    flags = prefix.pvm_flags()
    if outside := [
            flag for flag in flags if "/" in flag and str(prefix.path.resolve()) not in flag
    ]:
        problem(f"tutti pvm-cc says {outside}, which is not below the prefix")
    environment = dict(prefix.environment(),
                       XDG_RUNTIME_DIR=str(folder),
                       TUTTI_PVM_MACHINE="consumers")
    for command, wanted in (([
            prefix.compilers["c"][0], "-std=gnu89", "-w", ROOT / "tests/house/old_pvm.c", "-o",
            program, *flags
    ], ""), ([program], "sum 6\n"), ([tutti, "pvm", "start"], ""), ([program], "sum 6\n"),
                            ([tutti, "pvm", "ps", "--json"], NO_TASKS),
                            ([tutti, "pvm", "halt"], "")):
        done = subprocess.run(command,
                              capture_output=True,
                              text=True,
                              check=False,
                              env=environment,
                              timeout=60)
        if done.returncode != 0 or done.stdout != wanted:
            problem(
                f"{' '.join(map(str, command))}: exit code {done.returncode}, printed "
                f"'{done.stdout}'\n{done.stderr}"
            )


def main():
    prefix = Prefix(*sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        by_cmake(prefix, pathlib.Path(folder, "cmake"))
        by_pkg_config(prefix, pathlib.Path(folder))
        by_pvm_cc(prefix, pathlib.Path(folder))
        old_standard(prefix, pathlib.Path(folder))
    finish(f"{len(programs(prefix))} programs, 2 ways; one of PVM")


main()
