# SPDX-License-Identifier: BSD-3-Clause
"""Tests scripts/release in a small copy of the tree. It refuses a home that is unset or not filled
in, and a changelog without the version. Then it makes a tag, signed by a stub of gpg. The test also
checks that packaging/fill_home.py gives all packages the home, and changes nothing when it is run
again."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from problems import finish, problem
from tree import ROOT, files

NEEDED = re.compile(r"(packaging/|cmake/|src/.*CMakeLists\.txt$|include/tutti/tutti\.h$"
                    r"|tests/house/(packages|problems)\.py$"
                    r"|scripts/(release|tree\.py|packages\.apt)$"
                    r"|(CMakeLists\.txt|pyproject\.toml|CITATION\.cff|CHANGELOG\.md|LICENSE)$)")
VERSION = re.search(r"tutti VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
GPG = '#!/bin/sh\ncat >/dev/null\nprintf "\\n[GNUPG:] SIG_CREATED \\n" >&2\necho signature\n'
HOME = {"url": "https://tutti.example", "tracker": "https://tutti.example/issues",
        "contact": "tutti@tutti.example"}
# file -> lines that it has after packaging/fill_home.py.
FILLED = {
    "CITATION.cff": ['url: "https://tutti.example"'],
    "packaging/debian/control": ["Homepage: https://tutti.example",
                                 "Maintainer: The tutti authors <tutti@tutti.example>"],
    "packaging/conda/recipe.yaml": ["  homepage: https://tutti.example"],
    "packaging/spack/tutti/package.py": ['    homepage = "https://tutti.example"'],
    "packaging/easybuild/tutti.eb": ["homepage = 'https://tutti.example'"],
}


class Tree:
    """Makes a repository with the files that scripts/release reads."""

    def __init__(self, folder):
        self.root = folder / "tree"
        for path in files():
            if NEEDED.match(str(path)):
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, self.root / path)
        (folder / "gpg").write_text(GPG)
        (folder / "gpg").chmod(0o755)
        self.git("init", "-q")
        for name, value in (("user.name", "a"), ("user.email", "a@b"), ("commit.gpgsign", "false"),
                            ("gpg.program", str(folder / "gpg"))):
            self.git("config", name, value)
        self.commit()

    def git(self, *words):
        return subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True,
                              text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")

    def release(self):
        done = subprocess.run([self.root / "scripts/release"], capture_output=True, text=True,
                              check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        return done.returncode, done.stdout + done.stderr

    def edit(self, name, pattern, new):
        path = self.root / name
        path.write_text(re.sub(pattern, new, path.read_text(), count=1, flags=re.M))

    def fill(self):
        subprocess.run(["python3", "-B", self.root / "packaging/fill_home.py"], check=True)
        return self.git("status", "--porcelain")


def check_refused(tree, words):
    code, said = tree.release()
    if code == 0 or words not in said or tree.git("tag"):
        problem(f"expected '{words}': code {code}, {said}")


def check_filled(tree):
    for name, lines in FILLED.items():
        text = (tree.root / name).read_text().splitlines()
        for line in lines:
            if text.count(line) != 1:
                problem(f"{name} does not have '{line}' once after packaging/fill_home.py")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(pathlib.Path(folder))
        for name in HOME:  # the owner may have filled them in
            tree.edit("packaging/home", f"^{name} =.*$", f"{name} =")
        tree.fill()
        tree.commit()
        check_refused(tree, "no value for url, tracker, contact")
        for name, value in HOME.items():
            tree.edit("packaging/home", f"^{name} =.*$", f"{name} = {value}")
        check_refused(tree, "changes that are not committed")
        tree.commit()
        check_refused(tree, "packaging/fill_home.py has filled in")
        check_filled(tree)
        tree.commit()
        if changed := tree.fill():
            problem(f"packaging/fill_home.py changes files again: {changed}")
        check_refused(tree, "CHANGELOG.md has no section '## [")
        tree.edit("CHANGELOG.md", r"^## \[Unreleased\]$",
                  f"## [Unreleased]\n\n## [{VERSION}] - 2026-12-01")
        tree.commit()
        code, said = tree.release()
        message = tree.git("tag", "-l", "--format=%(contents)")
        if code != 0 or tree.git("tag") != f"v{VERSION}\n" or "### Added" not in message:
            problem(f"a release: code {code}, {said}, the tag's message is {message[:200]}")
    finish("scripts/release")


main()
