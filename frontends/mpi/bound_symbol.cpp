// SPDX-License-Identifier: BSD-3-Clause
// Reads the addresses that the loader has written into a library (bound_symbol.hpp).
#include "bound_symbol.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace tutti::mpi {
namespace {

// The parts of a library's dynamic section that tell where the loader has written which address.
struct Relocations {
  const ElfW(Rela) * begin = nullptr;
  const ElfW(Rela) * end = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;

  [[nodiscard]] const char* name_of(const ElfW(Rela) & relocation) const {
    constexpr int bits_of_kind = sizeof(void*) == 8 ? 32 : 8;
    return names + symbols[relocation.r_info >> bits_of_kind].st_name;
  }
};

Relocations relocations_of(const link_map& library) {
  Relocations found;
  std::size_t bytes = 0;
  for (const ElfW(Dyn)* part = library.l_ld; part->d_tag != DT_NULL; ++part) {
    // Some loaders leave distances from the library's begin as they are.
    const ElfW(Addr) value = part->d_un.d_ptr;
    auto* const address =
        reinterpret_cast<const void*>(value < library.l_addr ? library.l_addr + value : value);
    if (part->d_tag == DT_RELA) found.begin = static_cast<const ElfW(Rela)*>(address);
    if (part->d_tag == DT_RELASZ) bytes = part->d_un.d_val;
    if (part->d_tag == DT_SYMTAB) found.symbols = static_cast<const ElfW(Sym)*>(address);
    if (part->d_tag == DT_STRTAB) found.names = static_cast<const char*>(address);
  }
  found.end = found.begin + bytes / sizeof(ElfW(Rela));
  return found;
}

}  // namespace

void* bound_symbol(const char* library, const char* name) {
  link_map* map = nullptr;
  void* const handle = ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return nullptr;
  const Relocations all = relocations_of(*map);
  for (const ElfW(Rela)* one = all.begin; one != all.end; ++one) {
    if (std::strcmp(all.name_of(*one), name) == 0)
      return *reinterpret_cast<void**>(map->l_addr + one->r_offset);
  }
  return nullptr;
}

}  // namespace tutti::mpi
