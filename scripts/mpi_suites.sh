#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# mpi_suites.sh mpich|mpi4py FLAVOUR: fetches a suite of tests of MPI and builds it for one MPI, in
# build/suites/NAME-FLAVOUR. It keeps files that are there already. make test-full calls it.
#   mpich    MPICH's tests, from Debian's source package of the same name
#   mpi4py   mpi4py with its tests, from PyPI, in a Python environment
# The folders of MPICH's tests that are built are those of `folders`.
set -euo pipefail
cd "$(dirname "$0")/.."
suites="$PWD/build/suites"
folders=(coll comm rma errhan threads/coll f77/coll f90/coll f08/coll)
[ $# -eq 2 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
name="$1" flavour="$2" place="$suites/$1-$2"
jobs="${TUTTI_BUILD_JOBS:-2}"

# Debian's sources are found by a copy of this machine's list of sources that asks for source
# packages. apt-get writes nothing outside of build/suites.
fetch_debian() {  # fetch_debian PACKAGE: its original archive, in build/suites
  [ -z "$(find "$suites" -maxdepth 1 -name "$1_*.orig.tar.*")" ] || return 0
  local own="$suites/apt"
  mkdir -p "$own"/{parts,lists/partial,cache/archives/partial}
  sed 's/^deb /deb-src /' /etc/apt/sources.list >"$own/sources.list" 2>/dev/null || true
  local file
  for file in /etc/apt/sources.list.d/*.{sources,list}; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$file" \
      >"$own/parts/$(basename "$file")"
  done
  local apt=(apt-get -q -o "Dir::Etc::sourcelist=$own/sources.list"
    -o "Dir::Etc::sourceparts=$own/parts" -o "Dir::State::lists=$own/lists"
    -o "Dir::Cache=$own/cache" -o APT::Sandbox::User=root)
  "${apt[@]}" update >"$own/log" 2>&1 &&
    (cd "$suites" && "${apt[@]}" source --download-only "$1" >>"$own/log" 2>&1) ||
    { tail -n 20 "$own/log"; echo "mpi_suites: could not fetch the source of $1"; exit 1; } >&2
}

logged() {  # logged command...: runs the command, and prints the end of its log if it fails
  "$@" >>"$place/log" 2>&1 && return
  tail -n 20 "$place/log" >&2
  echo "mpi_suites: '$*' has failed; its log is $place/log" >&2
  return 1
}

# Some tests need what the MPI does not have, so that they do not compile. They are left out.
build_mpich() {
  fetch_debian mpich
  [ -d "$suites/mpich" ] || {
    mkdir -p "$suites/unpacked"
    tar -xf "$suites"/mpich_*.orig.tar.* -C "$suites/unpacked" --strip-components=1
    # All tests need this file. It calls two functions that MPI 3 has removed by their new names.
    sed -i 's/MPI_Type_\(hvector\|hindexed\)(/MPI_Type_create_\1(/' \
      "$suites/unpacked/test/mpi/dtpools/src/dtpools_custom.c"
    mv "$suites/unpacked" "$suites/mpich"
  }
  cd "$place"
  local strict=() compilers=("CC=mpicc.$flavour" "MPICC=mpicc.$flavour" "F77=mpifort.$flavour"
    "MPIF77=mpifort.$flavour" "FC=mpifort.$flavour" "MPIFC=mpifort.$flavour"
    FFLAGS=-fallow-argument-mismatch FCFLAGS=-fallow-argument-mismatch)
  [ "$flavour" = mpich ] || strict=(--enable-strictmpi)
  [ -e runtests ] || logged "$suites/mpich/test/mpi/configure" "${compilers[@]}" --with-mpi=/usr \
    --disable-cxx ${strict[@]+"${strict[@]}"}
  # The library of the tests for mpi_f08 is left out unless MPICH itself builds its tests.
  sed -i 's/^#\(am_libmtest_f08\|libmtest_f08_la_SOURCES\)/\1/' util/Makefile
  logged make "-j$jobs" -C util
  local folder
  for folder in "${folders[@]}"; do
    [ ! -d "$folder" ] || make "-j$jobs" -k -C "$folder" >>log 2>&1 || true
  done
}

build_mpi4py() {
  local version=4.1.2 archive="$suites/mpi4py" environment="$place/environment"
  [ -x "$environment/bin/python" ] || python3 -m venv --system-site-packages "$environment"
  local pip=("$environment/bin/pip" --quiet --disable-pip-version-check)
  [ -d "$archive" ] || {
    mkdir -p "$suites/unpacked"
    logged "${pip[@]}" download --no-deps --no-binary=mpi4py \
      --dest "$suites" "mpi4py==$version"
    tar -xf "$suites/mpi4py-$version.tar.gz" -C "$suites/unpacked" --strip-components=1
    mv "$suites/unpacked" "$archive"
  }
  # pip's cache knows no MPI and would give one MPI the package that was built for another.
  [ -e "$place/built" ] || {
    logged env "MPICC=mpicc.$flavour" CFLAGS=-O0 "${pip[@]}" install --ignore-installed \
      --no-cache-dir --no-binary=mpi4py "mpi4py==$version"
    "$environment/bin/python" -c "from mpi4py import MPI
import re; found = re.sub('[ -]', '', MPI.Get_library_version()).lower()
assert found.startswith('$flavour'), found"
    touch "$place/built"
  }
}

mkdir -p "$place"
"build_$name"
