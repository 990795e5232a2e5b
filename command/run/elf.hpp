// SPDX-License-Identifier: BSD-3-Clause
// Reads what an ELF file says about itself: its processor type, its loader and the names of its
// functions. linkage.cpp uses it to look at programs before they start.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/descriptor.hpp"

namespace tutti::tools {

class ElfFile {
 public:
  enum class Table {
    dynamic,
    all
  };  // `dynamic`: the names that the loader sees; `all`: also those that `strip` removes
  enum class Role { defined_function, wanted, other };
  using See = std::function<void(std::string_view name, Role role)>;

  // Returns false for files that do not begin like an ELF file or cannot be read.
  [[nodiscard]] static bool is_elf(const std::string& path);

  // Throws base::Error: system_error if the file cannot be read, invalid_argument if it is no ELF
  // file or is damaged.
  explicit ElfFile(const std::string& path);

  // Returns true if a process of this command's kind could load the file: word size, byte order and
  // processor type agree.
  [[nodiscard]] bool is_native() const { return native_; }
  // Returns the loader that the kernel starts for the file. Static programs and most libraries have
  // none; the text is then empty.
  [[nodiscard]] std::string interpreter() const;
  // Returns the names of the libraries that the file asks its loader for.
  [[nodiscard]] std::vector<std::string> needed() const;
  void each_symbol(Table table, const See& see) const;

 private:
  template <class T>
  [[nodiscard]] std::vector<T> read(std::uint64_t offset, std::uint64_t count,
                                    const char* what) const;
  [[nodiscard]] std::vector<ElfW(Shdr)> sections() const;
  void each_symbol_of(const ElfW(Shdr) & table, const ElfW(Shdr) & strings, const See& see) const;
  [[noreturn]] void damaged(const char* what) const;

  std::string path_;
  launch::Descriptor file_;
  std::uint64_t size_ = 0;
  ElfW(Ehdr) header_{};
  bool native_ = false;
};

}  // namespace tutti::tools
