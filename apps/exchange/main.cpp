// SPDX-License-Identifier: BSD-3-Clause
// tutti-exchange runs programs that use the complete exchange, checks their results, and says how
// much of the time the exchange takes.
//
//   tutti run -n 4 tutti-exchange fft --size 512 --algorithm pairwise
#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <array>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "numbers.hpp"
#include "output.hpp"
#include "parsing.hpp"
#include "prediction.hpp"
#include "programs.hpp"
#include "progress.hpp"

namespace exchange {
namespace {

constexpr int exit_wrong = 1;

struct Choice {
  const char* name;
  std::unique_ptr<Program> (*make)(Exchange& exchange, std::size_t size);
  std::size_t size;  // by default
  const char* help;
};
constexpr std::array<Choice, 5> choices{
    {{"transpose", matrix_transpose, 1024, "transpose a matrix"},
     {"fft", fourier_transform, 512, "Fourier transform of a complex matrix in two dimensions"},
     {"adi", heat_equation, 512, "ten steps of the heat equation by alternating directions"},
     {"lookup", table_look_up, 100000, "look up random entries of a distributed table"},
     {"matvec", matrix_vector, 2048, "product of a matrix, dealt by columns, and a vector"}}};

struct Options {
  const Choice* choice = nullptr;
  std::size_t size = 0;
  int runs = 11;
  std::string algorithm;
  int ranks = 1;
  std::string predict;  // a file for the supersteps, instead of a result
  bool json = false;
};

using CommandLine = support::CommandLine<Options>;

void describe(CLI::App& app, Options& options) {
  app.add_option("--size", options.size, "rows of the matrix, or entries of the table")
      ->check(CLI::Range(1, 1 << 30))
      ->option_text("N");
  app.add_option("--algorithm", options.algorithm,
                 "algorithm of alltoall (tutti's choice; tutti info --algorithms lists them)")
      ->option_text("NAME");
  app.add_option("--predict", options.predict,
                 "do not run the program, but write its supersteps for tutti predict")
      ->option_text("FILE");
  support::add_runs(app, options.runs, "number of runs, or of measured computations (11)");
  support::add_processes(app, options.ranks, "ranks");
  support::add_json(app, options.json);
}

// The options may stand before the name of the program and after it, and the help of both has them.
CommandLine parse(int argc, char** argv) {
  CommandLine line;
  Options& options = line.options;
  CLI::App app("Runs a program that uses the complete exchange.", "tutti-exchange");
  app.set_version_flag("--version", "tutti-exchange " TUTTI_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  describe(app, options);
  for (const Choice& choice : choices) {
    CLI::App* const program = app.add_subcommand(choice.name, choice.help);
    program->callback([&options, &choice] { options.choice = &choice; });
    describe(*program, options);
  }
  support::parse(app, argc, argv, line, [&options] {
    if (options.size == 0) options.size = options.choice->size;
    if (options.predict.empty()) return;
    if (!options.algorithm.empty()) throw CLI::ExcludesError("--algorithm", "--predict");
    if (options.json) throw CLI::ExcludesError("--json", "--predict");
  });
  return line;
}

// The time of a run is that of the slowest rank; the time in exchanges is this rank's.
struct Times {
  std::vector<double> whole, in_exchanges;
};

Times timed(Program& program, Exchange& exchange, int runs) {
  Times times;
  support::Repeated progress(
      {"tutti-exchange", fmt::format("of {} runs", runs + 1), Exchange::rank() == 0}, runs + 1);
  for (int i = 0; i <= runs; ++i) {
    progress.begin(i);
    program.begin();
    exchange.restart();
    tutti_barrier(tutti_world());
    const auto start = std::chrono::steady_clock::now();
    program.run(progress);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (i == 0) continue;  // plans are made and memory is touched in it
    times.whole.push_back(largest(taken.count()));
    times.in_exchanges.push_back(largest(exchange.seconds()));
  }
  return times;
}

void print(const Options& options, const Times& times, double error, std::uint64_t digest) {
  const double whole = support::median(times.whole), part = support::median(times.in_exchanges);
  const std::string algorithm = options.algorithm.empty() ? "chosen" : options.algorithm;
  if (options.json) {
    const nlohmann::ordered_json object{{"program", options.choice->name},
                                        {"size", options.size},
                                        {"ranks", Exchange::ranks()},
                                        {"algorithm", algorithm},
                                        {"time_s", whole},
                                        {"minimum_s", std::ranges::min(times.whole)},
                                        {"exchange_s", part},
                                        {"error", error},
                                        {"digest", fmt::format("{:016x}", digest)}};
    fmt::print("{}\n", object.dump(2));
    return;
  }
  fmt::print("{} of size {}, {} ranks, algorithm of the exchange: {}\n", options.choice->name,
             options.size, Exchange::ranks(), algorithm);
  fmt::print("result: {}, digest {:016x}\n",
             error == 0 ? "all bits as computed by one process"
                        : fmt::format("largest relative error {:.1e}", error),
             digest);
  fmt::print("time: median {:.3f} ms, minimum {:.3f} ms of {} runs; {:.0f} % of it in exchanges\n",
             whole * 1e3, std::ranges::min(times.whole) * 1e3, options.runs, 100 * part / whole);
}

int predict(const Options& options, Program& program) {
  const std::vector<profile::Superstep> steps = supersteps_of(program, options.runs);
  if (Exchange::rank() == 0)
    profile::write(options.predict, steps, "tutti-exchange " + std::string(options.choice->name));
  return 0;
}

int run_program(const Options& options) {
  Exchange exchange(options.algorithm);
  const std::unique_ptr<Program> program = options.choice->make(exchange, options.size);
  if (!options.predict.empty()) return predict(options, *program);
  const Times times = timed(*program, exchange, options.runs);
  const double error = largest(program->error());
  const std::uint64_t digest = sum(program->digest());
  if (Exchange::rank() == 0) print(options, times, error, digest);
  const bool good = error <= program->tolerance();
  if (!good && Exchange::rank() == 0)
    std::fputs(fmt::format("tutti-exchange: the result is wrong: error {}\n", error).c_str(),
               stderr);
  return good ? 0 : exit_wrong;
}

// A vector of impossible length is another error of C++ than one for which there is no memory.
int run(const Options& options) {
  constexpr const char* no_memory = "tutti-exchange: there is no memory for this --size";
  try {
    const int code = run_program(options);
    support::require_output();
    return code;
  } catch (const std::bad_alloc&) {
    tutti_abort(exit_wrong, no_memory);
  } catch (const std::length_error&) {
    tutti_abort(exit_wrong, no_memory);
  } catch (const std::exception& problem) {
    tutti_abort(exit_wrong, fmt::format("tutti-exchange: {}", problem.what()).c_str());
  }
  return exit_wrong;
}

// Returns the exit code after help, or after what is wrong, was printed.
int after_text(int code) {
  try {
    support::require_output();
  } catch (const std::exception& problem) {
    tutti_abort(exit_wrong, fmt::format("tutti-exchange: {}", problem.what()).c_str());
  }
  return code;
}

}  // namespace
}  // namespace exchange

int main(int argc, char** argv) {
  using namespace exchange;
  tutti_open_missing_stdio();
  const CommandLine line = parse(argc, argv);
  tutti_errors_end();
  tutti_init();
  if (tutti_launched() == 0 && !line.exit_code && line.options.ranks > 1)
    tutti_spawn_world(line.options.ranks);
  int code = line.exit_code.value_or(0);
  if (line.exit_code) {
    if (Exchange::rank() == 0) line.print_text();
    code = after_text(code);
  } else {
    code = run(line.options);
  }
  tutti_finalize();
  return code;
}
