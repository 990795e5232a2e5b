# SPDX-License-Identifier: BSD-3-Clause
"""Random strings for tutti-llcs."""
import random
from pathlib import Path


def write_strings(folder, length):
    """Writes two strings over 8 letters, always the same ones, and returns their files."""
    numbers = random.Random(length)
    files = [Path(folder) / f"{length}-{number}" for number in range(2)]
    for file in files:
        file.write_text("".join(numbers.choices("abcdefgh", k=length)))
    return files
