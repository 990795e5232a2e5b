# SPDX-License-Identifier: BSD-3-Clause
"""Knows what stands in a prototype of C, and which prototypes the templates of the manual mean."""

import re
import textwrap

# The results of calls of NX that cannot fail. Their two forms return the same.
CLOCKS = ("double ", "unsigned long ")
BLACS_TYPES = "i int, s float, d double, c float, z double"


def prototypes(template, types=BLACS_TYPES):
    """Returns the prototypes that a template stands for: {v} and {T} are the letters and types of
    `types`, and {_} the two forms of a call of NX."""
    if "{_}" in template:
        return both_forms(template.replace("{_}", ""))
    if "{v}" not in template:
        return [template]
    return [template.replace("{v}", letter).replace("{T}", kind)
            for letter, kind in (entry.split() for entry in types.split(", "))]


def both_forms(prototype):
    """Returns the prototypes of a call of NX: of the form that ends the job if it fails, and of the
    one that returns -1."""
    start = re.search(r"\w+\s*\(", prototype).start()
    result = prototype[:start] if prototype.startswith(CLOCKS) else "long "
    return [prototype, f"{result}_{prototype[start:]}"]


def result_of(prototype):
    return re.match(r"(?:static inline )?(.*?)\s*\b\w+\(", prototype).group(1)


def name_of(prototype):
    return re.search(r"(\w+)\s*\(", prototype).group(1)


def parameters(prototype):
    """Returns the names of a prototype's parameters."""
    text, depth, parts = prototype[prototype.index("(") + 1:prototype.rindex(")")], 0, [""]
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    names = [re.search(r"\(\*(\w+)\)|(\w+|\.\.\.)(?:\[\])?\s*$", part) for part in parts]
    return [name.group(1) or name.group(2) for name in names if name.group(0) != "void"]


def broken(text):
    """Returns a prototype in lines of at most 78 characters, which end after commas."""
    text = re.sub(r"\* ?(?=\w)", "*", re.sub(r"(\w)\*", r"\1 *", text)) + ";"
    joined = text.replace(", ", ",\0").replace(" ", "\1").replace("\0", " ")
    return textwrap.fill(joined, 78, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False).replace("\1", " ")
