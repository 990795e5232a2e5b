#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""peers.py BUILD: runs programs of five MPIs by `tutti mpi`: Debian's Open MPI and MPICH, and Open
MPI, MPICH and Intel MPI from PyPI, which `make peers` installs. With each MPI, a program in Python
with mpi4py, one in C and one in Fortran must be right, and tutti must have served them. So must a
program that uses mpi4py and the package tutti, with one MPI in its process. The BLACS takes the
communicators of each MPI. Under the launcher of another MPI, under none, and where a program opens
sessions only, tutti says one true sentence. MPICH and Intel MPI also offer the standard interface
of MPI 5, whose programs are served, too. BUILD is the folder of a build."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import expectations  # noqa: E402
from expectations import expect  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PEERS = ROOT / "build/peers"
SECONDS = 120  # of a job; most take one or two
# MPICH 4.0, as Debian has it, does not start Intel MPI. PyPI's MPICH does.
FAMILIES = [{"openmpi", "openmpi5"}, {"mpich", "mpich5", "impi"}]
ONLY_IN_THE_FAMILY_OF = {("mpich", "impi")}


class Mpi:
    """An MPI: how its programs are compiled, and how they are started."""

    def __init__(self, name):
        self.name, self.prefix = name, PEERS / name
        debian = name in ("openmpi", "mpich")
        bin_folder = "" if debian else f"{self.prefix}/bin/"
        self.launcher = [f"mpiexec.{name}" if debian else f"{bin_folder}mpiexec", "-n", "2"]
        if name.startswith("openmpi"):
            self.launcher += ["--allow-run-as-root", "--oversubscribe"]
        self.python = None if debian else f"{bin_folder}python"
        if debian:
            self.c, self.fortran = [f"mpicc.{name}"], [f"mpifort.{name}"]
        else:
            library = [f"-L{self.prefix}/lib", f"-Wl,-rpath,{self.prefix}/lib",
                       "-Wl,--no-as-needed"]
            include = f"-I{self.prefix}/include"
            self.c = ["cc", include, *library, "-lmpi"]
            has_fortran = (self.prefix / "include/mpif.h").exists()
            self.fortran = ["gfortran", include, *library, "-lmpifort", "-lmpi"]
            self.fortran = self.fortran if has_fortran else None

    def is_started_by(self, other):
        """Returns whether the launcher of the other MPI makes one job of this MPI's processes."""
        return (other.name, self.name) not in ONLY_IN_THE_FAMILY_OF and any(
            {self.name, other.name} <= family for family in FAMILIES)


def run(words, **variables):
    """Runs a job. Returns its output with errors, and its exit code."""
    environment = {**os.environ, "OMPI_MCA_btl_base_warn_component_unused": "0", **variables}
    try:
        done = subprocess.run([*map(str, words)], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=SECONDS, check=False)
        return done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        return f"no end after {SECONDS} s: {late.stdout}", None


def served(output, operation="allreduce"):
    """Returns how many calls tutti has served, by the table of TUTTI_EXPLAIN."""
    found = re.search(rf"^tutti: {operation} +(\d+) ", output, flags=re.M)
    return int(found[1]) if found else 0


def sentences(output):
    """Returns the lines that tutti has written."""
    return [line for line in output.splitlines() if line.startswith(("tutti: ", "tutti mpi: "))]


def check_served(mpi, tutti, what, program):
    """Each program prints "right" once, and calls allreduce at least once."""
    output, code = run([*mpi.launcher, tutti, "mpi", *program], TUTTI_EXPLAIN="1")
    expect(f"{mpi.name}, {what}: right", code == 0 and output.count("right") == 1, output)
    expect(f"{mpi.name}, {what}: served by tutti", served(output) > 0, output)


def check_alone(mpi, tutti, what, program):
    output, code = run([tutti, "mpi", *program], TUTTI_EXPLAIN="1")
    said = sentences(output)
    expect(f"{mpi.name}, {what}, no launcher: right and one sentence",
           code == 0 and "right" in output and len(said) == 1 and "is alone" in said[0], output)


def check_wrong_launchers(mpi, all_mpis, tutti, program):
    for other in all_mpis:
        if mpi.is_started_by(other):
            continue
        output, _ = run([*other.launcher, tutti, "mpi", *program])
        wrong = [line for line in sentences(output) if "its processes are no job together" in line]
        expect(f"{mpi.name} under the launcher of {other.name}: one sentence",
               len(wrong) == 1 and wrong == sentences(output), output)
        if mpi.python is not None:
            expect("it names the launcher", f"start it with {mpi.prefix}/bin/mpiexec" in output,
                   output)


def compiled(mpi, folder):
    """Compiles the programs. Returns what they are and the words that start them."""
    programs = []
    for what, compiler, source in (("C", mpi.c, "peer.c"), ("Fortran", mpi.fortran, "peer.f90")):
        if compiler is None:
            continue
        program = Path(folder) / f"peer_{what}_{mpi.name}"
        output, code = run([compiler[0], HERE / source, *compiler[1:], "-o", program])
        expect(f"{mpi.name}, {what}: compiled", code == 0, output)
        if code == 0:
            programs.append((what, [program]))
    return programs


