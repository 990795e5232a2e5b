// SPDX-License-Identifier: BSD-3-Clause
// Finds the caller by unwinding the stack, which works wherever exceptions do. So a front end
// between the program and this library need not tell who calls.
#include "api/call_site.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unwind.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/python_site.hpp"
#include "base/symbols.hpp"
#include "launch/first_line.hpp"

namespace tutti::api {
namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// Finds the object that contains a call. A return address may be the first byte of the next
// function, so the byte before it is looked up.
bool find_object(std::uintptr_t address, Dl_info& info) {
  return ::dladdr(reinterpret_cast<const void*>(address - 1), &info) != 0 &&
         info.dli_fname != nullptr;
}

// Returns true for tutti's own libraries and for what MPIs have between a program of Fortran and
// the functions of C. Those of PVM have the names of the original ones.
bool is_library(std::string_view file) {
  constexpr std::string_view known[] = {"libtutti",     "libpvm3.so",   "libgpvm3.so",
                                        "libmpichfort", "libmpi_mpifh", "libmpi_usempi"};
  return std::ranges::any_of(known, [file](auto name) { return file.starts_with(name); });
}

// Programs that contain an interpreter may call from outside of its modules, which are libraries.
bool is_in_python_module(std::uintptr_t address) {
  Dl_info info{};
  return find_object(address, info) &&
         base_name(info.dli_fname).find(".so") != std::string_view::npos && base::has_python();
}

_Unwind_Reason_Code look(_Unwind_Context* context, void* result) {
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  Dl_info info{};
  if (address == 0) return _URC_END_OF_STACK;
  if (find_object(address, info) && is_library(base_name(info.dli_fname))) return _URC_NO_REASON;
  *static_cast<std::uintptr_t*>(result) = address;
  return _URC_END_OF_STACK;
}

// The frames of the handler itself come first, up to one that is not tutti's.
struct Passage {
  bool past_handler = false, found = false;
};

_Unwind_Reason_Code look_for_tutti(_Unwind_Context* context, void* result) {
  auto& passage = *static_cast<Passage*>(result);
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  Dl_info info{};
  if (address == 0) return _URC_END_OF_STACK;
  const bool found = find_object(address, info);
  const std::string_view file = found ? base_name(info.dli_fname) : "";
  const bool ours = is_library(file) || file == "tutti";  // the command runs these, too
  if (!ours) passage.past_handler = true;
  passage.found = ours && passage.past_handler;
  return passage.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// The loader names the program as it was started, but another file may have that name by now.
std::string file_of(const Dl_info& info) {
  return info.dli_fname[0] != '/' ? "/proc/self/exe" : info.dli_fname;
}

std::uintptr_t base_of(const Dl_info& info, const std::string& file) {
  return base::has_fixed_addresses(file) ? 0 : reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

// Returns a name that another process can open, which has another /proc/self/exe.
std::string file_to_read(const std::string& file) {
  return std::filesystem::weakly_canonical(file).string();
}

std::string readable(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

}  // namespace

std::uint64_t calling_site() {
  std::uintptr_t found = 0;
  _Unwind_Backtrace(look, &found);
  const std::uint64_t line = found != 0 && is_in_python_module(found) ? base::python_site() : 0;
  return line != 0 ? line : found;
}

bool passes_through_tutti() {
  Passage passage;
  _Unwind_Backtrace(look_for_tutti, &passage);
  return passage.found;
}

std::string line_of(std::uintptr_t address) {
  Dl_info info{};
  if (address == 0 || !find_object(address, info)) return {};
  const std::string file = file_of(info);
  // The line looks like "/home/ann/my programs/solve.c:12 (discriminator 3)".
  const std::string line =
      launch::first_line_of({"addr2line", "-e", file_to_read(file),
                             fmt::format("{:#x}", address - 1 - base_of(info, file))});
  const std::string_view text =
      base_name(std::string_view(line).substr(0, line.rfind(" (discriminator ")));
  return text.empty() || text.front() == '?' || text.ends_with(":?") || text.ends_with(":0")
             ? ""
             : std::string(text);
}

std::string place_of(std::uintptr_t address) {
  Dl_info info{};
  if (address == 0 || !find_object(address, info)) return fmt::format("{:#x}", address);
  const std::string file = file_of(info);
  const auto loaded_at = base_of(info, file);
  const std::string object =
      fmt::format("{}+{:#x}", base_name(info.dli_fname), address - loaded_at);
  if (const auto symbol = base::symbol_at(file, address - 1 - loaded_at)) {
    return fmt::format("{}+{:#x} ({})", readable(symbol->name.c_str()), symbol->offset + 1, object);
  }
  if (info.dli_sname == nullptr) return object;
  const auto offset = address - reinterpret_cast<std::uintptr_t>(info.dli_saddr);
  return fmt::format("{}+{:#x} ({})", readable(info.dli_sname), offset, object);
}

std::string site_text(std::uint64_t site) {
  if ((site & base::python_bit) != 0) return base::python_site_text(site);
  const auto address = static_cast<std::uintptr_t>(site);
  const std::string line = line_of(address);
  return line.empty() ? place_of(address) : place_of(address) + ", " + line;
}

}  // namespace tutti::api
