# SPDX-License-Identifier: BSD-3-Clause
"""Checks that words which processes share are of the class Shared, whose accesses say what they
promise: no file of src/transport/shm and none of src/services uses std::atomic, and only fence.*
passes a fence."""

import re

from problems import finish, problem
from tree import ROOT, files

SHARING = ("src/transport/shm/", "src/services/")
FENCES = ("src/transport/shm/fence.hpp", "src/transport/shm/fence.cpp")
RULES = (
    (re.compile(r"\bstd::atomic(?:_ref|_flag|_u?int\w*|_bool)?\b(?!_)|\bmemory_order\w*"), SHARING,
     "an atomic, in place of transport::Shared"),
    (re.compile(r"\batomic_(?:thread|signal)_fence\b|\b__sync_synchronize\b"), ("src/",),
     "a fence, which belongs into src/transport/shm/fence.*"),
)


def main():
    checked = 0
    for path in map(str, files()):
        if not path.startswith("src/") or path in FENCES:
            continue
        if not path.endswith((".cpp", ".hpp", ".h")):
            continue
        checked += 1
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            code = line.partition("//")[0]
            for pattern, folders, what in RULES:
                if path.startswith(folders) and pattern.search(code):
                    problem(f"{path}:{number}: {what}")
    if checked < 100:
        problem(f"only {checked} sources were found")
    finish(f"{checked} files")


main()
