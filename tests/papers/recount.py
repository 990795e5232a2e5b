# SPDX-License-Identifier: BSD-3-Clause
"""Counts the exhibits of the papers again. The numbers of the papers come from typed/, which was
typed from the texts alone, and ours from `tutti reproduce --json`. Rows and states are judged here
by the words of docs/guide/10-the-five-papers.md, and must be those of the command and of the
pages. A row of the papers must stand in a text, or in NOT_PRINTED with the reason."""
import collections
import json
import pathlib
import re
import sys
import tomllib

import typed_data
import typed_rules  # adds its rules
import typed_words  # as well
from command import tutti
from typed_numbers import OURS, PRINTED, Typed, apply
from typed_thesis import NOT_PRINTED

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "papers" / "data"
PAGES = ROOT / "docs" / "papers"
COUNTED = (PAGES / "README.md", ROOT / "docs" / "guide" / "10-the-five-papers.md")
STATES = ("agrees", "partly", "fitted", "erratum", "contradicts", "beyond", "drawn", "open",
          "impossible")
SOURCE = re.compile(r"paper (\d{3}), (table|figure|section)s? "
                    r"([A-Z]?[\d.]*\d(?:(?:, | and )[A-Z]?[\d.]*\d)*)")
problems = []


def problem(text):
    problems.append(text)


def same(one, other):
    """Tells if two texts or two numbers are the same but for rounding."""
    if is_number(one) and is_number(other):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-9)
    return one == other


# ---- rows ----


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Matches:
    """Finds the typed numbers of rows, and counts how they were found."""

    def __init__(self, typed):
        self.typed, self.counts = typed, collections.Counter()
        self.reasons, self.both = collections.Counter(), 0

    def paper(self, item, row):
        """Returns the number or text of a paper that a row is judged by."""
        name, said = item["name"], row["paper"]
        found = apply(PRINTED, self.typed, name, row["label"])
        if found is not None:
            kind = "numbers" if is_number(said) else "texts"
            self.counts[f"{kind} by the names of row and column, or computed from such"] += 1
            if not same(found, said):
                problem(f"{name}: {row['label']}: the text has {found}, and papers/data {said}")
            return found
        if not is_number(said):
            self.counts["sentences" if row["statement"] else "texts without a rule"] += 1
            if not row["statement"]:
                self.reasons[f"{name}: text"] += 1
            return said
        for exhibit, label, reason in NOT_PRINTED:
            if re.fullmatch(exhibit, name) and re.fullmatch(label, row["label"]):
                self.counts["numbers that are not printed as such"] += 1
                self.reasons[f"{exhibit}: {reason}"] += 1
                return said
        for place in (name, name[:3]):
            if said in self.typed.numbers(place):
                where = "exhibit" if place == name else "paper"
                self.counts[f"numbers by their value alone, in the {where}"] += 1
                return said
        problem(f"{name}: {row['label']}: {said:.10g} is not in the text, and NOT_PRINTED has no "
                "reason")
        return said

    def ours(self, item, row):
        """Compares the other side of a row with the text if it is the paper's, too."""
        found = apply(OURS, self.typed, item["name"], row["label"]) if row["within_paper"] else None
        if found is None or row["ours"] is None:
            return
        self.both += 1
        if not same(found, row["ours"]):
            problem(f"{item['name']}: {row['label']}: the text gives {found:.10g}, and the command "
                    f"{row['ours']:.10g}")


def judge(item, row, matches):
    """Judges a row. Measurements of this machine decide nothing."""
    if row["measured"] or row["input"] or row["paper"] is None:
        return None
    printed = matches.paper(item, row)
    matches.ours(item, row)
    if row["ours"] is None:
        return "missing"
    if not (is_number(printed) and is_number(row["ours"])):
        return "agrees" if printed == row["ours"] else "differs"
    width = max(row["tolerance"]["relative"] * abs(printed), row["tolerance"]["absolute"])
    return "agrees" if abs(printed - row["ours"]) <= width else "differs"


# ---- states ----


def too_many_fail(judged):
    """A sentence does not hold, or more than a quarter of the rows with two sides fail."""
    if any(state == "differs" and row["statement"] for row, state in judged):
        return True
    states = [state for _, state in judged if state in ("agrees", "differs")]
    return 4 * states.count("differs") > len(states)


def is_fitted(item, judged):
    """A parameter was fitted to these very figures: a row or the source of a parameter says so."""
    names = {item["name"], *item["same_numbers"]}
    if any(row["fitted"] for row, _ in judged):
        return True
    for parameter in item["parameters"]:
        source = re.sub("^(published|derived|fitted|measured|assumed): ", "", parameter["source"])
        for paper, kind, numbers in SOURCE.findall(re.split("[:;(]", source)[0]):
            if is_number(parameter["value"]) and names & {
                    f"{paper}-{kind}-{number}" for number in re.split(", | and ", numbers)}:
                return True
    return False


