// SPDX-License-Identifier: BSD-3-Clause
// Implements point-to-point messages within groups, and the mailbox, records, counters and locks of
// tutti_runtime.h.
#include "api/messages.hpp"
#include "api/state.hpp"
#include "api/wait_limit.hpp"
#include "base/copy.hpp"
#include "data/pack.hpp"
#include "services/shared_lock.hpp"

using namespace tutti;
using api::answered;
using api::guarded;
using api::state;

namespace {

[[gnu::noinline]] std::uint64_t bytes_of(const tutti_data* data) {
  return api::bytes_in(api::operand_of(data, "data"));
}

[[gnu::noinline]] void send_strided(api::ApiState& mine, int endpoint, transport::Label key,
                                    const tutti_data* data) {
  const engine::CallOperand from = api::operand_of(data, "data");
  mine.job.outbox().send(
      {&endpoint, 1}, key, api::bytes_in(from),
      [&](std::byte* to, data::Store store, std::uint64_t first, std::uint64_t last) {
        api::pack_piece(to, from, first, last, store);
      });
}

// Copies a message while it arrives, until it is complete. An element that lies in two pieces waits
// for the second one.
void copy_out(services::Mailbox& mailbox, const transport::Arrival& arrival,
              const engine::CallOperand& to) {
  const auto size = static_cast<std::uint64_t>(to.element_bytes);
  std::int64_t done = 0;
  for (std::uint64_t read = 0; read < arrival.bytes;) {
    read = mailbox.readable(arrival, read);
    const auto there = static_cast<std::int64_t>(read / size);
    data::unpack(to.address, arrival.payload() + static_cast<std::uint64_t>(done) * size, to.layout,
                 size, done, there - done);
    done = there;
  }
}

void copy_out(services::Mailbox& mailbox, const transport::Arrival& arrival, void* to) {
  if (arrival.payload() == to) return;
  for (std::uint64_t done = 0; done < arrival.bytes;) {
    const std::uint64_t there = mailbox.readable(arrival, done);
    base::copy_bytes(static_cast<std::byte*>(to) + done, arrival.payload() + done, there - done);
    done = there;
  }
}

// Sends a short message at once if it has the same destination and tag as the last one and there is
// room. Returns false if the general path must be taken.
bool send_again(api::ApiState& mine, tutti_group group, const tutti_data* data, int destination,
                int tag) {
  const api::LastPeer& last = mine.last_sent_to;
  if (!last.is(group, destination, tag) || !mine.job.outbox().goes_straight()) return false;
  const auto bytes = api::bytes_if_contiguous(data);
  return bytes && *bytes <= transport::line_payload &&
         mine.job.post().inject(last.endpoint, last.key, data->address,
                                static_cast<std::uint32_t>(*bytes));
}

// Receives a message at once if it has the same source and tag as the last one and has arrived.
// Returns false if the general path must be taken.
bool receive_again(api::ApiState& mine, tutti_group group, const tutti_data* data, int source,
                   int tag) {
  const api::LastPeer& last = mine.last_received_from;
  if (!last.is(group, source, tag)) return false;
  const auto bytes = api::bytes_if_contiguous(data);
  return bytes && mine.job.mailbox().receive_now(last.endpoint, last.key, data->address, *bytes);
}

// Does what answered() does. The status is TUTTI_WOULD_WAIT if the body returns false.
template <class Body>
tutti_status answered_unless(const char* routine, const Body& body) {
  bool over = true;
  const tutti_status status = answered(routine, [&] { over = body(); });
  return status == TUTTI_OK && !over ? TUTTI_WOULD_WAIT : status;
}

// Ends a look for a message, which stays. Returns false if there is none.
bool tell(api::ApiState& mine, const transport::Arrival* arrival, tutti_envelope* envelope) {
  if (arrival != nullptr && envelope != nullptr) *envelope = api::envelope_of(*arrival);
  return mine.ends_look(arrival);
}

// A message that was found stays in the mailbox.
void leave_found(services::Mailbox& mailbox) {
  if (services::VirtualMail* const mail = mailbox.in_virtual_time()) mail->leave_found();
}

// Returns false if `end` comes before a message.
bool receive(api::ApiState& mine, const tutti_match* match, void* data, std::int64_t space,
             const transport::WaitEnd& end, tutti_envelope* envelope) {
  if (data == nullptr && space > 0)
    base::fail(base::Status::invalid_argument, "argument 'data' is NULL");
  services::Mailbox& mailbox = mine.job.mailbox();
  services::Match wanted = api::match_of(api::checked(match));
  wanted.to = static_cast<std::byte*>(data);
  wanted.most = static_cast<std::uint64_t>(std::max<std::int64_t>(space, 0));
  wanted.shorter = true;
  wanted.takes = true;
  const transport::Arrival* const arrival = mailbox.wait_unless(wanted, end);
  if (arrival == nullptr) return false;
  if (envelope != nullptr) *envelope = api::envelope_of(*arrival);
  if (arrival->bytes > wanted.most) {
    leave_found(mailbox);
    api::refuse_space(*arrival, space);
  }
  copy_out(mailbox, *arrival, data);
  mailbox.take();
  return true;
}

void multicast(std::span<const int> endpoints, std::uint64_t key, const void* data,
               std::int64_t bytes) {
  if (bytes < 0 || (data == nullptr && bytes > 0)) {
    base::fail(base::Status::invalid_argument, "argument 'bytes' is {} with {} data", bytes,
               data == nullptr ? "no" : "");
  }
  for (const int endpoint : endpoints) state().job.post().require_reachable(endpoint);
  state().job.outbox().send(endpoints, api::mail_key(key), data, static_cast<std::uint64_t>(bytes));
}

class FreeLooks {
 public:
  explicit FreeLooks(record::RunRecorder& record) : record_(record) {
    record_.set_looks(record::RunRecorder::Looks::take_none);
  }
  ~FreeLooks() { record_.set_looks(record::RunRecorder::Looks::take_time); }
  FreeLooks(const FreeLooks&) = delete;
  FreeLooks& operator=(const FreeLooks&) = delete;

