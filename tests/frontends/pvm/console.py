# SPDX-License-Identifier: BSD-3-Clause
"""console.py TUTTI PROGRAM: tests `tutti pvm`, the console of PVM. It makes a machine, shows it,
and starts and ends tasks. Programs that a user starts join the machine. Errors must give messages.
"""

import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/formats"), str(ROOT / "tests/command")]
from json_schema import fits  # noqa: E402
from processes import Mark, parent_of, send  # noqa: E402

SCHEMA = json.loads((ROOT / "command/schemas/tutti-pvm-1.schema.json").read_text())
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}")


class Shell:
    """Acts as a user with a separate runtime folder who types commands of `tutti pvm`."""

    def __init__(self, tutti, folder, **environment):
        self.tutti = tutti
        self.folder = pathlib.Path(folder)
        self.mark = Mark()
        others = {name: text for name, text in os.environ.items() if name != "TUTTI_PVM_MACHINE"}
        self.environment = {**others, "XDG_RUNTIME_DIR": str(folder), **self.mark.variables(),
                            **environment}

    def run(self, *words, stdin=""):
        return subprocess.run([self.tutti, "pvm", *words],
                              input=stdin,
                              env=self.environment,
                              capture_output=True,
                              text=True,
                              timeout=30,
                              check=False)

    def json(self, *words):
        """Returns what is found in an answer, which must fit its schema."""
        answer = json.loads(self.run("--json", *words).stdout)
        check(fits(SCHEMA, answer), f"{words}: {answer} fits the schema")
        return answer[list(answer)[1]]

    def start(self, *command):
        return subprocess.Popen(command,
                                env=self.environment,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                text=True)

    def refused(self, wanted, *words, code=1):
        done = self.run(*words)
        check(
            done.returncode == code and wanted in done.stderr and done.stdout == "",
            f"{words} is refused with '{wanted}', not {done.returncode}: {done.stdout}{done.stderr}"
        )

    def gone(self, machine):
        """Waits until a machine has ended, which is a moment after its last process has."""
        for _ in range(500):
            if self.run("ps").returncode != 0:
                break
            time.sleep(0.01)
        self.refused(f"no machine '{machine}' is running", "ps")

    def wait_for_tasks(self, count, until=lambda: True):
        for _ in range(500):
            if not until():
                time.sleep(0.01)
                continue
            tasks = self.json("ps")
            if len(tasks) == count and all(task["pid"] > 0 for task in tasks):
                return tasks
            time.sleep(0.01)
        check(False, f"{count} tasks, not {tasks}")
        return tasks


def commands(shell, program):
    hosts = shell.json("conf")
    check(len(hosts) == 1 and hosts[0]["tid"] > 0, f"one host: {hosts}")
    check(shell.json("ps") == [], "no tasks at first")
    check(json.loads(shell.run("ps", "--json").stdout)["tasks"] == [], "--json behind the command")
    tids = shell.json("spawn", "-2", program, "console", "wait")
    tasks = shell.wait_for_tasks(2)
    check(sorted(task["tid"] for task in tasks) == sorted(tids), f"{tids} are {tasks}")
    check(all(task["program"] == program for task in tasks), f"programs of {tasks}")
    check(f"t{tids[0]:x}" in shell.run("ps").stdout, "ps as text")
    check(shell.run("kill", f"t{tids[0]:x}").returncode == 0, "kill")
    left = shell.wait_for_tasks(1)
    check(left[0]["tid"] == tids[1], "the right one was killed")
    shell.refused("No such task", "kill", str(tids[0]))
    shell.refused("No such file", "spawn", "/no/such/program")
    error = json.loads(shell.run("--json", "spawn", "/no/such/program").stdout)
    check((error["tutti_error"], error["status"], error["exit_code"]) == (1, "system_error", 1),
          f"an error as JSON: {error}")
    shell.refused("names no task", "kill", "x", code=2)
    shell.refused("needs a program", "spawn", code=2)
    shell.refused("there is no command 'what'", "what", code=2)
    done = shell.run(stdin="conf\nps\n\nnonsense\nkill %d\nquit\nps\n" % tids[1])
    check(done.returncode == 0 and done.stdout.count("pvm> ") == 6 and "nonsense" in done.stderr,
          f"a conversation: {done}")
    shell.wait_for_tasks(0)


def clients(shell, program, alone=True):
    """Checks that two programs that the user starts meet in a group and that the console shows
    them."""
    both = [shell.start(program, "console", "meet") for _ in range(2)]
    for client in both:
        out, _ = client.communicate(timeout=30)
        check(out == "sum 2\n" and client.returncode == 0,
              f"a client printed '{out}', exit code {client.returncode}")
    if not alone:
        return
    apart = subprocess.run([program, "console", "alone"],
                           env=dict(shell.environment, TUTTI_PVM_MACHINE="none"),
                           capture_output=True,
                           text=True,
                           timeout=30,
                           check=False)
    check(apart.stdout == "0 others\n", f"one that stays apart: {apart}")


