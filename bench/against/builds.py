# SPDX-License-Identifier: BSD-3-Clause
"""Builds another commit in a folder of its own below build/against, with its own scripts, and says
which source a build is made of. A folder is kept, so that later comparisons need not build."""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ("product", "bench")
MEMORY = "bench/against_memory"  # what memory.c becomes in a build folder
DONE = "against-is-built"  # a file in the build folder


class Failure(Exception):
    """The base cannot be built."""


def git(*words):
    done = subprocess.run(["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", *words],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"git {words[0]}: {done.stderr.strip() or done.returncode}")
    return done.stdout.strip()


def commit_of(name):
    """Returns the full name of a commit."""
    if name.startswith("-"):
        raise Failure(f"'{name}' is no commit")
    return git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")


def subject_of(commit):
    return f"{commit[:8]} {git('show', '-s', '--format=%s', commit)}"


def work_tree():
    """Says what the work tree is made of."""
    changed = git("status", "--porcelain", "--untracked-files=no")
    return subject_of(commit_of("HEAD")) + (", and changes that are not committed" if changed
                                            else "")


def compilers_of(build):
    """Returns CC and CXX of a build, so that the base has the same."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    found = {variable: re.search(rf"^CMAKE_{language}_COMPILER:\w+=(.+)$", cache, re.M)
             for variable, language in (("CC", "C"), ("CXX", "CXX"))}
    return {variable: match[1] for variable, match in found.items() if match}


def source_of(build):
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return Path(re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.+)$", cache, re.M)[1])


def compiled(build):
    """Compiles the program of this folder with a build's library, unless it is newer than that and
    than what it is made of."""
    bench, program = Path(__file__).parents[1], build / MEMORY
    source, header = bench / "against/memory.c", bench / "limits/shared_kib.h"
    library = next(build.rglob("libtutti.so"), None)
    if library is None:
        raise Failure(f"{build} has no libtutti.so")
    made_of = max(one.stat().st_mtime for one in (source, header, library))
    if program.exists() and program.stat().st_mtime > made_of:
        return
    done = subprocess.run([compilers_of(build).get("CC", "cc"), "-O2",
                           f"-I{source_of(build)}/include", f"-I{bench}", source, library,
                           f"-Wl,-rpath,{library.parent}", "-o", program],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{source.name} does not compile with {library}: {done.stderr[-1000:]}")


def checked_out(commit):
    """Returns a folder with the files of a commit."""
    folder = ROOT / "build/against" / commit[:12]
    if not folder.exists():
        new = folder.with_name(f"{folder.name}.{os.getpid()}")
        new.mkdir(parents=True)
        archive = subprocess.Popen(["git", "-C", ROOT, "-c", f"safe.directory={ROOT}", "archive",
                                    commit], stdout=subprocess.PIPE)
        with archive:
            unpacked = subprocess.run(["tar", "-x", "-C", new], stdin=archive.stdout, check=False)
        if archive.returncode != 0 or unpacked.returncode != 0:
            raise Failure(f"the files of {commit[:8]} cannot be written to {new}")
        new.rename(folder)
    return folder


def built(commit, like):
    """Returns the build folder of a commit, with the preset and the compilers of the build `like`.
    """
    folder = checked_out(commit)
    build = folder / "build" / like.name
    if (build / DONE).exists():
        return build
    print(f"bench_against: building {subject_of(commit)} in {folder.relative_to(ROOT)}",
          file=sys.stderr, flush=True)
    done = subprocess.run([folder / "scripts/build", like.name, *TARGETS], stdout=sys.stderr,
                          stdin=subprocess.DEVNULL, check=False,
                          env={**os.environ, **compilers_of(like)})
    if done.returncode != 0:
        raise Failure(f"{commit[:8]} cannot be built; its folder is {folder}")
    (build / DONE).write_text(" ".join(TARGETS) + "\n", encoding="utf-8")
    return build
