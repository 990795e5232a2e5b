// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <map>

#include "parsing.hpp"

namespace matmul {
namespace {

constexpr int most_blocks = 1000000;

void describe_matrices(CLI::App& app, Options& options) {
  app.add_option("A", options.first,
                 "the first matrix: Matrix Market, NumPy's .npy, or .raw (random numbers)");
  app.add_option("B", options.second, "the second matrix");
  app.add_option("--size",
                 "size of random and raw matrices: N, or MxKxN for M x K times K x N (1000)")
      ->check([&options](const std::string& text) {
        Sizes& s = options.sizes;
        if (support::read_numbers(text, {&s.m, &s.k, &s.n})) return std::string();
        if (!support::read_numbers(text, {&s.m}))
          return "'" + text + "' is no size: give it as N or as MxKxN";
        s.k = s.n = s.m;
        return std::string();
      })
      ->option_text("N");
  app.add_option("--seed", options.seed, "of the random numbers (1)")->option_text("N");
  app.add_option("--type", options.type, "float, double (default) or complex")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, matrix::Element>{{"float", matrix::Element::float_},
                                                 {"double", matrix::Element::double_},
                                                 {"complex", matrix::Element::complex}}))
      ->option_text("float|double|complex");
  app.add_option("--output", options.output, "write the product: .npy, .raw, or else Matrix Market")
      ->option_text("FILE");
}

void describe_algorithm(CLI::App& app, Options& options) {
  app.add_option("--mode", options.mode,
                 "blocks: the memory-efficient algorithm; gather: all fetch B; split: a cube of "
                 "processes; summa; auto (default): a split or blocks, by prediction")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Mode>{{"auto", Mode::automatic},
                                                                      {"blocks", Mode::blocks},
                                                                      {"gather", Mode::gather},
                                                                      {"split", Mode::split},
                                                                      {"summa", Mode::summa}}))
      ->option_text("auto|blocks|gather|split|summa");
  app.add_option("--blocks", options.blocks, "mode blocks: q, the third power of a number (27)")
      ->check([](const std::string& text) {
        int q = 0;
        if (!support::read_numbers(text, {&q}) || cube_root(q) == 0)
          return "'" + text + "' is no third power, such as 8, 27 or 64";
        return q <= most_blocks ? std::string() : "'" + text + "' is more than a million blocks";
      })
      ->option_text("Q");
  app.add_option("--distribution", options.dealt,
                 "mode blocks: custom, in the blocks of the algorithm (default), or static, one "
                 "block per process")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Dealt>{{"custom", Dealt::custom}, {"static", Dealt::fixed}}))
      ->option_text("custom|static");
  app.add_option("--primitive", options.primitive, "mode blocks: how blocks come (hpget)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Primitive>{
          {"get", Primitive::Get}, {"hpget", Primitive::HpGet}, {"put", Primitive::Put}}))
      ->option_text("get|hpget|put");
  app.add_option("--machine", options.machine,
                 "mode auto: the machine of the prediction, as tutti predict names it (this host)")
      ->option_text("NAME");
  support::add_grid(app, options.grid.rows, options.grid.columns,
                    "mode summa: rows and columns of the grid (as square as possible)");
}

void describe_run(CLI::App& app, Options& options) {
  support::add_runs(app, options.runs, "products, of which the times are printed (5)");
  support::add_processes(app, options.processes);
  support::add_json(app, options.json);
  app.add_option("--predict", options.predict,
                 "do not multiply, but write the supersteps for tutti predict")
      ->excludes("--output", "--seed", "--runs", "--json")
      ->option_text("FILE");
}

// Options that have an effect only together with others.
void check(const CLI::App& app, const Options& options) {
  const bool has_files = !options.first.empty();
  if (has_files && options.second.empty()) throw CLI::RequiredError("B");
  for (const char* name : {"--blocks", "--distribution", "--primitive"})
    if (options.mode != Mode::blocks && app.count(name) > 0)
      throw CLI::RequiresError(name, "--mode blocks");
  if (options.mode != Mode::summa && app.count("--grid") > 0)
    throw CLI::RequiresError("--grid", "--mode summa");
  if (options.mode != Mode::automatic && app.count("--machine") > 0)
    throw CLI::RequiresError("--machine", "--mode auto");
  if (has_files && app.count("--seed") > 0) throw CLI::ExcludesError("--seed", "files");
  const bool raw = options.first.ends_with(".raw") || options.second.ends_with(".raw");
  if (has_files && !raw && app.count("--size") > 0)
    throw CLI::ExcludesError("--size", "files that have their sizes");
}

}  // namespace

int cube_root(int q) {
  int root = 1;
  while (root * root * root < q && root < 1000) ++root;
  return root * root * root == q ? root : 0;
}

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  CLI::App app("Multiplies matrices in parallel by BSPlib.", "tutti-matmul");
  app.set_version_flag("--version", "tutti-matmul " TUTTI_VERSION);
  describe_matrices(app, line.options);
  describe_algorithm(app, line.options);
  describe_run(app, line.options);
  support::parse(app, argc, argv, line, [&] { check(app, line.options); });
  return line;
}

}  // namespace matmul
