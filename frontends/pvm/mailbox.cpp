// SPDX-License-Identifier: BSD-3-Clause
// The calls of the message mailbox (pvm_putinfo, ...), and the older ones that keep a number under
// a name (pvm_insert, ...). The entries are in board.hpp.
#include <algorithm>
#include <chrono>
#include <regex>
#include <string>
#include <thread>

#include "board.hpp"
#include "core.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

Board& board() {
  PvmState& mine = state();
  if (mine.board == nullptr) mine.board = std::make_unique<Board>();
  return *mine.board;
}

struct WantedInfo {
  const char* name;
  int index, flags;
  int number = PvmNotFound;  // of the buffer that has it, or an error

  [[nodiscard]] bool look() {
    PvmState& mine = state();
    number = board().receive(mine.buffers, name, index, flags, mine.tid);
    return number != PvmNotFound;
  }
};

// No task is told of new entries, so a task that waits for one looks again every millisecond. After
// a second it looks less often and counts as one that waits for the others, so that a wait in vain
// is found.
int receive_info(const char* name, int index, int flags) {
  WantedInfo wanted{name, index, flags};
  if (wanted.look() || (flags & PvmMboxWaitForInfo) == 0) return wanted.number;
  for (int looks = 0; looks < 1000; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (wanted.look()) return wanted.number;
  }
  const auto no_message = [](void*, int, std::uint64_t, std::int64_t) { return 0; };
  const tutti_match match = {sizeof match, TUTTI_ANY, 0, 0, no_message, nullptr};
  const auto is_there = [](void* info) { return static_cast<WantedInfo*>(info)->look() ? 1 : 0; };
  tutti_envelope envelope;
  const tutti_status status = tutti_mail_await(&match, -1, is_there, &wanted, &envelope);
  return status == TUTTI_WOULD_WAIT ? wanted.number : code_of(status);
}

bool fits(const std::string& pattern, const char* name) {
  if (pattern == "*" || pattern.empty()) return true;
  try {
    return std::regex_search(name, std::regex(pattern, std::regex::grep));
  } catch (const std::regex_error&) {
    return pattern == name;
  }
}

// The result of pvm_getmboxinfo: arrays that pvmmboxinfo points into.
struct Class {
  std::string name;
  std::vector<int> indices, owners, flags;
};
struct Listing {
  std::vector<Class> classes;
  std::vector<pvmmboxinfo> infos;
};

void list(const std::string& pattern, Listing& listing) {
  listing = {};
  for (const BoardEntry& entry : board().list()) {
    if (!fits(pattern, entry.name)) continue;
    const auto same = [&entry](const Class& one) { return one.name == entry.name; };
    auto found = std::find_if(listing.classes.begin(), listing.classes.end(), same);
    if (found == listing.classes.end())
      found = listing.classes.insert(found, {entry.name, {}, {}, {}});
    found->indices.push_back(entry.index);
    found->owners.push_back(entry.owner);
    found->flags.push_back(entry.flags);
  }
  for (Class& one : listing.classes) {
    listing.infos.push_back({one.name.data(), static_cast<int>(one.indices.size()),
                             one.indices.data(), one.owners.data(), one.flags.data()});
  }
}

}  // namespace

extern "C" {

int pvm_putinfo(char* name, int buffer, int flags) {
  return call("pvm_putinfo", [&] {
    PvmState& mine = state();
    MessageBuffer* message = mine.buffers.find(buffer);
    if (name == nullptr || flags < 0) return PvmBadParam;
    if (message == nullptr) return buffer < 1 ? PvmBadParam : PvmNoSuchBuf;
    return message->flatten() ? board().put(name, *message, flags, mine.tid) : PvmNoMem;
  });
}

int pvm_recvinfo(char* name, int index, int flags) {
  return call("pvm_recvinfo", [&] {
    if (name == nullptr || index < 0) return PvmBadParam;
    const int number = receive_info(name, index, flags);
    if (number <= 0) return number;
    MessageBuffers& buffers = state().buffers;
    buffers.free(buffers.receiving_number());
    buffers.set_receiving(number);
    return number;
  });
}

int pvm_delinfo(char* name, int index, int) {
  return call("pvm_delinfo", [&] {
    return name == nullptr || index < 0 ? PvmBadParam : board().remove(name, index, state().tid);
  });
}

int pvm_getmboxinfo(char* pattern, int* count, struct pvmmboxinfo** classes) {
  return call("pvm_getmboxinfo", [&] {
    static Listing listing;
    list(pattern == nullptr ? "*" : pattern, listing);
    if (count != nullptr) *count = static_cast<int>(listing.infos.size());
    if (classes != nullptr) *classes = listing.infos.data();
    return PvmOk;
  });
}

int pvm_insert(char* name, int index, int value) {
  return call("pvm_insert", [&] {
    if (name == nullptr || index < -1) return PvmBadParam;
    MessageBuffer message(0, PvmDataDefault);
    if (const int status = message.pack(&value, sizeof value, 1, 1); status != PvmOk) return status;
    constexpr int shift = 10;
    const int kept = PvmMboxMultiInstance | PvmMboxPersistent | PvmMboxOverWritable;
    if (index < 0) return board().put(name, message, kept, state().tid);
    for (const BoardEntry& entry : board().list()) {
      if (entry.index == index && std::string_view(name) == entry.name) return PvmDupEntry;
    }
    return board().put(name, message, kept | index << shift, state().tid);
  });
}

int pvm_lookup(char* name, int index, int* value) {
  return call("pvm_lookup", [&] {
    if (name == nullptr || index < -1) return PvmBadParam;
    MessageBuffers& buffers = state().buffers;
    const int flags = index < 0 ? PvmMboxFirstAvail : PvmMboxDefault;
    const int number = board().receive(buffers, name, std::max(index, 0), flags, state().tid);
    if (number < 0) return number;
    int found = 0;
    const int status = buffers.find(number)->unpack(&found, sizeof found, 1, 1);
    buffers.free(number);
    if (status == PvmOk && value != nullptr) *value = found;
    return status;
  });
}

int pvm_delete(char* name, int index) {
  return call("pvm_delete", [&] {
    return name == nullptr || index < 0 ? PvmBadParam : board().remove(name, index, state().tid);
  });
}

}  // extern "C"
