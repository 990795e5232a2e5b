# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts inside of namespaces that nobody else sees. The test starts itself again in a network,
mount and pid namespace of its own, so that no packet leaves it, and the kernel removes all that is
left when its first process ends. In there virtual_hosts.py makes the hosts and the link."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
for folder in ("scripts", "tests/api", "tests/command"):
    sys.path.insert(0, str(ROOT / folder))
import mpi_launchers  # noqa: E402
from processes import all_processes, kill_all, none_within  # noqa: E402
from stopwatch import Stopwatch  # noqa: E402
from virtual_hosts import VirtualHosts, command  # noqa: E402

SKIPPED = 77
INSIDE = "TUTTI_TEST_INSIDE"
ISOLATE = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
# The first process inside: a shell, which waits for all orphans, too.
FIRST = ["sh", "-c", '"$@"; exit $?', "sh"]


def missing(flavour):
    """Returns None, or the reason why there can be no two hosts here. A flavour of None needs no
    MPI."""
    for tool in ("unshare", "ip"):
        if shutil.which(tool) is None:
            return f"without {tool}"
    if flavour is not None and not mpi_launchers.installed(flavour):
        return f"{mpi_launchers.LAUNCHERS[flavour][0]} is not installed"
    done = subprocess.run([*ISOLATE, "true"], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"no namespaces: {done.stderr.strip()}"


def run_isolated(flavour, main):
    """Runs main() in namespaces of its own, and returns the exit code. They end with this process,
    however it ends. A missing tool fails where TUTTI_STRICT is 1."""
    if os.environ.get(INSIDE) == "1":
        return main()
    why = missing(flavour)
    if why is not None:
        print(f"skipped: {why}")
        return 1 if os.environ.get("TUTTI_STRICT") == "1" else SKIPPED
    os.environ[INSIDE] = "1"
    sys.stdout.flush()
    return os.execvp(ISOLATE[0], [*ISOLATE, *FIRST, sys.executable, "-B", *sys.argv])


def network_of(pid):
    """Returns the network that a process is in, None if the process has ended."""
    try:
        return os.stat(f"/proc/{pid}/ns/net").st_ino
    except OSError:
        return None


class TwoHosts(VirtualHosts):
    def __init__(self):
        super().__init__(2)

    def make(self):
        command("mount", "-t", "tmpfs", "tmpfs", "/run")
        command("ip", "link", "set", "lo", "up")
        super().make()
        self.networks = [os.stat(f"/run/netns/{self.name}-{i}").st_ino for i in (1, 2)]

    def set_link(self, up):
        """Takes the link of host 2 down or up: on the side of the bridge, as a cable is drawn."""
        command("ip", "link", "set", f"{self.name}.2", "up" if up else "down")

    def processes(self, host):
        """Returns the processes on host 0 or 1; host None means the launcher's own."""
        network = network_of("self") if host is None else self.networks[host]
        return [one for one in all_processes() if network_of(one.pid) == network]

    def everything(self):
        """Returns the processes on both hosts."""
        return self.processes(0) + self.processes(1)


class Job:
    """A job over the hosts. Its output goes to files, which no process that is left can block."""

    def __init__(self, hosts, flavour, ranks, program, variables):
        self.hosts, self.program = hosts, Path(program[0]).name[:15]
        self.output, self.error = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(hosts.launcher(flavour, ranks, variables) + program,
                                        stdin=subprocess.DEVNULL,
                                        stdout=self.output,
                                        stderr=self.error)

    def text(self):
        texts = []
        for file in (self.output, self.error):
            file.seek(0)
            texts.append(file.read())
        return "".join(texts)

    def ranks(self, host):
        return [one for one in self.hosts.processes(host) if one.name == self.program]

    def wait_for_begin(self, ranks, seconds=60):
        """Returns True when all ranks have said that they are there."""
        watch = Stopwatch()
        while self.text().count(" is process ") < ranks:
            if self.process.poll() is not None or watch.read() > seconds:
                return False
            time.sleep(0.01)
        return True

    def wait(self, seconds):
        """Waits for the launcher, and then for all processes on the hosts, so many seconds of a
        Stopwatch each. Returns what is left."""
        watch = Stopwatch()
        while self.process.poll() is None and watch.read() < seconds:
            time.sleep(0.01)
        left = ["the launcher"]
        if self.process.poll() is not None:
            left = []
            none_within(self.hosts.everything, seconds)
        return left + [f"{one.name} ({one.state})" for one in self.hosts.everything()]

    def clean_up(self):
        self.process.kill()
        self.process.wait()
        kill_all(lambda: [one.pid for one in self.hosts.everything()])
        self.output.close()
        self.error.close()
