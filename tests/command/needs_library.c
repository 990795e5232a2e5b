/* SPDX-License-Identifier: BSD-3-Clause */
/* A program without a run path to the library that it needs. test_run.py starts it. */
int needed_value(void);

int main(void) {
  return needed_value();
}
