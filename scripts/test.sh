#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# test.sh quick|rest [PRESET] | full [PART] | room PRESET ROOM [ONLY]: builds and runs the tests. At
# the end it prints a table of the steps that ran, and the commands that repeat failed tests. make
# test, make test-rest and make test-full call it.
#   quick        release build, or that of PRESET: every test that is labelled neither `full` nor
#                `rest` (format and manual are among them)
#   rest         builds everything; tests of papers, applications, benches and the prover; unit
#                tests of the layers that touch raw memory under ASan and UBSan
#   full         every row of the table below
#   full PART    one row
#   full list    the names of the rows and what they do
#   room         the tests of one folder of tests/ (test_room.py)
#   programs PRESET [ctest arguments]: builds what the selected tests need
# A failed step does not stop the others. The exit code is 0 only if all have passed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

# Lists the parts of `full`: name | function to call | description. Each takes at most an hour on
# two cores.
parts=(
  "unit|full_unit|unit and exhaustive tests of the release build, all of them"
  "processes|full_processes|tests with processes of the release build, all of them, and 1000 kills"
  "faults|full_faults|each allocation fails once, closed descriptors, 2000 kills of three kinds"
  "faults-calls-1|full_faults_calls 1|each system call fails once, in one half of the jobs"
  "faults-calls-2|full_faults_calls 2|each system call fails once, in the other half of the jobs"
  "dev|full_preset dev|the tests of the dev build: assertions of the C++ library, no unity build"
  "asan|full_preset asan|the tests of the asan build: address and undefined behaviour sanitizer"
  "asan-long|full_asan_long|damaged machine files and schedules, all cases of the BLACS, ASan"
  "asan-words|full_asan_words|damaged settings, texts, traces and matrices, ten minutes each, ASan"
  "random-programs|full_random_programs|verifier and engine on new random Programs for ten minutes"
  "clang|full_clang|what make test and make test-rest run, compiled by clang"
  "tsan|full_tsan|endpoints as threads under the thread sanitizer"
  "mpi-suites-coll|full_mpi_suites coll threads/coll|MPICH's tests of collectives by tutti mpi"
  "mpi-suites-more|full_mpi_suites comm errhan f77/coll f90/coll f08/coll|more of MPICH's tests"
  "mpi-suites-rma|full_mpi_suites rma|MPICH's tests of windows by tutti mpi"
  "mpi-suites-mpi4py|full_mpi4py|mpi4py's tests by tutti mpi, both MPIs, 1 to 5 ranks"
  "mpi-peers|full_mpi_peers|make peers; five MPIs: C, Fortran, mpi4py and the package tutti"
  "hosts|full_hosts|two hosts in namespaces, both MPIs: 300 faults, a silent host, conformance"
  "playground|full_playground|the playground: its module, to the byte, and its page in Chromium"
  "packages|full_packages|wheel, also beside MPIs, Debian packages on a fresh Debian 12, EasyBuild"
  "fresh|full_fresh|make demo and make test on a fresh Debian 12 (needs root and debootstrap)"
  "fresh-clang|full_fresh --clang|the same by clang"
)

# The default target, and those that are no part of it.
everything=(all product papers apps bench prove)
# Tests that compute, and that measure no waiting: two of them run at the same time.
computing='unit|exhaustive|command'
# Tests that start jobs, and compare what they compute and print. They may wait for each other's
# processes, and some do nothing but wait, so three of them run at the same time. Only two tests of
# failures do, because their limits of time grow with the number of processes that want to run.
with_jobs='conformance|frontend'
# Tests of the layers that handle addresses. The other layers only compute values; `full` runs their
# tests under the sanitizers, too.
raw_memory='^test_(base|data|schedule|transport|launch|services)$'
# Tests whose endpoints are threads that share one mapping. TSan cannot see races between processes.
threads='^test_(transport|services|job|engine_(shm|long))$'
# Faults that take half an hour together, and what has parts of its own.
faults='^(faults_allocations_whole|faults_descriptors_all|test_tools_(hard|long)_kills)$'
faults_elsewhere="$faults|^faults_calls_whole_|^test_hosts_"
# Some tests call make and read its output. Without these variables, that make does not print the
# additional lines of a make that another make has started.
unset MAKEFLAGS MFLAGS MAKELEVEL
# The ranks of foreign programs share the cores; threads of the BLAS would compete with them.
export OPENBLAS_NUM_THREADS=1
# Programs of PVM would join a machine that the user has started.
export TUTTI_PVM_MACHINE=none
export PYTHONDONTWRITEBYTECODE=1  # the source tree stays as it is

