// SPDX-License-Identifier: BSD-3-Clause
// Tests what tasks find in shared records after one was killed in the middle of a change: groups by
// a kill after each instruction, and the message mailbox by what such a task leaves. Operations of
// a group go on beyond number 2^32.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "board.hpp"
#include "faults/stepped.hpp"
#include "group_record.hpp"

// Processes that a fork has made are no tasks, so the library gives them no lock. This one has the
// number of its process in the word. tests/services tests the lock of the library.
tutti_status tutti_lock(std::uint32_t* lock, int* repair) {
  const auto mine = static_cast<std::uint32_t>(::getpid());
  std::uint32_t seen = 0;
  *repair = 0;
  std::atomic_ref word(*lock);
  while (!word.compare_exchange_strong(seen, mine)) {
    *repair = seen != 0 && ::kill(static_cast<pid_t>(seen), 0) != 0 ? 1 : 0;
    if (*repair == 0) seen = 0;
  }
  return TUTTI_OK;
}
tutti_status tutti_unlock(std::uint32_t* lock) {
  std::atomic_ref(*lock).store(0);
  return TUTTI_OK;
}

namespace tutti::pvm {
namespace {

constexpr int first = 0x40001, second = 0x40002, third = 0x40003;

struct Unmap {
  template <class Record>
  void operator()(Record* record) const {
    ::munmap(record, sizeof(Record));
  }
};
using SharedGroup = std::unique_ptr<GroupRecord, Unmap>;

SharedGroup new_group() {
  void* const memory = ::mmap(nullptr, sizeof(GroupRecord), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return SharedGroup(static_cast<GroupRecord*>(memory));
}

using test::is_made_within;
using test::may_trace;

// The group must be as before the change or as after it, and take members as any other.
void expect_whole(GroupRecord& group, int before, int after) {
  const int members = group.membership().size;
  EXPECT_TRUE(members == before || members == after) << members;
  const GroupMembers seen = group.membership();
  EXPECT_EQ(group.size(), seen.size);
  EXPECT_EQ(std::count_if(seen.tids.begin(), seen.tids.end(), [](int tid) { return tid != 0; }),
            seen.size);
  EXPECT_EQ(group.state() == GroupRegistry::absent, seen.size == 0);
  EXPECT_TRUE(group.membership_at(seen.epoch - 1));
  EXPECT_GE(group.join(third), 0);
  EXPECT_EQ(group.size(), members + 1);
  EXPECT_EQ(group.membership().size, members + 1);
}

class SharedRecords : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(tutti_init(), TUTTI_OK); }
  static void TearDownTestSuite() { EXPECT_EQ(tutti_finalize(), TUTTI_OK); }

