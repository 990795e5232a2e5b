// SPDX-License-Identifier: BSD-3-Clause
// Tests ElfFile on this program itself, and on copies of a small program that are truncated or have
// changed bytes.
#include "run/elf.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "base/error.hpp"

extern "C" int tutti_elf_test_marker() {
  return 1;
}

namespace tutti::tools {
namespace {

constexpr const char* small_program = "/bin/true";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class CopyOfAProgram : public testing::Test {
 protected:
  CopyOfAProgram() : path_(testing::TempDir() + "/tutti elf test " + std::to_string(::getpid())) {}
  ~CopyOfAProgram() override { std::filesystem::remove(path_); }

  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  // Returns how many symbols were read, or -1 if the file was refused.
  [[nodiscard]] int look() const {
    try {
      const ElfFile file(path_);
      int seen = 0;
      file.each_symbol(ElfFile::Table::all,
                       [&seen](std::string_view name, ElfFile::Role) { seen += !name.empty(); });
      static_cast<void>(file.interpreter());
      return seen;
    } catch (const base::Error&) {
      return -1;
    }
  }

  std::string path_;
};

TEST(ElfFile, TellsWhatThisProgramDefinesAndWants) {
  const ElfFile self("/proc/self/exe");
  EXPECT_TRUE(self.is_native());
  EXPECT_NE(self.interpreter().find("ld"), std::string::npos);
  bool defined = false, wanted = false;
  self.each_symbol(ElfFile::Table::all, [&](std::string_view name, ElfFile::Role role) {
    defined =
        defined || (name == "tutti_elf_test_marker" && role == ElfFile::Role::defined_function);
    wanted = wanted || (name == "tutti_init" && role == ElfFile::Role::wanted);
  });
  EXPECT_TRUE(defined);
  self.each_symbol(ElfFile::Table::dynamic, [&](std::string_view name, ElfFile::Role role) {
    wanted = wanted || role == ElfFile::Role::wanted;
    EXPECT_NE(name, "tutti_elf_test_marker") << "no other library asks for it";
  });
  EXPECT_TRUE(wanted);
}

TEST_F(CopyOfAProgram, IsReadWhole) {
  write(bytes_of(small_program));
  EXPECT_TRUE(ElfFile::is_elf(path_));
  EXPECT_GT(look(), 10);
}

TEST_F(CopyOfAProgram, IsRefusedWhenItIsNoElfFile) {
  for (const char* text : {"", "#!/bin/sh\n", "\177EL", "\177ELF"}) {
    write(text);
    EXPECT_EQ(look(), -1) << text;
  }
  EXPECT_FALSE(ElfFile::is_elf(testing::TempDir() + "/there is no such file"));
}

TEST_F(CopyOfAProgram, IsRefusedWherePartsOfItAreCutOff) {
  const std::string whole = bytes_of(small_program);
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    write(whole.substr(0, size));
    EXPECT_EQ(look(), -1) << size << " of " << whole.size()
                          << " bytes; the table of sections is at the end";
  }
}

// The answer is not compared: any answer without a crash is right.
TEST_F(CopyOfAProgram, WithChangedTablesIsReadOrRefused) {
  const std::string whole = bytes_of(small_program);
  const std::size_t tables = whole.size() - std::min<std::size_t>(whole.size(), 2048);
  int refused = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::mt19937 chance(seed);
    std::string copy = whole;
    const auto byte = [&chance] { return static_cast<char>(chance() % 256); };
    for (unsigned change = 1 + chance() % 4; change > 0; --change) {
      copy[chance() % 2 == 0 ? 16 + chance() % 48 : tables + chance() % (whole.size() - tables)] =
          byte();
    }
    write(copy);
    SCOPED_TRACE(seed);
    refused += look() < 0 ? 1 : 0;
  }
  EXPECT_GT(refused, 20) << "the changes meet what is read";
}

}  // namespace
}  // namespace tutti::tools
