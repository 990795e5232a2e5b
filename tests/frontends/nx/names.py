#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""names.py LIBRARY NX_H FNX_H: checks that the library of NX exports the names that nx.h declares,
in all their forms, and nothing else, and all names of calls.txt. In Fortran, fnx.h must declare
each function that returns a number."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from exported_names import exported  # noqa: E402

# Calls with arguments that Fortran does not have, and those that compute with a type that is an
# array there.
C_ONLY = set("""nx_app_nodes nx_initve_attr nx_mkpart_attr nx_pspart creadv cwritev ireadv iwritev
readoff writeoff ireadoff iwriteoff readvoff writevoff ireadvoff iwritevoff estat lestat festat
statpfs fstatpfs getpfsinfo eadd eadd1 esub esub1 emul ediv emod ecmp etos stoe""".split())


def main(library, header, fortran_header):
    text = Path(header).read_text()
    declaration = r"^(?:TUTTI_NX(?:_INTEGERS)?\(|extern )([\w ]+?),? ([a-z]\w+)[,(]"
    declarations = re.findall(declaration, text, re.M)
    calls = {name: result for result, name in declarations}
    wanted = {"msginfo", "msginfo_i"}
    wanted.add("lseek_")  # in C it is the operating system's
    for name in re.findall(r"^TUTTI_NX_INTEGERS\(\w+, (\w+),", text, re.M):
        wanted |= {f"{name}_i", f"_{name}_i"}
    for name in calls:
        wanted |= {name, f"_{name}"} | ({f"{name}_"} if name not in C_ONLY else set())
    lines = re.findall(r"(?:INTEGER\*4|LOGICAL\*4|DOUBLE PRECISION) (.*)",
                       Path(fortran_header).read_text())
    declared = set(re.findall(r"\w+", " ".join(lines)))
    functions = {
        name.upper()
        for name, result in calls.items() if result != "void" and name not in C_ONLY
    }
    # In Fortran they are subroutines, as GOPEN and ESEEK of old programs are.
    functions = functions - {"GOPEN", "ESEEK", "ESIZE"} | {"LSEEK"}
    found = exported(library)
    known = {
        name
        for line in Path(__file__).with_name("calls.txt").read_text().splitlines()
        if not line.startswith("#") for name in line.split()
    }
    known |= {f"_{name}" for name in known}
    for what, one, other in (("the library lacks", wanted, found),
                             ("the library lacks", known, found),
                             ("nx.h does not declare", found, wanted),
                             ("fnx.h does not declare", functions, declared),
                             ("fnx.h declares what is no function:", declared, functions)):
        if one - other:
            print(f"{what} {', '.join(sorted(one - other))}")
    print(f"{len(calls)} calls, {len(found)} names")
    return len(known) < 150 or bool(known - found) or found != wanted or functions != declared


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
