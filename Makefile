# SPDX-License-Identifier: BSD-3-Clause
# The commands that people type: users those with ##, developers those with #>. Each target only calls
# CMake or a script in scripts/.
PREFIX ?= /usr/local
ARGS ?=
BASE ?=
BENCHES ?=
PART ?=
PRESET ?= release
ROOM ?=
ONLY ?=

.DEFAULT_GOAL := help
.PHONY: help help-developers deps build demo demo-all test test-rest test-full soak install uninstall playground wheel dist deb site peers bench-against bench-lat bench-choice bench-regret bench-limits bench-coll bench-ways bench-blacs bench-lu bench-bsp bench-predict \
        bench-pvm bench-nx bench-apps bench-predict-apps predict-machines bench-mpi bench-mpi-programs bench-mpi-real bench-python bench-sim check-simulators reproduce format check-format manual clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

help-developers: ## show what developers type besides
	@awk -F ':.*#> ' '/^[a-z-]+:.*#> / { printf "  make %-19s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install what make build, demo and test need (apt), or say exactly what is missing
	@scripts/deps build demo test

build: ## build into build/release; PRESET=clang: by clang into build/clang
	@scripts/deps build $(filter clang,$(PRESET))
	@scripts/build $(PRESET) all product

demo: ## MVMULT on a 2x2 grid, then ScaLAPACK's LU on our BLACS
	@scripts/deps build demo
	@scripts/build release demo
	@scripts/demo.sh

demo-all: ## every example and application once, a line of result each
	@scripts/deps build demo
	@scripts/build release product demo-all
	@scripts/demo_all.sh

test: ## tests of the release build, but those of papers, apps, benches and prover; ROOM=engine: one folder of tests/, ONLY=name; PRESET=clang
	@scripts/deps build demo test $(filter clang,$(PRESET))
	@$(if $(ROOM)$(ONLY),scripts/test.sh room '$(PRESET)' '$(ROOM)' '$(ONLY)',scripts/test.sh quick $(PRESET))

test-rest: #> what CI runs after make test: everything is built; tests of papers, apps, benches and prover; ASan and UBSan
	@scripts/deps build demo test $(filter clang,$(PRESET))
	@scripts/test.sh rest $(PRESET)

test-full: #> everything; in parts of at most an hour: PART=name, PART=list shows them
	@[ "$(PART)" = list ] || scripts/deps build demo test mpi full playground peers gloo clang
	@scripts/test.sh full $(PART)

soak: #> random jobs, faults and load for hours; memory and files are watched; ARGS="--hours 8 --seed N"
	@scripts/deps build test mpi >&2
	@scripts/build release tutti_command api_mix api_messages hosts_endless tools_endless_bsp tools_endless_blacs tools_endless_pvm >&2
	@tests/soak/soak.py build/release $(ARGS)

install: ## install below PREFIX (default /usr/local), or below DESTDIR/PREFIX
	@scripts/deps build $(filter clang,$(PRESET))
	@scripts/install $(PRESET) "$(PREFIX)"

uninstall: ## remove what make install put below PREFIX
	@scripts/uninstall "$(PREFIX)"

wheel: ## the Python package tutti-collectives as wheel and source archive, into dist/
	@scripts/deps build mpi peers
	@scripts/wheel.sh

dist: ## an archive of the sources with the manual pages made, into dist/
	@scripts/deps build
	@scripts/build release tutti_manual
	@scripts/dist.sh build/release

deb: ## Debian packages, checked by lintian, into dist/
	@scripts/deps build deb
	@scripts/deb.sh

bench-lat: #> latency of 8 bytes against a bare exchange of flag lines; ARGS=--json
	@scripts/deps build >&2
	@scripts/build release product bench >&2
	@build/release/bench/bench_lat $(ARGS)

bench-choice: #> cost of choosing a plan and of a micro-operation, ns; ARGS=--json
	@scripts/deps build >&2
	@scripts/build release product bench >&2
	@build/release/bench/bench_choice $(ARGS)

bench-regret: #> time of chosen plans over the best plan tried; ARGS="--ranks 2,4 --save FILE"
	@scripts/deps build >&2
	@scripts/build release tutti_programs >&2
	@bench/bench_regret.py --build build/release $(ARGS)

site: #> the site out of guide, catalogue, manual and Python package, into build/site/html
	@scripts/deps build peers >&2
	@scripts/peers.sh site >&2
	@scripts/build release tutti_programs $(if $(wildcard build/release/python),product) >&2
	@scripts/site/build.sh build/release build/site

playground: #> optional: the verbs of study for a browser, into build/playground
	@scripts/deps build playground >&2
	@scripts/playground.sh || [ $$? -eq 77 ]

peers: #> optional: for make bench-coll and make site, from PyPI with pinned versions: newer MPIs, Sphinx; and gloo
	@scripts/deps build peers gloo >&2
	@scripts/peers.sh

bench-against: #> all benches of this build and of another commit's in turn, the worse cells; BASE=commit BENCHES="lat coll" ARGS="--json FILE"
	@scripts/deps build demo mpi full >&2
	@scripts/build release product bench >&2
	@bench/bench_against.py --build build/release $(if $(BENCHES),--benches '$(BENCHES)') $(ARGS) $(if $(BASE),'$(BASE)')

bench-limits: #> start of 64 processes, shared memory, processor time while waiting; ARGS=--json
	@scripts/deps build >&2
	@scripts/build release bench_limits tutti_programs >&2
	@bench/bench_limits.py --build build/release $(ARGS)

