#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# fresh_debian.sh [--clang] [--mirror URL] [--folder FOLDER]: does what a newcomer does on a new
# Debian 12: git clone, make demo, make test, make install, and a program that uses the installed
# tutti. The user is an ordinary one with sudo and umask 077. The path of the clone has 200
# characters, spaces and a letter outside of ASCII. The script prints the time of each step.
#   --clang          CC=clang CXX=clang++
#   --mirror URL     where the packages come from; default that of this machine
#   --folder FOLDER  where the system is made, 8 GB; default below /var/tmp
# It needs root, debootstrap and 15 to 30 minutes. Mounts and processes have namespaces of their own
# and end with this script, which also removes the system. `make test-full PART=fresh` calls it.
set -euo pipefail
export LC_ALL=C.UTF-8  # lengths are counted in characters
repository="$(cd "$(dirname "$0")/../.." && pwd)"
given=("$@")
mirror="$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' \
  /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list \
  2>/dev/null | head -n 1)" || true
mirror="${mirror:-http://deb.debian.org/debian}"
place=/var/tmp
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

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
  echo "fresh_debian: needs root and the package debootstrap" >&2
  exit 77
fi
# The script starts itself again in new namespaces and waits for that second process. The kernel
# removes the mounts when the second process ends for any reason; then the first removes the system.
if [ -z "${FRESH_DEBIAN_SYSTEM:-}" ]; then
  system="$(mktemp -d "$place/tutti-fresh-XXXXXX")"
  chmod 755 "$system"
  FRESH_DEBIAN_SYSTEM="$system" unshare --mount --pid --fork --kill-child \
    "$0" ${given[@]+"${given[@]}"} &
  trap 'kill -KILL $! 2>/dev/null || true; wait; rm -rf --one-file-system "$system"' EXIT
  trap 'exit 130' INT TERM HUP
  wait $!
  exit
fi
system="$FRESH_DEBIAN_SYSTEM"

timed() {  # timed WHAT command...
  local what="$1" begin=$SECONDS status=0
  shift
  "$@" || status=$?
  local ended=passed
  [ $status -eq 0 ] || ended="FAILED, exit code $status"
  times+=("$(printf '%-24s %s (%d s)' "$what" "$ended" $((SECONDS - begin)))")
  return $status
}

make_system() {
  debootstrap --variant=minbase --include="$packages" bookworm "$system" "$mirror" \
    >/dev/null 2>&1 ||
    { tail -n 20 "$system/debootstrap/debootstrap.log"; return 1; } >&2
  # The new system uses this machine's name servers, host names and proxy.
  cp /etc/resolv.conf /etc/hosts "$system/etc/"
  apt-config dump 2>/dev/null | grep -i '^Acquire::https\?::Proxy ' \
    >"$system/etc/apt/apt.conf.d/90proxy" || true
  mount -t proc proc "$system/proc"
  mount --rbind /sys "$system/sys"
  mount --rbind /dev "$system/dev"
  mount -t tmpfs tmpfs "$system/dev/shm"
  chroot "$system" useradd --create-home --shell /bin/bash ann
  echo 'ann ALL=(ALL) NOPASSWD: ALL' >"$system/etc/sudoers.d/ann"
  git -C "$repository" -c safe.directory="$repository" bundle create -q "$system/tutti.bundle" HEAD
  chmod a+r "$system/tutti.bundle"
}

# The path of the clone has 200 characters, "/tutti" included.
checkout='/home/ann/'
while [ ${#checkout} -lt 194 ]; do checkout+='some folders with spaces and é/'; done
checkout="${checkout:0:194}/tutti"

as_ann() {  # as_ann LINE: runs a shell line in a new login of the user ann
  chroot "$system" su - ann -c "${compilers[*]:+export ${compilers[*]};} umask 077; $1" </dev/null
}

make_system
times=("$(printf '%-24s %s (%d s)' "Debian 12" made $SECONDS)")
status=0
if as_ann "git clone -q -c advice.detachedHead=false /tutti.bundle '$checkout'"; then
  timed "make demo" as_ann "cd '$checkout' && make demo" || status=1
  timed "make test, without HOME" as_ann "cd '$checkout' && unset HOME && make test" || status=1
  timed "sudo make install" as_ann "cd '$checkout' && sudo make install >/dev/null" || status=1
  timed "make build after it" as_ann "cd '$checkout' && make build >/dev/null" || status=1
  timed "an installed program" as_ann "cc '$checkout/examples/pi.c' -o pi \
    \$(pkg-config --cflags --libs tutti) && tutti run -n 2 ./pi" || status=1
else
  status=1
fi
printf '\n== a fresh Debian 12%s, %s\n' "${compilers[*]:+, ${compilers[*]}}" \
  "$(git -C "$repository" -c safe.directory="$repository" rev-parse --short HEAD)"
printf '  %s\n' "${times[@]}"
exit $status
