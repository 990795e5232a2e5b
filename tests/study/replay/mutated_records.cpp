// SPDX-License-Identifier: BSD-3-Clause
// Changes records at random, reads them, and replays those that the reader finds right. Nothing may
// crash or hang: each ends well or with one sentence. Arguments: how many, a seed, and the files.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "formats/recorded_run.hpp"
#include "machine/machine.hpp"
#include "replay/replay.hpp"

namespace tutti {
namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string changed(std::string text) {
    for (std::size_t n = 1 + below(3); n > 0 && !text.empty(); --n) change(text);
    return text;
  }
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

 private:
  void change(std::string& text) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(40));
        break;
      case 2:
        change_field(text, at, true);
        break;
      case 3:
        change_field(text, at, false);
        break;
      default:
        change_number(text, at);
    }
  }

  // Drops the next field of an object or the next item of a list, or doubles it.
  void change_field(std::string& text, std::size_t at, bool drops) {
    const std::size_t begin = text.find_first_of("\"{", at);
    if (begin == std::string::npos) return;
    std::size_t end = begin;
    for (int depth = 0; end < text.size(); ++end) {
      const char c = text[end];
      if (c == '{' || c == '[') ++depth;
      if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
      if (c == '}' || c == ']') --depth;
    }
    const std::string field = text.substr(begin, end - begin);
    if (!drops) return static_cast<void>(text.insert(begin, field + ","));
    const bool is_last = end >= text.size() || text[end] != ',';
    text.erase(begin, field.size() + (is_last ? 0 : 1));
  }

  void change_number(std::string& text, std::size_t at) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    static constexpr const char* numbers[] = {"0",          "1",
                                              "2",          "3",
                                              "4",          "7",
                                              "-1",         "4096",
                                              "2147483647", "1125899906842624",
                                              "1000000000", "288230376151711744"};
    text.replace(begin, end - begin, numbers[below(below(4) == 0 ? std::size(numbers) : 6)]);
  }

  std::mt19937_64 random_;
};

std::string contents_of(const char* name) {
  std::ifstream file(name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Counts {
  int refused = 0, failed = 0, replayed = 0;
};

void check_sentence(const base::Error& error) {
  const std::string_view text = error.what();
  if (!text.empty() && text.find('\n') == std::string_view::npos) return;
  fmt::print("no sentence: {}\n", text);
  std::exit(1);
}

void try_text(const std::string& text, const machine::Machine& machine, Counts& counts) {
  try {
    const formats::RecordedRun run = formats::read_recorded_run(text, "file");
    try {
      static_cast<void>(replay::replay(machine, run, {.compute = 1}));
      ++counts.replayed;
    } catch (const base::Error& error) {
      check_sentence(error);
      ++counts.failed;
    }
  } catch (const base::Error& error) {
    check_sentence(error);
    ++counts.refused;
  }
}

}  // namespace
}  // namespace tutti

int main(int argc, char** argv) {
  using namespace tutti;
  if (argc < 4) return 2;
#ifndef TUTTI_SANITIZED
  constexpr rlimit gibibyte{rlim_t{1} << 30, rlim_t{1} << 30};
  if (setrlimit(RLIMIT_AS, &gibibyte) != 0) return 2;
#endif
  std::vector<std::string> texts;
  for (int i = 3; i < argc; ++i) texts.push_back(contents_of(argv[i]));
  Mutator mutator(std::strtoull(argv[2], nullptr, 10));
  const std::vector<machine::Machine> machines = {
      machine::load_machine("ipsc860-forced"), machine::load_machine("sp2"),
      machine::load_machine("ethernet"), machine::load_machine("paragon-512-R1.2")};
  Counts counts;
  const int most = std::atoi(argv[1]);
  for (int i = 0; i < most; ++i) {
    const std::string text = mutator.changed(texts[mutator.below(texts.size())]);
    if (std::ofstream last("last.json"); last) last << text;
    alarm(20);  // a file that takes longer ends this program
    try_text(text, machines[mutator.below(machines.size())], counts);
  }
  fmt::print("{} refused, {} failed in the replay, {} replayed\n", counts.refused, counts.failed,
             counts.replayed);
  return counts.refused > 0 && counts.failed > 0 && counts.replayed > 0 ? 0 : 1;
}
