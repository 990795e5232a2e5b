// SPDX-License-Identifier: BSD-3-Clause
// Tests tuning tables: the texts from which they are read, the calls that they serve, and that they
// reach other processes unchanged.
#include "selection/table.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/processors.hpp"
#include "machine/host.hpp"
#include "selection/machine_info.hpp"
#include "selection/reason.hpp"

namespace tutti {
namespace {

using schedule::Operation;
using selection::Decider;
using selection::Question;

constexpr const char* text = R"(
name = "whatever else is in the file"

[[plan]]
operation = "sum"
ranks = [2, 4]
bytes = [0, "4K"]
algorithm = "ring"

[[plan]]
operation = "allreduce"
bytes = [3000, 3500]
algorithm = "mst"

[[plan]]
operation = "bcast"
algorithm = "tree:branches=3"
)";

Question question(Operation operation, int p) {
  Question q;
  q.operation = operation;
  q.p = p;
  return q;
}

TEST(Table, IsReadInTheOrderOfTheFile) {
  const selection::Table table = selection::parse_table(text, "t.toml");
  ASSERT_EQ(table.rows().size(), 3U);
  EXPECT_EQ(table.rows()[0].bytes.last, 4096);
  EXPECT_EQ(table.rows()[0].line, 4);
  EXPECT_EQ(table.rows()[2].settings.branches, 3);
  EXPECT_TRUE(table.rows()[2].ranks.contains(1));
  EXPECT_TRUE(selection::parse_table("name = 'none'", "x").empty());
}

TEST(Table, ServesItsRangesOnly) {
  selection::Chooser chooser({}, std::nullopt, {selection::parse_table(text, "t.toml")});
  const auto chosen = [&](Operation operation, int p, std::int64_t bytes) {
    return chooser.choose(question(operation, p), bytes);
  };
  EXPECT_EQ(chosen(Operation::allreduce, 4, 4096).algorithm, "ring");
  EXPECT_EQ(chosen(Operation::allreduce, 4, 4096).reason, "named by t.toml line 4");
  EXPECT_EQ(chosen(Operation::allreduce, 4, 4096).decider, Decider::table);
  EXPECT_EQ(chosen(Operation::allreduce, 4, 4097).decider, Decider::shared_memory);
  EXPECT_EQ(chosen(Operation::allreduce, 5, 3200).algorithm, "mst");
  EXPECT_EQ(chosen(Operation::broadcast, 100, 1 << 30).settings.branches, 3);
  EXPECT_EQ(chosen(Operation::reduce, 4, 8).decider, Decider::shared_memory);
}

TEST(Table, MayOnlyNamePlans) {
  selection::Chooser chooser({}, std::nullopt, {selection::parse_table(text, "t.toml")});
  Question ordered = question(Operation::allreduce, 3);
  ordered.commutative = false;
  const selection::Choice choice = chooser.choose(ordered, 64);
  EXPECT_EQ(choice.decider, Decider::shared_memory);
  EXPECT_NE(choice.reason.find("t.toml line 4 names ring, but it does not keep the order"),
            std::string::npos)
      << choice.reason;
  EXPECT_EQ(chooser.choose(ordered, 3000).algorithm, "mst");  // the next row may
}

TEST(Table, TellsWhichSizesAreNotAlike) {
  const selection::Table table = selection::parse_table(text, "t.toml");
  EXPECT_FALSE(table.divides(Operation::allreduce, 4, {1025, 2048}, 2));
  EXPECT_TRUE(table.divides(Operation::allreduce, 4, {2049, 4096}, 2));  // 3000 to 3500 lie within
  EXPECT_TRUE(table.divides(Operation::allreduce, 4, {4000, 5000}, 2));
  EXPECT_FALSE(table.divides(Operation::allreduce, 5, {4000, 5000}, 2));
  EXPECT_FALSE(table.divides(Operation::broadcast, 4, {1, 1 << 30}, 2));
}

TEST(Table, SaysWhatIsWrong) {
  const auto message = [](const std::string& row) {
    try {
      (void)selection::parse_table("\n[[plan]]\n" + row, "t.toml");
      return std::string("nothing");
    } catch (const base::Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(message("operation = 'bcast'"), "t.toml: line 2: a [[plan]] needs algorithm = \"...\"");
  EXPECT_EQ(message("operation = 7\nalgorithm = 'mst'"),
            "t.toml: line 3: a [[plan]] needs operation = \"...\"");
  EXPECT_TRUE(message("operation = 'bcast'\nalgorithm = 'fastest'")
                  .starts_with("t.toml: line 2: there is no algorithm"));
  const std::string row = "operation = 'bcast'\nalgorithm = 'mst'\n";
  EXPECT_EQ(message(row + "processors = 0"),
            "t.toml: line 5: processors must be a number, 1 or more");
  EXPECT_EQ(message(row + "ratio = 'good'"), "t.toml: line 5: ratio must be a number above 0");
  EXPECT_TRUE(message(row + "operator = 'mpi'").ends_with("but no operator"));
  EXPECT_TRUE(message(row + "mpi = 'lam'")
                  .ends_with("mpi is \"lam\", but it must be one of openmpi, mpich"));
  EXPECT_TRUE(message(row + "mpi = 'mpich'").find("native, tutti") != std::string::npos);
  for (const char* range : {"[8, 2]", "[-1, 2]", "[1]", "7", "['few', 'many']"}) {
    EXPECT_TRUE(message("operation = 'bcast'\nalgorithm = 'mst'\nranks = " + std::string(range))
                    .starts_with("t.toml: line 5: ranks must be the first and the last of a range"))
        << range;
  }
}

// A row of a number of processors serves no other number, and divides no class of sizes there.
TEST(Table, ServesItsNumberOfProcessorsOnly) {
  const selection::Table table = selection::parse_table(R"(
[[plan]]
operation = "allreduce"
bytes = [0, 3000]
algorithm = "ring"
processors = 64
ratio = 0.7
date = "2026-11-26"
)",
                                                        "t.toml");
  for (const int processors : {64, 2}) {
    selection::Chooser chooser({}, std::nullopt, {table}, processors);
    const selection::Choice choice = chooser.choose(question(Operation::allreduce, 4), 1000);
    EXPECT_EQ(choice.decider == Decider::table, processors == 64) << choice.reason;
    EXPECT_EQ(choice.reason.find("t.toml line 2 is for 64 processors") != std::string::npos,
              processors == 2);
    EXPECT_EQ(chooser.divides(Operation::allreduce, 4, {2049, 4096}), processors == 64);
  }
}

TEST(Table, SaysWhoServesCallsOfMpiPrograms) {
  const selection::Table table = selection::parse_table(R"(
[[plan]]
mpi = "openmpi"
operation = "alltoallv"
ranks = [2, 2]
algorithm = "tutti"
[[plan]]
mpi = "openmpi"
operation = "alltoallv"
algorithm = "native"
processors = 2
[[plan]]
mpi = "openmpi"
operation = "allreduce"
operator = "mpi"
bytes = [0, 64]
algorithm = "native"
)",
                                                        "t.toml");
  EXPECT_TRUE(table.rows().empty());
  const auto server = [&](const selection::MpiCall& call, int processors = 2) {
    const selection::MpiRow* const row = table.row_for(call, processors);
    return row == nullptr ? "none" : row->native ? "native" : "tutti";
  };
  EXPECT_STREQ(server({"openmpi", "alltoallv", false, 2, 0}), "tutti");
  EXPECT_STREQ(server({"openmpi", "alltoallv", false, 3, 0}), "native");
  EXPECT_STREQ(server({"openmpi", "alltoallv", false, 3, 0}, 4), "none");
  EXPECT_STREQ(server({"mpich", "alltoallv", false, 3, 0}), "none");
  EXPECT_STREQ(server({"openmpi", "allreduce", true, 3, 64}), "native");
  EXPECT_STREQ(server({"openmpi", "allreduce", true, 3, 65}), "none");
  EXPECT_STREQ(server({"openmpi", "allreduce", false, 3, 64}), "none");
}

// The file of another machine may be far off, so only its rates between hosts are used.
TEST(MachineInfo, OfAnotherMachineGivesTheRatesBetweenHostsOnly) {
  selection::MachineInfo found;
  found.profile.document = machine::document_of("host");
  found.profile.document.text = R"(
processor = "no such processor"
)" + found.profile.document.text +
                                R"(
[[plan]]
operation = "allreduce"
algorithm = "ring"
)";
  std::string& profile = found.profile.document.text;
  profile.replace(profile.find("value = 20"), 10, "value = 77");
  EXPECT_EQ(machine::other_processor(found.profile.document), "no such processor");
  EXPECT_EQ(machine::other_processor(machine::document_of("host")), "");
  EXPECT_EQ(machine::other_processor({"mine", "processor = \"" + base::processor_name() + "\""}),
            "");
  EXPECT_EQ(selection::warning_of(found), "");
  selection::Chooser own = selection::chooser_of({}, found);
  EXPECT_EQ(own.choose(question(Operation::allreduce, 4), 8).decider, Decider::table);
  found.other_processor = machine::other_processor(found.profile.document);
  EXPECT_NE(selection::warning_of(found).find("no such processor"), std::string::npos);
  selection::Chooser other =
      selection::chooser_of({}, selection::unpack_machine_info(selection::pack(found)));
  EXPECT_EQ(other.choose(question(Operation::allreduce, 4), 8).decider, Decider::shared_memory);
  EXPECT_DOUBLE_EQ(other.machine().more.at("hosts.alpha").value, 77);
}

