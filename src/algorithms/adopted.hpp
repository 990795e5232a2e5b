// SPDX-License-Identifier: BSD-3-Clause
// Generators that are made while a program runs, such as those of files. A Generator is a table of
// functions without data, so each of these has a slot of its own, whose functions find the data.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "formats/schedule.hpp"
#include "schedule/generator.hpp"

namespace tutti::algorithms {

// How many generators a program can have that are not built in.
inline constexpr std::size_t most_adopted = 256;

// The cost that a source states: start-ups, and how often the whole vector is moved and combined.
struct Price {
  double alpha = 0, beta = 0, gamma = 0;
};

// The behaviour of a generator. Its functions mean the same as those of schedule::Generator.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  [[nodiscard]] virtual int rounds(const schedule::Shape& shape) const = 0;
  [[nodiscard]] virtual schedule::Buffers buffers(const schedule::Shape& shape) const = 0;
  virtual void emit(schedule::Round& out, const schedule::Shape& shape, schedule::Rank me,
                    int t) const = 0;
  [[nodiscard]] virtual bool applies(const schedule::Shape& shape) const = 0;
  // Returns the shapes that it serves, in words that follow "it needs".
  [[nodiscard]] virtual std::string needs() const = 0;
  // Returns what all ranks must have alike, as text.
  [[nodiscard]] virtual std::string identity() const = 0;
  // Returns a sentence that says what it does, and where it is published; empty if nobody says it.
  [[nodiscard]] virtual std::string about() const { return {}; }
  [[nodiscard]] virtual std::string published() const { return {}; }
  // Returns the cost that it states; nothing if its cost has to be counted.
  [[nodiscard]] virtual std::optional<Price> price(const schedule::Shape& /*shape*/) const {
    return std::nullopt;
  }
  // Returns the schedule as it is before its proof, for readers who want to see what is wrong;
  // nothing if it has been proved already.
  [[nodiscard]] virtual std::optional<formats::Schedule> unproved(
      const schedule::Shape& /*shape*/) const {
    return std::nullopt;
  }
  // Returns true if it may be chosen when no algorithm is named.
  [[nodiscard]] virtual bool candidate() const { return false; }
};

struct Adopted {
  std::string name;
  schedule::Operation operation;
  schedule::Operators operators;
  bool in_place;
};

// Makes a generator, which stays until the program ends. Throws Error(invalid_argument) if there
// are too many.
const schedule::Generator& adopt(Adopted about, std::unique_ptr<Source> source);

// Returns the source of a generator; null for those of the registry.
[[nodiscard]] const Source* source_of(const schedule::Generator& generator);

// Returns true if the generator may be chosen when no algorithm is named.
[[nodiscard]] bool is_candidate(const schedule::Generator& generator);

// Returns the adopted generator of this name; null if there is none.
[[nodiscard]] const schedule::Generator* adopted(schedule::Operation operation,
                                                 const std::string& name);

}  // namespace tutti::algorithms
