# SPDX-License-Identifier: BSD-3-Clause
"""Makes of the stub of the extension module a header in C with its signatures and texts, in the
form in which help() and inspect.signature() read them. So both stand in one place only.
Arguments: the stub, the header. The header has a macro TUTTI_TEXT_<class>_<name> for each method
and property, TUTTI_TEXT_<class> for each class with a text, and TUTTI_TEXT_<name> for each
function."""

import ast
import json
import sys


def signature_of(function, owner):
    """Returns a signature without types, in the words of inspect."""
    given = function.args
    for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
        argument.annotation = None
    words = ast.unparse(given)
    if owner is None:
        return f"($module, {words})" if words else "($module)"
    words = words.removeprefix("self").removeprefix("cls").removeprefix(", /").removeprefix(", ")
    slash = "" if given.posonlyargs else ", /"
    return f"($self{slash}, {words})" if words else f"($self{slash})"


def macro_of(name, text):
    # The strings of JSON are strings of C, too, as long as all characters are of ASCII.
    return f"#define TUTTI_TEXT_{name} {json.dumps(text)}\n"


def texts_of(nodes, owner=None):
    """Yields the macros of functions, methods and properties. One overload has the text."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            if text := ast.get_docstring(node):
                yield macro_of(node.name, text)
            yield from texts_of(node.body, node.name)
        elif isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node)):
            is_property = any(ast.unparse(mark) == "property" for mark in node.decorator_list)
            head = "" if is_property else f"{node.name}{signature_of(node, owner)}\n--\n\n"
            yield macro_of(f"{owner}_{node.name}" if owner else node.name, head + text)


def main():
    stub, header = sys.argv[1:]
    with open(stub, encoding="ascii") as file:
        nodes = ast.parse(file.read()).body
    with open(header, "w", encoding="ascii") as file:
        file.write("// Made by python/texts.py.\n#pragma once\n")
        file.writelines(texts_of(nodes))


main()
