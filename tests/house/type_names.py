# SPDX-License-Identifier: BSD-3-Clause
"""Checks that no two folders of src/ declare a type of the same name at namespace scope in a
header, so that one name means one thing. Types within a class are named with that class, and types
of a source file are seen by that file only; both are left out."""

import collections
import re

from folders import LIBRARY
from problems import finish, problem
from tree import ROOT, matching

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# Matches the texts that open or close a scope, and the names of declared types.
TOKEN = re.compile(
    r"(?P<namespace>namespace\s*[\w:]*\s*\{)"
    r"|(?:enum class|enum|struct|class|union)\s+(?:alignas\([^)]*\)\s*)?(?P<type>\w+)"
    r"\s*(?:final\s*)?(?::[^;{()]*)?\{"
    r"|using (?P<alias>\w+) ="
    r"|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)'"
    r"|[{}]")
# Names with two implementations of one interface; a program is linked with one of them.
EXCUSED = {"GroupRegistry"}


def types_in(text):
    """Yields the names of the types that are declared at namespace scope."""
    scopes = []
    for match in TOKEN.finditer(COMMENT.sub("", text)):
        name = match["type"] or match["alias"]
        if name and all(scope == "namespace" for scope in scopes):
            yield name
        if match["namespace"]:
            scopes.append("namespace")
        elif match["type"] or match.group() == "{":
            scopes.append("other")
        elif match.group() == "}" and scopes:
            scopes.pop()


def main():
    rooms = collections.defaultdict(set)
    headers = [path for path in map(str, matching("*.hpp")) if path.startswith(LIBRARY)]
    for path in headers:
        for name in types_in((ROOT / path).read_text(encoding="utf-8")):
            rooms[name].add(path.rsplit("/", 1)[0])
    for name, where in sorted(rooms.items()):
        if len(where) > 1 and name not in EXCUSED:
            problem(f"{name} is a type in {', '.join(sorted(where))}; one name, one thing")
    finish(f"{len(rooms)} types in {len(headers)} headers")


main()
