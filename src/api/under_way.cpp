// SPDX-License-Identifier: BSD-3-Clause
// Starts sends and posts receives, whose requests are waited for like those of collectives, and
// looks for messages.
#include <algorithm>
#include <vector>

#include "api/messages.hpp"
#include "api/state.hpp"
#include "api/wait_limit.hpp"
#include "base/copy.hpp"
#include "data/pack.hpp"

namespace tutti::api {

int checked_rank(const engine::Group& group, int rank, const char* argument) {
  if (rank < 0 || rank >= group.size()) {
    base::fail(base::Status::invalid_argument, "argument '{}' is {} but the group has {} ranks",
               argument, rank, group.size());
  }
  return group.members().endpoint(rank);
}

void check_tag(int tag) {
  if (tag >= 0) return;
  base::fail(base::Status::invalid_argument, "argument 'tag' is {} but must be 0 or more", tag);
}

services::Match match_of(const engine::Group& group, int source, int tag) {
  services::Match match;
  match.source = source == TUTTI_ANY ? services::any_source : checked_rank(group, source, "source");
  match.wanted = key_of(group, tag == TUTTI_ANY ? 0 : tag);
  match.mask = services::whole_key;
  // The top bit stays in the mask: it is 0 in every tag, and 1 in messages of tutti_runtime.h.
  if (tag == TUTTI_ANY) match.mask.detail = 0x8000'0000U;
  return match;
}

const tutti_match& checked(const tutti_match* match) {
  if (match != nullptr && match->struct_size == sizeof(tutti_match)) return *match;
  base::fail(base::Status::invalid_argument,
             "argument 'match' must be given with its struct_size set");
}

namespace {

// The set is in the pointer itself.
std::uint32_t set_in(void* user) {
  constexpr std::uint32_t not_empty = 1U << 31;  // it selects no number
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(user)) | not_empty;
}

}  // namespace

services::Match match_of(const tutti_match& match) {
  services::Match wanted{match.source, mail_key(match.wanted), {match.mask, ~0U}};
  if (match.accept == tutti_accept_set) {
    wanted.set = set_in(match.user);
  } else if (match.accept != nullptr) {
    wanted.user = const_cast<tutti_match*>(&match);
    wanted.accept = [](void* user, const transport::Arrival& arrival) {
      const auto* asked = static_cast<const tutti_match*>(user);
      return asked->accept(asked->user, arrival.source, arrival.key.tag,
                           static_cast<std::int64_t>(arrival.bytes)) != 0;
    };
  }
  return wanted;
}

// A match of tutti_runtime.h is put together again from its two forms.
void describe(const void* about, char* text, std::size_t size) {
  const auto& match = *static_cast<const services::Match*>(about);
  if (match.wanted.detail != mail_key(0).detail) return;
  tutti_match asked{sizeof asked, match.source, match.wanted.tag, match.mask.tag, nullptr, nullptr};
  if (match.accept != nullptr) asked = *static_cast<const tutti_match*>(match.user);
  if (match.set != 0) {
    asked.accept = tutti_accept_set;
    asked.user = reinterpret_cast<void*>(std::uintptr_t{match.set});
  }
  for (const DescribedMessages& kind : state().described) {
    if ((asked.mask & kind.mask) == kind.mask && (asked.wanted & kind.mask) == kind.wanted)
      return kind.describe(kind.user, &asked, text, size);
  }
}

tutti_envelope envelope_of(const transport::Arrival& arrival) {
  return {arrival.source, arrival.key.tag, static_cast<std::int64_t>(arrival.bytes)};
}

void refuse_length(const engine::Group& group, std::uint64_t wanted,
                   const transport::Arrival& arrival) {
  base::fail(base::Status::mismatch, "rank {} receives {} bytes but rank {} sent {}", group.rank(),
             wanted, group.members().rank_of(arrival.source), arrival.bytes);
}

void refuse_space(const transport::Arrival& arrival, std::int64_t space) {
  base::fail(base::Status::truncated, "the message has {} bytes but there is space for {}",
             arrival.bytes, space);
}

// The elements that begin in earlier bytes are packed already.
void pack_piece(std::byte* message, const engine::CallOperand& from, std::uint64_t first,
                std::uint64_t last, data::Store store) {
  const auto size = static_cast<std::uint64_t>(from.element_bytes);
  const std::uint64_t begin = (first + size - 1) / size;
  const std::uint64_t end = (last + size - 1) / size;
  data::pack(message + begin * size, from.address, from.layout, size,
             static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin), store);
}

std::uint64_t bytes_in(const engine::CallOperand& operand) {
  return static_cast<std::uint64_t>(operand.layout.size()) *
         static_cast<std::uint64_t>(operand.element_bytes);
}

StartedMessage::StartedMessage(job::Job& job, std::vector<int> to, transport::Label key,
                               const engine::CallOperand& from)
    : MessageUnderWay(job), from_(from) {
  send_.receivers = std::move(to);
  send_.message.key = key;
  send_.message.bytes = bytes_in(from);
  send_.message.user = &from_;
  send_.message.fill = [](const void* user, std::byte* message, data::Store store,
                          std::uint64_t first, std::uint64_t last) {
    pack_piece(message, *static_cast<const engine::CallOperand*>(user), first, last, store);
  };
}

