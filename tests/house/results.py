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

from problems import finish, problem
from tree import ROOT, files

FOLDERS = ("src/", "tools/", "apps/")
CALLS = (
    r"kill|tgkill|write|pwrite|writev|read|pread|recv|send|sendto|recvfrom|sendmsg|recvmsg|fcntl|"
    r"ioctl|setsockopt|getsockopt|bind|listen|connect|shutdown|dup2|dup3|unlink|rmdir|mkdir|rename|"
    r"symlink|chmod|fchmod|chown|fchown|ftruncate|truncate|fallocate|posix_fallocate|fsync|"
    r"fdatasync|flock|lockf|mmap|madvise|mprotect|mlock|msync|poll|epoll_ctl|epoll_wait|waitpid|"
    r"waitid|wait4|prctl|setrlimit|getrlimit|prlimit|sched_setaffinity|sched_getaffinity|setsid|"
    r"setpgid|chdir|syscall|getrandom|setenv|unsetenv|putenv|timerfd_settime|pthread_atfork|"
    r"on_exit|atexit|posix_spawn_file_actions_\w+|stat|fstat|lstat|access|readlink|uname|pipe2|"
    r"socketpair|fflush|fclose|fwrite|fputs|fputc|puts|setvbuf|execv|execvp|send_message|write_all")
CAST = re.compile(r"(?:static_cast<void>\(|(?<![\w)*])\(void\)\s*)\s*!?((?:::)?[\w:.>\-]*?(\w+))\(")
REASON = re.compile(r"// (?:.*; )?[Ff]ailure is harmless: \w+")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# Functions of ours that have the name of a call, by file.
OURS = {"send", "write", "read", "connect", "link", "unlink", "close"}
# Functions that throw, end the process or set an error of their interface if they fail; where they
# are cast, their value is not needed.
THROW = set("""
receive machine probe nodes answered guarded wait release refuse_if peek parse_table parse find
checked_receivers take read_file quietly product departures cancel ticks test take_over_signals
system_members sizes_of state_of state row_of route require_verb peer parse_policy packed plan_of
operation_named open_draft obey group_of goes_as_foreign gather_all freeze find_type finalize f
extent_of exchange_named environment_gives_statuses end_quietly driver_of demand count_call
concluded_by_abort collect_all chooser_of bench_operations_named nanosleep run
silence_setting
""".split())


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


def check(path, text):
    lines = text.splitlines()
    code = blanked(TEXT, blanked(COMMENT, text))
    found = 0
    for match in re.finditer(rf"(?<![\w.>:])(::|std::|launch::)?({CALLS})\(", code):
        name = match.group(2)
        bare = not match.group(1)
        if bare and name in OURS and path not in BARE_CALLS:
            continue
        if name == "write_all" and path.startswith("src/frontends/"):
            continue  # another function than that of launch
        if not is_statement(code, match.start()) or not ends_expression(code, match.end() - 1):
            continue
        whole = code[match.start():code.find(";", match.start())]
        if re.search(r"stderr|STDERR_FILENO|^(::)?poll\(nullptr, 0,", whole):
            continue
        found += 1
        number = code.count("\n", 0, match.start())
        if not explained(lines, number):
            problem(f"{path}:{number + 1}: the result of {name}() is ignored")
    for match in CAST.finditer(code):
        name = match.group(2)
        if name in THROW or not name or name.isdigit():
            continue
        found += 1
        number = code.count("\n", 0, match.start())
        if not explained(lines, number):
            problem(f"{path}:{number + 1}: a cast hides the result of {name}()")
    return found


# Files whose calls of these names are those of the system, without `::`.
BARE_CALLS = {"tools/tune/file.cpp"}


def main():
    found = 0
    for path in map(str, files()):
        if path.startswith(FOLDERS) and path.endswith((".cpp", ".hpp", ".h", ".c", ".inc")):
            found += check(path, (ROOT / path).read_text(encoding="utf-8"))
    if found < 80:
        problem(f"only {found} ignored results were found: the search is wrong")
    finish(f"{found} ignored results with a reason")


main()