 private:
  record::RunRecorder& record_;
};

void require_one_host(const char* what) {
  const job::Job& job = state().job;
  if (!job.apart()) return;
  base::fail(base::Status::invalid_argument,
             "{} are in memory that all processes share, but this job has {}", what,
             job.hosts() > 1 ? fmt::format("{} hosts", job.hosts()) : "processes that share none");
}

// Comes to a counter. Returns false if `end` came before all others. In virtual time, others need
// to know of the wait before it can end, and it has no other end.
bool arrive(api::ApiState& mine, const char* name, int count, const transport::WaitEnd& end) {
  services::Directory& directory = mine.job.directory();
  if (mine.record == nullptr) return directory.arrive(name, count, end);
  const bool timed = mine.record->stream() != nullptr;
  if (timed) mine.record->arrives(name, count);
  const bool complete = directory.arrive(name, count, timed ? transport::WaitEnd() : end);
  if (complete && !timed) mine.record->arrives(name, count);
  return complete;
}

services::SharedLock& lock_at(std::uint32_t* word) {
  if (word == nullptr) base::fail(base::Status::invalid_argument, "argument 'lock' is NULL");
  require_one_host("locks");
  return *reinterpret_cast<services::SharedLock*>(word);
}

}  // namespace

extern "C" {

tutti_status tutti_send(tutti_group group, const tutti_data* data, int destination, int tag) {
  return guarded("tutti_send", [&] {
    api::ApiState& mine = state();
    if (send_again(mine, group, data, destination, tag)) return;
    static constexpr api::CallWords words("tutti_send");
    const api::CallName name(mine, words);
    const engine::Group& members = mine.group(group);
    api::check_tag(tag);
    const int endpoint = api::checked_rank(members, destination, "destination");
    const transport::Label key = api::key_of(members, tag);
    mine.last_sent_to = {group.id, destination, tag, endpoint, key};
    if (const auto bytes = api::bytes_if_contiguous(data)) {
      mine.job.outbox().send(endpoint, key, data->address, *bytes);
    } else {
      send_strided(mine, endpoint, key, data);
    }
  });
}

tutti_status tutti_receive(tutti_group group, const tutti_data* data, int source, int tag,
                           int* from, int* with) {
  return guarded("tutti_receive", [&] {
    api::ApiState& mine = state();
    if (receive_again(mine, group, data, source, tag)) {
      if (from != nullptr) *from = source;
      if (with != nullptr) *with = tag;
      return;
    }
    static constexpr api::CallWords words("tutti_receive");
    const api::CallName name(mine, words);
    const engine::Group& members = mine.group(group);
    const auto contiguous = api::bytes_if_contiguous(data);
    const std::uint64_t wanted = contiguous ? *contiguous : bytes_of(data);
    services::Match match = api::match_of(members, source, tag);
    if (source != TUTTI_ANY && tag != TUTTI_ANY) match.unwritten_bytes = wanted;
    if (contiguous) match.to = static_cast<std::byte*>(data->address);
    match.most = wanted;
    match.takes = true;
    const transport::Arrival& arrival = mine.job.mailbox().wait(match);
    if (source != TUTTI_ANY && tag != TUTTI_ANY)
      mine.last_received_from = {group.id, source, tag, match.source, match.wanted};
    if (arrival.bytes != wanted) {
      leave_found(mine.job.mailbox());
      api::refuse_length(members, wanted, arrival);
    }
    if (contiguous) {
      copy_out(mine.job.mailbox(), arrival, data->address);
    } else {
      copy_out(mine.job.mailbox(), arrival, api::operand_of(data, "data"));
    }
    if (from != nullptr) *from = members.members().rank_of(arrival.source);
    if (with != nullptr) *with = static_cast<int>(arrival.key.detail);
    mine.job.mailbox().take();
  });
}

tutti_status tutti_mail_send(int endpoint, uint64_t key, const void* data, int64_t bytes) {
  return answered("tutti_mail_send", [&] { multicast({&endpoint, 1}, key, data, bytes); });
}

tutti_status tutti_mail_multicast(int count, const int* endpoints, uint64_t key, const void* data,
                                  int64_t bytes) {
  return answered("tutti_mail_multicast", [&] {
    if (count < 0 || (count > 0 && endpoints == nullptr)) {
      base::fail(base::Status::invalid_argument, "argument 'count' is {}, or 'endpoints' is NULL",
                 count);
    }
    multicast({endpoints, static_cast<std::size_t>(count)}, key, data, bytes);
  });
}

tutti_status tutti_mail_receive(const tutti_match* match, void* data, int64_t space,
                                tutti_envelope* envelope) {
  return answered("tutti_mail_receive", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_mail_receive");
    const api::CallName name(mine, words);
    // Failure is harmless: nothing ends the wait before a message is here.
    static_cast<void>(receive(mine, match, data, space, {}, envelope));
    mine.looks.received();
  });
}

