# SPDX-License-Identifier: BSD-3-Clause
"""Tests scripts/build. It configures each time, makes warnings errors only if TUTTI_STRICT=1 is
set, notices that a build folder belongs to another compiler or comes from another place, and builds
as the owner of the tree if root calls it. A configuration finds an MPI that was installed after an
earlier one did not find it. Argument: cmake."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from problems import finish, problem
from tree import ROOT

# Stands in for cmake and writes its arguments and its user to the file $CALLS.
CMAKE = '#!/bin/sh\nprintf "%s " "$@" >>"$CALLS"\necho "by $(id -u)" >>"$CALLS"\n'
FIND = """cmake_minimum_required(VERSION 3.25)
project(found_later LANGUAGES NONE)
set(TUTTI_MPI OFF CACHE BOOL "")
include("{folder}/TuttiLeftOut.cmake")
include("{folder}/TuttiMpi.cmake")
tutti_find_mpi(late late "{mpi}/include" "{mpi}/lib")
if(TARGET tutti_mpi_late)
  message(STATUS "late was found")
endif()
"""


class Copy:
    """Makes a tree with a copy of scripts/build and with a cmake that only records its calls."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder) / "a tree"
        self.calls = pathlib.Path(folder) / "calls"
        bin_folder = pathlib.Path(folder) / "bin"
        for new in (self.root / "scripts", self.root / "build/release", bin_folder):
            new.mkdir(parents=True)
        for name in ("build", "ccache.sh"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts" / name)
        (bin_folder / "cmake").write_text(CMAKE)
        (bin_folder / "cmake").chmod(0o755)
        self.environment = {"PATH": f"{bin_folder}:{os.environ['PATH']}", "CALLS": str(self.calls)}

    def build(self, **variables):
        """Runs scripts/build; returns its exit code, its stderr and the calls of cmake."""
        self.calls.write_text("")
        done = subprocess.run([str(self.root / "scripts/build"), "release", "something"],
                              capture_output=True,
                              text=True,
                              check=False,
                              env=dict(self.environment, **variables))
        return done.returncode, done.stderr, self.calls.read_text().splitlines()


def check_calls(copy):
    for variables, expected in (({}, "OFF"), ({"TUTTI_STRICT": "1"}, "ON"),
                                ({"TUTTI_STRICT": "0", "CI": "true"}, "OFF"), ({}, "OFF")):
        code, said, calls = copy.build(**variables)
        if code != 0 or len(calls) != 2:
            problem(f"with {variables}: code {code}, {said}, calls {calls}")
        elif "--preset release" not in calls[0] or f"-DTUTTI_WERROR={expected} " not in calls[0]:
            problem(f"with {variables}: configures by {calls[0]}")
        elif "--build --preset release --target something" not in calls[1]:
            problem(f"with {variables}: builds by {calls[1]}")


def check_compilers(copy):
    (copy.root / "build/release/CMakeCache.txt").write_text("CMAKE_C_COMPILER:FILEPATH=/bin/sh\n"
                                                            "CMAKE_CXX_COMPILER:STRING=/bin/cat\n")
    code, said, calls = copy.build(CC="/bin/sh", CXX="/bin/cat")
    if code != 0 or len(calls) != 2:
        problem(f"the compilers of before: code {code}, {said}")
    for variable in ("CC", "CXX"):
        code, said, calls = copy.build(**{variable: "/bin/ls"})
        if code == 0 or calls or f"not with {variable}=/bin/ls" not in said:
            problem(f"another {variable}: code {code}, calls {calls}, {said}")


def check_moved(copy):
    """Checks that CMake begins anew in a tree that was moved, and there only."""
    cache = copy.root / "build/release/CMakeCache.txt"
    for home, fresh in (("/another/tree", True), (copy.root, False)):
        cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
        code, said, calls = copy.build()
        if code != 0 or len(calls) != 2 or ("--fresh" in calls[0]) != fresh or \
                (f"comes from {home}" in said) != fresh:
            problem(f"a folder of {home}: code {code}, calls {calls}, {said}")
    cache.unlink()


def check_owner(copy):
    """Checks that root builds as the owner of the tree. Only root can run this check, and only
    where root may change its user."""
    if os.geteuid() != 0:
        return
    owner = 1
    folder = copy.root.parent
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner, owner)
    code, said, calls = copy.build()
    if code != 0 or len(calls) != 2 or not all(call.endswith(f" by {owner}") for call in calls):
        problem(f"called by root in the tree of user {owner}: code {code}, calls {calls}, {said}")


def check_found_later(cmake, folder):
    source = pathlib.Path(folder) / "source"
    mpi = pathlib.Path(folder) / "mpi"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(FIND.format(folder=ROOT / "cmake", mpi=mpi))
    configure = [cmake, "-S", str(source), "-B", str(source / "build")]
    first = subprocess.run(configure, capture_output=True, text=True, check=True)
    for name in ("include/mpi.h", "lib/liblate.so"):
        (mpi / name).parent.mkdir(parents=True)
        (mpi / name).touch()
    second = subprocess.run(configure, capture_output=True, text=True, check=True)
    if "late was found" in first.stdout or "late was found" not in second.stdout:
        problem(
            f"an MPI installed after the first configuration:\n{first.stdout}\n"
            f"{second.stdout}{second.stderr}"
        )


def main():
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(folder)
        check_calls(copy)
        check_compilers(copy)
        check_moved(copy)
        check_owner(copy)
        check_found_later(sys.argv[1], folder)
    finish("scripts/build")


main()
