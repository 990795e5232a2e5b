// SPDX-License-Identifier: BSD-3-Clause
// The one question that explain, draw, verify, simulate and bench take: an operation of so many
// ranks on so many bytes, by an algorithm, on a machine with a network. Here its options are
// declared, with one text each, and read, with one message for each mistake; a verb adds options of
// its own.
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

// As written on the command line; empty where nothing was.
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
  // Old spellings, which work but stand in no help.
  std::string old_operation;
  std::string old_ranks;
  Parameters old_settings;
};

// What a verb adds to the common text of an option: mostly its default.
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
// --op of verify and bench.
void add_old_operation(CLI::App& command, CallOptions& options);
// --branches, --rings, --segments, --factors and --cut of draw, verify and simulate.
void add_old_settings(CLI::App& command, CallOptions& options);

// What follows throws base::Error(invalid_argument) that says what was written and what must be.

// One operation, which has to be given.
[[nodiscard]] schedule::Operation operation_of(const CallOptions& options);
// Several with commas, as written; empty where none is given.
[[nodiscard]] const std::string& operation_text(const CallOptions& options);
// The same as words; none for "all".
[[nodiscard]] std::vector<std::string> operation_words(const CallOptions& options);

// One number of ranks, 1 to `most`; nothing if none is given.
[[nodiscard]] std::optional<int> ranks_of(const CallOptions& options, int most);
// Numbers and ranges of them, 1 to `most`; empty if none is given.
[[nodiscard]] std::vector<int> rank_list(const CallOptions& options, int most);

// Of --bytes or --block-bytes, else `usual` as --bytes.
[[nodiscard]] Sizes sizes_of(const CallOptions& options, const std::string& usual,
                             std::int64_t multiple = 1, std::int64_t factor = 2);
// Whether one of the two is given.
[[nodiscard]] bool sized(const CallOptions& options);
// Where only one size makes sense; 1K where none is given.
[[nodiscard]] Extent extent_of(const CallOptions& options, schedule::Operation operation, int p);

// A rank below p; 0 if none is given.
[[nodiscard]] int root_of(const CallOptions& options, int p);

// An algorithm with its settings, as every command prints it; where the text gives no settings, the
// old options do.
[[nodiscard]] selection::Forced plan_of(const CallOptions& options, schedule::Operation operation,
                                        const std::string& text);

// The network of --topology, else that of --machine where it has one, else nothing.
[[nodiscard]] std::shared_ptr<const machine::Topology> network_of(const CallOptions& options);

}  // namespace tutti::tools
