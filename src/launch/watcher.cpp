// SPDX-License-Identifier: BSD-3-Clause
// Asks epoll. The number and the descriptor of a source travel in the word that epoll keeps.
#include "launch/watcher.hpp"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/signals.hpp"

namespace tutti::launch {
namespace {

constexpr std::uint64_t number_mask = 0xffffff;

std::uint64_t pack(const Watcher::Happening& event) {
  return std::uint64_t{static_cast<std::uint8_t>(event.source)} << 56 |
         (static_cast<std::uint64_t>(event.number) & number_mask) << 32 |
         static_cast<std::uint32_t>(event.descriptor);
}

Watcher::Happening unpack(std::uint64_t word) {
  return {static_cast<Watched>(word >> 56), static_cast<int>(word >> 32 & number_mask),
          static_cast<int>(word & 0xffffffff)};
}

}  // namespace

Watcher::Watcher(std::string purpose)
    : purpose_(std::move(purpose)), epoll_(base::raised(::epoll_create1(EPOLL_CLOEXEC))) {
  if (!epoll_.valid()) base::fail_errno(purpose_.c_str());
}

void Watcher::watch_signals() {
  signals_ = take_over_signals();
  watch(signals_.get(), Watched::signals);
}

bool Watcher::add(int descriptor, Watched source, int number, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = pack({source, number, descriptor});
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Watcher::watch(int descriptor, Watched source, int number) {
  if (!add(descriptor, source, number, EPOLLIN)) base::fail_errno("watching a process");
}

void Watcher::watch_room(int descriptor, Watched source) {
  if (!add(descriptor, source, 0, EPOLLOUT)) base::fail_errno("watching a process");
}

bool Watcher::watch_end(const Descriptor& pidfd, int number) {
  return pidfd.valid() && add(pidfd.get(), Watched::process, number, EPOLLIN | EPOLLONESHOT);
}

void Watcher::forget(int descriptor) {
  // Failure is harmless: the descriptor was not watched, and is closed next.
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

void Watcher::drop(Descriptor& descriptor) {
  if (!descriptor.valid()) return;
  forget(descriptor.get());
  descriptor.reset();
}

std::span<const Watcher::Happening> Watcher::next(int milliseconds) {
  std::array<epoll_event, most_events> events;
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), milliseconds);
  if (count < 0 && errno != EINTR) base::fail_errno(purpose_.c_str());
  const auto seen = static_cast<std::size_t>(count < 0 ? 0 : count);
  for (std::size_t i = 0; i < seen; ++i) batch_[i] = unpack(events[i].data.u64);
  return std::span(batch_).first(seen);
}

std::optional<Watcher::Signal> Watcher::next_signal() {
  signalfd_siginfo info{};
  const auto got = base::uninterrupted([&] { return ::read(signals_.get(), &info, sizeof info); });
  if (got > 0) return Signal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
  if (got < 0 && errno != EAGAIN) base::fail_errno("reading the launcher's signals");
  return std::nullopt;
}

}  // namespace tutti::launch
