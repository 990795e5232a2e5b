/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files in mode 0. Each node writes its own part of one file and reads all.
 */
#include "check.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/estat.h>
#include <sys/uio.h>
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

/* Each node writes two buffers at its place, and reads those of the next node, in each way. */
static void lists(int file) {
  const long me = mynode(), place = me * 16, next = (me + 1) % numnodes() * 16;
  long out[2] = {300 + me, 400 + me}, in[2] = {0, 0};
  struct iovec of_out[2] = {{&out[0], 8}, {&out[1], 8}}, of_in[2] = {{&in[0], 8}, {&in[1], 8}};
  const long right = 300 + next_node();
  eseek(file, place, SEEK_SET);
  cwritev(file, of_out, 2);
  CHECK(writeoff(file, place, &out[0], 8) == 8 && writevoff(file, place, of_out, 2) == 16);
  iowait(iwriteoff(file, place, &out[0], 8));
  iowait(iwritevoff(file, place, of_out, 2));
  eseek(file, place, SEEK_SET);
  iowait(iwritev(file, of_out, 2));
  CHECK(eseek(file, 0, SEEK_CUR) == place + 16);
  gsync();
  for (int way = 0; way < 6; way++) {
    in[0] = in[1] = 0;
    eseek(file, next, SEEK_SET);
    if (way == 0) CHECK(_creadv(file, of_in, 2) == 16);
    if (way == 1) iowait(ireadv(file, of_in, 2));
    if (way == 2) CHECK(readoff(file, next, in, 16) == 16);
    if (way == 3) CHECK(readvoff(file, next, of_in, 2) == 16);
    if (way == 4) iowait(ireadoff(file, next, in, 16));
    if (way == 5) iowait(ireadvoff(file, next, of_in, 2));
    CHECK(in[0] == right && in[1] == right + 100);
    CHECK(eseek(file, 0, SEEK_CUR) == (way < 2 ? next + 16 : next));
  }
  CHECK(_readoff(file, numnodes() * 16 - 8, in, 16) == 8);
  CHECK((errno = 0, _creadv(file, NULL, 2) == -1) && errno == EFAULT);
  CHECK((errno = 0, _readvoff(file, 0, of_in, -1) == -1) && errno == EINVAL);
  gsync();
}

static void what_is_known(int file) {
  struct estat state, same;
  CHECK(estat(path, &state) == 0 && festat(file, &same) == 0 && state.st_ino == same.st_ino);
  CHECK(lestat(path, &same) == 0 && same.st_size == state.st_size && state.st_mtime > 0);
  CHECK((errno = 0, _estat("/tmp/not/there", &state) == -1) && errno == ENOENT);
  CHECK((errno = 0, _festat(-1, &state) == -1) && errno == EBADF);
  CHECK((errno = 0, _statpfs(path, NULL, NULL, 0) == -1) && errno == ENOSYS);
  CHECK((errno = 0, _fstatpfs(file, NULL, NULL, 0) == -1) && errno == ENOSYS);
  CHECK((errno = 0, _getpfsinfo(NULL) == -1) && errno == ENOSYS);
  CHECK(restrictvol(file, 0, NULL) == 0 && _restrictvol(-1, 0, NULL) == -1);
}

static void numbers(void) {
  const esize_t large = 5L << 40;
  char text[24];
  CHECK(eadd(large, 7) == large + 7 && eadd1(large, -7) == large - 7);
  CHECK(esub(7, large) == 7 - large && esub1(large, 1) == large - 1 && emul(large, 3) == 3 * large);
  CHECK(ediv(large + 5, 1 << 20) == 5 << 20 && emod(large + 5, 1 << 20) == 5);
  CHECK(ecmp(large, 1) == 1 && ecmp(1, large) == -1 && ecmp(large, large) == 0);
  etos(-large, text);
  CHECK(strcmp(text, "-5497558138880") == 0 && stoe(text) == -large);
  etos(LONG_MIN, text);
  CHECK(strlen(text) == 20 && stoe(text) == LONG_MIN && ediv(LONG_MIN, 1) == LONG_MIN);
  CHECK((errno = 0, _eadd(LONG_MAX, 1) == -1) && errno == ERANGE);
  CHECK((errno = 0, _emul(LONG_MAX, 2) == -1) && errno == ERANGE);
  CHECK((errno = 0, _ediv(LONG_MIN, -1) == -1) && errno == ERANGE && emod(LONG_MIN, -1) == 0);
  CHECK((errno = 0, _ediv(1, 0) == -1) && errno == EINVAL);
  CHECK((errno = 0, _stoe("12x") == -1) && errno == EINVAL);
}

static void lengths(int file) {
  const long length = numnodes() * 16;
  CHECK(lsize(file, 5, SIZE_SET) == length && esize(file, 5, SIZE_SET) == length);
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
  lists(file);
  lengths(file);
  what_is_known(file);
  numbers();
  mistakes(file);
  failures_of_one();
  exclusive();
  close(file);
  if (mynode() == 0) unlink(path);
}
