// SPDX-License-Identifier: BSD-3-Clause
// Implements gloo's side of the driver of `tutti bench`, and its program. scripts/peers.sh compiles
// it. The processes are started by bench/collectives/start.py. They meet in a folder of files and
// use TCP over the loopback device, which is gloo's only transport within a host.
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/math.h>
#include <gloo/reduce.h>
#include <gloo/reduce_scatter.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/driver.h"

namespace {

using Adding = gloo::ReduceScatterHalvingDoubling<double>;

struct Job {
  int rank = 0, size = 0;
  std::string folder;
  std::shared_ptr<gloo::rendezvous::Context> context;
  double* input = nullptr;
  double* output = nullptr;
  std::size_t n = 0;
  std::uint32_t calls = 0;
  // gloo's reduce_scatter is bound to a length. It adds in the memory of its input.
  std::map<std::size_t, std::unique_ptr<Adding>> adding;
};

Job& job() {
  static Job one;
  return one;
}

[[noreturn]] void give_up(const std::exception& error) {
  std::fprintf(stderr, "tutti bench: gloo, rank %d: %s\n", job().rank, error.what());
  std::_Exit(1);
}

std::size_t whole() {
  return job().n * static_cast<std::size_t>(job().size);
}

// Calls the function of gloo with a number that no other call under way has.
template <class Options, class Call>
void run(Options&& options, const Call& call) {
  options.setTag(job().calls++);
  call(options);
}

void add(void* result, const void* a, const void* b, std::size_t n) {
  gloo::sum<double>(result, a, b, n);
}

void greater(void* result, const void* a, const void* b, std::size_t n) {
  gloo::max<double>(result, a, b, n);
}

double combined(double mine, void (*with)(void*, const void*, const void*, std::size_t)) {
  double all = 0;
  gloo::AllreduceOptions options(job().context);
  options.setInput(&mine, 1);
  options.setOutput(&all, 1);
  options.setReduceFunction(with);
  run(options, gloo::allreduce);
  return all;
}

template <class Options>
Options both(std::size_t in, std::size_t out) {
  Options options(job().context);
  options.setInput(job().input, in);
  options.setOutput(job().output, out);
  return options;
}

void scatter(int root) {
  gloo::ScatterOptions options(job().context);
  std::vector<double*> parts;
  for (int rank = 0; rank < job().size; ++rank)
    parts.push_back(job().input + static_cast<std::size_t>(rank) * job().n);
  if (job().rank == root) options.setInputs(parts, job().n);
  options.setOutput(job().output, job().n);
  options.setRoot(root);
  run(options, gloo::scatter);
}

void gather(int root) {
  gloo::GatherOptions options(job().context);
  options.setInput(job().input, job().n);
  if (job().rank == root) options.setOutput(job().output, whole());
  options.setRoot(root);
  run(options, gloo::gather);
}

void reduce(int root) {
  auto options = both<gloo::ReduceOptions>(job().n, job().n);
  options.setRoot(root);
  options.setReduceFunction(add);
  run(options, gloo::reduce);
}

void broadcast(int root) {
  gloo::BroadcastOptions options(job().context);
  options.setOutput(job().input, job().n);
  options.setRoot(root);
  run(options, gloo::broadcast);
}

void reduce_scatter() {
  job().adding.at(job().n)->run();
  std::memcpy(job().output, job().input, job().n * sizeof(double));
}

bool has(int op) {
  return op != bench_op_scan && op != bench_op_exscan;
}

void call(int op, int root) {
  switch (op) {
    case bench_op_barrier:
      return library_barrier();
    case bench_op_bcast:
      return broadcast(root);
    case bench_op_reduce:
      return reduce(root);
    case bench_op_allreduce: {
      auto options = both<gloo::AllreduceOptions>(job().n, job().n);
      options.setReduceFunction(add);
      return run(options, gloo::allreduce);
    }
    case bench_op_gather:
      return gather(root);
    case bench_op_scatter:
      return scatter(root);
    case bench_op_allgather:
      return run(both<gloo::AllgatherOptions>(job().n, whole()), gloo::allgather);
    case bench_op_reduce_scatter:
      return reduce_scatter();
    default:
      return run(both<gloo::AlltoallOptions>(whole(), whole()), gloo::alltoall);
  }
}

void connect() {
  Job& one = job();
  auto device = gloo::transport::tcp::CreateDevice("127.0.0.1");
  gloo::rendezvous::FileStore store(one.folder);
  one.context = std::make_shared<gloo::rendezvous::Context>(one.rank, one.size);
  one.context->connectFullMesh(store, device);
}

// Returns the cells without the operations that gloo has not. Rank 0 prints a line for each.
std::string without_refused(const char* library, const std::string& cells) {
  std::string kept, said;
  for (std::size_t begin = 0; begin < cells.size();) {
    const std::size_t end = std::min(cells.find(',', begin), cells.size());
    const std::string cell = cells.substr(begin, end - begin);
    const std::string name = cell.substr(0, cell.find(':'));
    begin = end + 1;
    int op = 0;
    while (op < bench_operation_count && name != bench_operations[op].name) ++op;
    if (op == bench_operation_count || has(op)) {
      kept += (kept.empty() ? "" : ",") + cell;
    } else if (name != said) {
      said = name;
      if (job().rank == 0) {
        std::printf("{\"library\":\"%s\",\"op\":\"%s\",\"refused\":\"gloo has no %s\"}\n", library,
                    name.c_str(), name.c_str());
      }
    }
  }
  return kept;
}

}  // namespace

