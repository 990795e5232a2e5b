// SPDX-License-Identifier: BSD-3-Clause
// A rank's end of its stream (board.hpp). The recorder of the process writes to it, and all
// questions about what depends on time go by it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/timed/board.hpp"
#include "transport/timed/selection.hpp"
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

  // Items that are written from now on belong to this call; 0: to none.
  void set_call(std::uint16_t call) { call_ = call; }

  // Writes an item, and waits if the stream is full.
  void put(record::RecordItem item);
  // Writes the text that the last item has announced, in pieces of the length of an item.
  void put_text(std::string_view text);
  // Returns the nanoseconds since the job began. After the rank has left it, they are those of that
  // moment.
  [[nodiscard]] std::uint64_t time();
  // Returns whether a request is done now.
  [[nodiscard]] bool is_done(std::uint32_t request);
  struct Awaited {
    std::uint32_t request = 0;
    std::uint32_t place = 0;  // requests of one place count together
  };
  // Waits until all requests of one place are done, and returns the place. A wait with a limit ends
  // after so many nanoseconds, and returns nothing.
  [[nodiscard]] std::optional<std::uint32_t> first_of(std::span<const Awaited> awaited,
                                                      std::uint64_t limit = for_ever);

  // --- messages ---
  static constexpr std::uint64_t for_ever = ~std::uint64_t{0};
  // The messages that are sent from now on have this key.
  void set_key(transport::Label key);
  // Posts a receive. Its message is asked for later, unless the selection is named.
  void expect(std::uint32_t request, const Selection& selection, bool asks);
  // Waits until a posted receive is done, and returns its message.
  [[nodiscard]] MessageName message_of(std::uint32_t request);
  // Waits for a message of the selection that no receive has got, and that is there. A wait that
  // goes on keeps its limit, and does not find what it has found before.
  enum class Wait : std::int32_t { begins, goes_on };
  [[nodiscard]] std::optional<MessageName> seek(const Selection& selection, std::uint64_t limit,
                                                Wait wait);
  // Waits until a message is there, or something of this rank is done, since the last such wait.
  void await_news();
  // Takes back a posted receive. Returns false if it has got a message.
  [[nodiscard]] bool cancel(std::uint32_t request);
  // The program has not taken the message that a receive has got.
  void stays(const MessageName& message, transport::Label key);
  // From now on, messages of the selection that find no receive are lost, or stay.
  enum class Fate : std::int32_t { stay, are_lost };
  void discard(const Selection& selection, Fate messages);

  // Returns the name of the plan that is the best on the machine for a question (ItemKind::advise).
  [[nodiscard]] std::string advice_on(std::string_view question);

  // A wait has ended by an exception. The timekeeper goes on with it, so the two have parted, and
  // all that depends on time fails from now on.
  void give_up();
  // The rank leaves its job. Nothing that it does afterwards has a time.
  void leave();
  [[nodiscard]] bool has_left() const { return left_; }

 private:
  void append(const record::RecordItem& item);
  void put_pieces(std::string_view text);
  void select(const Selection& selection);
  template <class Over>
  void wait_until(const Over& over);
  // Writes a question, with a text if it announces one, and returns the answer.
  [[nodiscard]] std::uint64_t ask(const record::RecordItem& question, std::string_view text);

  TimedBoard* board_;
  ItemStream* stream_;
  int rank_;
  std::uint16_t call_ = 0;
  transport::Waiter* waiter_ = nullptr;
  std::uint64_t written_ = 0, asked_ = 0;
  std::uint64_t seen_taken_ = 0;
  std::uint64_t time_ = 0;  // as it was answered last
  Selection selection_;     // as the timekeeper was told last
  transport::Label key_;    // the same
  bool left_ = false;
  bool has_given_up_ = false;  // a wait for the timekeeper, by an exception
  bool asks_ = false;
  bool in_text_ = false;
  std::vector<record::RecordItem> held_;  // until the text is written
};

}  // namespace tutti::timed
