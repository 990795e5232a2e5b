// SPDX-License-Identifier: BSD-3-Clause
// Unwinds the stack as for exceptions, and omits the frames of tutti and of the C library
// (call_path.hpp).
#include "call_path.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <string_view>

#include "errors.hpp"

namespace tutti::bsp {
namespace {

bool is_of_program(std::uint64_t address) {
  Dl_info info{};
  // A return address may be the first byte of the next function, so the byte before it is looked
  // up.
  if (dladdr(reinterpret_cast<const void*>(address - 1), &info) == 0 || info.dli_fname == nullptr)
    return false;
  std::string_view name = info.dli_fname;
  name = name.substr(name.rfind('/') + 1);
  return !name.starts_with("libtutti") && !name.starts_with("libc.so");
}

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* found) {
  const auto address = static_cast<std::uint64_t>(_Unwind_GetIP(context));
  if (address == 0) return _URC_END_OF_STACK;
  if (is_of_program(address)) static_cast<std::vector<std::uint64_t>*>(found)->push_back(address);
  return _URC_NO_REASON;
}

// Returns the name in "solve(int)+0x5f (prog+0x1a5f), solve.c:12". Without a name it returns the
// place in the object.
std::string function_of(const std::string& site) {
  const bool named = site.find(" (") != std::string::npos;
  std::string name = site.substr(0, named ? site.find("+0x") : site.find(','));
  name = name.substr(0, name.find('('));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ',' || c == ';' || c == '"'; }, ' ');
  return name;
}

}  // namespace

std::vector<std::uint64_t> call_path() {
  std::vector<std::uint64_t> path;
  _Unwind_Backtrace(note_frame, &path);
  std::reverse(path.begin(), path.end());
  return path;
}

std::string call_path_text(const std::vector<std::uint64_t>& path) {
  std::string text;
  for (const std::uint64_t address : path) {
    const std::string function = function_of(site_text(address));
    if (function != "_start") text += (text.empty() ? "" : ";") + function;
  }
  return text;
}

}  // namespace tutti::bsp
