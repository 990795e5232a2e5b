# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a reader understands each sentence at once: in users' text (README, pages, manual,
messages), in comments and in docstrings. None has more than 40 words, none is a fragment ("Of the
last one."), and none is a riddle, which is a clause that stands for its subject ("Who sleeps is
woken."). Users' text names papers by author and year. COMMENTS lists the folders
whose comments in C, C++ and Fortran are checked. Comments of Python, shell, CMake and make are
checked everywhere. EXCEPTIONS has sentences that are right as they are, each with its reason."""

import re

import prose
from folders import COMMAND, LIBRARY
from problems import finish, problem
from tree import ROOT, files, matching

LONGEST = 40
# Pages that are not checked: records, and pages that programs write.
PAGES_LEFT_OUT = re.compile(r"(CHANGELOG\.md|docs/(measurements|papers|reference)/)")
MESSAGES = (*LIBRARY, *COMMAND)
# Folders whose comments in C, C++ and Fortran are checked, as the beginning of a path.
COMMENTS = ("apps/", "bench/", "cmake/", "examples/", "include/", "papers/", "scripts/", "tests/",
            *LIBRARY, *COMMAND)
# Files with comments behind `#`, besides shell scripts whose names have no ending.
SCRIPTS = ("*.py", "*.sh", "*.cmake", "*.cmake.in", "CMakeLists.txt", "Makefile", "packages.apt")
# Matches beginnings that no sentence has, because it would lean on the one before it, or lack its
# subject.
FRAGMENT = re.compile(
    r"(Of|The same|Same|Who|Whoever|Whom|Whose|Whatever|Whether|Which|So that|And|Or|Nor|Also|Else"
    r"|That (?:of|is)|As if|As in|As of|As much|As many|As|Not|Likewise|None of|But for|If not"
    r"|What\b(?! (?:is|does|do|are)\b[^.]*\?)|Only (?:after|before|in|for|when|where)|To be"
    r"|For(?: the| those| whom)?(?= [^,]*$))\b")
# Matches a clause in place of a subject, behind the beginning of a sentence.
RIDDLE = re.compile(r"(?:; |: |\b(?:and|but|so|that|because|if|when) )(who(?:ever)? (?:is|has|\w+s)"
                    r"|what (?:is|are|has|\w+s) [\w ]+ (?:is|are|has|does)) |\b(is|are), \2\b")
# Matches numbers that readers of users' text cannot know. `tutti reproduce` names exhibits by them.
NUMBERED = re.compile(r"(?<!--)\b([Pp]apers? 00\d)\b")
WITH_NUMBERS = re.compile(r"(command/reproduce|papers)/")
EXCEPTIONS = {
    # sentence as it begins: reason
}


def complain(place, why, sentence):
    if not any(sentence.startswith(known) for known in EXCEPTIONS):
        problem(f"{place}: {why}: {sentence[:120]}")


def check_length(place, paragraph):
    """Checks the length of the sentences and returns their number."""
    found = prose.sentences(paragraph)
    for sentence in found:
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > LONGEST:
            complain(place, f"{len(words)} words", sentence)
    return len(found)


def check_form(place, paragraph):
    for sentence in prose.sentences(paragraph):
        if not re.search(r"[.?!:;,][\"')*`]*$", sentence):
            continue  # a title, or an entry of a list that is one
        if match := FRAGMENT.match(sentence[:1].upper() + sentence[1:]):
            complain(place, f"begins with '{match.group(0)}'", sentence)
        if match := RIDDLE.search(sentence):
            complain(place, f"'{match.group(0).strip()}' stands for a subject", sentence)


def check(paragraphs, form=True, for_users=True):
    """Checks sentences and returns their number. Without `form`, fragments may be among them."""
    count = 0
    for place, paragraph in paragraphs:
        count += check_length(place, paragraph)
        if form:
            check_form(place, paragraph)
        if for_users and (match := NUMBERED.search(paragraph)):
            complain(place, f"users do not know '{match.group(0)}'", paragraph)
    return count


def scripts():
    """Returns the files of SCRIPTS and the shell scripts whose names have no ending."""
    unnamed = [path for path in files() if not path.suffix
               and (ROOT / path).read_bytes().startswith(b"#!")]
    return matching(*SCRIPTS) + unnamed


def main():
    count = 0
    for path in matching("*.md"):
        if path.parts[0] == "man":
            count += check(prose.of_markdown(path, entries=False))
            count += check(prose.of_markdown(path, entries=True), form=False)
        elif not PAGES_LEFT_OUT.match(str(path)):
            count += check(prose.of_markdown(path))
            count += check(prose.of_tables(path), form=False)
    for path in matching("*.c", "*.cpp", "*.h", "*.hpp", "*.f90", "*.def"):
        if str(path).startswith(MESSAGES):
            named = not WITH_NUMBERS.match(str(path))
            count += check(prose.of_messages(path), form=False, for_users=named)
        if str(path).startswith(COMMENTS) and path.suffix != ".def":
            marker = "!" if path.suffix == ".f90" else "//"
            count += check(prose.of_comments(path, marker), for_users=False)
    for path in scripts():
        count += check(prose.of_comments(path, "#"), for_users=False)
        if path.suffix == ".py":
            count += check(prose.of_docstrings(path), for_users=False)
    finish(f"{count} sentences")


main()
