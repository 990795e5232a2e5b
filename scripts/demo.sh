#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh [BUILD]: runs two programs on the tutti BLACS, without MPI: MVMULT of this repository, and
# ScaLAPACK's LU test as Debian ships it, with the input that comes with it. `make demo` calls this
# script. It fails unless every check of both programs passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source "${1:-build/release}/paths.sh"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export OPENBLAS_NUM_THREADS=1  # four ranks share the cores; threads of the BLAS would only fight
begin=$SECONDS

# shipped PATTERN: prints the path of the first file of the ScaLAPACK test packages that matches.
shipped() {
  local found
  found="$(dpkg -L scalapack-mpi-test scalapack-test-common 2>/dev/null | grep -E "$1" |
    head -n 1)" || true
  [ -n "$found" ] || {
    echo "demo: ScaLAPACK's test programs are not installed; run 'make deps'" >&2
    exit 1
  }
  echo "$found"
}

echo "=== 1. MVMULT: b = A x on a 2x2 process grid, infinity norms by combines"
echo "    (apps/mvmult, the example of paper 000, appendix A): tutti run -n 4 mvmult"
"$TUTTI_COMMAND" run -n 4 "$TUTTI_MVMULT" </dev/null | tee "$work/mvmult.txt"
grep -q 'agree' "$work/mvmult.txt" || { echo "demo: MVMULT's check failed" >&2; exit 1; }

xdlu="$(shipped '/openmpi-tests/xdlu$')"
data="$(shipped '^/usr/share/scalapack/LU\.dat$')"
echo
echo "=== 2. ScaLAPACK's LU, as Debian built it, on our BLACS"
echo "    program  $xdlu (unchanged; linked with the BLACS of Open MPI)"
echo "    BLACS    libtutti-blacs, preloaded in place of its own; no mpirun, no MPI running"
echo "    input    $data with one line changed: condition estimation off"
echo "             (that routine reads an uninitialised value in this release of ScaLAPACK," \
  "whatever the BLACS)"
sed '/Test Cond\. Est\./s/^T/F/' "$data" >"$work/LU.dat"
changed="$(diff "$data" "$work/LU.dat" | grep -c '^>')" || true
[ "$changed" = 1 ] || {
  echo "demo: expected to change one line of LU.dat, changed $changed" >&2
  exit 1
}

echo "    running  tutti run -n 4 --preload blacs xdlu"
status=0
(cd "$work" && "$TUTTI_COMMAND" run -n 4 --timeout 90 --preload blacs "$xdlu" \
  </dev/null >xdlu.txt 2>xdlu.err) || status=$?
grep -E '^ *[0-9]+ tests|^ *Finished' "$work/xdlu.txt" || true
finished="$(sed -n 's/^ *Finished *\([0-9]*\) tests.*/\1/p' "$work/xdlu.txt")"
passed="$(sed -n 's/^ *\([0-9]*\) tests completed and passed.*/\1/p' "$work/xdlu.txt")"
bad="$(sed -n 's/^ *\([0-9]*\) tests completed and failed.*/\1/p' "$work/xdlu.txt")"
if [ "$status" -ne 0 ] || [ "${bad:-x}" != 0 ] || [ "${passed:-0}" -eq 0 ] ||
  [ "$passed" != "$finished" ]; then
  echo "demo: xdlu did not pass: exit code $status," \
    "${passed:-no} of ${finished:-unknown} tests passed" >&2
  tail -n 20 "$work/xdlu.txt" "$work/xdlu.err" >&2
  exit 1
fi
echo "ScaLAPACK LU: all $passed of $finished tests passed, 0 failed" \
  "($((SECONDS - begin)) s for the demo)"
