# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs the tests of one room: `make test ROOM=engine` calls it.

test_room.py PRESET ROOM [ONLY]: ROOM is a folder of tests/, by its name or its path there. Tests
that only `make test-full` or `make test-rest` runs are left out. ONLY is a regular expression: the
tests run whose names have it. If there are none, the tests inside GoogleTest's programs run whose
names have it."""

import os
import pathlib
import re
import subprocess
import sys

import test_programs
from tree import ROOT

GOOGLE = "--gtest_brief=1"
# Rooms of papers, applications, benches and the prover have only tests that come after make test.
OF_REST = re.compile(r"(papers|apps|bench|study/prove)(/|$)")
LONGEST_FILTER = 100_000  # Linux takes arguments of 128 KiB


def fail(text):
    print(f"test_room: {text}", file=sys.stderr)
    sys.exit(2)


def rooms():
    """Returns the paths of the rooms below tests/, and of their rooms."""
    return [str(file.parent.relative_to(ROOT / "tests"))
            for file in sorted((ROOT / "tests").rglob("CMakeLists.txt"))][1:]


def path_of(room):
    """Returns the path of the room with that name or path below tests/."""
    known = sorted(rooms(), key=lambda path: path.count("/"))
    for path in known:
        if room in (path, path.rpartition("/")[2]):
            return path
    fail(f"there is no room '{room}'; ROOM= one of\n  " + "\n  ".join(sorted(known)))


def build(preset, *targets, **where):
    """Configures and builds targets."""
    done = subprocess.run([ROOT / "scripts/build", preset, *targets], check=False, **where)
    if done.returncode != 0:
        sys.exit(1)


def words(text, folder):
    """Returns the command and the environment of a test, as CMake has written both."""
    command = [word.replace('\\"', '"').replace("\\\\", "\\")
               for word in re.findall(r'"((?:[^"\\]|\\.)*)"', text.splitlines()[0])]
    found = re.search(r' ENVIRONMENT "((?:[^"\\]|\\.)*)"', text)
    pairs = [pair.partition("=")[::2] for pair in (found[1].split(";") if found else [])]
    return command, {**os.environ, **dict(pairs)}, folder


def cases(command, environment, folder, only):
    """Returns the names of the tests inside a program that have the expression."""
    listed = subprocess.run([*command, "--gtest_list_tests"], env=environment, cwd=folder,
                            capture_output=True, text=True, check=True).stdout
    suite, found = "", []
    for line in listed.splitlines():
        name = line.partition("#")[0].rstrip()
        if not line.startswith(" "):
            suite = name
        elif re.search(only, suite + line.strip()):
            found.append(suite + name.strip())
    return found


def filters(names):
    """Returns texts for --gtest_filter, none of them too long for an argument."""
    text = ""
    for name in names:
        if len(text) + len(name) > LONGEST_FILTER:
            yield text
            text = ""
        text += f":{name}" if text else name
    if text:
        yield text


def run_inside(place, tests, only):
    """Runs the matching tests inside programs. Returns how many programs had some, and failed."""
    ran, failed = 0, []
    for test in tests:
        command, environment, folder = words(test.text, place / test.folder)
        found = cases(command, environment, folder, only)
        ran += bool(found)
        for text in filters(found):
            print(f"== {test.name}: {len(found)} tests have '{only}'", flush=True)
            if subprocess.run([*command, f"--gtest_filter={text}"], env=environment, cwd=folder,
                              check=False).returncode != 0:
                failed.append(test.name)
    return ran, failed


def main(preset, room, only=""):
    path = path_of(room)
    build(preset, "help", stdout=subprocess.DEVNULL)
    place = test_programs.as_cmake_names(ROOT / "build" / preset)
    folder = place / "tests" / path
    declared = test_programs.declared(place)
    without = ["-LE", "full" if OF_REST.match(path) else "full|rest"]
    selection = [*without, *(["-R", only] if only else [])]
    chosen = [declared[name] for name in test_programs.selected(folder, *selection)]
    inside = [declared[name] for name in test_programs.selected(folder, *without)
              if GOOGLE in declared[name].text]
    of_rest = set(test_programs.selected(place, "-L", "rest"))
    targets = test_programs.needed(place, chosen or inside, of_rest)
    if targets:
        build(preset, *targets)
    if chosen:
        sys.exit(subprocess.run(["ctest", "--test-dir", folder, "--output-on-failure", "-j2",
                                 *selection], check=False).returncode)
    ran, failed = run_inside(place, inside, only)
    if not ran:
        fail(f"no test of {path}, and none inside its programs, has '{only}' in its name")
    print(f"== tests inside {ran} programs, failed: {', '.join(failed) or 'none'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
