# SPDX-License-Identifier: BSD-3-Clause
"""Installs twice below a DESTDIR, as a distribution does, and uninstalls. The installed files must
name neither DESTDIR nor the build folder. Uninstalling must remove all of them, and the folders
that were made for them, and nothing else. A prefix that would be cut in run paths is refused.
Arguments: cmake, the build folder, and what `cmake --install` is told besides."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from problems import finish, problem
from tree import ROOT

PREFIX = "/opt/a prefix"
# Files of other programs, in common folders and in folders of tutti.
FOREIGN = [
    "bin/other", "lib/libother.so", "share/doc/other/README", "lib/tutti/other", "share/tutti/other"
]
# Folders that are there before the installation, and empty.
FOLDERS = ["share/man/man3", "lib/pkgconfig", "var"]


def run(environment, *command):
    return subprocess.run(command,
                          capture_output=True,
                          text=True,
                          check=False,
                          env=dict(os.environ, **environment))


def files(folder):
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if not path.is_dir() or path.is_symlink()
    }


def folders(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_dir()}


def with_parents(names):
    return {
        str(path)
        for name in names
        for path in (pathlib.Path(name), *pathlib.Path(name).parents)
    } - {"."}


def installed(environment, prefix):
    done = run(environment, sys.argv[1], "--install", sys.argv[2], "--prefix", PREFIX,
               *sys.argv[3:])
    if done.returncode != 0:
        problem(f"installing: {done.stderr}")
    return files(prefix)


def check_paths(prefix, stage):
    forbidden = [str(stage).encode(), str(pathlib.Path(sys.argv[2]).resolve()).encode()]
    for name in sorted(files(prefix)):
        path = prefix / name
        if not path.is_symlink() and any(text in path.read_bytes() for text in forbidden):
            problem(f"{name} names the build folder or DESTDIR")


def check_new_prefix():
    """Where there was no prefix, there is none afterwards. The folder around it is the user's."""
    with tempfile.TemporaryDirectory() as folder:
        environment, prefix = {"DESTDIR": folder}, pathlib.Path(folder) / PREFIX[1:]
        for _ in range(2):  # the second installation finds the folders that the first one made
            installed(environment, prefix)
        run(environment, str(ROOT / "scripts/uninstall"), PREFIX)
        if (left := folders(pathlib.Path(folder))) != {"opt"}:
            problem(f"uninstalling left the folders {sorted(left)}")


def check_cut_prefix():
    """Programs could be linked below such a prefix, but not started. So nothing is installed there,
    neither by CMake nor by make, which says so before it builds."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a,b", "a:b"):
            prefix = pathlib.Path(folder, name)
            for command in ([sys.argv[1], "--install", sys.argv[2], "--prefix", prefix],
                            ["make", "-C", ROOT, "install", f"PREFIX={prefix}"]):
                done = run({"TUTTI_NO_DEPS": "1"}, *command)
                said = " ".join(done.stderr.split())
                if done.returncode == 0 or prefix.exists() or not re.search(
                        f"cannot be installed below '.*{name}'.* cut at '{name[1]}'", said):
                    problem(f"{' '.join(map(str, command))}: code {done.returncode}, {said}")


def main():
    check_cut_prefix()
    check_new_prefix()
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder)
        prefix, environment = stage / PREFIX[1:], {"DESTDIR": folder}
        for name in FOLDERS:
            (prefix / name).mkdir(parents=True)
        first = installed(environment, prefix)
        check_paths(prefix, stage)
        for name in FOREIGN:
            (prefix / name).parent.mkdir(parents=True, exist_ok=True)
            (prefix / name).touch()
        if installed(environment, prefix) != first | set(FOREIGN):
            problem("the second installation has other files than the first")
        script = str(ROOT / "scripts/uninstall")
        done = run(environment, script, PREFIX)
        if done.returncode != 0 or files(prefix) != set(FOREIGN):
            problem(
                f"uninstalling left {sorted(files(prefix) - set(FOREIGN))} and took "
                f"{set(FOREIGN) - files(prefix)}: "
                f"{done.stderr}")
        before = with_parents(FOLDERS) | (with_parents(FOREIGN) - set(FOREIGN))
        if folders(prefix) != before:
            problem(f"uninstalling left the folders {sorted(folders(prefix) - before)} and took "
                    f"{sorted(before - folders(prefix))}")
        again = run(environment, script, PREFIX)
        if again.returncode == 0 or "nothing was installed" not in again.stderr:
            problem(f"uninstalling what is not there: code {again.returncode}, {again.stderr}")
    finish(f"{len(first)} files")


main()
