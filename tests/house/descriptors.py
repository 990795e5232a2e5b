# SPDX-License-Identifier: BSD-3-Clause
"""Checks that nothing of tutti's opens a descriptor below 3, or one that a program inherits.

In the folders of folders.py the result of each call that opens something goes through
base::raised(), in front ends through tutti_raise_descriptor(), and pairs through raise_both().
Streams of the standard library, which choose a number themselves, are not used in the library.
Each call says that the descriptor closes on exec. Programs open the missing ones of 0, 1 and 2
first; then their streams are safe. A line, or the one above it, may say "Harmless below 3: ..." and
why."""

import re

from folders import COMMAND, LIBRARY
from problems import finish, problem
from tree import ROOT, files

# The one place that the others use.
PLACE = {"src/base/descriptor.cpp", "src/base/input_file.cpp"}
OPENERS = (r"open|openat|creat|socket|accept4?|memfd_create|epoll_create1?|signalfd|timerfd_create|"
           r"eventfd|inotify_init1?|pidfd_open|dup|userfaultfd|perf_event_open|mkstemp|mkostemp|"
           r"shm_open|socketpair|pipe2?")
# Calls of the system have `::` in front, or nothing but a blank or a bracket; members have a dot or
# an arrow, and functions of a class its name.
OPENER = re.compile(rf"(?:(?<![\w>:.])::|(?<=[\s(!=]))({OPENERS})\(|\bsyscall\(SYS_(\w+open\w*)\b")
STREAM = re.compile(r"\b(?:std::)?(ifstream|ofstream|fstream|fopen|freopen|tmpfile|popen|opendir|"
                    r"directory_stream)\b(?!>)")
RAISED = re.compile(r"raised\(|raise_descriptor\(|raise_both\(")
# It throws where stderr is closed or full.
THROWS = re.compile(r"\bprint\(stderr,")
CLOSES = re.compile(r"CLOEXEC|pidfd_open")
REASON = re.compile(r"// Harmless below 3: \w+")
# The header that declares a call; without it, a name without `::` is a function of ours.
HEADERS = {"open": "fcntl.h", "openat": "fcntl.h", "creat": "fcntl.h", "socket": "sys/socket.h",
           "accept": "sys/socket.h", "accept4": "sys/socket.h", "socketpair": "sys/socket.h",
           "memfd_create": "sys/mman.h"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# Programs of tutti's, the call that opens what is missing, and files beside that one.
PROGRAMS = ("command/main.cpp", "command/measure/main.cpp", "papers/main.cpp", "study/main.cpp",
            "study/prove/main.cpp", "apps/exchange/main.cpp", "apps/llcs/main.cpp",
            "apps/lu/main.cpp", "apps/matmul/main.cpp", "frontends/pvm/console/main.cpp")


def statement(text, at):
    """Returns the statement around a position."""
    start = max(text.rfind(";", 0, at), text.rfind("{", 0, at), text.rfind("}", 0, at)) + 1
    end = text.find(";", at)
    return text[start:end]


def check_source(path, text):
    lines = text.splitlines()
    code = TEXT.sub(lambda match: '"' + " " * (len(match.group()) - 2) + '"', COMMENT.sub(
        lambda match: re.sub(r"[^\n]", " ", match.group()), text))
    found = 0
    for match in THROWS.finditer(code):
        problem(f"{path}:{code.count(chr(10), 0, match.start()) + 1}: fmt::print() throws where "
                "stderr is closed: use base::notice()")
    for pattern in (OPENER, STREAM):
        for match in pattern.finditer(code):
            number = code.count("\n", 0, match.start())
            line = code.splitlines()[number]
            if line.lstrip().startswith("#"):
                continue
            bare = pattern is OPENER and not match.group().startswith("::")
            if bare and f"#include <{HEADERS.get(match.group(1), 'unistd.h')}>" not in text:
                continue
            if any(REASON.search(above) for above in lines[max(0, number - 1):number + 1]):
                continue
            found += 1
            if pattern is STREAM:
                if path.startswith(LIBRARY):
                    problem(f"{path}:{number + 1}: {match.group(1)} chooses a number itself, which "
                            "may be below 3: open a descriptor, raise it and give it to a stream")
                continue
            name = match.group(1) or match.group(2)
            whole = statement(code, match.start())
            if path.startswith((*LIBRARY, *COMMAND)) and not raised(name, whole, code, match.end()):
                problem(f"{path}:{number + 1}: the result of {name}() is not raised, so it may be "
                        "0, 1 or 2")
            if name != "dup" and not CLOSES.search(whole):
                problem(f"{path}:{number + 1}: {name}() does not say that it closes on exec")
    return found


def raised(name, whole, code, end):
    if name in ("socketpair", "pipe", "pipe2"):
        return RAISED.search(code[end:end + 400])
    return RAISED.search(whole)


def check_programs():
    for path in PROGRAMS:
        text = (ROOT / path).read_text(encoding="utf-8")
        body = text[re.search(r"^int main\(.*\{$", text, re.M).end():]
        first = re.sub(r"\s*using namespace \w+;", "", body).lstrip().split("\n")[0]
        if "open_missing_stdio()" not in first:
            problem(f"{path}: main() does not begin with open_missing_stdio()")


def main():
    found = 0
    for path in map(str, files()):
        if path in PLACE or not path.startswith(
                (*LIBRARY, *COMMAND, "apps/", "papers/", "study/prove/")):
            continue
        if path.endswith((".cpp", ".hpp", ".h", ".c", ".inc")):
            found += check_source(path, (ROOT / path).read_text(encoding="utf-8"))
    check_programs()
    if found < 40:
        problem(f"only {found} calls that open something were found: the search is wrong")
    finish(f"{found} calls and {len(PROGRAMS)} programs")


main()
