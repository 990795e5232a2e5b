// SPDX-License-Identifier: BSD-3-Clause
// Tests the reading of environment variables: defaults, every kind, and errors that name the
// variable.
#include "base/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <set>

#include "base/error.hpp"

namespace tutti::base::test {
namespace {

const char* name(Variable variable) {
  return variables()[static_cast<std::size_t>(variable)].name;
}

// Sets a variable while the object exists, and then restores its old value.
class Setting {
 public:
  Setting(Variable variable, const char* value) : name_(name(variable)) {
    const char* old = std::getenv(name_);
    if (old != nullptr) old_ = old;
    value == nullptr ? unsetenv(name_) : setenv(name_, value, 1);
  }
  ~Setting() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

template <class Read>
void expect_rejected(Variable variable, const char* value, Read read) {
  const Setting setting(variable, value);
  try {
    (void)read(variable);
    FAIL() << "'" << value << "' was accepted for " << name(variable);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_environment);
    EXPECT_NE(std::strstr(error.what(), name(variable)), nullptr) << error.what();
    EXPECT_NE(std::strstr(error.what(), value), nullptr) << error.what();
  }
}

TEST(Environment, TableIsSound) {
  std::set<std::string> names;
  for (const VariableInfo& info : variables()) {
    // A variable of an old interface keeps its name: PVM_TMP is one that a daemon of PVM reads.
    const std::string_view name = info.name;
    EXPECT_TRUE(name.starts_with("TUTTI_") || name.starts_with("PVM_") || name == "NX_DFLT_SIZE" ||
                name == "HOME")
        << info.name;
    EXPECT_NE(*info.text, '\0') << info.name;
    names.insert(info.name);
  }
  EXPECT_EQ(names.size(), variables().size());
}

TEST(Environment, DefaultsAreUnderstood) {
  for (std::size_t i = 0; i < variables().size(); ++i) {
    const auto variable = static_cast<Variable>(i);
    const Setting setting(variable, nullptr);
    const bool given = *variables()[i].fallback != '\0';
    switch (variables()[i].kind) {
      case VariableKind::text:
        EXPECT_EQ(text(variable).has_value(), given);
        break;
      case VariableKind::integer:
        EXPECT_EQ(integer(variable).has_value(), given);
        break;
      case VariableKind::seconds:
        EXPECT_EQ(seconds(variable).has_value(), given);
        break;
      case VariableKind::bytes:
        EXPECT_EQ(bytes(variable).has_value(), given);
        break;
      case VariableKind::flag:
        EXPECT_NO_THROW((void)flag(variable));
        break;
    }
  }
}

TEST(Environment, EmptyIsTheDefault) {
  const Setting setting(Variable::send_wait, "");
  EXPECT_EQ(seconds(Variable::send_wait), 10.0);
  const Setting none(Variable::job, "");
  EXPECT_EQ(text(Variable::job), std::nullopt);
}

TEST(Environment, Text) {
  const Setting setting(Variable::job, " any thing ");
  EXPECT_EQ(text(Variable::job), " any thing ");
}

TEST(Environment, Integer) {
  for (const auto& [given, value] :
       {std::pair{"0", 0L}, {"-7", -7L}, {"123456789012", 123456789012L}}) {
    const Setting setting(Variable::mpi_first, given);
    EXPECT_EQ(integer(Variable::mpi_first), value);
  }
  for (const char* wrong : {"x", "1x", " 1", "1 ", "1.5", "0x10", "99999999999999999999", "-"}) {
    expect_rejected(Variable::mpi_first, wrong, integer);
  }
}

TEST(Environment, Seconds) {
  for (const auto& [given, value] : {std::pair{"0", 0.0}, {"2.5", 2.5}, {"1e-3", 0.001}}) {
    const Setting setting(Variable::send_wait, given);
    EXPECT_EQ(seconds(Variable::send_wait), value);
  }
  for (const char* wrong : {"x", "-1", "1s", " 1", "nan"})
    expect_rejected(Variable::send_wait, wrong, seconds);
}

TEST(Environment, Bytes) {
  const Setting setting(Variable::shm_limit, "512M");
  EXPECT_EQ(bytes(Variable::shm_limit), std::int64_t{512} << 20);
  for (const char* wrong : {"M", "-1", "1.5G", "5T", "1KB", "K1", "9999999999G"}) {
    expect_rejected(Variable::shm_limit, wrong, bytes);
  }
}

TEST(Environment, Flag) {
  for (const char* yes : {"1", "yes", "on"}) {
    const Setting setting(Variable::verify, yes);
    EXPECT_TRUE(flag(Variable::verify)) << yes;
  }
  for (const char* no : {"0", "no", "off", ""}) {
    const Setting setting(Variable::verify, no);
    EXPECT_FALSE(flag(Variable::verify)) << no;
  }
  for (const char* wrong : {"2", "true", "Y", "11"}) expect_rejected(Variable::verify, wrong, flag);
}

TEST(Environment, OneOf) {
  const Setting setting(Variable::deaths, "tolerant");
  EXPECT_EQ(one_of(Variable::deaths, {"together", "tolerant"}), "tolerant");
  try {
    (void)one_of(Variable::deaths, {"never", "once", "twice"});
    FAIL() << "a word that is none of the three was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "environment variable TUTTI_DEATHS is 'tolerant' but must be never, once or twice");
  }
}

TEST(Environment, MisspeltVariables) {
  EXPECT_TRUE(misspelt_variables().empty());
  setenv("TUTTI_ALGORITM", "", 1);
  setenv("TUTTI_NO_DEPS", "1", 1);
  EXPECT_EQ(misspelt_variables(),
            std::vector<std::string>{
                "environment variable TUTTI_ALGORITM is not known; did you mean TUTTI_ALGORITHM?"});
  EXPECT_EQ(misspelt_variables(
                {"TUTTI_ALGORITM=a", "TUTTI_VERFY=1", "TUTTI_VERFY=0", "A=1", "TUTTI_VERIFY=1"}),
            std::vector<std::string>{
                "environment variable TUTTI_VERFY is not known; did you mean TUTTI_VERIFY?"});
  unsetenv("TUTTI_ALGORITM");
  unsetenv("TUTTI_NO_DEPS");
}

TEST(ParseBytes, UnitsAndLimits) {
  EXPECT_EQ(parse_bytes("0"), 0);
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("64K"), 65536);
  EXPECT_EQ(parse_bytes("64k"), 65536);
  EXPECT_EQ(parse_bytes("2G"), std::int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1073741824G"), std::int64_t{1} << 60);
  for (const char* wrong : {"", "K", "1073741825G", "-1", "-1K", "1 K", "12Q", "1.0"}) {
    EXPECT_EQ(parse_bytes(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace tutti::base::test
