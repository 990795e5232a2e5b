# SPDX-License-Identifier: BSD-3-Clause
"""README.md is true for a stranger: tutti is installed below /usr/local, below a home, and below a
home with a space and a letter beyond ASCII; then an ordinary user with the environment of a new
login does what the page prints, line by line. Every fenced block of `sh` is run; what cannot be run
here is marked as `text`. Programs must start by `tutti run` and alone. /usr/local is a memory file
system of this test's own; where that is not allowed, the test says so and is skipped, which is an
error where TUTTI_STRICT=1. Arguments: cmake, the build folder, and `fortran` where tutti has it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from problems import finish, found, problem
from tree import ROOT

SKIPPED = 77
NOBODY = 65534
SYSTEM = "/usr/local"
LONGEST_PROGRAM = 11
SOURCES = {"c": "first.c", "c++": "first.cpp", "fortran": "first.f90", "cmake": "CMakeLists.txt"}
FIRST = "tutti run -n 4 ./first"
RANKS_OF_FIRST = sorted(f"rank {rank} of 4: sum 6" for rank in range(4))
ALONE, ALONE_PRINTS = "env -i ./first", ["rank 0 of 1: sum 0"]
XDLU = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/xdlu")
INPUT = pathlib.Path("/usr/share/scalapack/LU.dat")
MARK = "@@ "


def blocks():
    """The fenced blocks of the page: language and text."""
    return re.findall(r"^```([a-z+]*)\n(.*?)^```$", (ROOT / "README.md").read_text(),
                      flags=re.S | re.M)


def lines_of(block):
    """The commands of a block, without comments."""
    return [
        line for line in (re.sub(r"\s+#.*", "", line).strip() for line in block.splitlines())
        if line
    ]


class Place:
    """Where tutti is installed, the home of the user, and what a login there sets."""

    def __init__(self, name, home, prefix):
        self.name, self.home, self.prefix = name, pathlib.Path(home), prefix
        self.environment = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"}

    def words_in_front(self):
        """Commands that give /usr/local to this test alone, or nothing."""
        if self.prefix != SYSTEM:
            return []
        mount = ["sh", "-c", f'mount -t tmpfs -o mode=755 tutti {SYSTEM} && exec "$@"', "sh"]
        return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), *mount]

    def user(self):
        """Commands that make root an ordinary user."""
        if os.geteuid() != 0:
            return []
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def why_not(place):
    """Why the test cannot be run at this place; None when it can."""
    done = subprocess.run([*place.words_in_front(), *place.user(), "sh", "-c", 'cd "$HOME"'],
                          capture_output=True,
                          text=True,
                          check=False,
                          env=place.environment)
    if done.returncode != 0:
        return done.stderr.strip()
    if place.prefix == SYSTEM:
        hidden = [
            name for name in ("cmake", "gcc", "pkg-config")
            if (shutil.which(name) or "").startswith(SYSTEM)
        ]
        return f"{hidden[0]} lies below {SYSTEM}" if hidden else None
    return None


def commands(place, fortran):
    """What the page tells this user to type. The installation itself has been done by then."""
    result = []
    # Which tutti it is comes first.
    for language, block in sorted(blocks(), key=lambda one: "PREFIX=" not in one[1]):
        lines = lines_of(block)
        if language == "cmake":
            prefix = "" if place.prefix == SYSTEM else " -DCMAKE_PREFIX_PATH=\"$HOME/x\""
            result += [
                f"cmake -S . -B by_cmake{prefix} >/dev/null", "cmake --build by_cmake >/dev/null",
                "by_cmake/first", "cmake --install by_cmake --prefix installed >/dev/null",
                "env -i installed/bin/first"
            ]
        if language != "sh" or ("PREFIX=" in block and
                                place.name != "home") or ("fortran" in block and not fortran):
            continue
        if place.name == "home with a space" and "eval" not in block:
            continue
        # The same wherever it is, and it takes its time.
        if "tutti verify" in block and place.name != "home":
            continue
        result += [line for line in lines if not line.startswith("make install")]
        if "first" in block:
            result += [] if FIRST in lines else [FIRST]
            result.append(ALONE)
    return [with_compiler_of_machine(line) for line in result if is_possible(line)]


def with_compiler_of_machine(line):
    """The page names GCC. Where only another compiler is installed, its user types that one's name:
    cc or c++."""
    for named, default in (("gcc", "cc"), ("g++", "c++")):
        if line.startswith(f"{named} ") and not shutil.which(named):
            return default + line[len(named):]
    return line


def is_possible(line):
    if "--preload blacs" in line and not XDLU.exists():
        print("without a program of ScaLAPACK: the package scalapack-mpi-test is not installed")
        return False
    return "--against" not in line  # measures, and needs an MPI; test_tools_bench_tune runs it


def write_sources(place, fortran):
    for language, block in blocks():
        if language not in SOURCES or (language == "fortran" and not fortran):
            continue
        if language != "cmake" and len(block.splitlines()) > LONGEST_PROGRAM:
            problem(f"the {language} program has {len(block.splitlines())} lines")
        if language == "cmake":
            block += "install(TARGETS first)\n"
        (place.home / SOURCES[language]).write_text(block)
    shutil.copy(ROOT / "tests/house/old_pvm.c", place.home / "old.c")
    shutil.copy(ROOT / "examples/inner_product.c", place.home / "prog.c")
    if XDLU.exists():
        (place.home / "program").symlink_to(XDLU)
        (place.home / "LU.dat").write_text(
            re.sub(r"^T(\s.*Test Cond\. Est\.)", r"F\1", INPUT.read_text(), flags=re.M))
    if os.geteuid() == 0:
        for path in [place.home, *place.home.iterdir()]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def do_as_it_says(place, cmake, build, fortran):
    """Installs, types, and compares what is printed."""
    write_sources(place, fortran)
    typed = commands(place, fortran)
    script = "set -e\ncd\n" + "".join(f"echo; echo '{MARK}{number}'\n{line}\n"
                                      for number, line in enumerate(typed))
    (place.home / "typed").write_text(script)
    install = (f'umask 022 && "{cmake}" --install "{build}" --prefix "{place.prefix}" >/dev/null '
               '&& exec "$@"')
    command = [
        *place.words_in_front(), "sh", "-c", install, "sh", *place.user(), "sh", "-c",
        '. "$HOME/typed"'
    ]
    done = subprocess.run(command,
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=600,
                          env=place.environment,
                          stdin=subprocess.DEVNULL)
    parts = done.stdout.split(f"\n{MARK}")[1:]
    if done.returncode != 0:
        last = typed[len(parts) - 1] if parts else "the installation"
        problem(
            f"{place.name}: {last}: exit code {done.returncode}\n"
            f"{done.stdout[-1500:]}{done.stderr[-3000:]}"
        )
    compare(place, typed, [part.partition("\n")[2] for part in parts])
    return len(typed)


def compare(place, typed, printed):
    for line, text in zip(typed, printed):
        found = sorted(
            re.sub(r"(sum \d+)\.0*$", r"\1", entry) for entry in text.splitlines() if entry)
        wanted = {FIRST: RANKS_OF_FIRST, ALONE: ALONE_PRINTS, "by_cmake/first": ALONE_PRINTS,
                  "env -i installed/bin/first": ALONE_PRINTS, "./old": ["sum 6"]}.get(line)
        if wanted is not None and found != wanted:
            problem(f"{place.name}: {line}: printed {found}, not {wanted}")
        if line.endswith("./program") and not re.search(r"\n *240 tests completed and passed",
                                                        text):
            problem(f"{place.name}: {line}: {text[-1000:]}")
        if line.endswith("./prog") and "sum of squares" not in text:
            problem(f"{place.name}: {line}: printed {found}")


def main():
    cmake, build, fortran = sys.argv[1], pathlib.Path(
        sys.argv[2]).resolve(), "fortran" in sys.argv[3:]
    # That of a login, whatever the test is started with: the user reads what root has written.
    os.umask(0o022)
    typed, skipped = 0, []
    with tempfile.TemporaryDirectory(prefix="tutti-readme-") as folder:
        os.chmod(folder, 0o755)
        for name, home, system in (("home", "home", False), ("home with a space", "a home é",
                                                             False), (SYSTEM, "other", True)):
            home = pathlib.Path(folder, home)
            home.mkdir(mode=0o755)
            place = Place(name, home, SYSTEM if system else str(home / "x"))
            if name == "home with a space":
                place.environment["PATH"] = f"{home}/x/bin:{place.environment['PATH']}"
                place.environment["PKG_CONFIG_PATH"] = f"{home}/x/lib/pkgconfig"
            if reason := why_not(place):
                skipped.append(f"{name}: {reason}")
                continue
            typed += do_as_it_says(place, cmake, build, fortran)
    for reason in skipped:
        print(f"skipped {reason}")
        if os.environ.get("TUTTI_STRICT") == "1":
            problem(f"TUTTI_STRICT=1 must not skip {reason}")
    if skipped and not found:
        sys.exit(SKIPPED)
    finish(f"{typed} lines typed")


main()
