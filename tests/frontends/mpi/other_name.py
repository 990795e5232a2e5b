#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""other_name.py TUTTI PROGRAM: runs a program of Debian's MPICH with a copy of the MPI that differs
in names only. The file is libmpi.so.12, as that of PyPI's MPICH, Intel MPI and MVAPICH is. Then the
functions with large counts have other names, too, so that the MPI seems to be older than MPI 4. The
program, mpi_random_mpich, calls these functions nevertheless, as an extension of Python may. The
exit code is 77 (skipped) if the launcher is missing."""
import os
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import expectations  # noqa: E402
import mpi_launchers  # noqa: E402
from expectations import expect  # noqa: E402

DEBIAN, OTHER = b"\0libmpich.so.12\0", b"\0libmpi.so.12\0\0\0"


def library_of(program):
    """Returns the path of the MPI that the loader finds for the program."""
    done = mpi_launchers.run("mpich", 1, ["ldd", program], 60)
    return re.search(r"libmpich\.so\.12 => (\S+)", done.stdout)[1]


def copy(folder, program, seems_old):
    """Writes the copies. Names have their places in the files, and the new ones are no longer."""
    library = Path(library_of(program)).read_bytes().replace(DEBIAN, OTHER)
    if seems_old:
        library = re.sub(rb"(MPI_[A-Z]\w*_)c\0", rb"\1q\0", library)
    (folder / "libmpi.so.12").write_bytes(library)
    (folder / "program").write_bytes(Path(program).read_bytes().replace(DEBIAN, OTHER))
    (folder / "program").chmod(0o755)


def main():
    tutti, program = sys.argv[1:]
    if not mpi_launchers.installed("mpich"):
        print("skipped: the launcher of MPICH is not installed")
        sys.exit(77)
    for what, seems_old in (("libmpi.so.12", False), ("an MPI older than MPI 4", True)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            copy(folder, program, seems_old)
            path = os.pathsep.join(filter(None, (name, os.environ.get("LD_LIBRARY_PATH"))))
            words = [tutti, "mpi", str(folder / "program"), "200", "5"]
            done = mpi_launchers.run("mpich", 2, words, 200, LD_LIBRARY_PATH=path,
                                     TUTTI_EXPLAIN="1", TUTTI_MPI_FIRST="4")
            output = done.stdout + done.stderr
            calls = re.findall(r"^tutti: \w+ +(\d+) +\S+ +(\d+) ", output, flags=re.M)
            ours, theirs = (sum(map(int, numbers)) for numbers in zip(*calls or [(0, 0)]))
            expect(f"{what}: right", done.returncode == 0 and "right: " in output, output)
            expect(f"{what}: served by tutti, and some calls by the MPI",
                   ours > 50 and theirs > 10, output)
            dry = mpi_launchers.run("mpich", 1, [tutti, "mpi", "--dry-run", words[2]], 60,
                                    LD_LIBRARY_PATH=path)
            expect(f"{what}: known by its name",
                   "the MPI is mpich, because program is linked with libmpi.so.12" in dry.stdout,
                   dry.stdout + dry.stderr)
    sys.exit(expectations.failures != 0)


main()
