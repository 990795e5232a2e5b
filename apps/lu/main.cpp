// SPDX-License-Identifier: BSD-3-Clause
// tutti-lu factorizes a matrix over the BLACS, solves with its factors, and says where the time
// goes.
//
//   tutti run -n 4 tutti-lu --size 2000 --grid 2x2 --row-topology S
#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "matrix_file.hpp"
#include "numbers.hpp"
#include "one_thread.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "random.hpp"
#include "solve.hpp"

namespace lu {
namespace {

constexpr double worst_residual = 16;  // as HPL has it
constexpr int exit_wrong = 1;

struct Report {
  Options options;
  Factors factors;
  std::vector<double> seconds;
  Stopwatch watch;  // of the process that prints
  double residual = 0, error = 0;
};

// The grid that is as square as possible, with no more rows than columns.
void choose_grid(Options& options, int processes) {
  if (options.rows == 0) {
    options.rows = support::squarest_rows(processes);
    options.columns = processes / options.rows;
  }
  if (options.rows > processes / options.columns)
    throw std::runtime_error(
        fmt::format("a grid of {}x{} needs {} processes, not {}", options.rows, options.columns,
                    static_cast<long>(options.rows) * options.columns, processes));
}

std::unique_ptr<matrix::File> open_square(Options& options) {
  if (options.file.empty()) return nullptr;
  auto file =
      matrix::File::open(options.file, {options.size, options.size, matrix::Element::double_});
  if (file->is_complex())
    throw std::runtime_error(fmt::format("'{}' has complex numbers", options.file));
  if (file->rows() != file->columns() || file->rows() < 1 || file->rows() > 1000000)
    throw std::runtime_error(
        fmt::format("'{}' has {} rows and {} columns; LU needs as many of both", options.file,
                    file->rows(), file->columns()));
  options.size = static_cast<int>(file->rows());
  return file;
}

// Sets this process's elements. Every process reads the whole file and keeps its own elements. With
// elements that are not finite, the processes would not agree on pivots.
void fill(Matrix& matrix, matrix::File* file, long seed) {
  const Block local = matrix.local();
  const auto mine = [](const Layout& layout, long i) {
    return layout.owner(static_cast<int>(i)) == layout.my_part;
  };
  if (file != nullptr) {
    file->read([&](long i, long j, matrix::Value value) {
      if (!std::isfinite(value.real()))
        throw std::runtime_error(
            fmt::format("the element in row {}, column {} is not finite", i + 1, j + 1));
      if (mine(matrix.rows, i) && mine(matrix.columns, j))
        *local.at(matrix.rows.below(static_cast<int>(i)),
                  matrix.columns.below(static_cast<int>(j))) += value.real();
    });
    return;
  }
  for (int j = 0; j < local.columns; ++j)
    for (int i = 0; i < local.rows; ++i)
      *local.at(i, j) = matrix::random_value(seed, matrix.rows.global(i), matrix.columns.global(j));
}

double slowest(Grid& grid, double seconds) {
  grid.largest(Scope::all, seconds);
  return seconds;
}

Report computed(Grid& grid, const Options& options, matrix::File* file) {
  Report report{options, {}, {}, {}};
  Matrix original(grid, options.size, options.block);
  fill(original, file, options.seed);
  Matrix factors = original;
  support::Repeated progress({"tutti-lu", fmt::format("of {} factorizations", options.runs + 1),
                              grid.row() == 0 && grid.column() == 0},
                             options.runs + 1);
  for (int i = 0; i <= options.runs; ++i) {  // the first run is not timed: plans are made in it
    progress.begin(i);
    factors = original;
    report.watch = {};
    grid.barrier();
    const auto start = std::chrono::steady_clock::now();
    report.factors = factorize(grid, factors, options.look_ahead, report.watch, std::ref(progress));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (i > 0) report.seconds.push_back(slowest(grid, taken.count()));
  }
  if (report.factors.singular >= 0)
    throw std::runtime_error(
        fmt::format("the matrix is singular: column {} has no pivot", report.factors.singular + 1));
  // The solution of A x = (sums of the rows of A) is known.
  const std::vector<double> ones(static_cast<std::size_t>(options.size), 1.0);
  const std::vector<double> b = product(grid, original, ones);
  const std::vector<double> x = solve(grid, factors, report.factors.pivots, b);
  report.residual = scaled_residual(grid, original, x, b);
  for (const double value : x) report.error = std::max(report.error, std::abs(value - 1));
  return report;
}

double gflops(int n, double seconds) {
  const double order = n;
  return (2.0 / 3.0 * order * order * order - 0.5 * order * order) / seconds * 1e-9;
}

// Returns a number if a double can be so large or small, else a power of ten.
std::string determinant(const Factors& factors) {
  const double power = factors.log10_abs_determinant;
  const char* const sign = factors.negative ? "-" : "";
  return std::abs(power) < std::numeric_limits<double>::max_exponent10
             ? fmt::format("{}{:.6g}", sign, std::pow(10.0, power))
             : fmt::format("{}10^{:.6f}", sign, power);
}

struct NamedPart {
  Part part;
  const char* name;
};
constexpr NamedPart parts[] = {{Part::panel, "panels"},
                               {Part::exchange, "row_exchanges"},
                               {Part::broadcast, "broadcasts"},
                               {Part::solve_rows, "rows_of_u"},
                               {Part::update, "updates"}};

void print_json(const Report& report) {
  const Options& options = report.options;
  nlohmann::ordered_json object{{"size", options.size},
                                {"block", options.block},
                                {"grid", {options.rows, options.columns}},
                                {"topologies",
                                 {{"row", options.topologies.row},
                                  {"column", options.topologies.column},
                                  {"combine", options.topologies.combine}}},
                                {"look_ahead", options.look_ahead},
                                {"time_s", support::median(report.seconds)},
                                {"minimum_s", std::ranges::min(report.seconds)},
                                {"gflops", gflops(options.size, support::median(report.seconds))},
                                {"residual", report.residual},
                                {"error", report.error},
                                {"log10_abs_determinant", report.factors.log10_abs_determinant},
                                {"determinant_sign", report.factors.negative ? -1 : 1}};
  for (const auto& [part, name] : parts)
    object["parts_of_first_process_s"][name] = report.watch.seconds(part);
  fmt::print("{}\n", object.dump(2));
}

void print(const Report& report) {
  const Options& options = report.options;
  if (options.json) return print_json(report);
  const double time = support::median(report.seconds);
  fmt::print("LU of order {}, blocks of {}, grid {}x{}{}\n", options.size, options.block,
             options.rows, options.columns, options.look_ahead ? ", look-ahead" : "");
  fmt::print("determinant {}, residual {:.3f} (right if below {}), error of a solution {:.1e}\n",
             determinant(report.factors), report.residual, worst_residual, report.error);
  fmt::print("time: median {:.3f} ms, minimum {:.3f} ms of {} runs; {:.2f} Gflop/s\n", time * 1e3,
             std::ranges::min(report.seconds) * 1e3, options.runs, gflops(options.size, time));
  fmt::print("first process, last run, ms:");
  for (const auto& [part, name] : parts)
    fmt::print(" {} {:.2f}", name, report.watch.seconds(part) * 1e3);
  fmt::print("\n");
}

void run(Options options, int processes) {
  choose_grid(options, processes);
  const auto file = open_square(options);
  Grid grid(options.rows, options.columns, options.topologies);
  if (!grid.inside()) return;
  const Report report = computed(grid, options, file.get());
  if (!(report.residual < worst_residual))
    throw std::runtime_error(fmt::format("the result is wrong: residual {}", report.residual));
  if (grid.row() == 0 && grid.column() == 0) print(report);
}

}  // namespace
}  // namespace lu

int main(int argc, char** argv) {
  tutti_open_missing_stdio();
  const lu::CommandLine line = lu::parse(argc, argv);
  int me = 0, processes = line.exit_code ? 1 : line.options.processes;
  matrix::compute_by_one_thread();
  Cblacs_setup(&me, &processes);
  try {
    if (!line.exit_code) lu::run(line.options, processes);
    if (line.exit_code && me == 0) line.print_text();
    support::require_output();
  } catch (const std::bad_alloc&) {
    tutti_abort(lu::exit_wrong, "tutti-lu: there is no memory for this matrix");
  } catch (const std::exception& problem) {
    tutti_abort(lu::exit_wrong, fmt::format("tutti-lu: {}", problem.what()).c_str());
  }
  Cblacs_exit(0);
  return line.exit_code.value_or(0);
}
