# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the pages are true for a stranger. The test installs tutti below /usr/local, below a
home, and below a home with a space and a letter beyond ASCII. Then an ordinary user with the
environment of a new login types what the pages print, line by line, each page in a folder of its
own. The module page_blocks.py says what is typed.

The applications are a component of the installation that is built by itself, and so are the
programs that show the papers. Without the argument `whole` the test installs neither, and types no
blocks that need them. With it, the test installs everything by the `make install` of the pages,
unless that would have to build again, and types the pages that have such blocks.

This test has a memory file system of its own for /usr/local. Where that is not allowed, the test
says so and is skipped, which is an error where TUTTI_STRICT=1. Arguments: cmake, the build folder,
`fortran` and `python` where tutti has them, and `whole`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import page_blocks
from problems import finish, found, problem
from tree import ROOT

SKIPPED = 77
NOBODY = 65534
SYSTEM = "/usr/local"
INSTALL, PROGRAMS = "docs/guide/01-install.md", "docs/guide/02-first-program.md"
FIRST = "tutti run -n 4 ./first"
ALONE, ALONE_PRINTS = "env -i ./first", ["rank 0 of 1: sum 0"]
# These commands follow a project of CMake, because its programs must keep the path to the libraries
# when they are installed.
BY_CMAKE = ["by_cmake/first", "cmake --install by_cmake --prefix installed >/dev/null",
            "env -i installed/bin/first"]
LONGEST_PROGRAM = 11
# Parts of the commands of the README's table -> what these commands need.
TABLE_NEEDS = {
    "./program": "scalapack",
    "mpicc": "openmpi",
    "mpirun": "openmpi",
    "python": "python"
}
PYTHON, MPI = "docs/guide/13-python.md", "docs/guide/14-mpi-programs.md"
# Hexadecimal and decimal numbers, and those of several: "1 +2" is process 1 and two others.
NUMBER = re.compile(r"0x[0-9a-f]+|\d+(?:\.\d+)?(?: \+\d+)?")
XDLU = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/xdlu")
INPUT = pathlib.Path("/usr/share/scalapack/LU.dat")
MODULES = "/usr/share/modules/init/sh"
MARK = "@@ "


class Place:
    """Describes where tutti is installed, the home of the user, and what a login there sets."""

    def __init__(self, name, home, prefix):
        self.name, self.home, self.prefix = name, pathlib.Path(home), prefix
        self.environment = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"}

    def words_in_front(self):
        """Returns the command that gives /usr/local to this test alone, or nothing. /etc is a copy
        then, because the installation calls ldconfig, which writes there."""
        if self.prefix != SYSTEM:
            return []
        hide = (f"mount -t tmpfs -o mode=755 tutti {SYSTEM} && mkdir {SYSTEM}/etc && "
                f"{{ cp -a /etc/. {SYSTEM}/etc 2>/dev/null || :; }} && "
                f"mount --bind {SYSTEM}/etc /etc")
        mount = ["sh", "-c", f'{hide} && exec "$@"', "sh"]
        return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), *mount]

    def user(self):
        """Returns the command that makes root an ordinary user, or nothing."""
        if os.geteuid() != 0:
            return []
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]

    def pages(self, there):
        """Returns all pages where tutti lies in a home, and elsewhere those that could differ. If
        the components are there, those pages are left out whose blocks need none of them."""
        if self.name != "home":
            return [PROGRAMS]
        components = there & set(page_blocks.OF_COMPONENTS)
        return [page for page in page_blocks.pages() if not components or
                any(components & block.needs for block in page_blocks.blocks(page))]


def why_not(place):
    """Returns the reason for which the test cannot be run at this place, or None."""
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


def exports(place):
    """Returns what the guide's first page lets a login set if tutti is not below /usr/local."""
    lines = [line for block in page_blocks.blocks(INSTALL) for line in block.lines()]
    return [line for line in lines if line.startswith("export ") and place.prefix != SYSTEM]


def has_openmpi(build):
    """Returns whether `mpirun` is Open MPI's and tutti was built with it."""
    if not shutil.which("mpirun") or not list(build.glob("src/api/libtutti-mpi-openmpi.so*")):
        return False
    done = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False)
    return "Open MPI" in done.stdout


def has_numpy():
    """Returns whether the Python of a login has NumPy."""
    done = subprocess.run(["/usr/bin/python3", "-c", "import numpy"],
                          capture_output=True,
                          check=False)
    return done.returncode == 0