TEST(MachineInfo, IsHandedOnAsItIs) {
  selection::MachineInfo found;
  found.table = {"a:b", {"a:b", text}};
  const selection::MachineInfo again = selection::unpack_machine_info(selection::pack(found));
  EXPECT_EQ(again.table, found.table);
  EXPECT_EQ(again.profile, found.profile);
  EXPECT_THROW((void)selection::unpack_machine_info("7:short"), base::Error);
  selection::Chooser chooser = selection::chooser_of({}, again);
  EXPECT_EQ(chooser.choose(question(Operation::allreduce, 4), 8).reason, "named by a:b line 4");
}

std::string reason_of(selection::Chooser& chooser, const Question& q, std::int64_t bytes) {
  const selection::Choice choice = chooser.choose(q, bytes);
  return selection::reason_text({selection::parse_plan(q.operation, choice.algorithm).generator,
                                 choice.settings, choice.reason},
                                q, bytes, chooser);
}

TEST(Reason, HasThePriceOfTheChoiceAndOfTheNextBest) {
  selection::Chooser chooser;
  for (const int p : {4, 17, 24, 33}) {
    Question q = question(Operation::allgather, p);
    const std::string one_host = reason_of(chooser, q, 1 << 16);
    EXPECT_NE(one_host.find(" us in shared memory; runner-up "), std::string::npos) << one_host;
    q.hosts.assign(static_cast<std::size_t>(p), 0);
    q.hosts.back() = 1;
    const std::string two_hosts = reason_of(chooser, q, 1 << 16);
    EXPECT_NE(two_hosts.find("us on host (a "), std::string::npos) << two_hosts;
    EXPECT_NE(two_hosts.find("; runner-up "), std::string::npos) << two_hosts;
    for (const std::string& said : {one_host, two_hosts})
      EXPECT_EQ(said.find("cheaper at this size"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace tutti
