# SPDX-License-Identifier: BSD-3-Clause
"""A virtual machine of the real PVM (Debian's package pvm) while a test lasts."""

import os
import pathlib
import shutil
import subprocess
import time

LIBRARIES = pathlib.Path("/usr/lib/x86_64-linux-gnu")


def installed():
    return shutil.which("pvmd") is not None and (LIBRARIES / "libgpvm3.so.3").exists()


class RealMachine:
    """Starts pvmd and ends it; `environment` is what its tasks need. Its files lie in `folder`."""

    def __init__(self, folder, programs):
        self.folder = pathlib.Path(folder)
        # A number of its own: another machine of this user is left alone.
        self.environment = dict(os.environ, PVM_ROOT="/usr/lib/pvm3", PVM_ARCH="LINUX64", PVM_ALLOW_ROOT="1",
                                PVM_VMID=f"tutti{os.getpid()}", LD_LIBRARY_PATH=str(LIBRARIES))
        # The group server is found through /usr/bin.
        self.hosts = self.folder / "hosts"
        self.hosts.write_text(f"* ep={programs}:/usr/bin wd={self.folder}\n")

    def console(self, command):
        return subprocess.run(["pvm"], input=command + "\n", env=self.environment, capture_output=True, text=True,
                              timeout=30, check=False).stdout

    def __enter__(self):
        self.daemon = subprocess.Popen(["pvmd", str(self.hosts)], env=self.environment, start_new_session=True,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        return self

    def __exit__(self, *_):
        self.console("halt")
        try:
            self.daemon.wait(10)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
