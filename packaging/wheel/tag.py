# SPDX-License-Identifier: BSD-3-Clause
"""Reads what `auditwheel show --json WHEEL` prints and prints the platform tag that the wheel
deserves: the oldest glibc whose symbols suffice. Fails if the wheel needs a library that is neither
its own nor one that every Linux with this tag has."""

import fnmatch
import json
import sys

# The wheel's own libraries, which it finds by run paths.
OWN = ["libtutti.so.*", "libtutti-*.so.*", "libpvm3.so.*", "libgpvm3.so.*"]


def main():
    shown = json.load(sys.stdin)
    tag = shown["sym_tag"]
    needed = shown.get("policy_upgrades", {}).get(tag, {}).get("libs_to_eliminate", [])
    foreign = [name for name in needed if not any(fnmatch.fnmatch(name, own) for own in OWN)]
    if foreign:
        sys.exit(f"the wheel needs {', '.join(foreign)}")
    if not tag.startswith("manylinux"):
        sys.exit(f"auditwheel says {tag}")
    print(tag)


main()
