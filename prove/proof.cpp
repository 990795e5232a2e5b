// SPDX-License-Identifier: BSD-3-Clause
#include "proof.hpp"

#include <chrono>

#include "lemmas.hpp"
#include "statement.hpp"

namespace tutti::prove {
namespace {

bool has_two_buffers(Operation operation) {
  return operation != Operation::barrier && operation != Operation::broadcast;
}

// Returns what has become of the first of the statements that is proved. If none is, the first one
// says why.
Report no_circle_of_waiting_ranks(const Subject& subject) {
  const Report first = explore([&] { combines_wait_for_single_sends(subject); });
  if (first.proved()) return first;
  for (const auto statement : {ranks_wait_for_lower_ones, ranks_wait_for_lower_ones_or_themselves})
    if (Report other = explore([&] { statement(subject); }); other.proved()) return other;
  return first;
}

Report statements(const Subject& subject) {
  Report report;
  for (const auto statement :
       {blocks_are_there, messages_meet, messages_are_single, nothing_is_used_too_early,
        sends_what_it_holds, data_is_kept, sums_are_kept, sums_stay_in_order, begins_and_ends,
        facts_are_true}) {
    if (!report.proved()) break;
    report.add(explore([&] { statement(subject); }));
  }
  if (report.proved()) report.add(no_circle_of_waiting_ranks(subject));
  // A statement that no possible path has reached shows nothing.
  if (report.proved() && report.obligations == 0) report.unsupported = "nothing was shown";
  for (const std::string& lemma : std::set<std::string>(report.lemmas))
    if (report.proved()) report.add(lemma_proof(lemma));
  return report;
}

Report proof_of(const Generator& generator, bool in_place) {
  try {
    return statements({&generator, stages_of(generator), in_place});
  } catch (const Unsupported& reason) {
    Report report;
    report.unsupported = reason.what;
    return report;
  }
}

}  // namespace

Proof prove(const Generator& generator) {
  const auto begin = std::chrono::steady_clock::now();
  Proof proof;
  if (generator.made.by == schedule::Transform::without_data) {
    // The barrier has the messages of an allreduce and no blocks, so in place says nothing.
    proof.separate = proof_of(*generator.made.first, false);
    proof.theorem = "theorem T5";
  } else {
    proof.separate = proof_of(generator, false);
    proof.has_in_place = generator.in_place && has_two_buffers(generator.operation);
    if (proof.has_in_place && proof.separate.proved()) proof.in_place = proof_of(generator, true);
  }
  proof.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return proof;
}

}  // namespace tutti::prove
