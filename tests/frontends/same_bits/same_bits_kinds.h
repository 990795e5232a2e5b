// SPDX-License-Identifier: BSD-3-Clause
// The operators that same_bits.h names.
#pragma once

#include "same_bits.h"

// The larger number; a NaN wins, and of two NaN the left one.
static void nan_max(double* into, const double* left, const double* right, int count) {
  for (int i = 0; i < count; ++i)
    into[i] = left[i] >= right[i] || left[i] != left[i] ? left[i] : right[i];
}

// A weight and a mean.
static void means(double* into, const double* left, const double* right, int count) {
  for (int i = 0; i < 2 * count; i += 2) {
    const double weight = left[i] + right[i];
    const double mean = left[i + 1] + (right[i + 1] - left[i + 1]) * (right[i] / weight);
    into[i] = weight;
    into[i + 1] = mean;
  }
}

// A weight, a mean and a sum of squares, merged as by Chan, Golub and LeVeque.
static void moments(double* into, const double* left, const double* right, int count) {
  for (int i = 0; i < 3 * count; i += 3) {
    const double weight = left[i] + right[i], step = right[i + 1] - left[i + 1];
    const double mean = left[i + 1] + step * (right[i] / weight);
    const double squares = left[i + 2] + right[i + 2] + step * step * (left[i] * right[i] / weight);
    into[i] = weight;
    into[i + 1] = mean;
    into[i + 2] = squares;
  }
}

// The function a t + b behind another one.
static void affine(double* into, const double* left, const double* right, int count) {
  for (int i = 0; i < 2 * count; i += 2) {
    const double a = left[i] * right[i], b = left[i] * right[i + 1] + left[i + 1];
    into[i] = a;
    into[i + 1] = b;
  }
}

static void quaternions(double* into, const double* left, const double* right, int count) {
  for (int i = 0; i < 4 * count; i += 4) {
    const double a = left[i], b = left[i + 1], c = left[i + 2], d = left[i + 3];
    const double e = right[i], f = right[i + 1], g = right[i + 2], h = right[i + 3];
    into[i] = a * e - b * f - c * g - d * h;
    into[i + 1] = a * f + b * e + c * h - d * g;
    into[i + 2] = a * g - b * h + c * e + d * f;
    into[i + 3] = a * h + b * g - c * f + d * e;
  }
}

const struct kind own_kinds[OWN_KINDS] = {
    [NAN_MAX] = {"maxima with NaN", 1, 0, nan_max},
    [MEANS] = {"means", 2, 0, means},
    [MOMENTS] = {"moments", 3, 0, moments},
    [AFFINE] = {"functions a t + b", 2, 1, affine},
    [QUATERNIONS] = {"quaternions", 4, 1, quaternions},
    [SUM] = {"numbers by sum", 1, 0, NULL},
    [MAX] = {"numbers by max", 1, 0, NULL},
};
