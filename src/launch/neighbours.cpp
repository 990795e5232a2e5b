// SPDX-License-Identifier: BSD-3-Clause
// Finds the addresses of this machine, and writes and reads words.
#include "launch/neighbours.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace tutti::launch {
namespace {

constexpr int waiting_connections = 64;

void list_addresses(ListenPlace& place) {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> all(first, ::freeifaddrs);
  std::size_t count = 0;
  for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
    const bool usable = one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET &&
                        (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (!usable || count == place.addresses.size()) continue;
    place.addresses[count++] = reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr.s_addr;
  }
}

}  // namespace

MonitorListener listen_for_monitors() {
  MonitorListener made{
      Descriptor(base::raised(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))),
      {}};
  // Without a secret nobody is believed to be a monitor of this job.
  if (::getrandom(made.place.secret.data(), sizeof made.place.secret, 0) !=
      static_cast<ssize_t>(sizeof made.place.secret))
    made.place.secret = {};
  if (::gethostname(made.place.name.data(), made.place.name.size() - 1) != 0)
    made.place.name = {'?'};
  std::ranges::replace_if(
      made.place.name, [](char c) { return c == ' ' || c == '\n'; }, '_');
  sockaddr_in any{};
  any.sin_family = AF_INET;
  socklen_t size = sizeof any;
  const bool listens =
      made.socket.valid() &&
      ::bind(made.socket.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0 &&
      ::listen(made.socket.get(), waiting_connections) == 0 &&
      ::getsockname(made.socket.get(), reinterpret_cast<sockaddr*>(&any), &size) == 0;
  if (!listens) {
    made.socket.reset();
    return made;
  }
  made.place.port = ntohs(any.sin_port);
  list_addresses(made.place);
  return made;
}

std::vector<std::string> Neighbours::words() const {
  std::vector<std::string> all{fmt::format("{} {} {} {}", own, listener, secret[0], secret[1])};
  for (const OtherMachine& other : others) {
    all.push_back(fmt::format(
        "{} {} {} {} {} {}", other.number, other.name.empty() ? "?" : other.name, other.port,
        other.addresses.size(), fmt::join(other.addresses, " "), fmt::join(other.ranks, " ")));
  }
  return all;
}

std::optional<Neighbours> Neighbours::of(const std::vector<std::string>& words) {
  Neighbours read;
  if (words.empty()) return std::nullopt;
  std::istringstream head(words.front());
  if (!(head >> read.own >> read.listener >> read.secret[0] >> read.secret[1])) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::istringstream word(words[i]);
    OtherMachine other;
    std::size_t addresses = 0;
    if (!(word >> other.number >> other.name >> other.port >> addresses)) return std::nullopt;
    std::uint32_t address = 0;
    while (other.addresses.size() < addresses && word >> address)
      other.addresses.push_back(address);
    for (int rank = 0; word >> rank;) other.ranks.push_back(rank);
    read.others.push_back(std::move(other));
  }
  return read;
}

}  // namespace tutti::launch
