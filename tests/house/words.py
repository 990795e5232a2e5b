# SPDX-License-Identifier: BSD-3-Clause
"""The words that docs/glossary.md has replaced occur nowhere any more: not in sources, messages,
tests or pages. Decision records and what lists old names are left out. A word that has an ordinary
meaning too is forbidden only in the folders where it stood for something else."""

import re

from problems import finish, problem
from tree import ROOT, files

EVERYWHERE = ["guardian", "lifeline", "errand", "own_counts", "attentive", "underway", "obstacle",
              "JobTicket", "SpareLetter", "LetterBlock", "LetterCircle", "LetterHeader", "Roll",
              "Witness", "Correspondent", "Guidance", "FarChannel", "FarPost", "FarTransport"]
# Folders, as regular expressions -> words.
IN_FOLDERS = {
    r"(src|tests)/(launch|transport|services|engine|api)/|tools/(run|pvm)/|man/":
        ["judges?", "wards?", "witness", "knocks?", "kin", "visitors?", "guests?", "tickets?"],
    r"(src|tests)/(transport|services)/":
        ["letters?", "sleepers?", "chunks?", "settle", "orphan", "past_caches", "Ways", "Post"],
    r"(src|tests)/(selection|engine)/": ["guidance", "advice"],
    r"(src|tests)/frontends/pvm/": ["roll", "learn_kin"],
    r"(src|tests)/frontends/bsp/": ["Turns", "judge", "circle"],
    r"(src|tests)/(api|frontends)/|bench/": ["Sides", "Prepared", "crowded"],
    r"src/(transport|selection)/": ["crowded", "have_circle", "buffer_circle"],
    r"tools/tune/": ["judge"],
}
# The lists of old words themselves, and records of changes and decisions that are older than the
# glossary.
LEFT_OUT = re.compile(
    r"^(CHANGELOG\.md|docs/internals/(decisions/|renamed\.md)|tests/house/words\.py)")


def patterns_for(path):
    """A pattern for the words that must not occur in a file."""
    words = list(EVERYWHERE)
    for folder, more in IN_FOLDERS.items():
        if re.match(folder, path):
            words += more
    return re.compile(r"(?<![A-Za-z])(" + "|".join(words) + r")(?![A-Za-z])")


def main():
    checked = 0
    for path in map(str, files()):
        if LEFT_OUT.match(path):
            continue
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        checked += 1
        pattern = patterns_for(path)
        for number, line in enumerate(text.splitlines(), 1):
            if match := pattern.search(line):
                problem(f"{path}:{number}: '{match.group(1)}'; docs/glossary.md has another word")
    finish(f"{checked} files")


main()
