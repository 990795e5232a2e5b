# SPDX-License-Identifier: BSD-3-Clause
"""Checks that an installed tree is complete and depends on nothing of ours outside the prefix.
Arguments: the prefix, `fortran` if tutti was built with Fortran, and `whole` if all components are
installed."""

import os
import pathlib
import re
import subprocess
import sys

from problems import finish, problem
from tree import ROOT

SYMBOLS_FILE = ROOT / "packaging/debian/libtutti0.symbols"
EXPECTED = [
    "bin/tutti",
    "include/tutti/tutti.h",
    "include/tutti/tutti_message.h",
    "include/tutti/tutti.hpp",
    "include/tutti/tutti_element.hpp",
    "include/tutti/tutti_error.hpp",
    "include/tutti/tutti_request.hpp",
    "include/tutti/tutti_memory.hpp",
    "include/tutti/tutti_session.hpp",
    "include/tutti/tutti_runtime.h",
    "include/tutti/tutti_generator.h",
    "include/tutti/tutti_time.h",
    "include/tutti/tutti_generator.hpp",
    "include/tutti-blacs/tutti_blacs.h",
    "include/tutti-bsp/bsp.h",
    "include/tutti-bsp/bsp_broadcast.h",
    "include/tutti-bsp/bsp_level1.h",
    "include/tutti-bsp/bsp_tutti.h",
    "include/tutti-bsp/fbsp.h",
    "include/tutti-bsp/fbsp_level1.h",
    "include/tutti-bsp/mcbsp.h",
    "include/tutti-bsp/bsp_queue.hpp",
    "include/tutti-bspwrapper/BSPBenchmark.h",
    "include/tutti-bspwrapper/BSPUtils.h",
    "include/tutti-bspwrapper/BSPWrapper.h",
    "include/tutti-bspwrapper/avector.h",
    "include/tutti-bspwrapper/costs.h",
    "include/tutti-bspwrapper/error.h",
    "include/tutti-bspwrapper/memory.h",
    "include/tutti-bspwrapper/multiqueue.h",
    "include/tutti-bspwrapper/paramfile.h",
    "include/tutti-nx/cube.h",
    "include/tutti-nx/fnx.h",
    "include/tutti-nx/mesh.h",
    "include/tutti-nx/nx.h",
    "include/tutti-nx/sys/estat.h",
    "include/tutti-icc/icc.h",
    "include/tutti-icc/iCC_group.h",
    "include/tutti-icc/ficc.h",
    "bin/bspcc",
    "bin/bsprun",
    "lib/libtutti.so.0",
    "lib/libtutti-bsp.so.0",
    "lib/pkgconfig/tutti-bsp.pc",
    "lib/pkgconfig/tutti-bspwrapper.pc",
    "lib/libtutti-clock.so.0",
    "lib/libtutti-nx.so.0",
    "lib/pkgconfig/tutti-nx.pc",
    "lib/libtutti-icc.so.0",
    "lib/pkgconfig/tutti-icc.pc",
    "lib/libtutti-blacs.so.0",
    "include/tutti-blacs94/tutti_blacs94.h",
    "lib/libtutti-blacs94.so.0",
    "lib/pkgconfig/tutti-blacs94.pc",
    "lib/tutti/pvm/include/pvm3.h",
    "lib/tutti/pvm/include/pvmtev.h",
    "lib/tutti/pvm/lib/libpvm3.so.3",
    "lib/tutti/pvm/lib/libgpvm3.so.3",
    "lib/tutti/pvm/lib/libfpvm3.a",
    "lib/tutti/pvm/include/fpvm3.h",
    "lib/tutti/pvm/bin/console",
    "lib/pkgconfig/tutti.pc",
    "lib/pkgconfig/tutti-blacs.pc",
    "lib/cmake/tutti/tuttiConfig.cmake",
    "lib/cmake/tutti/tuttiConfigVersion.cmake",
    "share/doc/tutti/LICENSE",
    "share/doc/tutti/NOTICES.txt",
    "share/doc/tutti/CHANGELOG.md",
    "share/doc/tutti/docs/index.md",
    "share/doc/tutti/docs/guide/01-install.md",
    "share/doc/tutti/docs/internals/architecture.md",
    "share/doc/tutti/docs/reference/quickref.md",
    "share/doc/tutti/examples/CMakeLists.txt",
    "share/doc/tutti/examples/bspwrapper.cpp",
    "share/doc/tutti/examples/pi.c",
    "share/tutti/installed",
    "share/bash-completion/completions/tutti",
    "share/zsh/site-functions/_tutti",
    "share/fish/vendor_completions.d/tutti.fish",
    "share/man/man1/tutti.1",
    "share/man/man1/tutti-run.1",
    "share/man/man3/tutti_bcast.3",
    "share/man/man3/dgesd2d.3",
    "share/man/man3/bsp_put.3",
    "share/man/man3/iCC_bcast.3",
    "share/man/man7/tutti.7",
]
# Files of components that are built by themselves.
OF_COMPONENTS = ["libexec/tutti/tutti-papers", "libexec/tutti/tutti-timing-blacs94",
                 "lib/tutti/pvm/bin/pvm-probe", "bin/tutti-llcs"]


