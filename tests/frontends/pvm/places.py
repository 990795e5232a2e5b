#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""places.py TUTTI PROGRAM SOURCE: tasks are found where a pvmd looks for them, in pvm3/bin of the
home folder and in bin of PVM_ROOT. A line says once where a task was looked for that is nowhere.
PROGRAM, made of SOURCE, starts copies of itself. A makefile that names the folders of another PVM
works, too."""
import os
import shutil
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


MAKEFILE = """
XDIR = $(HOME)/pvm3/bin/$(PVM_ARCH)
all: $(XDIR)/made $(XDIR)/task
$(XDIR)/%: $(SOURCE)
\tmkdir -p $(XDIR)
\t$(CC) -I$(PVM_ROOT)/include $< -o $@ -L$(PVM_ROOT)/lib/$(PVM_ARCH) -lgpvm3 -lpvm3
"""


def by_makefile(tutti, source, home):
    """An unchanged makefile needs only the variables of `tutti pvm-cc --exports`."""
    (home / "Makefile").write_text(MAKEFILE)
    shutil.copy(source, home / "task.c")  # make knows no paths with spaces
    line = 'eval "$("$TUTTI" pvm-cc --exports)" && make SOURCE=task.c >make.log'
    places = {"HOME": str(home), "PVM_ROOT": "/nowhere/pvm3", "TUTTI": tutti}
    made = subprocess.run(["sh", "-c", line], cwd=home, check=False, env={**os.environ, **places},
                          capture_output=True, text=True)
    if made.returncode != 0:
        expect("make", made, [])
        return
    done = run(home / "pvm3/bin/LINUX64/made", "task", HOME=str(home))
    expect("by a makefile", done, ["task: started"])


def main(tutti, program, source):
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
        searched += f", {root}/bin/LINUX64"
        said = f"libpvm: there is no program 'old' to spawn in {searched} or PATH\n"
        expect("not found", run(own / "master", "old", **places), [f"old: {NO_FILE}"], said)
        said = "libpvm: there is no program './none' to spawn\n"
        expect("by path", run(own / "master", "./none"), [f"./none: {NO_FILE}"], said)
        with tempfile.TemporaryDirectory() as plain:
            by_makefile(tutti, source, Path(plain))
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
