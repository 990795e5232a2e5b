// SPDX-License-Identifier: BSD-3-Clause
// tutti-llcs computes the length of the longest common subsequence of two files in parallel (P.
// Krusche's thesis, chapter 5). It is a program of BSP and uses tutti's BSPlib only.
//
//   tutti run -n 4 tutti-llcs a.txt b.txt
#include <fmt/format.h>
#include <tutti-bspwrapper/costs.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "bsp_program.hpp"
#include "choice.hpp"
#include "file.hpp"
#include "grid.hpp"
#include "methods.hpp"
#include "options.hpp"
#include "prediction.hpp"
#include "progress.hpp"
#include "subsequence.hpp"
#include "text.hpp"
#include "wavefront.hpp"

namespace llcs {
namespace {

struct String {
  String(const std::string& path, std::optional<Characters> wanted)
      : name(path), file(path), characters(wanted.value_or(characters_of(path))) {}
  [[nodiscard]] std::string_view bytes() const { return file.bytes(); }

  std::string name;
  File file;
  Characters characters;
  std::size_t size = 0;  // in characters
};

// Both strings before they are cut.
struct Input {
  explicit Input(const Options& options)
      : x(options.first, options.characters), y(options.second, options.characters) {
    if (x.characters != y.characters)
      throw std::runtime_error(
          fmt::format("only '{}' is FASTA by its name: say with --characters what both files are",
                      x.characters == Characters::letters ? x.name : y.name));
    for (String* string : {&x, &y}) string->size = count(*string);
    alphabet.number();
  }
  std::size_t count(const String& string) try {
    return alphabet.add(string.bytes(), string.characters);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(fmt::format("'{}': {}", string.name, problem.what()));
  }

