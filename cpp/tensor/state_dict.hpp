// The parameters of a model as nodes of one graph, by their names.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "tensor/parameters.hpp"

namespace attn {

// What a layer reads its parameters from. Copies share their nodes.
template <typename T>
class StateDict {
 public:
  // Nodes that are there already, by name.
  explicit StateDict(std::map<std::string, Tensor<T>> nodes);

  // Leaves of `graph` holding `parameters`, made when they are first asked for and called `prefix` + name. Both outlive
  // this.
  StateDict(Graph<T>& graph, const Parameters<T>& parameters, std::string prefix = {});

  // The names that begin with "module.", without it.
  StateDict within(const std::string& module) const;

  // What `within` has put before every name: empty, or ending in a dot.
  const std::string& module() const { return module_; }

  bool has(const std::string& name) const;
  Tensor<T> at(const std::string& name) const;  // throws InputError when there is no such parameter
  std::optional<Tensor<T>> find(const std::string& name) const;

  // The bias called `name`. Biases are left out all together, as by PyTorch's bias=False, or not at all: none when no name
  // of the whole model is a bias's. Throws InputError when other biases are there and this one is missing.
  std::optional<Tensor<T>> bias(const std::string& name) const;

  // Adds to `parameters` the gradients that the last backward left on the leaves asked for so far.
  // Throws InputError when one of them is unknown there.
  void add_gradients(Parameters<T>& parameters) const;

 private:
  struct Source {
    Graph<T>* graph = nullptr;
    const Parameters<T>* parameters = nullptr;
    std::string prefix;  // of the leaves' names
    std::map<std::string, Tensor<T>> nodes;
  };
  StateDict(std::shared_ptr<Source> source, std::string module);

  std::shared_ptr<Source> source_;
  std::string module_;
};

extern template class StateDict<float>;
extern template class StateDict<double>;

}  // namespace attn
