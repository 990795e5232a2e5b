# SPDX-License-Identifier: BSD-3-Clause
"""Makes the manual pages and the quick reference from man/*.txt. manual_source.py describes the
format of these files. The build runs it for the pages, `make manual` for the quick reference.

manual.py --source ROOT [--pages DIR --version V] [--quickref FILE]

The pages bear the day of the last change of man/, so that every build makes the same pages. That
day is SOURCE_DATE_EPOCH if it is set, else the day of git's last commit to man/, else (in an
unpacked archive) that of the newest file there.
"""

import argparse
import datetime
import os
import pathlib
import shutil
import subprocess

import manual_source
from manual_pages import Manual


def day_of(root):
    """Returns the day of the last change of man/, in UTC."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not seconds and shutil.which("git") and (pathlib.Path(root) / ".git").exists():
        command = [
            "git", "-C", root, "-c", "safe.directory=*", "log", "-1", "--format=%ct", "--", "man"
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = done.stdout.strip()
    if not seconds:
        seconds = max(path.stat().st_mtime for path in pathlib.Path(root, "man").iterdir())
    return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%d")


def write_pages(root, folder, version):
    for (section, name), text in Manual(root, day_of(root), version).pages().items():
        target = pathlib.Path(folder, f"man{section[0]}")
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{name}.{section}").write_text(text)


def short(call):
    """Returns the call as name(argument names), without types."""
    return f"{manual_source.name_of(call.shown())}({', '.join(call.parameters())})"


def quickref(root):
    lines = [
        "<!-- SPDX-License-Identifier: BSD-3-Clause -->",
        "<!-- Made from man/*.txt by `make manual`; do not edit. -->", "# tutti: quick reference",
        "",
        "Arguments without their types; the manual pages (`man tutti`, `man tutti_bcast`, `man "
        "dgesd2d`) have the rest.",
        ""
    ]
    for page in sorted(manual_source.pages(root), key=lambda page: int(page.head.get("order", 50))):
        quick = page.head.get("quick", "").splitlines()
        if not page.calls and not quick:
            continue
        title = page.head["about"]
        lines += [f"## {title[0].upper()}{title[1:]}", ""]
        if page.calls:
            lines += ["| call | what it does |", "|---|---|"]
            lines += [f"| `{short(call)}` | {call.brief} |" for call in page.calls] + [""]
        lines += [f"- {line}" for line in quick] + ([""] if quick else [])
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--pages")
    parser.add_argument("--version", default="")
    parser.add_argument("--quickref")
    options = parser.parse_args()
    if options.pages:
        write_pages(options.source, options.pages, options.version)
    if options.quickref:
        pathlib.Path(options.quickref).write_text(quickref(options.source))


if __name__ == "__main__":
    main()
