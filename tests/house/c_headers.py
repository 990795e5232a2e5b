# SPDX-License-Identifier: BSD-3-Clause
"""Reads the prototypes of the public headers, for the checks that compare other files with them."""

import re

import c_calls
from tree import ROOT

HEADERS = ["tutti/tutti.h", "tutti/tutti_runtime.h", "tutti/tutti_time.h",
           "tutti/tutti_generator.h", "tutti-blacs/tutti_blacs.h", "tutti-blacs94/tutti_blacs94.h",
           "tutti-bsp/bsp.h", "tutti-bsp/bsp_tutti.h", "tutti-bsp/bsp_broadcast.h",
           "tutti-bsp/bsp_level1.h", "tutti-bsp/bsp_backend.h", "tutti-icc/icc.h", "tutti-nx/nx.h",
           "tutti-pvm/pvm3.h"]


def text_of(header):
    """Returns the text of a header, followed by the parts of it that it includes."""
    text = (ROOT / "include" / header).read_text()
    parts = re.findall(r"^#include <([\w/.]+)> +/\* a part of this header \*/", text, re.M)
    return text + "".join((ROOT / "include" / part).read_text() for part in parts)


def normalised(prototype):
    """Returns a prototype with spaces and stars written in one way, so that two can be compared."""
    text = re.sub(r"\s+", " ", prototype).strip().rstrip(";")
    text = re.sub(r"\s*([*(),])\s*", r"\1", text)
    return re.sub(r"\*(\w)", r"* \1", text)


def declared(header):
    """Returns name -> prototype of every function that a header declares or defines."""
    text = text_of(header)
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.M)
    text = re.sub(r"\bTUTTI_BSP_CALL\(\w+\)|__attribute__\(\(.*?\)\)(?=\s*;)", "", text)
    found = {}
    for match in re.finditer(r"(?:TUTTI_API|TUTTI_INLINE)\s+([\w\s*]+?\w+\s*\([^;{]*?\))\s*[;{]",
                             text):
        found[c_calls.name_of(match.group(1))] = normalised(match.group(1))
    for match in re.finditer(r"^extern ([\w ]+\w+\(void\));", text, re.M):
        found[c_calls.name_of(match.group(1))] = normalised(match.group(1))
    text = text.replace("tutti_nx_integer", "long")
    for match in re.finditer(r"TUTTI_NX(?:_INTEGERS)?\(([\w\s]+),\s*(\w+),\s*(\([^;]*\))\);", text):
        for prototype in c_calls.both_forms(" ".join(match.groups()[:2]) + match.group(3)):
            found[c_calls.name_of(prototype)] = normalised(prototype)
    for match in re.finditer(r"TUTTI_BLACS94\(([\w\s]+),\s*(\w+),\s*(\([^;]*\))\);", text):
        prototype = " ".join(match.groups()[:2]) + match.group(3)
        found[c_calls.name_of(prototype)] = normalised(prototype)
    return found
