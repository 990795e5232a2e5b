# SPDX-License-Identifier: BSD-3-Clause
"""Tests scripts/deps. It must name exactly the missing packages, announce an installation, ask on a
terminal, and only check if it is told to or cannot install. The machines are simulated: dpkg, apt
and other programs of the system are scripts of this test."""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile

from problems import finish, problem
from tree import ROOT

SYSTEM = ["awk", "bash", "cat", "dirname", "grep", "printf", "sed", "tr", "xargs"]
PROGRAMS = [
    "clang-format", "clang++", "cmake", "gfortran", "git", "make", "mandoc", "ninja", "pkg-config",
    "python3", "sphinx-build", "xz"
]
# A compiler that fails if its text or its options contain a word of ABSENT.
COMPILER = ('#!/bin/bash\ntext="$(cat) $*"\nfor word in $ABSENT; do [[ $text != *"$word"* ]] || '
            'exit 1; done\n')
DPKG = '#!/bin/bash\nprintf "installed %s\\n" base-files $INSTALLED\n'
APT = '#!/bin/bash\necho "$USED$*" >>"$CALLS"\n'
SUDO = ('#!/bin/bash\n[ "$1" != -n ] || { shift; [ -n "$FREE" ] || exit 1; }\n[ "$1" = true ] || '
        'USED="sudo " "$@"\n')
PACKAGES = [line.split()[0] for line in (ROOT / "scripts/packages.apt").read_text().splitlines()
            if line and line[0] not in "#["]


class Machine:
    """Simulates a machine by a folder with the programs that it has."""

    def __init__(self, folder, debian, without=(), user=0, sudo=False):
        self.bin = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.calls = self.bin / "calls"
        for name in SYSTEM:
            (self.bin / name).symlink_to(shutil.which(name))
        scripts = {name: "#!/bin/bash\n"
                   for name in PROGRAMS} | {"c++": COMPILER, "id": f"#!/bin/bash\necho {user}\n"}
        if debian:
            scripts.update({"dpkg-query": DPKG, "apt-get": APT})
        if sudo:
            scripts["sudo"] = SUDO
        for name, text in scripts.items():
            if name not in without:
                (self.bin / name).write_text(text)
                (self.bin / name).chmod(0o755)

    def deps(self, *groups, answer=None, **variables):
        """Runs scripts/deps. Returns its exit code, its messages and the arguments of apt-get's
        calls. If `answer` is given, stdin is a terminal where that answer is typed."""
        self.calls.write_text("")
        environment = {
            "PATH": str(self.bin), "CALLS": str(self.calls), "ABSENT": "",
            "INSTALLED": " ".join(PACKAGES), "USED": "", "FREE": "", **variables
        }
        terminal, stdin = pty.openpty() if answer is not None else (None, subprocess.DEVNULL)
        if answer is not None:
            os.write(terminal, answer.encode())
        done = subprocess.run([ROOT / "scripts/deps", *groups],
                              capture_output=True,
                              text=True,
                              check=False,
                              env=environment,
                              stdin=stdin,
                              timeout=60)
        return done.returncode, done.stdout + done.stderr, self.calls.read_text().splitlines()


def check(what, result, code, names, calls):
    """Compares a result of Machine.deps() with the expected exit code, the packages named as
    missing (names) and patterns for the calls of apt-get (calls)."""
    named = re.findall(r"^  ([\w+-]+) ", result[1], flags=re.M)
    if result[0] != code or named != names or len(result[2]) != len(calls) \
            or not all(re.search(pattern, call) for pattern, call in zip(calls, result[2])):
        problem(
            f"{what}: code {result[0]}, named {named}, calls {result[2]}, expected {code}, "
            f"{names}, {calls}\n{result[1]}"
        )


def check_elsewhere(folder):
    """Checks that, on machines without dpkg, scripts/deps looks for programs and headers."""
    everything = ("build", "demo", "test", "mpi", "full", "clang")
    check("not Debian, all there", Machine(folder, False).deps(*everything), 0, [], [])
    poor = Machine(folder, False, without=["ninja"])
    check("not Debian, no ninja and toml++", poor.deps("build", ABSENT="<toml++/toml.h>"), 1,
          ["ninja-build", "libtomlplusplus-dev"], [])
    check("what only tests need",
          Machine(folder, False, without=["git"]).deps("build", ABSENT="<gtest/gtest.h>"), 0, [],
          [])
    check("tests",
          Machine(folder, False).deps("build", "test", ABSENT="<gtest/gtest.h>"), 1,
          ["libgtest-dev"], [])
    check("a library",
          Machine(folder, False).deps("demo", ABSENT="-lopenblas"), 1, ["libopenblas-dev"], [])
    check("optional",
          Machine(folder, False, without=["gfortran"]).deps("build"), 0, ["gfortran"], [])


def check_debian(folder):
    some = " ".join(set(PACKAGES) - {"libfmt-dev", "libtomlplusplus-dev"})
    lacking = {"INSTALLED": some, "ABSENT": "<fmt/format.h> <toml++/toml.h>"}
    names = ["libfmt-dev", "libtomlplusplus-dev"]
    install = "install .* libfmt-dev libtomlplusplus-dev$"
    root = Machine(folder, True)
    check("all installed", root.deps("build", ABSENT="<toml++/toml.h>"), 0, [], [])
    check("another toml++", root.deps("build", INSTALLED=some), 0, [], [])
    check("root", root.deps("build", **lacking), 0, names, ["^" + install])
    check("only a look", root.deps("build", TUTTI_NO_DEPS="1", **lacking), 1, names, [])
    check("no sudo", Machine(folder, True, user=1000).deps("build", **lacking), 1, names, [])
    user = Machine(folder, True, user=1000, sudo=True)
    check("sudo, no terminal", user.deps("build", **lacking), 1, names, [])
    check("sudo without password", user.deps("build", FREE="1", **lacking), 0, names,
          ["^sudo " + install])
    said = user.deps("build", answer="y\n", **lacking)
    check("yes", said, 0, names, ["^sudo " + install])
    if "asks for your password" not in said[1]:
        problem(f"nothing says why a password is asked for:\n{said[1]}")
    check("no", user.deps("build", answer="n\n", **lacking), 1, names, [])
    check("continuous integration", root.deps("build", answer="", CI="true", **lacking), 0, names,
          ["^" + install])


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_elsewhere(folder)
        check_debian(folder)
    finish("scripts/deps")


main()
