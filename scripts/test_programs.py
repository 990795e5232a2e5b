# SPDX-License-Identifier: BSD-3-Clause
"""Says what tests need built, so that a build for few tests makes few programs. A test needs each
file of the build folder that its command, its environment or its REQUIRED_FILES name. A test that
is given the build folder itself looks at the component tutti of the installation, or at all of it
if it is a test of the rest, and at the programs of its own folder.

test_programs.py BUILD [ctest arguments]: prints the targets for the tests that these select. The
build folder has been configured by CMake for ninja."""

import dataclasses
import pathlib
import re
import subprocess
import sys

COMMAND = "bin/tutti"
# Matches what CMake writes about a test: add_test() has the command.
STATEMENT = re.compile(r"^(?:add_test|set_tests_properties)\(\[=*\[(.*?)\]=*\] (.*?)"
                       r"(?: _BACKTRACE_TRIPLES [^\n]*)?\)$", re.M | re.S)


@dataclasses.dataclass
class Test:
    """A test: the folder that declares it, relative to the build folder, and the text of its
    command and properties."""
    name: str
    folder: str
    text: str = ""


def as_cmake_names(folder):
    """Returns the build folder by the path that CMake has for it, which may go by links."""
    cache = (pathlib.Path(folder) / "CMakeCache.txt").read_text(encoding="utf-8")
    return pathlib.Path(re.search(r"^CMAKE_CACHEFILE_DIR:INTERNAL=(.*)$", cache, re.M)[1])


def declared(build):
    """Returns all tests of a build folder by name."""
    tests = {}
    for file in sorted(build.rglob("CTestTestfile.cmake")):
        folder = str(file.parent.relative_to(build))
        for name, text in STATEMENT.findall(file.read_text(encoding="utf-8")):
            tests.setdefault(name, Test(name, folder)).text += text + "\n"
    return tests


def selected(folder, *arguments):
    """Returns the names of the tests that arguments of ctest select in a folder."""
    listed = subprocess.run(["ctest", "--test-dir", folder, "-N", *arguments],
                            capture_output=True, text=True, check=False).stdout
    return re.findall(r"^ *Test +#\d+: (.+)$", listed, re.M)


def made(build):
    """Returns what ninja can make and the rules for it, without the names of custom targets."""
    listed = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True,
                            text=True, check=True).stdout
    rules = dict(line.rsplit(": ", 1) for line in listed.splitlines())
    return {name.removeprefix(f"{build}/"): rule for name, rule in rules.items()}


def needed(build, tests, of_rest):
    """Returns the targets that make what these tests need. `of_rest` are the names of all tests
    that come after make test."""
    rules = made(build)
    linked = [name for name, rule in rules.items()
              if "_LINKER_" in rule or rule == "CMAKE_SYMLINK_LIBRARY"]
    named = re.compile(re.escape(str(build)) + r"(?:/([^\s\"',;:=]*))?(?=[\s\"',;:=]|$)")
    targets = set()
    for test in tests:
        for file in {match.strip("/") for match in named.findall(test.text)}:
            if not file:
                component = "product" if test.name in of_rest else "core"
                targets |= {component, f"{test.folder}/all"}
            elif file == COMMAND:
                targets.add("product" if test.name in of_rest else "core")
            elif file in rules:
                # A library has links beside it, which are shorter names.
                targets |= {file, *(name for name in linked if file.startswith(f"{name}."))}
            else:
                targets |= {name for name in linked if name.startswith(f"{file}/")}
                if f"{file}/all" in rules:
                    targets.add(f"{file}/all")
    return sorted(targets)


def main():
    build = as_cmake_names(sys.argv[1])
    tests = declared(build)
    names = selected(build, *sys.argv[2:])
    if not names:
        sys.exit("test_programs: no test is selected")
    of_rest = set(selected(sys.argv[1], "-L", "rest"))
    print("\n".join(needed(build, [tests[name] for name in names], of_rest)))


if __name__ == "__main__":
    main()
