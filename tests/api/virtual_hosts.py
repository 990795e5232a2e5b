# SPDX-License-Identifier: BSD-3-Clause
"""Makes hosts out of network namespaces. Each has its own name and address and reaches the others
over a bridge, or over a relay with a delay and a rate. For MPI, processes on different hosts share
no memory, so they communicate over TCP. The user needs the right to make namespaces.
The agent is a script in place of ssh: it gets an address and a command."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import mpi_launchers  # noqa: E402

AGENT = """#!/bin/sh
# agent [-x] address command...
if [ "$1" = -x ]; then shift; fi
number="${1##*.}"
shift
exec ip netns exec "%(name)s-$number" unshare --uts sh -c "hostname %(name)s-$number; exec $*"
"""


def command(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class VirtualHosts:
    """Hosts that exist while a `with` block runs:
    with VirtualHosts(3) as hosts: hosts.run("mpich", [2, 2, 1], ["./program"])"""

    made = 0  # objects made by this process

    def __init__(self, count, relay=None):
        self.count = count
        # The relay is None or (program, delay in microseconds, rate out of each host in megabits
        # per second).
        self.relay, self.wire = relay, None
        # Each object has new names, because the kernel removes interfaces some time after the
        # command that removes them has ended.
        VirtualHosts.made += 1
        self.name = f"tt{os.getpid() % 100000}{chr(ord('a') + VirtualHosts.made)}"
        self.net = f"10.{77 + os.getpid() % 100}.{os.getpid() // 100 % 200}"
        self.folder = tempfile.TemporaryDirectory(prefix="tutti-hosts-")
        self.agent = Path(self.folder.name) / "agent"

    @staticmethod
    def bypassed(flavour):
        """Returns None, or the reason why this MPI's messages do not pass the relay."""
        if flavour != "mpich":
            return None
        return (
            "Debian's MPICH is built on UCX, which sees that all this is one machine and uses its "
            "memory; confined to "
            "TCP (UCX_TLS=tcp,self), its ranks wait for each other in MPI_Finalize")

    @staticmethod
    def allowed():
        """Returns None, or the reason why namespaces cannot be made."""
        try:
            name = f"tt{os.getpid()}-probe"
            command("ip", "netns", "add", name)
            command("ip", "netns", "del", name)
            return None
        except (OSError, subprocess.CalledProcessError) as error:
            return str(getattr(error, "stderr", "") or error).strip()

    def __enter__(self):
        try:
            self.make()
        except Exception:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    def make(self):
        self.make_middle()
        command("ip", "addr", "add", f"{self.net}.254/24", "dev", self.name)
        command("ip", "link", "set", self.name, "up")
        for i in range(1, self.count + 1):
            inside, outside = f"{self.name}-{i}", f"{self.name}.{i}"
            command("ip", "netns", "add", inside)
            if self.relay is None:
                command("ip", "link", "add", outside, "type", "veth", "peer", "name", "eth0",
                        "netns", inside)
                command("ip", "link", "set", outside, "master", self.name, "up")
            else:
                command("ip", "link", "set", outside, "mtu", "9000")
                command("ip", "link", "set", outside, "netns", inside, "name", "eth0")
            run_inside = ["ip", "netns", "exec", inside]
            command(*run_inside, "ip", "addr", "add", f"{self.net}.{i}/24", "dev", "eth0")
            command(*run_inside, "ip", "link", "set", "eth0", "up")
            command(*run_inside, "ip", "link", "set", "lo", "up")
        self.agent.write_text(AGENT % {"name": self.name})
        self.agent.chmod(0o755)

    def make_middle(self):
        """Makes the bridge or starts the relay. The relay's first interface stays outside of the
        namespaces, for the launcher."""
        if self.relay is None:
            command("ip", "link", "add", self.name, "type", "bridge")
            return
        program, delay, rate = self.relay
        names = [self.name] + [f"{self.name}.{i}" for i in range(1, self.count + 1)]
        self.wire = subprocess.Popen(
            [str(program), str(delay), str(rate), *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True)
        if self.wire.stdout.readline() != "ready\n":
            raise OSError("the relay does not start")

    def remove(self):
        if self.wire is not None:
            self.wire.stdin.close()
            self.wire.wait()
            self.wire.stdout.close()
        for i in range(1, self.count + 1):
            subprocess.run(["ip", "netns", "del", f"{self.name}-{i}"],
                           capture_output=True,
                           check=False)
        subprocess.run(["ip", "link", "del", self.name], capture_output=True, check=False)
        self.folder.cleanup()

    def launcher(self, flavour, ranks_per_host, variables=None):
        """Returns the words in front of a program. The variables are set for its ranks only."""
        places = [
            f"{self.net}.{i + 1}:{ranks}" for i, ranks in enumerate(ranks_per_host) if ranks > 0
        ]
        total = str(sum(ranks_per_host))
        if flavour == "mpich":
            words = [
                "mpiexec.mpich", "-launcher", "ssh", "-launcher-exec",
                str(self.agent), "-localhost", f"{self.net}.254", "-hosts", ",".join(places), "-n",
                total
            ]
            return words + mpi_launchers.words_for_ranks(flavour, variables or {})
        words = [
            "mpirun.openmpi", "--allow-run-as-root", "--mca", "plm_rsh_agent",
            str(self.agent), "--host", ",".join(places), "-n", total
        ]
        for part in ("oob_tcp_if_include", "btl_tcp_if_include"):
            words += ["--mca", part, f"{self.net}.0/24"]
        return words + mpi_launchers.words_for_ranks(flavour, variables or {})

    def run(self, flavour, ranks_per_host, program, variables=None, folder=None, timeout=300):
        return subprocess.run(self.launcher(flavour, ranks_per_host, variables) + program,
                              stdin=subprocess.DEVNULL,
                              capture_output=True,
                              text=True,
                              timeout=timeout,
                              cwd=folder,
                              check=False)
