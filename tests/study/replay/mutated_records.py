# SPDX-License-Identifier: BSD-3-Clause
"""Records small jobs, and has a program change the files at random. The last file stays beside the
records if the program fails. Arguments: the command, the folder of the programs, the program that
changes files, how many, and a seed.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TUTTI, PROGRAMS, MUTATED, COUNT, SEED = sys.argv[1:6]
JOBS = (("replay_messages", "messages"), ("replay_messages", "mail"), ("replay_nx", ),
        ("replay_bsp", ), ("replay_blacs", ))


def main():
    folder = Path(tempfile.mkdtemp(prefix="tutti-mutated-"))
    files = []
    for program, *words in JOBS:
        files.append(f"{program}{len(files)}.json")
        subprocess.run([TUTTI, "run", "--record", files[-1], "-n", "3", Path(PROGRAMS) / program,
                        *words], cwd=folder, check=True)
    code = subprocess.run([MUTATED, COUNT, SEED, *files], cwd=folder, check=False).returncode
    if code == 0:
        shutil.rmtree(folder)
    else:
        print(f"exit code {code}; the last file is {folder}/last.json, seed {SEED}")
    sys.exit(0 if code == 0 else 1)


main()
