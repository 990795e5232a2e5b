// SPDX-License-Identifier: BSD-3-Clause
// The common question of explain, draw, verify, simulate and bench: an operation of p ranks on n
// bytes, by an algorithm, on a machine with a network. Declares its options, with one text each,
// and reads them, with one message for each mistake. A verb adds options of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/topology.hpp"
#include "selection/policy.hpp"
#include "support/request.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {

// The options as written on the command line; those that were not given are empty.
struct CallOptions {
  std::string operation;
  std::string ranks;
  std::string bytes;
  std::string block_bytes;
  std::string root;
  std::string algorithm;
  std::string machine;
  std::string topology;
  bool json = false;
  // Old spellings, which work but appear in no help.
  std::string old_operation;
  std::string old_ranks;
  Parameters old_settings;
};

// Text that a verb adds to the common description of an option, mostly its default.
struct CallNotes {
  const char* operation = "";
  const char* ranks = "";
  const char* bytes = "";
  const char* root = "; default 0";
  const char* algorithm = "";
  const char* machine = "";
  const char* topology = "";
};

void add_call_options(CLI::App& command, CallOptions& options, const CallNotes& notes);
// Adds --op of verify and bench, an old spelling.
void add_old_operation(CLI::App& command, CallOptions& options);
// Adds --branches, --rings, --segments, --factors and --cut of draw, verify and simulate, which are
// old spellings.
void add_old_settings(CLI::App& command, CallOptions& options);

// The functions below throw base::Error(invalid_argument) that quotes the text and says what it
// must be.

// Returns the operation, which must be given.
[[nodiscard]] schedule::Operation operation_of(const CallOptions& options);
// Returns the list of operations as written; empty if none is given.
[[nodiscard]] const std::string& operation_text(const CallOptions& options);
// Returns the listed operations as words; none for "all".
[[nodiscard]] std::vector<std::string> operation_words(const CallOptions& options);

// Returns the number of ranks, 1 to `most`, or nothing if none is given.
[[nodiscard]] std::optional<int> ranks_of(const CallOptions& options, int most);
// Returns numbers of ranks and ranges of them, 1 to `most`; empty if none is given.
[[nodiscard]] std::vector<int> rank_list(const CallOptions& options, int most);

// Returns the sizes of --bytes or --block-bytes; if neither is given, `usual` stands for --bytes.
[[nodiscard]] Sizes sizes_of(const CallOptions& options, const std::string& usual,
                             std::int64_t multiple = 1, std::int64_t factor = 2);
// Returns true if --bytes or --block-bytes is given.
[[nodiscard]] bool sized(const CallOptions& options);
// Returns the size for verbs that take only one; the default is 1K.
[[nodiscard]] Extent extent_of(const CallOptions& options, schedule::Operation operation, int p);

// Returns the root, a rank below p; the default is 0.
[[nodiscard]] int root_of(const CallOptions& options, int p);

// If a file of a schedule stands where the operation does, such as ring8.json, file:ring8.json or
// -, replaces it by the operation, the algorithm, the ranks and the root that the file is for.
// Options that are given, too, stay. Throws if the file is wrong, or an algorithm is given, too.
void take_file(CallOptions& options);
// Returns the name of the file that stands where the operation does, or an empty text.
[[nodiscard]] std::string file_in(const CallOptions& options);

// Reads an algorithm with its settings, as every command prints it. If the text gives no settings,
// the old options do.
[[nodiscard]] selection::Forced plan_of(const CallOptions& options, schedule::Operation operation,
                                        const std::string& text);

// Returns the network of --topology, else that of --machine, else null.
[[nodiscard]] std::shared_ptr<const machine::Topology> network_of(const CallOptions& options);

}  // namespace tutti::tools
