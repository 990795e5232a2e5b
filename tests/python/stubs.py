# SPDX-License-Identifier: BSD-3-Clause
"""Compares the stubs of the package with the package, and checks the test programs against them, by
mypy. Exit code 77 if mypy is not installed."""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SETTINGS = "[mypy]\nignore_missing_imports = True\n"
# Group can be a base class, and a prepared request refuses arguments itself. Modules without a stub
# are their own stubs, of which some versions of stubtest compare even what they import.
ALLOWED = """tutti\\._core\\.Group
tutti\\.(_core\\.)?Request\\.__call__
tutti\\._(?!core)\\w+\\..*
tutti\\.(Any|Iterable|Sequence|SupportsIndex)\\..*
"""


def main():
    if importlib.util.find_spec("mypy") is None:
        print("skipped: mypy was not found (package mypy)")
        return 77
    users = [path for path in sorted(HERE.glob("*.py")) if "import tutti\n" in path.read_text()]
    users = [path for path in users if path.name != "lifecycle.py"]  # imports it in other processes
    with tempfile.TemporaryDirectory() as folder:
        settings, allowed = Path(folder, "mypy.ini"), Path(folder, "allowed")
        settings.write_text(SETTINGS)
        allowed.write_text(ALLOWED)
        cache = ["--cache-dir", str(Path(folder, "cache"))]
        stubs = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--concise",
                                "--mypy-config-file", settings, "--allowlist", allowed,
                                "--ignore-unused-allowlist", "tutti"],
                               cwd=folder, check=False)
        programs = subprocess.run([sys.executable, "-m", "mypy", "--config-file", settings, *cache,
                                   "--check-untyped-defs", *users], cwd=folder, check=False)
    return stubs.returncode or programs.returncode


sys.exit(main())
