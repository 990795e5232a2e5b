#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""places.py PROGRAM: tasks are found where a pvmd looks for them, in pvm3/bin of the home folder and
in bin of PVM_ROOT. What is nowhere is said, once, with the places. PROGRAM starts copies of itself."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

END = ["own host: -2, another: -6", "wait number: 0, 12"]
NO_FILE = -7
failures = 0


def run(program, *tasks, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PVM_")}
    return subprocess.run([program, *tasks],
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=60,
                          env={**environment, **variables})


def expect(what, done, lines, said=""):
    global failures
    good = done.returncode == 0 and done.stdout.splitlines() == lines + END
    if not good or done.stderr != said:
        failures += 1
        print(f"FAILED {what}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        home, root, own = (Path(folder, name) for name in ("home folder", "root", "own"))
        kinds = dict(inhome=home / "pvm3/bin/LINUX64",
                     old=home / "pvm3/bin/LINUX",
                     inroot=root / "bin/LINUX64",
                     master=own)
        for name, place in kinds.items():
            place.mkdir(parents=True)
            shutil.copy(program, place / name)
        started = [f"{name}: started" for name in ("inhome", "inroot", "master")]
        places = {"HOME": str(home), "PVM_ROOT": str(root)}
        done = run(own / "master", "inhome", "inroot", "master", **places)
        expect("found", done, started)
        done = run(own / "master", "old", HOME=str(home), PVM_ARCH="LINUX")
        expect("PVM_ARCH", done, ["old: started"])
        searched = f"{own}, ., {home}/pvm3/bin/LINUX64"
        no_root = "; PVM_ROOT, which names a further place, is not set"
        said = f"libpvm: there is no program 'inroot' to spawn in {searched} or PATH{no_root}\n"
        done = run(own / "master", "inroot", "nowhere", HOME=str(home))
        expect("not found", done, [f"inroot: {NO_FILE}", f"nowhere: {NO_FILE}"], said)
        said = f"libpvm: there is no program 'old' to spawn in {searched}, {root}/bin/LINUX64 or PATH\n"
        expect("not found", run(own / "master", "old", **places), [f"old: {NO_FILE}"], said)
        said = "libpvm: there is no program './none' to spawn\n"
        expect("by path", run(own / "master", "./none"), [f"./none: {NO_FILE}"], said)
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
