# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the target product builds every file that is installed, and the target core those of
the component tutti: `make install` and the packages build only the first, and `make test` only the
second. Arguments: ninja and the build folder."""
import re
import subprocess
import sys
from pathlib import Path

from problems import finish, problem

NINJA, BUILD = sys.argv[1], Path(sys.argv[2])
if not (BUILD / "build.ninja").is_file():
    print("skipped: this folder is not built by ninja")
    sys.exit(77)


def ninja(*words):
    """Returns the lines that a tool of ninja prints."""
    return subprocess.run([NINJA, "-C", BUILD, "-t", *words], capture_output=True, text=True,
                          check=True).stdout.splitlines()


def words_of(target):
    """Returns the words of all commands that make a target, among them the files that they make.
    Commands may have a backslash before a space of a path."""
    return {word for line in ninja("commands", target)
            for word in re.split(r"[\s='\"]+", line.replace("\\", "").replace(f"{BUILD}/", ""))}


def installed():
    """Returns the files that are made and installed, each with its component."""
    made = {line.rsplit(": ", 1)[0] for line in ninja("targets", "all")}
    found, component = {}, ""
    for script in BUILD.rglob("cmake_install.cmake"):
        for line in script.read_text().splitlines():
            if block := re.search(r'CMAKE_INSTALL_COMPONENT STREQUAL "(\w+)"', line):
                component = block[1]
            for name in re.findall(rf'"{re.escape(str(BUILD))}/([^"]+)"', line):
                if name in made:
                    found[name] = component
    return found


FILES = installed()
MADE = {"tutti": words_of("core")}  # by component; product makes all others
PRODUCT = words_of("product")
for file, part in sorted(FILES.items()):
    if file not in MADE.get(part, PRODUCT):
        problem(f"{file} is installed, but the target "
                f"{'core' if part in MADE else 'product'} does not build it")
if not any(file.endswith("/tutti") for file in FILES):
    problem("the command tutti is not installed")
if set(FILES.values()) - {"tutti", "apps", "papers", "prove"}:
    problem(f"there are the components {sorted(set(FILES.values()))}")
finish(f"{len(FILES)} files that are built and installed")
