# SPDX-License-Identifier: BSD-3-Clause
"""Tests .ci/run, which tests a copy of the repository in a folder such as a user might have. Here
the repository is a small one whose `make test` prints its folder. The copy must follow changes of
the repository, and must not touch unchanged files, because they would be built again."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from problems import finish, problem
from tree import ROOT

# The exit code of the tests is that of .ci/run (make's own for a failed command is 2).
MAKEFILE = """test:
\t@printf '%s|' "$$PWD" "$${HOME-none}" "$$(umask)" "$$CI"; cat; git ls-files | grep -c .
\t@test ! -e broken

test-rest:
\t@test ! -e broken-rest
"""
DEPS = """#!/bin/sh
echo "$*" >"$(dirname "$0")/../../groups"
"""
LENGTH = 200


def git(folder, *words):
    subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)


def small_repository(folder):
    (folder / "scripts").mkdir()
    (folder / ".ci").mkdir()
    for name in ("scripts/tree.py", "scripts/far_copy.py", ".ci/run"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "scripts/deps").write_text(DEPS)
    (folder / "scripts/deps").chmod(0o755)
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / ".gitignore").write_text("build\n")
    (folder / "goes").write_text("away\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")


def run(folder):
    """Runs .ci/run; returns its exit code and the words that `make test` printed. .ci/run gets a
    stdin with text that no process must read."""
    done = subprocess.run([folder / ".ci/run"],
                          input="not for the tests\n",
                          capture_output=True,
                          text=True,
                          check=False,
                          env={**os.environ, "HOME": "/somewhere", "CI": "", "TUTTI_STRICT": ""})
    if not re.search(r"\|", done.stdout):
        problem(f".ci/run printed {done.stdout}{done.stderr}")
    return done.returncode, done.stdout.rstrip("\n").split("|")


def check_place(folder):
    code, (place, *rest) = run(folder)
    if code != 0 or len(place) < LENGTH or " " not in place or place.isascii():
        problem(f"exit code {code}, tests ran in '{place}', which has {len(place)} characters")
    if rest != ["none", "0077", "true", "7"]:
        problem(f"home, umask, CI and the number of files are {rest}")
    groups = (folder.parent / "groups").read_text().split()
    if groups != ["build", "demo", "test", "mpi"]:
        problem(f"packages of {groups} were asked for, and cases for a missing MPI are left out")
    return pathlib.Path(place)


def check_changes(folder, copy):
    """Checks that built files stay, that an unchanged file keeps its time, and that a file that the
    repository no longer has is removed from the copy."""
    (copy / "build").mkdir()
    (copy / "build/made").write_text("")
    before = (copy / "scripts/tree.py").stat()
    (folder / "goes").unlink()
    (folder / "broken").write_text("")
    code, _ = run(folder)
    if code == 0:
        problem("the tests fail, and .ci/run does not")
    (folder / "broken").rename(folder / "broken-rest")
    code, _ = run(folder)
    if code == 0:
        problem("the rest of the tests fails, and .ci/run does not")
    (folder / "broken-rest").rename(folder / "broken")
    run(folder)
    if (copy / "scripts/tree.py"
        ).stat().st_mtime_ns != before.st_mtime_ns or not (copy / "build/made").exists():
        problem("the copy was made anew")
    if (copy / "goes").exists():
        problem("the copy has a file that the repository has no longer")
    if (folder / "broken").stat().st_mtime_ns != (copy / "broken").stat().st_mtime_ns:
        problem("a copied file has another time, so that it is compiled each time")
    if readable := [path for path in (copy / "scripts").rglob("*") if path.stat().st_mode & 0o077]:
        problem(f"others may read {readable}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve() / "repository"
        folder.mkdir()
        small_repository(folder)
        check_changes(folder, check_place(folder))
    finish("a copy for .ci/run")


main()
