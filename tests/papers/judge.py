# SPDX-License-Identifier: BSD-3-Clause
"""Judges exhibits by the rules of tutti-reproduce(1), from what `tutti reproduce --json` prints of
their rows and parameters. It shares no code with the command."""
import re

PROVENANCE = re.compile(r"^(published|derived|fitted|measured|assumed): ")
NAMED = re.compile(r"paper (\d{3}), (table|figure|section)(s?) ")


def same(paper, ours, relative, absolute):
    if isinstance(paper, str) or isinstance(ours, str):
        return paper == ours
    return abs(ours - paper) <= max(relative * abs(paper), absolute)


def row_state(row):
    """Judges a row."""
    if row["ours"] is None:
        return "missing"
    if row["measured"]:
        return "measured"
    if row["paper"] is None:
        return "alone"
    tolerance = row["tolerance"]
    agrees = same(row["paper"], row["ours"], tolerance["relative"], tolerance["absolute"])
    return "agrees" if agrees else "differs"


def origins(source):
    """Returns the names of the exhibits that a parameter comes from."""
    text = re.split(r"[:;(]", PROVENANCE.sub("", source))[0]
    names = []
    for found in NAMED.finditer(text):
        numbers = re.split(r", | and ", text[found.end():]) if found[3] else [text[found.end():]]
        for number in numbers:
            exact = re.match(r"[A-Z]?[\d.]*\d", number)
            if exact is None:
                break
            names.append(f"{found[1]}-{found[2]}-{exact[0]}")
    return names


def fitted(item):
    own = {item["name"], *item["same_numbers"]}
    return any(row["fitted"] for row in item["rows"]) or any(
        isinstance(parameter["value"], float) and own & set(origins(parameter["source"]))
        for parameter in item["parameters"])


def state(item, declared):
    """Judges an exhibit. `declared` is the state that its data declare, or None."""
    if declared:
        return declared
    states = [(row_state(row), row["statement"]) for row in item["rows"] if not row["measured"]]
    count = {name: sum(state == name for state, _ in states)
             for name in ("agrees", "differs", "missing")}
    if not any(count.values()):
        return "drawn"
    if ("differs", True) in states:
        return "contradicts"
    if count["differs"] > (count["agrees"] + count["differs"]) / 4:
        return "contradicts"
    if fitted(item):
        return "fitted"
    return "partly" if count["differs"] + count["missing"] else "agrees"
