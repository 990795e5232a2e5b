// SPDX-License-Identifier: BSD-3-Clause
// Reads or asks for the job descriptor, such as "segment=5,supervisor=6,before=0,rank=2".
// process.cpp writes it between fork and exec.
#include "launch/job_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "launch/rendezvous.hpp"

namespace tutti::launch {
namespace {

// Takes "name=number" off the front of `text`; returns -1 if something else is there.
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

const char* job_variable() {
  return base::name_of(base::Variable::job);
}

std::optional<JobDescriptor> JobDescriptor::parse(std::string_view text) {
  JobDescriptor found;
  found.segment = take(text, "segment=");
  found.supervisor = take(text, ",supervisor=");
  const int before = take(text, ",before=");
  found.rank = take(text, ",rank=");
  found.launched_before = before == 1;
  if (found.segment < 0 || found.supervisor < 0 || found.rank < 0 || before < 0 || !text.empty())
    return std::nullopt;
  return found;
}

std::optional<JobDescriptor> JobDescriptor::from_environment() {
  const auto text = base::text(base::Variable::job);
  if (!text) return std::nullopt;
  if (auto found = parse(*text)) return found;
  base::fail(base::Status::bad_environment,
             "environment variable {} is '{}'; it is set by tutti run, not by users",
             job_variable(), *text);
}

std::optional<JobDescriptor> JobDescriptor::request(std::string_view job_socket,
                                                    std::string_view program) {
  Descriptor socket = Rendezvous::connect(job_socket, UnsafeFolder::has_nobody);
  if (!socket.valid()) return std::nullopt;
  if (!send_message(socket.get(), {ControlKind::request_to_join, -1}, -1, program)) {
    const bool has_ended = errno == EPIPE || errno == ECONNRESET;
    if (!has_ended) base::fail_errno(fmt::format("asking the machine '{}'", job_socket));
    return std::nullopt;
  }
  auto answer = receive_message(socket.get());
  if (!answer) return std::nullopt;
  if (answer->message.kind != ControlKind::welcome || !answer->passed.valid()) {
    base::fail(base::Status::no_slot, "the machine '{}' takes no more processes: {}", job_socket,
               answer->payload);
  }
  return JobDescriptor{answer->passed.release(), socket.release(), answer->message.rank};
}

void JobDescriptor::require_inherited() const {
  int type = 0;
  socklen_t size = sizeof type;
  const bool answers = ::getsockopt(supervisor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
                       ::fcntl(segment, F_SETFD, FD_CLOEXEC) == 0 &&
                       ::fcntl(supervisor, F_SETFD, FD_CLOEXEC) == 0;
  if (answers && type == SOCK_SEQPACKET) return;
  if (!answers && errno != EBADF && errno != ENOTSOCK)
    base::fail_errno(fmt::format("rank {} cannot reach its job", rank));
  base::fail(base::Status::bad_environment,
             "rank {} cannot reach its job: descriptors {} and {} were closed on the way from "
             "tutti run to this program",
             rank, segment, supervisor);
}

}  // namespace tutti::launch
