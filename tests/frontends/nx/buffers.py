#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""buffers.py PACKAGES INCLUDE GFORTRAN: compiles buffers.f with nothing but what pkg-config prints
for Fortran. PACKAGES has the pkg-config files of the build, whose folders are those of the
installation, so INCLUDE is named, too. Exit code 77 (skipped) if there is no pkg-config."""
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path


def main(packages, include, compiler):
    if shutil.which("pkg-config") is None:
        print("skipped: pkg-config was not found")
        return 77
    # pkg-config quotes spaces, and each byte of letters beyond ASCII, for a shell.
    words = subprocess.run(["pkg-config", "--cflags", "tutti-nx-fortran"],
                           env=dict(os.environ, PKG_CONFIG_PATH=packages),
                           capture_output=True,
                           check=True).stdout.decode(errors="surrogateescape")
    flags = shlex.split(words)
    source = Path(__file__).with_name("buffers.f")
    done = subprocess.run([compiler, "-w", "-fsyntax-only", *flags, f"-I{include}",
                           str(source)], check=False)
    print(f"{ascii(flags)}: {'good' if done.returncode == 0 else 'FAILED'}")
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
