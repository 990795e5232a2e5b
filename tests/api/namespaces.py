#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""namespaces.py FLAVOUR CONFORMANCE MIX RELAY TUTTI: runs the conformance program, random mixes and
the official testers of the BLACS over TCP on three hosts, which are network namespaces. It also
checks what tutti tune measures between two hosts with a delay. The exit code is 77 (skipped) if
namespaces are not allowed or the launcher is missing."""
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import mpi_launchers  # noqa: E402
from virtual_hosts import VirtualHosts  # noqa: E402

SKIPPED = 77
PLACES = ([1, 1], [1, 1, 1], [2, 1], [2, 2], [2, 1, 2], [3, 3, 3])
TESTERS = Path("/usr/lib/x86_64-linux-gnu/scalapack")
INPUTS = Path("/usr/share/scalapack/BLACS")
failures = 0


def expect(name, done, good):
    global failures
    failures += not good
    print(f"{name}: good" if good else
          f"FAILED {name}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}",
          flush=True)


def testers(hosts, flavour, tutti):
    programs = TESTERS / f"{flavour}-tests/BLACS"
    if not (programs / "xCbtest").exists():
        print("without the testers of the BLACS: the package scalapack-mpi-test is not installed")
        return
    with tempfile.TemporaryDirectory(prefix="tutti-testers-") as folder:
        for source in INPUTS.glob("*.dat"):
            shutil.copy(source, folder)
        for tester in ("xCbtest", "xFbtest"):
            done = hosts.run(
                flavour, [2, 1, 1],
                [tutti, "preload", "blacs", str(programs / tester)], {}, folder, 900)
            failed = re.findall(r"(\d+) FAILED", done.stdout)
            good = len(failed) >= 20 and set(failed) == {"0"
                                                         } and "DONE BLACS_GRIDEXIT" in done.stdout
            expect(f"{tester} on 2 + 1 + 1 ranks", done, good and
                   "tutti: aborted" in done.stderr + done.stdout)


def relayed(flavour, conformance, relay, tutti):
    """Checks that the conformance program passes over a slow relay, and that no measured message is
    faster than the relay."""
    delay, rate = 2000, 800
    with VirtualHosts(
            2,
        (Path(relay).resolve(), delay, rate)) as hosts, tempfile.TemporaryDirectory() as folder:
        done = hosts.run(flavour, [2, 1], [conformance])
        expect("conformance over a slow wire", done, ", 0 failed" in done.stdout and
               done.returncode == 0)
        profile = Path(folder) / "host.toml"
        shutil.copy(Path(__file__).resolve().parents[2] / "src/machine/profiles/host.toml", profile)
        done = hosts.run(flavour, [1, 1],
                         [tutti, "tune", "--hosts", "--quick", "--output",
                          str(profile)])
        points = re.findall(r"(?m)^# (\d+) bytes: ([.0-9]+) us", profile.read_text())
        slow = all(float(us) > delay + int(size) * 8 / rate for size, us in points)
        expect(f"tutti tune --hosts finds {delay} us and {rate} Mbit/s: {points}", done,
               done.returncode == 0 and len(points) == 9 and slow)


def main():
    flavour, conformance, mix, relay, tutti = sys.argv[1:]
    launcher = mpi_launchers.LAUNCHERS[flavour][0]
    why = f"{launcher} is not installed" if not mpi_launchers.installed(
        flavour) else VirtualHosts.allowed()
    if why is not None:
        print(f"skipped: {why}")
        return SKIPPED
    with VirtualHosts(3) as hosts:
        for places in PLACES:
            name = " + ".join(map(str, places))
            done = hosts.run(flavour, places, [conformance])
            expect(f"conformance on {name} ranks", done, ", 0 failed" in done.stdout and
                   done.returncode == 0)
            done = hosts.run(flavour, places, [mix, "300"])
            expect(f"mix on {name} ranks", done, "right" in done.stdout and done.returncode == 0)
        testers(hosts, flavour, tutti)
    why = VirtualHosts.bypassed(flavour)
    if why is None:
        relayed(flavour, conformance, relay, tutti)
    else:
        print(f"without the relay: {why}")
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
