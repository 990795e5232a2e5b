// SPDX-License-Identifier: BSD-3-Clause
// A generator whose functions are written in JavaScript. typed.js calls them: its object is
// Module.typed, and it returns the operations of a round as whole numbers in the form that
// RoundReader reads. An exception of JavaScript passes through all functions of C++ and ends the
// run.
#include <emscripten.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/registered.hpp"
#include "base/error.hpp"
#include "selection/names.hpp"
#include "tutti/tutti_generator.h"

// `which` is an index of `functions` in typed.js.
EM_JS(int, typed_number, (int which, int p, int root),
      { return Module.typed.number(which, p, root); });

// Returns how many words it has put at tutti_typed_words().
EM_JS(int, typed_round, (int p, int root, int rank, int t), {
  const words = Module.typed.round(p, root, rank, t);
  const at = _tutti_typed_words(words.length) >> 2;  // may replace HEAP32
  HEAP32.set(words, at);
  return words.length;
});

namespace {

std::vector<int> words;  // of the round that is read
std::string problem;

enum class Kind { send, receive, receive_combine, combine, copy, fail };

// Reads the operations of a round, which are its kind and its arguments in the order of
// tutti_generator.h. A list has its length in front.
class RoundReader {
 public:
  explicit RoundReader(tutti_round* round) : round_(round) {}

  void read() {
    while (at_ < words.size()) read_operation();
  }

 private:
  struct Operands {
    std::vector<std::vector<tutti_blocks>> blocks;
    std::vector<tutti_operand> list;
  };

  int next() { return words[at_++]; }

  std::vector<tutti_blocks> blocks() {
    std::vector<tutti_blocks> list(static_cast<std::size_t>(next()));
    for (tutti_blocks& one : list) {
      one.buffer = static_cast<tutti_buffer>(next());
      for (int* const number : {&one.first, &one.count, &one.stride, &one.times}) *number = next();
    }
    return list;
  }

  Operands operands() {
    Operands all;
    const auto count = static_cast<std::size_t>(next());
    all.list.resize(count);
    for (tutti_operand& one : all.list) {
      one.from = next();
      all.blocks.push_back(blocks());
    }
    for (std::size_t i = 0; i < count; ++i) {
      all.list[i].blocks = all.blocks[i].data();
      all.list[i].count = static_cast<int>(all.blocks[i].size());
    }
    return all;
  }

  std::string text() {
    std::string bytes(static_cast<std::size_t>(next()), '\0');
    for (char& byte : bytes) byte = static_cast<char>(next());
    return bytes;
  }

  void read_operation() {
    const auto kind = static_cast<Kind>(next());
    if (kind == Kind::fail) return round_->fail(round_, text().c_str());
    const int other = kind == Kind::send || kind == Kind::receive ? next() : 0;
    const auto first = blocks();
    const int n = static_cast<int>(first.size());
    if (kind == Kind::send) return round_->send(round_, other, first.data(), n);
    if (kind == Kind::receive) return round_->receive(round_, other, first.data(), n);
    if (kind == Kind::copy) {
      const auto source = blocks();
      return round_->copy(round_, first.data(), n, source.data(), static_cast<int>(source.size()));
    }
    const Operands all = operands();
    const auto add = kind == Kind::receive_combine ? round_->receive_combine : round_->combine;
    add(round_, first.data(), n, all.list.data(), static_cast<int>(all.list.size()));
  }

  tutti_round* round_;
  std::size_t at_ = 0;
};

enum Function { applies_function, rounds_function, parts_function, scratch_function };

template <Function which>
int number(const tutti_schedule_shape* shape, void* /*data*/) {
  return typed_number(which, shape->p, shape->root);
}

void emit(tutti_round* round, const tutti_schedule_shape* shape, int rank, int t, void* /*data*/) {
  words.resize(static_cast<std::size_t>(typed_round(shape->p, shape->root, rank, t)));
  RoundReader(round).read();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int* tutti_typed_words(int count) {
  words.resize(static_cast<std::size_t>(count));
  return words.data();
}

// Says why tutti_typed_register() has failed.
EMSCRIPTEN_KEEPALIVE const char* tutti_typed_problem() {
  return problem.c_str();
}

// Registers the generator that Module.typed has. Returns the number of its operation, or -1 if that
// fails.
EMSCRIPTEN_KEEPALIVE int tutti_typed_register(const char* name, const char* operation, int flags) {
  try {
    tutti_generator given{};
    given.struct_size = sizeof given;
    given.name = name;
    given.operation = static_cast<tutti_operation>(tutti::selection::operation_named(operation));
    given.about = "An algorithm of your own, typed into the playground.";
    given.flags = flags;
    given.applies = number<applies_function>;
    given.rounds = number<rounds_function>;
    given.parts = number<parts_function>;
    given.scratch = number<scratch_function>;
    given.emit = emit;
    tutti::algorithms::register_generator(given);
    return static_cast<int>(given.operation);
  } catch (const tutti::base::Error& error) {
    problem = error.what();
  }
  return -1;
}
}
