// SPDX-License-Identifier: BSD-3-Clause
// Loops with an unknown number of steps. after() returns an unknown state and makes known what is
// proved of all such states by induction, with the same functions (lemmas.cpp). The header of the
// state says it: lemma, numbers_of, is_start, is_good, are_siblings and agree. What the lemma says
// is known only of starts that it is about: of others it might say what is not possible, and the
// path would leave them out.
#pragma once

#include <vector>

namespace tutti::prove {

// Returns a new unknown of the path.
schedule::Int unknown_state();
// Makes the fact known where the condition holds.
void learn_from_lemma(const char* lemma, const schedule::Truth& condition,
                      const schedule::Truth& fact);
// Tells paths apart.
std::int64_t path_number();
// On numbers, loops run.
bool loops_run();

// A state that the path has asked for.
template <class State>
struct Seen {
  schedule::Int t;
  State start, state;
};

template <class State>
std::vector<Seen<State>>& seen_on_path() {
  static std::vector<Seen<State>> seen;
  static std::int64_t of_path = -1;
  if (of_path != path_number()) seen.clear();
  of_path = path_number();
  return seen;
}

// Makes known what the lemma says of the state, and of it and others.
template <class State>
void learn_of_state(const schedule::Int& t, const State& start, const State& state) {
  const schedule::Truth mine = is_start(start, t);
  learn_from_lemma(State::lemma, mine, is_good(start, t, state));
  for (const Seen<State>& other : seen_on_path<State>()) {
    if (other.t != t || !are_siblings(start, other.start)) continue;
    const schedule::Truth both = schedule::all({mine, is_start(other.start, t)});
    learn_from_lemma(State::lemma, both, agree(state, other.state));
    learn_from_lemma(State::lemma, both, agree(other.state, state));
  }
}

template <class State>
State unknown_after(const schedule::Int& t, const State& start) {
  const OwnNumbers own;
  State state = start;
  for (schedule::Int* number : numbers_of(state)) *number = unknown_state();
  learn_of_state(t, start, state);
  return state;
}

// Runs the loop. The lemma has to be true of what comes out.
template <class State, class Step>
State number_after(const schedule::Int& t, const State& start, Step step) {
  State state = start;
  for (std::int64_t i = 0; i < t.number(); ++i) state = step(state);
  if (!loops_run()) return state;
  const OwnNumbers own;
  learn_of_state(t, start, state);
  seen_on_path<State>().push_back({t, start, state});
  return state;
}

}  // namespace tutti::prove

namespace tutti::schedule {

template <class State, class Step>
State after(const Int& t, const State& start, Step step) {
  if (t.is_number() || prove::loops_run()) return prove::number_after(t, start, step);
  auto& seen = prove::seen_on_path<State>();
  if (t == 0) {
    seen.push_back({t, start, start});
    return start;
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!(seen[i].start == start)) continue;
    if (seen[i].t == t) return seen[i].state;
    if (seen[i].t + 1 != t) continue;
    const State next = step(seen[i].state);
    seen.push_back({t, start, next});
    return next;
  }
  const State state = prove::unknown_after(t, start);
  seen.push_back({t, start, state});
  return state;
}

}  // namespace tutti::schedule
