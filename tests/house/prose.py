# SPDX-License-Identifier: BSD-3-Clause
"""The sentences of pages, of the manual, of messages and of comments, for the check of sentences.
Each function gives pairs of a place, as `file:line` or `file`, and a paragraph as one line."""

import re

import manual_source
from tree import ROOT

# A sentence ends here. What follows begins with a capital, a word in `code` or a parenthesis.
END = re.compile(r"(?<=[.?!])[\"')*_]*\s+(?=[A-Z`(*\[\"])")
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
TRAILING = re.compile(r'''^(?:[^"'/]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|/(?!/))+//\s?(.*)$''')


def sentences(paragraph):
    return [part for part in END.split(paragraph.strip()) if part]


def of_markdown(path):
    """Paragraphs and entries of lists; headings, tables and blocks of code have no sentences."""
    text = re.sub(r"<!--.*?-->", "", (ROOT / path).read_text(), flags=re.S)
    found, current, first, fenced = [], [], 0, False
    for number, line in enumerate(text.splitlines() + [""], 1):
        fence = line.startswith("```")
        ends = not line.strip() or fence or fenced or re.match(r"[#|>]|!\[| *([-*]|\d+\.) ", line)
        if ends and current:
            found.append((f"{path}:{first}", " ".join(current)))
            current = []
        fenced = fenced != fence
        if fence or fenced or re.match(r"[#|]|!\[", line) or not line.strip():
            continue
        if not current:
            first = number
        current.append(re.sub(r"^([-*>]|\d+\.) ", "", line.strip()))
    return [(place, plain(text)) for place, text in found]


def of_tables(path):
    """The cells of tables, where only the length of a sentence can be wrong."""
    rows = [(number, line) for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
            if line.startswith("|")]
    return [(f"{path}:{number}", plain(cell)) for number, line in rows
            for cell in line.strip("|").split("|")]


def plain(text):
    """Without the targets of links and without emphasis."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", text)


def of_manual(kinds):
    """What stands in man/*.txt in entries of these kinds."""
    return [(f"man/{page.name}({page.section})", value) for page in manual_source.pages(ROOT)
            for kind, value in page.body if kind in kinds]


def of_messages(path):
    """Texts in quotes, with those that follow directly. A paragraph of such a text ends at an empty
    line and before an indented one."""
    text = re.sub(r"^\s*(#|//).*$", "", (ROOT / path).read_text(), flags=re.M)
    texts = [re.sub(r'"\s*"', "", found)[1:-1] for found in LITERALS.findall(text)]
    return [(str(path), part.replace(r"\n", " ")) for text in texts
            for part in re.split(r"\\n(?:\\n| )", text)]


def of_comments(path):
    """Comments of C and C++: blocks of lines, and those behind code."""
    found, block = [], []
    for number, line in enumerate((ROOT / path).read_text().splitlines() + [""], 1):
        if match := re.match(r"\s*//(?!/|clang|NOLINT)\s?(.*)$", line):
            block.append((number, match.group(1)))
            continue
        if block:
            found.append((f"{path}:{block[0][0]}", " ".join(text for _, text in block)))
            block = []
        if match := TRAILING.match(line):
            found.append((f"{path}:{number}", match.group(1)))
    # The head of a file, its licence, and lines that only divide.
    cleaned = [(place, re.sub(r"^SPDX-License-Identifier: \S+ ?", "", text))
               for place, text in found]
    return [(place, without_header(text)) for place, text in cleaned
            if text.strip() and not re.fullmatch(r"[-= ]+", text)]


def without_header(text):
    """The lines of an algorithm's header have a form of their own: Source, Needs, Cost."""
    return re.sub(r"\b(Source|Needs|Cost): .*", "", text) if "Source:" in text else text
