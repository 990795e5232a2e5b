// SPDX-License-Identifier: BSD-3-Clause
// The costs of a machine in the model of the papers, as numbers with their sources. Profiles are
// TOML files. The library contains those of the papers' machines; others are read by path.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::machine {

// How far a number can be trusted.
enum class Provenance { published, derived, fitted, measured, assumed };

struct Number {
  double value = 0;
  Provenance status = Provenance::assumed;
  std::string source;
  int line = 0;  // line in its file; 0 if it is in none
};

// A property that is a word, such as the topology.
struct Word {
  std::string value;
  Provenance status = Provenance::assumed;
  std::string source;
  int line = 0;
};

// The contents of a profile. Times are in microseconds, sizes in bytes.
struct Profile {
  std::string name;
  std::vector<std::string> aliases;
  std::string about;
  // Rows and columns of the measured machine, from `mesh` or a topology mesh:RxC; empty if it is no
  // mesh.
  std::vector<int> mesh;
  Number alpha;  // start-up of a message
  Number beta;   // time per byte of a message
  Number gamma;  // time to combine a byte
  // Bandwidth of a link over that of a node: this many messages share a link before they slow each
  // other down.
  Number kappa;
  // All other values of the file by name. `hop` in the table [network] is "network.hop".
  std::map<std::string, Number> more;
  std::map<std::string, Word> words;
};

// Throws Error(invalid_argument) that names `origin`, line, key and the error. Ignores a table
// [graph].
[[nodiscard]] Profile parse(std::string_view toml, const std::string& origin);

// The text of a file, kept so that others need not find the file again. If `origin` is empty, there
// is no file.
struct Document {
  std::string origin, text;
  friend bool operator==(const Document&, const Document&) = default;
};
[[nodiscard]] Document read_document(const std::string& path, const char* what = "machine profile");

// Returns the names of the profiles in the library, sorted.
[[nodiscard]] std::vector<std::string> builtin_profiles();

// Loads a profile by name or alias, else by path (a text with a '/' or that ends in .toml). Throws
// Error(invalid_argument).
[[nodiscard]] Profile load(const std::string& name_or_path);
// Returns the text that load() parses.
[[nodiscard]] Document document_of(const std::string& name_or_path);

[[nodiscard]] const char* to_text(Provenance status);

}  // namespace tutti::machine
