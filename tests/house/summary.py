# SPDX-License-Identifier: BSD-3-Clause
"""Checks the summary of `make test` and `make test-rest`, which names each failed test with the
command that repeats it. The script test.sh runs in a small tree with tests that pass and fail, in a
folder with a space in its path. The commands are run, too."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from problems import finish, problem
from tree import ROOT

TREE = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
enable_testing()
function(small name label)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${label}")
endfunction()
small(passes unit true)
small(test_base unit true "${CMAKE_BINARY_DIR}/made")
small(fails.a unit false)
small(failsxa unit true)
small(house_fails house false)
small(processes frontend true)
small(fails_not fault true)
small(left_out "house;full" false)
small(rest_fails "unit;rest" false)
foreach(target product papers apps bench prove)
  add_custom_target(${target})
endforeach()
add_custom_command(OUTPUT made COMMAND ${CMAKE_COMMAND} -E touch made
                   COMMAND ${CMAKE_COMMAND} -E ${ASAN})
add_custom_target(makes DEPENDS made)
"""
PRESETS = """{"version": 6, "configurePresets": [
  {"name": "release", "generator": "Ninja",
   "binaryDir": "${sourceDir}/build/release", "cacheVariables": {"ASAN": "true"}},
  {"name": "asan", "generator": "Ninja",
   "binaryDir": "${sourceDir}/build/asan", "cacheVariables": {"ASAN": "false"}}],
 "buildPresets": [{"name": "release", "configurePreset": "release"},
                   {"name": "asan", "configurePreset": "asan"}]}
"""
FAILED = {"quick": {"fails.a", "house_fails"}, "rest": {"rest_fails", "build of asan"}}


def shell(folder, command):
    """Runs a command without a choice of compilers, because the small tree has no language."""
    without = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX")}
    return subprocess.run(["bash", "-c", command],
                          cwd=folder,
                          env=without,
                          capture_output=True,
                          text=True,
                          check=False)


def small_tree(folder):
    (folder / "scripts").mkdir(parents=True)
    for name in ("test.sh", "test_programs.py", "build", "ccache.sh"):
        shutil.copy(ROOT / "scripts" / name, folder / "scripts")
    (folder / "CMakeLists.txt").write_text(TREE)
    (folder / "CMakePresets.json").write_text(PRESETS)


def repeated(folder, name, command):
    """Checks that the command runs that test and no other, and that it fails again."""
    done = shell(folder, command)
    if done.returncode == 0:
        problem(f"{command} does not fail")
    ran = re.findall(r"Test\s+#\d+: (\S+)", done.stdout)
    if ran != ([] if name.startswith("build") else [name]):
        problem(f"{command} ran {ran}\n{done.stdout}{done.stderr}")


def check_failures(folder, part):
    done = shell(folder, f"scripts/test.sh {part}")
    if done.returncode != 1:
        problem(f"exit code {done.returncode}, not 1")
    end = done.stdout.rpartition("\n== failed, and what repeats it in ")[2].splitlines()
    if not end or end[0] != f"'{folder}'":
        problem(
            f"the list does not begin with the folder but with {end[:1]}\n"
            f"{done.stdout}{done.stderr}"
        )
        return
    if part == "rest" and not re.search(
            r"unit tests under ASan and UBSan +not run, for its build failed", done.stdout):
        problem(f"tests of a build that failed are not said to be left out\n{done.stdout}")
    listed = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in end[1:])
    if listed.keys() != FAILED[part]:
        problem(
            f"what failed is {sorted(FAILED[part])}, not {sorted(listed)}\n{done.stdout}")
    for name, command in listed.items():
        repeated(folder, name, command)


def check_success(folder):
    """Checks the summary of the tree after all failures in it have been removed."""
    (folder / "CMakeLists.txt").write_text(
        TREE.replace(" false)", " true)").replace("${ASAN}", "true"))
    done = shell(folder, "scripts/test.sh quick && scripts/test.sh rest")
    wanted = [
        "build: release", "tests that compute, tests of the tree: release",
        "tests with processes: release", "tests of failures: release",
        "papers, applications, benches, prover: release", "unit tests under ASan and UBSan"
    ]
    if done.returncode != 0 or "failed, and" in done.stdout or not all(f"{name} " in done.stdout
                                                                       for name in wanted):
        problem(f"all pass, yet exit code {done.returncode}\n{done.stdout}{done.stderr}")


def check_parts(folder):
    shown = shell(folder, "scripts/test.sh full list")
    if shown.returncode != 0 or not re.search(r"^  asan +\S", shown.stdout, flags=re.M):
        problem(f"list of parts: exit code {shown.returncode}\n{shown.stdout}{shown.stderr}")
    refused = shell(folder, "scripts/test.sh full nonsense")
    said = refused.stderr
    if refused.returncode != 2 or "'nonsense'" not in said or "asan" not in said:
        problem(
            f"a part that is none: exit code {refused.returncode}\n{refused.stdout}{refused.stderr}"
        )


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve() / "a tree"
        small_tree(folder)
        for part in FAILED:
            check_failures(folder, part)
        check_success(folder)
        check_parts(folder)
    finish(f"{sum(map(len, FAILED.values()))} failures repeated")


if __name__ == "__main__":
    sys.exit(main())
