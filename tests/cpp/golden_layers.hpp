// Inputs of a golden case as leaves of a graph: sequences, parameters by name, masks converted to this core's
// convention.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "golden.hpp"
#include "nn/layer_options.hpp"

namespace golden {

template <typename T>
class Leaves {
 public:
  Leaves(attn::Graph<T>& graph, const Json& test) : graph_(graph), inputs_(test["inputs"]) {}

  bool has(const std::string& name) const { return inputs_.contains(name); }

  // The input called `name`; each call returns the same leaf.
  attn::Tensor<T> at(const std::string& name) {
    const auto found = leaves_.find(name);
    if (found != leaves_.end()) return found->second;
    return leaves_.emplace(name, graph_.leaf("", array<T>(inputs_[name]))).first->second;
  }

  // All inputs by name; `renamed` maps some to PyTorch's names.
  attn::StateDict<T> parameters(const std::map<std::string, std::string>& renamed = {}) {
    std::map<std::string, attn::Tensor<T>> nodes;
    for (const auto& [name, tensor] : inputs_.items()) {
      const auto found = renamed.find(name);
      nodes.emplace(found == renamed.end() ? name : found->second, at(name));
    }
    return attn::StateDict<T>(std::move(nodes));
  }

  // In the files, true means masked; here 1 means that a key may be attended. Masks of floats are added.
  attn::AttentionMasks<T> masks(const std::string& mask, const std::string& key_mask) {
    attn::AttentionMasks<T> masks;
    if (has(mask)) {
      using Mask = attn::AttentionMask<T>;
      masks.mask = inputs_[mask]["dtype"] == "bool" ? Mask{inverted(mask)} : Mask{at(mask), Mask::Kind::add};
    }
    if (has(key_mask)) masks.key_mask = inverted(key_mask);
    return masks;
  }

  // Compares the gradients that the last backward left on the leaves; returns how many were compared.
  std::size_t check_gradients(const Json& test) const {
    std::size_t compared = 0;
    for (const auto& [name, leaf] : leaves_) {
      if (!test["expected"].contains("grad_" + name)) continue;
      INFO(test["name"].get<std::string>() << " grad_" << name);
      REQUIRE(graph_.node(leaf.id).gradient.has_value());
      check<T>(test, "grad_" + name, *graph_.node(leaf.id).gradient);
      ++compared;
    }
    return compared;
  }

 private:
  attn::Tensor<T> inverted(const std::string& name) {
    attn::Array<T> mask = array<T>(inputs_[name]);
    for (T& cell : mask) cell = cell == 0 ? T(1) : T(0);
    return graph_.leaf("", std::move(mask));
  }

  attn::Graph<T>& graph_;
  const Json& inputs_;
  std::map<std::string, attn::Tensor<T>> leaves_;
};

inline attn::LayerOptions layer_options(const Json& params) {
  return {.num_heads = params["heads"].get<std::size_t>(),
          .activation = attn::activation_named(params.value("activation", "relu")),
          .norm_first = params["norm_first"].get<bool>(),
          .residual = params.value("residual", true),
          .norm = params.value("norm", true),
          .eps = params["eps"].get<double>(),
          .dropout = {}};
}

}  // namespace golden
