// SPDX-License-Identifier: BSD-3-Clause
// Starts workers, and tells them by messages which function to run (parts.hpp).
#include "parts.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <string>

#include "errors.hpp"
#include "function_place.hpp"
#include "mail.hpp"
#include "text_file.hpp"

namespace tutti::bsp {
namespace {

// A message to a worker: this, the endpoints, and the file of the function.
struct OrderHeader {
  std::uint64_t number;
  std::uint64_t offset;
  std::int32_t has_function;
  std::int32_t whole_world;
  std::int32_t members;
  std::int32_t file_length;
};

// Tasks that process 0 starts find it here. They may look before it knows their endpoints.
struct CrewRecord {
  std::int32_t master_plus_1;
};

CrewRecord* crew_record() {
  void* address = nullptr;
  const bool there =
      detail::quietly(tutti_record, "tutti.bsp.crew", sizeof(CrewRecord), &address) == TUTTI_OK;
  return there ? static_cast<CrewRecord*>(address) : nullptr;
}

int own_endpoint() {
  return tutti_endpoint(tutti_world(), tutti_rank(tutti_world()));
}

bool is_task_of_crew() {
  const int parent = tutti_parent();
  if (parent < 0) return false;
  const CrewRecord* const record = crew_record();
  return record != nullptr && record->master_plus_1 == parent + 1;
}

int endpoint_of_master() {
  return is_task_of_crew() ? tutti_parent() : tutti_endpoint(tutti_world(), 0);
}

template <class T>
void append(std::vector<std::byte>& bytes, const T* from, std::size_t count) {
  const auto* const first = reinterpret_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), first, first + count * sizeof(T));
}

std::vector<std::byte> message_of(const PartOrder& order) {
  const bool has_function = order.function != nullptr;
  const FunctionPlace place = has_function ? place_of(order.function) : FunctionPlace{};
  const PartMembers& members = order.members;
  const OrderHeader header{members.number,
                           place.offset,
                           has_function ? 1 : 0,
                           members.whole_world ? 1 : 0,
                           static_cast<std::int32_t>(members.endpoints.size()),
                           static_cast<std::int32_t>(place.file.size())};
  std::vector<std::byte> bytes;
  append(bytes, &header, 1);
  append(bytes, members.endpoints.data(), members.endpoints.size());
  append(bytes, place.file.data(), place.file.size());
  return bytes;
}

PartOrder order_in(const std::vector<std::byte>& bytes) {
  OrderHeader header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  PartOrder order{{header.number, header.whole_world != 0, {}}, nullptr};
  if (header.has_function == 0) return order;
  order.members.endpoints.resize(static_cast<std::size_t>(header.members));
  const std::byte* const list = bytes.data() + sizeof header;
  const std::size_t length = order.members.endpoints.size() * sizeof(int);
  std::memcpy(order.members.endpoints.data(), list, length);
  const FunctionPlace place{
      {reinterpret_cast<const char*>(list + length), static_cast<std::size_t>(header.file_length)},
      header.offset};
  order.function = function_at(place);
  return order;
}

void tell(const char* routine, const std::vector<int>& endpoints, const PartOrder& order) {
  const std::vector<std::byte> message = message_of(order);
  for (const int& endpoint : endpoints) {
    if (endpoint == own_endpoint()) continue;
    check(routine, tutti_mail_send, endpoint, order_key, message.data(),
          static_cast<std::int64_t>(message.size()));
  }
}

std::vector<std::string> own_arguments() {
  std::istringstream file(text_of_file("/proc/self/cmdline"));
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return arguments;
}

}  // namespace

void describe_wait() {
  const tutti_describe_fn describe = [](void*, const tutti_match*, char* text, size_t size) {
    std::snprintf(text, size, "the next parallel part");
  };
  check("bsp_init", tutti_mail_describe, order_key, ~std::uint64_t{0}, describe, nullptr);
}

bool is_worker() {
  return tutti_rank(tutti_world()) != 0 || is_task_of_crew();
}

// The world of a program that was started by hand is made when its first part begins.
void Workers::find() {
  if (found_) return;
  found_ = true;
  started_together_ = tutti_size(tutti_world());
  for (int rank = 0; rank < started_together_; ++rank)
    endpoints_.push_back(tutti_endpoint(tutti_world(), rank));
}

// Starts further workers as tasks of the job: its world cannot grow.
void Workers::start(int missing) {
  CrewRecord* const record = crew_record();
  if (record == nullptr) fail_status("bsp_begin");
  record->master_plus_1 = own_endpoint() + 1;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::vector<std::string> arguments = own_arguments();
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  std::vector<int> tasks(static_cast<std::size_t>(missing));
  check("bsp_begin", tutti_spawn, program.c_str(), words.data(), missing, tasks.data());
  endpoints_.insert(endpoints_.end(), tasks.begin(), tasks.end());
}

PartMembers Workers::begin(int processes, void (*function)()) {
  if (by_hand_ && !found_ && processes > 1) check("bsp_begin", tutti_spawn_world, processes);
  find();
  const int missing = processes - static_cast<int>(endpoints_.size());
  if (by_hand_ && missing > 0) start(missing);
  const auto count = std::min(static_cast<std::size_t>(processes), endpoints_.size());
  PartOrder order;
  order.function = function;
  order.members.number = ++parts_;
  order.members.endpoints.assign(endpoints_.begin(),
                                 endpoints_.begin() + static_cast<std::ptrdiff_t>(count));
  order.members.whole_world = static_cast<int>(count) == started_together_;
  tell("bsp_begin", order.members.endpoints, order);
  return order.members;
}

void Workers::dismiss() {
  find();
  tell("bsp_end", endpoints_, {});
}

// A process 0 that ends without exit handlers, as by _exit, tells nobody that there is no further
// part. So the wait looks from time to time whether it is still there, and is for a message of any
// process: the supervisor would report that one has left for which another waits.
PartOrder next_part() {
  constexpr const char* routine = "bsp_init";
  constexpr double between_looks = 0.5;  // seconds
  const int master = endpoint_of_master();
  const tutti_match match{sizeof match, TUTTI_ANY, order_key, ~std::uint64_t{0}, nullptr, nullptr};
  if (tutti_enter(routine) != TUTTI_OK) fail_status(routine);
  tutti_envelope envelope{};
  tutti_status status = TUTTI_WOULD_WAIT;
  while (status == TUTTI_WOULD_WAIT && tutti_present(master) != 0)
    status = tutti_mail_await(&match, between_looks, nullptr, nullptr, &envelope);
  if (status == TUTTI_WOULD_WAIT || status == TUTTI_PEER_LEFT) {
    tutti_leave();
    return {};
  }
  if (status != TUTTI_OK) fail_status(routine);
  std::vector<std::byte> message(static_cast<std::size_t>(envelope.bytes));
  check(routine, tutti_mail_receive, &match, message.data(), envelope.bytes, &envelope);
  tutti_leave();
  return order_in(message);
}

tutti_group group_of(const PartMembers& members) {
  if (members.whole_world) return tutti_world();
  tutti_group group{0};
  check("bsp_begin", tutti_group_of_endpoints, static_cast<int>(members.endpoints.size()),
        members.endpoints.data(), members.number, &group);
  return group;
}

}  // namespace tutti::bsp
