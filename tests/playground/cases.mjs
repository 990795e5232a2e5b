// SPDX-License-Identifier: BSD-3-Clause
// The command lines that the playground must answer as the command does, to the byte.

const operations = ["barrier", "broadcast", "reduce", "allreduce", "scatter", "gather", "allgather",
                    "reduce_scatter", "alltoall", "scan", "exscan"];
const machines = ["ipsc860", "paragon", "delta", "sp2", "t3d", "ethernet"];
const verbs = ["info", "explain", "draw", "simulate", "verify", "export", "schedule"];
const sized = (operation, bytes) => (operation === "barrier" ? "" : ` --bytes ${bytes}`);

function ofOperations() {
  const all = [];
  for (const operation of operations) {
    all.push(`draw ${operation} --machine paragon --topology mesh:2x2 -n 4`,
             `draw ${operation} --machine paragon -n 5 --json`,
             `draw ${operation} --machine sp2 -n 4 --svg film.svg`,
             `draw ${operation} --machine sp2 -n 3 --html film.html`,
             `draw ${operation} --machine sp2 -n 4 --as rounds --ascii`,
             `verify ${operation} -n 1..9`,
             `verify ${operation} -n 6 --json --root all`,
             `export ${operation} --machine paragon -n 5 --out schedule.json`,
             `export ${operation} --machine paragon -n 4 --format goal`);
    for (const machine of machines)
      all.push(`explain ${operation} --machine ${machine} -n 16${sized(operation, "64K")}`,
               `simulate ${operation} --machine ${machine} -n 8${sized(operation, "16K")}`);
    all.push(`explain ${operation} --machine sp2 -n 12 --json${sized(operation, "1M")}`,
             `simulate ${operation} --machine delta -n 8 --json${sized(operation, "1K")}`);
  }
  return all;
}

function ofSizes() {
  const all = [];
  for (const bytes of ["0", "1", "8", "1000", "64K", "1M", "1G", "4G"])
    all.push(`explain allreduce --machine sp2 -n 16 --bytes ${bytes}`,
             `explain bcast --machine paragon --topology mesh:4x8 --bytes ${bytes} --json`,
             `simulate allgather --machine ipsc860 -n 16 --bytes ${bytes}`);
  for (const topology of ["mesh:4x4", "torus:4x4", "hypercube:4", "ring:16", "fattree:4x4", "star:16"])
    all.push(`draw alltoall --topology ${topology} --algorithm pairwise`,
             `draw allreduce --topology ${topology} --algorithm ring --json`,
             `simulate alltoall --machine paragon --topology ${topology} --bytes 64K`,
             `verify alltoall --algorithm pairwise --topology ${topology} -n 16`,
             `schedule alltoall --topology ${topology}`,
             `schedule allgather --topology ${topology} --json --seed 3`);
  return all;
}

const pictures = [
  "draw alltoall --topology hypercube:3 --svg chart.svg",
  "draw alltoall --topology mesh:3x3 --as needs",
  "draw allreduce --algorithm ring -n 4 --html -",
  "draw allreduce --algorithm ring -n 4 --svg -",
  "draw bcast --algorithm tree -n 13 --root 5 --all",
  "draw alltoall --algorithm pairwise -n 64 --svg large.svg",
  "draw alltoall --algorithm pairwise -n 64 --svg large.svg --force",
  "explain allreduce --machine sp2 -n 16 --curve price.svg",
  "explain bcast --machine paragon -n 16 --curve price.html --over ranks",
  "simulate allreduce --machine sp2 -n 8 --bytes 1..64K --curve time.svg",
  "simulate allreduce --machine sp2 -n 2..16 --bytes 4K --curve ranks.svg",
  "simulate alltoall --machine ipsc860 -d 3 --bytes 1K --svg line.svg --heat heat.svg --algorithm pairwise",
  "simulate allreduce --machine sp2 -n 4 --trace trace.json --algorithm ring",
  "simulate allreduce --machine sp2 -n 4 --json --timeline --algorithm ring",
  "schedule alltoall --topology hypercube:3 -o exchange.json",
  "schedule alltoall --topology mesh:4x4 -o exchange.goal --bytes 4K",
  "schedule alltoall --topology mesh:4x4 -o exchange.txt --one-receive",
];

const simulations = [
  "simulate alltoall --machine ipsc860 -d 7 --bytes 1M",
  "simulate alltoall --machine ipsc860 -d 1..5 --map",
  "simulate alltoall --machine ipsc860 -d 4 --implementation pairwise_F,standard_U --sync none,pair",
  "simulate allreduce --machine paragon -n 8 --noise 50 --runs 5",
  "simulate allreduce --machine paragon -n 8 --noise 50 --drift 3 --seed 7 --json",
  "simulate bcast --machine sp2 -n 16 --best --bytes 1M",
  "simulate bcast --machine sp2 -n 16 --best=3 --bytes 8 --json",
  "simulate reduce --machine delta -n 8 --bytes 1..4K --csv",
  "simulate gather --machine t3d -n 8 --top 1 --root 3",
  "simulate alltoall --machine paragon -n 3..6,8 --algorithm standard,linear --json",
  "verify -n 1..8",
  "verify allreduce,bcast -n 1..12 --json",
  "verify allreduce --algorithm ring -n 1..32",
  "verify allreduce --algorithm ring -n 8 --machine paragon --bytes 64K",
  "verify alltoall --topology hypercube:3 -n 8 --conflict-free",
  "verify alltoall --algorithm pairwise --topology hypercube:3 -n 8 --conflict-free --json",
  "explain allreduce --machine sp2 -n 16 --all",
  "explain allreduce --machine sp2 -n 16 --hosts 4",
  "explain allreduce --machine sp2 -n 7 --hosts 4,2,1 --ordered",
  "explain reduce --machine sp2 -n 16 --reproducible --algorithm tree:branches=2",
];

