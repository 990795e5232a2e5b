# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the target product builds every file that is installed: `make install` and the
packages build only that target. Arguments: ninja and the build folder."""
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


made = {line.rsplit(": ", 1)[0] for line in ninja("targets", "all")}
# The words of all commands that make the product, among them the names of the files that they make.
# Commands may have a backslash before a space of a path.
product = {word for line in ninja("commands", "product")
           for word in re.split(r"[\s='\"]+", line.replace("\\", "").replace(f"{BUILD}/", ""))}
installed = set()
for script in BUILD.rglob("cmake_install.cmake"):
    for name in re.findall(rf'"{re.escape(str(BUILD))}/([^"]+)"', script.read_text()):
        if name in made:
            installed.add(name)
for name in sorted(installed - product):
    problem(f"{name} is installed, but the target product does not build it")
if not any(name.endswith("/tutti") for name in installed):
    problem("the command tutti is not installed")
finish(f"{len(installed)} files that are built and installed")
