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
    if row["input"]:
        return "input"
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


def contradict(rows):
    """Tells if a statement fails, or more than a quarter of the rows with two sides."""
    judged = [(row_state(row), row["statement"]) for row in rows]
    differ = sum(found == "differs" for found, _ in judged)
    agree = sum(found == "agrees" for found, _ in judged)
    return ("differs", True) in judged or differ > (agree + differ) / 4


def state(item, declared):
    """Judges an exhibit. `declared` is the state that its data declare, or None."""
    if declared:
        return declared
    rows = [row for row in item["rows"] if not row["measured"]]
    states = [row_state(row) for row in rows]
    if not {"agrees", "differs", "missing"} & set(states):
        return "drawn"
    if contradict(row for row in rows
                  if not (row["within_paper"] and row_state(row) == "differs")):
        return "contradicts"
    if contradict(rows):
        return "erratum"
    if fitted(item):
        return "fitted"
    return "partly" if {"differs", "missing"} & set(states) else "agrees"
