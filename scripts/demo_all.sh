#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# demo_all.sh [BUILD]: installs tutti into a temporary folder, builds the examples with it as a
# user would, and runs each example and each application once with four processes. It prints the
# name of each program and the last line of its output. `make demo-all` calls this script. It fails
# if a program fails.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-build/release}"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export OPENBLAS_NUM_THREADS=1  # four ranks share the cores; threads of the BLAS would only fight
cmake --install "$build" --prefix "$work/prefix" >/dev/null
[ "$(id -u)" != 0 ] || chown --reference="$build" "$build"/install_manifest*.txt
tutti="$work/prefix/bin/tutti"
cmake -S examples -B "$work/examples" -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_PREFIX_PATH=$work/prefix" >/dev/null
cmake --build "$work/examples" >/dev/null

# Prints the line that says what an application has found, or else the last line of a program.
result_line() {
  grep -m 1 -E '^(length|determinant|residual|result:?|pi) ' "$work/output" ||
    tail -n 1 "$work/output"
}

failures=0
# run NAME COMMAND...: runs a command and prints a line about it.
run() {
  local name="$1" status=0
  shift
  "$@" </dev/null >"$work/output" 2>&1 || status=$?
  if [ "$status" = 0 ]; then
    printf '%-22s %s\n' "$name" "$(result_line)"
  else
    failures=$((failures + 1))
    printf '%-22s FAILED with exit code %s\n' "$name" "$status"
    sed 's/^/    /' "$work/output"
  fi
}

for program in "$work"/examples/*; do
  if [ -f "$program" ] && [ -x "$program" ]; then
    run "examples/$(basename "$program")" "$tutti" run -n 4 --timeout 100 "$program"
  fi
done
packages="$work/prefix/lib/python3/dist-packages"
if [ -d "$packages/tutti" ]; then
  for program in examples/*.py; do
    run "$program" env "PYTHONPATH=$packages" "$tutti" run -n 4 --timeout 100 python3 "$program"
  done
fi
while read -r program arguments; do
  # shellcheck disable=SC2086 # the arguments are words
  run "apps/$(basename "$program")" "$tutti" run -n 4 --timeout 100 "$program" $arguments
done <"$build/demos.txt"
exit $((failures > 0))
