// SPDX-License-Identifier: BSD-3-Clause
// Tests profiles. The built-in ones are complete and have sources; a wrong file is refused by name.
#include "machine/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/error.hpp"

namespace tutti {
namespace {

std::string message_of(const std::string& toml) {
  try {
    (void)machine::parse(toml, "mine.toml");
  } catch (const base::Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string number(const char* name, const char* value) {
  return std::string("[") + name + "]\nvalue = " + value +
         "\nstatus = \"measured\"\nsource = \"here\"\n";
}

TEST(Profiles, BuiltinOnesAreNamedAsTheirFilesAndHaveSources) {
  ASSERT_FALSE(machine::builtin_profiles().empty());
  for (const std::string& name : machine::builtin_profiles()) {
    const machine::Profile profile = machine::load(name);
    EXPECT_EQ(profile.name, name);
    EXPECT_FALSE(profile.about.empty()) << name;
    for (const machine::Number* n : {&profile.alpha, &profile.beta, &profile.gamma, &profile.kappa})
      EXPECT_GT(n->source.size(), 10U) << name;
    for (const auto& [key, n] : profile.more) EXPECT_GT(n.source.size(), 10U) << name << " " << key;
  }
}

TEST(Profiles, AliasesLeadToOne) {
  EXPECT_EQ(machine::load("paragon").name, "paragon-512-R1.2");
  EXPECT_EQ(machine::load("paragon").mesh, (std::vector<int>{16, 32}));
  EXPECT_TRUE(std::isinf(machine::load("host").kappa.value));
}

// Other tests and texts rely on these numbers.
TEST(Profiles, ParagonFits) {
  const machine::Profile r12 = machine::load("paragon-512-R1.2");
  EXPECT_EQ(r12.alpha.value, 160);
  EXPECT_EQ(r12.beta.value, .020);
  EXPECT_EQ(r12.gamma.value, .12);
  EXPECT_EQ(r12.kappa.value, 1);
  EXPECT_EQ(r12.alpha.status, machine::Provenance::fitted);
  EXPECT_NEAR(r12.more.at("blacs_beta").value, .2098 / 8, 5e-5);
}

TEST(Profiles, WrongFilesAreRefused) {
  const std::string good = "name = \"mine\"\n" + number("alpha", "1") + number("beta", "2.5") +
                           number("gamma", "0") + number("kappa", "inf") +
                           number("network.hop", "0.1");
  EXPECT_EQ(message_of(good), "accepted");
  EXPECT_EQ(machine::parse(good, "mine.toml").more.at("network.hop").value, .1);
  EXPECT_EQ(message_of("name = \"mine\"\ngamma = 0\n" + number("alpha", "1")),
            "machine profile mine.toml: beta is missing; every machine has alpha, beta and gamma, "
            "such as beta = 1.0");
  const std::string rest = "name = \"mine\"\nbeta = 2\ngamma = 0\n";
  EXPECT_EQ(message_of(rest + "[alpha]\nvalue = 1\n"),
            "machine profile mine.toml:4: alpha needs a status: a table has value, status and "
            "source, and a number may stand alone");
  EXPECT_EQ(message_of("alpha = 1\nbeta = 2\ngamma = 0\n"),
            "machine profile mine.toml: name is missing; write name = \"...\" on the first line");
  EXPECT_EQ(message_of(rest + number("alpha", "\"x\"")),
            "machine profile mine.toml:5: alpha needs a numeric value, not a text");
  EXPECT_EQ(message_of(rest + number("alpha", "-1")),
            "machine profile mine.toml:5: alpha is -1; a cost in microseconds is from 0 to 1e9");
  EXPECT_NE(message_of("name = \n").find("machine profile mine.toml:1: "), std::string::npos);
}

TEST(Profiles, PlainNumbersAreAssumed) {
  const machine::Profile plain = machine::parse(
      "name = \"mine\"\nalpha = 40\nbeta = 0.5\ngamma = 0.1\n[network]\nhop = 2\n"
      "topology = \"line:2\"\n",
      "mine.toml");
  EXPECT_EQ(plain.alpha.value, 40);
  EXPECT_EQ(plain.alpha.status, machine::Provenance::assumed);
  EXPECT_TRUE(std::isinf(plain.kappa.value));
  EXPECT_EQ(plain.more.at("network.hop").value, 2);
  EXPECT_EQ(plain.words.at("network.topology").value, "line:2");
}

TEST(Profiles, AllFaultsAreNamedAtOnce) {
  EXPECT_EQ(message_of("name = \"mine\"\nalpha = -1\n[beta]\nvalue = 1\nstatus = \"sure\"\n"
                       "source = \"\"\n[network]\nhopp = 1\nhop = \"x\"\n"),
            "machine profile mine.toml:2: alpha is -1; a cost in microseconds is from 0 to 1e9\n"
            "machine profile mine.toml:5: status of beta is 'sure' but must be published, derived, "
            "fitted, measured or assumed\n"
            "machine profile mine.toml:9: network.hop needs a numeric value, not a text\n"
            "machine profile mine.toml:8: unknown key network.hopp; did you mean 'network.hop'?\n"
            "machine profile mine.toml: gamma is missing; every machine has alpha, beta and gamma, "
            "such as gamma = 1.0");
}

// The file that `tutti tune` writes must remain readable.
TEST(Profiles, MeasuredNumbersHaveFamilies) {
  const std::string tuned =
      "name = \"this-machine\"\nabout = \"\"\ndate = \"2026-01-01\"\nprocessors = 2\nranks = "
      "2\nsamples = 9\n"
      "placements = [\"near\"]\npoints = [\n  [\"bcast\", \"mst\", 8, \"near\", 5, 0.5],\n]\n" +
      number("alpha", "1") + number("beta", "2") + number("gamma", "3") + number("kappa", "inf") +
      number("alpha_near", "1") + number("beta_inline", "1") + number("copy_32K", "1") +
      number("combine_256K", "1") + number("wake", "50");
  EXPECT_EQ(message_of(tuned), "accepted");
  EXPECT_EQ(machine::parse(tuned, "mine.toml").more.size(), 5U);
}

TEST(Profiles, FilesAreReadByPath) {
  const std::string path = testing::TempDir() + "mine.toml";
  std::ofstream(path) << "name = \"mine\"\n" + number("alpha", "1") + number("beta", "2.5") +
                             number("gamma", "0") + number("kappa", "1");
  EXPECT_EQ(machine::load(path).beta.value, 2.5);
  EXPECT_THROW((void)machine::load(path + "x/"), base::Error);
  try {
    (void)machine::load("vax");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("paragon-nx"), std::string::npos);
  }
}

}  // namespace
}  // namespace tutti
