// SPDX-License-Identifier: BSD-3-Clause
// Reads ELF files. Checks every offset and size in a file against the size of the file before use.
#include "run/elf.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace tutti::tools {
namespace {

constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char own_data =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

bool begins_as_elf(int file) {
  char magic[SELFMAG];
  return ::pread(file, magic, SELFMAG, 0) == SELFMAG && std::memcmp(magic, ELFMAG, SELFMAG) == 0;
}

// Returns the processor type of this command, read from its own header; EM_NONE if that cannot be
// read. Then no program counts as foreign.
ElfW(Half) own_machine() {
  static const ElfW(Half) machine = [] {
    ElfW(Ehdr) header{};
    const launch::Descriptor self(base::raised(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC)));
    const bool read = ::pread(self.get(), &header, sizeof header, 0) == ssize_t{sizeof header};
    return read ? header.e_machine : ElfW(Half){EM_NONE};
  }();
  return machine;
}

ElfFile::Role role_of(const ElfW(Sym) & symbol) {
  if (symbol.st_shndx == SHN_UNDEF) return ElfFile::Role::wanted;
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC ? ElfFile::Role::defined_function
                                                   : ElfFile::Role::other;
}

}  // namespace

bool ElfFile::is_elf(const std::string& path) {
  const launch::Descriptor file(base::raised(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
  return file.valid() && begins_as_elf(file.get());
}

ElfFile::ElfFile(const std::string& path)
    : path_(path), file_(base::raised(::open(path.c_str(), O_RDONLY | O_CLOEXEC))) {
  struct stat status {};
  if (!file_.valid() || ::fstat(file_.get(), &status) != 0) base::fail_errno("reading " + path);
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (!begins_as_elf(file_.get()))
    base::fail(base::Status::invalid_argument, "{} is no ELF file", path);
  const auto identity = read<unsigned char>(0, EI_NIDENT, "its header");
  // A file of another word size or byte order has a header of another layout, so nothing else of it
  // is read.
  if (identity[EI_CLASS] != own_class || identity[EI_DATA] != own_data) return;
  header_ = read<ElfW(Ehdr)>(0, 1, "its header").front();
  const ElfW(Half) own = own_machine();
  native_ = own == EM_NONE || header_.e_machine == own;
}

void ElfFile::damaged(const char* what) const {
  base::fail(base::Status::invalid_argument, "{} is damaged: {} does not lie within the file",
             path_, what);
}

template <class T>
std::vector<T> ElfFile::read(std::uint64_t offset, std::uint64_t count, const char* what) const {
  if (offset > size_ || count > (size_ - offset) / sizeof(T)) damaged(what);
  std::vector<T> result(count);
  auto* const bytes = reinterpret_cast<char*>(result.data());
  for (std::uint64_t done = 0; done < count * sizeof(T);) {
    const ssize_t got = ::pread(file_.get(), bytes + done, count * sizeof(T) - done,
                                static_cast<off_t>(offset + done));
    if (got < 0) base::fail_errno("reading " + path_);
    if (got == 0) damaged(what);
    done += static_cast<std::uint64_t>(got);
  }
  return result;
}

std::string ElfFile::interpreter() const {
  if (!native_) return {};
  for (const auto& segment :
       read<ElfW(Phdr)>(header_.e_phoff, header_.e_phnum, "the table of its segments")) {
    if (segment.p_type != PT_INTERP) continue;
    const auto name = read<char>(segment.p_offset, segment.p_filesz, "the name of its loader");
    return {name.begin(), std::find(name.begin(), name.end(), '\0')};
  }
  return {};
}

// Reads the section headers. If a file has too many sections for its header, the first section
// holds their number.
std::vector<ElfW(Shdr)> ElfFile::sections() const {
  constexpr const char* what = "the table of its sections";
  if (!native_ || header_.e_shoff == 0) return {};
  std::uint64_t count = header_.e_shnum;
  if (count == 0) count = read<ElfW(Shdr)>(header_.e_shoff, 1, what).front().sh_size;
  return read<ElfW(Shdr)>(header_.e_shoff, count, what);
}

std::vector<std::string> ElfFile::needed() const {
  std::vector<std::string> names;
  const auto all = sections();
  for (const auto& section : all) {
    if (section.sh_type != SHT_DYNAMIC) continue;
    if (section.sh_link >= all.size()) damaged("the names of its libraries");
    const auto& strings = all[section.sh_link];
    const auto text = read<char>(strings.sh_offset, strings.sh_size, "the names of its libraries");
    for (const auto& entry : read<ElfW(Dyn)>(section.sh_offset, section.sh_size / sizeof(ElfW(Dyn)),
                                             "the list of its libraries")) {
      if (entry.d_tag != DT_NEEDED) continue;
      const auto begin = text.begin() + static_cast<std::ptrdiff_t>(
                                            std::min<std::size_t>(entry.d_un.d_val, text.size()));
      names.emplace_back(begin, std::find(begin, text.end(), '\0'));
    }
  }
  return names;
}

void ElfFile::each_symbol(Table table, const See& see) const {
  const auto all = sections();
  for (const auto& section : all) {
    if (section.sh_type != SHT_DYNSYM && !(section.sh_type == SHT_SYMTAB && table == Table::all))
      continue;
    if (section.sh_link >= all.size()) damaged("the names of its symbols");
    each_symbol_of(section, all[section.sh_link], see);
  }
}

void ElfFile::each_symbol_of(const ElfW(Shdr) & table, const ElfW(Shdr) & strings,
                             const See& see) const {
  const auto symbols =
      read<ElfW(Sym)>(table.sh_offset, table.sh_size / sizeof(ElfW(Sym)), "a table of its symbols");
  const auto names = read<char>(strings.sh_offset, strings.sh_size, "the names of its symbols");
  for (const auto& symbol : symbols) {
    if (symbol.st_name == 0) continue;
    const auto rest = std::string_view(names.data(), names.size())
                          .substr(std::min<std::size_t>(symbol.st_name, names.size()));
    const auto end = rest.find('\0');
    if (end == std::string_view::npos) damaged("the name of a symbol");
    see(rest.substr(0, end), role_of(symbol));
  }
}

}  // namespace tutti::tools