int library_start(int* me, int* p) {
  *me = job().rank;
  *p = job().size;
  try {
    if (job().size > 1) connect();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tutti bench: gloo, rank %d: %s\n", job().rank, error.what());
    return 1;
  }
  return 0;
}

// gloo breaks a connection at once, so all come here first.
void library_finish(void) {
  library_barrier();
  std::fflush(stdout);
  job().adding.clear();
}

void library_abort(void) {
  std::_Exit(1);
}

void library_prepare(const bench_cell* cell, const bench_memory* memory) {
  Job& one = job();
  one.input = memory->input;
  one.output = memory->output;
  one.n = static_cast<std::size_t>(cell->n);
  if (cell->op != bench_op_reduce_scatter || one.adding.count(one.n) != 0) return;
  try {
    const std::vector<int> parts(static_cast<std::size_t>(one.size), static_cast<int>(one.n));
    one.adding[one.n] = std::make_unique<Adding>(one.context, std::vector<double*>{one.input},
                                                 static_cast<int>(whole()), parts);
  } catch (const std::exception& error) {
    give_up(error);
  }
}

void* library_shared_memory(std::size_t) {
  return nullptr;
}

int library_call(int op, int root) {
  try {
    call(op, root);
  } catch (const std::exception& error) {
    give_up(error);
  }
  return 0;
}

void library_barrier(void) {
  try {
    gloo::BarrierOptions options(job().context);
    run(options, gloo::barrier);
  } catch (const std::exception& error) {
    give_up(error);
  }
}

double library_max(double mine) {
  return combined(mine, greater);
}

double library_sum(double mine) {
  return combined(mine, add);
}

int main(int argc, char** argv) {
  enum { own_words = 3, place_of_cells = 5 };
  if (argc < own_words + place_of_cells + 1) {
    std::fprintf(stderr,
                 "usage: %s RANK SIZE FOLDER NAME LINES_FILE SECONDS MICROSECONDS CELLS [ROOT]\n",
                 argv[0]);
    return 2;
  }
  job().rank = std::atoi(argv[1]);
  job().size = std::atoi(argv[2]);
  job().folder = argv[own_words];
  std::vector<char*> words{argv[0]};
  words.insert(words.end(), argv + own_words + 1, argv + argc);
  std::string cells = without_refused(words[1], words[place_of_cells]);
  if (cells.empty()) return 0;
  words[place_of_cells] = cells.data();
  return bench_driver(static_cast<int>(words.size()), words.data());
}