PostedMessage::PostedMessage(ApiState& mine, const engine::CallOperand& to,
                             const ReceiveResults& results)
    : MessageUnderWay(mine.job), mine_(&mine), to_(to), results_(results) {
  receive_.user = this;
  receive_.deliver = [](void* user, const transport::Arrival& arrival) {
    static_cast<PostedMessage*>(user)->take(arrival);
  };
}

PostedMessage::PostedMessage(ApiState& mine, tutti_group group, int source, int tag,
                             const engine::CallOperand& to, const ReceiveResults& results)
    : PostedMessage(mine, to, results) {
  group_ = group;
  receive_.match = match_of(mine.group(group), source, tag);
}

PostedMessage::PostedMessage(ApiState& mine, const tutti_match& match,
                             const engine::CallOperand& to, const ReceiveResults& results)
    : PostedMessage(mine, to, results) {
  asked_ = match;
  receive_.match = match_of(asked_);
}

// A message to nobody waits for nobody in particular.
void StartedMessage::describe(transport::WaitInfo& info) const {
  info.endpoints = endpoints();
  if (info.endpoints.empty()) info.kind = transport::WaitInfo::For::any;
  if (job_->mailbox().room().bounds(send_.message.key)) info.operation = transport::wait_for_room;
}

void PostedMessage::describe(transport::WaitInfo& info) const {
  info.endpoints = endpoints();
  info.words = job_->mailbox().words_for(receive_.match);
  if (!info.endpoints.empty()) return;
  info.kind = transport::WaitInfo::For::any;
  info.operation = transport::wait_from_anybody;
}

std::span<const int> PostedMessage::endpoints() const {
  const int& source = receive_.match.source;
  return {&source, source == services::any_source ? std::size_t{0} : std::size_t{1}};
}

void PostedMessage::copy_out(const transport::Arrival& arrival) {
  const std::uint64_t space = bytes_in(to_);
  if (group_.id == 0 && arrival.bytes > space)
    refuse_space(arrival, static_cast<std::int64_t>(space));
  if (group_.id != 0 && arrival.bytes != space) refuse_length(mine_->group(group_), space, arrival);
  const auto size = static_cast<std::size_t>(to_.element_bytes);
  data::unpack(to_.address, arrival.payload(), to_.layout, size, 0,
               static_cast<std::int64_t>(arrival.bytes / size));
}

// In virtual time, nobody can be asked here whether the receive has a message.
void PostedMessage::give_up() {
  if (services::VirtualMail* const mail = job_->mailbox().in_virtual_time())
    mail->forget(receive_);
  else
    static_cast<void>(cancel());  // failure is harmless: it is over
}

// A group may have been freed since the receive was posted.
void PostedMessage::take(const transport::Arrival& arrival) {
  try {
    copy_out(arrival);
    if (results_.from != nullptr)
      *results_.from = mine_->group(group_).members().rank_of(arrival.source);
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (results_.with != nullptr) *results_.with = static_cast<int>(arrival.key.detail);
  if (results_.envelope != nullptr) *results_.envelope = envelope_of(arrival);
}

}  // namespace tutti::api

using namespace tutti;
using api::answered;
using api::guarded;
using api::required;
using api::state;

namespace {

engine::CallOperand bytes_at(const void* data, std::int64_t bytes, const char* argument) {
  if (bytes < 0 || (data == nullptr && bytes > 0)) {
    base::fail(base::Status::invalid_argument, "argument '{}' is {} with {} data", argument, bytes,
               data == nullptr ? "no" : "");
  }
  return {const_cast<void*>(data), data::Layout::contiguous(bytes), 1};
}

void start(api::ApiState& mine, std::vector<int> to, transport::Label key,
           const engine::CallOperand& from, tutti_request* request) {
  for (const int endpoint : to) mine.job.post().require_reachable(endpoint);
  required(request) = mine.requests.start(
      std::make_unique<api::StartedMessage>(mine.job, std::move(to), key, from));
}

// The message that a probe looks for, and the places for what it has found; each may be nullptr.
struct Wanted {
  tutti_group group;
  int source, tag;
};
struct Found {
  int *from, *with;
  std::int64_t* bytes;
};

// Looks for a message for so many seconds; for ever if they are negative.
tutti_status probe(const char* call, const api::CallWords& words, const Wanted& wanted,
                   double seconds, const Found& found) {
  bool is_there = true;
  const tutti_status status = guarded(call, [&] {
    api::ApiState& mine = state();
    const api::CallName name(mine, words);
    const engine::Group& members = mine.group(wanted.group);
    const services::Match match = api::match_of(members, wanted.source, wanted.tag);
    api::WaitLimit limit(mine.job.waiter().clock(), seconds);
    const transport::Arrival* arrival = seconds == 0
                                            ? mine.job.mailbox().look(match)
                                            : mine.job.mailbox().wait_unless(match, limit.end());
    is_there = mine.ends_look(arrival);
    if (!is_there) return;
    if (found.from != nullptr) *found.from = members.members().rank_of(arrival->source);
    if (found.with != nullptr) *found.with = static_cast<int>(arrival->key.detail);
    if (found.bytes != nullptr) *found.bytes = static_cast<std::int64_t>(arrival->bytes);
  });
  return status == TUTTI_OK && !is_there ? TUTTI_WOULD_WAIT : status;
}

}  // namespace

