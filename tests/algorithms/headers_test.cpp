// SPDX-License-Identifier: BSD-3-Clause
// Checks that every generator has a header, that no header is left over, that messages travel one
// at a time unless the header says otherwise, and that names are found.
#include "headers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "algorithms/registry.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/formula.hpp"

namespace tutti {
namespace {

TEST(Headers, EveryGeneratorHasOneAndEveryHeaderAGenerator) {
  const auto headers = cost::read_headers();
  std::set<std::string> names;
  for (const schedule::Generator* generator : algorithms::all()) {
    const std::string name =
        std::string(schedule::to_text(generator->operation)) + " " + generator->name;
    EXPECT_TRUE(names.insert(name).second) << name << " is registered twice";
    ASSERT_TRUE(headers.contains(name)) << name;
    const cost::Header& header = headers.at(name);
    EXPECT_TRUE(header.sentence.ends_with(".")) << name;
    EXPECT_FALSE(header.source.empty()) << name;
    EXPECT_TRUE(header.needs.find('p') != std::string::npos) << name;
    const selection::CostFormulas costs(header.cost);
    for (const char* term : {"rounds", "messages", "alpha", "root", "longest", "done"})
      EXPECT_TRUE(costs.given().contains(term)) << name << " does not state " << term;
    EXPECT_EQ(header.needs.find("commutative") != std::string::npos, generator->commutative_only())
        << name;
  }
  for (const auto& [name, header] : headers)
    EXPECT_TRUE(names.contains(name)) << name << " in " << header.file;
}

// Alpha counts the messages that the busiest rank of each round sends or gets. A header that states
// as many rounds promises one message at a time, so that no list has to name the other algorithms.
TEST(Headers, SeveralMessagesTravelAtATimeOnlyWhereTheCostSaysSo) {
  const auto headers = cost::read_headers();
  int several = 0;
  for (const schedule::Generator* g : algorithms::all()) {
    const schedule::Shape shape{.p = 8};
    if (!g->applies(shape)) continue;
    const std::string name = std::string(schedule::to_text(g->operation)) + " " + g->name;
    const selection::CostFormulas costs(headers.at(name).cost);
    const auto variables = selection::variables_of(shape);
    const bool one_port =
        costs.evaluate("alpha", variables).number == costs.evaluate("rounds", variables).number;
    EXPECT_EQ(schedule::verify(*g, shape).one_port, one_port) << name;
    several += one_port ? 0 : 1;
  }
  EXPECT_GT(several, 0);
}

TEST(Registry, FindsByOperationAndName) {
  for (const schedule::Generator* generator : algorithms::all())
    EXPECT_EQ(algorithms::find(generator->operation, generator->name), generator);
  EXPECT_EQ(algorithms::find(schedule::Operation::broadcast, "direct"), nullptr);
}

TEST(CostFormula, Evaluates) {
  const selection::CostFormulas costs(
      "a 2*(p-1) + pow(2, 3); b <= H*Tc + (p-2)*Ts; where H = ceil_log(3, p) - if(p == 10, 1, 0)");
  EXPECT_EQ(costs.evaluate("a", {{"p", 10}}).number, 26);
  EXPECT_EQ(to_text(costs.evaluate("b", {{"p", 10}})), "2 Tc + 0 To + 8 Ts");
  EXPECT_TRUE(costs.given().at("b").bound);
  const selection::CostFormulas sums(
      "a sum(j, 0, k-1, product(i, 0, j-1, f(i)) * Tc); b if(p > 1, 1, f(9)); c sum(j, 1, 0, "
      "f(j))");
  const int factors[] = {2, 3, 5};
  const selection::Variables variables = selection::variables_of({.p = 30, .factors = factors});
  EXPECT_EQ(to_text(sums.evaluate("a", variables)), "9 Tc + 0 To + 0 Ts");
  EXPECT_EQ(sums.evaluate("b", variables).number, 1);
  EXPECT_EQ(sums.evaluate("c", variables).number, 0);
  EXPECT_THROW((void)sums.evaluate("b", {{"p", 1}}), std::runtime_error);
  EXPECT_THROW((void)selection::CostFormulas("a 2*q").evaluate("a", {}), std::runtime_error);
  EXPECT_THROW((void)selection::CostFormulas("a 2 2").evaluate("a", {}), std::runtime_error);
}

}  // namespace
}  // namespace tutti
