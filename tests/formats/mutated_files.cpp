// SPDX-License-Identifier: BSD-3-Clause
// Changes files of schedules at random and reads them. Nothing may crash or hang. Files that are
// found right are written out, one on a line, for a checker that shares nothing with tutti.
// Arguments: the number of files, or of seconds such as 600s; a seed; and the file of those that
// were found right.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <random>

#include "base/error.hpp"
#include "formats/check.hpp"
#include "formats/load.hpp"
#include "formats/message_rounds.hpp"
#include "formats/msccl.hpp"
#include "formats/program_file.hpp"
#include "samples.hpp"

namespace tutti {
namespace {

using schedule::Operation;

std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  const auto add = [&](Operation operation, const char* name, int p, int root) {
    const formats::Schedule made = formats::schedule_of(operation, name, p, root);
    texts.push_back(formats::program_text(made));
    return made;
  };
  add(Operation::allreduce, "bidirectional_exchange", 4, 0);
  add(Operation::broadcast, "mst", 5, 3);
  add(Operation::reduce, "mst", 4, 1);
  add(Operation::alltoall, "bruck", 4, 0);
  add(Operation::barrier, "dissemination", 3, 0);
  add(Operation::scan, "doubling", 4, 0);
  add(Operation::gather, "mst", 3, 2);
  add(Operation::reduce_scatter, "halving", 4, 0);
  texts.push_back(formats::msccl_text(add(Operation::allreduce, "ring", 3, 0)));
  texts.push_back(formats::msccl_text(add(Operation::allgather, "circulant", 3, 0)));
  const auto graph = formats::message_graph(add(Operation::allreduce, "ring", 4, 0), {1000, 0.5});
  texts.push_back(formats::goal_text(graph, {0, 1}));
  auto with_streams = graph;
  for (auto& nodes : with_streams)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      nodes[i].processor = nodes[i].interface = static_cast<int>(i % 3);
  texts.push_back(formats::goal_text(with_streams, {0, 1}));
  return texts;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string changed(std::string text) {
    for (int n = 1 + below(3); n > 0 && !text.empty(); --n) change(text);
    return text;
  }
  int below(std::size_t n) {
    return static_cast<int>(std::uniform_int_distribution<std::size_t>(0, n - 1)(random_));
  }

 private:
  void change(std::string& text) {
    const auto at = static_cast<std::size_t>(below(text.size()));
    const auto length = static_cast<std::size_t>(1 + below(40));
    switch (below(8)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(static_cast<std::size_t>(below(text.size())), text.substr(at, length));
        break;
      case 3:
        change_word(text, at);
        break;
      default:
        change_number(text, at);
    }
  }

  // Replaces the next number.
  void change_number(std::string& text, std::size_t at) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    static constexpr const char* numbers[] = {
        "0", "1",  "2",    "3",          "4",          "5",
        "7", "-1", "4096", "1000000000", "2147483647", "99999999999999999999"};
    text.replace(begin, end - begin, numbers[below(below(4) == 0 ? std::size(numbers) : 6)]);
  }

  void change_word(std::string& text, std::size_t at) {
    static constexpr const char* words[] = {"input",        "output",
                                            "scratch",      "send",
                                            "receive",      "receive_combine",
                                            "combine",      "copy",
                                            "to",           "from",
                                            "of",           "true",
                                            "false",        "null",
                                            "any_root",     "commutative_only",
                                            "in_place",     "srcbuf=\"o\"",
                                            "type=\"rrc\"", "type=\"r\"",
                                            "type=\"s\""};
    const std::size_t begin = text.find_first_of("abcdefghijklmnopqrstuvwxyz", at);
    if (begin == std::string::npos) return;
    const std::size_t end =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", begin), text.size());
    text.replace(begin, end - begin, words[below(std::size(words))]);
  }

  std::mt19937_64 random_;
};

// Messages of GOAL are only read: nobody can say that they are right.
bool is_goal(const std::string& text) {
  return text.starts_with("num_ranks");
}

bool is_right(const std::string& text) {
  try {
    if (is_goal(text)) {
      static_cast<void>(
          formats::rounds_of(formats::matched(formats::read_goal(text, "file"), "file")));
      return false;
    }
    return formats::verdict_of(formats::schedule_in(text, "file").schedule).correct();
  } catch (const base::Error&) {
    return false;
  }
}

// Programs of MSCCL are written in tutti's own form for the checker.
std::string one_line(std::string text) {
  if (text.find('<') < text.find('{'))
    text = formats::program_text(formats::schedule_in(text, "file").schedule);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

template <class Number>
Number number_in(const char* text) {
  Number number{};
  const std::string_view view(text);
  std::from_chars(view.data(), view.data() + view.size(), number);
  return number;
}

}  // namespace
}  // namespace tutti

int main(int argc, char** argv) {
  using namespace tutti;
  if (argc != 4) return 2;
  const bool timed = std::string_view(argv[1]).ends_with('s');
  const auto most = number_in<int>(argv[1]);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(most);
  Mutator mutator(number_in<std::uint64_t>(argv[2]));
  std::FILE* const out = std::fopen(argv[3], "w");
  if (out == nullptr) return 2;
  const std::vector<std::string> texts = seeds();
  int right = 0, files = 0;
  for (; timed ? std::chrono::steady_clock::now() < end : files < most; ++files) {
    const std::string text =
        mutator.changed(texts[static_cast<std::size_t>(mutator.below(texts.size()))]);
    if (!is_right(text)) continue;
    ++right;
    fmt::print(out, "{}\n", one_line(text));
  }
  std::fclose(out);
  fmt::print("{} of {} changed files are right\n", right, files);
  return right > 0 ? 0 : 1;
}
