// SPDX-License-Identifier: BSD-3-Clause
// The round that a registered generator adds operations to, through the functions of
// tutti_generator.h. Only registered.cpp uses it.
#pragma once

#include <string>

#include "formats/schedule.hpp"
#include "tutti/tutti_generator.h"

namespace tutti::algorithms {

// One round of one rank. Operations that the limits refuse are left out, and `problem` says why.
class RegisteredRound {
 public:
  RegisteredRound(const formats::Schedule& header, int rank);
  RegisteredRound(const RegisteredRound&) = delete;
  RegisteredRound& operator=(const RegisteredRound&) = delete;

  [[nodiscard]] tutti_round* given() { return &given_; }
  // Says what is wrong with the first operation that was refused; empty if none was.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] schedule::Round take() { return std::move(round_); }

 private:
  template <class Add>
  static void guarded(tutti_round* round, const Add& add);
  schedule::Blocks blocks_of(const tutti_blocks* blocks, int count);
  void combine_as(schedule::Do what, const tutti_blocks* result, int count,
                  const tutti_operand* operands, int operand_count);
  void add(schedule::Op op);
  void refuse(std::string why);

  const formats::Schedule& header_;
  int rank_;
  tutti_round given_;
  schedule::Round round_;
  std::string problem_;
};

}  // namespace tutti::algorithms
