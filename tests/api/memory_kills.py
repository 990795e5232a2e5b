#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""memory_kills.py TUTTI PROGRAM: when a rank is killed while long vectors travel between memory of
tutti_alloc and other memory, the job ends, or the others get an error, soon and with right data
until then. TUTTI_KILLS and TUTTI_SEED choose how many and which."""

import os
import subprocess
import sys

KILLS = int(os.environ.get("TUTTI_KILLS", 12))
SEED = int(os.environ.get("TUTTI_SEED", 20261201))
KILLED, TIME_IS_UP = 137, 124


def run(tutti, program, seed):
    ranks, tolerant = 2 + seed % 3, seed // 3 % 2 == 1
    deaths = "tolerant" if tolerant else "together"
    command = [tutti, "run", "-n", str(ranks), "--timeout", "30", program, str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, "TUTTI_DEATHS": deaths})
    wrong = "a wrong byte" in done.stderr or done.returncode == TIME_IS_UP
    if wrong or done.returncode not in ((KILLED, 3) if tolerant else (KILLED,)):
        print(f"TUTTI_DEATHS={deaths} {' '.join(command)}: exit code {done.returncode}\n"
              f"{done.stdout}{done.stderr}")
        return False
    return True


def main():
    tutti, program = sys.argv[1:]
    print(f"TUTTI_KILLS={KILLS} TUTTI_SEED={SEED}")
    failed = [seed for seed in range(SEED, SEED + KILLS) if not run(tutti, program, seed)]
    return 1 if failed else 0


sys.exit(main())
