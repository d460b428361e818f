// The parameters of a model as nodes of one graph, by their names.
#include "tensor/state_dict.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace attn {
namespace {

// The names of biases: "bias", "self_attn.in_proj_bias", "bias_ih_l0".
bool is_bias(std::string_view name) { return name.substr(name.rfind('.') + 1).find("bias") != name.npos; }

}  // namespace

template <typename T>
StateDict<T>::StateDict(std::map<std::string, Tensor<T>> nodes) : source_(std::make_shared<Source>()) {
  source_->nodes = std::move(nodes);
}

template <typename T>
StateDict<T>::StateDict(Graph<T>& graph, const Parameters<T>& parameters, std::string prefix)
    : source_(std::make_shared<Source>(&graph, &parameters, std::move(prefix), std::map<std::string, Tensor<T>>())) {}

template <typename T>
StateDict<T>::StateDict(std::shared_ptr<Source> source, std::string module)
    : source_(std::move(source)), module_(std::move(module)) {}

template <typename T>
StateDict<T> StateDict<T>::within(const std::string& module) const {
  return StateDict(source_, module_ + module + ".");
}

template <typename T>
bool StateDict<T>::has(const std::string& name) const {
  const std::string full_name = module_ + name;
  return source_->nodes.count(full_name) > 0 || (source_->parameters && source_->parameters->has(full_name));
}

template <typename T>
std::optional<Tensor<T>> StateDict<T>::find(const std::string& name) const {
  const std::string full_name = module_ + name;
  const std::string leaf_name = source_->prefix + full_name;
  if (const auto found = source_->nodes.find(full_name); found != source_->nodes.end()) {
    // A refused call removed its leaves, so that their ids may belong to other nodes now.
    const Graph<T>* graph = source_->graph;
    if (!graph || (found->second.id < graph->size() && graph->node(found->second.id).name == leaf_name)) {
      return found->second;
    }
    source_->nodes.erase(found);
  }
  if (!source_->parameters || !source_->parameters->has(full_name)) return std::nullopt;
  const Parameter<T>& parameter = source_->parameters->at(full_name);
  source_->graph->check_memory(std::uint64_t{parameter.value.size()} * sizeof(T), "state_dict");
  const Tensor<T> leaf = source_->graph->parameter(leaf_name, parameter.value, parameter.origin);
  source_->nodes.emplace(full_name, leaf);
  return leaf;
}

template <typename T>
Tensor<T> StateDict<T>::at(const std::string& name) const {
  const std::optional<Tensor<T>> node = find(name);
  if (!node) refuse_option("state_dict", "\"" + module_ + name + "\"", "missing", "a parameter of this name");
  return *node;
}

template <typename T>
std::optional<Tensor<T>> StateDict<T>::bias(const std::string& name) const {
  if (has(name)) return at(name);
  const auto is_node_bias = [](const auto& entry) { return is_bias(entry.first); };
  const auto is_parameter_bias = [](const Parameter<T>& parameter) { return is_bias(parameter.name); };
  if (std::any_of(source_->nodes.begin(), source_->nodes.end(), is_node_bias)) return at(name);
  if (!source_->parameters) return std::nullopt;
  const std::span<const Parameter<T>> list = source_->parameters->list();
  if (std::any_of(list.begin(), list.end(), is_parameter_bias)) return at(name);
  return std::nullopt;
}

template <typename T>
void StateDict<T>::add_gradients(Parameters<T>& parameters) const {
  for (const auto& [name, node] : source_->nodes) {
    if (node.id >= node.graph->size()) continue;
    const std::optional<Array<T>>& gradient = node.graph->node(node.id).gradient;
    if (gradient) parameters.add_gradient(name, *gradient);
  }
}

template class StateDict<float>;
template class StateDict<double>;

}  // namespace attn
