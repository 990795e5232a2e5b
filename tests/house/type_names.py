# SPDX-License-Identifier: BSD-3-Clause
"""No two rooms (folders of src/) declare a type of the same name at namespace scope in a header, so
that one name means one thing. Types within a class are named by their owner, and those of a source
file are seen by that file only."""

import collections
import re

from problems import finish, problem
from tree import ROOT, matching

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# What opens and closes scopes, with the names of types that are declared.
TOKEN = re.compile(
    r"(?P<namespace>namespace\s*[\w:]*\s*\{)"
    r"|(?:enum class|enum|struct|class|union)\s+(?:alignas\([^)]*\)\s*)?(?P<type>\w+)"
    r"\s*(?:final\s*)?(?::[^;{()]*)?\{"
    r"|using (?P<alias>\w+) ="
    r"|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)'"
    r"|[{}]")
# Two implementations of one interface, of which a program is linked with one.
EXCUSED = {"GroupRegistry"}


def types_in(text):
    """Names of the types that are declared at namespace scope."""
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
    headers = [path for path in map(str, matching("*.hpp")) if path.startswith("src/")]
    for path in headers:
        for name in types_in((ROOT / path).read_text(encoding="utf-8")):
            rooms[name].add(path.rsplit("/", 1)[0])
    for name, where in sorted(rooms.items()):
        if len(where) > 1 and name not in EXCUSED:
            problem(f"{name} is a type in {', '.join(sorted(where))}; one name, one thing")
    finish(f"{len(rooms)} types in {len(headers)} headers")


main()
