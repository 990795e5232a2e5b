# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the Python package for the site: the signatures of its stubs (*.pyi) with the
texts that help() shows, if the package is built."""

import ast
import importlib
import inspect
import re
import sys


def public(text):
    """Returns a signature without the names of modules that users do not import."""
    return re.sub(r"\b_(?:core|group)\.", "", text)


class PythonPage:

    def __init__(self, root, package):
        """`package` is the folder in which the built package lies, or None."""
        self.stubs = root / "python/tutti"
        self.built = None
        if package is not None:
            sys.path.insert(0, str(package))
            self.built = importlib.import_module("tutti")

    def text_of(self, *names):
        """Returns what help() shows of an object, by its name and those around it."""
        found = self.built
        for name in names:
            found = inspect.getattr_static(found, name, None) if found is not None else None
        text = inspect.getdoc(found) if found is not None else None
        inherited = names[-1].startswith("__") if names else False
        return [] if text is None or inherited else [*text.splitlines(), ""]

    def parts_of(self, module):
        stub = self.stubs / f"{module}.pyi"
        return ast.parse((stub if stub.exists() else self.stubs / f"{module}.py").read_text()).body

    def function(self, node, around=()):
        arguments = [argument.arg for argument in node.args.args]
        signature = ast.unparse(node.args)
        if around and arguments[:1] == ["self"]:
            signature = signature.removeprefix("self, ").removeprefix("self")
        signature = signature.removeprefix("/, ").removeprefix("/")
        returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        signature, returned = map(public, (signature, returned))
        kind = "method" if around else "function"
        if any(isinstance(mark, ast.Name) and mark.id == "property"
               for mark in node.decorator_list):
            kind, signature, returned = "property", "", ""
        shown = ".".join((*around, node.name)) + (f"({signature}){returned}"
                                                  if kind != "property" else "")
        return [f"```{{py:{kind}}} {shown}", ":noindex:" if self.repeated(shown) else "",
                *self.text_of(*around, node.name), "```", ""]

    def repeated(self, shown):
        name = shown.split("(")[0]
        again = name in self.seen
        self.seen.add(name)
        return again

    def class_(self, node):
        bases = [ast.unparse(base) for base in node.bases if ast.unparse(base) != "object"]
        lines = [f"### {node.name}", "", *self.text_of(node.name)]
        if bases and bases != ["_core.Group"]:
            lines += [f"Bases: {', '.join(f'`{base}`' for base in bases)}", ""]
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                lines += self.function(part, (node.name,))
        return lines

    def write(self, path):
        self.seen = set()
        modules = [self.parts_of(name) for name in ("__init__", "_group", "_core")]
        shown = ast.literal_eval(next(part.value for part in modules[0]
                                      if isinstance(part, ast.Assign)
                                      and ast.unparse(part.targets[0]) == "__all__"))
        lines = ["# The Python package", "", *self.text_of(), "## Functions", ""]
        lines += ["```{py:currentmodule} tutti", "```", ""]
        for part in modules[0]:
            if isinstance(part, ast.FunctionDef) and part.name in shown:
                lines += self.function(part)
        classes = [part for parts in modules for part in parts if isinstance(part, ast.ClassDef)]
        errors = [part for part in classes if part.name in shown and is_error(part)]
        lines += ["## Classes", ""]
        for part in classes:
            if part.name in shown and part not in errors:
                lines += self.class_(part)
        constants = [name for name in shown if name.isupper()]
        lines += ["## Constants", "", ", ".join(f"`{name}`" for name in constants), ""]
        lines += ["## Errors", "", *(f"- `{part.name}`: a "
                                     + ", ".join(f"`{ast.unparse(base)}`" for base in part.bases)
                                     for part in errors), ""]
        path.write_text("\n".join(lines) + "\n")


def is_error(part):
    names = {ast.unparse(base) for base in part.bases}
    return bool(names & {"Error", "RuntimeError"})
