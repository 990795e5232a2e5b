// SPDX-License-Identifier: BSD-3-Clause
// Says what a process waits for if joining a job of MPI takes long. MPI itself says nothing while
// other processes do not come. WireJob uses it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tutti::transport::wire {

// Prints `text` once to stderr if the object still exists after that time.
class LateNotice {
 public:
  LateNotice(std::chrono::milliseconds after, std::string text);
  ~LateNotice();
  LateNotice(const LateNotice&) = delete;
  LateNotice& operator=(const LateNotice&) = delete;

 private:
  void watch();

  std::chrono::milliseconds after_;
  std::string text_;
  std::mutex mutex_;
  std::condition_variable over_now_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tutti::transport::wire
