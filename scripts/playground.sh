#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# playground.sh: builds the module of the playground into build/playground, where emscripten is
# installed. Otherwise, it says that the playground is left out, and ends with 77.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v emcmake >/dev/null || {
  echo "playground: it is left out, because emscripten is missing (Debian's package emscripten)" >&2
  exit 77
}
# Debian's emscripten finds the JavaScript that it needs only with this.
[ ! -d /usr/share/nodejs ] || export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"
# Compilers of this machine build nothing here.
unset CC CXX CFLAGS CXXFLAGS LDFLAGS CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
folder=build/playground
home="$(sed -n 's/^CMAKE_HOME_DIRECTORY:[A-Z]*=//p' $folder/CMakeCache.txt 2>/dev/null)" || :
if [ -n "$home" ] && [ "$home" != "$PWD" ] && [ "$home" != "$(pwd -P)" ]; then
  rm -rf $folder  # it was configured in another place, which CMake refuses
fi
# emscripten does not read headers that it has precompiled with exceptions.
emcmake cmake -S . -B $folder -G Ninja --log-level=NOTICE -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG" "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" \
  -DTUTTI_UNITY=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
cmake --build $folder --target playground playground_files
