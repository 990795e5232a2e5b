# SPDX-License-Identifier: BSD-3-Clause
"""Checks the wheel in dist/: what is in it, and that it works. It is installed in new environments
of each Python from 3.11 that is found, in a folder with a space and a letter outside of ASCII.
There the command, the Python package, and programs in C by pkg-config, CMake, bspcc and pvm-cc have
to start. Uninstalling must leave nothing. `make test-full PART=packages` calls this program."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "packaging/wheel"))
import home  # noqa: E402
from environment import ROOT, Environment, expect, the_wheel  # noqa: E402
from problems import finish, problem  # noqa: E402

MOST_BYTES, MOST_FILES = 5_000_000, 170
VERSIONS = ("3.11", "3.12", "3.13")
FLAVOURS = ("openmpi", "mpich", "abi")
NEEDED = ["bin/tutti", "lib/tutti/run/libtutti.so.0", "lib/tutti/run/libtutti.so",
          *(f"lib/tutti/run/libtutti-{kind}-{mpi}.so.0" for mpi in FLAVOURS
            for kind in ("mpi", "preload")),
          "include/tutti/tutti.h", "lib/pkgconfig/tutti.pc", "lib/cmake/tutti/tuttiConfig.cmake",
          "share/man/man1/tutti.1", "share/man/man5/tutti-program.5", "share/man/man7/tutti.7"]
# pip shows licence, author and addresses, as far as packaging/home has them.
WANTED_METADATA = [r"^License-Expression: BSD-3-Clause$", r"^Author(-email)?: .*The tutti authors",
                   *(f"^Project-URL: {link}, " for link, name in home.LINKS.items()
                     if home.read()[name])]
SUM = "import tutti; print(tutti.world.allreduce(tutti.world.rank + 1))"


def check_contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        infos = archive.infolist()
        metadata = next(archive.read(i).decode() for i in infos if i.filename.endswith("/METADATA"))
    names = [info.filename for info in infos]
    data = {name.split(".data/data/", 1)[1] for name in names if ".data/data/" in name}
    if wheel.stat().st_size > MOST_BYTES or len(names) > MOST_FILES:
        problem(f"{wheel.stat().st_size} bytes, {len(names)} files")
    if not re.search(r"-cp311-abi3-manylinux_2_\d+_x86_64\.whl$", wheel.name):
        problem(f"the tag of {wheel.name}")
    for name in NEEDED:
        if name not in data:
            problem(f"{name} is not in the wheel")
    for name in names:
        section = re.search(r"share/man/man(\d)/", name)
        if ".libs/" in name or (section and section.group(1) not in "157"):
            problem(f"{name} is in the wheel")
    for line in WANTED_METADATA:
        if not re.search(line, metadata, re.M):
            problem(f"METADATA has no line {line}")
    if links := [i.filename for i in infos if (i.external_attr >> 16) & 0o170000 == 0o120000]:
        problem(f"symbolic links: {links}")
    for name in ("LICENSE", "NOTICES.txt"):
        if not any(re.search(rf"dist-info/licenses/.*{name}$", n) for n in names):
            problem(f"{name} is not among the licences")
    version = re.search(r"project\(tutti VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    if f"\nVersion: {version.group(1)}\n" not in metadata:
        problem(f"the version is not {version.group(1)}")
    return len(names)


def pythons():
    """Returns version -> interpreter for those that are found, by PATH or by pyenv."""
    found = {}
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"), "versions")
    for version in VERSIONS:
        candidates = [*sorted(map(str, pyenv.glob(f"{version}.*/bin/python"))),
                      f"/usr/bin/python{version}", f"python{version}"]
        for candidate in candidates:
            asked = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
            try:
                done = subprocess.run([candidate, "-c", asked], capture_output=True, text=True)
            except OSError:
                continue
            if done.stdout.strip() == version:
                found[version] = candidate
                break
    return found


def check_python(environment, numpy):
    expect("tutti run", environment.run("tutti", "run", "-n", "4", "python", "-c", SUM),
           r"\A(10\n){4}\Z")
    expect("python -m tutti", environment.run("python", "-m", "tutti", "info"), "tutti 0")
    if numpy and environment.pip("install", "--no-index", "--find-links", numpy, "numpy"):
        for ranks in (1, 2, 3, 4):
            done = environment.run("tutti", "run", "-n", ranks, "--timeout", "280", "python",
                                   ROOT / "tests/python/programs.py")
            expect("programs.py", done, "errors OK")
        environment.pip("uninstall", "-y", "numpy")


def check_programs(environment):
    """Compiles programs with the installed wheel and runs them."""
    flags = environment.run("pkg-config", "--cflags", "--libs", "tutti")
    program = environment.folder / "by pkg-config"
    environment.run("cc", ROOT / "examples/pi.c", "-o", program, *shlex.split(flags or ""))
    expect("a program by pkg-config", environment.run("tutti", "run", "-n", "4", program), "pi")
    environment.run(program)  # it finds the library by its run path
    build = environment.folder / "by CMake"
    environment.run("cmake", "-S", ROOT / "examples", "-B", build)
    environment.run("cmake", "--build", build)
    for name in ("pi_c", "halves_cpp", "grid_c", "inner_product_c", "jacobi_c"):
        environment.run("tutti", "run", "-n", "4", "--timeout", "100", build / name)
        environment.run(build / name)
    environment.run("bspcc", ROOT / "examples/inner_product.c", "-o", "by bspcc")
    environment.run("bsprun", "-n", "2", "./by bspcc")
    flags = environment.run("tutti", "pvm-cc")
    environment.run("cc", "-std=gnu89", "-w", ROOT / "tests/house/old_pvm.c", "-o", "by pvm-cc",
                    *shlex.split(flags or ""))
    expect("a program of PVM", environment.run("./by pvm-cc"), r"\Asum 6\n\Z")


def check_verbs(environment):
    """Runs verbs of the command that need other files of the wheel, or say that it lacks them."""
    expect("verify", environment.run("tutti", "verify", "allreduce", "-n", "1..4"), "correct")
    environment.run("tutti", "run", "-n", "2", "--bind", "core", "true")
    for verb, said in ((["reproduce", "--list"], "wheel"), (["verify", "--all-p"], "wheel")):
        done = subprocess.run(["tutti", *verb], capture_output=True, text=True,
                              env=environment.variables)
        if done.returncode == 0 or said not in done.stderr:
            problem(f"tutti {' '.join(verb)}: exit code {done.returncode}, {done.stderr}")


def check_installed(version, python, wheel, numpy):
    """Returns the seconds that installation and first job take."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(python, pathlib.Path(folder).resolve())
        before = environment.files()
        start = time.monotonic()
        environment.pip("install", "--no-index", wheel)
        environment.run("tutti", "run", "-n", "4", "python", "-c", SUM)
        seconds = time.monotonic() - start
        check_python(environment, numpy)
        if version == VERSIONS[0]:
            check_verbs(environment)
            check_programs(environment)
        environment.pip("uninstall", "-y", "tutti-collectives")
        # pip leaves folders that other packages may use, too, such as share/man.
        left = sorted(name for name in environment.files() - before
                      if "tutti" in name or not (environment.path / name).is_dir())
        if left:
            problem(f"uninstalling left {left}")
    return seconds


def main():
    wheel = the_wheel()
    count = check_contents(wheel)
    numpy = ROOT / "build/peers/numpy"
    found = pythons()
    for version in VERSIONS:
        if version not in found:
            print(f"Python {version} was not found and is not tried")
    times = [f"Python {version}: {check_installed(version, python, wheel, numpy):.1f} s"
             for version, python in found.items()]
    if not found:
        problem("there is no Python to try the wheel with")
    with_numpy = "" if numpy.exists() else " without NumPy (scripts/peers.sh wheel)"
    finish(f"{wheel.name}: {wheel.stat().st_size} bytes, {count} files; installed, and a "
           f"job of four run,{with_numpy} with {', '.join(times)}")


main()
