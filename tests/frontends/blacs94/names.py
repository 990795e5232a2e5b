#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""names.py LIBRARY HEADER: checks the names of BLACS 1.0. These are the routines in the quick
reference of paper 000 (appendix C), the clocks of its timing programs (appendix D), and those for
what it proposes (section 7.1), each with and without an underscore. The library exports them and
nothing else, and the header declares them."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from exported_names import exported  # noqa: E402

AUXILIARIES = """initpinfo auxsetup setpvmtids blacsinit gridmap idranges shift_range barrier
    gridinfo kbrid kbsid kpnum krecvid ksendid pcoord setbranches freebuff blacsexit""".split()
COMMUNICATION = "GESD GEBS TRSD TRBS GERV GEBR TRRV TRBR GMAX GMIN GSUM".lower().split()
CLOCKS = ["dwalltime00", "dcputime00"]
PROPOSED = ["blacsdebug", "blacstiming", "scopemap", *(f"{v}tuop2d" for v in "sdczi")]


def main(library, header):
    quick_reference = {*AUXILIARIES, *(f"{v}{name}2d" for v in "sdczi" for name in COMMUNICATION)}
    calls = {*quick_reference, *CLOCKS, *PROPOSED}
    wanted = calls | {f"{name}_" for name in calls}
    declared = set(re.findall(r"^TUTTI_BLACS94\(\w+, (\w+),", Path(header).read_text(), re.M))
    found = exported(library)
    for what, one, other in (("the library lacks", wanted, found),
                             ("the paper does not have", found, wanted),
                             ("the header does not declare", calls, declared),
                             ("the header declares what is no routine:", declared, calls)):
        if one - other:
            print(f"{what} {', '.join(sorted(one - other))}")
    print(f"{len(AUXILIARIES)} auxiliaries, {len(calls)} routines, {len(found)} names")
    return len(quick_reference) != 73 or found != wanted or declared != calls


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