class Typed:
    """Collects a page's commands for one place, each with the lines that it must print or None."""

    def __init__(self, place, page, there):
        self.lines = []
        self.last = None  # the place of the last command of the block before
        last = None
        for block in page_blocks.blocks(page):
            possible = block.needs - set(page_blocks.NO_NEEDS) <= there
            spaced = place.name != "home with a space" or "space" in block.needs
            if block.language == "sh" and possible and spaced:
                self.take(block)
                last = block
            elif block.language == "output" and possible and spaced and last is not None:
                wanted = block.text if "numbers" in block.needs else block.lines()
                self.lines[self.last] = (self.lines[self.last][0], wanted)
            elif block.language == "sh":
                last = None
        for line in page_blocks.table_commands(page):
            needs = {need for part, need in TABLE_NEEDS.items() if part in line}
            if needs <= there:
                self.add(line)

    def add(self, line, wanted=None):
        self.lines.append((with_compiler_of_machine(line), wanted))

    def take(self, block):
        if "modules" in block.needs:  # a login where modules are used has done this
            self.add(f". {MODULES}")
        for line in block.lines():
            if not line.startswith("make "):  # the installation has been done by then
                self.add(line)
        self.last = len(self.lines) - 1
        if FIRST in block.lines():
            self.add(ALONE, ALONE_PRINTS)
        if "cmake --build by_cmake" in block.text:
            for line in BY_CMAKE:
                self.add(line, ALONE_PRINTS if line.endswith("first") else None)


def with_compiler_of_machine(line):
    """Replaces GCC, which the pages name, by cc or c++ if only another compiler is installed."""
    for named, default in (("gcc", "cc"), ("g++", "c++")):
        if line.startswith(f"{named} ") and not shutil.which(named):
            return default + line[len(named):]
    return line


def write_files(folder, page):
    """Writes the files that a page shows, and those that the README's table takes for granted."""
    folder.mkdir(parents=True)
    for block in page_blocks.blocks(page):
        if block.language not in page_blocks.LANGUAGES:
            continue
        if (block.file or "").startswith("first.") and len(
                block.text.splitlines()) > LONGEST_PROGRAM:
            problem(f"{page}: {block.file} has {len(block.text.splitlines())} lines")
        text = block.text + ("install(TARGETS first)\n" if block.language == "cmake" else "")
        (folder / (block.file or "unnamed")).write_text(text)
    if page == "README.md":
        shutil.copy(ROOT / "tests/house/old_pvm.c", folder / "old.c")
        shutil.copy(ROOT / "examples/inner_product.c", folder / "prog.c")
        shutil.copy(ROOT / "examples/grid94.c", folder / "grid.c")
        shutil.copy(ROOT / "tests/frontends/nx/hello.c", folder / "nodes.c")
        shutil.copy(ROOT / "examples/conjugate_gradients.c", folder / "solve.c")
        for other, name in ((PROGRAMS, "first.c"), (PYTHON, "first.py"), (MPI, "mean.c")):
            (folder / name).write_text(page_blocks.file_of(other, name))
    if XDLU.exists():
        (folder / "program").symlink_to(XDLU)
        (folder / "LU.dat").write_text(
            re.sub(r"^T(\s.*Test Cond\. Est\.)", r"F\1", INPUT.read_text(), flags=re.M))


def folder_of(place, page):
    return place.home / page.replace("/", "-").removesuffix(".md")


def script_of(place, typed):
    """Returns a shell script that does all pages in turn and marks where each line begins."""
    text, number = "set -e\n" + "".join(f"{line}\n" for line in exports(place)), 0
    for page, commands in typed.items():
        text += f'(\ncd "{folder_of(place, page)}"\n'
        for line, _ in commands.lines:
            text += f"echo; echo '{MARK}{number}'\n{line}\n"
            number += 1
        text += ")\n"
    return text


def make_installs(build, whole):
    """Returns true if everything is installed and `make install` has nothing to build: this is the
    build folder of a preset, and the tools are where a login finds them."""
    if not whole:
        return False
    tools = [shutil.which(tool, path="/usr/bin:/bin") for tool in ("make", "cmake", "ninja")]
    return build in (ROOT / "build/release", ROOT / "build/clang") and all(tools)


def install_line(place, cmake, build, whole):
    """Returns the line that installs tutti at a place: the one that the first page of the guide
    prints, or one of CMake alone. The build keeps its warning options, because a change of them
    would build everything again."""
    if not make_installs(build, whole):
        component = "" if whole else " --component tutti"
        return f'umask 022 && "{cmake}" --install "{build}" --prefix "{place.prefix}"{component}'
    lines = [line for block in page_blocks.blocks(INSTALL) for line in block.lines()]
    typed = [line for line in lines if re.match("(sudo )?make install", line)]
    line = next(line for line in typed if ("PREFIX" in line) == (place.prefix != SYSTEM))
    strict = int("TUTTI_WERROR:BOOL=ON" in (build / "CMakeCache.txt").read_text())
    return (f'cd "{ROOT}" && TUTTI_NO_DEPS=1 TUTTI_STRICT={strict} {line.removeprefix("sudo ")} '
            f"PRESET={build.name}")


