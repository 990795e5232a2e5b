// SPDX-License-Identifier: BSD-3-Clause
// Reading of the ticket, "segment=5,judge=6,before=0,rank=2". It is written by process.cpp between
// fork and exec.
#include "launch/ticket.hpp"

#include <charconv>

#include "base/environment.hpp"
#include "base/error.hpp"

namespace tutti::launch {
namespace {

// Takes "name=number" off the front of `text`; -1 when something else is there.
int take(std::string_view& text, std::string_view name) {
  if (!text.starts_with(name)) return -1;
  text.remove_prefix(name.size());
  int value = -1;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || value < 0) return -1;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

}  // namespace

const char* ticket_variable() {
  return base::name_of(base::Variable::job);
}

std::optional<JobTicket> JobTicket::parse(std::string_view text) {
  JobTicket ticket;
  ticket.segment = take(text, "segment=");
  ticket.judge = take(text, ",judge=");
  const int before = take(text, ",before=");
  ticket.rank = take(text, ",rank=");
  ticket.launched_before = before == 1;
  if (ticket.segment < 0 || ticket.judge < 0 || ticket.rank < 0 || before < 0 || !text.empty())
    return std::nullopt;
  return ticket;
}

std::optional<JobTicket> JobTicket::from_environment() {
  const auto text = base::text(base::Variable::job);
  if (!text) return std::nullopt;
  if (auto ticket = parse(*text)) return ticket;
  base::fail(base::Status::bad_environment,
             "environment variable {} is '{}'; it is set by tutti run, not by users",
             ticket_variable(), *text);
}

}  // namespace tutti::launch
