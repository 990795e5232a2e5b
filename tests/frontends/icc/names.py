#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""names.py LIBTUTTI_ICC: checks that the library exports iCC's names in C and Fortran and no
others. The names are written out here, not taken from the header."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from exported_names import exported  # noqa: E402

TYPED = [f"g{v}{op}" for v in "isd" for op in ("sum", "prod", "high", "low")]
SIMPLE = ["initialize", "work_init", "gsync", "bcast", "scatter", "gather", "gcolx", "gcol", "gopf"]
SIMPLE += [f"g{kind}{op}" for kind in "il" for op in ("and", "or", "xor")]
SIMPLE += [name + what for name in TYPED for what in ("", "_one", "_dist")]
GROUPS = ("Group_init Comm_create Comm_free Comm_group Group_incl Group_free Barrier Bcast Reduce "
          "Allreduce Reduce_scatter Gatherv Scatterv Allgatherv").split()
DATA = ["iCC_g_COMM_WORLD", "iCC_g_COMM_SELF", "iCC_g_datatypes", "iCC_g_operators"]


def main(library):
    calls = [f"iCC_{name}" for name in SIMPLE] + [f"iCC_g_{name}" for name in GROUPS]
    wanted = set(calls) | {f"{name.lower()}_" for name in calls} | set(DATA)
    found = exported(library)
    problems = [f"missing {name}" for name in sorted(wanted - found)]
    problems += [f"superfluous {name}" for name in sorted(found - wanted)]
    print("\n".join(problems + [f"{len(wanted)} names, {len(problems)} problems"]))
    return problems != []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
