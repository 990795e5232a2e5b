# SPDX-License-Identifier: BSD-3-Clause
"""Checks that no call passes a bare `true` or `false`, because a reader of the call cannot tell
what it means. An enumeration, a named member (`{.commutative = true}`) or two functions tell it.
Calls of other libraries are left out, because we cannot name their parameters."""

import re

from folders import COMMAND, LIBRARY
from problems import finish, problem
from tree import ROOT, files

FOLDERS = (*LIBRARY, *COMMAND, "bench/", "papers/", "apps/")
# Functions of the standard library, of nlohmann-json and of CLI11, whose parameters are booleans.
OF_OTHERS = re.compile(r"\b(store|exchange|compare_exchange_\w+|assign|push_back|resize|emplace|"
                       r"try_emplace|dump|parse|remaining|allow_extra_args|make_shared<bool>|"
                       r"vector<bool>|integral_constant|required|test_and_set|fill|expected|"
                       r"count|static_assert|return|if|while)\s*\($|: \{$")
TEXT_OR_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
# Matches the value in `name(true, ...)`, `name(..., false)` and `Type name{..., true, ...}`.
BARE = re.compile(r"(?<=[(,{])\s*(true|false)\s*(?=[,)}])")


def opening(text, at):
    """Returns the text that ends with the last bracket that is open at position `at`, and the text
    between that bracket and `at`."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if text[i] in ")}]":
            depth += 1
        elif text[i] in "({[":
            if depth == 0:
                return text[max(0, i - 80):i + 1], text[i + 1:at]
            depth -= 1
    return "", ""


def is_named(before, between):
    """Returns true if a name stands beside the value: `bool flag{true}`, `flag_(true)` or
    `{"key", true}`. String literals are blanked before."""
    if between.strip() == ",":
        return True
    return re.search(r"(\bbool>?\s+\w+\{|[:,]\s*\w+_\()$", before)


def main():
    checked = 0
    for path in map(str, files()):
        if not path.startswith(FOLDERS) or not path.endswith((".cpp", ".hpp", ".h", ".c")):
            continue
        checked += 1
        text = TEXT_OR_COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()),
                                   (ROOT / path).read_text(encoding="utf-8"))
        for match in BARE.finditer(text):
            before, between = opening(text, match.start(1))
            if before and not OF_OTHERS.search(before) and not is_named(before, between):
                line = text.count("\n", 0, match.start(1)) + 1
                problem(f"{path}:{line}: a call passes a bare '{match.group(1)}'")
    finish(f"{checked} files")


main()
