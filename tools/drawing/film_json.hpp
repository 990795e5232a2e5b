// SPDX-License-Identifier: BSD-3-Clause
// A film as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "draw/film.hpp"

namespace tutti::tools {

// {"operation", "ranks", "parts", "start": CELLS, "rounds": [{"round", "rule", "messages":
// [{"from", "to", "adds", "blocks", "terms"}], "cells": CELLS}]}. A message has the indices of its
// blocks, and for each the ranks whose input is in it. CELLS are lists: of each rank, of each cell,
// of what is there: {"state"}, and with a value "block" and "terms".
[[nodiscard]] nlohmann::json film_json(const draw::Film& film);

}  // namespace tutti::tools
