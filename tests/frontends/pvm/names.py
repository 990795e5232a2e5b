# SPDX-License-Identifier: BSD-3-Clause
"""names.py LIBRARY: checks that our libpvm3 has all names that begin with pvm_ in libpvm3 of PVM
3.4.6, and what the calls answer that have no meaning without a daemon. If the real library is
installed, the list below must be its list."""

import ctypes
import select
import sys
from pathlib import Path

import machine

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from exported_names import exported  # noqa: E402

NAMES = """
    addhosts addmhf alloc archcode bufinfo catchout config delete delhosts delinfo delmhf
    errlist errno exit export fd_add fd_delete free freebuf freecontext getcontext getfds
    getmboxinfo getminfo getnoresets getopt getrbuf getsbuf gettmask halt hostsync initsend
    inprecv insert kill lookup mcast mkbuf mstat mytid nerr newcontext notify nrecv packf
    parent perror pkbyte pkcplx pkdcplx pkdouble pkfloat pkint pklong pkmesg pkmesgbody
    pkshort pkstr pkuint pkulong pkushort precv probe psend pstat putinfo realloc recv recvf
    recvinfo reg_hoster reg_rm reg_tasker reg_tracer send sendsig setcontext setminfo setopt
    setrbuf setsbuf settmask siblings spawn start_pvmd strerror tasks tc_noop tc_settmask
    tc_settrace tc_settrcbuf tc_settrcopt tc_siblings tickle tidtohost trecv unexport
    unpackf upkbyte upkcplx upkdcplx upkdouble upkfloat upkint upklong upkmesg upkshort
    upkstr upkuint upkulong upkushort useruid version vpackf vunpackf
""".split()
REAL = machine.LIBRARIES / "libpvm3.so.3"
BAD_PARAMETER, NOT_IMPLEMENTED, NO_BUFFER = -2, -24, -15
WITHOUT_MEANING = [("pvm_reg_hoster", 0), ("pvm_reg_rm", 1), ("pvm_reg_tasker", 0),
                   ("pvm_reg_tracer", 7), ("pvm_tickle", 4), ("pvm_fd_add", 2),
                   ("pvm_fd_delete", 2), ("pvm_tc_noop", 1), ("pvm_tc_settmask", 1),
                   ("pvm_tc_settrace", 1), ("pvm_tc_settrcbuf", 1), ("pvm_tc_settrcopt", 1),
                   ("pvm_tc_siblings", 1)]


def calls_of(library):
    return sorted(name for name in exported(library) if name.startswith("pvm_"))


def lists(library):
    wanted = sorted("pvm_" + name for name in NAMES)
    missing = sorted(set(wanted) - set(calls_of(library)))
    if missing:
        print(f"missing: {' '.join(missing)}")
    if REAL.exists() and calls_of(REAL) != wanted:
        print(f"the list is not that of {REAL}")
        return True
    return bool(missing)


def masks(pvm):
    """A mask is kept for this task and for its children."""
    bad = 0
    for who in (0, 1):
        kept = ctypes.create_string_buffer(36)
        bad += pvm.pvm_gettmask(who, kept) != 0 or kept.value != b"@" * 35
        bad += pvm.pvm_settmask(who, b"A" * (who + 1) + b"@" * (34 - who)) != 0
    for who in (0, 1):
        start = b"A" * (who + 1) + b"@"
        bad += pvm.pvm_gettmask(who, kept) != 0 or not kept.value.startswith(start)
    bad += pvm.pvm_gettmask(2, kept) != BAD_PARAMETER or pvm.pvm_settmask(0, None) != BAD_PARAMETER
    if bad:
        print(f"trace masks: {bad} answers are wrong")
    return bad


def descriptors(pvm):
    """A program that waits for its descriptors gets a message that it sends to itself."""
    found = ctypes.POINTER(ctypes.c_int)()
    if pvm.pvm_getfds(ctypes.byref(found)) != 1:
        print("pvm_getfds gives no descriptor")
        return True
    pvm.pvm_initsend(0)
    pvm.pvm_send(pvm.pvm_mytid(), 1)
    for _ in range(1000):
        select.select([found[0]], [], [])
        if pvm.pvm_nrecv(-1, -1) > 0:
            return bool(select.select([found[0]], [], [], 0)[0] and pvm.pvm_nrecv(-1, -1) != 0)
    print("no message came after 1000 turns of select")
    return True


def answers(library):
    pvm = ctypes.CDLL(str(library))
    pvm.pvm_setopt(3, 0)  # PvmAutoErr: errors are only returned
    bad = [name for name, count in WITHOUT_MEANING
           if getattr(pvm, name)(*[0] * count) != NOT_IMPLEMENTED]
    texts = (ctypes.c_char_p * ctypes.c_int.in_dll(pvm, "pvm_nerr").value).in_dll(
        pvm, "pvm_errlist")
    if bad or texts[-NO_BUFFER] != b"No active buffer" or texts[0] != b"Success":
        print(f"wrong: {' '.join(bad)}, or the texts of pvm_errlist")
    pvm.pvm_strerror.restype = ctypes.c_char_p
    differ = 0
    for number in range(len(texts)):
        ctypes.c_int.in_dll(pvm, "pvm_errno").value = -number
        differ += texts[number] != pvm.pvm_strerror()
    failed = any([bool(bad), differ, masks(pvm), descriptors(pvm)])
    pvm.pvm_exit()
    return failed


def main(library):
    return any([lists(library), answers(library)])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
