#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# dist.sh BUILD: packs the files of the tree, and the manual pages that BUILD has made, into
# dist/tutti-VERSION.tar.gz. From the archive tutti is built without Sphinx, and has its pages.
# `make dist` calls this script.
set -euo pipefail
build="$(realpath "$1")"
cd "$(dirname "$0")/.."
version="$(sed -n 's/^project(tutti VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
work="$PWD/build/dist"
rm -rf "$work"
mkdir -p "$work/tutti-$version" dist
python3 -B scripts/tree.py '*' | tar -cf - -T - | tar -xf - -C "$work/tutti-$version"
mkdir "$work/tutti-$version/man/made"
cp -r "$build"/man/man? "$work/tutti-$version/man/made"
seconds="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
tar -czf "dist/tutti-$version.tar.gz" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@$seconds" -C "$work" "tutti-$version"
rm -rf "$work"
ls -l "dist/tutti-$version.tar.gz" >&2
