// SPDX-License-Identifier: BSD-3-Clause
#include "proof.hpp"

#include <ctime>

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

using Statement = void (*)(const Subject&);
constexpr Statement statements[] = {blocks_are_there,
                                    messages_meet,
                                    messages_are_single,
                                    nothing_is_used_too_early,
                                    sends_what_it_holds,
                                    data_is_kept,
                                    sums_are_kept,
                                    sums_stay_in_order,
                                    begins_and_ends,
                                    facts_are_true,
                                    local_work_delays_nobody,
                                    numbers_fit};

// Shows all statements about the generator, and one more if there is one.
Report shown(const Subject& subject, Statement more) {
  Report report;
  const auto add = [&](Statement statement) {
    if (report.proved()) report.add(explore([&] { statement(subject); }));
  };
  for (const Statement statement : statements) add(statement);
  if (more != nullptr) add(more);
  if (report.proved()) report.add(no_circle_of_waiting_ranks(subject));
  // A statement that no possible path has reached shows nothing.
  if (report.proved() && report.obligations == 0) report.unsupported = "nothing was shown";
  for (const std::string& lemma : std::set<std::string>(report.lemmas))
    if (report.proved()) report.add(lemma_proof(lemma));
  return report;
}

Report proof_of(const Generator& generator, bool in_place, Statement more) {
  Report report;
  try {
    if (generator.parameter != schedule::Parameter::none)
      throw Unsupported{"a proof for every value of its parameter"};
    report = shown({&generator, stages_of(generator), in_place}, more);
  } catch (const Unsupported& reason) {
    report.unsupported = reason.what;
  }
  return report;
}

// Says which generator is looked at to prove one: itself, or the one that a theorem derives it
// from. The latter comes with the theorem's conditions.
struct Claim {
  const Generator* generator;
  bool in_place;
  const char* theorem = "";
  Statement conditions = nullptr;
};

Claim claim_of(const Generator& generator) {
  const Generator* base = generator.made.first;
  const bool in_place = generator.in_place && has_two_buffers(generator.operation);
  switch (generator.made.by) {
    case schedule::Transform::without_data:
      // The barrier has the messages of an allreduce and no blocks, so in place says nothing.
      return {base, false, "theorem T5"};
    case schedule::Transform::pipelined:
      return {base, in_place, "theorem T4", chunks_may_follow};
    default:
      return {&generator, in_place};
  }
}

}  // namespace

const Generator& looked_at(const Generator& generator) {
  return *claim_of(generator).generator;
}

Proof prove(const Generator& generator) {
  const std::clock_t begin = std::clock();
  const Claim claim = claim_of(generator);
  Proof proof;
  proof.theorem = claim.theorem;
  proof.has_in_place = claim.in_place;
  proof.separate = proof_of(*claim.generator, false, claim.conditions);
  if (claim.in_place && proof.separate.proved())
    proof.in_place = proof_of(*claim.generator, true, claim.conditions);
  proof.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return proof;
}

}  // namespace tutti::prove
