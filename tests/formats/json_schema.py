# SPDX-License-Identifier: BSD-3-Clause
"""A validator of JSON schemas. It knows the words that the schemas of tutti use and refuses others,
so that no word of a schema goes unheeded."""

import re

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
IGNORED = {"$schema", "title", "description", "$defs"}
KNOWN = {"$ref", "type", "const", "enum", "anyOf", "oneOf", "minimum", "maximum", "maxLength",
         "pattern", "properties", "additionalProperties", "required", "propertyNames", "items",
         "minItems", "maxItems"}


def shown(value):
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "..."


def is_kind(value, kind):
    if kind in ("integer", "number"):
        kinds = (int, ) if kind == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


def of_object(schema, value, whole, place):
    known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key, held in value.items():
        part = known.get(key, rest)
        if part is False:
            yield f"{place}: there is no field '{key}'"
        elif isinstance(part, dict):
            yield from misfits(part, held, whole, f"{place}.{key}")
        if "propertyNames" in schema:
            yield from misfits(schema["propertyNames"], key, whole, f"{place}: the field '{key}'")
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{place}: the field '{key}' is missing"


def of_list(schema, value, whole, place):
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{place}: {len(value)} items"
    for index, item in enumerate(value):
        yield from misfits(schema.get("items", {}), item, whole, f"{place}[{index}]")


def of_choices(schema, value, whole, place):
    for word in ("anyOf", "oneOf"):
        if word not in schema:
            continue
        found = [list(misfits(one, value, whole, place)) for one in schema[word]]
        fitting = sum(not problems for problems in found)
        if fitting == 0:
            yield from min(found, key=len)
        elif fitting > 1 and word == "oneOf":
            yield f"{place}: fits {fitting} of the schemas of which it must fit one"


def of_scalar(schema, value, place):
    if "const" in schema and schema["const"] != value:
        yield f"{place}: {shown(value)} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {shown(value)} is none of {schema['enum']}"
    if is_kind(value, "number") and not (schema.get("minimum", value) <= value <= schema.get(
            "maximum", value)):
        yield f"{place}: {value} is too small or too large"
    if isinstance(value, str) and (len(value) > schema.get("maxLength", len(value)) or
                                   not re.search(schema.get("pattern", ""), value)):
        yield f"{place}: {shown(value)} is no such text"


def misfits(schema, value, whole=None, place="$"):
    """Returns where the value is not as the schema says, as sentences."""
    whole = schema if whole is None else whole
    unknown = set(schema) - IGNORED - KNOWN
    if unknown:
        raise SystemExit(f"this validator does not know {unknown}")
    if "$ref" in schema:
        yield from misfits(whole["$defs"][schema["$ref"].rpartition("/")[2]], value, whole, place)
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(is_kind(value, kind) for kind in kinds):
        yield f"{place}: {shown(value)} is no {' or '.join(kinds)}"
        return
    yield from of_scalar(schema, value, place)
    yield from of_choices(schema, value, whole, place)
    if isinstance(value, dict):
        yield from of_object(schema, value, whole, place)
    elif isinstance(value, list):
        yield from of_list(schema, value, whole, place)


def fits(schema, value):
    """Returns true if the value is as the schema says."""
    return not any(misfits(schema, value))
