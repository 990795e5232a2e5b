#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# build.sh BUILD FOLDER: makes the site into FOLDER/html out of the pages of the tree. The command
# of BUILD draws, and its Python package, if it has one, executes the notebooks. A warning fails.
set -euo pipefail
build="$(realpath "$1")"
mkdir -p "$2"
folder="$(realpath "$2")"
cd "$(dirname "$0")/../.."
export PATH="$build/bin:$PATH" OPENBLAS_NUM_THREADS=1 PYDEVD_DISABLE_FILE_VALIDATION=1
if [ -d "$build/python/tutti" ]; then export TUTTI_SITE_PACKAGE=yes PYTHONPATH="$build/python"; fi
module="$build/../playground/playground.wasm"
if [ -f "$module" ]; then
  TUTTI_SITE_PLAYGROUND="$(dirname "$(realpath "$module")")"
  export TUTTI_SITE_PLAYGROUND
else
  echo "The site is built without the playground, whose module is not there (make playground)."
fi
rm -rf "$folder/html" "$folder/trees"
build/peers/site/bin/python -B -m sphinx -q -W --keep-going -c scripts/site -d "$folder/trees" \
  . "$folder/html"
