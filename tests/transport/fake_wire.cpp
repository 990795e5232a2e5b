// SPDX-License-Identifier: BSD-3-Clause
// Implements the fake wire, with matching and completion as MPI has them.
#include "fake_wire.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tutti::transport::wire::test {
namespace {

constexpr std::size_t small = 128;  // bytes that leave at once
constexpr int error_code = 9;

FakeWire* the_wire = nullptr;

}  // namespace

// Holds the functions of the table. They have no argument by which to find their object.
struct FakeTable {
  // Calls `function` of the wire, unless that part is broken.
  template <class Function>
  static int whole(Part part, const Function& function) {
    return the_wire->broken_ == part ? error_code : function();
  }
  static void look(tutti_wire_state* state) { *state = the_wire->state_; }
  static int open(int, tutti_wire_world* world) {
    const int self = the_wire->self_;
    const auto& numbers = the_wire->numbers_;
    if (numbers.empty()) {
      const int size = static_cast<int>(the_wire->hosts_.size());
      const int host = the_wire->hosts_[static_cast<std::size_t>(self)];
      *world = {self, size, host, self, size, host, nullptr};
    } else {
      const int size = static_cast<int>(numbers.size());
      *world = {self, size, self, self, size, self, numbers.data()};
    }
    return whole(Part::open, [] { return 0; });
  }
  static int broadcast(void* data, int bytes, int root) {
    return whole(Part::broadcast, [&] { return the_wire->broadcast(data, bytes, root); });
  }
  static int gather(const void* mine, void* all, int bytes, int) {
    return whole(Part::gather_all, [&] { return the_wire->gather_all(mine, all, bytes); });
  }
  static int send(const void* data, std::int64_t bytes, int to, int tag,
                  tutti_wire_token* request) {
    return whole(Part::send, [&] { return the_wire->send(data, bytes, to, tag, request); });
  }
  static int receive(void* data, std::int64_t bytes, int from, int tag, tutti_wire_token* request) {
    return whole(Part::receive, [&] { return the_wire->receive(data, bytes, from, tag, request); });
  }
  static int find(int tag, int* found, int* from, std::int64_t* bytes, tutti_wire_token* message) {
    return whole(Part::find, [&] { return the_wire->find(tag, found, from, bytes, message); });
  }
  static int receive_found(void* data, std::int64_t bytes, tutti_wire_token* message,
                           tutti_wire_token* request) {
    return whole(Part::receive_found,
                 [&] { return the_wire->receive_found(data, bytes, message, request); });
  }
  static int make_group(int, const int*, tutti_wire_token*) { return error_code; }
  static int free_group(tutti_wire_token) { return error_code; }
  static int start(const tutti_wire_collective*, tutti_wire_token*) { return error_code; }
  static int test(tutti_wire_token* request, int* done) {
    return whole(Part::test, [&] { return the_wire->test(request, done); });
  }
  static int poke() {
    return whole(Part::poke, [] { return 0; });
  }
  static int watch(int number) {
    the_wire->watch_.emplace_back(the_wire->self_, number);
    return 0;
  }
  static int ended(int* number) { return the_wire->ended(number); }
  static int sleep(std::int64_t) { return 0; }
  static int before_finalize(void (*function)(void*), void* user) {
    the_wire->hooks_[static_cast<std::size_t>(the_wire->self_)] = {function, user};
    return whole(Part::before_finalize, [] { return 0; });
  }
  static int close(int) { return 0; }
  static void abort(int) {}
  static void text(int, char* text, std::size_t space) {
    std::snprintf(text, space, "the wire is cut");
  }
};

namespace {

constexpr tutti_wire fake_table = {TUTTI_WIRE_VERSION,
                                   "fake",
                                   FakeTable::look,
                                   FakeTable::open,
                                   FakeTable::broadcast,
                                   FakeTable::gather,
                                   FakeTable::send,
                                   FakeTable::receive,
                                   FakeTable::find,
                                   FakeTable::receive_found,
                                   FakeTable::make_group,
                                   FakeTable::free_group,
                                   FakeTable::start,
                                   FakeTable::test,
                                   FakeTable::poke,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   FakeTable::before_finalize,
                                   FakeTable::close,
                                   FakeTable::abort,
                                   FakeTable::text};

constexpr tutti_wire open_table = {TUTTI_WIRE_VERSION,
                                   "fake",
                                   nullptr,
                                   FakeTable::open,
                                   nullptr,
                                   nullptr,
                                   FakeTable::send,
                                   FakeTable::receive,
                                   FakeTable::find,
                                   FakeTable::receive_found,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   FakeTable::test,
                                   nullptr,
                                   FakeTable::watch,
                                   FakeTable::ended,
                                   FakeTable::sleep,
                                   nullptr,
                                   FakeTable::close,
                                   FakeTable::abort,
                                   FakeTable::text};

}  // namespace