tutti_status tutti_mail_receive_unless(const tutti_match* match, void* data, int64_t space,
                                       double seconds, tutti_give_up_fn give_up, void* user,
                                       tutti_envelope* envelope) {
  return answered_unless("tutti_mail_receive_unless", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_mail_receive_unless");
    const api::CallName name(mine, words);
    api::WaitLimit limit(mine.job.waiter().clock(), seconds, give_up, user);
    const bool found = receive(mine, match, data, space, limit.end(), envelope);
    mine.looks.end(found, mine.job.waiter().idler());
    return found;
  });
}

tutti_status tutti_mail_probe(const tutti_match* match, int wait, tutti_envelope* envelope) {
  return answered_unless("tutti_mail_probe", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_mail_probe");
    const api::CallName name(mine, words);
    services::Mailbox& mailbox = mine.job.mailbox();
    const services::Match wanted = api::match_of(api::checked(match));
    return tell(mine, wait != 0 ? &mailbox.wait(wanted) : mailbox.look(wanted), envelope);
  });
}

tutti_status tutti_mail_await(const tutti_match* match, double seconds, tutti_give_up_fn give_up,
                              void* user, tutti_envelope* envelope) {
  return answered_unless("tutti_mail_await", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_mail_await");
    const api::CallName name(mine, words);
    api::WaitLimit limit(mine.job.waiter().clock(), seconds, give_up, user);
    const services::Match wanted = api::match_of(api::checked(match));
    return tell(mine, mine.job.mailbox().wait_unless(wanted, limit.end()), envelope);
  });
}

