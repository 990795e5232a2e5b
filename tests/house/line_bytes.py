# SPDX-License-Identifier: BSD-3-Clause
"""Builds the transport with cache lines of 128 bytes (docs/internals/building.md, "Two lengths of a
cache line") and runs its tests and those of the services. Arguments: cmake, C and C++ compiler."""

import pathlib
import subprocess
import sys
import tempfile

from problems import finish, problem
from tree import ROOT

TESTS = ("transport/test_transport", "transport/test_transport_pages", "services/test_services")


def run(*command):
    """Returns what the command prints, or nothing and a problem if it fails."""
    done = subprocess.run([str(part) for part in command],
                          capture_output=True,
                          text=True,
                          check=False)
    if done.returncode == 0:
        return done.stdout
    problem(f"{' '.join(map(str, command))}: exit code {done.returncode}\n"
            f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return None


def main():
    cmake, c_compiler, cpp_compiler = sys.argv[1:]
    ran = 0
    with tempfile.TemporaryDirectory() as folder:
        built = run(cmake, "-S", ROOT, "-B", folder, "-G", "Ninja",
                    f"-DCMAKE_C_COMPILER={c_compiler}", f"-DCMAKE_CXX_COMPILER={cpp_compiler}",
                    "-DCMAKE_BUILD_TYPE=Release", "-DTUTTI_UNITY=ON", "-DTUTTI_LINE_BYTES=128",
                    "-DTUTTI_BENCH=OFF", "-DTUTTI_MPI=OFF", "-DTUTTI_PVMD=OFF") is not None
        targets = [test.rpartition("/")[2] for test in TESTS]
        built = built and run(cmake, "--build", folder, "--target", *targets) is not None
        for test in TESTS if built else ():
            said = run(pathlib.Path(folder, "tests", test))
            ran += said is not None and "[  PASSED  ]" in said
    if built and ran != len(TESTS):
        problem(f"{ran} of {len(TESTS)} tests passed")
    finish(f"{ran} tests")


main()
