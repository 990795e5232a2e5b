// SPDX-License-Identifier: BSD-3-Clause
// Writes a film as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "draw/film.hpp"

namespace tutti::tools {

// Returns {"operation", "ranks", "parts", "start": CELLS, "rounds": [{"round", "rule", "messages":
// [{"from", "to", "adds", "blocks", "terms"}], "cells": CELLS}], "fault"}. A round that is wrong
// has no "cells". `blocks` are indices; `terms` has for each block the ranks whose input is in it.
// CELLS is a list of ranks, each a list of cells, each a list of items: {"state"}, and if the item
// has a value "block" and "terms". Rounds before the last have no "cells" if the film has more than
// `most_cells`, because JSON takes about 1000 bytes of memory for each.
[[nodiscard]] nlohmann::json film_json(const draw::Film& film, std::int64_t most_cells);

}  // namespace tutti::tools
