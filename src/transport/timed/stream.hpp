// SPDX-License-Identifier: BSD-3-Clause
// A rank's end of its stream (board.hpp). The recorder of the process writes to it, and all
// questions about what depends on time go by it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/timed/board.hpp"
#include "transport/waiter.hpp"

namespace tutti::timed {

class TimedStream {
 public:
  // The board must outlive the object.
  TimedStream(TimedBoard& board, int rank)
      : board_(&board), stream_(&board.stream(rank)), rank_(rank) {}

  // All waits of the rank are by this waiter, so what it has started goes on. It comes before the
  // first item, and outlives this object's last one.
  void wait_by(transport::Waiter& waiter) { waiter_ = &waiter; }

  // Writes an item, and waits if the stream is full.
  void put(const record::RecordItem& item);
  // Writes the text that the last item has announced, in pieces of the length of an item.
  void put_text(std::string_view text);
  // Returns the nanoseconds since the job began. After the rank has left it, they are those of that
  // moment.
  [[nodiscard]] std::uint64_t time();
  // Returns whether a request is done now.
  [[nodiscard]] bool is_done(std::uint32_t request);
  // Waits until one of these requests is done, and returns its place.
  [[nodiscard]] std::size_t first_of(std::span<const std::uint32_t> requests);
  // Returns the name of the plan that is the best on the machine for a question (ItemKind::advise).
  [[nodiscard]] std::string advice_on(std::string_view question);

  // The rank leaves its job. Nothing that it does afterwards has a time.
  void leave();
  [[nodiscard]] bool has_left() const { return left_; }

 private:
  void append(const record::RecordItem& item);
  template <class Over>
  void wait_until(const Over& over);
  // Writes a question, with a text if it announces one, and returns the answer.
  [[nodiscard]] std::uint64_t ask(const record::RecordItem& question, std::string_view text);

  TimedBoard* board_;
  ItemStream* stream_;
  int rank_;
  transport::Waiter* waiter_ = nullptr;
  std::uint64_t written_ = 0, asked_ = 0;
  std::uint64_t seen_taken_ = 0;
  std::uint64_t time_ = 0;  // as it was answered last
  bool left_ = false;
  bool in_text_ = false;
  std::vector<record::RecordItem> held_;  // until the text is written
};

}  // namespace tutti::timed
