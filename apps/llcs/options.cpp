// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <map>

#include "parsing.hpp"

namespace llcs {
namespace {

void describe_input(CLI::App& app, Options& options) {
  app.add_option("A", options.first, "first file")->required();
  app.add_option("B", options.second, "second file")->required();
  app.add_option("--characters", options.characters,
                 "what is compared: bytes, utf8 (code points) or fasta (letters without header "
                 "lines and white space); default by the file's ending, .fa, .fasta, .fna and .faa "
                 "being FASTA and all others bytes")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Characters>{{"bytes", Characters::bytes},
                                            {"utf8", Characters::code_points},
                                            {"fasta", Characters::letters}}))
      ->option_text("bytes|utf8|fasta");
  app.add_option_function<std::string>(
         "--algorithm",
         [&options](const std::string& name) { options.standard = name == "standard"; },
         "bit-parallel (default), or the standard one of dynamic programming")
      ->check(CLI::IsMember({"bit-parallel", "standard"}))
      ->option_text("bit-parallel|standard");
  app.add_option("--kernel", options.kernel,
                 "how bits are computed: auto (default), words of 64 bits, or bit planes in the "
                 "vectors of avx2 or avx512, for 16 different characters at most")
      ->check(CLI::IsMember({"auto", "words", "avx2", "avx512"}))
      ->option_text("auto|words|avx2|avx512");
}

void describe_grid(CLI::App& app, Options& options) {
  CLI::Option* const alpha =
      app.add_option("--alpha", options.alpha, "columns of blocks of each process (chosen)")
          ->check(CLI::Range(1, 100000))
          ->option_text("N");
  app.add_option("--machine", options.machine,
                 "the machine for which alpha is chosen, as tutti predict names it (this host)")
      ->excludes(alpha)
      ->option_text("NAME");
  app.add_option("--cache", options.cache,
                 "bytes that a row of a block of the standard algorithm may take (size of the "
                 "first-level cache)")
      ->check(CLI::PositiveNumber)
      ->excludes(alpha)
      ->option_text("BYTES");
  app.add_option_function<std::string>(
         "--supersteps",
         [&options](const std::string& name) {
           options.supersteps = name == "block" ? Supersteps::per_block : Supersteps::per_diagonal;
         },
         "synchronise once per diagonal of blocks (default) or once per block")
      ->check(CLI::IsMember({"block", "diagonal"}))
      ->option_text("block|diagonal");
}

void describe_run(CLI::App& app, Options& options) {
  CLI::Option* const subsequence =
      app.add_option("--subsequence", options.subsequence,
                     "also write a longest common subsequence into FILE, - for stdout; process 0 "
                     "searches for it alone")
          ->option_text("FILE");
  app.add_option("--predict", options.predict,
                 "do not fill the table, but write the supersteps for tutti predict")
      ->excludes(subsequence, support::add_json(app, options.json))
      ->option_text("FILE");
  support::add_processes(app, options.processes);
}

// Options that belong to one of the algorithms.
void check(const CLI::App& app, const Options& options) {
  for (const char* name : {"--kernel", "--machine"})
    if (options.standard && app.count(name) > 0)
      throw CLI::ExcludesError(name, "--algorithm standard");
  if (!options.standard && app.count("--cache") > 0)
    throw CLI::RequiresError("--cache", "--algorithm standard");
}

}  // namespace

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  CLI::App app("Prints the length of the longest common subsequence of two files.", "tutti-llcs");
  app.set_version_flag("--version", "tutti-llcs " TUTTI_VERSION);
  describe_input(app, line.options);
  describe_grid(app, line.options);
  describe_run(app, line.options);
  support::parse(app, argc, argv, line, [&] { check(app, line.options); });
  return line;
}

}  // namespace llcs