def rude_clients(shell):
    """Checks that nothing is left of clients that connect to the job socket and leave without a
    message, after nonsense, or after a valid request but before they join."""
    request = struct.pack("=Ii", 9, -1) + b"rude"
    for word in (b"", b"nonsense that is no message", request) * 10:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
            client.connect(str(shell.folder / "tutti/default.socket"))
            if word:
                client.send(word)
            if word is request:
                answer, descriptors, _, _ = socket.recv_fds(client, 1000, 1)
                check(
                    struct.unpack("=Ii", answer[:8])[0] == 10 and len(descriptors) == 1,
                    f"a welcome: {answer}")
                os.close(descriptors[0])
    check(shell.json("ps") == [], "nothing is left of clients")


def ending(shell, program):
    """Checks that halt ends all programs, including those that the user has started."""
    client = shell.start(program, "console", "wait")
    shell.run("spawn", program, "console", "stubborn")
    shell.wait_for_tasks(2)
    check(shell.run("halt").returncode == 0, "halt")
    check(client.wait(10) in (-signal.SIGTERM, -signal.SIGKILL), "a client ends with the machine")
    shell.gone("default")
    shell.refused("no machine 'default' is running", "halt")


def named(shell, program):
    """Checks a machine that is made by programs which know its name. One of several programs makes
    it, the console can join, and the machine ends with its last task."""
    for _ in range(3):
        clients(shell, program, alone=False)
        shell.gone("lab")
    first = shell.start(program, "console", "wait")
    shell.wait_for_tasks(1, until=lambda: shell.run("ps").returncode == 0)
    second = shell.start(program, "console", "wait")
    check({task["pid"]
           for task in shell.wait_for_tasks(2)} == {first.pid, second.pid}, "ps shows both")
    check(shell.run("halt").returncode == 0, "halt")
    check(
        first.wait(10) == -signal.SIGTERM and second.wait(10) == -signal.SIGTERM, "both have ended")
    shell.gone("lab")


def killed(shell):
    """Checks that files of a machine whose supervisor was killed do not disturb a new machine."""
    check(shell.run("start").returncode == 0, "start")
    shell.refused("is running already", "start")
    found = shell.mark.pids()  # the supervisor and its first task
    supervisors = [pid for pid in found if parent_of(pid) not in found]
    check(len(supervisors) == 1, f"one supervisor: {supervisors}")
    send(supervisors)
    for _ in range(500):
        if shell.run("ps").returncode == 1:
            break
        time.sleep(0.01)
    check((shell.folder / "tutti/default.socket").exists(), "the socket is still there")
    shell.refused("no machine 'default' is running", "ps")
    check(shell.run("start").returncode == 0, "start in spite of a stale socket")
    check(shell.run("halt").returncode == 0, "halt after that")


def deep(place, length):
    """Makes and returns a folder whose path has at least so many bytes, with spaces and letters
    that are not ASCII."""
    while len(os.fsencode(place)) < length:
        place = place / ("long path é " * 16)
    place.mkdir(parents=True)
    return place


def long_paths(tutti, program, place):
    """Checks that the runtime folder and a task's program may have paths that are longer than a
    socket's address."""
    shell = Shell(tutti, deep(place / "runtime", 1000), TUTTI_PVM_MACHINE="default")
    far = deep(place / "programs", 3800) / "program"
    far.symlink_to(program)
    check(shell.run("start").returncode == 0, "start in a long runtime folder")
    try:
        shell.json("spawn", str(far), "console", "wait")
        shell.json("spawn", program, "console", "wait")
        tasks = shell.wait_for_tasks(2)
        check({task["program"] for task in tasks} == {str(far), program}, f"whole names of {tasks}")
        check(f" {far}\n" in shell.run("ps").stdout, "the whole name in ps as text")
    finally:
        check(shell.run("halt").returncode == 0, "halt in a long runtime folder")


def folders(tutti, place):
    """Checks that a runtime folder is refused if others can enter it or another user owns it."""
    for name, mode, owner in (("open", 0o755, os.getuid()), ("foreign", 0o700, 12345)):
        if owner != os.getuid() and os.getuid() != 0:
            continue
        folder = place / name
        (folder / "tutti").mkdir(parents=True)
        (folder / "tutti").chmod(mode)
        os.chown(folder / "tutti", owner, -1)
        Shell(tutti, folder).refused("mode 0700", "start")
    Shell(tutti, place, TUTTI_PVM_MACHINE="a/b").refused("names no machine", "start", code=2)
    Shell(tutti, place, TUTTI_PVM_MACHINE="none").refused("which is no machine", "start", code=2)


def main(tutti, program):
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as name:
        place = pathlib.Path(name)
        (place / "mine").mkdir()
        shell = Shell(tutti, place / "mine", TUTTI_PVM_MACHINE="default")
        check("spawn [-COUNT]" in shell.run("help").stdout, "help without a machine")
        try:
            check(shell.run("start").returncode == 0, "start")
            commands(shell, program)
            clients(shell, program)
            rude_clients(shell)
            ending(shell, program)
            killed(shell)
            named(Shell(tutti, place / "mine", TUTTI_PVM_MACHINE="lab"), program)
        finally:
            shell.run("halt")
        long_paths(tutti, program, place)
        folders(tutti, place)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:])))
