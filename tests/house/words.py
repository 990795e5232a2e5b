# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the words that docs/glossary.md has replaced no longer occur in sources, messages,
tests or pages. Decision records and lists of old names are left out. A word that also has an
ordinary meaning is forbidden only in the folders where it had a private one."""

import re

from problems import finish, problem
from tree import ROOT, files

EVERYWHERE = ["guardian", "lifeline", "errand", "own_counts", "attentive", "underway", "obstacle",
              "JobTicket", "SpareLetter", "LetterBlock", "LetterCircle", "LetterHeader", "Roll",
              "Witness", "Correspondent", "Guidance", "FarChannel", "FarPost", "FarTransport"]
# Regular expression for folders -> words that are forbidden there.
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
# Files that may have the words: lists of old words, and records of changes and decisions that are
# older than the glossary.
LEFT_OUT = re.compile(
    r"^(CHANGELOG\.md|docs/internals/(decisions/|renamed\.md)|tests/house/words\.py)")


def patterns_for(path):
    """Returns a pattern for the words that must not occur in a file."""
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
