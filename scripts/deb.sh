#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# deb.sh: builds the Debian packages into dist/ and checks them with lintian, whose errors make this
# script fail. The sources are the files of this tree with packaging/debian as debian/. `make deb`
# calls this script.
set -euo pipefail
cd "$(dirname "$0")/.."
version="$(sed -n 's/^project(tutti VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
work="$PWD/build/deb"
# The folders have the same names each time, so that ccache finds what it has compiled before.
source="$work/tutti-$version"
rm -rf "$work"
mkdir -p "$source" dist
python3 -B scripts/tree.py '*' | tar -cf - -T - | tar -xf - -C "$source"
mv "$source/packaging/debian" "$source/debian"

# The copy is no checkout, so it is told the commit that `tutti info --build` names.
TUTTI_COMMIT="$(git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null)" || :
export TUTTI_COMMIT
. scripts/ccache.sh
ccache_across_copies "$work"

# Symbols for debuggers would double the time to compile. A distribution, which wants them, calls
# dpkg-buildpackage itself.
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-noautodbgsym parallel=$(nproc)}"
export DEB_CFLAGS_STRIP="${DEB_CFLAGS_STRIP--g}" DEB_CXXFLAGS_STRIP="${DEB_CXXFLAGS_STRIP--g}" \
  DEB_FFLAGS_STRIP="${DEB_FFLAGS_STRIP--g}"
if ! (cd "$source" && dpkg-buildpackage --no-sign --build=binary) >"$work/log" 2>&1; then
  tail -n 40 "$work/log" >&2
  exit 1
fi
lintian --allow-root --fail-on error "$work"/*.changes
rm -f dist/*.deb
cp "$work"/*.deb dist/
ls -l dist/*.deb >&2
