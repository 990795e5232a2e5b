# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every algorithm's export fits the installed schema, and that files which the reader
refuses for their form do not. The validator knows the words that the schema uses and refuses
others. Arguments: the command, the schema.
"""

import copy
import json
import re
import subprocess
import sys

TUTTI, SCHEMA = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
IGNORED = {"$schema", "title", "description", "$defs"}


def is_kind(value, kind):
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


def fits_object(schema, value):
    known = schema.get("properties", {})
    rest = schema.get("additionalProperties", True)
    for key, held in value.items():
        part = known.get(key, rest)
        if part is False or (isinstance(part, dict) and not fits(part, held)):
            return False
        if "propertyNames" in schema and not fits(schema["propertyNames"], key):
            return False
    return all(key in value for key in schema.get("required", ()))


def fits_list(schema, value):
    return schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)) and all(
        fits(schema.get("items", {}), item) for item in value)


def fits(schema, value):
    """Returns true if the value is as the schema says."""
    words = set(schema) - IGNORED
    if "$ref" in words:
        return fits(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value)
    unknown = words - {
        "type", "const", "enum", "anyOf", "oneOf", "minimum", "maximum", "maxLength", "pattern",
        "properties", "additionalProperties", "required", "propertyNames", "items", "minItems",
        "maxItems"
    }
    if unknown:
        sys.exit(f"this test does not know {unknown}")
    kinds = schema.get("type", [])
    right = not kinds or any(
        is_kind(value, kind) for kind in (kinds if isinstance(kinds, list) else [kinds]))
    right = right and ("const" not in schema or schema["const"] == value)
    right = right and ("enum" not in schema or value in schema["enum"])
    right = right and ("anyOf" not in schema or any(fits(one, value) for one in schema["anyOf"]))
    right = right and ("oneOf" not in schema or sum(fits(one, value)
                                                    for one in schema["oneOf"]) == 1)
    if isinstance(value, str):
        return right and len(value) <= schema.get("maxLength", len(value)) and (
            "pattern" not in schema or re.search(schema["pattern"], value) is not None)
    if is_kind(value, "integer"):
        return right and schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if isinstance(value, dict):
        return right and fits_object(schema, value)
    return right and (not isinstance(value, list) or fits_list(schema, value))


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
