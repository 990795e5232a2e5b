// SPDX-License-Identifier: BSD-3-Clause
// Tells reports of hangs what a call does, and compares calls (watch.hpp).
#include "watch.hpp"

#include <tutti/tutti_runtime.h>

#include <optional>
#include <vector>

#include "arguments.hpp"
#include "clock.hpp"
#include "timing.hpp"

namespace tutti::blacs {
namespace {

tutti_data words_of(CallFacts* facts) {
  return tutti_array(facts, words_of_facts, TUTTI_INT32);
}

std::string text_with_place(const CallFacts& facts) {
  return fmt::format("process {{{},{}}} in {} {}", facts.my_row, facts.my_column,
                     facts.routine.data(), text_of(facts));
}

[[noreturn]] void fail_for(const RoutineCall& call, const Disagreement& found) {
  fail(call, "the {} differ: {}, but {}", found.what, text_with_place(*found.one),
       text_with_place(*found.other));
}

void tell_receiver(const RoutineCall& call, CallFacts own, int to) {
  const tutti_data data = words_of(&own);
  check(call, tutti_send(call.grid().all.group, &data, to, tag_of_facts(call.grid())));
}

struct Found {
  int source, tag;
};

// Waits for a message and leaves it there.
Found next_message(const RoutineCall& call, int from, int tag) {
  Found found{};
  check(call, tutti_probe(call.grid().all.group, from, tag, 1, &found.source, &found.tag, nullptr));
  return found;
}

// Waits for a message from anybody and returns its source, from which the call then receives.
int found_source(const RoutineCall& call, const Intent& intent) {
  *intent.also.source = next_message(call, TUTTI_ANY, intent.also.tag).source;
  return *intent.also.source;
}

// Receives the facts that are ahead of the next message. The last ones stay in `facts`. Returns the
// source of that message.
int take_facts(const RoutineCall& call, int from, std::optional<CallFacts>& facts) {
  CallFacts taken{};
  const tutti_data data = words_of(&taken);
  Found next = next_message(call, from, TUTTI_ANY);
  for (; next.tag == tag_of_facts(call.grid()); next = next_message(call, from, TUTTI_ANY)) {
    check(call,
          tutti_receive(call.grid().all.group, &data, next.source, next.tag, nullptr, nullptr));
    facts = taken;
  }
  return next.source;
}

// The facts come before their message. If that comes first, it was sent before the level was set.
// Earlier facts are of messages that this process has received at a lower level.
void compare_with_sender(const RoutineCall& call, const CallFacts& own, int from) {
  std::optional<CallFacts> sender;
  take_facts(call, from, sender);
  if (!sender) return;
  if (const char* const what = difference_of_data(*sender, own))
    fail_for(call, {what, &*sender, &own});
}

void compare_in_scope(const RoutineCall& call, CallFacts own, const Scope& scope) {
  std::vector<CallFacts> all(static_cast<std::size_t>(scope.size));
  const tutti_data input = words_of(&own);
  const tutti_data output = tutti_array(all.data(), words_of_facts * scope.size, TUTTI_INT32);
  check(call, tutti_allgather(scope.group, &input, &output));
  if (const Disagreement found = disagreement(all); found.what != nullptr) fail_for(call, found);
}

void compare(const RoutineCall& call, const Intent& intent, const CallFacts& own) {
  switch (intent.deed) {
    case Deed::send:
      return tell_receiver(call, own, intent.with);
    case Deed::receive:
      return compare_with_sender(call, own, intent.with);
    case Deed::receive_from_anybody:
      return compare_with_sender(call, own, found_source(call, intent));
    case Deed::flush:
    case Deed::map_list:
      return;
    default:
      return compare_in_scope(call, own, *intent.scope);
  }
}

}  // namespace

int source_of_next(const RoutineCall& call, int from) {
  std::optional<CallFacts> facts;
  return take_facts(call, from, facts);
}

Watch::Watch(const RoutineCall& call, const Intent& intent) {
  if (levels.debug >= 2) {
    const CallFacts own = facts_of(call, intent);
    tutti_describe_call(fmt::format("{} {}", call.where(), text_of(own)).c_str());
    if (levels.debug >= 3) compare(call, intent, own);
  }
  if (levels.timing == 0) return;
  timed_ = call.routine();
  if (intent.data != nullptr) bytes_ = elements(*intent.data) * element_bytes(intent.data->type);
  waited_before_ = tutti_seconds_waited();
  begun_ = wall_time();
}

void Watch::finish() {
  if (timed_ == nullptr) return;
  const double inside = wall_time() - begun_;
  count({timed_, bytes_, inside,
         levels.timing >= 2 ? tutti_seconds_waited() - waited_before_ : not_measured});
}

Watch::~Watch() {
  if (levels.debug >= 2) tutti_describe_call(nullptr);
}

}  // namespace tutti::blacs
