// SPDX-License-Identifier: BSD-3-Clause
// Looks at a program through its symbols, and at its libraries as the program's own loader lists
// them.
#include "run/linkage.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "run/elf.hpp"
#include "support/child.hpp"

namespace tutti::tools {

namespace fs = std::filesystem;

namespace {

bool is_script(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return file.get() == '#' && file.get() == '!';
}

// Returns the path in "\tlibc.so.6 => /lib/libc.so.6 (0x00007f...)", or an empty text if the line
// has none.
std::string path_in(const std::string& line) {
  constexpr std::string_view arrow = " => ";
  const auto end = line.rfind(" (0x");
  auto begin = line.find(arrow);
  begin = begin == std::string::npos ? line.find_first_not_of('\t') : begin + arrow.size();
  if (end == std::string::npos || begin == std::string::npos || begin >= end || line[begin] != '/')
    return {};
  return line.substr(begin, end - begin);
}

ChildCommand with_variables(std::vector<std::string> words,
                            const std::vector<std::string>& variables) {
  ChildCommand command{std::move(words), {}};
  for (const std::string& variable : variables) {
    const auto end = variable.find('=');
    if (end != std::string::npos)
      command.environment.emplace_back(variable.substr(0, end), variable.substr(end + 1));
  }
  return command;
}

// Returns the name in "\tlibx.so.1 => not found", or an empty text for other lines.
std::string missing_in(const std::string& line) {
  const auto end = line.find(" => not found"), begin = line.find_first_not_of('\t');
  return end == std::string::npos || begin >= end ? "" : line.substr(begin, end - begin);
}

// Returns true for glibc's loader. Its --list stops at the first missing library, unless a variable
// of glibc lets it continue. Another loader might start the program instead.
bool lists_missing(const std::string& loader) {
  return fs::path(loader).filename().string().starts_with("ld-linux");
}

// A library whose tables are damaged mentions nothing that can be seen.
bool mentions(const std::string& library, const Names& names) {
  bool found = false;
  try {
    ElfFile(library).each_symbol(
        ElfFile::Table::dynamic,
        [&](std::string_view name, ElfFile::Role) { found = found || names.contains(name); });
  } catch (const base::Error&) {
    return false;
  }
  return found;
}

std::string in_path(const std::string& name) {
  const std::string path = base::program_path();
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    const std::string file = (end == begin ? "." : path.substr(begin, end - begin)) + "/" + name;
    std::error_code none;
    if (::access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file, none)) return file;
    begin = end + 1;
  }
  return {};
}

}  // namespace

Names functions_of(const std::string& library) {
  Names names;
  ElfFile(library).each_symbol(ElfFile::Table::dynamic,
                               [&names](std::string_view name, ElfFile::Role role) {
                                 if (role == ElfFile::Role::defined_function) names.emplace(name);
                               });
  return names;
}

// A loader that cannot be started, or lists nothing, knows no libraries that matter here.
const std::vector<std::string>& Linkage::libraries() const {
  if (libraries_) return *libraries_;
  libraries_.emplace();
  if (loader_.empty()) return *libraries_;
  try {
    // Failure is harmless: see above.
    static_cast<void>(read_lines(with_variables({loader_, "--list", program_}, variables_),
                                 [this](const std::string& line) {
                                   if (std::string path = path_in(line); !path.empty())
                                     libraries_->push_back(std::move(path));
                                 }));
  } catch (const base::Error&) {
    libraries_->clear();
  }
  return *libraries_;
}

bool Linkage::uses(const Names& names) const {
  return uses_itself_ || std::ranges::any_of(libraries(), [&](const std::string& library) {
           return mentions(library, names);
         });
}

// A program that calls some functions of the interface and defines others, such as a clock, still
// gets the called ones from a library.
void Linkage::look(const Names& names) {
  if (!ElfFile::is_elf(program_)) {
    kind = is_script(program_) ? Kind::script : Kind::unseen;
    reason = "it is neither a program nor a script that can be read";
    return;
  }
  const ElfFile file(program_);
  kind = Kind::foreign;
  if (!file.is_native()) return;
  loader_ = file.interpreter();
  kind = loader_.empty() ? Kind::fixed : Kind::dynamic;
  if (loader_.empty()) return;
  file.each_symbol(ElfFile::Table::all, [&](std::string_view name, ElfFile::Role role) {
    if (!names.contains(name)) return;
    uses_itself_ = uses_itself_ || role == ElfFile::Role::wanted;
    if (role == ElfFile::Role::defined_function) own = name;
  });
  if (uses_itself_) own.clear();
  needed = file.needed();
}

// A file whose tables are damaged may still run, because the kernel and the loader read less of it.
Linkage linkage_of(const std::string& program, const std::vector<std::string>& variables,
                   const Names& names) {
  Linkage linkage;
  linkage.program_ = program;
  linkage.variables_ = variables;
  try {
    linkage.look(names);
    return linkage;
  } catch (const base::Error& error) {
    Linkage unseen;
    unseen.reason = error.what();
    return unseen;
  }
}

std::vector<std::string> missing_libraries(const std::string& program,
                                           const std::vector<std::string>& variables) {
  std::vector<std::string> missing;
  try {
    if (!ElfFile::is_elf(program)) return missing;
    const ElfFile file(program);
    const std::string loader = file.interpreter();
    if (!file.is_native() || !lists_missing(loader)) return missing;
    ChildCommand command = with_variables({loader, program}, variables);
    command.environment.emplace_back("LD_TRACE_LOADED_OBJECTS", "1");
    // Failure is harmless: the loader fails if a library is missing, which is what is asked.
    static_cast<void>(read_lines(command, [&missing](const std::string& line) {
      std::string name = missing_in(line);
      const bool known = std::find(missing.begin(), missing.end(), name) != missing.end();
      if (!name.empty() && !known) missing.push_back(std::move(name));
    }));
  } catch (const base::Error&) {  // a file that cannot be understood tells nothing
  }
  return missing;
}

std::string program_file(const launch::LaunchedProgram& program) {
  std::string word = program.executable;
  if (fs::path(word).filename() == "env") {
    auto behind = program.arguments.begin() + 1;
    const auto end = program.arguments.end();
    while (behind != end && !behind->starts_with('-') && behind->find('=') != std::string::npos)
      ++behind;
    if (behind != end && !behind->starts_with('-')) word = *behind;
  }
  return word.find('/') == std::string::npos ? in_path(word)
                                             : (fs::path(program.setting.folder) / word).string();
}

}  // namespace tutti::tools
