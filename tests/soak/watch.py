# SPDX-License-Identifier: BSD-3-Clause
"""A soak watches the memory of the processes of a job, and files that are left."""
import os

PAGE = os.sysconf("SC_PAGE_SIZE")
# Memory that a process may gain between the first and the last third of its life.
MOST_GROWTH = 4 << 20


def resident(pid):
    """Returns the bytes of a process that are its own, and those of shared memory; None if it is
    gone."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            _, all_pages, shared = [int(word) for word in file.read().split()[:3]]
    except (OSError, ValueError):
        return None
    return (all_pages - shared) * PAGE, shared * PAGE


def segment_bytes(pid):
    """Returns how much memory the segment of a job has taken."""
    total = 0
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{name}"
            if "memfd:tutti" in os.readlink(path):
                total = max(total, os.stat(path).st_blocks * 512)
    except OSError:
        pass
    return total


class Memory:
    """Samples of the memory of processes, taken from time to time."""

    def __init__(self):
        self.samples = {}  # process and kind -> bytes, in the order of time

    def look(self, pids):
        for pid in pids:
            found = resident(pid)
            if found is not None:
                self.samples.setdefault((pid, "own"), []).append(found[0])
                self.samples.setdefault((pid, "segment"), []).append(segment_bytes(pid))

    def largest(self, kind):
        return max((max(values) for (_, of), values in self.samples.items() if of == kind),
                   default=0)

    def growth(self):
        """Returns texts about processes that have grown. The first third of a life does not count,
        in which a program makes its plans."""
        found = []
        for (pid, kind), values in self.samples.items():
            third = len(values) // 3
            if third < 2:
                continue
            before, after = max(values[third:2 * third]), max(values[-third:])
            if after > before + max(MOST_GROWTH, before // 10):
                found.append(f"process {pid}: {kind} memory grows from {before >> 10} to "
                             f"{after >> 10} KiB")
        return found


class Files:
    """The files of the folders that jobs write to."""

    def __init__(self, folders):
        self.folders = folders
        self.before = self.list()

    def list(self):
        found = set()
        for folder in self.folders:
            for where, names, files in os.walk(folder):
                found.update(os.path.join(where, name) for name in names + files)
        return found

    def left(self):
        """Returns new files. A launcher of Open MPI that is killed leaves its own folder."""
        return sorted(name for name in self.list() - self.before if "/ompi." not in name and
                      "/pmix-" not in name and "/prte." not in name)
