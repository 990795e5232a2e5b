// SPDX-License-Identifier: BSD-3-Clause
// Asks the rows (servers.hpp).
#include "servers.hpp"

#include "library.hpp"
#include "perform.hpp"
#include "record.hpp"

namespace tutti::mpi {

// A row is looked up once for each class of sizes, by the largest size of the class.
const char* Servers::find(MpiOperation operation, Count bytes, Applier applier, Count about) {
  if (recording) CountedCall::note_size(bytes > 0 ? bytes : about, applier);
  Server& server = known_[static_cast<std::size_t>(kind_of(operation, bytes, applier))];
  if (server == Server::unknown) {
    const ThreadTurn turn(function_of(operation));
    const bool native =
        !job.reproducible &&
        library.mpi_serves(job.flavour, name_of(operation), applier == Applier::mpi ? 1 : 0,
                           members_, bytes == 0 ? 0 : Count{1} << class_of(bytes)) == 1;
    server = native ? Server::mpi : Server::tutti;
  }
  return server == Server::mpi ? by_row : nullptr;
}

}  // namespace tutti::mpi
