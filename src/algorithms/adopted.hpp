// SPDX-License-Identifier: BSD-3-Clause
// Generators that are made while a program runs, such as those of files. A Generator is a table of
// functions without data, so each of these has a slot of its own, whose functions find the data.
#pragma once

#include <memory>
#include <string>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

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

// Returns the adopted generator of this name; null if there is none.
[[nodiscard]] const schedule::Generator* adopted(schedule::Operation operation,
                                                 const std::string& name);

}  // namespace tutti::algorithms
