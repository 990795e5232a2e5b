// SPDX-License-Identifier: BSD-3-Clause
// The machine with the higher number of two connects. It tries all addresses of the other one
// in turn. Both sides show the secret of the job, because an address may lead to a stranger: many
// machines have the same address on a bridge of their own.
#include "launch/host_lines.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tutti::launch {
namespace {

constexpr std::size_t most_callers = 64;
constexpr std::chrono::seconds greeting_time{5};  // for a connection and its greeting
constexpr int questions_in_limit = 4, most_questions = 127;

void set(const Descriptor& socket, int level, int option, int value) {
  // Failure is harmless: the lines go on. Without keepalive no answer is seen, and the machine
  // counts as silent only after it was not.
  static_cast<void>(::setsockopt(socket.get(), level, option, &value, sizeof value));
}

// Lets the kernel ask the other one for a sign of life, again and again.
void keep_asking(const Descriptor& socket, int interval) {
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, interval);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, most_questions);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
}

// Returns true if the connection has ended, or brings what no monitor sends.
bool is_over(const Descriptor& socket) {
  char byte = 0;
  const auto got = ::recv(socket.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got >= 0 || (errno != EAGAIN && errno != EINTR);
}

}  // namespace

HostLines::HostLines(const Neighbours& neighbours, const Silence& silence)
    : neighbours_(&neighbours),
      limit_(silence.limit),
      seconds_between_questions_(static_cast<int>(
          std::clamp<std::int64_t>(limit_.count() / 1000 / questions_in_limit, 1, 3600))),
      connect_until_(Clock::now() + silence.connect),
      listener_(neighbours.listener),
      lines_(neighbours.others.size()) {
  // A question that has just been asked is not unanswered yet.
  limit_ = std::max<std::chrono::milliseconds>(
      limit_, std::chrono::seconds(3 * seconds_between_questions_ + 1));
  if (lines_.size() < silence.most_hosts) return;
  for (Line& line : lines_) line.state = State::over;
  listener_.reset();
}

HostLines::Greeting HostLines::greeting_to(int machine) const {
  return {{neighbours_->secret[0], neighbours_->secret[1]}, neighbours_->own, machine};
}

bool HostLines::is_ours(const Greeting& greeting) const {
  return (neighbours_->secret[0] | neighbours_->secret[1]) != 0 &&
         greeting.secret[0] == neighbours_->secret[0] &&
         greeting.secret[1] == neighbours_->secret[1] && greeting.to == neighbours_->own;
}

void HostLines::work() {
  if (listener_.valid()) accept_callers();
  hear_callers();
  for (std::size_t i = 0; i < lines_.size(); ++i) go_on(i);
}

void HostLines::accept_callers() {
  while (callers_.size() < most_callers) {
    Descriptor socket(
        base::raised(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)));
    if (!socket.valid()) return;
    callers_.push_back({std::move(socket), Clock::now()});
  }
}

void HostLines::hear_callers() {
  std::erase_if(callers_, [this](Caller& caller) {
    return greeted(caller) || Clock::now() > caller.since + greeting_time;
  });
}

// Returns true if the caller has greeted or has hung up.
bool HostLines::greeted(Caller& caller) {
  Greeting greeting{};
  const auto got = ::recv(caller.socket.get(), &greeting, sizeof greeting, MSG_PEEK | MSG_DONTWAIT);
  if (got < 0) return errno != EAGAIN && errno != EINTR;
  if (got < static_cast<ssize_t>(sizeof greeting)) return got == 0;
  const auto& others = neighbours_->others;
  const auto from = std::ranges::find(others, greeting.from, &OtherMachine::number);
  if (!is_ours(greeting) || from == others.end()) return true;
  const Greeting answer = greeting_to(greeting.from);
  const bool said = ::recv(caller.socket.get(), &greeting, sizeof greeting, MSG_DONTWAIT) == got &&
                    ::send(caller.socket.get(), &answer, sizeof answer,
                           MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(sizeof answer);
  if (said) take(static_cast<std::size_t>(from - others.begin()), std::move(caller.socket));
  return true;
}

void HostLines::take(std::size_t other, Descriptor socket) {
  keep_asking(socket, seconds_between_questions_);
  lines_[other] = {State::up, std::move(socket), 0, Clock::now()};
}

void HostLines::connect(std::size_t other) {
  const OtherMachine& machine = neighbours_->others[other];
  Line& line = lines_[other];
  if (machine.number > neighbours_->own) return;  // it calls
  if (machine.port == 0 || machine.addresses.empty() || Clock::now() > connect_until_) {
    line.state = State::over;
    return;
  }
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(machine.port);
  to.sin_addr.s_addr = machine.addresses[line.address++ % machine.addresses.size()];
  line.since = Clock::now();
  line.socket =
      Descriptor(base::raised(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  const int done =
      !line.socket.valid()
          ? -1
          : ::connect(line.socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
  if (done == 0 || (line.socket.valid() && errno == EINPROGRESS)) line.state = State::connecting;
}

void HostLines::give_up_connection(Line& line) {
  line.socket.reset();
  line.state = State::idle;
}

void HostLines::go_on(std::size_t other) {
  Line& line = lines_[other];
  if (line.state == State::over) return;
  if (line.state == State::idle) return connect(other);
  if (line.state == State::up) {
    if (is_over(line.socket)) line = {State::over, {}, 0, {}};
    return;
  }
  if (Clock::now() > line.since + greeting_time) return give_up_connection(line);
  const int machine = neighbours_->others[other].number;
  if (line.state == State::connecting) {
    pollfd ready{line.socket.get(), POLLOUT, 0};
    if (::poll(&ready, 1, 0) <= 0) return;
    const Greeting greeting = greeting_to(machine);
    if (::send(line.socket.get(), &greeting, sizeof greeting, MSG_NOSIGNAL | MSG_DONTWAIT) !=
        static_cast<ssize_t>(sizeof greeting))
      return give_up_connection(line);
    line.state = State::greeting;
  }
  Greeting answer{};
  const auto got = ::recv(line.socket.get(), &answer, sizeof answer, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got != static_cast<ssize_t>(sizeof answer) || !is_ours(answer) || answer.from != machine)
    return give_up_connection(line);
  take(other, std::move(line.socket));
}

LifeSign HostLines::ask(std::size_t other) const {
  const Line& line = lines_[other];
  if (line.state != State::up) return {};
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(line.socket.get(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  const std::chrono::milliseconds ago(info.tcpi_last_ack_recv);
  return {ago >= limit_ ? Life::silent : Life::answers, ago};
}

}  // namespace tutti::launch
