# SPDX-License-Identifier: BSD-3-Clause
"""Starts a virtual machine of the real PVM (Debian's package pvm) for a test or a bench, and ends
it."""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import time

LIBRARIES = pathlib.Path("/usr/lib/x86_64-linux-gnu")


def installed():
    return shutil.which("pvmd") is not None and (LIBRARIES / "libgpvm3.so.3").exists()


def end_with_parent():
    """Asks the kernel to end this process, a pvmd, if its test is killed. Its tasks end with it."""
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGTERM, 0, 0, 0)


class RealMachine:
    """Starts a pvmd and ends it. Its tasks need the variables in `environment`. Its files are in
    `folder`. `group_library` is the folder of a libgpvm3 to use instead of PVM's own."""

    def __init__(self, folder, programs, group_library=None):
        self.folder = pathlib.Path(folder)
        # The machine has its own number, so that another machine of this user is not disturbed.
        self.environment = dict(os.environ,
                                PVM_ROOT="/usr/lib/pvm3",
                                PVM_ARCH="LINUX64",
                                PVM_ALLOW_ROOT="1",
                                PVM_VMID=f"tutti{os.getpid()}",
                                PVM_TMP=str(self.folder),
                                LD_LIBRARY_PATH=":".join(
                                    [str(group_library or LIBRARIES),
                                     str(LIBRARIES)]))
        # /usr/bin is in the search path (ep), because the group server is there.
        self.hosts = self.folder / "hosts"
        self.hosts.write_text(f"* ep={programs}:/usr/bin wd={self.folder}\n")

    def console(self, command):
        return subprocess.run(["pvm"],
                              input=command + "\n",
                              env=self.environment,
                              capture_output=True,
                              text=True,
                              timeout=30,
                              check=False).stdout

    def __enter__(self):
        self.daemon = subprocess.Popen(["pvmd", str(self.hosts)],
                                       env=self.environment,
                                       start_new_session=True,
                                       preexec_fn=end_with_parent,
                                       stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        time.sleep(1)
        if self.daemon.poll() is not None:
            raise RuntimeError(f"pvmd has ended at once, with code {self.daemon.returncode}")
        return self

    def __exit__(self, *_):
        self.console("halt")
        try:
            self.daemon.wait(10)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
