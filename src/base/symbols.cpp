// SPDX-License-Identifier: BSD-3-Clause
// Reads ELF files of this machine.
#include "base/symbols.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <vector>

#include "base/input_file.hpp"

namespace tutti::base {
namespace {

using FileHeader = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Entry = ElfW(Sym);

template <class T>
bool read(base::InputFile& file, std::uint64_t offset, T* items, std::size_t count) {
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(
      file.read(reinterpret_cast<char*>(items), static_cast<std::streamsize>(count * sizeof(T))));
}

template <class T>
std::vector<T> contents(base::InputFile& file, const Section& section) {
  std::vector<T> items(section.sh_size / sizeof(T));
  if (!read(file, section.sh_offset, items.data(), items.size())) items.clear();
  return items;
}

bool read_header(base::InputFile& file, FileHeader& header) {
  return read(file, 0, &header, 1) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_shentsize == sizeof(Section);
}

// Returns the sections of the symbol table and of its names.
std::optional<std::pair<Section, Section>> symbol_table(base::InputFile& file) {
  FileHeader header{};
  if (!read_header(file, header)) return std::nullopt;
  std::vector<Section> sections(header.e_shnum);
  if (!read(file, header.e_shoff, sections.data(), sections.size())) return std::nullopt;
  for (const Section& section : sections) {
    if (section.sh_type == SHT_SYMTAB && section.sh_link < sections.size()) {
      return std::pair(section, sections[section.sh_link]);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Symbol> symbol_at(const std::string& path, std::uint64_t address) {
  base::InputFile file(path);
  const auto table = symbol_table(file);
  if (!table) return std::nullopt;
  const std::vector<char> names = contents<char>(file, table->second);
  for (const Entry& entry : contents<Entry>(file, table->first)) {
    const bool function = ELF64_ST_TYPE(entry.st_info) == STT_FUNC && entry.st_shndx != SHN_UNDEF;
    if (!function || address < entry.st_value || address - entry.st_value >= entry.st_size)
      continue;
    if (entry.st_name >= names.size()) return std::nullopt;
    const char* const name = names.data() + entry.st_name;
    return Symbol{{name, ::strnlen(name, names.size() - entry.st_name)}, address - entry.st_value};
  }
  return std::nullopt;
}

bool has_fixed_addresses(const std::string& path) {
  base::InputFile file(path);
  FileHeader header{};
  return read_header(file, header) && header.e_type == ET_EXEC;
}

}  // namespace tutti::base
