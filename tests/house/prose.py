# SPDX-License-Identifier: BSD-3-Clause
"""Finds the sentences of pages, of the manual, of messages, of comments and of docstrings for the
check of sentences. Each function gives pairs of a place, as `file:line` or `file`, and a paragraph
as one line."""

import ast
import re

from tree import ROOT

# Matches where a sentence ends: the next one begins with a capital, `code` or a parenthesis.
END = re.compile(r"(?<=[.?!])[\"')*_]*\s+(?=[A-Z`(*\[\"])")
# Matches how an entry of a list begins, and an argument or a result of a call.
BEGINS = r"^(?:[-*>:]|\d+\.) |^:[\w ]+: "
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
QUOTED = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
# The marker of a comment -> where a comment begins. Directives to a compiler or a checker are no
# comments, nor are the first line of a script and the help texts (##) of the Makefile.
BEGINNINGS = {
    "//": r"//(?!/|clang|NOLINT)",
    "!": r"!(?!\$)",
    "#": r"(?<!\S)#(?!\S| noqa\b)",
}


def sentences(paragraph):
    return [part for part in END.split(paragraph.strip()) if part]


def of_markdown(path, entries=None):
    """Reads paragraphs and entries of lists. Headings, tables and code have no sentences. With
    `entries`, only entries are read, or only other paragraphs. In the manual, entries are no whole
    sentences."""
    text = re.sub(r"<!--.*?-->", "", (ROOT / path).read_text(), flags=re.S)
    # The head of a source of the manual keeps its number of lines.
    text = re.sub(r"\A---\n.*?^---$", lambda head: "\n" * head[0].count("\n"), text,
                  flags=re.S | re.M)
    found, current, first, fenced = [], [], 0, False
    for number, line in enumerate(text.splitlines() + [""], 1):
        fence = line.startswith("```")
        part = line.startswith(":::")  # where a part begins or ends that the site shows in its way
        ends = not line.strip() or fence or fenced or part or re.match(
            r"[#|>]|!\[|: |:\w| *([-*]|\d+\.) ", line)
        if ends and current:
            found.append((first, current))
            current = []
        fenced = fenced != fence
        if fence or fenced or part or re.match(r"[#|]|!\[", line) or not line.strip():
            continue
        if not current:
            first = number
        current.append(line.strip())
    return [(f"{path}:{first}", plain(re.sub(BEGINS, "", " ".join(lines))))
            for first, lines in found if entries in (None, bool(re.match(BEGINS, lines[0])))]


def of_tables(path):
    """Reads the cells of tables, where only the length of a sentence can be wrong."""
    rows = [(number, line) for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
            if line.startswith("|")]
    return [(f"{path}:{number}", plain(cell)) for number, line in rows
            for cell in line.strip("|").split("|")]


def plain(text):
    """Removes the targets of links and the marks of emphasis."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", text)


def of_messages(path):
    """Reads texts in quotes and joins those that follow each other directly. A paragraph of such a
    text ends at an empty line and before an indented one."""
    text = re.sub(r"^\s*(#|//).*$", "", (ROOT / path).read_text(), flags=re.M)
    texts = [re.sub(r'"\s*"', "", found)[1:-1] for found in LITERALS.findall(text)]
    return [(str(path), part.replace(r"\n", " ")) for text in texts
            for part in re.split(r"\\n(?:\\n| )", text)]


def of_comments(path, marker):
    """Reads the comments behind a marker of BEGINNINGS: blocks of lines, and those behind code."""
    begins = BEGINNINGS[marker]
    whole_line = re.compile(rf"\s*{begins}\s?(.*)$")
    trailing = re.compile(rf"""^(?:(?!{begins})[^"']|{QUOTED})+{begins}\s?(.*)$""")
    found, block = [], []
    for number, line in enumerate((ROOT / path).read_text().splitlines() + [""], 1):
        if match := whole_line.match(line):
            block.append((number, match.group(1)))
            continue
        if block:
            lines = [text for _, text in block]
            # Only `#` has lists of options. The header of an algorithm must stay in one piece.
            parts = paragraphs(lines) if marker == "#" else [" ".join(lines)]
            found += [(f"{path}:{block[0][0]}", part) for part in parts]
            block = []
        if match := trailing.match(line):
            found.append((f"{path}:{number}", match.group(1)))
    # The licence and lines that only divide have no sentences.
    cleaned = [(place, re.sub(r"^SPDX-License-Identifier: \S+ ?", "", text))
               for place, text in found]
    return [(place, without_header(text)) for place, text in cleaned
            if text.strip() and not re.fullmatch(r"[-= ]+", text)]


def of_docstrings(path):
    """Reads the docstrings of a Python module and of its classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse((ROOT / path).read_text()))
             if isinstance(node, kinds) and ast.get_docstring(node)]
    return [(f"{path}:{node.body[0].lineno}", part) for node in nodes
            for part in paragraphs(ast.get_docstring(node).splitlines())]


def paragraphs(lines):
    """Joins lines. A paragraph ends at an empty line. An indented line begins an entry of a list,
    which goes on in lines that are indented deeper."""
    found, before = [], None  # the indentation of the paragraph, or None behind an empty line
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            before = None
        elif before is not None and (indent == before == 0 or indent > before > 0):
            found[-1] += " " + line.strip()
        else:
            found.append(line.strip())
            before = indent
    return found


def without_header(text):
    """Removes the lines of an algorithm's header that have a form of their own."""
    return re.sub(r"\b(Source|Needs|Cost): .*", "", text) if "Source:" in text else text