const ofInfo = ["info --algorithm ring", "info --algorithm tree:branches=2 --json", "info --machine sp2",
  "info --machine paragon --json", "info --machine ipsc860 --toml", "info --machine nowhere",
  "info --toml", "info --catalogue pages", "info --algorithm nothing"];

const refusals = ["draw allreduce --algorithm rign -n 4", "draw alreduce -n 4", "draw", "simulate",
  "simulate allreduce", "simulate allreduce --machine sp2 -n 0", "simulate allreduce --machine sp3 -n 4",
  "simulate allreduce --machine sp2 -n 2..4 --bytes 8,64 --curve x.svg", "simulate allreduce --machine sp2 -n 4..2",
  "simulate allreduce --machine sp2 -n 4 --bytes 12Q", "simulate allreduce --machine sp2 -n 4 --json --bytes x",
  "verify allreduce -n 9..3", "verify allreduce -n 1..100000", "verify allreduce --nonsense",
  "verify bcast -n 4 --root 9", "draw allreduce --algorithm file:missing.json -n 4",
  "draw allreduce --algorithm file:broken.json -n 4", "draw allreduce --algorithm file:broken.json -n 4 --json",
  "simulate allreduce --machine missing.toml -n 4", "simulate allreduce --machine broken.toml -n 4",
  "export allreduce --algorithm ring -n 4 --format nothing", "schedule alltoall", "schedule --pattern missing",
  "explain bcast --machine sp2 -n 4 --topology mesh:0x3", "explain bcast --machine sp2 -n 9 --topology mesh:2x3",
  "draw bcast --algorithm tree -n 4 --svg missing/film.svg", "explain allreduce --machine sp2 -n 99999",
  "draw allreduce --algorithm ring -n 4 --as nothing", "verify --schedule missing", "nonsense", "help nonsense",
  "draw allreduce --algorithm recursive_doubling -n 5"];

const ofFiles = ["verify allreduce --algorithm file:ring.json -n 4", "draw allreduce --algorithm file:ring.json -n 4",
  "simulate allreduce --algorithm file:ring.json --machine sp2 -n 4 --bytes 4K",
  "explain allreduce --algorithm file:ring.json --machine sp2 -n 4",
  "verify allreduce --algorithm file:ring.json -n 4 --json", "draw allreduce --algorithm file:ring.json -n 5",
  "verify allreduce --algorithm file:ring.xml -n 4", "draw allreduce --algorithm file:ring.xml -n 4 --svg film.svg",
  "simulate ring.goal --machine sp2", "draw ring.goal", "draw ring.goal --json", "simulate ring.goal --machine office.toml --json",
  "export allreduce --algorithm file:ring.json -n 4 --format msccl", "export allreduce --algorithm ring -n 4 --format chakra --out trace",
  "export allreduce --algorithm ring -n 4 --format goal --bytes 1M --machine paragon",
  "simulate allreduce --machine office.toml -n 4", "explain allreduce --machine office.toml -n 4 --json",
  "info --machine office.toml", "draw alltoall --machine office.toml -n 4 --algorithm pairwise",
  "schedule --pattern pairs --topology mesh:2x2", "verify --pattern pairs --topology mesh:2x2",
  "verify --schedule numbered --pattern pairs --topology mesh:2x2", "schedule --pattern pairs --topology mesh:2x2 --one-receive --json",
  "export ring.json", "export ring.json --format goal"];

const files = {
  "broken.json": '{"tutti_program": 1, "operation": ',
  "broken.toml": 'name = "broken"\nalpha = = 3\n',
  "pairs": "0 -> 1\n1 -> 2\n2 -> 3\n3 -> 0\n0 -> 2\n",
  "numbered": "1: 0 -> 1\n1: 2 -> 3\n2: 1 -> 2\n2: 3 -> 0\n3: 0 -> 2\n",
};

export { files };
export const commands = [
  ...ofOperations(), ...ofSizes(), ...pictures, ...simulations, ...ofInfo, ...refusals, ...ofFiles,
  ...verbs.flatMap((verb) => [`${verb} --help`, `help ${verb}`]),
];

// Command lines whose answers differ, and why.
export const exceptions = {
  "help": "the command has more verbs",
  "--version": "the playground is no command with a version",
  "info": "it describes the host",
  "run -n 2 true": "a browser starts no processes",
  "verify --all-p allreduce": "tutti-prove is a program of its own",
  "explain --table2": "tutti-papers is a program of its own",
};
