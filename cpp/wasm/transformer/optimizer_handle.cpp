// Optimizers as JavaScript objects: one class for all of them and both precisions.
#include "wasm/transformer/optimizer_handle.hpp"

#include <emscripten/bind.h>

#include "optim/adagrad.hpp"
#include "optim/adam.hpp"
#include "optim/clip_grad_norm.hpp"
#include "optim/rmsprop.hpp"
#include "optim/sgd.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

using emscripten::val;

void read(const Arguments& arguments, const char* name, double& setting) {
  setting = arguments.optional_number(name).value_or(setting);
}

SgdOptions sgd_options(const Arguments& arguments) {
  SgdOptions options{.nesterov = arguments.flag("nesterov")};
  read(arguments, "lr", options.lr);
  read(arguments, "momentum", options.momentum);
  read(arguments, "dampening", options.dampening);
  read(arguments, "weightDecay", options.weight_decay);
  return options;
}

AdagradOptions adagrad_options(const Arguments& arguments) {
  AdagradOptions options;
  read(arguments, "lr", options.lr);
  read(arguments, "lrDecay", options.lr_decay);
  read(arguments, "weightDecay", options.weight_decay);
  read(arguments, "initialAccumulatorValue", options.initial_accumulator_value);
  read(arguments, "eps", options.eps);
  return options;
}

RmspropOptions rmsprop_options(const Arguments& arguments) {
  RmspropOptions options{.centered = arguments.flag("centered")};
  read(arguments, "lr", options.lr);
  read(arguments, "alpha", options.alpha);
  read(arguments, "eps", options.eps);
  read(arguments, "weightDecay", options.weight_decay);
  read(arguments, "momentum", options.momentum);
  return options;
}

AdamOptions adam_options(AdamOptions options, const Arguments& arguments) {
  options.amsgrad = arguments.flag("amsgrad");
  read(arguments, "lr", options.lr);
  read(arguments, "beta1", options.beta1);
  read(arguments, "beta2", options.beta2);
  read(arguments, "eps", options.eps);
  read(arguments, "weightDecay", options.weight_decay);
  return options;
}

template <typename T>
std::unique_ptr<Optimizer<T>> optimizer_of(std::string_view kind, const Arguments& arguments) {
  if (kind == "sgd") return std::make_unique<Sgd<T>>(sgd_options(arguments));
  if (kind == "adagrad") return std::make_unique<Adagrad<T>>(adagrad_options(arguments));
  if (kind == "rmsprop") return std::make_unique<Rmsprop<T>>(rmsprop_options(arguments));
  if (kind == "adam") return std::make_unique<Adam<T>>(adam_options({}, arguments));
  if (kind == "adamw") return std::make_unique<Adam<T>>(adam_options(kAdamW, arguments));
  refuse_option("optimizer", "kind", kind, "sgd, adagrad, rmsprop, adam or adamw");
}

template <typename T>
val record_of_state(const OptimizerState<T>& state) {
  val buffers = val::array();
  for (const auto& [name, buffer] : state.buffers) {
    val record = val::object();
    record.set("name", name);
    record.set("shape", list_of(shape_of(buffer)));
    record.set("data", copy_of(buffer.data(), buffer.size()));
    buffers.call<void>("push", record);
  }
  val record = val::object();
  record.set("step", static_cast<double>(state.step));
  record.set("buffers", buffers);
  return record;
}

std::unique_ptr<OptimizerHandle> create_optimizer(js::Text kind, js::Object settings) {
  const std::string name = text_of(kind);
  return std::make_unique<OptimizerHandle>(name, Arguments(name, settings));
}

template <typename Handle>
double clip(Handle& owner, double max_norm) {
  return owner.visit([&](auto& list) { return clip_grad_norm(list, max_norm); });
}

}  // namespace

OptimizerHandle::OptimizerHandle(std::string_view kind, const Arguments& arguments)
    : double_(optimizer_of<double>(kind, arguments)), single_(optimizer_of<Single>(kind, arguments)) {
  count_handle(1);
}

OptimizerHandle::~OptimizerHandle() { count_handle(-1); }

void OptimizerHandle::step(ParametersHandle& parameters) {
  parameters.visit([&](auto& list) { of(list).step(list); });
}

