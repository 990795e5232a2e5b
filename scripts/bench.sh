#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh NAME [arguments]: runs a benchmark of the release build. BLAS threads would fight with the ranks.
set -eu
cd "$(dirname "$0")/.."
name="$1"
shift
program="$(find build/release/bench -maxdepth 2 -type f -name "$name*" -perm -u+x 2>/dev/null | sort | head -n 1)"
script="$(find bench -maxdepth 2 -type f \( -name "$name.py" -o -name "$name.sh" \) 2>/dev/null | head -n 1)"
export OPENBLAS_NUM_THREADS=1
if [ -n "$script" ]; then
  TUTTI_BUILD="$PWD/build/release" exec "$script" "$@"
elif [ -n "$program" ]; then
  exec "$program" "$@"
fi
echo "bench: no benchmark '$name'" >&2
exit 1