extern "C" {

tutti_status tutti_isend(tutti_group group, const tutti_data* data, int destination, int tag,
                         tutti_request* request) {
  return guarded("tutti_isend", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_isend");
    const api::CallName name(mine, words);
    const engine::Group& members = mine.group(group);
    api::check_tag(tag);
    start(mine, {api::checked_rank(members, destination, "destination")}, api::key_of(members, tag),
          api::operand_of(data, "data"), request);
  });
}

tutti_status tutti_ireceive(tutti_group group, const tutti_data* data, int source, int tag,
                            int* from, int* with, tutti_request* request) {
  return guarded("tutti_ireceive", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_ireceive");
    const api::CallName name(mine, words);
    required(request) = mine.requests.start(std::make_unique<api::PostedMessage>(
        mine, group, source, tag, api::operand_of(data, "data"),
        api::ReceiveResults{from, with, nullptr}));
  });
}

tutti_status tutti_probe(tutti_group group, int source, int tag, int wait, int* from, int* with,
                         int64_t* bytes) {
  static constexpr api::CallWords words("tutti_probe");
  return probe("tutti_probe", words, {group, source, tag}, wait != 0 ? -1 : 0, {from, with, bytes});
}

tutti_status tutti_probe_for(tutti_group group, int source, int tag, double seconds, int* from,
                             int* with, int64_t* bytes) {
  static constexpr api::CallWords words("tutti_probe_for");
  return probe("tutti_probe_for", words, {group, source, tag}, seconds, {from, with, bytes});
}

tutti_status tutti_mail_start(int count, const int* endpoints, uint64_t key, const void* data,
                              int64_t bytes, tutti_request* request) {
  return answered("tutti_mail_start", [&] {
    if (count < 0 || (count > 0 && endpoints == nullptr)) {
      base::fail(base::Status::invalid_argument, "argument 'count' is {}, or 'endpoints' is NULL",
                 count);
    }
    start(state(), {endpoints, endpoints + count}, api::mail_key(key),
          bytes_at(data, bytes, "bytes"), request);
  });
}

tutti_status tutti_mail_discard_unposted(uint64_t wanted, uint64_t mask,
                                         tutti_discarded_fn discarded, void* user) {
  return answered("tutti_mail_discard_unposted", [&] {
    api::ApiState& mine = state();
    mine.unposted = {discarded, user};
    services::Unposted kind{api::mail_key(wanted), {mask, ~0U}};
    kind.user = &mine.unposted;
    if (discarded != nullptr) {
      kind.discarded = [](void* rule, const transport::Arrival& arrival) {
        const auto& [function, its_user] = *static_cast<const api::UnpostedRule*>(rule);
        function(its_user, arrival.source, arrival.key.tag,
                 static_cast<std::int64_t>(arrival.bytes));
      };
    }
    mine.job.mailbox().discard_unposted(kind);
  });
}

tutti_status tutti_mail_bound(uint64_t wanted, uint64_t mask, int64_t bytes) {
  return answered("tutti_mail_bound", [&] {
    services::Mailbox& mailbox = state().job.mailbox();
    // A sender that waited for room would wait without virtual time.
    if (mailbox.in_virtual_time() != nullptr) return;
    mailbox.room().bound({api::mail_key(wanted), {mask, ~0U}, bytes});
  });
}

int tutti_accept_set(void* user, int /* source */, uint64_t key, int64_t /* bytes */) {
  return transport::is_in(api::set_in(user), key) ? 1 : 0;
}

tutti_status tutti_mail_describe(uint64_t wanted, uint64_t mask, tutti_describe_fn describe,
                                 void* user) {
  return answered("tutti_mail_describe", [&] {
    auto& described = state().described;
    std::erase_if(described, [&](const api::DescribedMessages& kind) {
      return kind.wanted == wanted && kind.mask == mask;
    });
    if (describe != nullptr) described.push_back({wanted, mask, describe, user});
  });
}

tutti_status tutti_mail_post(const tutti_match* match, void* data, int64_t space,
                             tutti_envelope* envelope, tutti_request* request) {
  return answered("tutti_mail_post", [&] {
    api::ApiState& mine = state();
    required(request) = mine.requests.start(std::make_unique<api::PostedMessage>(
        mine, api::checked(match), bytes_at(data, space, "space"),
        api::ReceiveResults{nullptr, nullptr, envelope}));
  });
}

}  // extern "C"