def check_standard(mpi, tutti, folder):
    """Programs of the standard interface of MPI 5, which the MPI offers in libmpi_abi.so.1."""
    library = [f"-L{mpi.prefix}/lib", f"-Wl,-rpath,{mpi.prefix}/lib", "-lmpi_abi", "-ldl"]
    standard = [f"-I{mpi.prefix}/include", "-DMPI_ABI=1"]
    program, calls = Path(folder) / f"abi_{mpi.name}", Path(folder) / f"abi_calls_{mpi.name}"
    output, code = run(["cc", *standard, HERE / "peer.c", *library, "-o", program])
    expect(f"{mpi.name}, standard interface: compiled", code == 0, output)
    check_served(mpi, tutti, "standard interface", [program])
    check_alone(mpi, tutti, "standard interface", [program])
    output, code = run(["c++", "-std=c++20", "-O1", *standard, HERE / "random_calls.cpp",
                        HERE / "random_parts.cpp", *library, "-o", calls])
    expect(f"{mpi.name}, random calls of the standard interface: compiled", code == 0, output)
    output, code = run([*mpi.launcher, tutti, "mpi", calls, "1000", "7"], TUTTI_EXPLAIN="1",
                       TUTTI_MPI_FIRST="3")
    expect(f"{mpi.name}, random calls of the standard interface: right and served",
           code == 0 and "right: " in output and served(output) > 10, output)


def check_sessions(mpi, tutti, folder):
    program = Path(folder) / f"sessions_{mpi.name}"
    output, code = run([mpi.c[0], HERE / "peer_sessions.c", *mpi.c[1:], "-o", program])
    expect(f"{mpi.name}, sessions: compiled", code == 0, output)
    output, code = run([*mpi.launcher, tutti, "mpi", program])
    said = sentences(output)
    expect(f"{mpi.name}, sessions: right and one sentence", code == 0 and "right" in output and
           len(said) == 1 and "opens sessions without MPI_Init" in said[0], output)


def check_blacs(mpi, build, folder):
    """The BLACS for programs of one MPI takes communicators of each MPI with that interface."""
    flavour = "openmpi" if mpi.name.startswith("openmpi") else "mpich"
    blacs, core = build / "frontends/blacs", build / "src/api"
    program = Path(folder) / f"blacs_{mpi.name}"
    output, code = run([mpi.c[0], ROOT / "tests/frontends/blacs/communicators.c",
                        f"-I{ROOT}/include", f"-I{ROOT}/include/tutti-blacs", f"-L{blacs}",
                        f"-L{core}", f"-Wl,-rpath,{blacs}:{core}", f"-ltutti-blacs-{flavour}",
                        "-ltutti", *mpi.c[1:], "-lm", "-o", program])
    expect(f"{mpi.name}, BLACS: compiled", code == 0, output)
    output, code = run([*mpi.launcher, program])
    expect(f"{mpi.name}, BLACS: communicators", code == 0 and output.count("0 wrong") == 1, output)


def values(include, folder):
    """Returns the values that a header gives to each constant of tutti's own header."""
    own = (ROOT / "src/transport/mpi_abi/mpi.h").read_text()
    names = re.findall(r"^#define (MPI_\w+) (?:TUTTI|\()|\b(MPI_[A-Z0-9_]+) = ", own, flags=re.M)
    lines = "".join(f'  printf("{name} %lld\\n", (long long)(intptr_t){name});\n'
                    for name in map("".join, names))
    source = Path(folder) / "values.c"
    source.write_text('#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\n'
                      f"int main(void) {{\n{lines}"
                      '  printf("status %zu\\n", sizeof(MPI_Status));\n}\n')
    program = source.with_suffix("")
    output, code = run(["cc", "-DMPI_ABI=1", f"-I{include}", source, "-o", program])
    return run([program])[0] if code == 0 else output


def check_values(mpi, folder):
    own = values(ROOT / "src/transport/mpi_abi", folder)
    theirs = values(mpi.prefix / "include", folder)
    expect(f"{mpi.name}: tutti's header of the standard interface has the values of the MPI's",
           own == theirs and own.count("\n") > 80, own + theirs)


def check_package(mpi, build):
    """The package tutti beside mpi4py, whichever is used first."""
    for first in ("tutti", "mpi4py"):
        output, code = run([*mpi.launcher, mpi.python, HERE / "peer_beside.py", first],
                           PYTHONPATH=str(build / "python"))
        expect(f"{mpi.name}, import tutti beside mpi4py, {first} first",
               code == 0 and output.count("right") == 2, output)


def main():
    build = Path(sys.argv[1]).resolve()
    tutti = build / "bin/tutti"
    if not PEERS.exists():
        print("skipped: make peers has not been called")
        sys.exit(77)
    all_mpis = [Mpi(name) for name in ("openmpi", "mpich", "openmpi5", "mpich5", "impi")]
    with tempfile.TemporaryDirectory() as folder:
        for mpi in all_mpis:
            programs = compiled(mpi, folder)
            if mpi.python is not None:
                programs.append(("mpi4py", [mpi.python, HERE / "peer.py"]))
            for what, program in programs:
                check_served(mpi, tutti, what, program)
                check_alone(mpi, tutti, what, program)
            check_wrong_launchers(mpi, all_mpis, tutti, programs[0][1])
            if mpi.python is not None:
                check_wrong_launchers(mpi, all_mpis, tutti, programs[-1][1])
                check_package(mpi, build)
            check_blacs(mpi, build, folder)
            if mpi.name != "openmpi":  # Open MPI 4 has no sessions
                check_sessions(mpi, tutti, folder)
            if mpi.name in ("mpich5", "impi"):
                check_standard(mpi, tutti, folder)
                check_values(mpi, folder)
    print(f"{expectations.failures} failed")
    sys.exit(expectations.failures != 0)


main()
