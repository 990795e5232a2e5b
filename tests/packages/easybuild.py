# SPDX-License-Identifier: BSD-3-Clause
"""Runs the recipe of EasyBuild on the source archive in dist/, in a new prefix. EasyBuild's own
checks run the command and a job. Then a shell loads the module that it made, and uses the command,
the headers and the Python package. `scripts/peers.sh easybuild` has installed EasyBuild. `make
test-full PART=packages` calls this program."""

import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from environment import ROOT
from problems import finish, problem

EB = ROOT / "build/peers/easybuild/bin/eb"
RECIPE = ROOT / "packaging/easybuild/tutti.eb"
MODULES = pathlib.Path("/usr/share/modules/init/bash")
USE = """module use '{prefix}/modules/all' && module load tutti && cd '{prefix}' &&
cc '{root}/examples/pi.c' -o pi $(pkg-config --cflags --libs tutti) && tutti run -n 2 ./pi &&
tutti run -n 2 python3 -c 'import tutti; print(tutti.world.allreduce(1))'"""


def archive():
    found = sorted((ROOT / "dist").glob("tutti_collectives-*.tar.gz"))
    if len(found) != 1:
        sys.exit("dist/ has no source archive, or several: call make wheel")
    return found[0]


def as_released(folder, source):
    """Returns a copy of the recipe with the checksum of this archive and with a home, which
    EasyBuild wants."""
    path = pathlib.Path(folder, RECIPE.name)
    text = RECIPE.read_text().replace("0" * 64, hashlib.sha256(source.read_bytes()).hexdigest())
    if "homepage = " not in text:  # packaging/home is not filled in yet
        text = text.replace("description = ", "homepage = 'https://tutti.example'\ndescription = ")
    path.write_text(text)
    return path


def ran(what, line):
    """Runs a line in a shell that knows modules. Returns true if it succeeds."""
    done = subprocess.run(["bash", "-c", f". {MODULES}; {line}"], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "EB_PYTHON": str(EB.parent / "python")})
    if done.returncode != 0:
        problem(f"{what}: exit code {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.returncode == 0


def main():
    for path in (EB, MODULES):
        if not path.exists():
            print(f"skipped: there is no {path}")
            sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder, "prefix")
        recipe = as_released(folder, archive())
        # EasyBuild unpacks by a command line without quotes, and keeps files beside the archive.
        sources = pathlib.Path(folder, "sources")
        sources.mkdir()
        shutil.copy(archive(), sources)
        words = [EB, recipe, "--prefix", prefix, "--tmpdir", pathlib.Path(folder, "work"),
                 "--sourcepath", sources, "--modules-tool", "EnvironmentModules",
                 "--module-syntax", "Tcl", "--allow-use-as-root-and-accept-consequences"]
        if ran("eb", shlex.join(map(str, words))):
            ran("using the module", USE.format(prefix=prefix, root=ROOT))
    finish("the recipe of EasyBuild")


main()
