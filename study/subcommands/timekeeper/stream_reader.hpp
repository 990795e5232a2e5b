// SPDX-License-Identifier: BSD-3-Clause
// The timekeeper's end of all streams (transport/timed/board.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "transport/timed/board.hpp"

namespace tutti::tools {

class StreamReader {
 public:
  // Both must outlive the reader.
  StreamReader(const transport::shm::Mapping& mapping, timed::TimedBoard& board)
      : mapping_(mapping), board_(board), taken_(board.ranks) {}

  // Takes the next item of a rank, for which it waits. Returns false if none comes: the process has
  // ended, or the job ends.
  [[nodiscard]] bool next(int rank, record::RecordItem& item);
  // Takes the text that the last item of the rank has announced. It ends early if the process has.
  [[nodiscard]] std::string text(int rank, std::uint64_t bytes);
  // Answers the question that was the last item of the rank.
  void answer(int rank, std::uint64_t value);
  // Answers with the name of a plan. Throws Error(invalid_argument) if it is too long.
  void answer(int rank, const std::string& plan);

 private:
  void tell_taken(int rank);

  const transport::shm::Mapping& mapping_;
  timed::TimedBoard& board_;
  std::vector<std::uint64_t> taken_;  // items by rank
};

}  // namespace tutti::tools
