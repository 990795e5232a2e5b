# SPDX-License-Identifier: BSD-3-Clause
"""Copies the files of the repository to a folder below build/ci and prints that folder. Its path
has 200 characters, among them spaces and one that is not ASCII. .ci/run builds and tests the copy,
which finds mistakes in the handling of paths.

A file that has not changed is not copied again, so that earlier builds in the copy stay valid.
Files that the repository no longer has are removed. Files and folders get the rights that a
checkout would give them under the current umask.
"""

import os
import pathlib
import shutil
import subprocess

import tree

LENGTH = 200
NAME = "a path as long as anybody has with spaces and an é "
COMPONENT = 120  # bytes of one name at most; file systems allow 255, and archives less


def place():
    """Returns the folder for the copy."""
    folder = tree.ROOT / "build/ci"
    while (room := LENGTH - len(str(folder)) - 1) > 0:
        # A component must not end in a space: programs that read lists of paths would cut it off.
        folder /= (NAME * 4)[:min(room, COMPONENT)].rstrip() or "x"
    return folder


def rights(source, umask):
    return (0o777 if source.stat().st_mode & 0o100 else 0o666) & ~umask


def copy(source, target, umask):
    if target.exists():
        there, wanted = target.stat(), source.stat()
        if (there.st_size, there.st_mtime_ns) == (wanted.st_size, wanted.st_mtime_ns):
            return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    shutil.copystat(source, target)
    target.chmod(rights(source, umask))


def connect_to_git(folder):
    """Points the copy's .git to the repository's, because the checks ask git which files it tracks.
    """
    if not (tree.ROOT / ".git").exists():
        return
    command = [
        "git", "-C",
        str(tree.ROOT), "-c", f"safe.directory={tree.ROOT}", "rev-parse", "--absolute-git-dir"
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.rstrip("\n")
    (folder / ".git").write_text(f"gitdir: {found}\n")


def remove_others(folder, wanted):
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if name.parts[0] not in ("build", ".git") and not path.is_dir() and name not in wanted:
            path.unlink()


def main():
    umask = os.umask(0)
    os.umask(umask)
    folder, names = place(), tree.files()
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        copy(tree.ROOT / name, folder / name, umask)
    remove_others(folder, set(names))
    connect_to_git(folder)
    print(folder)


main()
