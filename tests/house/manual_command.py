# SPDX-License-Identifier: BSD-3-Clause
"""The options that `tutti ... --help` prints are those of the manual. Argument: the command."""

import re
import subprocess
import sys

import manual_source
from problems import finish, problem
from tree import ROOT

PAGES = {"run": "tutti-run", "preload": "tutti-preload", "info": "tutti", "explain": "tutti-explain",
         "draw": "tutti-draw", "simulate": "tutti-simulate", "verify": "tutti-verify",
         "probe": "tutti-probe", "predict": "tutti-predict", "pvm": "tutti-pvm", "pvm-cc": "tutti-pvm-cc", "spare": "tutti-spare",
         "bench": "tutti-bench", "tune": "tutti-tune", "reproduce": "tutti-reproduce"}


def main():
    pages = {page.name: page for page in manual_source.pages(ROOT) if page.section == "1"}
    checked = 0
    for command, name in PAGES.items():
        text = subprocess.run([sys.argv[1], command, "--help"], capture_output=True, text=True, check=True).stdout
        printed = {option for line in text.splitlines() if line.lstrip().startswith("-")
                   for option in re.findall(r"--[a-z-]+", line.strip().split("  ")[0])}
        body = " ".join(value for kind, value in pages[name].body if kind in ("text", "item"))
        described = set(re.findall(r"--[a-z-]+", body))
        checked += len(printed)
        for option in sorted(printed - described - {"--help"}):
            problem(f"tutti {command} {option} is not in {name}(1)")
        for option in sorted(described - printed - {"--help", "--version"}):
            problem(f"{name}(1) describes {option}, which tutti {command} does not have")
    finish(f"{checked} options")


main()
