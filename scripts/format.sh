#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# format.sh [--check]: formats every C and C++ source of the repository in place with clang-format.
# With --check it changes nothing and fails if a source is not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

# Major versions of clang-format differ in their output. This project uses version 14 (Debian 12).
tool=""
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
    tool="$candidate"
    break
  fi
done
if [ -z "$tool" ]; then
  echo "format: clang-format 14 was not found; nothing done" >&2
  # A user without the tool may go on without the check; continuous integration may not.
  if [ "${TUTTI_STRICT:-0}" != 0 ]; then exit 1; fi
  exit 77
fi

# Headers whose names begin with fbsp, and ficc.h, are Fortran.
mapfile -t files < <(python3 scripts/tree.py '*.c' '*.h' '*.cpp' '*.hpp' '*.def' |
  grep -vE '/(fbsp|ficc)')
if [ "${1:-}" = "--check" ]; then
  "$tool" --dry-run -Werror "${files[@]}"
  echo "format: ${#files[@]} files are formatted"
else
  "$tool" -i "${files[@]}"
fi
