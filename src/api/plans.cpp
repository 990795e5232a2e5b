// SPDX-License-Identifier: BSD-3-Clause
// Implements the plans of the C interface: getting them by name, running and printing them.
#include "api/plans.hpp"

#include "api/repeat.hpp"

using namespace tutti;
using api::answered;
using api::guarded;
using api::state;

namespace {

// tutti_operation and schedule::Operation have equal numbers.
constexpr int operations = static_cast<int>(schedule::Operation::exscan) + 1;
static_assert(static_cast<int>(schedule::Operation::gather) == TUTTI_OP_GATHER &&
              operations == TUTTI_OP_EXSCAN + 1);

schedule::Operation operation_of(tutti_operation operation) {
  const auto number = static_cast<int>(operation);
  if (number < 0 || number >= operations) {
    base::fail(base::Status::invalid_argument,
               "request.operation is {}, which is no tutti_operation", number);
  }
  return static_cast<schedule::Operation>(number);
}

tutti_operation public_operation(schedule::Operation operation) {
  return static_cast<tutti_operation>(operation);
}

engine::Runtime::PlanReference& reference_of(api::ApiState& mine, tutti_plan handle) {
  if (engine::Runtime::PlanReference* found = mine.runtime.plan(handle.id)) [[likely]]
    return *found;
  base::fail(base::Status::stale_handle, "argument 'plan' names no plan, or its group was freed");
}

engine::Plan& plan_of(api::ApiState& mine, tutti_plan handle) {
  return *reference_of(mine, handle).plan;
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
  engine::Request wanted;
  wanted.generator = &engine::generator_named(operation, request.algorithm);
  wanted.root = request.root;
  wanted.branches = request.branches == 0 ? 1 : request.branches;
  wanted.rings = request.rings == 0 ? 1 : request.rings;
  wanted.segments = request.segments == 0 ? 1 : request.segments;
  if (request.factor_count < 0 || (request.factor_count > 0 && request.factors == nullptr)) {
    base::fail(base::Status::invalid_argument,
               "request.factor_count is {}, or request.factors is NULL", request.factor_count);
  }
  if (request.factor_count > 0)
    wanted.factors.assign(request.factors, request.factors + request.factor_count);
  wanted.cut = request.cut;
  return group.plan(wanted);
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
  if (run == nullptr || run->struct_size != sizeof(tutti_run)) {
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
  if (run.locations == nullptr || !engine::combines(plan.operation())) return {};
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

  const tutti_run& run_;
  engine::CallOperand input_, output_;
  engine::Locations where_;
  engine::Arguments arguments_;
};

RunArguments::RunArguments(api::ApiState& mine, const engine::Group& group,
                           const engine::Plan& plan, const tutti_run* run)
    : run_(checked(run)),
      input_(side_of(run_.input, "run.input")),
      output_(is_in_place() ? engine::CallOperand{} : side_of(run_.output, "run.output")),
      where_(locations_of(plan, run_)) {
  if (run_.input != nullptr) arguments_.input = &input_;
  if (run_.output != nullptr) arguments_.output = is_in_place() ? &input_ : &output_;
  if (engine::combines(plan.operation())) take_operator(mine);
  plan.check(arguments_);
  if (mine.explainer != nullptr)
    mine.explainer->explain(mine.runtime, group, plan, arguments_, api::Way::plan);
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

tutti_request add_request(api::ApiState& mine, tutti_plan handle, const tutti_run* run,
                          api::Requests::Kind kind, const tutti_request* request) {
  if (request == nullptr) base::fail(base::Status::invalid_argument, "argument 'request' is NULL");
  const auto& [group, plan, last] = reference_of(mine, handle);
  const RunArguments prepared(mine, mine.group({group}), *plan, run);
  if (prepared.arguments().locations != nullptr) {
    base::fail(base::Status::invalid_argument, "run.locations is for tutti_plan_run only");
  }
  return mine.requests.add({group}, *plan, prepared.arguments(), kind);
}

api::CallOperands operands_of(const tutti_run& run) {
  return {run.input, run.output, run.op, run.locations != nullptr};
}

// Runs the plan if the call differs from the plan's last one only in addresses. Otherwise returns
// false.
bool run_repeated(const api::ApiState& mine, engine::Group& group,
                  const engine::Group::Repeat& last, const tutti_run& run) {
  if (!operands_of(run).repeat(last) || mine.watched) return false;
  void* const input = api::CallOperands::address(run.input);
  void* const output = api::CallOperands::address(run.output);
  if (run.locations == nullptr) return group.run_again(last, input, output);
  if (run.locations->rank == nullptr) return false;
  return group.run_located_again(last, input, output,
                                 {run.locations->rank, {}, run.locations->distance_root});
}

}  // namespace

void api::call_hook(ApiState& mine, tutti_group group, engine::Plan& plan) {
  const engine::Request& request = plan.request();
  const tutti_plan_request shape = {sizeof(tutti_plan_request),
                                    public_operation(plan.operation()),
                                    request.generator->name,
                                    request.root,
                                    request.branches,
                                    request.rings,
                                    request.segments,
                                    0,
                                    request.factors.data(),
                                    static_cast<int>(request.factors.size()),
                                    request.cut};
  mine.hook.function(mine.hook.user, group, {mine.runtime.handle_of(group.id, plan)}, &shape);
}

extern "C" {

tutti_status tutti_plan_get(tutti_group group, const tutti_plan_request* request,
                            tutti_plan* plan) {
  return guarded("tutti_plan_get", [&] {
    if (request == nullptr || plan == nullptr ||
        request->struct_size != sizeof(tutti_plan_request)) {
      base::fail(base::Status::invalid_argument,
                 "argument 'request' must be given with its struct_size set, and 'plan' must point "
                 "to a handle");
    }
    api::ApiState& mine = state();
    plan->id = mine.runtime.handle_of(group.id, requested(mine.group(group), *request));
  });
}

tutti_status tutti_plan_run(tutti_plan plan, const tutti_run* run) {
  return guarded("tutti_plan_run", [&] {
    api::ApiState& mine = state();
    const auto& [handle, found, last] = reference_of(mine, plan);
    const tutti_group members{handle};
    engine::Group& group = mine.group(members);
    static constexpr api::CallWords words("tutti_plan_run");
    const api::CallName name(mine, words);
    if (run_repeated(mine, group, last, checked(run))) return;
    engine::Plan& wanted = *found;
    const RunArguments prepared(mine, group, wanted, run);
    group.run_checked(wanted, prepared.arguments());
    // The reference is looked up again, because the user's functions may have asked for plans,
    // which moves the table.
    api::remember(reference_of(mine, plan).last, wanted.request().root, operands_of(*run), wanted);
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

size_t tutti_plan_text(tutti_plan plan, char* text, size_t size) {
  std::string whole;
  const tutti_status status =
      guarded("tutti_plan_text", [&] { whole = plan_of(state(), plan).text(); });
  if (status != TUTTI_OK) return 0;
  if (size > 0 && text != nullptr) text[whole.copy(text, size - 1)] = '\0';
  return whole.size();
}

const char* tutti_plan_algorithm(tutti_plan plan) {
  const char* name = nullptr;
  (void)guarded("tutti_plan_algorithm",
                [&] { name = plan_of(state(), plan).request().generator->name; });
  return name;
}

void tutti_on_wait(tutti_give_up_fn give_up, void* user) {
  (void)answered("tutti_on_wait", [&] {
    api::ApiState& mine = state();
    mine.question = {give_up, user};
    const auto ask = [](void* asked) {
      const auto* question = static_cast<const api::CancelPredicate*>(asked);
      return question->function(question->user) != 0;
    };
    mine.runtime.in_flight().set_question(
        give_up == nullptr ? transport::GiveUp{} : transport::GiveUp{ask, &mine.question});
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
