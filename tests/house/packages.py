# SPDX-License-Identifier: BSD-3-Clause
"""Checks what packages say of tutti against the tree, without building them. All have the version
of CMakeLists.txt. Every option that they give to CMake exists. They build with
the headers that scripts/packages.apt lists, and every file that they name is there. The recipe of
Spack is run with functions that record their arguments."""

import pathlib
import re
import sys
import tomllib
import types

from problems import finish, problem
from tree import ROOT

VERSION = re.search(r"project\(tutti VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
# Headers without which nothing is built: Debian's name -> a word that each other recipe has, too.
HEADERS = {
    "libfmt-dev": "fmt", "libcli11-dev": "cli11", "nlohmann-json3-dev": "nlohmann",
    "libtomlplusplus-dev": "tomlplusplus"
}


def text(name):
    return (ROOT / name).read_text()


def cmake_options():
    """Returns the names of all options and settings of the CMake files."""
    declared = re.compile(r"(?:option|set|find_path|find_library)\((TUTTI_[A-Z0-9_]+)")
    names = set()
    for path in [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake"),
                 *ROOT.glob("src/**/CMakeLists.txt")]:
        names.update(declared.findall(path.read_text()))
    # tutti_find_mpi makes these.
    names |= {f"TUTTI_MPI_{mpi}_{what}" for mpi in ("OPENMPI", "MPICH")
              for what in ("INCLUDE", "LIBRARY")}
    return names | {"TUTTI_TESTS", "TUTTI_BENCH"}


def check_versions():
    header = ".".join(re.findall(r"#define TUTTI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)",
                                 text("include/tutti/tutti.h")))
    places = {
        "pyproject.toml": tomllib.loads(text("pyproject.toml"))["project"]["version"],
        "include/tutti/tutti.h": header,
        "CITATION.cff": re.search(r"^version: (.*)", text("CITATION.cff"), re.M)[1],
        "packaging/debian/changelog": re.match(r"tutti \(([\d.]+)-\d+\)",
                                               text("packaging/debian/changelog"))[1],
        "packaging/conda/recipe.yaml": re.search(r'version: "(.*)"',
                                                 text("packaging/conda/recipe.yaml"))[1],
        "packaging/easybuild/tutti.eb": re.search(r"^version = '(.*)'",
                                                  text("packaging/easybuild/tutti.eb"), re.M)[1],
    }
    for place, version in places.items():
        if version != VERSION:
            problem(f"{place} has version {version}, CMakeLists.txt {VERSION}")
    if not re.search(rf"^## \[(Unreleased|{re.escape(VERSION)})\]", text("CHANGELOG.md"), re.M):
        problem(f"CHANGELOG.md has no section for {VERSION}")


def check_options(options):
    for name in ("pyproject.toml", "packaging/debian/rules", "packaging/conda/recipe.yaml",
                 "packaging/easybuild/tutti.eb", "packaging/spack/tutti/package.py"):
        named = set(re.findall(r'(?:-D|")?(TUTTI_[A-Z_]+)\b(?==| =|")', text(name)))
        for option in named - options:
            problem(f"{name}: CMake has no option {option}")


def check_headers():
    build = text("scripts/packages.apt").split("[build]")[1].split("[demo]")[0]
    debian = text("packaging/debian/control")
    for package, word in HEADERS.items():
        if package not in build or f" {package},\n" not in debian:
            problem(f"{package} is not in scripts/packages.apt or packaging/debian/control")
        for name in ("packaging/conda/recipe.yaml", "packaging/easybuild/tutti.eb",
                     "packaging/spack/tutti/package.py"):
            if word not in text(name):
                problem(f"{name} does not need {word}")


class Recipe:
    """The functions that a recipe of Spack calls, which record their calls."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def call(*words, **settings):
            self.calls.append((name, words, settings))
            return lambda function: function
        return call


def check_spack():
    """Runs the recipe's class body, and its cmake_args for every variant on and off."""
    recipe, module = Recipe(), types.ModuleType("spack.package")
    names = ["license", "version", "variant", "depends_on", "requires", "conflicts", "generator",
             "run_after", "on_package_attributes"]
    for name in names:
        setattr(module, name, getattr(recipe, name))
    module.CMakePackage, module.Executable = type("CMakePackage", (), {}), None
    module.join_path = lambda *parts: "/".join(map(str, parts))
    module.__all__ = [*names, "CMakePackage", "Executable", "join_path"]
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": module})
    scope = {"__name__": "package"}
    exec(compile(text("packaging/spack/tutti/package.py"), "package.py", "exec"), scope)
    made = scope["Tutti"]
    if ("version", VERSION) not in [(name, words[0]) for name, words, _ in recipe.calls if words]:
        problem(f"packaging/spack has no version {VERSION}")
    variants = {words[0] for name, words, _ in recipe.calls if name == "variant"}
    conditions = " ".join(str(settings.get("when", "")) for _, _, settings in recipe.calls)
    for named in re.findall(r"[+~](\w+)", conditions):
        if named not in variants:
            problem(f"packaging/spack: there is no variant {named}")
    for chosen in (variants, set()):
        package = made()
        package.define = lambda name, value: f"-D{name}={value}"
        package.define_from_variant = lambda name, variant: f"-D{name}={variant in chosen}"
        prefix = types.SimpleNamespace(include="/mpi/include", lib="/mpi/lib")
        package.spec = type("Spec", (), {
            "satisfies": lambda _, asked: asked.lstrip("+") in chosen or "openmpi" in asked,
            "__getitem__": lambda _, name: types.SimpleNamespace(prefix=prefix)})()
        args = package.cmake_args()
        if any(not re.match(r"-DTUTTI_[A-Z_]+=", arg) for arg in args) or \
                any("MPI_OPENMPI" in arg for arg in args) != ("mpi" in chosen):
            problem(f"packaging/spack: cmake_args with {sorted(chosen)}: {args}")


def check_home():
    """All packages say of licence, author and addresses what packaging/home says."""
    sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging/wheel")]
    import fill_home
    import home
    for name, made in fill_home.texts().items():
        if made != text(name):
            problem(f"packaging/fill_home.py was not run: {name} would change")
    found = home.read()
    if sorted(found) != ["author", "contact", "licence", "tracker", "url"]:
        problem(f"packaging/home has {sorted(found)}")
    for name, word in (("CITATION.cff", f"license: {found['licence']}"),
                       ("CITATION.cff", f'name: "{found["author"]}"'),
                       ("packaging/conda/recipe.yaml", f"license: {found['licence']}")):
        if word not in text(name):
            problem(f"{name} does not say {word}, as packaging/home does")
    made = home.dynamic_metadata({}, {})
    if found["url"] and made["urls"].get("Homepage") != found["url"]:
        problem(f"the wheel gets {made}")


def check_files():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    for name in [project["readme"], *project["license-files"]]:
        if not (ROOT / name).exists():
            problem(f"pyproject.toml names {name}")
    conda = text("packaging/conda/recipe.yaml")
    for name in re.findall(r"^    - (\S+/\S+\.txt|LICENSE)$", conda, re.M):
        if not (ROOT / name).exists():
            problem(f"packaging/conda/recipe.yaml names {name}")
    packages = re.findall(r"^Package: (\S+)", text("packaging/debian/control"), re.M)
    for path in (ROOT / "packaging/debian").glob("*.install"):
        if path.stem not in packages:
            problem(f"{path.name} is for no package of packaging/debian/control")
    return len(packages)


def main():
    options = cmake_options()
    check_versions()
    check_options(options)
    check_headers()
    check_spack()
    check_home()
    finish(f"version {VERSION}, {len(options)} options, {check_files()} Debian packages")


main()
