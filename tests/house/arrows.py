# SPDX-License-Identifier: BSD-3-Clause
"""Checks that no folder uses one above it: by an include, by a path in its CMake files, or by a
file that it embeds. The build enforces the layers in src/ and study/ (cmake/TuttiLayer.cmake)."""

import re

from problems import finish, problem
from tree import ROOT, files

# Each folder, the lowest first, and the folders that it may use besides itself.
MAY_USE = {
    "include": set(),
    "src": {"include"},
    "frontends": {"include"},
    "support": {"include", "src"},
    "study": {"include", "src", "support"},
    "playground": {"include", "src", "support", "study"},
    "command": {"include", "src", "support", "study"},
    "examples": {"include"},
    "apps": {"include", "support", "study/bsp_model"},
    # The list of the calls of MPI that we take over is all that papers/ reads of frontends/.
    "papers": {"include", "src", "support", "study", "command", "examples",
               "frontends/mpi/operations.def"},
    "python": {"include"},
    "bench": {"include", "src", "frontends", "support", "study", "command", "examples", "apps",
              "papers"},
}
NEUTRAL = ("cmake", "man", "scripts", "LICENSES", "docs")  # everybody's build may name these
SOURCES = (".c", ".h", ".cpp", ".hpp", ".inc", ".def")


def may_use(folder, path):
    return any(path == one or path.startswith(f"{one}/") for one in {folder, *MAY_USE[folder]})


def check_includes(path, folder, by_name):
    for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*(?:"|<(?=tutti))([^">]+)[">]', line)
        if not include:
            continue
        # The file may be any whose path ends so; one that may be used is enough.
        name = include.group(1)
        found = [one for one in by_name.get(name.rsplit("/", 1)[-1], ())
                 if f"/{one}".endswith(f"/{name}")]
        if found and not any(may_use(folder, one) for one in found):
            problem(f"{path}:{number}: {folder}/ includes {found[0]}, which is above it")


def check_build(path, folder):
    for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
        for used in re.findall(r"\$\{PROJECT_SOURCE_DIR\}/([\w./-]+)", line.partition("#")[0]):
            if not may_use(folder, used) and used.split("/")[0] not in NEUTRAL:
                problem(f"{path}:{number}: {folder}/ uses {used}, which is above it")


def main():
    paths = [str(path) for path in files()]
    by_name = {}
    for path in paths:
        if path.split("/")[0] in MAY_USE:
            by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
    checked = 0
    for path in paths:
        folder = path.split("/")[0]
        if folder not in MAY_USE:
            continue
        if path.endswith(SOURCES):
            check_includes(path, folder, by_name)
            checked += 1
        elif path.endswith(("CMakeLists.txt", ".cmake")):
            check_build(path, folder)
            checked += 1
    finish(f"{checked} files of {len(MAY_USE)} folders")


main()
