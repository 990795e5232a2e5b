# SPDX-License-Identifier: BSD-3-Clause
"""Lists the files of the repository for checks and scripts: the files that git tracks or would
track. In an unpacked archive, it lists all files outside of build* except those of __pycache__.

The program tree.py PATTERN... prints the files whose name fits one of the patterns, one a line.
"""

import fnmatch
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def files():
    """Returns the sorted paths of all files, relative to the root."""
    command = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached",
               "--others", "--exclude-standard"]
    try:
        if not (ROOT / ".git").exists():
            raise FileNotFoundError
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = {pathlib.Path(name) for name in listed.split("\0") if name}
    except (OSError, subprocess.CalledProcessError):
        found = {path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()}
        found = {path for path in found if not path.parts[0].startswith("build")
                 and not {".git", "__pycache__"}.intersection(path.parts)}
    return sorted(path for path in found if (ROOT / path).is_file())


def matching(*patterns):
    """Returns the files whose last component fits one of the patterns."""
    return [
        path for path in files() if any(
            fnmatch.fnmatch(path.name, pattern) for pattern in patterns)
    ]


if __name__ == "__main__":
    for name in matching(*sys.argv[1:]):
        print(name)
