# SPDX-License-Identifier: BSD-3-Clause
"""globals.py LIBTUTTI: checks that the library has no mutable globals but a few. A process may be
in several jobs, and whatever belongs to a job belongs to its object."""

import re
import subprocess
import sys

from problems import finish, problem

ALLOWED = {
    "tutti::api::process": "the job that C functions mean, and what handlers of the process need",
    "tutti::api::interfaces": "of a thread: the interfaces that it is inside of",
    "tutti::api::(anonymous namespace)::last_error": "of a thread: its last error text",
    "tutti::launch::(anonymous namespace)::exit_states": "the handlers of fork, exit and SIGTERM",
    "tutti::transport::shm::(anonymous namespace)::numbers_of_process(":
        "the number of the process that others read and write; it stays as long as the process",
    "tutti::transport::wire::load(": "libraries of MPI that the process has loaded stay loaded",
}
# Guards of the compiler and tables of the Fortran module are no data of ours.
NOT_OURS = re.compile(r"guard variable|^__tls_guard$|^__tutti_types_MOD|^DW\.ref\.")
ROOMS = re.compile(r"^tutti::(transport|trace|services|engine|job|launch|api)::|"
                   r"^\(anonymous namespace\)::")
LINE = re.compile(r"^[0-9a-f]+ .{7} (\.bss|\.data|\.tbss|\.tdata)\s+[0-9a-f]+\s+"
                  r"(?:\.hidden )?(.*)$")


def main(library):
    lines = subprocess.run(["objdump", "-t", "-C", library], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    found = {match.group(2) for match in map(LINE.match, lines) if match}
    ours = {name for name in found if ROOMS.match(name) and not NOT_OURS.search(name)}
    if not ours:
        problem(f"{library} has no symbols; it must not be stripped for this test")
    for name in sorted(ours):
        if not any(name.startswith(allowed) for allowed in ALLOWED):
            problem(f"{name} is a mutable global; it belongs to an object of a job")
    for allowed in ALLOWED:
        if not any(name.startswith(allowed) for name in ours):
            problem(f"{allowed} is allowed and does not exist any more")
    finish(f"{len(ours)} mutable globals of at most {len(ALLOWED)}")


main(sys.argv[1])
