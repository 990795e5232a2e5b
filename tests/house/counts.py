# SPDX-License-Identifier: BSD-3-Clause
"""Checks the numbers that documents state against the command and the headers:
operations, collectives, names of the BLACS and processes of a job. It also checks that
the version is the same in all places. Argument: the command."""

import json
import re
import subprocess
import sys

import c_headers
from problems import finish, problem
from tree import ROOT, matching

WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty"
]
# Records of measurements are left out: their numbers were true on their day.
RECORDS = re.compile(r"docs/(measurements/|papers/0)")


def ask(command, *arguments):
    return json.loads(
        subprocess.run([command, "info", *arguments, "--json"],
                       capture_output=True,
                       text=True,
                       check=True).stdout)


def claims(command):
    """Returns pairs: a pattern for the words with which documents state a number, and the number.
    """
    users = c_headers.declared("tutti/tutti.h")
    algorithms = ask(command, "--algorithms")["algorithms"]
    return [
        (r"generators for (\w+) operations",
         len({algorithm["operation"]
              for algorithm in algorithms})),
        (r"\b(\w+), each blocking, non-blocking and persistent",
         sum(f"tutti_i{name[6:]}" in users and f"{name}_init" in users for name in users)),
        (r"all (\w+) names, for C and Fortran",
         2 * len(c_headers.declared("tutti-blacs/tutti_blacs.h"))),
        (r"up to (\w+) on one machine", ask(command)["most_ranks"]),
    ]


def number(text):
    return int(text) if text.isdigit() else WORDS.index(text) if text in WORDS else None


def check_claims(command):
    paths = [path for path in matching("*.md", "*.txt") if not RECORDS.match(str(path))]
    texts = {path: re.sub(r"\s+", " ", (ROOT / path).read_text(errors="replace")) for path in paths}
    checked = 0
    for pattern, wanted in claims(command):
        found = [(path, text) for path in texts for text in re.findall(pattern, texts[path])
                 if number(text.lower()) is not None]
        checked += len(found)
        if not found:
            problem(f"no document says '{pattern}'")
        for path, text in found:
            if number(text.lower()) != wanted:
                problem(f"{path} says '{text}' where '{pattern}' is {wanted}")
    return checked


def check_version(command):
    """Checks that the build, the citation, the C header and the newest entry of the change log have
    the same version."""
    built = ask(command)["version"]
    header = (ROOT / "include/tutti/tutti.h").read_text()
    log = (ROOT / "CHANGELOG.md").read_text()
    released = re.search(r"^## \[(\d[\w.]*)\]", log, flags=re.M)
    coming = re.search(r"The next version is (\d+\.\d+\.\d+)\.", log)
    for where, version in (("CITATION.cff",
                            re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(),
                                      flags=re.M).group(1)), ("tutti.h", ".".join(
                                          re.search(rf"TUTTI_VERSION_{part} (\d+)", header).group(1)
                                          for part in ("MAJOR", "MINOR", "PATCH"))),
                           ("CHANGELOG.md",
                            (released or coming).group(1) if released or coming else "none")):
        if version != built:
            problem(f"{where} says version {version}, the build is {built}")


def main():
    checked = check_claims(sys.argv[1])
    check_version(sys.argv[1])
    finish(f"{checked} numbers")


main()
