# SPDX-License-Identifier: BSD-3-Clause
"""Reads the numbers, words and formulas of the papers that were typed from their texts alone, see
typed/README.md. Formulas are evaluated here, so that none of the command's is needed. Rules say
which typed number belongs to a row of `tutti reproduce`."""
import math
import pathlib
import re

FOLDER = pathlib.Path(__file__).with_name("typed")
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
         "double": 2, "about twice as fast": 2}
FUNCTIONS = {"ceil": math.ceil, "floor": math.floor, "log2": math.log2, "__builtins__": {},
             "log": lambda number, base: round(math.log(number, base), 9)}


def number_of(text):
    """Returns the number that a typed value is, or None for words, marks and formulas."""
    if text in WORDS:
        return float(WORDS[text])
    plain = text.replace(",", "")
    return float(plain) if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", plain) else None


def evaluate(formula, **names):
    """Computes a typed formula, such as 2*ceil(log p)*alpha or 95 + 0.394m + 10.3d."""
    text = formula.translate(str.maketrans("[]{}", "()()")).replace("^", "**")
    text = re.sub(r"\blog ([a-z])", r"log2(\1)", text.split(" = ")[-1].replace(" mod ", " % "))
    text = re.sub(r"\blog_\((.+?)\)\((\w+)\)", r"log(\2, \1)", text)
    text = re.sub(r"(\d\.\d+)([md])\b|(\d) (?=log)", r"\1\3*\2", text)
    return eval(text, dict(FUNCTIONS), names)


class Typed:
    """The typed values by exhibit, row and column. It remembers what was asked for."""

    def __init__(self, folder=FOLDER):
        self.values, self.units, self.used = {}, {}, set()
        for path in sorted(pathlib.Path(folder).glob("*.tsv")):
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.startswith("# ") or line.startswith("exhibit\t"):
                    continue
                *key, value, unit, _ = line.split("\t")
                assert tuple(key) not in self.values, line
                self.values[tuple(key)] = value
                self.units[tuple(key)] = unit.removesuffix(" ?")

    def text(self, *key):
        """Returns what stands at an exhibit, a row and a column, or None."""
        if key in self.values:
            self.used.add(key)
        return self.values.get(key)

    def number(self, *key):
        text = self.text(*key)
        return None if text is None else number_of(text)

    def formula(self, *key, **names):
        text = self.text(*key)
        return None if text is None else evaluate(text, **names)

    def rows(self, exhibit, column=None):
        """Returns the values of a column of an exhibit by row, or those of all columns by both."""
        return {(row if column else (row, name)): value
                for (of, row, name), value in self.values.items()
                if of == exhibit and column in (None, name)}

    def numbers(self, start):
        """Returns the numbers of all exhibits whose names begin like this."""
        found = (number_of(value) for (exhibit, _, _), value in self.values.items()
                 if exhibit == start or (len(start) == 3 and exhibit.startswith(start)))
        return {number for number in found if number is not None}


PRINTED, OURS = [], []  # what a paper prints, and the other side where it is the paper's as well


def rule(exhibit, label, rules=PRINTED):
    """Adds a rule for the rows whose exhibit and label have these forms."""

    def keep(function):
        rules.append((re.compile(exhibit), re.compile(label), function))
        return function

    return keep


def apply(rules, typed, name, label):
    """Returns what the first rule for a row finds, or None if there is none."""
    for exhibit, pattern, function in rules:
        found = pattern.fullmatch(label)
        if found and exhibit.fullmatch(name):
            return function(typed, name, *found.groups())
    return None
