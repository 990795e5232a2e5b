// SPDX-License-Identifier: BSD-3-Clause
// Tests machines. The built-in ones follow the laws of their papers, all numbers have a source, and
// defaults follow from the values in the file.
#include "machine/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "machine/keys.hpp"

namespace tutti::machine {
namespace {

std::vector<std::string> all_keys(bool words) {
  std::vector<std::string> keys;
  for (const Key& key : known_keys())
    if (key.name.find('.') != std::string_view::npos && (key.kind == ValueKind::word) == words)
      keys.emplace_back(key.name);
  return keys;
}

TEST(Machines, BuiltinOnesSayWhereEveryNumberComesFrom) {
  const std::vector<std::string> names = builtin_machines();
  EXPECT_GE(names.size(), 12U);
  for (const std::string& name : names) {
    const Machine machine = load_machine(name);
    EXPECT_EQ(machine.name, name);
    ASSERT_NE(machine.network.topology, nullptr) << name;
    EXPECT_GE(machine.network.topology->nodes(), 2) << name;
    for (const std::string& key : all_keys(true)) {
      ASSERT_EQ(machine.profile.words.count(key), 1U) << name << " " << key;
      EXPECT_GT(machine.profile.words.at(key).source.size(), 10U) << name << " " << key;
    }
    for (const std::string& key : all_keys(false)) {
      if (key.starts_with("synchronisation.") || key.starts_with("group_server.") ||
          key.starts_with("hosts.") || key.starts_with("shared_memory.") ||
          key.starts_with("library."))
        continue;  // not every machine has it
      if (key == "node.window" && machine.node.ports != Ports::windowed) continue;
      ASSERT_EQ(machine.profile.more.count(key), 1U) << name << " " << key;
      EXPECT_FALSE(machine.profile.more.at(key).source.empty()) << name << " " << key;
    }
  }
}

TEST(Machines, TheOnesOfTheIssueAreThere) {
  const std::vector<std::string> names = builtin_machines();
  for (const char* name :
       {"ipsc860", "ipsc860-forced", "ipsc860-nx", "paragon-512-R1.2", "paragon-512-R1.3",
        "paragon-nx", "delta", "cm5", "sp1", "ethernet", "pvm-sparc", "skua", "argus", "aracari",
        "infiniband-fattree", "slingshot-dragonfly"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  for (int d = 1; d <= 10; ++d) {
    const Machine cube = load_machine("ipsc860", {"hypercube:" + std::to_string(d)});
    EXPECT_EQ(cube.network.topology->nodes(), 1 << d);
    EXPECT_EQ(cube.profile.words.at("network.topology").value, "hypercube:" + std::to_string(d));
  }
  EXPECT_EQ(load_machine("paragon").network.topology->name(), "mesh:16x32");
}

// The laws are those of paper 004, section 2.
TEST(Machines, Ipsc860FollowsTheLawsOfPaper004) {
  const Machine forced = load_machine("ipsc860-forced"), unforced = load_machine("ipsc860");
  EXPECT_EQ(forced.protocol.handover, Handover::forced);
  EXPECT_EQ(unforced.protocol.handover, Handover::reserve);
  EXPECT_EQ(forced.network.switching, Switching::wormhole);
  for (int d = 1; d <= 7; ++d) {
    for (const double m : {1., 50., 100., 101., 400., 4096.}) {
      const double law = 95 + .394 * m + 10.3 * d;
      EXPECT_NEAR(alone(forced, m, d), law, 1e-9);
      const double reserved = m <= 100 ? law : 164 + .398 * m + 29.9 * d;
      EXPECT_NEAR(alone(unforced, m, d), reserved, .06 * reserved) << m << " " << d;
    }
  }
  EXPECT_EQ(forced.synchronisation.barrier_dimension, 190.0);
  EXPECT_EQ(forced.synchronisation.pair_hop, 10.3);
  EXPECT_EQ(forced.node.ports, Ports::windowed);
}

// In figure 4, eight messages of 1000 bytes go one after the other over the link 7 -> 15. Each
// holds its whole path.
TEST(Machines, HeldPartOfTheStartUpAgreesWithFigure4) {
  const Machine machine = load_machine("ipsc860-forced");
  const std::vector<Ends> pairs{{0, 127}, {1, 63}, {3, 31}, {7, 15},
                                {5, 79},  {6, 47}, {2, 95}, {4, 111}};
  double all = machine.node.alpha - machine.network.held;
  for (const auto [from, to] : pairs) {
    const auto links = static_cast<double>(machine.network.topology->route(from, to).size());
    all += machine.network.held + machine.network.link_beta * 1000 + machine.network.hop * links;
  }
  const double ratio = all / alone(machine, 1000, 7);
  EXPECT_GT(ratio, 7.0);
  EXPECT_LT(ratio, 7.6);
}

// Paper 000, table 5, has T_c of each system between neighbours: alpha, and us per double of 8
// bytes.
TEST(Machines, TablesOfPaper000) {
  struct Row {
    const char* name;
    double alpha, beta;
  };
  for (const auto& [name, alpha, beta] : {Row{"ipsc860-nx", 200, 2.8576},
                                          {"paragon-nx", 212, .2049},
                                          {"cm5", 169, .9118},
                                          {"sp1", 772, 1.1400}}) {
    const Machine machine = load_machine(name);
    const int links = static_cast<int>(machine.network.topology->route(0, 1).size());
    for (const double doubles : {0., 1000., 50000.}) {
      const double law = alpha + beta * doubles;
      EXPECT_NEAR(alone(machine, 8 * doubles, links), law, .005 * law) << name;
    }
  }
}

// Every other machine follows alpha + beta m + hop h with the numbers of its file.
TEST(Machines, TheLawIsThatOfTheFile) {
  for (const std::string& name : builtin_machines()) {
    const Machine machine = load_machine(name);
    const Profile file = load(name);
    const double hop = file.more.count("network.hop") != 0 ? file.more.at("network.hop").value : 0;
    for (const int links : {1, 2, 5}) {
      const double law = file.alpha.value + file.beta.value * 64 + hop * links;
      EXPECT_DOUBLE_EQ(alone(machine, 64, links), law) << name;
    }
    EXPECT_LE(machine.network.held, machine.node.alpha);
    EXPECT_LE(machine.network.link_beta, machine.node.beta);
  }
}

// By paper 002, tables 1 and 2 (1 integer), dynamic groups of n members need 3 n questions more,
// one after the other.
TEST(Machines, GroupServerExplainsDynamicGroups) {
  const GroupServer server = load_machine("pvm-sparc").group_server;
  ASSERT_TRUE(server.queries && server.service);
  const std::vector<std::pair<int, double>> differences{{1, 21251 - 500},
                                                        {2, 46783 - 6947},
                                                        {4, 97420 - 19350},
                                                        {8, 208178 - 52654},
                                                        {16, 430380 - 90909}};
  for (const auto& [n, measured] : differences)
    EXPECT_NEAR(n * *server.queries * *server.service, measured, .06 * measured) << n;
  EXPECT_FALSE(load_machine("cm5").group_server.queries);
}

TEST(Machines, ACallOfTheLibraryCostsWhatItsFileSays) {
  EXPECT_EQ(load_machine("pvm-sparc").library.call, 488.5);
  EXPECT_EQ(load_machine("paragon-512-R1.2").library.call, 24);
  EXPECT_FALSE(load_machine("cm5").library.call);
}

const std::string base = R"(name = "mine"
[alpha]
value = 10
status = "measured"
source = "here"
[beta]
value = 0.5
status = "measured"
source = "here"
[gamma]
value = 0.25
status = "measured"
source = "here"
[kappa]
value = 4
status = "measured"
source = "here"
)";

TEST(Machines, WhatTheFileDoesNotSayFollows) {
  const Machine machine = parse_machine(base + R"([network]
topology = {value = "ring:5", status = "measured", source = "counted"}
switching = {value = "share_equal", status = "assumed", source = "a guess"}
)",
                                        "mine.toml");
  EXPECT_EQ(machine.network.link_beta, .125);
  EXPECT_EQ(machine.profile.more.at("network.link_beta").status, Provenance::derived);
  EXPECT_EQ(machine.profile.more.at("network.link_beta").source, "beta / kappa");
  EXPECT_EQ(machine.node.send_alpha, 10);
  EXPECT_EQ(machine.node.receive_beta, .5);
  EXPECT_EQ(machine.node.gamma, .25);
  EXPECT_EQ(machine.node.ports, Ports::duplex);
  EXPECT_EQ(machine.profile.words.at("node.ports").status, Provenance::assumed);
  EXPECT_EQ(machine.protocol.handover, Handover::eager);
  EXPECT_EQ(machine.protocol.request_alpha, 10);
  EXPECT_EQ(machine.network.packet, 1024);
  EXPECT_FALSE(machine.synchronisation.barrier);
  EXPECT_EQ(machine.profile.more.count("synchronisation.barrier"), 0U);
}

TEST(Machines, OneCanBeLikeAnother) {
  const Machine machine = parse_machine(R"(name = "faster"
like = "ipsc860"
[network]
hop = {value = 1.0, status = "assumed", source = "a guess"}
)",
                                        "faster.toml", {"hypercube:3"});
  EXPECT_EQ(machine.name, "faster");
  EXPECT_EQ(machine.network.hop, 1);
  EXPECT_EQ(machine.node.beta, .394);
  EXPECT_TRUE(machine.profile.aliases.empty());
}

TEST(Machines, PacketsAreRepeatedOnEveryLink) {
  const Machine machine = parse_machine(base + R"([network]
topology = {value = "ring:5", status = "measured", source = "counted"}
switching = {value = "store_and_forward", status = "assumed", source = "a guess"}
packet = {value = 100, status = "assumed", source = "a guess"}
hop = {value = 1, status = "assumed", source = "a guess"}
)",
                                        "mine.toml");
  EXPECT_EQ(alone(machine, 1000, 1), 10 + 500 + 1);
  EXPECT_EQ(alone(machine, 1000, 3), 10 + 500 + 3 + 2 * 12.5);
  EXPECT_EQ(alone(machine, 40, 3), 10 + 20 + 3 + 2 * 5);
}

}  // namespace
}  // namespace tutti::machine
