// SPDX-License-Identifier: BSD-3-Clause
// The state behind the C interface: the one job of this process, its services and its
// operators. All functions of the C interface use it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/errors.hpp"
#include "api/explainer.hpp"
#include "api/in_place.hpp"
#include "api/looks.hpp"
#include "api/process.hpp"
#include "api/recording.hpp"
#include "api/requests.hpp"
#include "base/error.hpp"
#include "job/job.hpp"
#include "transport/shm/state_text.hpp"
#include "tutti/tutti.h"
#include "tutti/tutti_runtime.h"

namespace tutti::api {

struct Hook {
  tutti_run_hook function = nullptr;
  void* user = nullptr;
};

// The partner of the last message that was sent or received, because the next message often has the
// same partner.
struct LastPeer {
  std::uint64_t group = 0;
  int rank = -1;
  int tag = -1;
  int endpoint = -1;
  transport::Label key;

  [[nodiscard]] bool is(tutti_group in, int with, int tagged) const {
    return group == in.id && rank == with && tag == tagged;
  }
};

// The messages that are discarded unless a receive was posted for them.
struct UnpostedRule {
  tutti_discarded_fn discarded = nullptr;
  void* user = nullptr;
};

// Messages that a front end describes in reports.
struct DescribedMessages {
  std::uint64_t wanted = 0, mask = 0;
  tutti_describe_fn describe = nullptr;
  void* user = nullptr;
};

class ApiState {
 public:
  // The membership must outlive this object.
  explicit ApiState(launch::Membership& joined);

  record::RunRecorder* record;  // nullptr without `tutti run --record` and --machine
  job::Job job;
  Looks looks;
  Hook hook;
  UnpostedRule unposted;
  std::vector<DescribedMessages> described;
  std::unique_ptr<Explainer> explainer;  // nullptr unless TUTTI_EXPLAIN asks for it
  // A hook or the explainer sees every call, so no call may be repeated unseen.
  bool watched = false;
  trace::Tracer* recorder;  // nullptr unless TUTTI_TRACE asks for it
  Requests requests;
  LastPeer last_sent_to, last_received_from;

  // Called when this process is in its world, and again when that is replaced.
  void come_into_world();
  // Called when a look for a message has found it or nullptr. The message stays. Returns true if
  // there is one.
  bool ends_look(const transport::Arrival* arrival);
  // Called before a group is freed.
  void forget_last_peers() { last_sent_to = last_received_from = {}; }

  // An operator that the program has made.
  struct UserOp {
    tutti_type type = TUTTI_BYTE;
    data::Operator op;
    std::unique_ptr<InPlace> in_place;  // what the function of `op` needs, or nullptr
  };
  // Returns the operator of a handle for elements of `type`. Throws Error.
  const data::Operator& op(tutti_op handle, tutti_type type);
  const data::Operator& located_op(tutti_op handle, tutti_type type);
  // Returns an operator of the program; nullptr unless it was made for elements of `type`.
  [[nodiscard]] const data::Operator* user_op(tutti_op handle, tutti_type type) {
    const UserOp* const found = user_ops_.find(handle.id);
    return found != nullptr && found->type == type ? &found->op : nullptr;
  }
  std::uint64_t add_op(UserOp op) { return user_ops_.insert(std::move(op)); }
  bool remove_op(tutti_op handle) { return user_ops_.erase(handle.id); }

  [[gnu::always_inline]] engine::Group& group(tutti_group handle) {
    if (engine::Group* found = job.groups().find(handle.id)) [[likely]]
      return *found;
    reject_group();
  }

 private:
  [[noreturn]] static void reject_group();

  static constexpr std::uint32_t first_user_op = 64;
  using Table = std::array<std::array<std::unique_ptr<data::Operator>, data::element_kinds>,
                           data::builtin_kinds>;

