# SPDX-License-Identifier: BSD-3-Clause
"""Checks the guide's page for users of mpi4py: each name of tutti in its table is one that there
is, its arguments are those of the call, and the names that errors suggest agree with it. If mpi4py
is installed, its names are looked up, too. Argument: the page."""

import ast
import importlib.util
import re
import sys
from pathlib import Path

import tutti
from tutti import _names

OURS = {"world": tutti.Group, "part": tutti.Group, "request": tutti.Request, "tutti": tutti}
problems: list[str] = []


def check_call(code):
    """Looks up the names in a piece of code, and compares the words of its calls."""
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        owner = OURS.get(node.value.id)
        if owner is not None and node.attr != "world" and not hasattr(owner, node.attr):
            problems.append(f"{code}: there is no {node.attr}")
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            shown = tutti.Group.__dict__.get(node.func.attr) or getattr(tutti.Group, node.func.attr,
                                                                        None)
            text = getattr(shown, "__text_signature__", None) or ""
            for word in node.keywords:
                if text and not re.search(rf"\b{word.arg}\b", text):
                    problems.append(f"{code}: no argument {word.arg}")


def names_of(code, owners):
    """Returns the attributes of these objects in a piece of code."""
    return re.findall(rf"\b(?:{'|'.join(owners)})\.(\w+)", code)


def main():
    rows = re.findall(r"^\| (`.*?) \| (`.*) \|$", Path(sys.argv[1]).read_text(), flags=re.M)
    pairs: dict[str, set[str]] = {}
    for left, right in rows:
        theirs = re.findall("`([^`]*)`", left)
        ours = re.findall("`([^`]*)`", right)
        for code in ours:
            if not code.startswith(("tutti run", "import ")):
                check_call(code + (" pass" if code.startswith("with ") else ""))
        found = [name for code in ours for name in names_of(code, OURS)]
        for name in (name for code in theirs for name in names_of(code, ("comm", "MPI", "group"))):
            pairs.setdefault(name, set()).update(found)
    for table in (_names.OF_A_GROUP, _names.OF_THE_MODULE):
        for name, suggested in table.items():
            if name in pairs and suggested.removeprefix("tutti.") not in pairs[name]:
                problems.append(f"errors suggest {suggested} for {name}, the page {pairs[name]}")
    if len(rows) < 50:
        problems.append(f"the tables have {len(rows)} rows")
    if importlib.util.find_spec("mpi4py") is not None:
        from mpi4py import MPI
        problems.extend(f"mpi4py has no {name}" for name in pairs if not any(
            hasattr(owner, name) for owner in (MPI, MPI.Intracomm, MPI.Group, MPI.Request, MPI.Op)))
    print("\n".join(problems))
    print(f"{len(rows)} rows: {len(problems)} problem(s)")
    return 1 if problems else 0


sys.exit(main())
