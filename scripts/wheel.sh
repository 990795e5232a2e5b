#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# wheel.sh: makes the source archive and the wheel of tutti-collectives, in dist/. The wheel is
# built from the archive, so that the archive is known to be complete. Its tag says which glibc it
# needs at least; auditwheel finds that out. `make wheel` calls this script. Only scripts/peers.sh,
# which installs the tools once with fixed versions, uses the network.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/peers.sh wheel >&2
python="$PWD/build/peers/wheel/bin/python"
work="$PWD/build/wheel"
rm -rf "$work"
mkdir -p "$work"

. scripts/ccache.sh
ccache_across_copies "$work"

build() {  # build argument...: runs the module build, and prints its log if that fails
  "$python" -m build --no-isolation --outdir "$work" "$@" >"$work/log" 2>&1 && return
  tail -n 40 "$work/log" >&2
  return 1
}
build --sdist .
tar -xf "$work"/*.tar.gz -C "$work"
# The folders have the same names each time, so that ccache finds what it has compiled before.
commit="$(git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null)" || :
build --wheel --config-setting=cmake.define.TUTTI_COMMIT="$commit" \
  --config-setting=build-dir=build "$work"/tutti_collectives-*/
wheel="$(echo "$work"/*.whl)"
tag="$("$python" -m auditwheel show --json "$wheel" | "$python" packaging/wheel/tag.py)"
listed="$("$python" -m zipfile -l "$wheel")"
for flavour in openmpi mpich abi; do
  grep -q "libtutti-mpi-$flavour.so.0" <<<"$listed" ||
    { echo "wheel: it is without $flavour: its mpi.h was not found" >&2; exit 1; }
done
mkdir -p dist
"$python" -m wheel tags --remove --platform-tag "$tag" "$wheel" >/dev/null
rm -f dist/tutti_collectives-*
cp "$work"/*.tar.gz "$work"/*.whl dist/
ls -l dist/tutti_collectives-* >&2