def dynamic(path):
    return subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True,
                          check=True).stdout


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def binaries(prefix):
    """Returns every installed program and library once, without links to them."""
    return sorted(path for path in prefix.rglob("*")
                  if path.is_file() and not path.is_symlink() and is_elf(path))


def check_fmt(path):
    """Checks that fmt is compiled into the file and not exported by it."""
    if re.search(r"NEEDED.*\[libfmt", dynamic(path)):
        problem(f"{path.name} needs libfmt")
    for name in symbols(path):
        if "3fmt" in name:
            problem(f"{path.name} exports fmt's {name}")


def symbols(path):
    listed = subprocess.run(["nm", "-D", "--defined-only", str(path)],
                            capture_output=True,
                            text=True,
                            check=True).stdout
    return [line.split()[2].split("@")[0] for line in listed.splitlines() if line.split()[1] != "A"]


def check_promised(libraries):
    """Checks that the symbols file of the Debian package has what the libraries export. `make deb`
    refuses a name that is missing there, but needs minutes to get so far."""
    sections = re.split(r"^(lib\S+) .*\n", SYMBOLS_FILE.read_text(), flags=re.M)[1:]
    for library, lines in zip(sections[::2], sections[1::2]):
        promised = set(re.findall(r"^ (\w+)@", lines, re.M))
        for path in [path for path in libraries if path.name == library and path.exists()]:
            if missing := sorted(set(symbols(path)) - promised):
                problem(f"{SYMBOLS_FILE.name} lacks {', '.join(missing)} of {library}")


def check_links(page):
    """Checks that the files to which a page links are installed, too."""
    for link in re.findall(r"\]\(([^)#]+)", page.read_text()):
        if "://" not in link and not (page.parent / link).exists():
            problem(f"{page.name} refers to {link}, which is not installed")


# Files that are installed if the build found the library of a real PVM.
FOR_A_REAL_PVM = ["lib/libtutti-pvmd.so.0", "lib/tutti/pvmd/lib/libgpvm3.so.3"]
# Files that are installed if, and only if, the build had a Fortran compiler.
FOR_FORTRAN = [
    "lib/libtutti-fortran.so.0", "lib/tutti/fortran/tutti.mod", "lib/pkgconfig/tutti-fortran.pc",
    "lib/pkgconfig/tutti-nx-fortran.pc"
]


def check_without_proc(prefix, helper):
    """Checks that programs start where there is no /proc, in which the loader looks where they lie.
    """
    hidden = ["unshare", "-r", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if subprocess.run([*hidden, "true"], capture_output=True).returncode != 0:
        if os.environ.get("TUTTI_STRICT") == "1":
            problem("no mount namespace can be made here, so programs cannot start without /proc")
        return
    for words in (["bin/tutti", "--version"], ["bin/tutti", "run", "-n", "2", "true"],
                  [f"libexec/tutti/{helper}", "--help"], ["lib/tutti/pvm/bin/console", "help"]):
        done = subprocess.run([*hidden, prefix / words[0], *words[1:]], capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            problem(f"{' '.join(words)} without /proc: {done.stderr.strip()}")


def main():
    prefix = pathlib.Path(sys.argv[1])
    if any((prefix / name).exists() for name in FOR_A_REAL_PVM):
        EXPECTED.extend(FOR_A_REAL_PVM)
    with_fortran = "fortran" in sys.argv[2:]
    if with_fortran:
        EXPECTED.extend(FOR_FORTRAN)
    elif found := [name for name in FOR_FORTRAN if (prefix / name).exists()]:
        problem(f"{found} installed by a build without Fortran")
    whole = "whole" in sys.argv[2:]
    if whole:
        EXPECTED.extend(OF_COMPONENTS)
    elif there := [name for name in OF_COMPONENTS if (prefix / name).exists()]:
        problem(f"{there} belong to components that are not installed here")
    for name in EXPECTED:
        if not (prefix / name).exists():
            problem(f"{name} is not installed")
    for page in (prefix / "share/doc/tutti").rglob("*.md"):
        check_links(page)
    if (prefix / "share/doc/tutti/docs/measurements").exists():
        problem("docs/measurements is installed")
    libraries = [
        prefix / "lib" / f"lib{name}.so.0"
        for name in ("tutti", "tutti-blacs", "tutti-blacs94", "tutti-bsp", "tutti-icc", "tutti-nx",
                     *["tutti-fortran"] * with_fortran)
    ]
    for path in [library for library in libraries if library.exists()]:
        if f"Library soname: [{path.name}]" not in dynamic(path):
            problem(f"{path.name}: SONAME is another")
    if libraries[0].exists():
        for name in symbols(libraries[0]):
            if not name.startswith("tutti_") and not name.startswith("TUTTI_"):
                problem(f"libtutti.so exports {name}")
    check_promised(libraries)
    found = binaries(prefix)
    for path in found:
        runpath = re.search(r"runpath: \[(.*)\]", dynamic(path))
        own = ("$ORIGIN", str(prefix / "lib"))
        if runpath and not all(part.startswith(own) for part in runpath.group(1).split(":")):
            problem(f"{path.name}: run path {runpath.group(1)} leaves the prefix")
        check_fmt(path)
    check_without_proc(prefix, "tutti-papers" if whole else "tutti-study")
    finish(f"{len(EXPECTED)} files, {len(found)} programs and libraries")


main()
