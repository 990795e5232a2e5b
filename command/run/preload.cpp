// SPDX-License-Identifier: BSD-3-Clause
// Implements `tutti run --preload` and `tutti preload`: finds the library to preload, and whether
// it would have an effect.
#include "run/preload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/notice.hpp"
#include "commands.hpp"
#include "pvm/folder.hpp"
#include "run/linkage.hpp"
#include "transport/wire/library.hpp"

namespace tutti::tools {

namespace fs = std::filesystem;

namespace {

struct Interface {
  const char* name;
  const char* title;
  std::vector<std::string> files;
  const char* how_to_link;
};

const std::vector<Interface>& interfaces() {
  static const std::vector<Interface> all = {
      {"blacs",
       "the BLACS",
       {"libtutti-blacs.so.0"},
       "with `pkg-config --libs tutti-blacs` before any other BLACS"},
      {"bsp", "BSPlib", {"libtutti-bsp.so.0"}, "with bspcc"},
      {"pvm", "PVM", {"libpvm3.so.3", "libgpvm3.so.3"}, "with the flags of `tutti pvm-cc`"}};
  return all;
}

const Interface& interface_of(const std::string& name) {
  for (const Interface& interface : interfaces()) {
    if (interface.name == name) return interface;
  }
  base::fail(base::Status::invalid_argument,
             "there is no interface '{}'; those that can be preloaded are {}", name,
             fmt::join(preloadable(), ", "));
}

[[noreturn]] void refuse(const std::string& program, const std::string& reason,
                         const Interface& interface) {
  base::fail(base::Status::invalid_argument, "{} {}; link it again {}", program, reason,
             interface.how_to_link);
}

void refuse_without_effect(const std::string& program, const Linkage& linkage,
                           const Interface& interface) {
  if (linkage.kind == Linkage::Kind::fixed)
    refuse(program, "is static, so no library can be preloaded", interface);
  if (linkage.kind == Linkage::Kind::foreign) {
    refuse(program,
           "is a program of another kind of processor, so tutti's library cannot be preloaded",
           interface);
  }
  if (!linkage.own.empty()) {
    refuse(program,
           fmt::format("has functions of {} of its own, among them {}, and would go on using them",
                       interface.title, linkage.own),
           interface);
  }
}

// Only rank 0 of an MPI job prints the message, so that it appears once.
void say_what_is_unknown(const std::string& command, const std::string& program,
                         const Linkage& linkage, const Interface& interface, const Names& names) {
  if (base::mpi_launcher_rank().value_or(0) != 0) return;
  const std::string effect =
      fmt::format("{} is preloaded into it and into what it starts", interface.files.front());
  if (linkage.kind == Linkage::Kind::script) {
    base::notice("tutti {}: {} is a script, so nothing can be seen of what it runs; {}\n", command,
                 program, effect);
  } else if (linkage.kind == Linkage::Kind::unseen) {
    base::notice("tutti {}: nothing can be seen of {}: {}; {}\n", command, program, linkage.reason,
                 effect);
  } else if (!linkage.uses(names)) {
    base::notice("tutti {}: neither {} nor a library it is linked with uses {}; {}\n", command,
                 program, interface.title, effect);
  }
}

bool is_sanitizer(const std::string& library) {
  constexpr std::string_view beginnings[] = {"libasan.", "libhwasan.", "libtsan.",
                                             "liblsan.", "libubsan.",  "libclang_rt."};
  return std::ranges::any_of(beginnings,
                             [&](std::string_view begin) { return library.starts_with(begin); });
}

// Returns the runtimes of sanitizers with which the program is linked. They replace functions of
// the C library and refuse to run unless they come first. A path serves, because what the program
// starts may not find them by name; the loader would take a space or a colon for the end of one.
// The loader lists nothing if it does not find another library of the program yet.
std::vector<std::string> sanitizers_of(const Linkage& linkage) {
  std::vector<std::string> found;
  if (std::ranges::none_of(linkage.needed, is_sanitizer)) return found;
  for (const std::string& library : linkage.libraries()) {
    const std::string name = fs::path(library).filename().string();
    if (is_sanitizer(name))
      found.push_back(library.find_first_of(" :") == std::string::npos ? library : name);
  }
  if (linkage.libraries().empty())
    std::ranges::copy_if(linkage.needed, std::back_inserter(found), is_sanitizer);
  return found;
}

// Returns the MPI of the program: that of its libraries, else that of the launcher.
std::string mpi_of(const Linkage& linkage) {
  const auto launcher = base::mpi_launcher();
  if (!launcher || base::text(base::Variable::job)) return {};
  for (const std::string& library : linkage.libraries()) {
    const std::string flavour =
        transport::wire::flavour_of_library(fs::path(library).filename().string());
    if (!flavour.empty()) return flavour;
  }
  return launcher->flavour;
}

// The BLACS for programs of an MPI takes communicators of that MPI as system handles. The other
// interfaces have no MPI in their signatures.
void choose_flavour(Interface& interface, const fs::path& links, const std::string& flavour) {
  if (flavour.empty() || interface.name != std::string_view("blacs")) return;
  interface.files = {"libtutti-blacs-" + flavour + ".so.0"};
  if (fs::exists(links / interface.files.front())) return;
  base::fail(base::Status::system_error,
             "{} is not there: tutti was built where the development files of {} were not",
             (links / interface.files.front()).string(), flavour);
}

}  // namespace

std::vector<std::string> preloadable() {
  std::vector<std::string> names;
  for (const Interface& interface : interfaces()) names.emplace_back(interface.name);
  return names;
}

LoadedFirst preload(const std::string& command, const std::string& name,
                    const launch::LaunchedProgram& program, Launcher launcher) {
  Interface interface = interface_of(name);
  const fs::path links = links_folder();
  const bool pvm = interface.name == std::string_view("pvm");
  const fs::path folder = pvm ? pvm_folder() / "lib" : links;
  Names names;
  for (const std::string& file : interface.files)
    names.merge(functions_of((folder / file).string()));
  const std::string file = program_file(program);
  Linkage linkage;
  if (!file.empty() && fs::exists(file)) {
    linkage = linkage_of(file, program.setting.environment, names);
    refuse_without_effect(file, linkage, interface);
    say_what_is_unknown(command, file, linkage, interface, names);
  }
  if (launcher == Launcher::any) choose_flavour(interface, links, mpi_of(linkage));
  LoadedFirst first{{links.string()}, sanitizers_of(linkage)};
  first.files.insert(first.files.end(), interface.files.begin(), interface.files.end());
  if (pvm) first.folders.push_back(folder.string());
  return first;
}

namespace {

// The functions of an MPI that tutti's library replaces, as far as it matters whether a program has
// them.
const Names& functions_of_mpi() {
  static const Names names = {"MPI_Init",         "MPI_Init_thread", "mpi_init_",  "MPI_Bcast",
                              "MPI_Allreduce",    "MPI_Barrier",     "mpi_bcast_", "mpi_allreduce_",
                              "mpi_init_thread_", "mpi_barrier_"};
  return names;
}

}  // namespace

LoadedFirst preload_for_mpi(const launch::LaunchedProgram& program, FoundMpi& found) {
  const fs::path links = links_folder();
  const std::string file = program_file(program);
  Linkage linkage;
  if (!file.empty() && fs::exists(file)) {
    linkage = linkage_of(file, program.setting.environment, functions_of_mpi());
    refuse_without_effect(file, linkage, {"mpi", "MPI", {}, "with a shared library of its MPI"});
  }
  found = mpi_of_program(file, linkage);
  if (found.flavour.empty()) {
    base::fail(base::Status::invalid_argument,
               "the MPI of {} is not known: neither its libraries, nor a package mpi4py, nor a "
               "launcher show one",
               program.executable);
  }
  const std::string library = "libtutti-preload-" + found.flavour + ".so.0";
  if (!fs::exists(links / library)) {
    base::fail(base::Status::system_error,
               "{} is not there: tutti was built where the development files of {} were not",
               (links / library).string(), found.flavour);
  }
  LoadedFirst first{{links.string()}, sanitizers_of(linkage)};
  first.files.push_back(library);
  return first;
}

int become_program(const std::string& command, std::vector<std::string> words,
                   const LoadedFirst& first) {
  put_first(first);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Failure is harmless: the next lines say why.
  (void)::execvp(arguments.front(), arguments.data());
  const int error = errno;
  base::notice("tutti {}: {} cannot be run: {}\n", command, words.front(), std::strerror(error));
  return error == ENOENT ? program_not_found : program_not_to_be_run;
}

namespace {

// Puts what a further program of the job needs, and `all` has not, in front: only sanitizers
// differ.
void add(LoadedFirst& all, const LoadedFirst& more) {
  const auto put = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    std::vector<std::string> missing;
    std::ranges::copy_if(from, std::back_inserter(missing), [&to](const std::string& one) {
      return std::ranges::count(to, one) == 0;
    });
    to.insert(to.begin(), missing.begin(), missing.end());
  };
  put(all.folders, more.folders);
  put(all.files, more.files);
}

}  // namespace

void give_libraries(std::vector<launch::LaunchedProgram>& programs, const std::string& interface) {
  LoadedFirst first;
  if (interface.empty()) {
    try {
      first.folders = {links_folder().string()};
    } catch (const base::Error&) {
      return;
    }
  }
  for (const launch::LaunchedProgram& program : programs) {
    if (!interface.empty()) add(first, preload("run", interface, program, Launcher::tutti));
  }
  put_first(first);
  for (launch::LaunchedProgram& program : programs) put_first(first, program.setting.environment);
}

}  // namespace tutti::tools
