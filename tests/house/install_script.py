# SPDX-License-Identifier: BSD-3-Clause
"""Tests scripts/install with a cmake that only records its calls. A relative PREFIX is one of the
caller's folder. Two lines at the end say what a login needs, and a shell finds the command by them.
`make` lists what users type, and `make help-developers` the rest, each target once."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from problems import finish, problem
from tree import ROOT

CMAKE = ('#!/bin/sh\nprintf "%s|" "$@" >>"$CALLS"\necho >>"$CALLS"\n'
         '[ "$1" != --install ] || echo "-- Installing: a file"\n')
CACHE = "CMAKE_INSTALL_LIBDIR:PATH=lib64\n"
# Users of tutti need no other targets.
OF_USERS = {"help", "help-developers", "deps", "build", "demo", "demo-all", "test", "install",
            "uninstall", "wheel", "deb", "dist", "clean"}


def run(environment, folder, *command):
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder,
                          env=environment)


def make_tree(folder):
    tree = folder / "a tree"
    for name, text in (("bin/cmake", CMAKE), ("a tree/scripts/build", "#!/bin/sh\n"),
                       ("a tree/build/release/CMakeCache.txt", CACHE),
                       ("a tree/build/release/install_manifest.txt", "")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    shutil.copy(ROOT / "scripts/install", tree / "scripts/install")
    return tree


def check_install(folder):
    tree = make_tree(folder)
    environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "CALLS": str(folder / "calls")}
    for given, prefix, words in ((folder / "x", folder / "x", "export PATH"),
                                 ("my own", folder / "my own", "export PATH"),
                                 ("/usr/local", "/usr/local", "make uninstall PREFIX=/usr/local")):
        (folder / "calls").write_text("")
        done = run(environment, folder, tree / "scripts/install", "release", str(given))
        calls = (folder / "calls").read_text().splitlines()
        lines = done.stdout.splitlines()
        if done.returncode != 0 or len(lines) != 2 or words not in lines[0] \
                or f"{prefix}/share/doc/tutti/docs/guide/" not in lines[1]:
            problem(f"PREFIX={given}: code {done.returncode}, {done.stdout}{done.stderr}")
        elif calls != [f"-DCMAKE_INSTALL_PREFIX={prefix}|-P|cmake/TuttiPrefix.cmake|",
                       f"--install|build/release|--prefix|{prefix}|"]:
            problem(f"PREFIX={given}: calls of cmake {calls}")
        elif words.startswith("export"):
            check_export(folder, prefix, lines[0].partition("export ")[2])
    done = run({**environment, "DESTDIR": "/stage"}, folder, tree / "scripts/install", "release",
               "/usr")
    if done.returncode != 0 or done.stdout:
        problem(f"below DESTDIR, the script says {done.stdout}")


def check_export(folder, prefix, words):
    """Types the words that are printed into a shell."""
    show = f'export {words} && echo "$PATH|$PKG_CONFIG_PATH|$LD_RUN_PATH"'
    said = run({"PATH": "/bin"}, folder, "/bin/sh", "-c", show).stdout
    if said != f"{prefix}/bin:/bin|{prefix}/lib64/pkgconfig|{prefix}/lib64\n":
        problem(f"after the printed line, the variables are {said}")


def listed(*words):
    done = run(os.environ, ROOT, "make", "--no-print-directory", *words)
    return re.findall(r"^  make ([a-z-]+) ", done.stdout, re.M)


def check_lists():
    users, developers = listed(), listed("help-developers")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    if set(users) != OF_USERS:
        problem(f"`make` lists {sorted(set(users) ^ OF_USERS)} wrongly")
    if sorted(users + developers) != sorted(targets):
        problem(f"listed twice or not at all: {set(users + developers) ^ set(targets)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_install(pathlib.Path(folder).resolve())
    check_lists()
    finish("scripts/install and the lists of make")


main()
