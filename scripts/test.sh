#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# test.sh quick|full: builds and runs the tests, then says in one table what ran.
#   quick  release build with warnings as errors; every test not labelled `full` (format and manual are among them); unit
#          tests of the layers that touch raw memory under ASan and UBSan
#   full   all tests of the release, dev and asan builds; those that run endpoints as threads under TSan, which sees no
#          race between processes
# A failing part does not stop the others; the exit code tells whether all passed.
set -uo pipefail
cd "$(dirname "$0")/.."
mode="${1:-quick}"
quick_labels='conformance|frontend|fault|house'
# Layers that handle addresses; the others compute values from values, and test-full has them all sanitized.
raw_memory='^test_(base|data|schedule|transport|launch|services)$'
# Tests in which endpoints are threads at one mapping.
threads='^test_(transport|services|engine_shm)$'
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

# Tests with processes run one at a time: what they check is life, death and waiting. The others use one processor each.
run_tests() {  # run_tests PRESET [ctest arguments]: from the preset's build folder
  local preset="$1"
  shift
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error "$@" </dev/null
}

# Such a test has the name of its target (tutti_test); the sanitizers need nothing else of the tree.
build_tests() {  # build_tests PRESET [ctest arguments]
  local tests preset="$1"
  shift
  cmake --preset "$preset" --log-level=WARNING >/dev/null || return 1
  tests="$(ctest --test-dir "build/$preset" -N -LE full "$@" 2>/dev/null | sed -n 's/^ *Test *#[0-9]*: //p')"
  [ -n "$tests" ] && xargs scripts/build "$preset" <<<"$tests"
}

part "build: release, warnings are errors" scripts/build release
if [ "$mode" = quick ]; then
  part "unit and exhaustive tests: release" run_tests release -L 'unit|exhaustive' -LE full -j2
  part "tests with processes: release" run_tests release -L "$quick_labels" -LE full
  part "build: unit tests for asan" build_tests asan -L unit -R "$raw_memory"
  part "unit tests under ASan and UBSan" run_tests asan -L unit -LE full -R "$raw_memory"
else
  part "unit and exhaustive tests: release, everything" run_tests release -L 'unit|exhaustive' -j2
  TUTTI_KILLS=1000 part "tests with processes: release, everything" run_tests release -LE 'unit|exhaustive'
  for preset in dev asan; do
    part "build: $preset" scripts/build "$preset"
    part "unit and exhaustive tests: $preset" run_tests "$preset" -L 'unit|exhaustive' -LE full -j2
    part "tests with processes: $preset" run_tests "$preset" -L 'conformance|frontend|fault' -LE full
  done
  part "ten minutes of damaged machine files under ASan" run_tests asan -R '^test_machine_fuzz$'
  part "build: endpoints as threads for tsan" build_tests tsan -R "$threads"
  part "endpoints as threads under TSan" run_tests tsan -LE full -R "$threads"
  part "BLACS, whole product under ASan and UBSan" run_tests asan -L frontend -R blacs
fi

printf '\n== summary (%d s)\n' $((SECONDS - started))
printf '  %s\n' "${summary[@]}"
exit $failed
