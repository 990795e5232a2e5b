// SPDX-License-Identifier: BSD-3-Clause
// The function table of the C++ interface. It holds this library's calls, or those of another
// BSPlib that TUTTI_BSP_BACKEND names.
#include <dlfcn.h>
#include <tutti-bsp/bsp.h>
#include <tutti-bsp/bsp_backend.h>
#include <tutti-bsp/bsp_broadcast.h>
#include <tutti-bsp/bsp_tutti.h>
#include <tutti/tutti_runtime.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "errors.hpp"

namespace {

using Table = bsp_backend_table;

constexpr Table own_calls{sizeof(Table),
                          "tutti",
                          bsp_begin,
                          bsp_end,
                          bsp_abort,
                          bsp_nprocs,
                          bsp_pid,
                          bsp_time,
                          bsp_sync,
                          bsp_push_reg,
                          bsp_pop_reg,
                          bsp_put,
                          bsp_get,
                          bsp_hpput,
                          bsp_hpget,
                          bsp_set_tagsize,
                          bsp_send,
                          bsp_qsize,
                          bsp_get_tag,
                          bsp_move,
                          bsp_hpmove,
                          bsp_hpsend,
                          bsp_sync_counts,
                          bsp_sync_neighbours,
                          bsp_broadcast,
                          bsp_fold,
                          bsp_total_exchange,
                          bsp_total_exchangev,
                          bsp_group_split,
                          bsp_group_enter,
                          bsp_group_leave,
                          bsp_group_free,
                          bsp_alloc,
                          bsp_free};

// The place in the table for the function of a name.
struct Entry {
  const char* name;
  std::size_t offset;
};
#define TUTTI_ENTRY(name) \
  { "bsp_" #name, offsetof(Table, name) }
constexpr Entry needed[] = {
    TUTTI_ENTRY(begin),   TUTTI_ENTRY(end),  TUTTI_ENTRY(abort),       TUTTI_ENTRY(nprocs),
    TUTTI_ENTRY(pid),     TUTTI_ENTRY(time), TUTTI_ENTRY(sync),        TUTTI_ENTRY(push_reg),
    TUTTI_ENTRY(pop_reg), TUTTI_ENTRY(put),  TUTTI_ENTRY(get),         TUTTI_ENTRY(hpput),
    TUTTI_ENTRY(hpget),   TUTTI_ENTRY(send), TUTTI_ENTRY(set_tagsize), TUTTI_ENTRY(qsize),
    TUTTI_ENTRY(get_tag), TUTTI_ENTRY(move), TUTTI_ENTRY(hpmove)};
constexpr Entry optional[] = {
    TUTTI_ENTRY(hpsend),          TUTTI_ENTRY(broadcast),       TUTTI_ENTRY(fold),
    TUTTI_ENTRY(total_exchange),  TUTTI_ENTRY(total_exchangev), TUTTI_ENTRY(sync_counts),
    TUTTI_ENTRY(sync_neighbours), TUTTI_ENTRY(group_split),     TUTTI_ENTRY(group_enter),
    TUTTI_ENTRY(group_leave),     TUTTI_ENTRY(group_free)};
#undef TUTTI_ENTRY

Table other_calls{};

void sync_instead_of_counts(const int*) {
  other_calls.sync();
}
void sync_instead_of_neighbours(int, const int*) {
  other_calls.sync();
}

// Ends the program. The process may belong to a job, whose other processes must then end, too.
template <class... Args>
[[noreturn]] void reject(fmt::format_string<Args...> format, Args... args) {
  static_cast<void>(tutti::detail::quietly(tutti_init));
  tutti::bsp::fail("TUTTI_BSP_BACKEND", format, args...);
}

bool enter(void* library, const Entry& entry) {
  void* const call = dlsym(library, entry.name);
  if (call != nullptr)
    std::memcpy(reinterpret_cast<std::byte*>(&other_calls) + entry.offset, &call, sizeof call);
  return call != nullptr;
}

// RTLD_DEEPBIND lets the other library use its own functions of BSPlib's names, not this library's.
// RTLD_GLOBAL is for components of an MPI below it, which look for the MPI's names in the whole
// process.
const Table* load(const std::string& path) {
  static std::string name;
  name = path;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_DEEPBIND);
  if (library == nullptr) reject("the library cannot be loaded: {}", std::string(dlerror()));
  other_calls.struct_size = sizeof(Table);
  other_calls.name = name.c_str();
  for (const Entry& entry : needed) {
    if (!enter(library, entry)) reject("'{}' is no BSPlib: it has no {}", path, entry.name);
  }
  // Failure is harmless: the calls are optional, and others take their place below.
  for (const Entry& entry : optional) (void)enter(library, entry);
  if (other_calls.hpsend == nullptr) other_calls.hpsend = other_calls.send;
  if (other_calls.sync_counts == nullptr) other_calls.sync_counts = sync_instead_of_counts;
  if (other_calls.sync_neighbours == nullptr)
    other_calls.sync_neighbours = sync_instead_of_neighbours;
  return &other_calls;
}

const Table* chosen() {
  std::array<char, 4096> text{};
  const std::size_t length = tutti_setting_text("TUTTI_BSP_BACKEND", text.data(), text.size());
  if (length >= text.size()) reject("the path of {} characters is too long", length);
  const std::string value = text.data();
  return value.empty() || value == "tutti" ? &own_calls : load(value);
}

}  // namespace

extern "C" const bsp_backend_table* bsp_backend(void) {
  static const Table* const table = chosen();
  return table;
}
