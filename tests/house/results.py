# SPDX-License-Identifier: BSD-3-Clause
"""Checks that no result of a call that may fail is ignored.

A call that is a statement of its own and whose name is in CALLS ignores its result; so does a cast
to void of any call, even one of our own. The line, or the comment above it, must then say why:
"// Failure is harmless: ...". The list leaves out calls that fail only for wrong arguments (signal
masks and dispositions, clocks, times), and pauses. It also leaves out close() and munmap(), after
which nothing is to be done: files that are written are checked by fflush(), fclose() or fsync()
before. Messages on stderr are not checked, because there is no other place to say so.

A cast to void of a function in THROW only says that its value is not needed: it throws if it
fails."""

import re

from folders import COMMAND, LIBRARY
from problems import finish, problem
from tree import ROOT, files

FOLDERS = (*LIBRARY, *COMMAND, "apps/")
CALLS = (
    r"kill|tgkill|write|pwrite|writev|read|pread|recv|send|sendto|recvfrom|sendmsg|recvmsg|fcntl|"
    r"ioctl|setsockopt|getsockopt|bind|listen|connect|shutdown|dup2|dup3|unlink|rmdir|mkdir|rename|"
    r"symlink|chmod|fchmod|chown|fchown|ftruncate|truncate|fallocate|posix_fallocate|fsync|"
    r"fdatasync|flock|lockf|mmap|madvise|mprotect|mlock|msync|poll|epoll_ctl|epoll_wait|waitpid|"
    r"waitid|wait4|prctl|setrlimit|getrlimit|prlimit|sched_setaffinity|sched_getaffinity|setsid|"
    r"setpgid|chdir|syscall|getrandom|setenv|unsetenv|putenv|timerfd_settime|pthread_atfork|"
    r"on_exit|atexit|posix_spawn_file_actions_\w+|stat|fstat|lstat|access|readlink|uname|pipe2|"
    r"socketpair|fflush|fclose|fwrite|fputs|fputc|puts|setvbuf|execv|execvp|send_message|write_all")
CAST = re.compile(r"(?:static_cast<void>\(|(?<![\w)*])\(void\)\s*)\s*!?"
                  r"(?:::)?[\w:.>\-]*?(\w+)(?:<[\w:<>, *&]*>)?\(")
REASON = re.compile(r"// (?:.*; )?[Ff]ailure is harmless: \w+")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')


class Listed:
    """The names that are exempt in a file, by a table with lines `file: name...`."""

    def __init__(self, table):
        self.pairs = {(path, name) for line in table.strip().splitlines()
                      for path, names in [line.split(": ")] for name in names.split()}
        self.met = set()

    def has(self, path, name):
        self.met.add((path, name))
        return (path, name) in self.pairs

    def check_all_are_met(self):
        for path, name in sorted(self.pairs - self.met):
            problem(f"{path}: {name}() is exempt there without need")


# Files in which a bare name is not that of the system's call, but of a function there.
OURS = Listed("""
apps/matmul/main.cpp: write
apps/matrix/writer.cpp: write
src/algorithms/circulant_pipelined.cpp: unlink
src/job/job.cpp: connect
src/formats/msccl_races.cpp: read write
src/formats/msccl_scratch.cpp: send
src/formats/msccl_writer.cpp: write
frontends/blacs/common/timing.cpp: write write_all
frontends/pvm/pvmd/group_registry.cpp: read
src/schedule/program.hpp: send
src/selection/contention.cpp: send
src/services/outbox.hpp: send
src/services/outbox.cpp: write
src/transport/wire/link.hpp: send
study/subcommands/export/export.cpp: write
study/subcommands/info/catalogue.cpp: write
""")
# Functions that throw, end the process or set an error of their interface if they fail, or that
# cannot fail. Where these files cast them, their value is not needed.
THROW = Listed("""
src/api/errors.cpp: environment_gives_statuses
src/api/groups.cpp: guarded
src/api/life.cpp: answered
src/api/messages.hpp: cancel
src/api/plan_texts.cpp: guarded
src/api/plans.cpp: guarded
src/api/requests.cpp: test
src/api/tasks.cpp: answered
src/api/windows.cpp: answered
src/data/layout.hpp: f
src/job/join.cpp: chooser_of
src/engine/native.cpp: packed release
src/transport/trace/journal.hpp: release
src/job/job.cpp: departures
src/formats/json_text.cpp: peek
src/formats/program_reader.cpp: peek take
frontends/blacs/communicators_mpi.cpp: system_members
frontends/blacs/first/state.cpp: next_scoped
frontends/bsp/backend.cpp: quietly
frontends/bsp/groups.cpp: machine
frontends/bsp/memory.cpp: machine
frontends/bsp/state.cpp: quietly
frontends/icc/communicators.cpp: group_of
frontends/icc/datatypes.cpp: row_of
frontends/mpi/job.cpp: nanosleep
frontends/mpi/measure.cpp: count_call
frontends/mpi/types.cpp: find_type
frontends/nx/collectives.cpp: nodes
frontends/nx/files.cpp: read_file state_of
frontends/nx/handlers.cpp: checked_receivers
frontends/nx/interface_c.cpp: probe receive
frontends/nx/interface_files.cpp: read_file
frontends/nx/interface_fortran.cpp: probe receive
frontends/nx/interface_int32.cpp: probe receive
frontends/nx/message_table.cpp: checked_receivers find
frontends/nx/messages.cpp: nodes
frontends/pvm/console/commands.cpp: obey
frontends/pvm/group.cpp: freeze
src/launch/member.cpp: release
src/launch/self_supervised.cpp: run
src/launch/spare.cpp: take_over_signals
src/machine/topology_text.cpp: product
src/schedule/canonical.cpp: demand
study/simulate/costs.cpp: ticks
study/simulate/delivery.cpp: receive
study/simulate/exclusive.cpp: take
study/simulate/packets.cpp: route
src/transport/wire/link.hpp: peer
src/transport/wire/transport.cpp: departures
command/measure/bench/bench.cpp: driver_of parse_policy wait
command/measure/bsp/probe.cpp: wait
command/pvm/console.cpp: run
study/subcommands/simulation/request.cpp: exchange_named
support/call.cpp: operation_named
support/command_line.cpp: require_verb
command/measure/tune/file.cpp: open_draft
command/measure/tune/mpi.cpp: parse parse_table
command/measure/tune/tune.cpp: bench_operations_named goes_as_foreign parse parse_table
command/measure/tune/tune.cpp: refuse_if sizes_of
study/subcommands/verify/algorithms.cpp: extent_of plan_of
""")


