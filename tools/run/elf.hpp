// SPDX-License-Identifier: BSD-3-Clause
// What an ELF file says about itself: for which processor it is, who loads it, and the names of its
// functions.
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
  };  // the names that the loader sees; those that `strip` removes as well
  enum class Role { defined_function, wanted, other };
  using See = std::function<void(std::string_view name, Role role)>;

  // False for whatever does not begin as an ELF file does, and for files that cannot be read.
  [[nodiscard]] static bool is_elf(const std::string& path);

  // Throws base::Error: system_error when the file cannot be read, invalid_argument when it is no
  // ELF file or damaged.
  explicit ElfFile(const std::string& path);

  // Whether a process of this command's own kind could load it: word size, byte order and
  // processor.
  [[nodiscard]] bool is_native() const { return native_; }
  // The loader that the kernel starts for it; empty for static programs, and for most libraries.
  [[nodiscard]] std::string interpreter() const;
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
