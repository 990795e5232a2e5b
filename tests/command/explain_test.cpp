// SPDX-License-Identifier: BSD-3-Clause
// Tests explanations: the printed terms give the printed times, and no loser is faster than the
// winner. It also checks table 2 of paper 001.
#include "selection/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <regex>

#include "explain/limits.hpp"
#include "explain/print.hpp"
#include "machine/profile.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"

namespace tutti {
namespace {

using nlohmann::json;
using schedule::Operation;
using selection::Question;

// Returns the time of a printed candidate, computed only from printed values.
double time_of(const json& candidate, const json& machine, double bytes) {
  const json& terms = candidate["terms"];
  const auto rate = [&](const char* name) {
    const json& numbers = machine["numbers"];
    return numbers.contains(name) ? numbers[name]["value"].get<double>() : 0;
  };
  return terms["alpha"].get<double>() * rate("alpha") +
         bytes * (terms["beta"].get<double>() * rate("beta") +
                  terms["gamma"].get<double>() * rate("gamma") +
                  terms["copied"].get<double>() * rate("node.copy")) +
         terms["hops"].get<double>() * rate("network.hop");
}

// Plans that are not counted have a lower bound in place of a price.
bool is_counted(const json& candidate) {
  return candidate["terms_from"] != "at least";
}

void check_losers(const json& printed) {
  const auto bytes = printed["bytes"].get<double>();
  const json& candidates = printed["candidates"];
  if (candidates.empty()) return;
  ASSERT_EQ(candidates[0]["name"], printed["winner"]);
  const double best = time_of(candidates[0], printed["machine"], bytes);
  for (const json& candidate : candidates) {
    const double needed = time_of(candidate, printed["machine"], bytes);
    if (is_counted(candidate)) {
      ASSERT_GE(needed, best * (1 - 1e-12)) << candidate["name"] << " in\n" << printed.dump(1);
    }
    ASSERT_NEAR(needed, candidate["time_us"].get<double>(), 1e-9 * needed);
    ASSERT_EQ(candidate["why"].get<std::string>().empty(), candidate["name"] == printed["winner"])
        << candidate;
  }
}

// At the beginning of every piece, its owner must be as fast as any candidate.
void check_crossovers(const json& printed) {
  for (const json& piece : printed["crossovers"]) {
    const auto from = piece["from_bytes"].get<double>();
    double owner = 0, best = INFINITY;
    for (const json& candidate : printed["candidates"]) {
      if (!is_counted(candidate)) continue;
      const double needed = time_of(candidate, printed["machine"], from);
      best = std::min(best, needed);
      if (candidate["name"] == piece["name"]) owner = needed;
    }
    ASSERT_LE(owner, best * (1 + 1e-9)) << piece;
  }
}

TEST(Explain, PrintedTermsOfLosersExceedTheWinners) {
  const unsigned seed = 20261121;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::vector<std::string> machines = machine::builtin_profiles();
  // Each call counts up to 1.5 million messages on a mesh.
  for (int call = 0; call < 200; ++call) {
    Question q;
    q.operation = static_cast<Operation>(below(schedule::operation_kinds));
    q.mesh = {1 + below(5), 1 + below(9)};
    q.p = q.mesh[0] * q.mesh[1];
    q.root = below(q.p);
    q.commutative = below(3) > 0;
    q.reproducible = below(4) == 0;
    const std::int64_t bytes = static_cast<std::int64_t>(random()) >> below(32);
    const machine::Profile machine =
        machine::load(machines[static_cast<std::size_t>(below(int(machines.size())))]);
    const selection::Explanation explanation = selection::explain(q, bytes, machine);
    const json printed = json::parse(tools::to_json(explanation, {bytes, bytes}).dump());
    check_losers(printed);
    check_crossovers(printed);
    if (HasFatalFailure()) return;
  }
}

TEST(Explain, SaysWhyNot) {
  Question q;
  q.operation = Operation::broadcast;
  q.p = 6;
  q.mesh = {2, 3};
  const std::string text = tools::to_text(selection::explain(q, 65536, machine::load("paragon")),
                                          {65536, 65536}, tools::Detail::best);
  EXPECT_NE(text.find("broadcast of 64 KiB over 6 ranks as a mesh 2x3"), std::string::npos) << text;
  EXPECT_NE(text.find("hypercube: does not serve this shape; needs p a power of two"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("start-ups +"), std::string::npos) << text;
  EXPECT_NE(text.find("fastest from"), std::string::npos) << text;
}

// Returns the command's answer about a job on this machine, with ranks on so many hosts.
tools::ExplainAnswer answer_on(const selection::Hosts& hosts, Operation operation,
                               std::int64_t bytes, int p = 4) {
  Question q;
  q.operation = operation;
  q.p = p;
  selection::lay_on(q, hosts);
  selection::Chooser chooser({}, std::nullopt, {}, 2);
  const machine::Profile machine = machine::load("host");
  tools::ExplainAnswer answer{hosts.empty() ? selection::explain_on_host(q, bytes, machine, 2)
                                            : selection::explain(q, bytes, machine),
                              {bytes, bytes}};
  answer.library = chooser.choose(q, bytes);
  answer.decided_for = chooser.size_asked_for(operation, q.p, bytes);
  return answer;
}

std::string said(const tools::ExplainAnswer& answer) {
  return to_text(answer, tools::Detail::best);
}

TEST(Explain, SaysBySizeOfWhichClassTheLibraryDecides) {
  const char* const line = "decided by the size 128 KiB, for all sizes above 64 KiB, up to 128 KiB";
  EXPECT_NE(said(answer_on({}, Operation::reduce, 70000)).find(line), std::string::npos);
  for (const tools::ExplainAnswer& other :
       {answer_on({}, Operation::reduce, 131072), answer_on({}, Operation::barrier, 0)}) {
    EXPECT_EQ(said(other).find("decided by the size"), std::string::npos) << said(other);
  }
  tools::ExplainAnswer forced = answer_on({}, Operation::reduce, 70000);
  forced.library->decider = selection::Decider::user;
  EXPECT_EQ(said(forced).find("decided by the size"), std::string::npos) << said(forced);
}

TEST(Explain, SaysWhichHostsAreAssumedAndHowToAskForOthers) {
  const std::string one = said(answer_on({}, Operation::reduce, 64));
  EXPECT_TRUE(one.starts_with("a job of 4 processes on this host gets ")) << one;
  EXPECT_NE(one.find("\nassumed: one host, whose memory all processes share; --hosts H asks about "
                     "several hosts\n"),
            std::string::npos)
      << one;
  const std::string two = said(answer_on({0, 0, 1, 1}, Operation::reduce, 64));
  EXPECT_TRUE(two.starts_with("a job of 4 processes on 2 hosts like this one gets ")) << two;
  EXPECT_NE(two.find("\nassumed: several hosts without common memory, ranks in order; without "
                     "--hosts it is one host\n"),
            std::string::npos)
      << two;
}

TEST(Explain, ShowsCopiesWhereTheyCount) {
  tools::ExplainAnswer answer = answer_on({0, 0, 1, 1}, Operation::allgather, 65536);
  EXPECT_EQ(said(answer).find("copy*c"), std::string::npos) << said(answer);
  machine::Profile machine = machine::load("host");
  machine.more["node.copy"].value = 0.0005;
  answer.explanation = selection::explain(answer.explanation.question, 65536, machine);
  EXPECT_NE(said(answer).find("time = alpha*a + bytes*(beta*b + gamma*g + copy*c)"),
            std::string::npos)
      << said(answer);
}

void expect_in_order(const std::string& text, const std::vector<std::string>& sections) {
  std::size_t at = 0;
  for (const std::string& section : sections) {
    const std::size_t found = text.find(section);
    ASSERT_NE(found, std::string::npos) << section << " is missing in\n" << text;
    EXPECT_GE(found, at) << section << " stands too early in\n" << text;
    at = found;
  }
}

// The plan that will run here comes first, then the algorithm that was asked for, then the prices
// of all.
TEST(Explain, SectionsStandInThisOrder) {
  for (const selection::Hosts& hosts : {selection::Hosts{}, selection::Hosts{0, 0, 1, 1}}) {
    tools::ExplainAnswer answer = answer_on(hosts, Operation::broadcast, 70000);
    answer.library_row = answer.explanation.rows[0];
    answer.asked = answer.explanation.rows[1];
    const bool one = hosts.empty();
    const std::string judge = one ? "the price is " : "the model says ";
    expect_in_order(
        said(answer),
        {one ? "a job of 4 processes on this host gets " : "a job of 4 processes on 2 hosts",
         "\n" + judge, "\ndecided by the size 128 KiB",
         one ? "\nassumed: one host" : "\nassumed: several hosts",
         "\n\n" + answer.asked->alternative.name + ": " + judge,
         "\nbroadcast of 68.36 KiB over 4 ranks",
         "\non host: ", one ? "\nns a byte: written " : "\nalpha ",
         one ? "\ntime = (work and waits of all ranks)"
             : "\ntime = alpha*a + bytes*(beta*b + gamma*g)\n",
         one ? "\n\n     time  x best  written    read  combined  copied  messages "
             : "\n\n     time  x best        a         b       g  algorithm ",
         "\n\nfastest from\n", "\n\nnot eligible\n"});
    EXPECT_EQ(to_json(answer).begin().key(), "library");
  }
}

// Times that are printed are the sums of their parts.
void check_sums(const json& printed) {
  for (const json& candidate : printed["candidates"]) {
    double sum = 0;
    for (const json& part : candidate["shared_memory"]["time_us"]) sum += part.get<double>();
    EXPECT_NEAR(sum, candidate["time_us"].get<double>(), 1e-9 * sum) << candidate;
    EXPECT_GE(sum, printed["candidates"][0]["time_us"].get<double>());
  }
}

// The first plan for the size that decides is the one that runs, also for sizes within a class.
TEST(Explain, OnOneHostTheFirstPlanIsWhatRuns) {
  for (int number = 0; number < schedule::operation_kinds; ++number) {
    const auto operation = static_cast<Operation>(number);
    for (int power = 0; power <= 24; power += 2) {
      const int p = 2 + power / 2;  // 2 to 14 ranks, two of which have processors
      for (const std::int64_t more : {0, 1}) {
        const std::int64_t bytes = (std::int64_t{1} << power) + more;
        const json asked = json::parse(to_json(answer_on({}, operation, bytes, p)).dump());
        const json decides = json::parse(
            to_json(answer_on({}, operation, asked["library"]["decided_for_bytes"], p)).dump());
        EXPECT_EQ(asked["library"]["decided_for_bytes"],
                  more == 0 ? bytes : std::int64_t{2} << power);
        EXPECT_EQ(decides["winner"], asked["library"]["name"]) << p << " " << bytes;
        EXPECT_EQ(asked["priced_by"], "shared memory");
        check_sums(asked);
      }
    }
  }
}

TEST(Explain, RatesHaveUnits) {
  const std::regex rates(
      R"(\nalpha [-+.e\d]+ us \(\w+\), beta [-+.e\d]+ us/B \(\w+\), gamma [-+.e\d]+ us/B \(\w+\), )"
      R"(kappa (inf|[-+.e\d]+) \(\w+\)\n)");
  for (const std::string& machine : machine::builtin_profiles()) {
    const std::string text =
        tools::to_text(selection::explain(answer_on({}, Operation::reduce, 64).explanation.question,
                                          64, machine::load(machine)),
                       {64, 64}, tools::Detail::best);
    EXPECT_TRUE(std::regex_search(text, rates)) << text.substr(0, 400);
  }
}

TEST(Explain, UnitsOfTimesAndSizes) {
  EXPECT_EQ(selection::time_text(12.5), "12.5 us");
  EXPECT_EQ(selection::time_text(14460), "14.5 ms");
  EXPECT_EQ(selection::time_text(1.513e6), "1.513 s");
  EXPECT_EQ(selection::bytes_text(1000), "1000 B");
  EXPECT_EQ(selection::bytes_text(65536), "64 KiB");
  EXPECT_EQ(selection::bytes_text(1 << 20), "1 MiB");
}

// The pictures of explain draw this bound below the plans.
TEST(Explain, NoPlanIsBelowTheBound) {
  const machine::Profile sp2 = machine::load("sp2");
  int plans = 0;
  for (const Operation operation :
       {Operation::barrier, Operation::broadcast, Operation::reduce, Operation::allreduce,
        Operation::scatter, Operation::gather, Operation::allgather, Operation::reduce_scatter,
        Operation::alltoall, Operation::scan, Operation::exscan}) {
    for (const int p : {2, 3, 7, 8, 16, 33}) {
      Question question;
      question.operation = operation;
      question.p = p;
      const selection::Terms least = tools::least_terms(question.operation, p);
      for (const selection::Row& row : selection::explain(question, 1000, sp2).rows) {
        const selection::Terms& terms = row.alternative.terms;
        EXPECT_GE(terms.alpha, least.alpha) << row.alternative.name << ' ' << p;
        EXPECT_GE(terms.beta, least.beta - 1e-12) << row.alternative.name << ' ' << p;
        EXPECT_GE(terms.gamma, least.gamma - 1e-12) << row.alternative.name << ' ' << p;
        ++plans;
      }
    }
  }
  EXPECT_GT(plans, 500);
}

}  // namespace
}  // namespace tutti
