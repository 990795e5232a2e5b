# SPDX-License-Identifier: BSD-3-Clause
"""Checks the archive of `make dist`. It has the files of the tree and every manual page that the
build has made, and from it CMake takes these pages without Sphinx. Arguments: cmake, calls.json in
the folder of the pages, C and C++ compiler."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

from problems import finish, problem
from tree import ROOT, files

cmake, calls, *compilers = sys.argv[1:]
pages = pathlib.Path(calls).parent
if not pathlib.Path(calls).exists():
    print("skipped: the build has made no pages (packages python3-sphinx, python3-myst-parser)")
    sys.exit(1 if os.environ.get("TUTTI_STRICT") == "1" else 77)
with tempfile.TemporaryDirectory() as folder:
    # The script packs the tree in which it lies, and that is to stay as it is.
    copy = pathlib.Path(folder, "a tree")
    for path in files():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, copy / path)
    subprocess.run([copy / "scripts/dist.sh", pages.parent], check=True, stderr=subprocess.DEVNULL)
    with tarfile.open(next((copy / "dist").glob("tutti-*.tar.gz"))) as archive:
        archive.extractall(folder)
    tree = next(pathlib.Path(folder).glob("tutti-*"))
    packed = {path.relative_to(tree) for path in tree.rglob("*") if path.is_file()}
    made = {pathlib.Path("man/made", path.relative_to(pages)) for path in pages.glob("man?/*")}
    for path in (set(files()) | made) ^ packed:
        problem(f"{path} is in the archive alone, or lacks there")
    done = subprocess.run([
        cmake, "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DTUTTI_SPHINX=OFF",
        "-DTUTTI_FORTRAN=OFF", "-DTUTTI_TESTS=OFF", "-DTUTTI_BENCH=OFF", "-DTUTTI_MPI=OFF",
        f"-DCMAKE_C_COMPILER={compilers[0]}", f"-DCMAKE_CXX_COMPILER={compilers[1]}"
    ], capture_output=True, text=True, check=False)
    if done.returncode != 0 or "manual pages" in done.stderr:
        problem(f"the archive is configured with code {done.returncode}: {done.stderr}")
    rules = (tree / "build/cmake_install.cmake")
    if done.returncode == 0 and f"{tree}/man/made/man1" not in rules.read_text():
        problem("the pages of the archive are not installed")
    finish(f"{len(packed)} files")