  String x, y;
  Alphabet alphabet;
};

// Returns the parts of a string that `grid` gives to this process, each in its slot.
template <class Code>
std::vector<Code> own_parts(const String& string, const Alphabet& alphabet, const Grid& grid,
                            const Parts& parts) {
  std::vector<Code> own(static_cast<std::size_t>(grid.alpha) * parts.length);
  Reader reader(string.bytes(), string.characters);
  std::uint32_t character = 0;
  for (int part = 0; part < grid.blocks(); ++part) {
    Code* const to = &own[static_cast<std::size_t>(grid.slot(part)) * parts.length];
    for (std::size_t i = 0; i < parts.size(part) && reader.next(character); ++i)
      if (grid.owner(part) == BSPWrapper::Pid)
        to[i] = static_cast<Code>(alphabet.code_of(character));
  }
  return own;
}

template <class Code>
std::vector<Code> codes(const String& string, const Alphabet& alphabet) {
  std::vector<Code> all;
  Reader reader(string.bytes(), string.characters);
  for (std::uint32_t character = 0; reader.next(character);)
    all.push_back(static_cast<Code>(alphabet.code_of(character)));
  return all;
}

template <class Code>
std::unique_ptr<BitKernel<Code>> kernel_of(const Options& options, std::size_t alphabet) {
  if constexpr (sizeof(Code) == 1) {
    if (options.kernel != "words") {
      const int lanes = options.kernel == "avx2" ? 4 : options.kernel == "avx512" ? 8 : 0;
      if (auto kernel = vector_kernel(alphabet, lanes)) return kernel;
    }
  }
  if (options.kernel == "avx2" || options.kernel == "avx512") {
    throw std::runtime_error(fmt::format(
        "--kernel {} needs a processor that has it and 16 different characters at most, not {}",
        options.kernel, alphabet));
  }
  return word_kernel<Code>(alphabet);
}

// (5.4) of the thesis: a row of a block, of five bytes for each character, lies in the cache.
Choice standard_alpha(const Options& options, const Input& input) {
  if (options.alpha > 0) return {options.alpha};
  const long found = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  const std::size_t cache = options.cache > 0 ? options.cache
                            : found > 0       ? static_cast<std::size_t>(found)
                                              : std::size_t{32} << 10;
  const double best = BSPWrapper::SubsequenceCost::BestAlpha(
      static_cast<double>(input.x.size), BSPWrapper::P, static_cast<double>(cache));
  return {static_cast<int>(std::clamp(best, 1.0, 64.0))};
}

template <class Method>
Grid make_grid(const Input& input, const Choice& choice) {
  const Grid grid = grid_of<Method>(BSPWrapper::P, choice.alpha, input.x.size, input.y.size);
  // BSPlib counts bytes in int.
  const std::size_t most = static_cast<std::size_t>(grid.alpha) * (grid.y.length + 1) * 8;
  if (most > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::runtime_error("the second string is too long for these processes: use more");
  return grid;
}

struct Result {
  std::uint64_t length = 0;
  double seconds = 0;
  int supersteps = 0;
  Choice choice;
  std::string kernel;
};

support::Progress progress(const char* text) {
  return {"tutti-llcs", text, BSPWrapper::Pid == 0};
}

template <class Method>
Result measured(const Options& options, const Input& input, const Grid& grid, Method& method) {
  using Code = typename Method::Code;
  const std::vector<Code> x = own_parts<Code>(input.x, input.alphabet, grid, grid.x);
  std::vector<Code> y = own_parts<Code>(input.y, input.alphabet, grid, grid.y);
  if (!options.predict.empty()) {
    MeasuredBlocks<Method> blocks(grid, method, x, y);
    const auto time = [&blocks](std::size_t width, std::size_t height) {
      return blocks(width, height);
    };
    const auto steps = Prediction<Method>(grid, time).supersteps(options.supersteps);
    if (BSPWrapper::Pid == 0) profile::write(options.predict, steps, "tutti-llcs");
    return {};
  }
  Wavefront<Method> wavefront(grid, method, x, y);
  BSPWrapper::Sync();
  const double start = BSPWrapper::Time();
  Result result;
  result.length = wavefront.run(options.supersteps, progress("of the table"));
  result.seconds = BSPWrapper::Time() - start;
  result.supersteps = wavefront.supersteps();
  return result;
}

template <class Code>
Result by_standard(const Options& options, const Input& input) {
  const Choice choice = standard_alpha(options, input);
  const Grid grid = make_grid<Standard<Code>>(input, choice);
  Standard<Code> method(grid);
  Result result = measured(options, input, grid, method);
  result.choice = choice;
  return result;
}

template <class Code>
Result by_bits(const Options& options, const Input& input) {
  const auto kernel = kernel_of<Code>(options, input.alphabet.size());
  const Choice choice = options.alpha > 0
                            ? Choice{options.alpha}
                            : chosen_alpha(*kernel, input.alphabet.size(), input.x.size,
                                           input.y.size, options.machine, options.supersteps);
  const Grid grid = make_grid<BitParallel<Code>>(input, choice);
  BitParallel<Code> method(grid, *kernel);
  Result result = measured(options, input, grid, method);
  result.choice = choice;
  result.kernel = kernel->name();
  return result;
}

template <class Code>
void write_subsequence(const Options& options, const Input& input) {
  const auto kernel = kernel_of<Code>(options, input.alphabet.size());
  const auto x = codes<Code>(input.x, input.alphabet);
  const auto y = codes<Code>(input.y, input.alphabet);
  std::string text;
  for (const Code code :
       longest_subsequence<Code>(x, y, *kernel, progress("of the search for a subsequence")))
    append(text, input.alphabet.character_of(code), input.x.characters);
  const bool to_stdout = *options.subsequence == "-";
  std::FILE* const file = to_stdout ? stdout : std::fopen(options.subsequence->c_str(), "wb");
  const bool written = file != nullptr &&
                       std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                       (to_stdout ? std::fflush(file) : std::fclose(file)) == 0;
  if (!written)
    throw std::runtime_error(
        fmt::format("cannot write '{}': {}", *options.subsequence, std::strerror(errno)));
}

// The report goes to stderr where stdout has the subsequence.
void print(const Options& options, const Input& input, const Result& result) {
  std::FILE* const out = options.subsequence == "-" ? stderr : stdout;
  const double rate =
      static_cast<double>(input.x.size) * static_cast<double>(input.y.size) / result.seconds * 1e-9;
  if (!options.json) {
    const std::string text = fmt::format(
        "length {}, of {} and {} characters, {} different\ntime {:.6f} s, {:.2f} G pairs of "
        "characters per second, {} processes, alpha {}, {}\n",
        result.length, input.x.size, input.y.size, input.alphabet.size(), result.seconds, rate,
        BSPWrapper::P, result.choice.alpha,
        options.standard ? "standard algorithm" : result.kernel);
    // Failure is harmless: require_output() asks stdout for errors; stderr has only a remark.
    std::fputs(text.c_str(), out);
    return;
  }
  nlohmann::ordered_json object{{"length", result.length},
                                {"characters", {input.x.size, input.y.size}},
                                {"alphabet", input.alphabet.size()},
                                {"time_s", result.seconds},
                                {"pairs_per_s", rate * 1e9},
                                {"processes", BSPWrapper::P},
                                {"alpha", result.choice.alpha},
                                {"supersteps", result.supersteps},
                                {"algorithm", options.standard ? "standard" : "bit-parallel"}};
  if (!options.standard) object["kernel"] = result.kernel;
  if (result.choice.predicted_s > 0) object["predicted_s"] = result.choice.predicted_s;
  // Failure is harmless: require_output() asks stdout for errors; stderr has only a remark.
  std::fputs((object.dump(2) + "\n").c_str(), out);
}

template <class Code>
void run(const Options& options, const Input& input) {
  const Result result =
      options.standard ? by_standard<Code>(options, input) : by_bits<Code>(options, input);
  if (BSPWrapper::Pid != 0 || !options.predict.empty()) return;
  if (options.subsequence) write_subsequence<Code>(options, input);
  print(options, input, result);
}

void run(const Options& options) {
  const Input input(options);
  if (input.alphabet.size() <= 256) {
    run<std::uint8_t>(options, input);
  } else {
    run<std::uint32_t>(options, input);
  }
}

}  // namespace
}  // namespace llcs

int main(int argc, char** argv) {
  tutti_open_missing_stdio();
  return support::run_bsp_program("tutti-llcs", llcs::parse(argc, argv),
                                  [](const llcs::Options& options) { llcs::run(options); });
}
