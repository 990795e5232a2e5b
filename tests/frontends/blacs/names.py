#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""names.py [--mpi] LIBTUTTI_BLACS [REFERENCE...]: checks that the library exports exactly the 156
public names of the BLACS, the two of SETPVMTIDS, which the BLACS for PVM have, and those that
today's BLACS add. Among them must be every BLACS name that a reference library exports. These are
ScaLAPACK's libraries, which export many other names, too. With --mpi, the library must also replace
the functions that start MPI."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from exported_names import exported  # noqa: E402

BLACS = re.compile(
    r"^(C?[isdcz](ge|tr)(sd|rv|bs|br)2d|C?[isdcz]g(sum|amx|amn)2d|C?blacs_\w+?|C?blacs2sys_handle|"
    r"C?sys2blacs_handle"
    r"|C?free_blacs_system_handle|C?d(wall|cpu)time00|C?k(send|recv|bs|br)id)_?$")


START = re.compile(r"^mpi_init(_thread)?(_f08)?_{0,2}$", re.IGNORECASE)


def wanted():
    families = [
        f"{v}{shape}{what}2d" for v in "isdcz" for shape in ("ge", "tr")
        for what in ("sd", "rv", "bs", "br")
    ]
    families += [f"{v}g{what}2d" for v in "isdcz" for what in ("sum", "amx", "amn")]
    families += [
        f"blacs_{n}"
        for n in ("pinfo setup get set gridinit gridmap gridinfo gridexit barrier abort exit "
                  "freebuff pnum pcoord scopemap").split()
    ]
    families += [
        "blacs2sys_handle", "sys2blacs_handle", "free_blacs_system_handle", "dwalltime00",
        "dcputime00", "ksendid", "krecvid", "kbsid", "kbrid", "setpvmtids"
    ]
    families += [f"{v}{shape}ra2d" for v in "isdcz" for shape in ("ge", "tr")]
    families += [f"{v}tuop2d" for v in "isdcz"]
    return {f"C{n}" for n in families} | {f"{n}_" for n in families}


def main(*arguments):
    starts_mpi = arguments[0] == "--mpi"
    library, *references = arguments[1:] if starts_mpi else arguments
    ours, public = exported(library), wanted()
    starts = {n for n in ours if starts_mpi and START.match(n)}
    ours -= starts
    lacking = {"MPI_Init", "MPI_Init_thread"} - starts if starts_mpi else set()
    problems = [f"missing {n}" for n in sorted((public - ours) | lacking)]
    problems += [f"superfluous {n}" for n in sorted(ours - public)]
    for reference in references:
        theirs = {n for n in exported(reference) if BLACS.match(n)}
        problems += [f"missing {n}, which the reference has" for n in sorted(theirs - ours)]
        print(f"{len(theirs)} BLACS names in {reference}")
    print("\n".join(problems +
                    [f"{len(ours & public)} of {len(public)} names, {len(problems)} problems"]))
    return len(problems) != 0 or len(public) != 190


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
