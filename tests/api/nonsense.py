# SPDX-License-Identifier: BSD-3-Clause
"""Calls every function of the headers of tutti/ with NULL and with nonsense, one argument at a time
and all at once, before tutti_init, after it and after tutti_finalize. None may crash or wait for
ever. Arguments: the compiler, the folder of the headers, the folder of the library, TUTTI.
"""
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILER, HEADERS, LIBRARY, TUTTI = sys.argv[1:5]
FILES = ("tutti.h", "tutti_message.h", "tutti_plan.h", "tutti_runtime.h", "tutti_generator.h")
# These end the process or its job, are a plug-in's, or replace the state that the others need.
LEFT_OUT = {
    "tutti_abort", "tutti_init", "tutti_finalize", "tutti_finalize_before_mpi",
    "tutti_spawn_world", "tutti_errors_end", "tutti_generators", "tutti_signal", "tutti_on_wait",
    "tutti_raise_descriptor"
}
# The job ends where nobody gives up such a wait.
WAIT_FOR_OTHERS = {"tutti_arrive", "tutti_arrive_unless", "tutti_mail_release"}
MOST = 20  # calls of each function
CHANCE = random.Random(int(os.environ.get("TUTTI_SEED", "1")))
PROTOTYPE = re.compile(r"TUTTI_API\s+([\w\s\*]+?)\s*(\btutti_\w+)\(([^;]*?)\)\s*;", re.S)

FRAME = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_generator.h>

static const char* now = "";
static char room[1 << 16];

static int at_once(void* user) {
  (void)user;
  return 1;
}

static void complain(int number) {
  dprintf(2, "%s: %s\\n", number == SIGALRM ? "ENDLESS" : "CRASH", now);
  _exit(9);
}

static void begin(void) {
  memset(room, 0, sizeof room);
  alarm(10);
}

static void call_all(void) {
CALLS
}

int main(void) {
  signal(SIGSEGV, complain);
  signal(SIGBUS, complain);
  signal(SIGFPE, complain);
  signal(SIGABRT, complain);
  signal(SIGALRM, complain);
  tutti_errors_return();
  call_all();
  if (tutti_init() != TUTTI_OK) return 1;
  tutti_on_wait(at_once, NULL);
  call_all();
  if (tutti_finalize() != TUTTI_OK) return 2;
  call_all();
  puts("all calls have come back");
  return 0;
}
"""


def prototypes():
    for name in FILES:
        text = re.sub(r"/\*.*?\*/", " ", Path(HEADERS, "tutti", name).read_text(), flags=re.S)
        for _, function, arguments in PROTOTYPE.findall(text):
            if function not in LEFT_OUT | WAIT_FOR_OTHERS:
                yield function, [part.strip() for part in arguments.split(",")]


def kind_of(argument):
    """Returns the type of an argument without its name."""
    return argument if argument.endswith("*") else re.sub(r"\s*\b\w+$", "", argument)


def values_of(argument):
    """Returns values that an argument may have, the mildest first: none may lead to a crash."""
    kind = kind_of(argument)
    if kind.endswith("_fn") or "(*" in argument:
        return ["0"]
    if kind.count("*") > 1:
        return ["0"]
    if "*" in kind:
        # Other addresses than NULL must be right, so there is room for whatever is written there.
        if "char" in kind and "const" in kind:
            return ["0", '""', '"nonsense"', '"\\x1b[31m%s%n"']
        return ["0", "(void*)room"]
    if kind in ("tutti_group", "tutti_op", "tutti_request", "tutti_plan"):
        own = {"tutti_group": ["tutti_world()"], "tutti_op": ["TUTTI_SUM"]}.get(kind, [])
        return [f"({kind}){{0}}", f"({kind}){{(uint64_t)-1}}", f"({kind}){{99}}", *own]
    if kind == "size_t":
        return ["0", "8"]  # the size of the room that the address before has
    if argument.endswith((" count", " fragments", " bytes", " size", " length", " parts")):
        return ["0", "-1", "1", "16"]  # no function can know how long an array is
    return ["0", "-1", "1", "2147483647", "(-2147483647 - 1)", "4096"]


def calls_of(function, arguments):
    if arguments in (["void"], [""]):
        yield f"{function}()"
        return
    values = [values_of(argument) for argument in arguments]
    all_ways = list(itertools.islice(itertools.product(*values), 100000))
    for chosen in CHANCE.sample(all_ways, min(len(all_ways), MOST)):
        yield f"{function}({', '.join(chosen)})"


def main():
    lines, functions = [], 0
    for function, arguments in prototypes():
        functions += 1
        for call in calls_of(function, arguments):
            quoted = call.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'now = "{quoted}"; begin(); (void){call};')
    if functions < 120:
        sys.exit(f"only {functions} functions were found")
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "calls.c"), Path(folder, "calls")
        source.write_text(FRAME.replace("CALLS", "\n".join(lines)))
        subprocess.run([
            COMPILER, "-w", "-O0", f"-I{HEADERS}", "-o", program, source, f"-L{LIBRARY}", "-ltutti",
            f"-Wl,-rpath,{LIBRARY}"
        ], check=True)
        done = subprocess.run([TUTTI, "run", "-n", "1", program], capture_output=True, text=True)
    print(f"{functions} functions, {len(lines)} calls, each three times")
    if done.returncode != 0 or "all calls have come back" not in done.stdout:
        sys.exit(f"code {done.returncode}: {done.stderr[-2000:]}")


main()
