# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the manual has exactly the verbs and options of `tutti`: in the pages of the verbs,
in the list of verbs in tutti(1), and in its table of the options that five verbs share. It also
checks that the commands on all pages use verbs and options that exist. Argument: the command.
"""

import re
import subprocess
import sys

import man_pages
from problems import finish, problem
from tree import ROOT, matching

# Pages of the applications are about programs and not about verbs.
PAGES = {
    **{name: f"tutti-{name}"
       for name in (path.name[len("tutti-"):-len(".1.md")]
                    for path in (ROOT / "man").glob("tutti-*.1.md"))
       if not (ROOT / "apps" / name).exists()},
    "info": "tutti", "help": "tutti"
}
# Records of what was true on their day, and a list that a program makes of the manual.
RECORDS = re.compile(r"(CHANGELOG\.md|docs/(measurements|papers|reference)/)")
# A command in `code`; one on a line of its own in a fenced block.
IN_CODE = re.compile(r"`(?:[A-Z_]+=\S+ )*tutti\s+([a-z][a-z-]*)\b([^`]*)`")
ON_A_LINE = re.compile(r"^(?:[A-Z_]+=\S+ )*tutti ([a-z][a-z-]*)\b(.*)$", flags=re.M)
OPTION = re.compile(r"(?<![\w-])--[a-z-]+")
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```$", flags=re.S | re.M)
SHARING = ("explain", "draw", "verify", "simulate", "bench")


def help_of(*words):
    return subprocess.run([sys.argv[1], *words, "--help"],
                          capture_output=True,
                          text=True,
                          check=True).stdout


def options_in(text):
    """Returns option -> its description, without the part that only this verb adds. The operation
    has the key OPERATION."""
    found, last = {}, None
    for line in text.splitlines():
        words = re.split(r"\s{2,}", line.strip(), maxsplit=1)
        names = re.findall(r"^(?:-\w,)?(--[a-z-]+)", words[0])
        if line.lstrip().startswith("operation OPERATION"):
            names = ["OPERATION"]
        if names:
            last = names[0]
            found[last] = words[1] if len(words) > 1 else ""
        elif last and line.startswith(" " * 10):
            found[last] = f"{found[last]} {line.strip()}".strip()
        else:
            last = None
    return found


def check_page(command, page, options, others):
    text = man_pages.FENCED.sub("", "".join(page.sections.values()))
    described = set(OPTION.findall(text))
    for option in sorted(options - described - {"--help"}):
        problem(f"tutti {command} {option} is not in {page.name}(1)")
    named = set(OPTION.findall(IN_CODE.sub("", text)))  # without commands, which may be others
    for option in sorted(named - options - others - {"--help", "--version"}):
        problem(f"{page.name}(1) describes {option}, which tutti {command} does not have")


def check_verbs(page):
    listed = re.findall(r"(?m)^  ([a-z-]+) ", help_of().split("Subcommands:")[1])
    synopsis, commands = page.sections["Synopsis"], page.sections["Commands"]
    for verb in listed:
        if verb not in PAGES:
            problem(f"tutti {verb} has no page man/tutti-{verb}.1.md")
        if not re.search(rf"\b{verb}\b", synopsis):
            problem(f"the synopsis of tutti(1) lacks {verb}")
        if f"`{verb}`" not in commands:
            problem(f"the commands of tutti(1) lack {verb}")
    return len(listed)


def check_table(page, options):
    """Checks that the rows of the table are the options that all five verbs have, with the same
    text in each."""
    text = man_pages.FENCED.search(page.sections["Options of five verbs"])[2]
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if tuple(lines[0]) != SHARING:
        problem(f"the columns of the table in tutti(1) are {lines[0]}")
    rows = {line[-len(SHARING) - 1] for line in lines[1:]}
    shared = set.intersection(*(set(options[verb]) for verb in SHARING)) - {"--help"}
    if rows != shared:
        problem(
            f"the table in tutti(1) has {sorted(rows)}, but the five verbs share {sorted(shared)}")
    for option in sorted(shared):
        texts = [options[verb][option] for verb in SHARING]
        common = min(texts, key=len)
        if not all(text.startswith(re.split("[;,] ", common)[0]) for text in texts):
            problem(f"{option} is described differently: {texts}")


def commands_in(path):
    """Returns verb and rest of every `tutti VERB ...` in a page."""
    text = (ROOT / path).read_text()
    blocks = "\n".join(FENCED.findall(text))
    return IN_CODE.findall(FENCED.sub("", text)) + ON_A_LINE.findall(blocks)


def check_mentions(options):
    """Checks the commands in the pages, and returns their number. Options behind the
    program of `tutti run` are the program's."""
    paths = [path for path in matching("*.md") if not RECORDS.match(str(path))]
    checked = 0
    for path in paths:
        for verb, rest in commands_in(path):
            checked += 1
            if verb not in PAGES:
                problem(f"{path}: there is no command 'tutti {verb}'")
                continue
            own = re.split(r" (?:\./|sh |:|tutti-)", rest)[0]
            for option in re.findall(r"(?<= )--[a-z-]+", own):
                if option not in options[verb]:
                    problem(f"{path}: tutti {verb} has no option {option}")
    return checked


def main():
    pages = {page.name: page for page in man_pages.pages() if page.section == "1"}
    options = {command: options_in(help_of(command)) for command in PAGES}
    everything = set().union(*options.values())
    for command, name in PAGES.items():
        check_page(command, pages[name],
                   set(options[command]) - {"OPERATION"}, everything if name == "tutti" else set())
    verbs = check_verbs(pages["tutti"])
    check_table(pages["tutti"], options)
    mentions = check_mentions(options)
    finish(f"{sum(map(len, options.values()))} options of {verbs} verbs, {mentions} commands")


main()
