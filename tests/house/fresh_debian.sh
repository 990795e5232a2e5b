#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# fresh_debian.sh [--clang] [--mirror URL] [--folder FOLDER]: does what a newcomer does on a new
# Debian 12: git clone, make demo, make test, make test-rest, make install, and a program that uses
# the installed tutti. The user is an ordinary one with sudo and umask 077. The path of the clone
# has 200 characters, spaces and a letter outside of ASCII. The script prints the time of each step.
#   --clang          CC=clang CXX=clang++
#   --mirror URL     where the packages come from; default that of this machine
#   --folder FOLDER  where the system is made, 8 GB; default below /var/tmp
# It needs root, debootstrap and 15 to 30 minutes, and leaves nothing behind (debian_system.sh).
# `make test-full PART=fresh` calls it.
set -euo pipefail
export LC_ALL=C.UTF-8  # lengths are counted in characters
repository="$(cd "$(dirname "$0")/../.." && pwd)"
. "$(dirname "$0")/debian_system.sh"
given=("$@")
compilers=()
packages=sudo,git,make,ca-certificates
while [ $# -gt 0 ]; do
  case "$1" in
    --clang) compilers=(CC=clang CXX=clang++); packages+=,clang ;;
    --mirror) mirror="$2"; shift ;;
    --folder) place="$2"; shift ;;
    *) sed -n '3,11s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift
done
enter_namespaces ${given[@]+"${given[@]}"}

# The path of the clone has 200 characters, "/tutti" included.
checkout='/home/ann/'
while [ ${#checkout} -lt 194 ]; do checkout+='some folders with spaces and é/'; done
checkout="${checkout:0:194}/tutti"

in_clone() {  # in_clone LINE: runs a shell line as ann in the clone
  as_ann "${compilers[*]:+export ${compilers[*]};} umask 077; cd '$checkout' && $1"
}

make_system "$packages"
echo 'ann ALL=(ALL) NOPASSWD: ALL' >"$system/etc/sudoers.d/ann"
git -C "$repository" -c safe.directory="$repository" bundle create -q "$system/tutti.bundle" HEAD
chmod a+r "$system/tutti.bundle"
status=0
if as_ann "umask 077
    git clone -q -c advice.detachedHead=false /tutti.bundle '$checkout'"; then
  timed "make demo" in_clone "make demo" || status=1
  timed "make test, without HOME" in_clone "unset HOME && make test" || status=1
  timed "make test-rest, without HOME" in_clone "unset HOME && make test-rest" || status=1
  timed "sudo make install" in_clone "sudo make install >/dev/null" || status=1
  timed "make build after it" in_clone "make build >/dev/null" || status=1
  timed "an installed program" in_clone "cc examples/pi.c -o ~/pi \
    \$(pkg-config --cflags --libs tutti) && tutti run -n 2 ~/pi" || status=1
else
  status=1
fi
printf '\n== a fresh Debian 12%s, %s\n' "${compilers[*]:+, ${compilers[*]}}" \
  "$(git -C "$repository" -c safe.directory="$repository" rev-parse --short HEAD)"
printf '  %s\n' "${times[@]}"
exit $status
