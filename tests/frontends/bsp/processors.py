#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""processors.py TUTTI PROGRAM: bsp_nprocs() before bsp_begin must be the number of processors that
`tutti info` shows, also where a control group or the affinity mask allows fewer than there are."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TUTTI, PROGRAM = sys.argv[1:]
LIMITED = ["unshare", "-r", "-m", "sh", "-c", 'mount --bind "$0" /sys/fs/cgroup && exec "$@"']


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout


def shown_by_info(*prefix):
    for line in output(*prefix, TUTTI, "info").splitlines():
        if line.startswith("processors a job may use: "):
            return int(line.rpartition(" ")[2])
    sys.exit("tutti info shows no number of processors")


def compare(*prefix):
    info, bsp = shown_by_info(*prefix), int(output(*prefix, PROGRAM))
    if info != bsp:
        sys.exit(f"tutti info shows {info} processors, bsp_nprocs() is {bsp}: {prefix}")
    return info


def make_control_group(folder):
    """Makes files of both versions of control groups that allow one processor."""
    (folder / "cpu.max").write_text("150000 100000\n")
    for controllers in ("cpu", "cpu,cpuacct", "cpuacct,cpu"):
        (folder / controllers).mkdir()
        (folder / controllers / "cpu.cfs_quota_us").write_text("150000\n")
        (folder / controllers / "cpu.cfs_period_us").write_text("100000\n")


compare()
if compare("taskset", "-c", str(min(os.sched_getaffinity(0)))) != 1:
    sys.exit("taskset to one processor leaves more than one")
with tempfile.TemporaryDirectory() as name:
    make_control_group(Path(name))
    limited = [*LIMITED, name]
    if subprocess.run([*limited, "true"], capture_output=True).returncode != 0:
        print("skipped: mount namespaces are refused, so no other control group can be shown")
        sys.exit(77)
    if compare(*limited) != 1:
        sys.exit("a control group of 1.5 processors leaves another number than 1")
