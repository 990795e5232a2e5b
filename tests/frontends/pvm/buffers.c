/* SPDX-License-Identifier: BSD-3-Clause
 * Tests message buffers of PVM: their numbers, packing and unpacking of all types, and formats. */
#include "report.h"

static void buffer_numbers(void) {
  VALUE(pvm_getsbuf());
  VALUE(pvm_getrbuf());
  SHOW(pvm_pkint(&(int){1}, 1, 1));
  SHOW(pvm_upkint(&(int){1}, 1, 1));
  SHOW(pvm_send(pvm_mytid(), 1));
  SHOW(pvm_initsend(7));
  SHOW(pvm_initsend(-1));
}

static void chosen_buffers(void) {
  const int first = pvm_initsend(PvmDataDefault);
  VALUE(first > 0);
  VALUE(pvm_getsbuf() == first);
  const int second = pvm_mkbuf(PvmDataRaw);
  VALUE(second > 0 && second != first);
  VALUE(pvm_getsbuf() == first);
  VALUE(pvm_setsbuf(second) == first);
  VALUE(pvm_getsbuf() == second);
  VALUE(pvm_setsbuf(0) == second);
  VALUE(pvm_getsbuf());
  SHOW(pvm_pkint(&(int){1}, 1, 1));
  SHOW(pvm_setsbuf(first));
  const int third = pvm_initsend(PvmDataInPlace);
  VALUE(third > 0);
  SHOW(pvm_freebuf(second));
  SHOW(pvm_freebuf(second));
  SHOW(pvm_setsbuf(second));
  SHOW(pvm_setrbuf(98765));
  SHOW(pvm_freebuf(98765));
  SHOW(pvm_freebuf(-3));
  SHOW(pvm_freebuf(third));
  VALUE(pvm_getsbuf());
  SHOW(pvm_bufinfo(98765, NULL, NULL, NULL));
}

static struct {
  char bytes[4];
  short shorts[3];
  int ints[6];
  long longs[2];
  unsigned short us;
  unsigned int ui;
  unsigned long ul;
  float floats[4];
  double doubles[4];
} there = {{1, 2, 3, 4}, {-1, 2, -3}, {10, -20, 30, 40, 50, 60}, {1L << 40, -5},        65535,
           4000000000u,  77,          {1.5f, -2.25f, 3, 4},      {1e300, -2e-300, 3, 4}},
  back;

static void pack_all(int encoding) {
  const int stride = encoding == PvmDataInPlace ? 1 : 2;
  SHOW(pvm_pkbyte(there.bytes, 4, 1));
  SHOW(pvm_pkshort(there.shorts, 3, 1));
  SHOW(pvm_pkint(there.ints, 3, stride));
  SHOW(pvm_pkushort(&there.us, 1, 1));
  SHOW(pvm_pkuint(&there.ui, 1, 1));
  SHOW(pvm_pkulong(&there.ul, 1, 1));
  SHOW(pvm_pkfloat(there.floats, 4, 1));
  SHOW(pvm_pkdouble(there.doubles, 2, stride));
  SHOW(pvm_pkcplx(there.floats, 2, 1));
  SHOW(pvm_pkdcplx(there.doubles, 1, 1));
  if (encoding == PvmDataRaw) SHOW(pvm_pklong(there.longs, 2, 1));
  if (encoding != PvmDataInPlace) {
    SHOW(pvm_pkstr((char*)"a text"));
    SHOW(pvm_pkstr((char*)""));
  } else {
    there.ints[2] = 31; /* the data are read when the message is sent */
  }
  SHOW(pvm_pkint(there.ints, 0, 1));
  SHOW(pvm_pkint(there.ints, -1, 1));
}

static void print_back(void) {
  printf("%d %d %d %d | %d %d %d\n", back.bytes[0], back.bytes[1], back.bytes[2], back.bytes[3],
         back.shorts[0], back.shorts[1], back.shorts[2]);
  printf("%d %d %d %d %d | %u %u %lu\n", back.ints[0], back.ints[1], back.ints[2], back.ints[3],
         back.ints[4], back.us, back.ui, back.ul);
  printf("%g %g %g %g | %g %g %g\n", back.floats[0], back.floats[1], back.floats[2], back.floats[3],
         back.doubles[0], back.doubles[1], back.doubles[2]);
}

static void unpack_texts(void) {
  char text[40] = "";
  SHOW(pvm_upkstr(text));
  printf("'%s'\n", text);
  SHOW(pvm_upkstr(text));
  printf("'%s'\n", text);
}

static void unpack_all(int encoding) {
  const int stride = encoding == PvmDataInPlace ? 1 : 2;
  memset(&back, 0, sizeof back);
  SHOW(pvm_upkbyte(back.bytes, 4, 1));
  SHOW(pvm_upkshort(back.shorts, 3, 1));
  SHOW(pvm_upkint(back.ints, 3, stride));
  SHOW(pvm_upkushort(&back.us, 1, 1));
  SHOW(pvm_upkuint(&back.ui, 1, 1));
  SHOW(pvm_upkulong(&back.ul, 1, 1));
  SHOW(pvm_upkfloat(back.floats, 4, 1));
  SHOW(pvm_upkdouble(back.doubles, 2, stride));
  print_back();
  SHOW(pvm_upkcplx(back.floats, 2, 1));
  SHOW(pvm_upkdcplx(back.doubles, 1, 1));
  print_back();
  if (encoding == PvmDataRaw) {
    SHOW(pvm_upklong(back.longs, 2, 1));
    printf("%ld %ld\n", back.longs[0], back.longs[1]);
  }
  if (encoding != PvmDataInPlace) unpack_texts();
  SHOW(pvm_upkint(back.ints, 1, 1));
  SHOW(pvm_upkstr((char[40]){0}));
}

static void round_trip(int encoding) {
  printf("encoding %d\n", encoding);
  pvm_initsend(encoding);
  pack_all(encoding);
  SHOW(pvm_send(pvm_mytid(), 5));
  VALUE(pvm_recv(-1, 5) > 0);
  unpack_all(encoding);
}

static void formats(void) {
  int count = 3, stride = 2, ints[6] = {1, 2, 3, 4, 5, 6}, ints_back[6] = {0};
  double doubles[2] = {0.5, 0.25}, doubles_back[2] = {0};
  int one = 0;
  float f = 0;
  short s = 0;
  char c = 0, text[20] = "";
  SHOW(pvm_packf("%+ %d %*.*d %2lf %f %hd %c %s", PvmDataRaw, 42, count, stride, ints, doubles,
                 1.25, 7, 'x', "word"));
  pvm_send(pvm_mytid(), 1);
  pvm_recv(-1, 1);
  SHOW(pvm_unpackf("%d %*.*d %2lf %f %hd %c %s", &one, count, stride, ints_back, doubles_back, &f,
                   &s, &c, text));
  printf("%d | %d %d %d %d %d | %g %g | %g %d %c %s\n", one, ints_back[0], ints_back[1],
         ints_back[2], ints_back[3], ints_back[4], doubles_back[0], doubles_back[1], f, s, c, text);
  SHOW(pvm_packf("%q"));
}

void buffers(void) {
  buffer_numbers();
  chosen_buffers();
  round_trip(PvmDataDefault);
  round_trip(PvmDataRaw);
  round_trip(PvmDataInPlace);
  formats();
}