summary=()  # a line for each step
again=()    # a line for each failed test or build: its name and the command that repeats it
# Presets whose build has failed. Their tests are not run, because the failures of a hundred tests
# without a program would hide the reason.
declare -A unbuilt=()
failed=0
started=$SECONDS

# step NAME command...: runs the command and adds its result to the summary. Exit code 77 of the
# command means that it was skipped, 78 that its build had failed.
step() {
  local name="$1" begin=$SECONDS verdict=passed
  shift
  echo "== $name"
  "$@" || case $? in
    77) verdict=skipped ;;
    78) verdict="not run, for its build failed" ;;
    *) verdict=FAILED failed=1 ;;
  esac
  summary+=("$(printf '%-52s %s (%d s)' "$name" "$verdict" $((SECONDS - begin)))")
}

quoted() {  # quoted WORD...: prints the words with the quotes that a shell needs
  local word line=
  for word in "$@"; do
    [[ $word =~ ^[A-Za-z0-9_./=:-]+$ ]] || word="'${word//\'/\'\\\'\'}'"
    line+="$word "
  done
  printf '%s' "${line% }"
}

note() {  # note NAME command...: records that NAME failed and that the command repeats it
  again+=("$(printf '%-36s %s' "$1" "$(quoted "${@:2}")")")
}

build() {  # build PRESET [target...]
  scripts/build "$@" && { unset "unbuilt[$1]"; return; }
  unbuilt[$1]=yes
  note "build of $1" scripts/build "$@"
  return 1
}

# run_tests [VARIABLE=VALUE...] PRESET [ctest arguments]: runs tests in the preset's build folder.
run_tests() {
  local settings=() preset number test
  while [[ $1 == *=* ]]; do settings+=("$1"); shift; done
  preset="$1"
  shift
  [ -z "${unbuilt[$preset]-}" ] || return 78
  local log="build/$preset/Testing/Temporary/LastTestsFailed.log"
  local run=(${settings[@]+env "${settings[@]}"} ctest --test-dir "build/$preset"
    --output-on-failure --no-tests=error)
  rm -f "$log"
  "${run[@]}" "$@" </dev/null && return
  [ -s "$log" ] || note "tests of $preset" "${run[@]}" "$@"  # ctest has not come to its end
  while IFS=: read -r number test; do
    note "$test" "${run[@]}" -R "^$(sed 's/[][\.|$(){}?+*^]/\\&/g' <<<"$test")\$"
  done < <(cat "$log" 2>/dev/null)
  return 1
}

