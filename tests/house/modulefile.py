# SPDX-License-Identifier: BSD-3-Clause
"""Loads the installed module file by environment-modules, and looks what a shell finds then and
what it no longer finds after `module unload`. Exit code 77 (skipped) where there are no environment
modules. Argument: the prefix."""

import os
import pathlib
import subprocess
import sys

from problems import finish, problem

INIT = "/usr/share/modules/init/bash"
# The prefix may have blanks in it.
SHOW = ('echo "$PATH|$MANPATH|$PKG_CONFIG_PATH|$CMAKE_PREFIX_PATH|$LD_RUN_PATH|'
        '$PYTHONPATH"')
SCRIPT = f"""set -e
. {INIT}
module use "$1/share/modulefiles"
module load tutti
{SHOW}
command -v tutti
pkg-config --variable=libdir tutti
man -w tutti-run
if [ -d "$1/lib/python3/dist-packages/tutti" ]; then
  /usr/bin/python3 -c 'import tutti; print(tutti.__file__)'
fi
module whatis tutti 2>&1
module unload tutti
{SHOW}
"""


def main():
    prefix = str(pathlib.Path(sys.argv[1]).resolve())
    if not os.path.exists(INIT):
        print("skipped: environment-modules is not installed")
        return 77
    done = subprocess.run(["bash", "--norc", "-c", SCRIPT, "bash", prefix], capture_output=True,
                          text=True, check=False, env={"PATH": "/usr/bin:/bin", "HOME": "/",
                               "LC_ALL": "C.UTF-8"})
    lines = done.stdout.splitlines()
    if done.returncode != 0 or len(lines) < 6:
        problem(f"code {done.returncode}, {done.stdout}{done.stderr}")
    else:
        loaded, unloaded = [one for one in lines[0].split("|") if one], lines[-1]
        wanted = [f"{prefix}/bin", f"{prefix}/share/man", f"{prefix}/lib/pkgconfig", prefix,
                  f"{prefix}/lib", f"{prefix}/lib/python3/dist-packages"][:len(loaded)]
        if [value.split(":")[0] for value in loaded] != wanted:
            problem(f"after loading, the variables are {loaded}")
        for line in lines[1:4]:
            if not os.path.realpath(line.replace("\\", "")).startswith(prefix):
                problem(f"a shell finds {line}, which is not below {prefix}")
        if not any("collective communication" in line for line in lines):
            problem(f"module whatis says nothing of it: {lines}")
        if prefix in unloaded:
            problem(f"after unloading, the variables are {unloaded}")
    return finish("the module file")


sys.exit(main())
