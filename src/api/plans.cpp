// SPDX-License-Identifier: BSD-3-Clause
// Implements the plans of the C interface: getting them by name, running and printing them.
#include "api/plans.hpp"

#include <algorithm>
#include <cstddef>

#include "algorithms/registry.hpp"
#include "api/repeat.hpp"
#include "selection/mesh_plan.hpp"

using namespace tutti;
using api::guarded;
using api::state;

namespace {

// tutti_operation and schedule::Operation have equal numbers.
#define TUTTI_OPERATION(name, NUMBER, ...) \
  static_assert(static_cast<int>(schedule::Operation::name) == TUTTI_OP_##NUMBER);
#include "schedule/operations.def"
#undef TUTTI_OPERATION

schedule::Operation operation_of(tutti_operation operation) {
  const auto number = static_cast<int>(operation);
  if (number < 0 || number >= schedule::operation_kinds) {
    base::fail(base::Status::invalid_argument,
               "request.operation is {}, which is no tutti_operation", number);
  }
  return static_cast<schedule::Operation>(number);
}

job::GroupHandles::PlanReference& reference_of(api::ApiState& mine, tutti_plan handle) {
  if (job::GroupHandles::PlanReference* found = mine.job.groups().plan(handle.id)) [[likely]]
    return *found;
  base::fail(base::Status::stale_handle, "argument 'plan' names no plan, or its group was freed");
}

// The fields behind the first version of a structure are there if its size says so.
int rows_of(const tutti_plan_request& request) {
  return request.struct_size == sizeof request ? request.rows : 0;
}
constexpr std::size_t first_run_size = offsetof(tutti_run, counts);
constexpr std::size_t second_run_size = offsetof(tutti_run, give_up);
const std::int64_t* counts_of(const tutti_run& run) {
  return run.struct_size >= second_run_size ? run.counts : nullptr;
}
api::CancelPredicate predicate_of(const tutti_run& run) {
  if (run.struct_size < sizeof run) return {};
  return {run.give_up, run.user};
}

// Returns the rows of the mesh that the ranks form; without a mesh they form one row.
int checked_rows(const engine::Group& group, const tutti_plan_request& request) {
  const int rows = rows_of(request);
  if (rows < 0 || (rows > 0 && group.size() % rows != 0))
    base::fail(base::Status::invalid_argument, "request.rows is {}, which does not divide {} ranks",
               rows, group.size());
  return std::max(rows, 1);
}

// Takes the settings from a name such as "tree:branches=2", or else from the fields.
selection::Settings settings_of(const tutti_plan_request& request, std::string_view in_name,
                                const selection::MeshPlace& place) {
  if (!in_name.empty()) return selection::settings_on_mesh(in_name, place);
  selection::Settings settings;
  settings.branches = request.branches == 0 ? 1 : request.branches;
  settings.rings = request.rings == 0 ? 1 : request.rings;
  settings.segments = request.segments == 0 ? 1 : request.segments;
  if (request.factor_count < 0 || (request.factor_count > 0 && request.factors == nullptr)) {
    base::fail(base::Status::invalid_argument,
               "request.factor_count is {}, or request.factors is NULL", request.factor_count);
  }
  if (request.factor_count > 0)
    settings.factors.assign(request.factors, request.factors + request.factor_count);
  settings.cut = request.cut;
  return settings;
}

engine::Plan& requested(engine::Group& group, const tutti_plan_request& request) {
  const schedule::Operation operation = operation_of(request.operation);
  // The MPI's own collective is not chosen: it does not serve all arguments that a plan may be run
  // with.
  if (request.algorithm == nullptr)
    return group.chosen(operation, {.root = request.root,
                                    .bytes = request.bytes,
                                    .commutative = true,
                                    .native_serves = false});
  const std::string_view name = request.algorithm;
  const schedule::Generator& generator =
      engine::generator_named(operation, algorithms::name_in(name));
  const int rows = checked_rows(group, request);
  const selection::Settings settings =
      settings_of(request, algorithms::settings_in(name), {operation, rows, group.size() / rows});
  const bool open = generator.parameter == schedule::Parameter::factors_and_cut &&
                    settings.factors.empty() && group.size() > 1;
  if (open) return group.fastest(generator, {request.root, request.bytes, rows});
  return group.plan({&generator, request.root, settings});
}

const tutti_data& required(const tutti_data* data, const char* name) {
  if (data == nullptr) base::fail(base::Status::invalid_argument, "run.{} is NULL", name);
  return *data;
}

void check_locatable(const engine::Plan& plan) {
  if (plan.operation() == schedule::Operation::reduce ||
      plan.operation() == schedule::Operation::allreduce)
    return;
  base::fail(base::Status::invalid_argument, "run.locations is for reduce and allreduce only");
}

const tutti_run& checked(const tutti_run* run) {
  if (run == nullptr ||
      (run->struct_size != sizeof(tutti_run) && run->struct_size != second_run_size &&
       run->struct_size != first_run_size)) {
    base::fail(base::Status::invalid_argument,
               "argument 'run' must be given with its struct_size set");
  }
  return *run;
}

engine::CallOperand side_of(const tutti_data* data, const char* name) {
  return data == nullptr ? engine::CallOperand{} : api::operand_of(data, name);
}

// The locations have the shape of the values, with a leading dimension of their own.
engine::Locations locations_of(const engine::Plan& plan, const tutti_run& run) {
  if (run.locations == nullptr || !combines(plan.operation())) return {};
  check_locatable(plan);
  tutti_data shape = required(run.input, "input");
  shape.address = run.locations->rank;
  shape.type = TUTTI_INT32;
  shape.ld = run.locations->ld;
  return {run.locations->rank, api::operand_of(&shape, "run.locations").layout,
          run.locations->distance_root};
}

// The checked arguments of a tutti_run. The object does not move, because its arguments refer to
// its other members. These are made in place: a processor that reads in one access what it has just
// written in two must wait for both writes.
class RunArguments {
 public:
  // Checks the run. Throws Error.
  RunArguments(api::ApiState& mine, const engine::Group& group, const engine::Plan& plan,
               const tutti_run* run);
  RunArguments(const RunArguments&) = delete;
  RunArguments& operator=(const RunArguments&) = delete;

  [[nodiscard]] const engine::Arguments& arguments() const { return arguments_; }

 private:
  [[nodiscard]] bool is_in_place() const { return run_.output == run_.input; }
  void take_operator(api::ApiState& mine);
  void take_counts(const engine::Group& group, schedule::Operation operation);

  const tutti_run& run_;
  engine::CallOperand input_, output_;
  engine::Locations where_;
  api::CancelPredicate predicate_;
  engine::Arguments arguments_;
};

RunArguments::RunArguments(api::ApiState& mine, const engine::Group& group,
                           const engine::Plan& plan, const tutti_run* run)
    : run_(checked(run)),
      input_(side_of(run_.input, "run.input")),
      output_(is_in_place() ? engine::CallOperand{} : side_of(run_.output, "run.output")),
      where_(locations_of(plan, run_)),
      predicate_(predicate_of(run_)) {
  if (run_.input != nullptr) arguments_.input = &input_;
  if (run_.output != nullptr) arguments_.output = is_in_place() ? &input_ : &output_;
  if (combines(plan.operation())) take_operator(mine);
  if (counts_of(run_) != nullptr) take_counts(group, plan.operation());
  arguments_.question = predicate_.question();
  plan.check(arguments_);
  if (mine.explainer != nullptr)
    mine.explainer->explain(mine.job, group, plan, arguments_, api::Way::plan);
}

void RunArguments::take_operator(api::ApiState& mine) {
  const tutti_data& values = required(run_.input, "input");
  if (run_.locations == nullptr) {
    arguments_.op = &mine.op(run_.op, values.type);
    return;
  }
  arguments_.locations = &where_;
  arguments_.op = &mine.located_op(run_.op, values.type);
}

void RunArguments::take_counts(const engine::Group& group, schedule::Operation operation) {
  using enum schedule::Operation;
  const bool by_input = operation == scatter || operation == reduce_scatter;
  if (!by_input && operation != gather && operation != allgather)
    base::fail(base::Status::invalid_argument,
               "run.counts is for gather, scatter, allgather and reduce_scatter only");
  engine::RankCounts& counts = arguments_.counts;
  counts.cut = engine::Cut::by_counts;
  counts.known_everywhere = true;
  (by_input ? counts.input : counts.output) = {counts_of(run_),
                                               static_cast<std::size_t>(group.size())};
}

tutti_request add_request(api::ApiState& mine, tutti_plan handle, const tutti_run* run,
                          api::Requests::Kind kind, const tutti_request* request) {
  if (request == nullptr) base::fail(base::Status::invalid_argument, "argument 'request' is NULL");
  const auto& [group, plan] = reference_of(mine, handle);
  const RunArguments prepared(mine, mine.group({group}), *plan, run);
  if (prepared.arguments().locations != nullptr) {
    base::fail(base::Status::invalid_argument, "run.locations is for tutti_plan_run only");
  }
  if (prepared.arguments().question.possible())
    base::fail(base::Status::invalid_argument, "run.give_up is for tutti_plan_run only");
  return mine.requests.add(mine, {group}, *plan, prepared.arguments(), kind);
}

api::CallOperands operands_of(const tutti_run& run) {
  return {run.input, run.output, run.op};
}

// Returns true if the run can be known again.
bool is_plain(const tutti_run& run) {
  return counts_of(run) == nullptr && run.locations == nullptr && operands_of(run).plain() &&
         run.op.id <= data::builtin_kinds;
}

engine::Signature signature_of(const engine::Plan& plan, const tutti_run& run) {
  engine::Signature known = operands_of(run).signature(run.op.id, plan.request().root);
  known.plan = &plan;
  return known;
}

// Runs the plan if the run repeats one that is remembered. Otherwise returns false.
bool run_repeated(const api::ApiState& mine, engine::Group& group, const engine::Plan& plan,
                  const tutti_run& run) {
  if (!is_plain(run) || mine.watched) return false;
  const api::CancelPredicate predicate = predicate_of(run);
  return group.run_again(plan.operation(), signature_of(plan, run),
                         api::CallOperands::address(run.input),
                         api::CallOperands::address(run.output), nullptr, predicate.question());
}

}  // namespace

engine::Plan& api::plan_of(ApiState& mine, tutti_plan handle) {
  return *reference_of(mine, handle).plan;
}

void api::call_hook(ApiState& mine, tutti_group group, engine::Plan& plan) {
  const tutti_plan_request shape = request_of(plan);
  mine.hook.function(mine.hook.user, group, {mine.job.groups().handle_of(group.id, plan)}, &shape);
}

extern "C" {

tutti_status tutti_plan_get(tutti_group group, const tutti_plan_request* request,
                            tutti_plan* plan) {
  return guarded("tutti_plan_get", [&] {
    if (request == nullptr || plan == nullptr ||
        (request->struct_size != sizeof(tutti_plan_request) &&
         request->struct_size != api::first_request_size)) {
      base::fail(base::Status::invalid_argument,
                 "argument 'request' must be given with its struct_size set, and 'plan' must point "
                 "to a handle");
    }
    api::ApiState& mine = state();
    plan->id = mine.job.groups().handle_of(group.id, requested(mine.group(group), *request));
  });
}

tutti_status tutti_plan_run(tutti_plan plan, const tutti_run* run) {
  return guarded("tutti_plan_run", [&] {
    api::ApiState& mine = state();
    const auto& [handle, found] = reference_of(mine, plan);
    const tutti_group members{handle};
    engine::Group& group = mine.group(members);
    static constexpr api::CallWords words("tutti_plan_run");
    const api::CallName name(mine, words);
    engine::Plan& wanted = *found;
    if (run_repeated(mine, group, wanted, checked(run))) return;
    const RunArguments prepared(mine, group, wanted, run);
    if (is_plain(*run)) {
      group.run(wanted, prepared.arguments(),
                api::lasting(signature_of(wanted, *run), operands_of(*run), run->op.id, wanted),
                operands_of(*run).extent());
    } else {
      group.run(wanted, prepared.arguments());
    }
    if (mine.hook.function != nullptr) api::call_hook(mine, members, wanted);
  });
}

tutti_status tutti_plan_start(tutti_plan plan, const tutti_run* run, tutti_request* request) {
  return guarded("tutti_plan_start", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_plan_start");
    const api::CallName name(mine, words);
    *request = mine.requests.started(
        mine, add_request(mine, plan, run, api::Requests::Kind::once, request));
  });
}

tutti_status tutti_plan_init(tutti_plan plan, const tutti_run* run, tutti_request* request) {
  return guarded("tutti_plan_init", [&] {
    *request = add_request(state(), plan, run, api::Requests::Kind::persistent, request);
  });
}

void tutti_on_run(tutti_run_hook hook, void* user) {
  (void)guarded("tutti_on_run", [&] {
    api::ApiState& mine = state();
    mine.hook = {hook, user};
    mine.watched = hook != nullptr || mine.explainer != nullptr;
  });
}

}  // extern "C"
