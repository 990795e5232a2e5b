# SPDX-License-Identifier: BSD-3-Clause
"""Virtual environments in which tests install the wheel."""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "house"))
from problems import problem  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


def the_wheel():
    """Returns the path of the one wheel in dist/."""
    wheels = sorted((ROOT / "dist").glob("tutti_collectives-*.whl"))
    if len(wheels) != 1:
        sys.exit("dist/ has no wheel, or several: call make wheel")
    return wheels[0]


class Environment:
    """A virtual environment, in which commands run as in a new shell. `more` are variables."""

    def __init__(self, python, folder, name="an environment é", **more):
        self.folder, self.path = folder, folder / name
        subprocess.run([python, "-m", "venv", self.path], check=True)
        kept = ("HOME", "LANG", "CI", "CC")
        self.variables = {name: os.environ[name] for name in kept if name in os.environ} | {
            "PATH": f"{self.path}/bin:/usr/local/bin:/usr/bin:/bin",
            "PKG_CONFIG_PATH": f"{self.path}/lib/pkgconfig",
            "LD_RUN_PATH": f"{self.path}/lib/tutti/run",
            "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", **more
        }

    def start(self, *command, timeout=300):
        """Runs a command. Returns what subprocess.run() does."""
        # pkg-config quotes each byte of a letter outside of ASCII.
        return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              errors="surrogateescape", env=self.variables, cwd=self.folder,
                              timeout=timeout, stdin=subprocess.DEVNULL)

    def run(self, *command, timeout=300):
        """Returns the output of a command, or None, with a problem, if it fails."""
        done = self.start(*command, timeout=timeout)
        if done.returncode == 0:
            return done.stdout
        problem(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-1500:]}"
                f"{done.stderr[-1500:]}")
        return None

    def pip(self, *words):
        return self.run("python", "-m", "pip", "--disable-pip-version-check", "--no-cache-dir",
                        *words)

    def files(self):
        return {str(path.relative_to(self.path)) for path in self.path.rglob("*")
                if "__pycache__" not in path.parts}


def expect(what, printed, pattern):
    if printed is not None and not re.search(pattern, printed):
        problem(f"{what} printed {printed!r}")
