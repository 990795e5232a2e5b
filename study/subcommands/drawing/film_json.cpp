// SPDX-License-Identifier: BSD-3-Clause
// Writes films as JSON.
#include "drawing/film_json.hpp"

#include "draw/rules.hpp"
#include "schedule/printer.hpp"

namespace tutti::tools {
namespace {

using draw::Film;

constexpr const char* state_names[] = {"empty", "own", "partial", "held", "complete", "gone"};

int block_of(const Film& film, const draw::Item& item) {
  return film.operation == schedule::Operation::barrier ? film.of(item).first : film.of(item).part;
}

nlohmann::json cells_json(const Film& film, const Film::Strip& strip) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& cells : strip) {
    nlohmann::json& rank = all.emplace_back(nlohmann::json::array());
    for (const Film::Cell& cell : cells) {
      nlohmann::json& items = rank.emplace_back(nlohmann::json::array());
      for (const draw::Item& item : cell) {
        nlohmann::json& one = items.emplace_back(
            nlohmann::json{{"state", state_names[static_cast<int>(item.state)]}});
        if (item.content < 0) continue;
        one["block"] = block_of(film, item);
        one["terms"] = film.ranks(item);
      }
    }
  }
  return all;
}

nlohmann::json message_json(const Film& film, const Film::Message& message) {
  nlohmann::json blocks = nlohmann::json::array(), terms = nlohmann::json::array();
  for (const draw::Item& item : message.items) {
    blocks.push_back(block_of(film, item));
    terms.push_back(film.ranks(item));
  }
  return {{"from", message.from},
          {"to", message.to},
          {"adds", message.adds},
          {"blocks", blocks},
          {"terms", terms}};
}

// Returns null for a schedule that is right.
nlohmann::json fault_json(const Film& film) {
  if (!film.fault) return nullptr;
  const Film::Fault& fault = *film.fault;
  nlohmann::json out{{"problem", fault.problem},
                     {"round", nullptr},
                     {"rank", nullptr},
                     {"from", nullptr},
                     {"to", nullptr}};
  if (fault.round >= 0) out["round"] = film.rounds[draw::at(fault.round)].number;
  if (fault.rank >= 0) out["rank"] = fault.rank;
  if (fault.from >= 0) out["from"] = fault.from;
  if (fault.to >= 0) out["to"] = fault.to;
  return out;
}

}  // namespace

nlohmann::json film_json(const Film& film, std::int64_t most_cells) {
  const bool all_cells = std::int64_t{film.p} * film.slots <=
                         most_cells / static_cast<std::int64_t>(film.rounds.size() + 1);
  const std::vector<draw::Rule> rules = draw::rules_of(film);
  draw::Reel reel(film);
  nlohmann::json rounds = nlohmann::json::array();
  for (std::size_t i = 0; i < film.rounds.size(); ++i) {
    nlohmann::json messages = nlohmann::json::array();
    for (const Film::Message& message : film.rounds[i].messages)
      messages.push_back(message_json(film, message));
    nlohmann::json& round = rounds.emplace_back(nlohmann::json{{"round", film.rounds[i].number},
                                                               {"rule", draw::to_text(rules[i])},
                                                               {"messages", messages}});
    if (!film.wrong(i) && (all_cells || i + 1 == film.rounds.size()))
      round["cells"] = cells_json(film, reel[i + 1]);
  }
  return {{"operation", schedule::to_text(film.operation)},
          {"ranks", film.p},
          {"parts", film.parts},
          {"start", cells_json(film, film.start)},
          {"rounds", rounds},
          {"fault", fault_json(film)}};
}

}  // namespace tutti::tools
