#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# fresh_packages.sh [--mirror URL] [--folder FOLDER]: installs the packages of dist/ on a new Debian
# 12 as a newcomer does, and prints the time of each step. An ordinary user installs the wheel with
# pip in an environment whose folder has a space. There, a job in Python, a C program by pkg-config
# and one by CMake must run. Then root installs the .deb files by the lines for a container in the
# guide, and the same must run. The tests of the packages (packaging/debian/tests) run, too. Both
# are uninstalled, and nothing may be left. It needs root, debootstrap and `make wheel deb` before.
# `make test-full PART=packages` calls it.
#   --mirror URL     where Debian's packages come from; default that of this machine
#   --folder FOLDER  where the system is made, 2 GB; default below /var/tmp
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
. "$root/tests/house/debian_system.sh"
given=("$@")
while [ $# -gt 0 ]; do
  case "$1" in
    --mirror) mirror="$2"; shift ;;
    --folder) place="$2"; shift ;;
    *) sed -n '3,12s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift
done
enter_namespaces ${given[@]+"${given[@]}"}

job='tutti run -n 4 python3 -c "import tutti; print(tutti.world.allreduce(tutti.world.rank + 1))"'
environment='/home/ann/an environment'
activate=". '$environment/bin/activate'"

# by_pkg_config BEFORE: compiles and runs a C program with the flags of pkg-config.
by_pkg_config() {
  as_ann "$1 && eval cc /tutti/examples/pi.c -o pi \"\$(pkg-config --cflags --libs tutti)\" &&
    tutti run -n 4 ./pi && ./pi"
}
by_cmake() {  # by_cmake BEFORE: builds the examples by CMake and runs one
  as_ann "$1 && rm -rf out && cmake -S /tutti/examples -B out >/dev/null &&
    cmake --build out >/dev/null && tutti run -n 4 out/pi_c && out/pi_c"
}
the_sum_is_ten() { [ "$(as_ann "$1 && $job")" = $'10\n10\n10\n10' ]; }
# The lines for a container in the guide, each done in the new system, which is that of the image.
container_lines() {
  local word line
  while read -r word line; do
    case "$word" in
      COPY)
        mkdir -p "$system${line##* }"
        (cd "$root" && cp ${line% *} "$system${line##* }") || return ;;
      RUN)
        chroot "$system" sh -c "export DEBIAN_FRONTEND=noninteractive; $line" || return ;;
    esac
  done < <(sed -n '/^FROM debian:12$/,/^```$/p' "$root/docs/guide/01-install.md")
}
install_debs() {
  { container_lines && chroot "$system" apt-get install -y -q --no-install-recommends \
    python3-numpy; } >"$system/tmp/apt.log" 2>&1 ||
    { tail -n 20 "$system/tmp/apt.log"; return 1; } >&2
}
package_tests() {  # the tests of packaging/debian/tests, as autopkgtest runs them
  local name
  for name in python programs; do
    as_ann "mkdir -p '$name' && cd /tutti &&
      AUTOPKGTEST_TMP=\"\$HOME/$name\" packaging/debian/tests/$name" \
      >"$system/tmp/$name.log" 2>&1 ||
      { tail -n 20 "$system/tmp/$name.log"; return 1; } >&2
  done
}
listed() {  # listed FOLDER: its files, without those that Python compiles
  (cd "$system$1" && find . ! -path '*__pycache__*' ! -type d | sort)
}
nothing_left() {  # nothing_left FOLDER BEFORE: the folder has the files that it had before
  [ "$(listed "$1")" = "$2" ] || { diff <(echo "$2") <(listed "$1"); return 1; }
}

no_file_of_tutti() {
  local left
  left="$(cd "$system" && find usr etc -path '*tutti*' | head -n 5)"
  [ -z "$left" ] || { echo "left: $left"; return 1; } >&2
}

make_system gcc,g++,gfortran,make,cmake,pkg-config,python3-venv,ca-certificates
mkdir -p "$system/tutti/dist"
cp "$root"/dist/*.whl "$root"/dist/*.deb "$system/tutti/dist/"
(cd "$root" && cp -r --parents examples tests/python packaging/debian "$system/tutti/")
chmod -R a+rX "$system/tutti"

status=0
as_ann "python3 -m venv '$environment'"
before="$(listed "$environment")"
timed "wheel: pip install" as_ann "$activate && pip install -q --no-index /tutti/dist/*.whl" ||
  status=1
timed "wheel: job of 4 in Python" the_sum_is_ten "$activate" || status=1
timed "wheel: C by pkg-config" by_pkg_config \
  "$activate && export PKG_CONFIG_PATH=\"\$VIRTUAL_ENV/lib/pkgconfig\" \
    LD_RUN_PATH=\"\$VIRTUAL_ENV/lib/tutti/run\"" || status=1
timed "wheel: C by CMake" by_cmake "$activate" || status=1
timed "wheel: uninstall" as_ann "$activate && pip uninstall -q -y tutti-collectives" || status=1
timed "wheel: nothing is left" nothing_left "$environment" "$before" || status=1

timed "deb: lines of a container" install_debs || status=1
timed "deb: job of 4 in Python" the_sum_is_ten : || status=1
timed "deb: C by pkg-config" by_pkg_config : || status=1
timed "deb: C by CMake" by_cmake : || status=1
timed "deb: tests of the packages" package_tests || status=1
timed "deb: purge" chroot "$system" sh -c 'apt-get purge -y -q "*tutti*" >/dev/null 2>&1 &&
  apt-get autoremove --purge -y -q >/dev/null 2>&1' || status=1
timed "deb: nothing is left" no_file_of_tutti || status=1

printf '\n== packages on a fresh Debian 12\n'
printf '  %s\n' "${times[@]}"
exit $status