def state_of(item, judged, declared):
    """Returns the state by the words of the guide. `declared` says why nothing is compared."""
    compared = [(row, state) for row, state in judged if state]
    if declared:
        if declared in ("open", "impossible") and any(state != "missing" for _, state in compared):
            problem(f"{item['name']}: {declared}, and rows are compared")
        return declared
    if not compared:
        return "drawn"
    if too_many_fail(compared):
        own = [(row, state) for row, state in compared
               if not (row["within_paper"] and state == "differs")]
        return "contradicts" if too_many_fail(own) else "erratum"
    if is_fitted(item, judged):
        return "fitted"
    return "agrees" if {state for _, state in compared} == {"agrees"} else "partly"


def declared_states():
    """Returns the states that papers/data declares."""
    states = {}
    for path in DATA.glob("*.toml"):
        for kind, items in tomllib.loads(path.read_text()).items():
            for item in items if isinstance(items, list) else []:
                words = (path.stem, kind, item["number"])
                states["-".join(word for word in words if word != "statement")] = item.get("state")
    return states


# ---- pages ----


def page_states():
    """Returns the state and the counts that the tables of the pages print, by exhibit."""
    found = {}
    for page in PAGES.glob("00?.md"):
        lines = re.findall(r"^\| (\d{3}-\S+) \|.*\| ([^|]+) \|$", page.read_text(), re.M)
        for name, state in lines:
            counts = re.match(r"\w+, (\d+) of (\d+) rows", state)
            found[name] = (re.match(r"\w+", state)[0], counts and tuple(map(int, counts.groups())))
    return found


def counts_of(results):
    """Returns the cells of a line of the tables of counts."""
    states = [result["state"] for result in results]
    timed = [result for result in results if result["item"]["time"]]
    judged = [result for result in results if not result["declared"]]
    agreeing = [result for result in timed if result["state"] == "agrees" and result["ours"]]
    return [len(results), *(states.count(state) for state in STATES), len(timed), len(agreeing),
            sum(result["item"]["measured"] for result in results),
            sum(result["compared"] for result in judged), sum(result["agree"] for result in judged)]


def compare_counts(results, frozen):
    """Compares the tables of counts of the documents with ours, and returns ours."""
    first = [result for result in results if result["item"]["name"] in frozen]
    lines = {paper: counts_of([result for result in first if result["item"]["paper"] == paper])
             for paper in sorted({result["item"]["paper"] for result in results})}
    lines["all"] = counts_of(first)
    lines["added"] = counts_of([result for result in results if result not in first])
    for path in COUNTED:
        text = path.read_text()
        for paper, cells in lines.items():
            wanted = "| " + " | ".join([paper, *map(str, cells)]) + " |"
            if wanted not in text:
                printed = re.search(rf"^\| {paper} \| \d.*", text, re.M)
                problem(f"{path.name}: counted {wanted}, and printed "
                        f"{printed[0] if printed else 'nothing'}")
    return lines


def compare_states(results):
    pages = page_states()
    for result in results:
        item, rows = result["item"], (result["agree"], result["compared"] + result["missing"])
        name = item["name"]
        if result["state"] != item["state"]:
            problem(f"{name}: {result['state']} by the recount, and {item['state']} by the command")
        state, counts = pages.pop(name, ("not there", None))
        if state != result["state"] or (counts or (0, 0)) != rows:
            problem(f"{name}: {result['state']}, {rows[0]} of {rows[1]} rows by the recount, and "
                    f"{state}, {counts} on the page")
    for name in pages:
        problem(f"{name}: is on a page, and the command does not have it")


# ---- all ----


def recount(items, matches):
    results, declared = [], declared_states()
    for item in items:
        judged = [(row, judge(item, row, matches)) for row in item["rows"] if not row["measured"]]
        states = [state for _, state in judged]
        agree, differ = states.count("agrees"), states.count("differs")
        results.append({"item": item, "declared": declared[item["name"]], "agree": agree,
                        "compared": agree + differ, "missing": states.count("missing"),
                        "ours": any(state in ("agrees", "differs") and not row["within_paper"]
                                    for row, state in judged),
                        "state": state_of(item, judged, declared[item["name"]])})
    return results


def show(lines, matches, typed, cells):
    heads = ("exhibits", *STATES, "about time", "agree in time", "measured", "rows", "rows agree")
    for paper, counts in lines.items():
        print(f"{paper}: " + ", ".join(f"{count} {head}" for head, count in zip(heads, counts)
                                       if count))
    print("\nwhat the papers print in rows:")
    for way, count in matches.counts.items():
        print(f"  {count} {way}")
    print("without a number or text of the paper:")
    for reason, count in sorted(matches.reasons.items()):
        print(f"  {count} {reason}")
    print(f"{matches.both} rows have another side of the paper's, which is computed from the text, "
          "too")
    print(f"{cells} numbers of the data files of papers 003 and 004 compared; {len(typed.used)} of "
          f"{len(typed.values)} typed values used")


def main():
    typed = Typed()
    items = json.loads(tutti("--all", "--quick", "--json", seconds=280).stdout)["exhibits"]
    names = pathlib.Path(__file__).with_name("first_names.txt").read_text().splitlines()
    matches = Matches(typed)
    results = recount(items, matches)
    compare_states(results)
    lines = compare_counts(results, set(names))
    cells, wrong = typed_data.compare(typed)
    problems.extend(wrong)
    show(lines, matches, typed, cells)
    print(f"{len(problems)} problems")
    for text in problems:
        print("  " + text)
    sys.exit(bool(problems))


main()
