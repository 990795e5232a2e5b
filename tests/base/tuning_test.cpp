// SPDX-License-Identifier: BSD-3-Clause
// Checks the tuning table itself, how values are read and written, and whose value counts.
#include "base/tuning.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "base/error.hpp"

namespace tutti::base {
namespace {

const TuningRow& row(std::string_view name) {
  for (const TuningRow& one : tuning_rows())
    if (name == one.name) return one;
  throw std::out_of_range(std::string(name));
}

std::string refusal(std::string_view list) {
  TuningSettings settings;
  try {
    settings.set_list(list, TuningSource::environment);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Sets a variable while it lives.
class Given {
 public:
  Given(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Given() { ::unsetenv(name_); }
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;

 private:
  const char* name_;
};

TEST(TuningTable, EachRowIsWholeAndItsDefaultIsAllowed) {
  std::set<std::string> names;
  for (const TuningRow& one : tuning_rows()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name << " stands twice";
    EXPECT_LE(one.least, one.fallback) << one.name;
    EXPECT_LE(one.fallback, one.most) << one.name;
    EXPECT_GT(std::string(one.why).size(), 20U) << one.name;
    EXPECT_EQ(TuningSettings().value_of(one), one.fallback) << one.name;
  }
}

TEST(TuningTable, TextsAreReadAsTheyAreWritten) {
  for (const TuningRow& one : tuning_rows()) {
    for (const std::int64_t value : {one.least, one.fallback, one.most}) {
      EXPECT_EQ(tuning_value(one, tuning_text(one, value)), value) << one.name;
    }
  }
  EXPECT_EQ(tuning_value(row("fragment"), "32K"), 32 << 10);
  EXPECT_EQ(tuning_value(row("spin"), "50us"), 50'000);
  EXPECT_EQ(tuning_value(row("spin"), "2ms"), 2'000'000);
  EXPECT_EQ(tuning_value(row("spin"), "0"), 0);
  EXPECT_EQ(tuning_text(row("fragment"), 48 << 10), "48K");
}

TEST(TuningTable, EveryRowButThoseOfTheLayoutCanBeSet) {
  for (const TuningRow& one : tuning_rows()) {
    TuningSettings settings;
    const std::string list = std::string(one.name) + "=" + tuning_text(one, one.most);
    if (one.scope == TuningScope::layout) {
      EXPECT_NE(refusal(list).find("layout"), std::string::npos) << one.name;
      continue;
    }
    settings.set_list(list, TuningSource::machine_file);
    EXPECT_EQ(settings.value_of(one), one.most) << one.name;
    EXPECT_EQ(settings.source_of(one), TuningSource::machine_file) << one.name;
    for (const TuningRow& other : tuning_rows()) {
      if (&other == &one) continue;
      EXPECT_EQ(settings.value_of(other), other.fallback) << one.name << " sets " << other.name;
      EXPECT_EQ(settings.source_of(other), TuningSource::built_in) << other.name;
    }
  }
}

TEST(TuningTable, WrongListsAreRefusedWithWhatIsAllowed) {
  EXPECT_NE(refusal("spinn=1us").find("spin"), std::string::npos);
  EXPECT_NE(refusal("spin").find("name=value"), std::string::npos);
  EXPECT_NE(refusal("spin=50").find("50us"), std::string::npos);
  EXPECT_NE(refusal("spin=-1us").find("from 0 to 1s"), std::string::npos);
  EXPECT_NE(refusal("fragment=1").find("from 4K to 128K"), std::string::npos);
  EXPECT_NE(refusal("fragment=9999999999G").find("fragment"), std::string::npos);
  EXPECT_NE(refusal("fragment=").find("fragment"), std::string::npos);
  EXPECT_EQ(refusal("fragment=32K,spin=1us"), "");
}

TEST(TuningTable, AProcessHasTheRowsOfTheJobAndItsOwn) {
  Tuning of_job;
  of_job.fragment = 16 << 10;
  of_job.spin = 1;
  EXPECT_EQ(own_tuning(of_job), of_job);
  const Given given("TUTTI_TUNING", "fragment=32K,spin=7us");
  const Tuning mine = own_tuning(of_job);
  EXPECT_EQ(mine.fragment, 16 << 10) << "what concerns the job counts where it is made";
  EXPECT_EQ(mine.spin, 7000);
}

TEST(TuningTable, FormerVariablesAreRefusedWithTheirRows) {
  TuningSettings settings;
  for (const char* former : {"TUTTI_SPIN", "TUTTI_SILENCE"}) {
    const Given given(former, "1");
    try {
      add_environment(settings);
      FAIL() << former;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_environment);
      EXPECT_NE(std::string(error.what()).find("TUTTI_TUNING=s"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tutti::base
