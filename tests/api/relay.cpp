// SPDX-License-Identifier: BSD-3-Clause
// A network of pretended hosts with a delay and a rate. Each host has an interface (a TAP device of
// Linux). A frame that a host sends through its interface comes out at another one later by the
// delay, and no quicker than the rate allows. The script moves the interfaces into the hosts.
// Usage: relay MICROSECONDS MEGABITS-PER-SECOND NAME...; 0 is no delay, or no limit. It prints
// "ready" and runs until its standard input ends.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Address = std::array<unsigned char, 6>;

constexpr std::size_t longest_frame = 70'000;
constexpr std::size_t most_queued =
    std::size_t{32} << 20;  // bytes on the way from one port; TCP sends again what is lost

struct Frame {
  Clock::time_point due;
  std::vector<unsigned char> bytes;
};

struct Port {
  int file = -1;
  Clock::time_point free{};  // when its way out can take the next frame
  std::size_t queued = 0;
  std::deque<Frame> frames{};  // in the order in which they are due
};

int interface_named(const std::string& name) {
  const int file = ::open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  std::snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name.c_str());
  if (file < 0 || ::ioctl(file, TUNSETIFF, &request) != 0) {
    std::perror(("interface " + name).c_str());
    std::exit(1);
  }
  return file;
}

class Relay {
 public:
  Relay(double delay_us, double megabits)
      : delay_(to_time(delay_us)), us_per_byte_(megabits > 0 ? 8 / megabits : 0) {}

  void add(const std::string& name) { ports_.push_back({interface_named(name)}); }

  // Relays frames until standard input ends.
  void run() {
    std::vector<pollfd> waiting{{STDIN_FILENO, POLLIN, 0}};
    for (const Port& port : ports_) waiting.push_back({port.file, POLLIN, 0});
    for (;;) {
      const timespec timeout = until_next();
      ::ppoll(waiting.data(), waiting.size(), &timeout, nullptr);
      if (waiting[0].revents != 0) return;
      for (std::size_t i = 0; i < ports_.size(); ++i) {
        if (waiting[i + 1].revents != 0) take(i);
      }
      deliver();
    }
  }

 private:
  static Clock::duration to_time(double us) {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double, std::micro>(us));
  }

  [[nodiscard]] timespec until_next() const {
    auto wait = Clock::duration(std::chrono::seconds(1));
    const auto now = Clock::now();
    for (const Port& port : ports_) {
      if (!port.frames.empty())
        wait = std::min(wait, std::max(port.frames.front().due - now, Clock::duration::zero()));
    }
    return {wait.count() / 1'000'000'000, wait.count() % 1'000'000'000};
  }

  void take(std::size_t from) {
    Port& port = ports_[from];
    for (int i = 0; i < 64; ++i) {
      const ssize_t length = ::read(port.file, buffer_.data(), buffer_.size());
      if (length < 14) return;
      const auto bytes = static_cast<std::size_t>(length);
      Address sender;
      std::memcpy(sender.data(), &buffer_[6], sender.size());
      places_[sender] = from;
      if (port.queued + bytes > most_queued) continue;
      port.free =
          std::max(port.free, Clock::now()) + to_time(us_per_byte_ * static_cast<double>(bytes));
      port.queued += bytes;
      port.frames.push_back({port.free + delay_, {buffer_.begin(), buffer_.begin() + length}});
    }
  }

  void deliver() {
    const auto now = Clock::now();
    for (std::size_t from = 0; from < ports_.size(); ++from) {
      Port& port = ports_[from];
      while (!port.frames.empty() && port.frames.front().due <= now) {
        pass_on(from, port.frames.front().bytes);
        port.queued -= port.frames.front().bytes.size();
        port.frames.pop_front();
      }
    }
  }

  // A frame goes to all other hosts as long as the receiver's interface is not known.
  void pass_on(std::size_t from, const std::vector<unsigned char>& frame) {
    Address receiver;
    std::memcpy(receiver.data(), frame.data(), receiver.size());
    const auto place = places_.find(receiver);
    for (std::size_t to = 0; to < ports_.size(); ++to) {
      if (to == from || (place != places_.end() && place->second != to)) continue;
      if (::write(ports_[to].file, frame.data(), frame.size()) < 0)
        continue;  // the interface is down: lost, as on a wire
    }
  }

  Clock::duration delay_;
  double us_per_byte_;
  std::vector<Port> ports_;
  std::map<Address, std::size_t> places_;
  std::vector<unsigned char> buffer_ = std::vector<unsigned char>(longest_frame);
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: relay MICROSECONDS MEGABITS-PER-SECOND NAME NAME...\n");
    return 2;
  }
  const sched_param first{1};  // a wire does not wait for a processor
  ::sched_setscheduler(0, SCHED_FIFO, &first);
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  ::prctl(PR_SET_PDEATHSIG, 15UL, 0UL, 0UL, 0UL);
  Relay relay(std::atof(argv[1]), std::atof(argv[2]));
  for (int i = 3; i < argc; ++i) relay.add(argv[i]);
  std::puts("ready");
  std::fflush(stdout);
  relay.run();
  return 0;
}
