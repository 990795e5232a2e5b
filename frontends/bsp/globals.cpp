// SPDX-License-Identifier: BSD-3-Clause
// Compares the program's writable segments, and names variables by the program's own table of
// symbols (globals.hpp).
#include "globals.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "audit.hpp"
#include "text_file.hpp"

namespace tutti::bsp {
namespace {

struct Segment {
  std::byte* address;
  std::size_t bytes;
};

// Returns the segments of the program that it may write to, without those that the loader has made
// read-only since.
std::vector<Segment> writable_segments() {
  std::vector<Segment> found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* list) {
        auto& segments = *static_cast<std::vector<Segment>*>(list);
        std::uintptr_t read_only_end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type == PT_GNU_RELRO) read_only_end = header.p_vaddr + header.p_memsz;
        }
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
          const std::uintptr_t end = header.p_vaddr + header.p_memsz;
          const std::uintptr_t first =
              std::clamp<std::uintptr_t>(read_only_end, header.p_vaddr, end);
          segments.push_back({reinterpret_cast<std::byte*>(info->dlpi_addr + first), end - first});
        }
        return 1;  // the first entry is the program
      },
      &found);
  return found;
}

struct Variable {
  std::string name;
  std::uint64_t first = 0, end = 0;
};

// Returns the variables in the program's table of symbols, if that was not stripped.
std::vector<Variable> variables_of_program() {
  const std::string file = text_of_file("/proc/self/exe");
  const auto read = [&file]<class T>(T& to, std::uint64_t offset) {
    if (offset > file.size() || file.size() - offset < sizeof to) return false;
    std::memcpy(&to, file.data() + offset, sizeof to);
    return true;
  };
  std::vector<Variable> found;
  ElfW(Ehdr) header{};
  if (!read(header, 0)) return found;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) table{}, names{};
    if (!read(table, header.e_shoff + i * sizeof table) || table.sh_type != SHT_SYMTAB) continue;
    if (!read(names, header.e_shoff + table.sh_link * sizeof names)) continue;
    for (std::uint64_t at = 0; at + sizeof(ElfW(Sym)) <= table.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol{};
      if (!read(symbol, table.sh_offset + at) || ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT)
        continue;
      const std::uint64_t name = names.sh_offset + symbol.st_name;
      if (name >= file.size()) continue;
      found.push_back({file.c_str() + name, symbol.st_value, symbol.st_value + symbol.st_size});
    }
  }
  return found;
}

// Variables of libraries, such as the C library's stdin and optind, may lie in the program, too.
// Their names have a version in its table of symbols.
bool is_of_library(const Variable& variable) {
  return variable.name.find('@') != std::string::npos;
}

// Returns the name of the variable at an address; nullopt if it is none of the program's own.
std::optional<std::string> name_at(const std::vector<Variable>& variables, const std::byte* place) {
  const std::uint64_t offset = reinterpret_cast<std::uint64_t>(place) - program_address();
  for (const Variable& variable : variables) {
    if (offset < variable.first || offset >= variable.end) continue;
    return is_of_library(variable) ? std::nullopt : std::optional(variable.name);
  }
  return variables.empty() ? std::optional<std::string>("a variable of the program") : std::nullopt;
}

}  // namespace

void Globals::note() {
  parts_.clear();
  for (const Segment& segment : writable_segments())
    parts_.push_back({segment.address, {segment.address, segment.address + segment.bytes}});
}

void Globals::hint() {
  std::vector<std::string> names;
  std::optional<std::vector<Variable>> variables;
  for (const Part& part : parts_) {
    for (std::size_t i = 0; i < part.content.size(); ++i) {
      if (part.address[i] == part.content[i]) continue;
      if (!variables) variables = variables_of_program();
      const auto name = name_at(*variables, part.address + i);
      if (name && std::ranges::count(names, *name) == 0) names.push_back(*name);
    }
  }
  parts_.clear();
  if (names.empty()) return;
  constexpr std::size_t most = 5;
  const bool more = names.size() > most;
  if (more) names.resize(most);
  const std::string line = fmt::format(
      "bsp_begin: hint: process 0 has changed {}{} outside of a parallel part, which no other "
      "process sees; set it before bsp_init, which all processes reach, or send it by bsp_bcast\n",
      fmt::join(names, ", "), more ? " and others" : "");
  std::fputs(line.c_str(), stderr);
}

}  // namespace tutti::bsp
