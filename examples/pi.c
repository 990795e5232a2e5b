// SPDX-License-Identifier: BSD-3-Clause
// Computes pi as the area under 4 / (1 + x^2). Each rank sums every p-th strip, and one reduction
// adds the parts. The program then requests the plan of a named algorithm, prints it and runs it on
// the same data.
#include <stdio.h>
#include <tutti/tutti.h>

static double my_strips(int strips, int rank, int size) {
  double sum = 0;
  for (int i = rank; i < strips; i += size) {
    const double x = (i + 0.5) / strips;
    sum += 4 / (1 + x * x) / strips;
  }
  return sum;
}

static void show(tutti_plan plan, int rank) {
  char text[2000];
  tutti_plan_text(plan, text, sizeof text);
  if (rank == 0) printf("rank 0 runs %s:\n%s\n", tutti_plan_algorithm(plan), text);
}

int main(void) {
  tutti_init();
  const tutti_group world = tutti_world();
  const int rank = tutti_rank(world);
  const double part = my_strips(1000000, rank, tutti_size(world));

  double pi = part;
  tutti_data data = tutti_array(&pi, 1, TUTTI_DOUBLE);
  tutti_allreduce(world, &data, &data, TUTTI_SUM);
  if (rank == 0) printf("pi = %.9f\n", pi);

  double again = part;
  data.address = &again;
  const tutti_plan_request request = {.struct_size = sizeof request,
                                      .operation = TUTTI_OP_ALLREDUCE,
                                      .algorithm = "tree",
                                      .branches = 2};
  const tutti_run run = {
      .struct_size = sizeof run, .input = &data, .output = &data, .op = TUTTI_SUM};
  tutti_plan plan;
  tutti_plan_get(world, &request, &plan);
  show(plan, rank);
  tutti_plan_run(plan, &run);
  tutti_finalize();
  return again - pi < 1e-12 && pi - again < 1e-12 && pi > 3.141592653 && pi < 3.141592654 ? 0 : 1;
}
