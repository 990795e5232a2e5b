# SPDX-License-Identifier: BSD-3-Clause
"""examples.py TUTTI [--real | --pvmd FOLDER] | examples.py --ready-made TUTTI: checks the output of
the examples of the real PVM (Debian's pvm-examples). They are compiled from the package's archives
with the flags of `tutti pvm-cc`. With --real they also run on the real PVM. With --pvmd, the
examples that use groups, and programs that Debian has compiled, run on the real PVM with the
libgpvm3 of that folder. --ready-made runs three of Debian's compiled programs on our libraries. The
test is skipped if the package is not installed."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

import machine

ARCHIVES = pathlib.Path("/usr/share/doc/pvm-examples")
READY_MADE = ("trsg", "frsg", "gexamp")
SKIPPED = 77
BANDWIDTH = {
    "dbwtest": ["-DPACK",
                "-DENCODE=PvmDataDefault"], "ibwtest": ["-DPACK", "-DENCODE=PvmDataInPlace"],
    "pbwtest": [], "rbwtest": ["-DPACK", "-DENCODE=PvmDataRaw"]
}
# Program -> arguments, stdin, patterns that must be printed. Exit codes are ignored, because
# several programs end with 1 on success.
SUM = [
    r"Test OK: Sum of Squares of first +20 +integers is +2870", r"Test O[Kk]: Received .*5.0+.*2.0+"
]
# frsg adds its part of the first sum to a variable that it never sets, so that this sum is right
# only by chance, on the real PVM, too. The second sum is that of pvmfreduce. In the program that
# this test compiles, the variable starts as 0 and both sums are checked.
OF_READY_MADE = {
    "frsg": [r"(Test OK: Sum of Squares of first +20 +integers is|by Sum2 as) +2870", SUM[1]]
}
RUNS = {
    "trsg": ([], "4\n5\n", SUM),
    "frsg": ([], "4\n5\n", SUM),
    "gexamp": (["4"], "", [r"0: sync", r"gexamp 0x\w+ 0"]),
    "ge": (["4"], "", [r"done"]),
    "joinleave": ([], "", [r"Joined 1000 times"]),
    "tst": ([], "", [r"joined prognosis 0", r"left prognosis 0"]),
    "tjf": ([], "", [r"joined group0", r"joined group9\b"]),
    "tjl": ([], "", [r"joined group0", r"joined group9\b"]),
    "gexample": ([], "10\n4\n", [r"1-Norm is 55", r"product of column 1 is 3.6288e\+06"]),
    "fgexample": ([], "", [r"1-Norm is +5050", r"9.33262154439441\d*E\+157"]),
    "hello": ([], "", [r"from t\w+: hello, world from"]),
    "master1": ([], "3\n", [
        r"I got 100.0+ from 1; \(expecting 100", r"I got 300.0+ from 2", r"I got 200.0+ from 0"
    ]),
    "fmaster1": ([], "3\n", [r"I got +200.0+ from +0", r"I got +300.0+ from +2"]),
    "spmd": ([], "", [r"token ring done"]),
    "fspmd": ([], "", [r"token ring done"]),
    "hitc": ([], "", [r"."]),
    "timing": ([], "", [r"Doing Round Trip test", r"Doing Bandwidth tests",
                        r"Message size 100000"]),
    "inherita": (["inherit1"], "", [r"inherit1"]),
    "inheritb": ([], "", [r"received from 1st inherit2", r"received from 2nd inherit2"]),
    "mbox": ([], "", [r"."]),
    "thb": (["3"], "", [r"joined group31", r"barrier on group0", r"done\."]),
    "gs": (["3"], "", [r"0x\w+ enrolled"]),
    "ptest": (["4"], "", [
        r"understands 4 processes", r"iter 7 \.\.\. \(pvm_recv\)",
        r"(Data validated from all tasks! \s*(Receiving.*)?\s*){8}"
    ]),
    **{name: ([], "", [r"100000"])
       for name in BANDWIDTH},
}

GROUPS = ("trsg", "frsg", "gexamp", "ge", "joinleave", "tst", "tjf", "tjl", "gexample", "fgexample",
          "spmd", "fspmd", "thb", "gs", "ptest")

# Programs that are not run alone: other programs, or service(), start them.
PARTS = {"tnb", "task0", "task1", "task_end"}
# Program -> how many times the user starts it. These processes find each other.
TOGETHER = {**dict.fromkeys(BANDWIDTH, 2), "ptest": 4}
SERVICE = "lighthouse"


def unpack(folder):
    for name in ("examples", "gexamples"):
        with tarfile.open(ARCHIVES / f"{name}.tar.gz") as archive:
            archive.extractall(folder)


def compile_all(tutti, folder):
    """Compiles the programs into folder/bin; returns the names of those that could be made."""
    flags = shlex.split(
        subprocess.run([tutti, "pvm-cc", "--fortran"], capture_output=True, text=True,
                       check=True).stdout)
    include = pathlib.Path(flags[0].removeprefix("-I"))
    (folder / "include").mkdir()
    (folder / "bin").mkdir()
    shutil.copy(include / "fpvm3.h", folder / "include")
    # The examples are old C without prototypes, so only the linker finds missing functions.
    c_flags = ["-std=gnu89", "-w"] + [flag for flag in flags if flag != "-lfpvm3"]
    taskf = folder / "taskf.o"
    subprocess.run(["gcc", *c_flags[:3], "-c", folder / "examples/taskf.c", "-o", taskf],
                   check=True)
    made = set()
    for source in sorted([*folder.glob("examples/*.c"), *folder.glob("gexamples/*.c")]):
        name = source.stem
        variants = BANDWIDTH if name == "bwtest" else {name: []}
        for program, extra in variants.items():
            text = source.read_text(errors="replace")
            objects = [str(taskf)] if "set_flags" in text and name not in ("taskf", "mbox") else []
            done = subprocess.run(
                ["gcc", *extra, source, *objects, "-o", folder / "bin" / program, *c_flags, "-lm"],
                capture_output=True,
                check=False)
            made |= made_by(done, program)
    for source in sorted([*folder.glob("examples/*.f"), *folder.glob("gexamples/*.f")]):
        program = source.stem if source.stem in ("hitc", "hitc_slave",
                                                 "frsg") else f"f{source.stem}"
        done = subprocess.run([
            "gfortran", "-std=legacy", "-fallow-argument-mismatch", "-finit-integer=0", "-w",
            source.name, "-o", folder / "bin" / program, *flags
        ],
                              cwd=source.parent,
                              capture_output=True,
                              check=False)
        made |= made_by(done, program)
    return made


def made_by(done, program):
    if done.returncode != 0 and program in RUNS.keys() | PARTS:
        print(done.stderr.decode()[-600:])
    return {program} if done.returncode == 0 else set()


def run(name, command, environment, wanted=None):
    arguments, stdin, usual = RUNS[name]
    with tempfile.TemporaryFile("w+") as output:
        try:
            subprocess.run([*command, *arguments],
                           input=stdin,
                           stdout=output,
                           stderr=output,
                           text=True,
                           env=environment,
                           timeout=60,
                           check=False)
        except subprocess.TimeoutExpired:
            print(f"{name}: does not end")
            return False
        output.seek(0)
        text = output.read(100000)
    missing = [pattern for pattern in wanted or usual if not re.search(pattern, text)]
    if missing:
        print(f"{name}: FAILED, no {missing[0]!r} in\n{text[-1500:]}")
    return not missing


def ready_made(tutti):
    if not all(os.access(f"/usr/bin/{name}", os.X_OK) for name in READY_MADE):
        return SKIPPED
    return 0 if all([
        run(name, [tutti, "preload", "pvm", f"/usr/bin/{name}"], dict(os.environ),
            OF_READY_MADE.get(name)) for name in READY_MADE
    ]) else 1


def command_of(name, folder, tutti):
    program = str(folder / "bin" / name)
    count = TOGETHER.get(name, 1)
    if count == 1:
        return [program]
    return [tutti, "run", "-n", str(count), program
            ] if tutti else ["sh", "-c", '"$0" "$@" & ' * count + "wait", program]


def service(programs, environment):
    """Runs three programs that the user starts: task0 offers a service in the mailbox, task1 finds
    and uses it, and task_end ends it."""
    def outcome(name, *more):
        return subprocess.run([programs / name, SERVICE, *more],
                              env=environment,
                              capture_output=True,
                              text=True,
                              timeout=30,
                              check=False).stdout

    with subprocess.Popen([programs / "task0", SERVICE],
                          env=environment,
                          stdout=subprocess.PIPE,
                          text=True) as server:
        for _ in range(100):
            answer = outcome("task1")
            if "no service running" not in answer:
                break
            time.sleep(0.05)
        ended = outcome("task_end", "0")
        try:
            served = server.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            server.kill()
            served = server.communicate()[0]
    good = ("you are service request number 1." in answer and
            f"service name <{SERVICE}> of index 0" in ended and
            "handled 2 service requests" in served)
    if not good:
        print(f"task0, task1, task_end: FAILED\n{answer}\n{ended}\n{served}")
    return good


def our_service(tutti, folder):
    """Runs service() in a machine that `tutti pvm` starts, because the programs have no common
    parent."""
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(folder), TUTTI_PVM_MACHINE="examples")
    subprocess.run([tutti, "pvm", "start"], env=environment, timeout=30, check=True)
    try:
        return service(folder / "bin", environment)
    finally:
        subprocess.run([tutti, "pvm", "halt"], env=environment, timeout=30, check=False)


def over_pvmd(folder, names, group_library):
    """Runs the examples with groups on the real PVM with our libgpvm3: those that this test has
    compiled, and those that Debian has."""
    library = os.path.abspath(group_library)
    with machine.RealMachine(folder, folder / "bin", library) as peer:
        good = [
            run(name, command_of(name, folder, None), peer.environment)
            for name in names
            if name in GROUPS
        ]
    with machine.RealMachine(folder, "/usr/bin", library) as peer:
        return good + [
            run(name, [f"/usr/bin/{name}"], peer.environment, OF_READY_MADE.get(name))
            for name in READY_MADE
        ]


def compiled(tutti, real, group_library):
    if not (ARCHIVES / "gexamples.tar.gz").exists() or shutil.which("gcc") is None:
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="tutti-pvm-") as place:
        folder = pathlib.Path(place)
        unpack(folder)
        missing = (RUNS.keys() | PARTS) - compile_all(tutti, folder)
        for program in sorted(missing):
            print(f"{program}: cannot be compiled")
        names = sorted(RUNS.keys() - missing)
        if not real and group_library is None:
            good = [run(name, command_of(name, folder, tutti), os.environ) for name in names]
            good.append(our_service(tutti, folder))
        elif not machine.installed():
            return SKIPPED
        elif group_library is not None:
            good = over_pvmd(folder, names, group_library)
        else:
            with machine.RealMachine(folder, folder / "bin") as peer:
                good = [
                    run(name, command_of(name, folder, None), peer.environment) for name in names
                ]
                good.append(service(folder / "bin", peer.environment))
    print(f"{sum(good)} of {len(good)} examples are right")
    return 0 if all(good) and not missing else 1


if __name__ == "__main__":
    if sys.argv[1] == "--ready-made":
        sys.exit(ready_made(sys.argv[2]))
    sys.exit(compiled(os.path.abspath(sys.argv[1]), "--real" in sys.argv,
                      sys.argv[3] if "--pvmd" in sys.argv else None))
