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

// Returns what has become of a statement. One that no possible path with many ranks has
// followed to its end shows nothing, nor does one that has met none of its own obligations there
// where there should be some.
Report shown(const Statement& statement, const Subject& subject) {
  Report report = explore([&] { statement.run(subject); });
  for (std::size_t i = 0; i < subject.stages.size() && report.proved(); ++i) {
    if (!concerns(statement, subject, subject.stages[i])) continue;
    const Reached reached = report.stages[static_cast<int>(i)];
    if (reached.paths == 0 || (statement.has_obligations && reached.obligations == 0))
      report.unsupported = std::string("nothing was shown: ") + statement.name;
  }
  return report;
}

// Returns what has become of the first of the statements that is proved. If none is, the first one
// says why.
Report no_circle_of_waiting_ranks(const Subject& subject) {
  const Report first = shown(waiting_statements().front(), subject);
  if (first.proved()) return first;
  for (const Statement& statement : waiting_statements().subspan(1))
    if (Report other = shown(statement, subject); other.proved()) return other;
  return first;
}

// Shows all statements about the generator, and one more if there is one.
Report shown(const Subject& subject, const Statement* more) {
  Report report;
  const auto add = [&](const Statement& statement) {
    if (report.proved() && concerns(statement, subject)) report.add(shown(statement, subject));
  };
  for (const Statement& statement : statements()) add(statement);
  if (more != nullptr) add(*more);
  if (report.proved()) report.add(no_circle_of_waiting_ranks(subject));
  for (const std::string& lemma : std::set<std::string>(report.lemmas))
    if (report.proved()) report.add(lemma_proof(lemma));
  return report;
}

Report proof_of(const Generator& generator, bool in_place, const Statement* more) {
  Report report;
  try {
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
  const Statement* conditions = nullptr;
};

Claim claim_of(const Generator& generator) {
  const Generator* base = generator.made.first;
  const bool in_place = generator.in_place && has_two_buffers(generator.operation);
  switch (generator.made.by) {
    case schedule::Transform::without_data:
      // The barrier has the messages of an allreduce and no blocks, so in place says nothing.
      return {base, false, "theorem T5", &condition_of_theorem(generator.made.by)};
    case schedule::Transform::pipelined:
      return {base, in_place, "theorem T4", &condition_of_theorem(generator.made.by)};
    default:
      return {&generator, in_place};
  }
}

}  // namespace

const Generator& looked_at(const Generator& generator) {
  return *claim_of(generator).generator;
}

bool prove_in_place(const Generator& generator) {
  return claim_of(generator).in_place;
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
