# SPDX-License-Identifier: BSD-3-Clause
"""Lists what a shared library offers to programs. The tests of names use it."""
import subprocess


def exported(library):
    """Returns the names that the library defines, without the versions of symbols."""
    listed = subprocess.run(["nm", "-D", "--defined-only", str(library)],
                            capture_output=True,
                            text=True,
                            check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return {row[2].split("@")[0] for row in rows if len(row) == 3}
