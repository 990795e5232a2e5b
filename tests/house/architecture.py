# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the map in ARCHITECTURE.md names exactly the folders of the tree, and shows the
arrows between layers that the build enforces."""

import re

from problems import finish, problem
from tree import ROOT, files

LONGEST_MAP = 38
# The map names the folders in these, and each other folder at the top.
DIVIDED = ("src", "study")
# The line of each of these in the map names the folders in it, which are interfaces or programs.
NAMING = ("apps", "frontends", "include")


def mapped():
    """Returns folder -> layers that it may use according to the map, or None without an arrow."""
    block = (ROOT / "ARCHITECTURE.md").read_text().split("```")[1]
    lines = [line for line in block.splitlines()[1:] if line]
    if len(lines) > LONGEST_MAP:
        problem(f"the map has {len(lines)} lines, more than {LONGEST_MAP}")
    result = {}
    for line in lines:
        folder, _, text = line.partition(" ")
        arrow = re.search(r"-> ([a-z, ]+)$", text)
        result[folder] = {name.strip() for name in arrow.group(1).split(",")} if arrow else set()
    return result


def check_names():
    """Checks the lines that name the folders of a folder."""
    block = (ROOT / "ARCHITECTURE.md").read_text().split("```")[1]
    for name in NAMING:
        line = next(line for line in block.splitlines() if line.startswith(f"{name}/"))
        inside = {path.parts[1] for path in files()
                  if path.parts[0] == name and len(path.parts) > 2}
        for folder in sorted(inside):
            if not re.search(rf"[ ;(]{re.escape(folder)}/", line):
                problem(f"the line of {name}/ in the map does not name {folder}/")


def folders():
    """Returns the folders that the map must name: those at the top and the layers."""
    found = set()
    for path in files():
        if len(path.parts) > 1 and not path.parts[0].startswith("."):
            divided = path.parts[0] in DIVIDED and len(path.parts) > 2
            found.add("/".join(path.parts[:2 if divided else 1]) + "/")
    return found - {f"{name}/" for name in DIVIDED}


def declared():
    """Returns folder of a layer -> layers that it may use according to the CMake files."""
    result = {}
    for path in files():
        if path.name == "CMakeLists.txt" and path.parts[0] in (*DIVIDED, "support"):
            text = re.sub(r"#[^\n]*", "", (ROOT / path).read_text())
            for call in re.findall(r"tutti_layer\(([^)]*)\)", text):
                words = call.split()
                use = words[words.index("MAY_USE") + 1:] if "MAY_USE" in words else []
                result[f"{path.parent}/"] = {word for word in use if word.islower()}
    return result


def main():
    table, tree, build = mapped(), folders(), declared()
    for folder in sorted(tree - set(table)):
        problem(f"{folder} is not in the map")
    for folder in sorted(set(table) - tree):
        problem(f"{folder} is in the map and not in the tree")
    for layer, use in build.items():
        if table.get(layer, set()) != use:
            problem(f"layer {layer}: the build says -> {sorted(use)}, the map "
                    f"{sorted(table.get(layer, set()))}")
    check_names()
    finish(f"{len(tree)} folders, {len(build)} layers")


main()
