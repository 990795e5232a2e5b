// SPDX-License-Identifier: BSD-3-Clause
// tutti-prove [--mutants | --bridge P] [OPERATION/ALGORITHM ...]: proves generators for every p. It
// prints a JSON object on a line for each, as soon as it is done. `tutti verify --all-p` starts it
// and prints what it finds. The options are for its own tests.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bridge.hpp"
#include "generators.hpp"
#include "mutants.hpp"
#include "proof.hpp"
#include "schedule/names.hpp"

namespace tutti::prove {
namespace {

using schedule::Generator;

constexpr int most_ranks_compared = 5;

std::string full_name(const Generator& generator) {
  return std::string(schedule::to_text(generator.operation)) + "/" + generator.name;
}

nlohmann::json json_of(const Report& report) {
  nlohmann::json out{{"proved", report.proved()},       {"obligations", report.obligations},
                     {"paths", report.paths},           {"ended", report.ended},
                     {"impossible", report.impossible}, {"lemmas", report.lemmas}};
  if (!report.unsupported.empty()) out["missing"] = report.unsupported;
  if (!report.open.empty()) {
    const Open& open = report.open.front();
    out["missing"] = open.obligation;
    out["refuted"] = open.refuted;
    if (open.refuted) out["values"] = open.values;
  }
  return out;
}

void print_proof(const Generator& generator) {
  const Proof proof = prove(generator);
  nlohmann::json out{{"operation", schedule::to_text(generator.operation)},
                     {"algorithm", generator.name},
                     {"proved", proof.proved()},
                     {"seconds", proof.seconds},
                     {"separate", json_of(proof.separate)}};
  if (!proof.theorem.empty()) out["by"] = proof.theorem;
  if (proof.has_in_place) out["in_place"] = json_of(proof.in_place);
  std::cout << out.dump() << std::endl;
}

// Tells what has become of a mutant.
std::string fate_of(const Generator& generator, const Generator& mutant) {
  const Proof proof = prove(mutant);
  if (proof.proved())
    return emit_the_same(generator, mutant, most_ranks_compared) ? "changes nothing" : "PROVED";
  const Report& open = proof.separate.proved() ? proof.in_place : proof.separate;
  return open.open.empty() ? open.unsupported : open.open.front().obligation;
}

// A mutant that is proved must be one that changes nothing. A commutative operator does not notice
// that operands are exchanged.
void print_mutants(const Generator& generator, const std::string& name) {
  for (const Mutation& mutation : mutations(generator)) {
    if (mutation.kind == Mutation::Kind::swap_operands && generator.commutative_only()) continue;
    std::cout << name << ": " << mutation.text() << ": "
              << fate_of(generator, mutant_of(generator, mutation)) << std::endl;
  }
}

// The words after the names of options. All generators if there are none.
struct Request {
  bool mutants = false;
  int bridge = 0;
  std::vector<std::string> names;
};

Request request_of(const std::vector<std::string>& words) {
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--mutants") {
      request.mutants = true;
    } else if (words[i] == "--bridge" && i + 1 < words.size()) {
      request.bridge = std::stoi(words[++i]);
    } else {
      request.names.push_back(words[i]);
    }
  }
  return request;
}

void serve(const Request& request) {
  for (const Generator* generator : generators()) {
    const std::string name = full_name(*generator);
    if (!request.names.empty() &&
        std::find(request.names.begin(), request.names.end(), name) == request.names.end())
      continue;
    if (request.bridge > 0) {
      print_bridge(*generator, name, request.bridge);
    } else if (request.mutants) {
      print_mutants(looked_at(*generator), name);
    } else {
      print_proof(*generator);
    }
  }
}

}  // namespace
}  // namespace tutti::prove

int main(int count, char** words) {
  tutti::prove::serve(tutti::prove::request_of({words + 1, words + count}));
}
