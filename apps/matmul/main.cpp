// SPDX-License-Identifier: BSD-3-Clause
// tutti-matmul multiplies matrices by one of several parallel algorithms, checks the product, and
// says how the time divides.
//
//   tutti run -n 4 tutti-matmul --size 2000 --mode blocks --blocks 64 --distribution static
#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "bsp_program.hpp"
#include "check.hpp"
#include "choice.hpp"
#include "numbers.hpp"
#include "one_thread.hpp"
#include "options.hpp"
#include "prediction.hpp"
#include "progress.hpp"
#include "writer.hpp"

namespace matmul {
namespace {

using BSPWrapper::Pid;

struct Report {
  Options options;
  std::vector<double> seconds;
  double computing_s = 0;  // of the process that computes longest, in the last run
  int supersteps = 0;
  long words = 0, extra = 0;  // most of a process
  double residual = 0;
  std::complex<double> diagonal;  // the sum of its elements
  double off_diagonal = 0;        // the largest other element
};

Cube cube_of(const Options& options) {
  return options.cube.m > 0 ? options.cube : best_cube(options.sizes, BSPWrapper::P);
}

// Replaces mode auto by an algorithm.
template <class T>
void choose_mode(Options& options) {
  if (options.mode != Mode::automatic) return;
  options.mode = Mode::split;
  if (BSPWrapper::P == 1 && options.machine.empty()) return;
  choose(options, BSPWrapper::P, static_cast<double>(sizeof(T)) / 8, common_rate<T>());
}

template <class T>
std::unique_ptr<Product<T>> make_product(Options& options) {
  const int p = BSPWrapper::P;
  switch (options.mode) {
    case Mode::blocks:
      return product_by_blocks<T>(options.sizes,
                                  {cube_root(options.blocks), options.dealt, options.primitive});
    case Mode::summa:
      if (options.grid.rows == 0) options.grid = square_grid(p);
      if (static_cast<long>(options.grid.rows) * options.grid.columns != p)
        throw std::runtime_error(fmt::format("a grid of {}x{} is none of {} processes",
                                             options.grid.rows, options.grid.columns, p));
      return product_by_summa<T>(options.sizes, options.grid);
    case Mode::gather:
      return product_by_split<T>(options.sizes, {p, 1, 1});
    default:
      return product_by_split<T>(options.sizes, cube_of(options));
  }
}

template <class T>
T element_of(const matrix::Value& value) {
  if constexpr (std::is_same_v<T, std::complex<double>>) return value;
  return static_cast<T>(value.real());
}

template <class T>
void fill(Array<T>& array, matrix::File* file, long seed) {
  if (file != nullptr) {
    array.ForEachOwn([](int, int, T& element) { element = T(); });
    file->read([&array](long row, long column, matrix::Value value) {
      if (!std::isfinite(value.real()) || !std::isfinite(value.imag()))
        throw std::runtime_error(
            fmt::format("the element in row {}, column {} is not finite", row + 1, column + 1));
      const int i = static_cast<int>(row), j = static_cast<int>(column);
      if (array.Mine(i, j)) array.At(i, j) += element_of<T>(value);
    });
    return;
  }
  array.ForEachOwn([seed](int row, int column, T& element) {
    element = element_of<T>(
        {matrix::random_value(seed, row, column), matrix::random_value(seed + 1, row, column)});
  });
}

// The files, of which every process reads its part.
struct Files {
  explicit Files(Options& options) {
    if (options.first.empty()) return;
    const Sizes& raw = options.sizes;
    first = matrix::File::open(options.first, {raw.m, raw.k, options.type});
    second = matrix::File::open(options.second, {raw.k, raw.n, options.type});
    constexpr long most = 1000000;
    if (first->columns() != second->rows())
      throw std::runtime_error(fmt::format("'{}' has {} columns, but '{}' has {} rows",
                                           options.first, first->columns(), options.second,
                                           second->rows()));
    if (std::min({first->rows(), first->columns(), second->columns()}) < 1 ||
        std::max({first->rows(), first->columns(), second->columns()}) > most)
      throw std::runtime_error("a matrix has no element, or more than a million rows or columns");
    if ((first->is_complex() || second->is_complex()) && options.type != matrix::Element::complex)
      throw std::runtime_error("a file has complex numbers: use --type complex");
    options.sizes = {static_cast<int>(first->rows()), static_cast<int>(second->columns()),
                     static_cast<int>(first->columns())};
  }
  std::unique_ptr<matrix::File> first, second;
};

// Process 0 fetches one line after the other.
template <class T>
void write(Array<T>& array, const Options& options) {
  std::unique_ptr<matrix::Writer> writer;
  if (Pid == 0)
    writer = matrix::Writer::create(options.output, array.Rows(), array.Columns(), options.type);
  int by_columns = writer != nullptr && writer->by_columns() ? 1 : 0;
  by_columns = largest_of_all(by_columns);
  const int lines = by_columns != 0 ? array.Columns() : array.Rows();
  const int length = by_columns != 0 ? array.Rows() : array.Columns();
  std::vector<T> line(static_cast<std::size_t>(length));
  for (int i = 0; i < lines; ++i) {
    if (writer != nullptr)
      array.Get(by_columns != 0 ? Rectangle{0, i, length, 1} : Rectangle{i, 0, 1, length},
                line.data(), by_columns != 0 ? 1 : length);
    BSPWrapper::Sync();
    if (writer != nullptr) writer->line({line.begin(), line.end()});
  }
  if (writer != nullptr) writer->finish();
}

// Fills in numbers that a person can check: for a matrix and its inverse, the order and nearly 0.
template <class T>
void describe(Array<T>& c, Report& report) {
  std::vector<double> diagonal(2);
  double most = 0;
  c.ForEachOwn([&](int row, int column, const T& element) {
    if (row != column) {
      most = std::max(most, static_cast<double>(std::abs(element)));
      return;
    }
    const std::complex<double> value(element);
    diagonal[0] += value.real();
    diagonal[1] += value.imag();
  });
  diagonal = sum_of_all(diagonal);
  report.diagonal = {diagonal[0], diagonal[1]};
  report.off_diagonal = largest_of_all(most);
}

template <class T>
Report computed(Options options) {
  Report report;
  Files files(options);
  choose_mode<T>(options);
  const std::unique_ptr<Product<T>> product = make_product<T>(options);
  fill(product->a, files.first.get(), options.seed);
  fill(product->b, files.second.get(), options.seed + 2);
  support::Repeated progress(
      {"tutti-matmul", fmt::format("of {} products", options.runs + 1), Pid == 0},
      options.runs + 1);
  for (int i = 0; i <= options.runs; ++i) {  // the first run is not timed: it touches memory
    progress.begin(i);
    product->account = {};
    BSPWrapper::Sync();
    const double start = BSPWrapper::Time();
    product->run(std::ref(progress));
    const double taken = largest_of_all(BSPWrapper::Time() - start);
    if (i > 0) report.seconds.push_back(taken);
  }
  report.computing_s = largest_of_all(product->account.computing_s);
  report.supersteps = product->account.supersteps;
  report.words = largest_of_all(product->account.words);
  report.extra = largest_of_all(product->extra_elements());
  BSPWrapper::Sync();
  report.residual = residual(*product);
  if (!(report.residual <= 1))
    throw std::runtime_error(fmt::format("the result is wrong: residual {}", report.residual));
  describe(product->c, report);
  if (!options.output.empty()) write(product->c, options);
  report.options = std::move(options);
  return report;
}

std::string text_of(const std::complex<double>& value) {
  return value.imag() == 0 ? fmt::format("{:.6g}", value.real())
                           : fmt::format("{:.6g}{:+.6g}i", value.real(), value.imag());
}

double gflops(const Options& options, double seconds) {
  const Sizes& s = options.sizes;
  const double operations = options.type == matrix::Element::complex ? 8 : 2;
  return operations * s.m * s.n * s.k / seconds * 1e-9;
}

std::string name_of(const Options& options) {
  switch (options.mode) {
    case Mode::blocks:
      return fmt::format("{} blocks, {} distribution, {}", options.blocks,
                         options.dealt == Dealt::custom ? "custom" : "static",
                         options.primitive == Primitive::Get     ? "get"
                         : options.primitive == Primitive::HpGet ? "hpget"
                                                                 : "put");
    case Mode::summa:
      return fmt::format("SUMMA on {}x{} processes", options.grid.rows, options.grid.columns);
    case Mode::gather:
      return "all fetch B";
    default: {
      const Cube cube = cube_of(options);
      return fmt::format("split among {}x{}x{} processes", cube.m, cube.n, cube.k);
    }
  }
}

void print(const Report& report) {
  const Options& options = report.options;
  const Sizes& s = options.sizes;
  const double time = support::median(report.seconds), least = std::ranges::min(report.seconds);
  if (options.json) {
    nlohmann::ordered_json object{
        {"m", s.m},
        {"k", s.k},
        {"n", s.n},
        {"processes", BSPWrapper::P},
        {"algorithm", name_of(options)},
        {"time_s", time},
        {"minimum_s", least},
        {"gflops", gflops(options, time)},
        {"computing_s", report.computing_s},
        {"supersteps", report.supersteps},
        {"words", report.words},
        {"extra_elements", report.extra},
        {"residual", report.residual},
        {"diagonal_sum", {report.diagonal.real(), report.diagonal.imag()}},
        {"largest_off_diagonal", report.off_diagonal}};
    if (options.predicted_s > 0) object["predicted_s"] = options.predicted_s;
    fmt::print("{}\n", object.dump(2));
    return;
  }
  fmt::print("{} x {} times {} x {}, {} processes: {}\n", s.m, s.k, s.k, s.n, BSPWrapper::P,
             name_of(options));
  fmt::print("result: sum of the diagonal {}, largest element off it {:.3g}\n",
             text_of(report.diagonal), report.off_diagonal);
  fmt::print("residual {:.3f} (right up to 1)\n", report.residual);
  fmt::print("time: median {:.3f} ms, minimum {:.3f} ms of {} runs; {:.2f} Gflop/s\n", time * 1e3,
             least * 1e3, options.runs, gflops(options, time));
  fmt::print(
      "most of a process: {:.3f} ms in products, {} words from others, {} elements besides "
      "its parts; {} supersteps\n",
      report.computing_s * 1e3, report.words, report.extra, report.supersteps);
}

// Writes the supersteps that the product would have.
template <class T>
void predict(Options options) {
  const Files files(options);
  choose_mode<T>(options);
  const int p = BSPWrapper::P;
  const double words = static_cast<double>(sizeof(T)) / 8;
  std::vector<profile::Superstep> steps;
  if (options.mode == Mode::summa)
    throw std::runtime_error("--predict: SUMMA broadcasts within groups, without supersteps");
  if (options.mode == Mode::blocks) {
    const BlocksOptions how{cube_root(options.blocks), options.dealt, options.primitive};
    steps = supersteps_by_blocks(options.sizes, how, p, words,
                                 measured_rate<T>(kept_by_blocks(options.sizes, how, p)));
  } else {
    const Cube cube = options.mode == Mode::gather ? Cube{p, 1, 1} : cube_of(options);
    steps = supersteps_by_split(options.sizes, cube, p, words, measured_rate<T>());
  }
  if (Pid == 0) profile::write(options.predict, steps, "tutti-matmul");
}

template <class T>
void serve(const Options& options) {
  if (!options.predict.empty()) return predict<T>(options);
  const Report report = computed<T>(options);
  if (Pid == 0) print(report);
}

void run(const Options& options) {
  try {
    if (options.type == matrix::Element::float_) return serve<float>(options);
    if (options.type == matrix::Element::double_) return serve<double>(options);
    serve<std::complex<double>>(options);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error("there is no memory for these matrices");
  }
}

}  // namespace
}  // namespace matmul

int main(int argc, char** argv) {
  tutti_open_missing_stdio();
  matrix::compute_by_one_thread();
  return support::run_bsp_program("tutti-matmul", matmul::parse(argc, argv), matmul::run);
}
