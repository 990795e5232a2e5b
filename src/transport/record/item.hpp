// SPDX-License-Identifier: BSD-3-Clause
// The part of one process in the record of a job: a file with a header and then items, one after
// the other. `tutti run --record` makes one file of all parts when the job has ended
// (command/run/job_record.hpp). A part never leaves its machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::record {

enum class ItemKind : std::uint8_t {
  none,      // nothing was written here or behind it
  name,      // the next name of calls; `bytes` long, as are all texts, which follow the item
  group,     // a text "ID ENDPOINT ENDPOINT ..." of the members of a group
  bound,     // the next bound operation, as JSON
  counter,   // the next name of arrival counters
  place,     // the next place in the program
  run,       // `peer`: a bound operation
  send,      // `peer`: the receiver
  withdraw,  // the started send `request` does not take place
  receive,   // `peer`: the sender; `bytes`: which of its messages
  probe,     // as receive, but the message stays
  post,      // a receive was posted
  come,      // the message of the posted receive `request`; else as receive
  wait,      // the wait for `request` is over
  share,     // memory that others use without a message
  arrive,    // `peer`: a counter; `bytes`: how many come to it
  spend,     // the process computes for `bytes` nanoseconds, as it says itself
  until,     // as spend, until `bytes` nanoseconds after the beginning of the job
  end,       // the process has left its job, or ended by itself
  // Only the timekeeper is told these (transport/timed/board.hpp), and they stand in no file.
  // `post` and `come` stand only in files.
  key,      // `bytes` and `request`: tag and detail of the messages that are sent from now on
  select,   // a text: the timed::Selection that the next items mean
  expect,   // posts the receive `request`; `peer`: 1 if its message is asked for, 0 if it is named
  stays,    // the message `bytes` of `peer` was not taken by the receive that got it
  discard,  // from now on, messages of the selection that find no receive stay, or (`peer` 1) are
            // lost
  // Questions. `ticks`: nanoseconds after which the wait for an answer ends; ~0: it does not.
  clock,   // asks for the time; the answer is in nanoseconds
  test,    // asks whether `request` is done; the answer is 0 or 1
  first,   // asks which of the requests in the text is done first; the answer is its place
  which,   // asks for the message of the receive `request`, when that is done
  seek,    // asks for a message of the selection that is there; `peer`: 1 if the program does not
           // want that which the last such question has got
  news,    // waits until a message is there or a request is done, since the last such question
  cancel,  // asks to take back the receive `request`; the answer is 1 if it has no message
  advise   // asks for the best plan; the text is a question_text() of selection
};

// `request` is 0 where an operation is over when its call returns, or where there is none.
struct alignas(32) RecordItem {
  ItemKind kind = ItemKind::none;
  std::uint8_t unused = 0;
  std::uint16_t call = 0;  // a name; 0: none
  std::int32_t peer = 0;
  std::uint32_t request = 0;
  std::uint32_t place = 0;  // from which the program calls; 0: not known
  std::uint64_t bytes = 0;
  std::uint64_t ticks = 0;  // for which the process has computed since its last item
};
static_assert(sizeof(RecordItem) == 32);

struct RecordHeader {
  static constexpr std::uint64_t current_magic = 0x3144524345525454;  // "TTRECRD1"

  std::uint64_t magic = 0;
  std::int32_t process = 0;
  bool counter = false;  // ticks are those of the processor
  std::uint64_t begin_ticks = 0;
  std::int64_t begin_monotonic = 0;  // nanoseconds
};

// Items begin here.
constexpr std::size_t first_item_at = 4096;

}  // namespace tutti::record
