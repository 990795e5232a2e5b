# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every algorithm's export fits the installed schema, and that files which the reader
refuses for their form do not. The validator knows the words that the schema uses and refuses
others. Arguments: the command, the schema.
"""

import copy
import json
import subprocess
import sys

from json_schema import fits

TUTTI, SCHEMA = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))


def tutti(*words, stdin=None):
    return subprocess.run([TUTTI, *words], input=stdin, capture_output=True, text=True, check=False)


def changed(file):
    """Returns copies of the file with one mistake each."""
    def copy_with(change):
        other = copy.deepcopy(file)
        change(other)
        return other

    first = file["rounds"][0]["0"][0]
    verb = next(iter(first))
    yield copy_with(lambda f: f.update(tutti_program=2))
    yield copy_with(lambda f: f.update(colour="red"))
    yield copy_with(lambda f: f.pop("operation"))
    yield copy_with(lambda f: f.update(p=5000))
    yield copy_with(lambda f: f["buffers"].pop("parts"))
    yield copy_with(lambda f: f["rounds"][0].update({"00": []}))
    yield copy_with(lambda f: f["rounds"][0]["0"][0].update(verse=1))
    yield copy_with(lambda f: f["rounds"][0]["0"][0].pop(verb))
    yield copy_with(lambda f: f["rounds"][0]["0"][0].update({verb: ["input(0)"]}))
    yield copy_with(lambda f: f["rounds"][0]["0"].append({"send": []}))
    yield copy_with(lambda f: f.update(in_place="yes"))


def main():
    problems, exports = [], 0
    for entry in json.loads(tutti("info", "--algorithms", "--json").stdout)["algorithms"]:
        for p in (4, 6):
            done = tutti("export", entry["operation"], "--algorithm", entry["name"], "-n", str(p))
            if done.returncode != 0:
                continue
            exports += 1
            if not fits(SCHEMA, json.loads(done.stdout)):
                problems.append(f"{entry['operation']} {entry['name']}, p = {p}: not in the schema")
    if exports < 100:
        problems.append(f"only {exports} exports")
    ring = json.loads(tutti("export", "allreduce", "--algorithm", "ring", "-n", "3").stdout)
    for number, wrong in enumerate(changed(ring)):
        read = tutti("verify", "-", stdin=json.dumps(wrong))
        if fits(SCHEMA, wrong) or read.returncode != 2:
            problems.append(f"mistake {number}: schema {fits(SCHEMA, wrong)}, "
                            f"reader {read.returncode} {read.stderr}")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
