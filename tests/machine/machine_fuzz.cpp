// SPDX-License-Identifier: BSD-3-Clause
// Tests that no machine file makes the reader crash. A file is either a machine, whose routes can
// be walked, or it is refused in one line. The files of the corpus are read as they are. Then
// randomly changed copies of them are read for SECONDS.
//   test_machine_corpus CORPUS [SECONDS [SEED]]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "machine/builtin.hpp"
#include "machine/machine.hpp"

namespace {

using tutti::machine::Machine;

// Words with which changed files get past the first checks.
constexpr const char* words[] = {"[network]\n",
                                 "[node]\n",
                                 "[protocol]\n",
                                 "[graph]\n",
                                 "[graph]\nnodes = 3\nlinks = [\"0 <-> 1\", \"1 <-> 2\"]\n",
                                 "topology = ",
                                 "switching = ",
                                 "{value = ",
                                 ", status = \"assumed\", source = \"a guess\"}\n",
                                 "\"graph:\"",
                                 "\"bus:9\"",
                                 "\"fattree:4x4/1x2\"",
                                 "\"dragonfly:3x2x2\"",
                                 "\"mesh:2x3\"",
                                 "\"share_equal\"",
                                 "inf",
                                 "nan",
                                 "-1",
                                 "1e308",
                                 "0",
                                 "9223372036854775807",
                                 "like = \"cm5\"\n",
                                 "like = \"./x.toml\"\n",
                                 "\"",
                                 "'''",
                                 "[[",
                                 "]",
                                 "->",
                                 "<->",
                                 "x",
                                 ":",
                                 "/",
                                 "\n",
                                 "\0",
                                 "\xff",
                                 "1979-05-27",
                                 "true",
                                 "{}",
                                 "[]",
                                 "= ",
                                 ".",
                                 "4096",
                                 "1048576",
                                 "65535",
                                 "routes = [\"0 -> 1\"]\n"};

class Fuzzer {
 public:
  Fuzzer(std::vector<std::string> corpus, unsigned long long seed)
      : corpus_(std::move(corpus)), random_(seed) {}

  std::string next() {
    std::string text = corpus_[below(corpus_.size())];
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1),
                      length = std::min(text.size() - at, 1 + below(40));
    switch (below(7)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, words[below(std::size(words))]);
        break;
      case 2:
        text.replace(at, length, words[below(std::size(words))]);
        break;
      case 3:
        text.insert(below(text.size() + 1), text.substr(at, length * 4));
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 5:
        change_number(text, at);
        break;
      default:
        splice(text, at);
        break;
    }
  }

  void change_number(std::string& text, std::size_t at) {
    const std::size_t digit = text.find_first_of("0123456789", at);
    if (digit == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", digit), text.size());
    static constexpr const char* values[] = {"0",    "1",   "-3",   "2.5",        "1000000",
                                             "1e99", "inf", "4097", "99999999999"};
    text.replace(digit, end - digit, values[below(std::size(values))]);
  }

  // Replaces the rest of the text by the rest of another file.
  void splice(std::string& text, std::size_t at) {
    const std::string& other = corpus_[below(corpus_.size())];
    text = text.substr(0, at) + other.substr(std::min(other.size(), below(other.size() + 1)));
  }

  std::vector<std::string> corpus_;
  std::mt19937_64 random_;
};

// Walks routes from the first nodes to others.
void walk(const Machine& machine) {
  const tutti::machine::Topology& topology = *machine.network.topology;
  tutti::machine::Route route;
  for (int i = 0; i < 64; ++i) {
    const int from = i % topology.nodes(), to = static_cast<int>(i * 7919LL % topology.nodes());
    topology.route_into(from, to, route);
    int at = from;
    for (const tutti::machine::Link link : route) {
      const bool good = link.node >= 0 && topology.index(link) < topology.links() &&
                        topology.has(link) && topology.ends(link).from == at;
      if (!good)
        throw std::logic_error(
            fmt::format("no route from {} to {} on {}", from, to, topology.name()));
      at = topology.ends(link).to;
    }
    if (at != to)
      throw std::logic_error(
          fmt::format("{} is not reached from {} on {}", to, from, topology.name()));
  }
  if (!std::isfinite(alone(machine, 1e6, 3))) throw std::logic_error("a message takes for ever");
}

// Returns true if the text is a machine. Throws if it is neither a machine nor refused properly.
bool read(const std::string& text) {
  try {
    walk(tutti::machine::parse_machine(text, "fuzz.toml"));
    return true;
  } catch (const tutti::base::Error& error) {
    if (*error.what() == '\0') throw std::logic_error("refused without a word");
    return false;
  }
}

std::vector<std::string> corpus_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  for (const tutti::machine::BuiltinMachine& builtin : tutti::machine::builtins())
    texts.emplace_back(builtin.text);
  return texts;
}

// The file that is being read, which is printed if an assertion fails in the parser.
std::string text;
void print_text(int) {
  (void)!write(STDERR_FILENO, text.data(), text.size());
  (void)!write(STDERR_FILENO, "\n", 1);
}

int run(const std::string& folder, double seconds, unsigned long long seed) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> corpus = corpus_in(folder);
  long long machines = 0, files = 0;
  (void)std::signal(SIGABRT, print_text);
  try {
    for (const std::string& known : corpus) machines += read(text = known) ? 1 : 0, ++files;
    Fuzzer fuzzer(corpus, seed);
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
           seconds)
      machines += read(text = fuzzer.next()) ? 1 : 0, ++files;
  } catch (const std::exception& error) {
    fmt::print(stderr, "test_machine_corpus {} {} {}: {}, with the file\n{}\n", folder, seconds,
               seed, error.what(), text);
    return 1;
  }
  fmt::print("{} files, {} of them machines, none crashed; seed {}\n", files, machines, seed);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "test_machine_corpus CORPUS [SECONDS [SEED]]\n");
    return 2;
  }
  const unsigned long long seed =
      count > 3 ? std::strtoull(arguments[3], nullptr, 10) : std::random_device()();
  return run(arguments[1], count > 2 ? std::strtod(arguments[2], nullptr) : 0, seed);
}