def blanked(pattern, text):
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def is_statement(code, at):
    """Returns true if the text before a position ends a statement, or opens one."""
    before = code[:at].rstrip()
    if not before or before[-1] in ";{}":
        return True
    if before.endswith(("else", "do")):
        return True
    if before[-1] == ":" and not before.endswith("::"):
        return not re.search(r"\?[^;{}]*:$", before)
    return before[-1] == ")" and bool(
        re.search(r"\b(if|for|while)\s*(constexpr )?$", code[:opening(before)].rstrip()))


def opening(text):
    """Returns where the bracket opens that the last character closes."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return 0


def explained(lines, number):
    """Returns true if the line, or the comment right above it, says why failure is harmless."""
    if REASON.search(lines[number]):
        return True
    above = number - 1
    while above >= 0 and lines[above].lstrip().startswith("//"):
        if REASON.search(lines[above]):
            return True
        above -= 1
    return False


def ends_expression(code, at):
    """Returns true if the call whose bracket is at this position is all of its statement."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return code[i + 1:].lstrip().startswith(";")
    return False


def last_call(code, begin, name):
    """Returns the name of the last call of a chain a(...).b(...), whose first bracket opens at a
    position: its result is that of the expression."""
    while True:
        depth = 0
        for at in range(begin, len(code)):
            depth += {"(": 1, ")": -1}.get(code[at], 0)
            if depth == 0:
                break
        more = re.compile(r"(?:\s*(?:[.]|->)\s*\w+)*?\s*(?:[.]|->)\s*(\w+)\(").match(code, at + 1)
        if not more:
            return name
        begin, name = more.end() - 1, more.group(1)


def check(path, text):
    lines = text.splitlines()
    code = blanked(TEXT, blanked(COMMENT, text))
    found = 0
    for match in re.finditer(rf"(?<![\w.>:])(::|std::|launch::)?({CALLS})\(", code):
        name = match.group(2)
        bare = not match.group(1)
        if not is_statement(code, match.start()) or not ends_expression(code, match.end() - 1):
            continue
        whole = code[match.start():code.find(";", match.start())]
        if re.search(r"stderr|STDERR_FILENO|^(::)?poll\(nullptr, 0,", whole):
            continue
        if bare and OURS.has(path, name):
            continue
        found += 1
        number = code.count("\n", 0, match.start())
        if not explained(lines, number):
            problem(f"{path}:{number + 1}: the result of {name}() is ignored")
    for match in CAST.finditer(code):
        name = last_call(code, match.end() - 1, match.group(1))
        if THROW.has(path, name):
            continue
        found += 1
        number = code.count("\n", 0, match.start())
        if not explained(lines, number):
            problem(f"{path}:{number + 1}: a cast hides the result of {name}()")
    return found


def main():
    found = 0
    for path in map(str, files()):
        if path.startswith(FOLDERS) and path.endswith((".cpp", ".hpp", ".h", ".c", ".inc")):
            found += check(path, (ROOT / path).read_text(encoding="utf-8"))
    OURS.check_all_are_met()
    THROW.check_all_are_met()
    if found < 80:
        problem(f"only {found} ignored results were found: the search is wrong")
    finish(f"{found} ignored results with a reason")


main()