FakeWire::FakeWire(Open world) : numbers_(std::move(world.numbers)) {
  the_wire = this;
}
FakeWire::FakeWire(std::vector<int> hosts)
    : hosts_(std::move(hosts)), broadcasts_seen_(hosts_.size()), hooks_(hosts_.size()) {
  the_wire = this;
}
FakeWire::~FakeWire() {
  the_wire = nullptr;
}

const tutti_wire& FakeWire::table() const {
  return numbers_.empty() ? fake_table : open_table;
}

int FakeWire::ended(int* number) {
  *number = -1;
  const auto found = std::find_if(watch_.begin(), watch_.end(), [this](const auto& watch) {
    return watch.first == self_ &&
           std::find(ended_.begin(), ended_.end(), watch.second) != ended_.end();
  });
  if (found == watch_.end()) return 0;
  *number = found->second;
  watch_.erase(found);
  return 0;
}

void FakeWire::finalize(int rank) {
  act_as(rank);
  const Hook hook = hooks_[static_cast<std::size_t>(rank)];
  if (hook.function != nullptr) hook.function(hook.user);
}

// The root must call first. Then the others get the same broadcasts, each in its order.
int FakeWire::broadcast(void* data, int bytes, int root) {
  const auto length = static_cast<std::size_t>(bytes);
  if (self_ == root) {
    const auto* from = static_cast<const std::byte*>(data);
    broadcasts_.emplace_back(from, from + length);
  } else {
    std::memcpy(data, broadcasts_.at(broadcasts_seen_[static_cast<std::size_t>(self_)]++).data(),
                length);
  }
  return 0;
}

// Only hosts are gathered here.
int FakeWire::gather_all(const void*, void* all, int bytes) const {
  if (bytes != sizeof(int)) return error_code;
  std::memcpy(all, hosts_.data(), hosts_.size() * sizeof(int));
  return 0;
}

int FakeWire::send(const void* data, std::int64_t bytes, int to, int tag,
                   tutti_wire_token* request) {
  const auto* source = static_cast<const std::byte*>(data);
  Message message{self_, to, tag, source, {}, static_cast<std::size_t>(bytes), 0};
  *request = ++last_token_;
  Request& sending = requests_[*request];
  if (message.bytes <= small) {
    message.early.assign(source, source + message.bytes);
    sending.complete = true;
  } else {
    message.sending = *request;
  }
  unmatched_.push_back(std::move(message));
  ++messages_;
  return 0;
}

int FakeWire::receive(void* data, std::int64_t bytes, int from, int tag,
                      tutti_wire_token* request) {
  *request = ++last_token_;
  requests_[*request] = {
      true, self_, from, tag, static_cast<std::byte*>(data), static_cast<std::size_t>(bytes)};
  match_receives();
  return 0;
}

int FakeWire::find(int tag, int* found, int* from, std::int64_t* bytes, tutti_wire_token* message) {
  const auto oldest = std::find_if(
      unmatched_.begin(), unmatched_.end(),
      [&](const Message& candidate) { return candidate.to == self_ && candidate.tag == tag; });
  *found = oldest == unmatched_.end() ? 0 : 1;
  if (*found == 0) return 0;
  *from = oldest->from;
  *bytes = static_cast<std::int64_t>(oldest->bytes);
  *message = ++last_token_;
  matched_[*message] = std::move(*oldest);
  unmatched_.erase(oldest);
  return 0;
}

int FakeWire::receive_found(void* data, std::int64_t bytes, tutti_wire_token* message,
                            tutti_wire_token* request) {
  *request = ++last_token_;
  requests_[*request] = {
      true, self_, -1, 0, static_cast<std::byte*>(data), static_cast<std::size_t>(bytes), *message};
  return 0;
}

// Messages between two ranks meet receives in the order of both.
void FakeWire::match_receives() {
  for (auto& [token, request] : requests_) {
    if (!request.receives || request.message != 0 || request.complete) continue;
    const auto oldest = std::find_if(
        unmatched_.begin(), unmatched_.end(), [&request = request](const Message& candidate) {
          return candidate.to == request.self && candidate.from == request.from &&
                 candidate.tag == request.tag;
        });
    if (oldest == unmatched_.end()) continue;
    request.message = ++last_token_;
    matched_[request.message] = std::move(*oldest);
    unmatched_.erase(oldest);
  }
}

void FakeWire::move(Request& request) {
  const auto found = matched_.find(request.message);
  const Message& message = found->second;
  const std::byte* source = message.sending == 0 ? message.early.data() : message.source;
  std::memcpy(request.destination, source, std::min(message.bytes, request.bytes));
  if (message.sending != 0) requests_[message.sending].complete = true;
  matched_.erase(found);
  request.complete = true;
}

int FakeWire::test(tutti_wire_token* request, int* done) {
  match_receives();
  const auto found = requests_.find(*request);
  *done = 0;
  if (found == requests_.end()) return error_code;
  if (found->second.receives && found->second.message != 0 && random_() % 3 == 0)
    move(found->second);
  if (!found->second.complete) return 0;
  requests_.erase(found);
  *done = 1;
  return 0;
}

}  // namespace tutti::transport::wire::test
