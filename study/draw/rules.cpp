// SPDX-License-Identifier: BSD-3-Clause
// Finds rules by trying each on all messages of a round.
#include "draw/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tutti::draw {
namespace {

using Kind = Rule::Kind;

// Returns the value of f if it is the same for all messages and there are `count` of them, else -1.
template <class F>
int common(const std::vector<Film::Message>& messages, int count, F f) {
  if (messages.empty() || static_cast<int>(messages.size()) != count) return -1;
  const int value = f(messages.front());
  const bool same =
      std::all_of(messages.begin(), messages.end(), [&](auto& m) { return f(m) == value; });
  return same ? value : -1;
}

struct Found {
  int shift, exchange, step, to, from;
  bool all;
};

// Returns true if ranks 0, 1, 2 and so on send one message each, the last of them to rank p - 1.
bool from_zero(const std::vector<Film::Message>& messages, int p) {
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (messages[i].from != static_cast<int>(i)) return false;
  return !messages.empty() && messages.back().to == p - 1;
}

Found found_in(const std::vector<Film::Message>& messages, int p) {
  bool pairs = p > 2 && static_cast<int>(messages.size()) == p * (p - 1);
  for (std::size_t i = 1; pairs && i < messages.size(); ++i) pairs = messages[i - 1] < messages[i];
  const int others = p > 2 ? p - 1 : -1;
  return {common(messages, p, [&](auto& m) { return schedule::mod(m.to - m.from, p); }),
          common(messages, p, [](auto& m) { return m.from ^ m.to; }),
          from_zero(messages, p) ? common(messages, static_cast<int>(messages.size()),
                                          [](auto& m) { return m.to - m.from; })
                                 : -1,
          common(messages, others, [](auto& m) { return m.to; }),
          common(messages, others, [](auto& m) { return m.from; }),
          pairs};
}

std::vector<std::tuple<int, int, std::size_t>> signature(const Film::Round& round) {
  std::vector<std::tuple<int, int, std::size_t>> all;
  for (const Film::Message& m : round.messages)
    all.emplace_back(2 * m.from + (m.adds ? 1 : 0), m.to, m.items.size());
  return all;
}

}  // namespace

std::vector<Rule> rules_of(const Film& film) {
  std::vector<Found> all;
  int up = 0, down = 0;
  bool exchanges = false, steps = film.p > 2;
  for (const Film::Round& round : film.rounds) {
    const Found& found = all.emplace_back(found_in(round.messages, film.p));
    if (found.shift >= 0) up += found.shift, down += film.p - found.shift;
    steps = steps && (found.step > 0 || round.messages.empty());
    exchanges = exchanges || (found.exchange >= 0 && found.shift < 0);
  }
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Found& found = all[i];
    if (film.rounds[i].messages.empty()) {
      rules.push_back({Kind::local});
    } else if (steps) {
      rules.push_back({Kind::step, found.step});
    } else if (found.exchange >= 0 && (exchanges || found.shift < 0)) {
      rules.push_back({Kind::exchange, found.exchange});
    } else if (found.shift >= 0) {
      rules.push_back({Kind::shift, up <= down ? found.shift : found.shift - film.p});
    } else if (found.to >= 0) {
      rules.push_back({Kind::to_one, found.to});
    } else if (found.from >= 0) {
      rules.push_back({Kind::from_one, found.from});
    } else {
      rules.push_back({found.all ? Kind::all : Kind::none});
    }
  }
  return rules;
}

std::string to_text(const Rule& rule) {
  switch (rule.kind) {
    case Kind::local:
      return "no messages";
    case Kind::step:
    case Kind::shift:
      return fmt::format("r → r {} {}", rule.k < 0 ? "−" : "+", std::abs(rule.k));
    case Kind::exchange:
      return fmt::format("r ↔ r xor {}", rule.k);
    case Kind::all:
      return "r → all others";
    case Kind::to_one:
      return fmt::format("r → {}", rule.k);
    case Kind::from_one:
      return fmt::format("{} → all others", rule.k);
    case Kind::none:
      break;
  }
  return "";
}

Adds adds(const Film::Round& round) {
  const auto number = std::count_if(round.messages.begin(), round.messages.end(),
                                    [](const Film::Message& m) { return m.adds; });
  if (number == 0) return Adds::nobody;
  return number == static_cast<std::ptrdiff_t>(round.messages.size()) ? Adds::all : Adds::some;
}

std::vector<Scene> scenes_of(const Film& film, std::size_t most) {
  std::vector<Scene> scenes;
  const int rounds = static_cast<int>(film.rounds.size());
  for (int first = 0; first < rounds;) {
    const auto shape = signature(film.rounds[at(first)]);
    int end = first + 1;
    while (end < rounds && signature(film.rounds[at(end)]) == shape) ++end;
    for (int i = first; i < end; ++i) {
      const bool gap = most > 0 && end - first > 4 && i == first + 2;
      const int skipped = gap ? end - first - 3 : 0;
      i += gap ? skipped - 1 : 0;
      scenes.push_back({i, skipped, gap});
    }
    first = end;
  }
  if (most == 0 || scenes.size() <= most) return scenes;
  const auto cut = scenes.begin() + static_cast<std::ptrdiff_t>(most) - 2;
  const int shown = cut == scenes.begin() ? -1 : std::prev(cut)->round;
  const int last = (scenes.end() - 2)->round;
  scenes.erase(cut, scenes.end() - 1);
  scenes.insert(scenes.end() - 1, {.round = last, .skipped = last - shown});
  return scenes;
}

std::vector<std::size_t> bands_of(const std::vector<double>& widths, double first, double most,
                                  std::size_t turn) {
  const auto filled = [&](std::size_t cut) {
    std::vector<std::size_t> bands{0};
    double x = first;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > bands.back() && (x + widths[i] > most || i == cut)) {
        bands.push_back(i);
        x = first;
      }
      x += widths[i];
    }
    return bands;
  };
  const std::vector<std::size_t> free = filled(0), turned = filled(turn);
  return turned.size() > free.size() ? free : turned;
}

std::size_t turn_of(const Film& film, const std::vector<Scene>& scenes) {
  const auto kind = [&](const Scene& scene) { return adds(film.rounds[at(scene.round)]); };
  for (std::size_t i = 1; i < scenes.size(); ++i)
    if (kind(scenes[i]) != kind(scenes[i - 1])) return i;
  return 0;
}

}  // namespace tutti::draw