tutti_status tutti_mail_release(int wait) {
  return answered("tutti_mail_release", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_mail_release");
    const api::CallName name(mine, words);
    if (wait != 0) mine.job.outbox().drain();
    mine.job.outbox().release();
    mine.job.groups().release_calls();
  });
}

tutti_status tutti_record(const char* name, int64_t bytes, void** address) {
  return answered("tutti_record", [&] {
    if (name == nullptr || address == nullptr)
      base::fail(base::Status::invalid_argument, "name or address is NULL");
    require_one_host("records");
    *address = state().job.directory().record(name, bytes);
    api::note_sharing(state());
  });
}

tutti_status tutti_arrive(const char* name, int count) {
  return answered("tutti_arrive", [&] {
    if (name == nullptr) base::fail(base::Status::invalid_argument, "argument 'name' is NULL");
    require_one_host("arrival counters");
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_arrive");
    const api::CallName call(mine, words);
    static_cast<void>(arrive(mine, name, count, {}));  // failure is harmless: nothing else ends it
  });
}

tutti_status tutti_arrive_unless(const char* name, int count, tutti_give_up_fn give_up,
                                 void* user) {
  return answered_unless("tutti_arrive_unless", [&] {
    if (name == nullptr) base::fail(base::Status::invalid_argument, "argument 'name' is NULL");
    require_one_host("arrival counters");
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_arrive_unless");
    const api::CallName call(mine, words);
    api::WaitLimit limit(mine.job.waiter().clock(), -1, give_up, user);
    return arrive(mine, name, count, limit.end());
  });
}

tutti_status tutti_lock(uint32_t* lock, int* repair) {
  return answered("tutti_lock", [&] {
    if (repair == nullptr) base::fail(base::Status::invalid_argument, "argument 'repair' is NULL");
    job::Job& job = state().job;
    launch::Membership& mine = job.membership();
    *repair = lock_at(lock).lock(mine.mapping(), mine.id(), job.waiter()) ? 1 : 0;
    api::note_sharing(state());
  });
}

tutti_status tutti_unlock(uint32_t* lock) {
  return answered("tutti_unlock", [&] { lock_at(lock).unlock(state().job.membership().id()); });
}

tutti_status tutti_await(tutti_give_up_fn is_over, void* user) {
  return answered("tutti_await", [&] {
    if (is_over == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'is_over' is NULL");
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_await");
    const api::CallName call(mine, words);
    if (mine.record != nullptr && mine.record->stream() != nullptr) {
      const FreeLooks looks(*mine.record);
      while (is_over(user) == 0) mine.record->stream()->await_news();
      return;
    }
    using transport::Look;
    mine.job.waiter().wait_until([&] { return is_over(user) != 0 ? Look::done : Look::nothing; },
                                 [](transport::WaitInfo& info) {
                                   info.kind = transport::WaitInfo::For::any;
                                   info.is_woken = false;
                                 });
  });
}

}  // extern "C"
