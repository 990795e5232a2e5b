// SPDX-License-Identifier: BSD-3-Clause
// Judges each return address once (place.hpp).
#include "place.hpp"

#include <dlfcn.h>

#include <array>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "library.hpp"

namespace tutti::mpi {
namespace {

// Returns true if the program does not call from there itself: libraries of tutti, and those of an
// MPI for Fortran, stand before its functions, and modules of Python before its lines.
bool is_between(std::uintptr_t address) {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(address - 1), &info) == 0 || info.dli_fname == nullptr)
    return false;
  std::string_view file = info.dli_fname;
  file.remove_prefix(file.rfind('/') + 1);
  constexpr std::array between = {"libtutti", "libmpichfort", "libmpi_mpifh", "libmpi_usempi"};
  for (const std::string_view name : between)
    if (file.starts_with(name)) return true;
  return file.find(".so") != std::string_view::npos &&
         ::dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr;
}

bool is_known_between(std::uintptr_t address) {
  static std::mutex mutex;
  static auto* const known = new std::unordered_map<std::uintptr_t, bool>;
  const std::lock_guard lock(mutex);
  const auto [found, is_new] = known->try_emplace(address, false);
  if (is_new) found->second = is_between(address);
  return found->second;
}

}  // namespace

std::uint64_t site_of_call(const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  return is_known_between(address) ? library.call_site() : address;
}

}  // namespace tutti::mpi
