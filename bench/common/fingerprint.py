# SPDX-License-Identifier: BSD-3-Clause
"""Describes the machine on which a bench runs, as far as its figures depend on it. The machine's
name is left out. Samples carry the key of this description, so that those of two machines are never
mixed."""
import ctypes
import errno
import hashlib
import json
import os
import platform
import re
from pathlib import Path

UNKNOWN = "unknown"


def text_of(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def size_text(size):
    """Returns 2M for the system's 2048K."""
    found = re.fullmatch(r"(\d+)K", size)
    if found and int(found[1]) % 1024 == 0:
        return f"{int(found[1]) // 1024}M"
    return size


def number_of(list_text):
    """Returns how many numbers a list such as 0-3,8 has."""
    total = 0
    for part in list_text.split(","):
        first, _, last = part.partition("-")
        total += int(last or first) - int(first) + 1
    return total


def caches(processor=Path("/sys/devices/system/cpu/cpu0/cache")):
    """Returns a text such as "L1 48K, L2 2M, L3 32M of 8 processors", without caches of code."""
    found = []
    for folder in sorted(processor.glob("index*")):
        level, kind, size = (text_of(folder / name) for name in ("level", "type", "size"))
        shared = text_of(folder / "shared_cpu_list")
        if not level or not size or kind == "Instruction":
            continue
        count = number_of(shared) if shared else 1
        found.append(f"L{level} {size_text(size)}" +
                     (f" of {count} processors" if count > 1 else ""))
    return ", ".join(found) or UNKNOWN


def processor(cpuinfo):
    """Returns maker, model and family from the text of /proc/cpuinfo. On ARM a number is all that
    is known of the model."""
    of = dict(re.findall(r"^([\w ]+?)\s*:[ ]*(.*)$", cpuinfo.partition("\n\n")[0], re.M))
    if "vendor_id" in of:
        family = (f"family {of.get('cpu family', '?')}, model {of.get('model', '?')}, "
                  f"stepping {of.get('stepping', '?')}")
        return of["vendor_id"], of.get("model name", UNKNOWN), family
    if "CPU implementer" in of:
        family = f"architecture {of.get('CPU architecture', '?')}, part {of.get('CPU part', '?')}"
        return f"implementer {of['CPU implementer']}", of.get("model name", UNKNOWN), family
    return UNKNOWN, UNKNOWN, UNKNOWN


def is_virtual(cpuinfo):
    """A flag tells it on x86. Elsewhere only some hypervisors show themselves."""
    if re.search(r"^flags\s*:.*\bhypervisor\b", cpuinfo, re.M):
        return "yes"
    if text_of("/sys/hypervisor/type"):
        return "yes"
    return "no" if re.search(r"^flags\s*:", cpuinfo, re.M) else UNKNOWN


def ends_of_pipes(pipes):
    for ends in pipes:
        for end in ends:
            os.close(end)


def child(work):
    """Runs the function in a child and returns its id. The exit code is the function's result."""
    pid = os.fork()
    if pid == 0:
        code = 255
        try:
            code = work()
        finally:
            os._exit(code)
    return pid


def reads_neighbour():
    """Lets a child read the memory of another one. Returns "permitted", or why it is not."""

    class Part(ctypes.Structure):
        _fields_ = [("address", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]

    try:
        call = ctypes.CDLL(None, use_errno=True).process_vm_readv
    except AttributeError:
        return "the C library has no such call"
    call.restype = ctypes.c_ssize_t
    call.argtypes = [
        ctypes.c_int,
        ctypes.POINTER(Part), ctypes.c_ulong,
        ctypes.POINTER(Part), ctypes.c_ulong, ctypes.c_ulong
    ]
    number, copy = ctypes.c_uint64(0x7475747469), ctypes.c_uint64(0)
    until_read = os.pipe()

    def be_read():
        os.close(until_read[1])
        os.read(until_read[0], 1)
        return 0

    neighbour = child(be_read)

    def read():
        here, there = (Part(ctypes.addressof(one), ctypes.sizeof(one)) for one in (copy, number))
        got = call(neighbour, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
        if got == ctypes.sizeof(number) and copy.value == number.value:
            return 0
        return ctypes.get_errno() or 254

    code = os.waitstatus_to_exitcode(os.waitpid(child(read), 0)[1])
    ends_of_pipes([until_read])
    os.waitpid(neighbour, 0)
    if code == 0:
        return "permitted"
    return f"refused ({errno.errorcode.get(code, f'code {code}')})"


def kernel_rights():
    scope = text_of("/proc/sys/kernel/yama/ptrace_scope")
    seccomp = re.search(r"^Seccomp:\s*(\d+)", text_of("/proc/self/status"), re.M)
    modes = {"0": "off", "1": "strict", "2": "a filter"}
    return {
        "process_vm_readv between children": reads_neighbour(),
        "Yama's ptrace_scope": scope or "not there",
        "seccomp": modes.get(seccomp[1], seccomp[1]) if seccomp else UNKNOWN
    }


def huge_pages(folder=Path("/sys/kernel/mm/transparent_hugepage")):

    def chosen(name):
        found = re.search(r"\[([\w+]+)\]", text_of(folder / name))
        return found[1] if found else UNKNOWN

    return f"{chosen('enabled')}, of shared memory {chosen('shmem_enabled')}"


def take():
    """Returns {what: text} for this machine."""
    cpuinfo = text_of("/proc/cpuinfo")
    maker, model, family = processor(cpuinfo)
    return {
        "maker": maker, "model": model, "family": family, "caches": caches(),
        "processors": str(os.cpu_count() or 1), "architecture": platform.machine(),
        "virtual": is_virtual(cpuinfo), "kernel": platform.release(), **kernel_rights(),
        "transparent huge pages": huge_pages()
    }


def key_of(fingerprint):
    """Returns a short key, the same for equal fingerprints."""
    text = json.dumps(fingerprint, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]
