// SPDX-License-Identifier: BSD-3-Clause
// `tutti verify --all-p`: proofs for every number of ranks. tutti-prove makes them; here each is
// told in a line, and a counter-example is given to the verifier.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/adopted.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "support/child.hpp"
#include "verify/verify.hpp"

namespace tutti::tools {
namespace {

using nlohmann::json;
using schedule::Generator;

constexpr const char* prover_program = "tutti-prove";
constexpr int most_ranks_tried = 64;  // the verifier looks at counter-examples up to this p

std::string title_of(const Generator& g) {
  return fmt::format("{} {}", schedule::to_text(g.operation), g.name);
}

std::string name_of(const Generator& g) {
  return fmt::format("{}/{}", schedule::to_text(g.operation), g.name);
}

// Returns the names of the algorithms that the program can look at.
std::set<std::string> names_in(const std::string& program) {
  std::set<std::string> names;
  const int code = read_lines(ChildCommand{{program, "--list"}, {}},
                              [&](const std::string& line) { names.insert(line); });
  if (code != 0) base::fail(base::Status::system_error, "tutti-prove --list ended with {}", code);
  return names;
}

// Returns the sum over both placements of input and output.
int count_of(const json& proof, const char* what) {
  int count = proof["separate"][what];
  if (proof.contains("in_place")) count += proof["in_place"][what].get<int>();
  return count;
}

// Tells how a proof was made: obligations, lemmas and time. Impossible paths show nothing, nor do
// those that may be impossible, so it says if there are any.
std::string cost_of(const json& proof) {
  std::string text = fmt::format("{} obligations", count_of(proof, "obligations"));
  if (const int impossible = count_of(proof, "impossible"); impossible > 0)
    text += fmt::format(", {} impossible paths", impossible);
  if (const int undecided = count_of(proof, "undecided"); undecided > 0)
    text += fmt::format(", {} undecided paths", undecided);
  for (const json& name : proof["separate"]["lemmas"])
    text += ", lemma of " + name.get<std::string>();
  if (proof.contains("by")) text += ", " + proof["by"].get<std::string>();
  return text + fmt::format(", {:.1f} s", proof["seconds"].get<double>());
}

// Returns what stands in the way, with the counter-example to the invariant if z3 has one.
std::string missing_in(const json& part) {
  std::string text = part.value("missing", "");
  if (!part.value("refuted", false)) return text;
  std::vector<std::string> values;
  for (const char* name : {"p", "root", "rank", "round", "part"})
    if (part["values"].contains(name))
      values.push_back(fmt::format("{} = {}", name, part["values"][name].get<std::int64_t>()));
  return fmt::format("{} fails for {}", text, fmt::join(values, ", "));
}

// Returns what the verifier says about the shape of a counter-example, or an empty text if it finds
// nothing wrong.
std::string verdict_on(const Generator& g, const json& part) {
  if (!part.value("refuted", false) || !part["values"].contains("p")) return {};
  schedule::Shape shape;
  const auto p = part["values"]["p"].get<std::int64_t>();
  if (p > most_ranks_tried) return {};
  shape.p = static_cast<int>(p);
  shape.root = static_cast<int>(part["values"].value("root", std::int64_t{0}));
  for (const auto placement : {schedule::Placement::separate, schedule::Placement::in_place}) {
    const schedule::Verdict verdict = schedule::verify(g, shape, placement);
    if (!verdict.correct()) return verdict.problem;
  }
  return {};
}

json record_of(const Generator& g, const json* proof) {
  json record{{"operation", schedule::to_text(g.operation)},
              {"algorithm", g.name},
              // The tests of the library prove its own algorithms to 64, and no others.
              {"registered", algorithms::source_of(g) != nullptr},
              {"proved", proof != nullptr && (*proof)["proved"].get<bool>()}};
  if (proof == nullptr) {
    record["missing"] = "no invariant is stated";
    return record;
  }
  record["proof"] = *proof;
  const json& separate = (*proof)["separate"];
  const json& open = separate["proved"].get<bool>() && proof->contains("in_place")
                         ? (*proof)["in_place"]
                         : separate;
  if (!record["proved"]) record["missing"] = missing_in(open);
  if (const std::string problem = verdict_on(g, open); !problem.empty())
    record["problem"] = problem;
  return record;
}

std::string line_of(const json& record) {
  if (record["proved"]) return fmt::format("proved for every p ({})", cost_of(record["proof"]));
  const std::string missing = record["missing"];
  if (record.contains("problem"))
    return fmt::format("WRONG: {}; {}", missing, record["problem"].get<std::string>());
  if (record.contains("proof") && record["proof"]["separate"]["proved"])
    return fmt::format("proved for every p with separate buffers only ({}); in place: {}",
                       cost_of(record["proof"]), missing);
  if (record["registered"])
    return fmt::format("not proved for every p, but for each p before it runs; missing: {}",
                       missing);
  return fmt::format("proved to 64 and sampled; missing: {}", missing);
}

// Prints results in the order of the algorithms, each as soon as it is there.
class Lines {
 public:
  Lines(const VerifyOptions& options, std::vector<selection::Forced> plans)
      : json_(options.call.json), plans_(std::move(plans)) {}

  void take(const json& proof) {
    const auto is_it = [&](const selection::Forced& plan) {
      return proof["operation"] == schedule::to_text(plan.generator->operation) &&
             proof["algorithm"] == plan.generator->name;
    };
    while (next_ < plans_.size() && !is_it(plans_[next_])) print(nullptr);
    if (next_ < plans_.size()) print(&proof);
  }
  void finish() {
    while (next_ < plans_.size()) print(nullptr);
    if (json_) {
      fmt::print("{}", verify_answer("every_p", right_, records_));
    } else if (plans_.size() > 1) {
      fmt::print("{} of {} algorithms are proved for every p.\n", proved_, plans_.size());
    }
  }
  [[nodiscard]] bool right() const { return right_; }

 private:
  void print(const json* proof) {
    const Generator& g = *plans_[next_++].generator;
    const json record = record_of(g, proof);
    proved_ += record["proved"] ? 1 : 0;
    right_ = right_ && !record.contains("problem");
    if (json_) {
      records_.push_back(record);
    } else {
      fmt::print("{}: {}\n", title_of(g), line_of(record));
      // Failure is harmless: run_command() asks ferror() at the end.
      std::fflush(stdout);
    }
  }

  bool json_;
  std::vector<selection::Forced> plans_;
  json records_ = json::array();
  std::size_t next_ = 0;
  int proved_ = 0;
  bool right_ = true;
};

}  // namespace

bool verify_all_p(const VerifyOptions& options) {
  std::vector<selection::Forced> plans = chosen_plans(options);
  const std::string program = find_helper(prover_program);
  if (program.empty())
    base::fail(base::Status::system_error,
               "tutti-prove is not there: it is built where z3 is installed (Debian's package "
               "libz3-dev), and a wheel of Python leaves it out");
  const std::set<std::string> known = names_in(program);
  ChildCommand command{{program}, {}};
  for (const selection::Forced& plan : plans)
    if (known.contains(name_of(*plan.generator))) command.words.push_back(name_of(*plan.generator));
  Lines lines(options, std::move(plans));
  // Without names it would prove all that it knows.
  const bool any = command.words.size() > 1;
  const int code =
      any ? read_lines(command, [&](const std::string& line) { lines.take(json::parse(line)); })
          : 0;
  if (code != 0) base::fail(base::Status::system_error, "tutti-prove ended with {}", code);
  lines.finish();
  return lines.right();
}

}  // namespace tutti::tools
