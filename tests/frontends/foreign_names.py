#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""foreign_names.py LIST PAGE LIBRARY...: checks that each name in LIST is there. The list was made
from the documents and headers of the interface's own library. A name is there if one of our
libraries has it, or if PAGE, a source of the manual, says in its section "Names that are not there"
why it is not. A name that is in both places is wrong, too."""
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from exported_names import exported  # noqa: E402

SECTION = "## Names that are not there\n"


def wanted(path):
    lines = Path(path).read_text().splitlines()
    return {name for line in lines if not line.startswith("#") for name in line.split()}


def explained(page):
    """Returns the names in the section of a page."""
    _, _, rest = Path(page).read_text().partition(SECTION)
    return set(re.findall(r"\w+", rest.split("\n## ")[0]))


def defined(library):
    if Path(library).suffix != ".a":
        return exported(library)
    listed = subprocess.run(["nm", "--defined-only", library],
                            capture_output=True,
                            text=True,
                            check=True).stdout
    return {line.split()[-1] for line in listed.splitlines() if " T " in line}


def main(names, page, *libraries):
    wish, reasons = wanted(names), explained(page)
    there = set().union(*map(defined, libraries))
    missing = sorted(wish - there - reasons)
    both = sorted(wish & there & reasons)
    if missing:
        print(f"neither in a library nor explained in {page}: {' '.join(missing)}")
    if both:
        print(f"said not to be there in {page}, but it is: {' '.join(both)}")
    print(f"{len(wish)} names, {len(wish & there)} in libraries, {len(wish & reasons)} explained")
    return bool(missing or both) or len(wish) < 20


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
