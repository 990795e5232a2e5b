# SPDX-License-Identifier: BSD-3-Clause
"""Follows docs/guide/08-write-a-collective.md. In a copy of the tree it adds the page's file and
line, builds the command and runs the page's commands. It also runs the test that compares the
stated cost with the counts."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from problems import finish, problem
from tree import ROOT

PAGE = ROOT / "docs" / "guide" / "08-write-a-collective.md"
COPIED = ("CMakeLists.txt", "cmake", "src", "frontends", "include", "support", "study",
          "command", "papers", "tests", "apps", "bench", "python", "man", "scripts", "data", "docs",
          "examples", "LICENSES", "README.md", "CHANGELOG.md", "ARCHITECTURE.md")
TARGETS = ("tutti_programs", "test_algorithms_exhaustive")


def code_blocks(text):
    return re.findall(r"```(\w*)\n(.*?)```", text, re.S)


def add_algorithm(tree, text):
    file = re.search(r"`(src/algorithms/\w+\.cpp)`", text).group(1)
    source = next(body for language, body in code_blocks(text) if language == "cpp")
    line = next(body for language, body in code_blocks(text) if language == "")
    (tree / file).write_text(source)
    registry = tree / "src" / "algorithms" / "registry.def"
    registry.write_text(registry.read_text() + line)


def run(*command, cwd=None):
    done = subprocess.run([str(part) for part in command],
                          capture_output=True,
                          text=True,
                          check=False,
                          cwd=cwd)
    if done.returncode != 0:
        sys.exit(
            f"{' '.join(map(str, command))}: exit code {done.returncode}\n"
            f"{done.stdout[-4000:]}{done.stderr[-4000:]}"
        )
    return done.stdout


def main():
    text = PAGE.read_text()
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder, "tutti")
        tree.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tree / name)
            elif (ROOT / name).exists():
                shutil.copy(ROOT / name, tree / name)
        add_algorithm(tree, text)
        build = pathlib.Path(folder, "build")
        run("cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
            "-DCMAKE_CXX_FLAGS=-O1")
        run("cmake", "--build", build, "--target", *TARGETS)
        run(build / "tests" / "algorithms" / "test_algorithms_exhaustive", "--gtest_brief=1")
        commands = [body.strip() for language, body in code_blocks(text) if language == "sh"]
        for command in commands:
            words = command.split()
            if words[0] != "build/release/bin/tutti":
                problem(f"this test cannot run '{command}'")
                continue
            output = run(build / "bin" / "tutti", *words[1:])
            if "relay" not in output:
                problem(f"{command} does not mention the algorithm:\n{output}")
    finish(f"{len(commands)} commands")


if __name__ == "__main__":
    sys.exit(main())
