# SPDX-License-Identifier: BSD-3-Clause
# Makes a new Debian 12 in a folder, for the scripts that try tutti as a newcomer does. They source
# this file and then call enter_namespaces and make_system. It needs root and debootstrap. Mounts
# and processes have namespaces of their own and end with the script, which also removes the system.
# Variables: `mirror` and `place` may be set before enter_namespaces; `system` is the folder.
mirror="$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' \
  /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list \
  2>/dev/null | head -n 1)" || true
mirror="${mirror:-http://deb.debian.org/debian}"
place=/var/tmp
times=()

# enter_namespaces argument...: starts the calling script again with these arguments in new
# namespaces and waits for that second process; in it, the function returns. The kernel removes the
# mounts when the second process ends for any reason; then the first removes the system.
enter_namespaces() {
  local name
  name="$(basename "$0" .sh)"
  if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
    echo "$name: needs root and the package debootstrap" >&2
    exit 77
  fi
  system="${TUTTI_FRESH_SYSTEM:-}"
  [ -z "$system" ] || return 0
  system="$(mktemp -d "$place/tutti-fresh-XXXXXX")"
  chmod 755 "$system"
  TUTTI_FRESH_SYSTEM="$system" unshare --mount --pid --fork --kill-child "$0" "$@" &
  trap 'kill -KILL $! 2>/dev/null || true; wait; rm -rf --one-file-system "$system"' EXIT
  trap 'exit 130' INT TERM HUP
  wait $!
  exit
}

timed() {  # timed WHAT command...: runs the command and adds its time to `times`
  local what="$1" begin=$SECONDS status=0
  shift
  "$@" || status=$?
  local ended=passed
  [ $status -eq 0 ] || ended="FAILED, exit code $status"
  times+=("$(printf '%-28s %s (%d s)' "$what" "$ended" $((SECONDS - begin)))")
  return $status
}

make_system() {  # make_system PACKAGE,...: Debian 12 with these packages and the user ann
  debootstrap --variant=minbase --include="$1" bookworm "$system" "$mirror" >/dev/null 2>&1 ||
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
  times+=("$(printf '%-28s %s (%d s)' "Debian 12" made $SECONDS)")
}

as_ann() {  # as_ann LINE: runs a shell line in a new login of the user ann
  chroot "$system" su - ann -c "$1" </dev/null
}
