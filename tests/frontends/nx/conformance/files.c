/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files in mode 0. Each node writes its own part of one file and reads all.
 */
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

static char path[48];

/* All nodes use the file that node 0 has named. */
static void choose_name(void) {
  long number = getpid(), work;
  if (mynode() != 0) number = 0;
  gisum(&number, 1, &work);
  snprintf(path, sizeof path, "/tmp/nx_files_%ld", number);
}

static void write_and_read(int file) {
  const long me = mynode(), p = numnodes();
  long mine[2] = {me, -me}, found[2], end[3] = {0, 0, -5};
  CHECK(iomode(file) == 0 && _iomode(file) == 0);
  setiomode(file, M_UNIX);
  CHECK(eseek(file, me * 16, SEEK_SET) == me * 16);
  cwrite(file, (char*)mine, 8);
  CHECK(_cwrite(file, (char*)&mine[1], 8) == 8);
  gsync();
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  for (long node = 0; node < p; node++) {
    CHECK(iseof(file) == 0);
    cread(file, (char*)found, sizeof found);
    CHECK(found[0] == node && found[1] == -node);
  }
  CHECK(iseof(file) == 1 && _iseof(file) == 1);
  CHECK(eseek(file, -16, SEEK_END) == (p - 1) * 16);
  CHECK(_cread(file, (char*)end, sizeof end) == 16 && end[0] == p - 1 && end[2] == -5);
  CHECK(_cread(file, (char*)end, sizeof end) == 0);
  gsync();
}

static void started(int file) {
  const long me = mynode();
  long out[2] = {100 + me, 200 + me}, in[2] = {0, 0};
  eseek(file, me * 16, SEEK_SET);
  const long put = iwrite(file, (char*)out, sizeof out);
  iowait(put);
  CHECK((errno = 0, _iowait(put) == -1) && errno == EINVAL);
  gsync();
  CHECK(_eseek(file, (me + 1) % numnodes() * 16, SEEK_SET) >= 0);
  const long get = iread(file, (char*)in, sizeof in);
  while (!iodone(get)) continue;
  CHECK(in[0] == 100 + next_node() && in[1] == 200 + next_node());
  CHECK((errno = 0, _iodone(get) == -1) && errno == EINVAL);
  gsync();
}

static void lengths(int file) {
  const long length = numnodes() * 16;
  CHECK(lsize(file, 5, SIZE_SET) == length);
  gsync();
  CHECK(lsize(file, length + 1000, SIZE_SET) == length + 1000);
  CHECK(eseek(file, 0, SEEK_END) == length + 1000);
  gsync();
  CHECK(_lsize(file, 10, SIZE_CUR) >= length + 1010);
  gsync();
  CHECK((errno = 0, _lsize(file, 0, 3) == -1) && errno == EINVAL);
}

static void mistakes(int file) {
  long value = 0;
  for (int mode = M_LOG; mode <= M_ASYNC; mode++)
    CHECK((errno = 0, _setiomode(file, mode) == -1) && errno == ENOSYS);
  CHECK((errno = 0, _setiomode(file, 6) == -1) && errno == EINVAL);
  CHECK((errno = 0, _gopen(path, O_RDWR, M_RECORD, 0) == -1) && errno == ENOSYS);
  CHECK((errno = 0, _gopen("/tmp/not/there", O_RDWR, M_UNIX, 0) == -1) && errno == ENOENT);
  CHECK((errno = 0, _gopen(NULL, O_RDWR, M_UNIX, 0) == -1) && errno == EFAULT);
  CHECK((errno = 0, _cread(-1, &value, 8) == -1) && errno == EBADF);
  CHECK((errno = 0, _cwrite(-1, &value, 8) == -1) && errno == EBADF);
  CHECK((errno = 0, _iread(-1, &value, 8) == -1) && errno == EBADF);
  CHECK((errno = 0, _iwrite(-1, &value, 8) == -1) && errno == EBADF);
  CHECK((errno = 0, _cread(file, &value, -8) == -1) && errno == EINVAL);
  CHECK((errno = 0, _cwrite(file, NULL, 8) == -1) && errno == EFAULT);
  CHECK((errno = 0, _eseek(file, -1, SEEK_SET) == -1) && errno == EINVAL);
  CHECK((errno = 0, _iseof(-1) == -1) && errno == EBADF);
  CHECK((errno = 0, _iomode(-1) == -1) && errno == EBADF);
}

/* A failure of one node is one of all. */
static void failures_of_one(void) {
  const long me = mynode(), last = numnodes() - 1;
  const char* const nowhere = "/tmp/not/there";
  for (long node = 0; node <= last; node += last == 0 ? 1 : last) {
    CHECK((errno = 0, _gopen(me == node ? nowhere : path, O_RDWR, M_UNIX, 0) == -1) &&
          errno == ENOENT);
    CHECK((errno = 0, _gopen(path, O_RDWR, me == node ? M_LOG : M_UNIX, 0) == -1) &&
          errno == ENOSYS);
  }
}

static void exclusive(void) {
  char other[sizeof path + 8];
  snprintf(other, sizeof other, "%s_new", path);
  const int file = gopen(other, O_RDWR | O_CREAT | O_EXCL, M_UNIX, 0600);
  CHECK(file >= 0);
  CHECK((errno = 0, _gopen(other, O_RDWR | O_CREAT | O_EXCL, M_UNIX, 0600) == -1) &&
        errno == EEXIST);
  close(file);
  if (mynode() == 0) unlink(other);
}

void test_files(void) {
  choose_name();
  const int file = gopen(path, O_RDWR | O_CREAT | O_TRUNC, M_UNIX, 0600);
  CHECK(file >= 0);
  write_and_read(file);
  started(file);
  lengths(file);
  mistakes(file);
  failures_of_one();
  exclusive();
  close(file);
  if (mynode() == 0) unlink(path);
}
