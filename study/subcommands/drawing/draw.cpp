// SPDX-License-Identifier: BSD-3-Clause
// `tutti draw` draws what ranks hold after each round of a schedule, or its messages on the links
// of a machine, as a chart or step by step.
#include <fmt/format.h>
#include <langinfo.h>
#include <locale.h>

#include <memory>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "drawing/options.hpp"
#include "messages.hpp"
#include "support/picture.hpp"
#include "support/reporting.hpp"
#include "support/terminal.hpp"
#include "verbs.hpp"

namespace tutti::tools {

draw::TextForm text_form(const DrawOptions& options) {
  draw::TextForm form;
  const std::optional<std::size_t> width = terminal_width();
  form.width = width.value_or(form.width);
  const locale_t user = newlocale(LC_CTYPE_MASK, "", nullptr);
  const bool utf8 = user != nullptr && std::string_view(nl_langinfo_l(CODESET, user)) == "UTF-8";
  if (user != nullptr) freelocale(user);
  form.ascii = options.ascii || !utf8;
  form.all = options.all;
  form.colour = width && base::wants_colour();
  return form;
}

int ranks_on(const CallOptions& call, int nodes, int most) {
  const int p = ranks_of(call, most_ranks_drawn).value_or(nodes);
  if (p > nodes)
    base::fail(base::Status::invalid_argument, "{} ranks do not fit on {} nodes", p, nodes);
  if (p > most)
    base::fail(base::Status::invalid_argument, "{} ranks are too many to draw so; at most {}", p,
               most);
  return p;
}

bool takes_output(const DrawOptions& options) {
  return options.svg == standard_output || options.html == standard_output;
}

bool say_what_was_written(const DrawOptions& options) {
  for (const std::string& file : {options.svg, options.html})
    if (!file.empty()) fmt::print("wrote {}\n", file);
  return !options.svg.empty() || !options.html.empty();
}

namespace {

// Returns true if a film is drawn: where no network is given. JSON of more ranks than a film shows
// has the messages only.
bool filmed(const DrawOptions& options) {
  const CallOptions& call = options.call;
  if (!options.as.empty()) return options.as == "film";
  if (!message_file(call).empty() || !options.steps.empty()) return false;
  if (!call.topology.empty() || (!call.machine.empty() && network_of(call) != nullptr))
    return false;
  return !call.json || ranks_of(call, most_ranks_drawn).value_or(0) <= most_ranks_of_film;
}

int draw(DrawOptions options) {
  return reporting_errors("draw", [&] {
    require_one_output(options.call.json, {{"--svg", options.svg}, {"--html", options.html}});
    if (filmed(options)) return draw_film(options);
    if (message_file(options.call).empty()) take_file(options.call);
    return draw_links(options);
  });
}

}  // namespace

void add_draw(CLI::App& verb, int& code) {
  auto options = std::make_shared<DrawOptions>();
  add_call_options(verb, options->call,
                   {.ranks = "; default one per node",
                    .bytes = "; default 1K",
                    .algorithm = "; default the one that would run",
                    .machine = "",
                    .topology = "; default the machine's, else a line of the ranks"});
  add_old_settings(verb, options->call);
  verb.add_option(
          "--as", options->as,
          "film (default without a network), needs, chart (default of alltoall), or rounds; "
          "needs is the chart of what the operation must send")
      ->check(CLI::IsMember({"film", "needs", "chart", "rounds"}));
  verb.add_option("--steps", options->steps,
                  "rounds, or granted: paths are taken where free, lowest rank first")
      ->check(CLI::IsMember({"rounds", "granted"}));
  verb.add_option("--svg", options->svg,
                  "as SVG into this file instead of text; - is the standard output, which gets "
                  "nothing else")
      ->type_name("FILE");
  verb.add_option("--html", options->html,
                  "as a page that plays the rounds of a film; - is the standard "
                  "output, which gets nothing else")
      ->type_name("FILE");
  verb.add_flag("--all", options->all,
                "draw all rounds of a film, and an SVG of any width and height");
  verb.add_flag("--ascii", options->ascii, "text in ASCII, as where the locale is not UTF-8");
  verb.add_flag("--force", options->force, "write a picture or JSON of any size");
  verb.callback([options, &code] { code = draw(*options); });
}

}  // namespace tutti::tools
