# SPDX-License-Identifier: BSD-3-Clause
"""Counts the mechanisms of the spine, which is transport, services, engine, job and api, and checks
that none of them becomes more than spine.toml allows. spine_counts.py has the patterns.

    spine.py [--tree FOLDER] [--where [COUNT...]]

prints the counts of a tree, and with --where what has been counted. Only without --tree are they
compared with the limits, because other trees have others."""

import argparse
import pathlib
import re
import tomllib

import constants
import spine_counts
from problems import finish, problem
from tree import ROOT


def name_of(found):
    """Returns the name of something that was counted: what follows its place."""
    return found.partition(" ")[2].partition(":" if ": " in found else "\0")[0]


def counted(root):
    """Returns all that was found in a tree, by the names of the counts, before excuses."""
    tree = spine_counts.Tree(root)
    by_name = ("lenders", "books", "waits", "yields_in_transport", "memories", "store_deciders",
               "memories_of_front_ends", "cutters", "futexes", "torn_classes", "circles")
    found = {name: list(getattr(spine_counts, name)(tree)) for name in by_name}
    found["virtuals_of_mail"] = list(spine_counts.virtual_functions(tree, "Mail"))
    found["virtuals_of_transport"] = list(
        spine_counts.virtual_functions(tree, "Transport", "Channel"))
    found["large_classes"] = list(spine_counts.large_classes(tree, 40))
    launch = ("src/launch/",)
    found["large_classes_of_launch"] = list(spine_counts.large_classes(tree, 40, launch))
    found["torn_classes_of_launch"] = list(spine_counts.torn_classes(tree, launch))
    found["files_of_pvm"] = [file.path for file in tree.under("frontends/pvm/",
                                                              "src/frontends/pvm/")]
    marked, unknown, _ = constants.compared(root)
    found["constants"] = marked + [f"{one} -> no reason" for one in unknown]
    return found


def without_excused(found, excused):
    for count, names in excused.items():
        found[count] = [one for one in found[count] if name_of(one) not in names]
    rooms = {re.match(r"(src/\w+|frontends/\w+)/", one)[1] for one in found["cutters"]}
    found["cutting_rooms"] = sorted(rooms)
    return found


def numbers_of(root, found):
    """Returns all counts as numbers, those of lines included."""
    tree = spine_counts.Tree(root)
    whole, comments = spine_counts.lines(tree, *spine_counts.SPINE)
    return {name: len(places) for name, places in found.items()} | {
        "lines": whole,
        "lines_of_engine": spine_counts.lines(tree, "src/engine")[0],
        "lines_of_launch": spine_counts.lines(tree, "src/launch")[0],
        "lines_of_shm": spine_counts.lines(tree, "src/transport/shm")[0],
        "lines_per_comment": round(100 * whole / max(comments, 1)),
    }


def show(counts, numbers, found, where):
    print(f"{'now':>6} {'limit':>6} {'wanted':>6} {'before':>6}")
    for name, row in counts.items():
        before = row.get("before", "")
        print(f"{numbers[name]:6} {row['limit']:6} {row['wanted']:6} {before:>6}  {row['what']} "
              f"({name})")
        if where is not None and (not where or name in where):
            for one in found.get(name, ()):
                print(f"{'':28}  {one}")


def compare(counts, numbers, raw, excused):
    for name, row in counts.items():
        if numbers[name] > row["limit"]:
            problem(f"{name}: {numbers[name]} {row['what']}, and not more than {row['limit']}; "
                    f"spine.py --where {name} lists them")
        elif numbers[name] < row["limit"]:
            print(f"{name} has fallen to {numbers[name]}: its limit in spine.toml can, too")
        if row["limit"] < row["wanted"]:
            problem(f"{name}: its limit in spine.toml is less than what is wanted")
    for name, names in excused.items():
        for one in sorted(set(names) - {name_of(found) for found in raw[name]}):
            problem(f"{name}: spine.toml excuses {one}, which is not there any more")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tree", type=pathlib.Path)
    parser.add_argument("--where", nargs="*")
    given = parser.parse_args()
    listed = tomllib.loads(
        (pathlib.Path(__file__).parent / "spine.toml").read_text(encoding="utf-8"))
    root = given.tree or ROOT
    raw = counted(root)
    found = without_excused(dict(raw), listed["excused"])
    numbers = numbers_of(root, found)
    show(listed["count"], numbers, found, given.where)
    if given.tree is None:
        compare(listed["count"], numbers, raw, listed["excused"])
        left = sum(numbers[name] > row["wanted"] for name, row in listed["count"].items())
        finish(f"{len(numbers)} counts, of which {left} are more than wanted")


main()
