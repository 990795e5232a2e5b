# SPDX-License-Identifier: BSD-3-Clause
"""How a job on two hosts may end after a fault: the codes and sentences of each MPI's launcher, and
those of tutti."""
import re
import signal
from pathlib import Path

# Launchers end survivors by these, and the monitor may see both ends at once.
OF_LAUNCHERS = (signal.SIGKILL, signal.SIGTERM)
NOTICE = r"(?m)^tutti: rank \d+ has waited \d+ s to join the job, .*\n"  # of a busy machine
NAMED = r"tutti: rank \d+ \(process (\d+)\) was killed by signal (\d+) "
# Each MPI says so when a connection breaks.
LINK = {
    "openmpi": r"peer process has unexpectedly disconnected|lost communication with a remote "
               r"daemon|mca_btl_tcp_\w+: \w+ failed|failed to TCP connect",
    "mpich": r"process manager error|assert \(!closed\) failed"
}
HOST_IS_LOST = {
    "openmpi": (205, "ORTE has lost communication with a remote daemon"),
    "mpich": (255, "process manager error waiting for completion")
}


def of_launcher(flavour, fault):
    """Returns the codes that are right for the launcher, and the sentence that it must say."""
    number = int(fault.number)
    if fault.kind in ("host", "daemon"):
        code, said = HOST_IS_LOST[flavour]
        return (code, ), said
    if not fault.killed:  # it was killed itself
        return (-signal.SIGKILL, ), ""
    if flavour == "openmpi":
        return (128 + number, ), rf"exited on signal {number} "
    # It shows the lowest rank of a host, which it may have killed itself. Its code is the bitwise
    # or of all ranks', or 255: its proxies fail an assertion if the job ends while they end it. UCX
    # below it aborts a survivor that reads the memory of a dead rank, which gives bits of 6.
    ends = (number, 9, number | 9)
    return (*ends, *(code | 6 for code in ends), 255), rf"EXIT CODE: ({number}|9|6)$"


def problem_of(flavour, fault, code, text):
    """Returns what is wrong with a job that has ended; None if nothing is."""
    text = re.sub(NOTICE, "", text)
    if "WRONG" in text:
        return "wrong data"
    ours = re.findall(r"(?m)^tutti.*", text)
    if fault.kind == "link":
        survives = code == 0 and "endless: right" in text and not ours
        return None if survives else "the job does not survive"
    codes, said = of_launcher(flavour, fault)
    if code not in codes:
        return f"the code is not one of {codes}"
    if not re.search(said, text, re.M):
        return f"the launcher does not say '{said}'"
    return problem_of_report(flavour, fault, ours, text)


def problem_of_report(flavour, fault, ours, text):
    """Returns what is wrong with the lines of tutti's: each names a rank that this fault or the
    launcher has killed, and those that the fault has killed are named once they have joined."""
    named = set()
    for line in ours:
        match = re.match(NAMED, line)
        if match is None:
            return f"it says '{line}'"
        pid, number = map(int, match.groups())
        if number not in ((fault.number, ) if pid in fault.killed else OF_LAUNCHERS):
            return f"process {pid} is said to be killed by signal {number}"
        named.add(pid)
    joined = {int(pid) for pid in re.findall(r"(?m)^rank \d+ is process (\d+)", text)}
    # A monitor cannot tell a SIGTERM of the fault from one of the launcher.
    must = set() if fault.number == signal.SIGTERM else joined & set(fault.killed)
    # MPICH's launcher ends without reading all that the monitors have written after the first line.
    if flavour == "mpich" and named & must:
        return None
    return None if named >= must else f"{sorted(must - named)} are not named"


def blames_link(flavour, text):
    """Returns whether the MPI says that a connection has broken."""
    return re.search(LINK[flavour], text) is not None


def kinds_left(left, program):
    """Returns the kinds of processes that are left. A monitor of tutti's lives as long as a rank of
    its host, so it is none of its own where a rank is left."""
    names = {re.sub(r" \(.\)$", "", one) for one in left}
    rank = Path(program).name[:15]
    kinds = {"a rank" if name == rank else name for name in names}
    return kinds - {"tutti-monitor"} if "a rank" in kinds else kinds