bench-coll: #> all collectives against every MPI that is there; ARGS="--seconds 3000 --doc docs/measurements/collectives-bench.md"
	@scripts/deps build mpi full >&2
	@scripts/build release product bench >&2
	@bench/bench_coll.py --build build/release $(ARGS)

bench-ways: #> each way of a long message beside the bare ones, as table and figure; ARGS="--doc docs/internals/long-vectors.md"
	@scripts/deps build >&2
	@scripts/build release product bench_bare bench_curves >&2
	@bench/bench_ways.py --build build/release $(ARGS)

bench-blacs: #> our BLACS against the reference on Open MPI and MPICH, interleaved
	@scripts/deps build demo mpi full >&2
	@scripts/build release product bench >&2
	@OPENBLAS_NUM_THREADS=1 bench/bench_blacs.py --build build/release $(ARGS)

bench-lu: #> ScaLAPACK's LU on our BLACS and on the reference's; ARGS="--turns 20"
	@scripts/deps build demo mpi full >&2
	@scripts/build release product bench >&2
	@bench/bench_lu.py --build build/release $(ARGS)

bench-mpi: #> tutti run, tutti under mpirun and the MPI alone, in turn; plans for one host and for two
	@scripts/deps build demo mpi full >&2
	@scripts/build release product bench >&2
	@bench/bench_mpi.py --build build/release $(ARGS)

bench-mpi-programs: #> MPI programs by tutti mpi beside the MPI alone, in turn; ARGS="--mpi mpich --processes 2"
	@scripts/deps build demo mpi full >&2
	@scripts/build release product bench >&2
	@bench/bench_mpi_programs.py --build build/release $(ARGS)

bench-mpi-real: #> HPCC and CP2K by `tutti mpi` beside the MPI alone, by their own clocks; ARGS="--turns 5"
	@scripts/deps build demo mpi full >&2
	@scripts/build release product bench >&2
	@bench/bench_mpi_real.py --build build/release $(ARGS)

bench-bsp: #> our BSPlib against BSPlib over Open MPI and MPICH; ARGS="-n 4"
	@scripts/deps build mpi full >&2
	@scripts/build release tutti_programs tutti-bsp-probe bsp_peers >&2
	@bench/bench_bsp.py --build build/release $(ARGS)

bench-predict: #> textbook BSP programs: probe, predict, then run; ARGS="-n 2 --runs 7"
	@scripts/deps build >&2
	@scripts/build release tutti_programs tutti-bsp-probe bsp_textbook >&2
	@bench/bench_predict.py --build build/release $(ARGS)

bench-pvm: #> our PVM's group calls against the real one's, dynamic and frozen; ARGS=--json
	@scripts/deps build >&2
	@scripts/build release pvm_calls tutti-pvm-probe tutti_programs >&2
	@bench/bench_pvm.py --build build/release $(ARGS)

bench-nx: #> the papers' experiments with NX, iCC, PVM and the BLACS; ARGS="--paper 004 --doc"
	@scripts/deps build >&2
	@scripts/build release product bench_curves line_time >&2
	@bench/bench_nx.py --build build/release $(ARGS)

bench-apps: #> matmul, LU, LLCS and exchange programs in turn with their peers; ARGS="--parts lu"
	@scripts/deps build demo mpi full >&2
	@scripts/build release product bench >&2
	@bench/bench_apps.py --build build/release $(ARGS)

bench-predict-apps: #> matmul, LLCS and exchange: probe, predict, then run; ARGS="--processes 2 --parts custom"
	@scripts/deps build demo >&2
	@scripts/build release product >&2
	@bench/bench_predict_apps.py --build build/release $(ARGS)

predict-machines: #> matmul and LLCS predicted on the machines of Krusche's thesis; ARGS="--processes 4"
	@scripts/deps build demo >&2
	@scripts/build release product >&2
	@bench/predict_machines.py --build build/release $(ARGS)

reproduce: #> the papers' tables and figures beside ours, into docs/papers
	@scripts/deps build >&2
	@scripts/build release product >&2
	@rm -rf docs/papers/figures
	@build/release/bin/tutti reproduce --write docs/papers
	@build/release/bin/tutti reproduce --counts | scripts/insert_counts.py docs/guide/10-the-five-papers.md docs/papers/README.md

bench-python: #> calls of the module tutti beside C and beside mpi4py, in turn; ARGS=--json
	@scripts/deps build mpi full >&2
	@scripts/build release bench_python tutti_python tutti_programs >&2
	@bench/bench_python.py --build build/release $(ARGS)

bench-sim: #> speed and memory of the simulator, alone and against SMPI; ARGS=--write for docs/measurements/simulation-bench.md
	@scripts/deps build mpi full >&2
	@scripts/build release bench_sim >&2
	@bench/bench_sim.py --build build/release $(ARGS)

check-simulators: #> our simulator beside SMPI and the examples of LogGOPSim; ARGS=--write for docs/measurements/simulators.md
	@scripts/deps build mpi full >&2
	@scripts/build release tutti_programs >&2
	@bench/check_simulators.py --command build/release/bin/tutti $(ARGS)

manual: #> regenerate docs/reference/quickref.md from man/, the pages' pictures and docs/algorithms
	@scripts/deps build >&2
	@scripts/build release tutti_programs tutti_manual >&2
	@cp build/release/man/quickref.md docs/reference/quickref.md
	@python3 scripts/draw_pictures.py build/release/bin/tutti .
	@build/release/bin/tutti info --catalogue docs/algorithms

format: #> clang-format all sources in place
	@scripts/format.sh

check-format: #> fail when a source is not formatted
	@scripts/format.sh --check

clean: ## remove build/
	@rm -rf build
