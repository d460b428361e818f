// The parameters of a model as nodes of one graph, by their names.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "tensor/parameters.hpp"

namespace attn {

// The source from which a layer reads its parameters. Copies share their nodes.
template <typename T>
class StateDict {
 public:
  // Existing nodes by name.
  explicit StateDict(std::map<std::string, Tensor<T>> nodes);

  // Leaves of `graph` that hold `parameters`, created on first use and named `prefix` + name. The graph and the
  // parameters must outlive this object.
  StateDict(Graph<T>& graph, const Parameters<T>& parameters, std::string prefix = {});

  // The parameters whose names begin with "module.", without that prefix.
  StateDict within(const std::string& module) const;

  // The prefix that `within` has put before every name: empty, or ending in a dot.
  const std::string& module() const { return module_; }

  bool has(const std::string& name) const;
  Tensor<T> at(const std::string& name) const;  // throws InputError when there is no such parameter
  std::optional<Tensor<T>> find(const std::string& name) const;

  // The bias called `name`. A model has either all its biases or none, as with PyTorch's bias=False: returns nothing
  // when the whole model has no bias, and throws InputError when it has others but not this one.
  std::optional<Tensor<T>> bias(const std::string& name) const;

  // Adds the gradients that the last backward left on the leaves used so far to `parameters`. Throws InputError when
  // one of them does not exist there.
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
