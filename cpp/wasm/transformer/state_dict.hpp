// The parameters among a layer's arguments: nodes by their state_dict names.
#pragma once

#include <map>
#include <string>

#include "tensor/state_dict.hpp"
#include "wasm/call.hpp"

namespace attn {

// The argument stateDict, { "self_attn.in_proj_weight": 3, ... }.
template <typename T>
StateDict<T> state_dict_of(const Call<T>& call) {
  const emscripten::val record = call.arguments.record("stateDict");
  const emscripten::val names = emscripten::val::global("Object").call<emscripten::val>("keys", record);
  const auto count = names["length"].as<unsigned>();
  std::map<std::string, Tensor<T>> nodes;
  for (unsigned i = 0; i < count; ++i) {
    const auto id = record[names[i]].template as<unsigned>();
    call.graph.node(id);
    nodes.emplace(text_of(names[i]), Tensor<T>{&call.graph, id});
  }
  return StateDict<T>(std::move(nodes));
}

}  // namespace attn