void OptimizerHandle::step_graph(GraphHandle& graph) {
  graph.visit([&](auto& nodes) { of(nodes).step(nodes); });
}

double OptimizerHandle::lr() { return double_->lr(); }

void OptimizerHandle::set_lr(double lr) {
  double_->set_lr(lr);
  single_->set_lr(lr);
}

template <typename Handle>
js::Record OptimizerHandle::state_of(Handle& owner, js::Text name) {
  return owner.visit([&](auto& list) {
    const auto& states = of(list).state(list);
    const auto found = states.find(text_of(name));
    return js::Record(found == states.end() ? val::undefined() : record_of_state(found->second));
  });
}

js::Record OptimizerHandle::state(ParametersHandle& parameters, js::Text name) { return state_of(parameters, name); }

js::Record OptimizerHandle::state_graph(GraphHandle& graph, js::Text name) { return state_of(graph, name); }

template <typename Handle>
js::Record OptimizerHandle::names_of(Handle& owner) {
  return owner.visit([&](auto& list) {
    val names = val::array();
    for (const auto& [name, state] : of(list).state(list)) names.call<void>("push", name);
    return js::Record(names);
  });
}

js::Record OptimizerHandle::state_names(ParametersHandle& parameters) { return names_of(parameters); }

js::Record OptimizerHandle::state_names_graph(GraphHandle& graph) { return names_of(graph); }

template <typename Handle>
void OptimizerHandle::load(Handle& owner, const val& states) {
  owner.visit([&]<template <typename> typename Owner, typename T>(Owner<T>& list) {
    constexpr const char* kOperation = "loadState";
    // No numbers are copied before all names and shapes are checked and the memory is granted.
    typename Optimizer<T>::StateShapes shapes;
    each_of(states, [&](const val& arguments) {
      auto& buffers = shapes[text_of(arguments["name"])];
      each_of(arguments["buffers"], [&](const val& buffer) {
        buffers.emplace(text_of(buffer["name"]), sizes_of(buffer["shape"], kOperation, "shape"));
      });
    });
    of(list).check_load(list, shapes, kOperation);
    typename Optimizer<T>::States read;
    each_of(states, [&](const val& arguments) {
      const std::string name = text_of(arguments["name"]);
      OptimizerState<T>& state = read[name];
      state.step = static_cast<std::uint64_t>(arguments["step"].as<double>());
      each_of(arguments["buffers"], [&](const val& buffer) {
        const std::string buffer_name = text_of(buffer["name"]);
        state.buffers.emplace(buffer_name, array_of<T>(buffer["data"], shapes[name][buffer_name], kOperation));
      });
    });
    of(list).load_state(list, std::move(read));
  });
}

void OptimizerHandle::load_state(ParametersHandle& parameters, js::Object states) { load(parameters, states); }

void OptimizerHandle::load_state_graph(GraphHandle& graph, js::Object states) { load(graph, states); }

EMSCRIPTEN_BINDINGS(optimizers) {
  emscripten::class_<OptimizerHandle>("Optimizer")
      .function("step", &Guarded<&OptimizerHandle::step>::call)
      .function("stepGraph", &Guarded<&OptimizerHandle::step_graph>::call)
      .function("lr", &Guarded<&OptimizerHandle::lr>::call)
      .function("setLr", &Guarded<&OptimizerHandle::set_lr>::call)
      .function("state", &Guarded<&OptimizerHandle::state>::call)
      .function("stateGraph", &Guarded<&OptimizerHandle::state_graph>::call)
      .function("stateNames", &Guarded<&OptimizerHandle::state_names>::call)
      .function("stateNamesGraph", &Guarded<&OptimizerHandle::state_names_graph>::call)
      .function("loadState", &Guarded<&OptimizerHandle::load_state>::call)
      .function("loadStateGraph", &Guarded<&OptimizerHandle::load_state_graph>::call);
  emscripten::function("createOptimizer", &Guarded<&create_optimizer>::call);
  emscripten::function("clipGradNorm", &Guarded<&clip<ParametersHandle>>::call);
  emscripten::function("clipGradNormGraph", &Guarded<&clip<GraphHandle>>::call);
}

}  // namespace attn
