#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# test.sh quick|full: builds and runs the tests, then says in one table what ran.
#   quick  release build with warnings as errors; every test not labelled `full` (format and manual are among them); unit
#          tests of the layers that touch raw memory under ASan and UBSan
#   full   all tests of the release, dev, asan and tsan builds
# A failing part does not stop the others; the exit code tells whether all passed.
set -uo pipefail
cd "$(dirname "$0")/.."
mode="${1:-quick}"
quick_labels='conformance|frontend|fault|house'
# Layers that handle addresses; the others compute values from values, and test-full has them all sanitized.
raw_memory='^test_(base|data|schedule|transport|launch|services)$'
# Foreign programs and BLAS threads must not fight over the cores.
export OPENBLAS_NUM_THREADS=1

summary=()
failed=0
started=$SECONDS

part() {  # part NAME command...: runs a part and remembers how it went
  local name="$1" begin=$SECONDS verdict=passed
  shift
  echo "== $name"
  "$@" || { verdict=FAILED; failed=1; }
  summary+=("$(printf '%-52s %s (%d s)' "$name" "$verdict" $((SECONDS - begin)))")
}

# Tests use several processes each, so they run one at a time: what they check is life, death and waiting.
run_tests() {  # run_tests PRESET [ctest arguments]: from the preset's build folder
  local preset="$1"
  shift
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error "$@" </dev/null
}

# A unit test has the name of its target (tutti_test); the sanitizers need nothing else of the tree.
build_unit_tests() {  # build_unit_tests PRESET REGEX
  local tests
  cmake --preset "$1" --log-level=WARNING >/dev/null || return 1
  tests="$(ctest --test-dir "build/$1" -N -L unit -LE full -R "$2" 2>/dev/null | sed -n 's/^ *Test *#[0-9]*: //p')"
  [ -n "$tests" ] && xargs scripts/build "$1" <<<"$tests"
}

part "build: release, warnings are errors" scripts/build release
if [ "$mode" = quick ]; then
  part "unit and exhaustive tests: release" run_tests release -L 'unit|exhaustive' -LE full -j2
  part "tests with processes: release" run_tests release -L "$quick_labels" -LE full
  part "build: unit tests for asan" build_unit_tests asan "$raw_memory"
  part "unit tests under ASan and UBSan" run_tests asan -L unit -LE full -R "$raw_memory"
else
  TUTTI_KILLS=1000 part "tests: release, everything" run_tests release
  for preset in dev asan tsan; do
    part "build: $preset" scripts/build "$preset"
    part "tests: $preset" run_tests "$preset" -L 'unit|exhaustive|conformance|frontend|fault' -LE full
  done
  part "BLACS, whole product under ASan and UBSan" run_tests asan -L frontend -R blacs
fi

printf '\n== summary (%d s)\n' $((SECONDS - started))
printf '  %s\n' "${summary[@]}"
exit $failed
