// A call of an operation: its graph, its arguments, and the conversion of its nodes to JavaScript.
#pragma once

#include "wasm/arguments.hpp"

namespace attn {

// A call: its graph, its arguments, and the name of its node.
template <typename T>
struct Call {
  Graph<T>& graph;
  const Arguments& arguments;
  const std::string& name;

  Tensor<T> tensor(const char* argument) const {
    const std::size_t id = arguments.size(argument);
    graph.node(id);
    return {&graph, id};
  }
  std::optional<Tensor<T>> optional_tensor(const char* argument) const {
    return arguments.has(argument) ? std::optional(tensor(argument)) : std::nullopt;
  }
  // The prefix of the names of a layer's steps.
  std::string prefix() const { return name.empty() ? name : name + "."; }
};

// The nodes of a layer by role.
class Roles {
 public:
  template <typename T>
  Roles& with(const char* role, const Tensor<T>& tensor) {
    record_.set(role, tensor.id);
    return *this;
  }
  template <typename T>
  Roles& with(const char* role, const std::optional<Tensor<T>>& tensor) {
    if (tensor) record_.set(role, tensor->id);
    return *this;
  }
  // Nested roles: those of a part of a layer, or a list of them.
  Roles& with(const char* role, const emscripten::val& roles) {
    record_.set(role, roles);
    return *this;
  }
  emscripten::val record() const { return record_; }

 private:
  emscripten::val record_ = emscripten::val::object();
};

}  // namespace attn