def run_script(place, cmake, build, whole):
    install = f'{install_line(place, cmake, build, whole)} >/dev/null && exec "$@"'
    command = [
        *place.words_in_front(), "sh", "-c", install, "sh", *place.user(), "sh", "-c",
        '. "$HOME/typed"'
    ]
    return subprocess.run(command,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          text=True,
                          check=False,
                          timeout=600,
                          env=place.environment,
                          stdin=subprocess.DEVNULL)


def do_as_it_says(place, cmake, build, there):
    """Installs tutti, types the commands, and compares what they print."""
    typed = {}
    for page in place.pages(there):
        write_files(folder_of(place, page), page)
        typed[page] = Typed(place, page, there)
    (place.home / "typed").write_text(script_of(place, typed))
    if os.geteuid() == 0:
        for path in [place.home, *place.home.rglob("*")]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    done = run_script(place, cmake, build, bool(there & set(page_blocks.OF_COMPONENTS)))
    parts = done.stdout.split(f"\n{MARK}")[1:]
    lines = [(page, *entry) for page, commands in typed.items() for entry in commands.lines]
    if done.returncode != 0:
        last = lines[len(parts) - 1] if parts else ("", "the installation", None)
        problem(f"{place.name}: {last[0]}: {last[1]}: exit code {done.returncode}\n"
                f"{done.stdout[-3000:]}")
    for (page, line, wanted), part in zip(lines, parts):
        compare(f"{place.name}: {page}: {line}", line, wanted, part.partition("\n")[2])
    return len(lines)


def with_any_numbers(text):
    return " ".join(NUMBER.sub("0", text).split())


def compare_pieces(where, wanted, text):
    """Looks for the pieces of a text between `...`, in their order and with any numbers."""
    rest = with_any_numbers(text)
    for piece in filter(None, map(str.strip, with_any_numbers(wanted).split("..."))):
        before, found, rest = rest.partition(piece)
        if not found:
            problem(f"{where}: printed {before}, and not {piece}")
            return


def compare(where, line, wanted, text):
    if isinstance(wanted, str):
        return compare_pieces(where, wanted, text)
    printed = [re.sub(r"(sum \d+)\.0*$", r"\1", entry.strip()) for entry in text.splitlines()]
    printed = sorted(entry for entry in printed if entry)
    if wanted is not None and "..." in wanted:
        missing = [entry for entry in wanted if entry != "..." and entry not in printed]
        if missing:
            problem(f"{where}: did not print {missing} but {printed}")
    elif wanted is not None and printed != sorted(wanted):
        problem(f"{where}: printed {printed}, not {wanted}")
    if line.endswith("./program") and not re.search(r"\n *240 tests completed and passed", text):
        problem(f"{where}: {text[-1000:]}")


def main():
    cmake, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    there = {"fortran", "python"} & set(sys.argv[3:])
    whole = "whole" in sys.argv[3:]
    there |= set(page_blocks.OF_COMPONENTS) if whole else set()
    there |= {name for name, has in (("openmpi", has_openmpi(build)), ("scalapack", XDLU.exists()),
                                     ("numpy", "python" in there and has_numpy()),
                                     ("modules", os.path.exists(MODULES)),
                                     ("two-processors", len(os.sched_getaffinity(0)) == 2)) if has}
    needs = set(page_blocks.NEEDS) - set(page_blocks.NO_NEEDS)
    print(f"without {sorted(needs - there) or 'nothing'}")
    print(f"installed by {'make' if make_installs(build, whole) else 'cmake'}")
    # The user reads what root has written, so the umask is that of a login, not the caller's.
    os.umask(0o022)
    typed, skipped = 0, []
    with tempfile.TemporaryDirectory(prefix="tutti-pages-") as folder:
        os.chmod(folder, 0o755)
        for name, home, system in (("home", "home", False), ("home with a space", "a home é",
                                                             False), (SYSTEM, "other", True)):
            home = pathlib.Path(folder, home)
            home.mkdir(mode=0o755)
            place = Place(name, home, SYSTEM if system else str(home / "x"))
            reason = why_not(place)
            if reason is None:
                typed += do_as_it_says(place, cmake, build, there)
            else:
                skipped.append(f"{name} is not tried: {reason}")
    print(*skipped, sep="\n", end="\n" if skipped else "")
    if skipped and os.environ.get("TUTTI_STRICT") == "1":
        problem("with TUTTI_STRICT=1 all places must be tried")
    if skipped and not found:
        print(f"{typed} commands elsewhere")
        sys.exit(SKIPPED)
    finish(f"{typed} commands")


main()