  // Kills after ever more instructions, until the change is made.
  static void kill_in(const std::function<void(GroupRecord&)>& change, int before, int after) {
    if (!may_trace()) GTEST_SKIP() << "no process can be traced here";
    bool made = false;
    for (int instructions = 1; !made; instructions += 3) {
      ASSERT_LT(instructions, 20'000);
      const SharedGroup group = new_group();
      ASSERT_EQ(group->join(first), 0);
      made = is_made_within(instructions, [&] { change(*group); });
      expect_whole(*group, before, after);
      if (HasFailure()) FAIL() << "killed after " << instructions << " instructions";
    }
  }
};

TEST_F(SharedRecords, AKilledTaskLeavesAGroupAsBeforeOrAfterItsJoin) {
  kill_in([](GroupRecord& group) { group.join(second); }, 1, 2);
}

TEST_F(SharedRecords, AKilledTaskLeavesAGroupAsBeforeOrAfterItsDeparture) {
  kill_in([](GroupRecord& group) { group.leave(first); }, 1, 0);
}

// Goes on after operation 2^32 - 4, with members that are late by up to 200 operations.
TEST_F(SharedRecords, OperationsGoOnWhereTheirNumbersBeginAnew) {
  const SharedGroup group = new_group();
  ASSERT_EQ(group->join(first), 0);
  const auto offer = [] { return Pinned{7, {}}; };
  std::uint32_t late = 0xfffffffcU;
  ASSERT_TRUE(group->pin(late, offer));
  for (int i = 0; i < 700; ++i) {
    const std::uint32_t number = group->operations();
    ASSERT_FALSE(group->failed(number)) << number;
    const auto pinned = group->pin(number, offer);
    ASSERT_TRUE(pinned) << number;
    EXPECT_EQ(pinned->epoch, 7U);
    ASSERT_NE(group->operations(), number);
    if (i < 200) continue;
    const auto seen = group->pin(late, [] { return Pinned{8, {}}; });
    ASSERT_TRUE(seen && seen->epoch == 7U) << late;
    late = operation_after(late);
  }
}

using SharedTable = std::unique_ptr<GroupTable, Unmap>;

SharedTable new_table() {
  void* const memory = ::mmap(nullptr, sizeof(GroupTable), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return SharedTable(static_cast<GroupTable*>(memory));
}

bool never(int) {
  return false;
}
bool always(int) {
  return true;
}

TEST_F(SharedRecords, APlaceThatIsGivenToAnotherNameIsNoLongerHeld) {
  const SharedTable table = new_table();
  const auto old = table->give("old", never), other = table->give("other", never);
  EXPECT_TRUE(table->holds(old) && table->holds(other));
  EXPECT_NE(old.place, other.place);
  const auto next = table->give("next", always);
  EXPECT_EQ(next.place, old.place);
  EXPECT_FALSE(table->holds(old));
  EXPECT_TRUE(table->holds(next) && table->holds(other));
  EXPECT_EQ(table->find("old").place, -1);
  EXPECT_EQ(table->find("next").life, next.life);
  for (int i = 2; i < GroupTable::places; ++i)
    EXPECT_EQ(table->give(std::to_string(i), never).place, i);
  EXPECT_EQ(table->give("one more", never).place, -1);
}

// The name is then there or not, and the place serves the next name.
TEST_F(SharedRecords, AKilledTaskLeavesATableOfWholeNames) {
  if (!may_trace()) GTEST_SKIP() << "no process can be traced here";
  bool made = false;
  for (int instructions = 1; !made; instructions += 3) {
    ASSERT_LT(instructions, 20'000);
    const SharedTable table = new_table();
    const auto old = table->give("old", never);
    made = is_made_within(instructions, [&] { (void)table->give("new", always); });
    const auto found = table->find("new");
    EXPECT_TRUE(found.place == -1 || (found.place == 0 && table->holds(found)));
    EXPECT_TRUE(found.place == -1 || !table->holds(old));
    EXPECT_EQ(table->give("next", always).place, 0);
    EXPECT_EQ(table->find("next").place, 0);
    if (HasFailure()) FAIL() << "killed after " << instructions << " instructions";
  }
}

// Puts a message of so many bytes and returns what PVM would.
int put(Board& board, const char* name, int bytes) {
  MessageBuffer message(1, PvmDataRaw);
  const std::vector<char> data(static_cast<std::size_t>(bytes), name[0]);
  EXPECT_EQ(message.pack(data.data(), 1, bytes, 1), PvmOk);
  return board.put(name, message, PvmMboxOverWritable, 0);
}

bool holds(Board& board, const char* name, int bytes) {
  MessageBuffers buffers;
  const int number = board.receive(buffers, name, 0, 0, 0);
  if (number <= 0) return false;
  const MessageBuffer& found = *buffers.find(number);
  const auto* const data = reinterpret_cast<const char*>(found.data());
  return found.size() == static_cast<std::size_t>(bytes) &&
         std::all_of(data, data + bytes, [&](char c) { return c == name[0]; });
}

BoardRecord& board_record() {
  void* address = nullptr;
  EXPECT_EQ(tutti_record("pvm.board", sizeof(BoardRecord), &address), TUTTI_OK);
  return *static_cast<BoardRecord*>(address);
}

TEST_F(SharedRecords, AKilledTaskLeavesNoBlockToTwoMessages) {
  constexpr int bytes = 3 * BoardRecord::block_bytes;
  Board board;
  ASSERT_EQ(put(board, "a", bytes), 0);
  BoardRecord& record = board_record();
  const pid_t child = ::fork();
  if (child == 0) {  // ends as if killed while it removes "a", between two stores of Board::clear
    record.lock.lock();
    BoardEntry& entry = record.entry[0];
    entry.used = false;
    record.free_block = std::exchange(entry.first_block, record.next[entry.first_block]);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(put(board, "b", bytes), 0);
  ASSERT_EQ(put(board, "c", bytes), 0);
  EXPECT_TRUE(holds(board, "b", bytes));
  EXPECT_TRUE(holds(board, "c", bytes));
  // Every block is somewhere: all but those of "b" and "c" can be had at once.
  EXPECT_EQ(put(board, "d", (BoardRecord::blocks - 6) * BoardRecord::block_bytes), 0);
  for (const char* name : {"b", "c", "d"}) EXPECT_EQ(board.remove(name, 0, 0), PvmOk);
}

TEST_F(SharedRecords, AMessageThatDoesNotFitLeavesTheOneItWouldReplace) {
  Board board;
  ASSERT_EQ(put(board, "e", 100), 0);
  EXPECT_EQ(put(board, "e", (BoardRecord::blocks + 1) * BoardRecord::block_bytes), PvmNoMem);
  EXPECT_TRUE(holds(board, "e", 100));
  EXPECT_EQ(board.remove("e", 0, 0), PvmOk);
}

}  // namespace
}  // namespace tutti::pvm
