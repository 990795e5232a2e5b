// SPDX-License-Identifier: BSD-3-Clause
// Keeps the open requests of each rank in a list (open_requests.hpp).
#include "simulate/open_requests.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tutti::simulate {

void OpenRequests::open(int node, const Open& request) {
  if (find(node, request.request) != nullptr)
    base::fail(base::Status::invalid_argument, "rank {} uses request {} twice", node,
               request.request);
  open_[node].push_back(request);
}

const OpenRequests::Open* OpenRequests::find(int node, RequestNumber request) const {
  const auto all = open_.find(node);
  if (all == open_.end()) return nullptr;
  const auto found = std::find_if(all->second.begin(), all->second.end(),
                                  [&](const Open& open) { return open.request == request; });
  return found == all->second.end() ? nullptr : &*found;
}

void OpenRequests::meet(int node, RequestNumber request, int from, int number) {
  for (Open& open : open_.at(node)) {
    if (open.request != request) continue;
    open.from = from;
    open.number = number;
  }
}

void OpenRequests::await(int node, RequestNumber request) {
  for (Open& open : open_.at(node)) open.awaited = open.request == request;
}

const OpenRequests::Open& OpenRequests::awaited(int node) const {
  const std::vector<Open>& all = open_.at(node);
  return *std::find_if(all.begin(), all.end(), [](const Open& open) { return open.awaited; });
}

RequestNumber OpenRequests::receive_of(int node, int from, int number) const {
  const std::vector<Open>& all = open_.at(node);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Open& open) {
    return open.from == from && open.number == number;
  });
  return found->request;
}

void OpenRequests::close(int node, RequestNumber request) {
  std::erase_if(open_.at(node), [&](const Open& open) { return open.request == request; });
}

}  // namespace tutti::simulate
