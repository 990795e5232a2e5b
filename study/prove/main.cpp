// SPDX-License-Identifier: BSD-3-Clause
// tutti-prove [OPTION] [OPERATION/ALGORITHM ...]: proves generators for every p. It prints a JSON
// object on a line for each, as soon as it is done. `tutti verify --all-p` starts it, with --list
// first, and prints what it finds. The other options are for its own tests.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <set>

#include "base/descriptor.hpp"
#include "bridge.hpp"
#include "generators.hpp"
#include "mutants.hpp"
#include "proof.hpp"
#include "samples.hpp"
#include "schedule/operation.hpp"

namespace tutti::prove {
namespace {

using schedule::Generator;

constexpr int most_ranks_compared = 16;

std::string full_name(const Generator& generator) {
  return std::string(schedule::to_text(generator.operation)) + "/" + generator.name;
}

nlohmann::json json_of(const Report& report) {
  nlohmann::json out{{"proved", report.proved()},       {"obligations", report.obligations},
                     {"paths", report.paths},           {"ended", report.ended},
                     {"impossible", report.impossible}, {"undecided", report.undecided},
                     {"lemmas", report.lemmas}};
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

constexpr const char* usage =
    "usage: tutti-prove [--list | --mutants | --bridge P | --samples RUNS | --memory P | "
    "--operators NUMBER] [OPERATION/ALGORITHM ...]";

[[noreturn]] void refuse(const std::string& problem) {
  std::cerr << "tutti-prove: " << problem << '\n' << usage << std::endl;
  std::exit(2);
}

// One option and the names of algorithms; all algorithms if there are none.
struct Request {
  std::string option;
  int number = 0;
  std::vector<std::string> names;
};

int number_after(const std::string& option, const std::string& word) {
  int number = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || rest != end || number < 1)
    refuse(option + " needs a number from 1 on, not '" + word + "'");
  return number;
}

void check_name(const std::string& name) {
  const auto is_it = [&](const Generator* generator) { return full_name(*generator) == name; };
  if (std::none_of(generators().begin(), generators().end(), is_it))
    refuse("no algorithm '" + name + "' was compiled for it");
}

Request request_of(const std::vector<std::string>& words) {
  static const std::set<std::string> plain{"--list", "--mutants"},
      numbered{"--bridge", "--samples", "--memory", "--operators"};
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].rfind("-", 0) != 0) {
      check_name(words[i]);
      request.names.push_back(words[i]);
      continue;
    }
    if (!request.option.empty()) refuse("a second option '" + words[i] + "'");
    request.option = words[i];
    if (numbered.count(words[i]) > 0) {
      const std::string word = i + 1 < words.size() ? words[++i] : "";
      request.number = number_after(request.option, word);
    } else if (plain.count(words[i]) == 0) {
      refuse("there is no option '" + words[i] + "'");
    }
  }
  return request;
}

void serve(const Request& request, const Generator& generator, const std::string& name) {
  if (request.option == "--list") {
    std::cout << name << '\n';
  } else if (request.option == "--bridge") {
    print_bridge(generator, name, request.number);
  } else if (request.option == "--samples") {
    print_samples(generator, name, request.number);
  } else if (request.option == "--memory") {
    print_memory(generator, name, request.number);
  } else if (request.option == "--mutants") {
    print_mutants(looked_at(generator), name);
  } else {
    print_proof(generator);
  }
}

void serve(const Request& request) {
  if (request.option == "--operators") return print_operators(request.number);
  for (const Generator* generator : generators()) {
    const std::string name = full_name(*generator);
    if (request.names.empty() ||
        std::find(request.names.begin(), request.names.end(), name) != request.names.end())
      serve(request, *generator, name);
  }
}

}  // namespace
}  // namespace tutti::prove

int main(int count, char** words) try {
  tutti::base::open_missing_stdio();
  tutti::prove::serve(tutti::prove::request_of({words + 1, words + count}));
} catch (const std::bad_alloc&) {
  std::fputs("tutti-prove: out of memory\n", stderr);
  return 1;
}