  job::Handles<UserOp> user_ops_{first_user_op};
  Table builtins_, located_;
};

// A child made by fork() is not a member of the job. The first call of tutti in it is refused.
void forget_in_forked_children();
// These two functions throw Error(not_initialized), which says why.
void reject_if_ended();
[[noreturn]] void reject_call();
// Returns the state. Throws Error(not_initialized) if there is none.
inline ApiState& state() {
  if (process.current != nullptr) [[likely]]
    return *process.current;
  reject_call();
}

// Called when the program gets at memory that other processes use without a message.
inline void note_sharing(ApiState& mine) {
  if (mine.record != nullptr) [[unlikely]]
    mine.record->shares();
}

// The name of a call, in the form in which a state line holds it.
struct CallWords {
  constexpr explicit CallWords(std::string_view name) {
    std::array<char, sizeof(words)> text{};
    std::copy_n(name.data(), std::min(name.size(), text.size() - 1), text.begin());
    words = std::bit_cast<decltype(words)>(text);
  }
  constexpr explicit CallWords(const std::array<std::uint64_t, 3>& given) : words(given) {}
  std::array<std::uint64_t, 3> words{};
};
inline void write_call(transport::shm::StateLine& line, const CallWords& name) {
  for (std::size_t i = name.words.size(); i-- > 0;) line.call[i].put(name.words[i]);
}

// Writes what reports say about the call in progress; an empty text for nothing.
inline void describe_call(transport::shm::StateLine& line, std::string_view about) {
  std::array<char, sizeof line.about> text{};
  std::copy_n(about.data(), std::min(about.size(), text.size() - 1), text.begin());
  transport::shm::write_text(line.about, text);
}

// Those who are told of each call.
struct CallObservers {
  trace::Tracer* recorder = nullptr;
  record::RunRecorder* record = nullptr;

  void begin(const CallWords& name, trace::Tracer::Begin how = trace::Tracer::Begin::now) const {
    if (recorder != nullptr) [[unlikely]]
      recorder->call_begins(name.words, how);
    if (record != nullptr) [[unlikely]]
      record_call(*record, name.words);
  }
  void end() const {
    if (recorder != nullptr) [[unlikely]]
      recorder->call_ends();
    if (record != nullptr) [[unlikely]]
      record->call_ends();
  }
};

// Names the call in progress for reports, unless a front end has named its own call.
class CallName {
 public:
  CallName(ApiState& state, const CallWords& name,
           trace::Tracer::Begin how = trace::Tracer::Begin::now) {
    transport::shm::StateLine& line = state.job.endpoint().state;
    if (line.call[0].peek() != 0) return;
    line_ = &line;
    write_call(line, name);
    observers_ = {state.recorder, state.record};
    observers_.begin(name, how);
  }
  ~CallName() {
    if (line_ == nullptr) return;
    line_->call[0].put(0);
    observers_.end();
  }
  CallName(const CallName&) = delete;
  CallName& operator=(const CallName&) = delete;

 private:
  transport::shm::StateLine* line_ = nullptr;
  CallObservers observers_;
};

// Both throw Error(invalid_argument) for a number that is no type.
[[nodiscard]] data::Element element_of(tutti_type type);
[[nodiscard]] const char* type_text(tutti_type type);
// Returns nullopt unless `data` is well-formed and contiguous. More elements than any memory holds
// are left to general_operand_of(), which refuses those whose bytes cannot be counted.
[[nodiscard]] inline std::optional<std::uint64_t> bytes_if_contiguous(const tutti_data* data) {
  constexpr std::uint64_t most = std::uint64_t{1} << 58;
  static_assert(most * data::size_of(data::Element::complex128) < std::uint64_t{1} << 63);
  const bool plain = data != nullptr && data->shape == TUTTI_CONTIGUOUS &&
                     data->address != nullptr && static_cast<std::uint64_t>(data->m) <= most &&
                     static_cast<unsigned>(data->type) < data::element_kinds;
  if (!plain) return std::nullopt;
  return static_cast<std::uint64_t>(data->m) *
         data::size_of(static_cast<data::Element>(data->type));
}
[[nodiscard]] engine::CallOperand general_operand_of(const tutti_data* data, const char* argument);
[[nodiscard]] inline engine::CallOperand operand_of(const tutti_data* data, const char* argument) {
  if (!bytes_if_contiguous(data)) [[unlikely]]
    return general_operand_of(data, argument);
  return {data->address, data::Layout::contiguous(data->m),
          data::size_of(static_cast<data::Element>(data->type))};
}

}  // namespace tutti::api
