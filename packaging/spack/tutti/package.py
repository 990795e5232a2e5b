# SPDX-License-Identifier: BSD-3-Clause
"""Recipe of Spack: copy the folder tutti/ into a repository of recipes (repos/NAME/packages), then
`spack install tutti`. RELEASING.md says when the checksum is filled in."""

from spack.package import *


class Tutti(CMakePackage):
    """Collective communication as schedules: run, explain, prove, draw and simulate."""

    url = ("https://files.pythonhosted.org/packages/source/t/tutti-collectives/"
           "tutti_collectives-0.2.0.tar.gz")

    license("BSD-3-Clause")

    # The checksum is that of the source archive of the release.
    version("0.2.0", sha256="0" * 64)

    variant("apps", default=False, description="Programs for matrices, subsequences and transforms")
    variant("fortran", default=True, description="The Fortran module")
    variant("mpi", default=False, description="What speaks to Open MPI or MPICH")
    variant("prover", default=False, description="tutti verify --all-p")
    variant("python", default=True, description="The Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build", when="+apps")
    depends_on("python@3.11:", type=("build", "link", "run"), when="+python")
    depends_on("python@3.9:", type="build", when="~python")
    # Only their headers are used.
    depends_on("fmt@9:", type="build")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("tomlplusplus@3.3:", type="build")
    depends_on("z3@4.8:", when="+prover")
    depends_on("mpi", when="+mpi")
    depends_on("blas", when="+apps")
    depends_on("fftw-api@3", when="+apps")

    requires("target=x86_64:", msg="tutti is for x86-64")
    requires("platform=linux", msg="tutti is for Linux")
    conflicts("%gcc@:11", msg="tutti needs C++20 as GCC 12 has it")
    conflicts("%clang@:13", msg="tutti needs C++20 as clang 14 has it")
    conflicts("+apps", when="~fortran", msg="the programs need the Fortran compiler")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("TUTTI_TESTS", False),
            self.define("TUTTI_BENCH", False),
            self.define("TUTTI_UNITY", True),
            self.define("TUTTI_PVMD", False),
            self.define_from_variant("TUTTI_APPS", "apps"),
            self.define_from_variant("TUTTI_BLAS", "apps"),
            self.define_from_variant("TUTTI_FORTRAN", "fortran"),
            self.define_from_variant("TUTTI_MPI", "mpi"),
            self.define_from_variant("TUTTI_PROVER", "prover"),
            self.define_from_variant("TUTTI_PYTHON", "python"),
        ]
        if self.spec.satisfies("+mpi"):
            flavour = "OPENMPI" if self.spec.satisfies("^[virtuals=mpi] openmpi") else "MPICH"
            name = "mpi" if flavour == "OPENMPI" else "mpich"
            mpi = self.spec["mpi"].prefix
            args.append(self.define(f"TUTTI_MPI_{flavour}_INCLUDE", mpi.include))
            args.append(self.define(f"TUTTI_MPI_{flavour}_LIBRARY",
                                    join_path(mpi.lib, f"lib{name}.so")))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.python3.join("dist-packages"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        tutti = Executable(self.prefix.bin.tutti)
        tutti("verify", "allreduce", "-n", "1..8")
        tutti("run", "-n", "2", "true")
