// SPDX-License-Identifier: BSD-3-Clause
// Gives changed texts to the parsers that have no fuzz test of their own: tables of tutti tune,
// TUTTI_ALGORITHM, topologies, charts and lists of messages, TUTTI_JOB. Each text is taken, or
// refused with a sentence. The texts of the corpus, which were wrong once, come first.
//   faults_words CORPUS    with TUTTI_SECONDS (1) and TUTTI_SEED (1)
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "launch/job_descriptor.hpp"
#include "machine/topology.hpp"
#include "selection/policy.hpp"
#include "selection/table.hpp"
#include "traffic/chart_file.hpp"

namespace {

using namespace tutti;

// A parser, and texts that it takes.
struct Parser {
  const char* name;
  void (*read)(const std::string& text);
  std::vector<std::string> texts;
};

std::vector<Parser> parsers() {
  return {
      {"policy",
       [](const std::string& text) { (void)selection::parse_policy(text); },
       {"bcast=tree:branches=2,gdsum=mst", "allreduce=hybrid:4cx8r.2c,alltoall=bruck:branches=3",
        "broadcast=chain:segments=8", "allreduce=hybrid:factors=2x4:cut=1"}},
      {"topology",
       [](const std::string& text) {
         const auto topology = machine::parse_topology(text);
         (void)topology->route(0, topology->nodes() - 1);
       },
       {"mesh:4x8", "torus:3x4x5", "hypercube:6", "line:9", "ring:7", "fattree:4x4/1x2",
        "dragonfly:3x2x2", "bus:9", "crossbar:8"}},
      {"table",
       [](const std::string& text) { (void)selection::parse_table(text, "fuzz.toml"); },
       {"[[plan]]\noperation = \"allreduce\"\nranks = [2, 8]\nbytes = [0, \"64K\"]\nalgorithm = "
        "\"ring\"\nratio = 0.5\n",
        "[[plan]]\nmpi = \"openmpi\"\noperation = \"bcast\"\noperator = \"mpi\"\nranks = [2, "
        "8]\nbytes = [0, 4096]\nalgorithm = \"native\"\n"}},
      {"messages",
       [](const std::string& text) {
         const auto topology = traffic::topology_of_chart(text);
         const auto line = machine::parse_topology("mesh:4x4");
         (void)traffic::read_messages(text, "fuzz.txt", topology == nullptr ? *line : *topology);
       },
       {"0 -> 1\n2 -> 3\n\n1 -> 0\n", "# a comment\n4 -> 5\n"}},
      {"job",
       [](const std::string& text) { (void)launch::JobDescriptor::parse(text); },
       {"segment=3,supervisor=4,before=0,rank=0", "segment=10,supervisor=11,before=1,rank=2"}},
  };
}

constexpr const char* words[] = {
    "=", ":",  ",",    "x",       "/",   "0",  "-1",    "inf",   "nan",        "->",   "\n", "[[",
    "]", "\"", "\xff", "\x1b[2J", "1e9", "..", "65535", "1<<31", "2147483647", "1x1x", "#",  " "};

class Mutator {
 public:
  explicit Mutator(unsigned long long seed) : random_(seed) {}

  std::string changed(const std::vector<std::string>& texts) {
    std::string text = texts[below(texts.size())];
    for (std::size_t n = 1 + below(5); n > 0; --n) change(text, texts);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  void change(std::string& text, const std::vector<std::string>& texts) {
    const std::size_t at = below(text.size() + 1), length = below(12);
    const std::size_t digit = text.find_first_of("0123456789", at);
    switch (below(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, words[below(std::size(words))]);
        break;
      case 2:
        text.replace(at, std::min(length, text.size() - at), words[below(std::size(words))]);
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 4:
        if (digit != std::string::npos)
          text.replace(digit, 1, std::to_string(random_() >> below(64)));
        break;
      default:
        const std::string& other = texts[below(texts.size())];
        text = text.substr(0, at) + other.substr(below(other.size() + 1));
    }
  }

  std::mt19937_64 random_;
};

std::string now;  // what is being read
void print_now(int number) {
  (void)!write(STDERR_FILENO, now.data(), now.size());
  (void)!write(STDERR_FILENO, "\n", 1);
  (void)std::signal(number, SIG_DFL);
  (void)std::raise(number);
}

// Returns true if the parser has taken the text.
bool taken(const Parser& parser, const std::string& text) {
  now = fmt::format("{}: {}", parser.name, text);
  ::alarm(20);
  try {
    parser.read(text);
    return true;
  } catch (const base::Error& error) {
    if (*error.what() == '\0') throw std::logic_error("refused without a word");
    return false;
  }
}

double number_of(const char* variable, double otherwise) {
  const char* given = std::getenv(variable);
  return given == nullptr ? otherwise : std::atof(given);
}

// The files of the corpus are named after the parser, such as topology-1. They are changed, too.
int read_corpus(std::vector<Parser>& all, const char* folder) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (Parser& parser : all) {
      if (!name.starts_with(parser.name)) continue;
      (void)taken(parser, text);
      parser.texts.push_back(text);
      ++files;
    }
  }
  return files;
}

int run(const char* folder) {
  const double seconds = number_of("TUTTI_SECONDS", 1);
  const auto seed = static_cast<unsigned long long>(number_of("TUTTI_SEED", 1));
  std::vector<Parser> all = parsers();
  for (const Parser& parser : all)
    for (const std::string& text : parser.texts)
      if (!taken(parser, text)) throw std::logic_error("a right text is refused");
  const int files = read_corpus(all, folder);
  Mutator mutator(seed);
  long long texts = 0, good = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(seconds)) {
    const Parser& parser = all[static_cast<std::size_t>(texts++) % all.size()];
    good += taken(parser, mutator.changed(parser.texts)) ? 1 : 0;
  }
  fmt::print("{} files and {} changed texts, {} of them taken; TUTTI_SEED={}\n", files, texts, good,
             seed);
  return files > 0 && good > 0 && good < texts ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGALRM}) (void)std::signal(number, print_now);
  try {
    return argc == 2 ? run(argv[1]) : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n{}\n", error.what(), now);
    return 1;
  }
}
