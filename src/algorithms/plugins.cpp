// SPDX-License-Identifier: BSD-3-Clause
// Loads shared libraries that bring generators.
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "algorithms/registered.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/input_file.hpp"
#include "base/sha256.hpp"
#include "tutti/tutti_generator.h"

namespace tutti::algorithms {
namespace {

constexpr const char* entry = "tutti_generators";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  base::fail(base::Status::bad_environment, "environment variable TUTTI_GENERATORS names {}: {}",
             path, why);
}

std::string contents_of(const std::string& path) {
  std::error_code error;
  base::InputFile file(path);
  if (!file || !std::filesystem::is_regular_file(path, error))
    refuse(path, "the file cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The object that takes the generators of a plug-in. It keeps the first error of the calls, because
// an error must not be thrown through the plug-in.
struct Registrar {
  tutti_registrar given{};
  std::string identity;
  std::string problem;
};

void add(tutti_registrar* registrar, const tutti_generator* generator) {
  auto& self = *static_cast<Registrar*>(registrar->inside);
  if (!self.problem.empty()) return;
  try {
    if (generator == nullptr)
      base::fail(base::Status::invalid_argument, "a generator is not registered: it is NULL");
    register_generator(*generator, self.identity);
  } catch (const std::exception& error) {
    self.problem = error.what();
  }
}

// Without a slash, dlopen would search the folders of libraries.
void load(std::string path) {
  if (path.find('/') == std::string::npos) path.insert(0, "./");
  Registrar registrar;
  registrar.identity = base::sha256(contents_of(path));
  registrar.given = {&registrar, add};
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(path, ::dlerror());
  void* const found = ::dlsym(library, entry);
  if (found == nullptr) refuse(path, "it defines no function tutti_generators");
  reinterpret_cast<decltype(&tutti_generators)>(found)(&registrar.given);
  if (!registrar.problem.empty()) refuse(path, registrar.problem);
}

// Loads all plug-ins. Returns what is wrong with one of them; empty if nothing is.
std::string load_all() {
  const std::string paths = base::text(base::Variable::generators).value_or("");
  try {
    for (std::string_view rest = paths; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) load(std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  } catch (const base::Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

void load_plugins() {
  static const std::string problem = load_all();
  if (!problem.empty()) throw base::Error(base::Status::bad_environment, problem);
}

}  // namespace tutti::algorithms