programs() {  # programs PRESET [ctest arguments]: builds what the selected tests need
  local targets preset="$1"
  shift
  scripts/build "$preset" help >/dev/null || return 1
  mapfile -t targets < <(python3 -B scripts/test_programs.py "build/$preset" "$@")
  [ ${#targets[@]} -gt 0 ] && scripts/build "$preset" "${targets[@]}"
}

build_tests() {  # build_tests PRESET [ctest arguments]
  programs "$@" && { unset "unbuilt[$1]"; return; }
  unbuilt[$1]=yes
  note "build of $1" scripts/test.sh programs "$@"
  return 1
}

quick_tests() {  # quick_tests PRESET
  local others='full|rest'
  step "build: $1" build_tests "$1" -LE "$others"
  step "tests that compute, tests of the tree: $1" run_tests "$1" -L "$computing|house" \
    -LE "$others" -j2
  step "tests with processes: $1" run_tests "$1" -L "$with_jobs" -LE "$others" -j3
  step "tests of failures: $1" run_tests "$1" -L fault -LE "$others" -j2
}

rest_tests() {  # rest_tests PRESET
  step "build: everything, $1" build "$1" "${everything[@]}"
  step "papers, applications, benches, prover: $1" run_tests "$1" -L rest -LE full -j2
}

rest() {  # rest PRESET
  rest_tests "$1"
  step "build: unit tests for asan" build_tests asan -L unit -LE full -R "$raw_memory"
  step "unit tests under ASan and UBSan" run_tests asan -L unit -LE full -R "$raw_memory"
}

full_clang() {
  quick_tests clang
  rest_tests clang
}

full_unit() {
  step "build: release" build release "${everything[@]}"
  step "tests that compute: release, everything" run_tests release -L "$computing" -j2
}

full_processes() {
  step "build: release" build release "${everything[@]}"
  step "Sphinx for the site" noted "Sphinx" scripts/peers.sh site
  step "tests with processes: release, everything" \
    run_tests TUTTI_KILLS=1000 release -LE "$computing" -E "$faults_elsewhere"
}

full_faults() {
  step "build: release" build release "${everything[@]}"
  step "faults: release" run_tests TUTTI_KILLS=2000 release -R "$faults"
}

full_faults_calls() {  # full_faults_calls HALF
  step "build: release" build release "${everything[@]}"
  step "each system call fails once, half $1" run_tests release -R "^faults_calls_whole_$1\$"
}

full_preset() {  # full_preset PRESET
  step "build: $1" build "$1" "${everything[@]}"
  step "tests that compute: $1" run_tests "$1" -L "$computing" -LE full -j2
  step "tests with processes: $1" run_tests "$1" -L 'conformance|frontend|fault' -LE full
}

full_asan_long() {
  step "build: asan" build asan "${everything[@]}"
  step "ten minutes of damaged machine files under ASan" run_tests asan -R '^test_machine_fuzz$'
  step "ten minutes of changed schedules under ASan" run_tests asan -R '^test_formats_fuzz$'
  step "BLACS, whole product under ASan and UBSan" run_tests asan -L frontend -R blacs
}

full_asan_words() {
  step "build: asan" build asan "${everything[@]}"
  step "twenty minutes of changed texts and files under ASan" \
    run_tests asan -R '^faults_(words|files)_fuzz$'
}

full_random_programs() {
  local seed="$RANDOM$RANDOM"
  step "build: release" build release test_engine_random_programs
  step "ten minutes of random Programs, seed $seed" run_tests TUTTI_SEED="$seed" \
    TUTTI_SECONDS=600 TUTTI_PROGRAMS=100000000 release -R '^test_engine_random_programs$'
}

full_tsan() {
  step "build: endpoints as threads for tsan" build_tests tsan -LE full -R "$threads"
  step "endpoints as threads under TSan" run_tests tsan -LE full -R "$threads"
}

full_fresh() {  # full_fresh [--clang]
  step "a fresh Debian 12 ${1-}" noted fresh tests/house/fresh_debian.sh "$@"
}

noted() {  # noted NAME command...: runs the command, and notes it if it fails
  local code=0
  "${@:2}" || code=$?
  [ $code -eq 0 ] || [ $code -eq 77 ] || note "$@"
  return $code
}

# suite_step NAME FLAVOUR [FOLDER]: one suite, or one folder of it, in front of one MPI
suite_step() {
  local name="$1 ${3-} in front of $2"
  step "$name" noted "$name" python3 -B tests/frontends/mpi/suites.py build/release/bin/tutti "$@"
}

full_mpi_suites() {  # full_mpi_suites FOLDER...: these folders of MPICH's tests
  local flavour folder
  step "build: release" build release "${everything[@]}"
  for flavour in openmpi mpich; do
    step "build: MPICH's tests, $flavour" noted "tests for $flavour" \
      scripts/mpi_suites.sh mpich "$flavour"
    for folder in "$@"; do suite_step mpich "$flavour" "$folder"; done
  done
}

full_mpi4py() {
  local flavour
  step "build: release" build release "${everything[@]}"
  for flavour in openmpi mpich; do
    step "build: mpi4py, $flavour" noted "mpi4py for $flavour" \
      scripts/mpi_suites.sh mpi4py "$flavour"
    suite_step mpi4py "$flavour"
  done
}

full_mpi_peers() {
  step "build: release" build release "${everything[@]}"
  step "make peers" noted "make peers" make peers
  step "a turn of each peer of make bench-coll" noted "turn of the peers" \
    python3 -B bench/bench_coll.py --build build/release --seconds 0 --turn 2 -n 2 \
    --bytes 8,4096 --samples build/release/bench/turn-of-peers.jsonl \
    --only tutti,tutti-in-place,openmpi,openmpi5,openmpi5-sm,mpich,mpich5,impi,gloo
  step "programs of five MPIs" noted peers python3 -B tests/frontends/mpi/peers.py build/release
}

full_hosts() {
  local seed="${TUTTI_SEED:-1}"
  step "build: release" build release "${everything[@]}"
  step "a silent host, and one that computes" run_tests release -R '^test_hosts_silence_'
  step "150 faults under each MPI, seed $seed" run_tests TUTTI_FAULTS=150 TUTTI_SEED="$seed" \
    release -R '^test_hosts_faults_'
  step "conformance, testers over three hosts" run_tests release -R '_namespaces$'
}

full_playground() {
  step "build: release" build release tutti_programs
  step "without emscripten it is left out" noted "without emscripten" \
    python3 -B tests/playground/left_out.py
  step "the playground's module" noted "make playground" scripts/playground.sh
  [ -f build/playground/playground.wasm ] || return
  step "the module beside the command" noted "the module beside the command" \
    node tests/playground/module_test.mjs build/release/bin/tutti build/playground
  step "the playground's page in Chromium" noted "page of the playground" \
    env TUTTI_COMMAND=build/release/bin/tutti \
    python3 -B tests/playground/page_test.py build/playground
}

full_packages() {
  step "wheel and source archive" noted "make wheel" make wheel
  step "Debian packages" noted "make deb" make deb
  step "the wheel in new environments" noted wheel python3 -B tests/packages/wheel.py
  step "MPIs for the wheel" noted "beside the wheel" scripts/peers.sh beside-wheel
  step "the wheel beside four MPIs" noted wheel_mpi python3 -B tests/packages/wheel_mpi.py
  step "EasyBuild" noted "EasyBuild" scripts/peers.sh easybuild
  step "the recipe of EasyBuild" noted easybuild python3 -B tests/packages/easybuild.py
  step "packages on a fresh Debian 12" noted fresh_packages tests/packages/fresh_packages.sh
}
list() {
  local name words
  for row in "${parts[@]}"; do
    IFS='|' read -r name _ words <<<"$row"
    printf '  %-17s %s\n' "$name" "$words"
  done
}

full() {  # full [PART]
  local name call found=no
  for row in "${parts[@]}"; do
    IFS='|' read -r name call _ <<<"$row"
    [ $# -eq 0 ] || [ "$1" = "$name" ] || continue
    found=yes
    $call
  done
  [ $found = yes ] || {
    printf "test: there is no part '%s'; PART= one of\n" "$1"
    list
    exit 2
  } >&2
}

conclude() {
  printf '\n== summary (%d s)\n' $((SECONDS - started))
  printf '  %s\n' "${summary[@]}"
  if [ ${#again[@]} -gt 0 ]; then
    printf '\n== failed, and what repeats it in %s\n' "$(quoted "$PWD")"
    printf '  %s\n' "${again[@]}"
  fi
  exit $failed
}

case "${1-} ${2-}" in
  "quick "*) quick_tests "${2:-release}" ;;
  "rest "*) rest "${2:-release}" ;;
  "room "*) exec python3 -B scripts/test_room.py "${@:2}" ;;
  "programs "*) programs "${@:2}"; exit ;;
  "full list") list; exit ;;
  "full "*) full ${2:+"$2"} ;;
  *)
    echo "usage: scripts/test.sh quick|rest [PRESET] | full [PART | list] |" \
      "room PRESET ROOM [ONLY] | programs PRESET [ctest arguments]" >&2
    exit 2 ;;
esac
conclude
