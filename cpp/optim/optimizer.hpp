// The base of all optimizers: a step over parameters with gradients, and the state of each parameter.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/parameters.hpp"

namespace attn {

// The state of one parameter: arrays of its shape under PyTorch's names ("momentum_buffer", "exp_avg"), and the
// number of steps.
template <typename T>
struct OptimizerState {
  std::uint64_t step = 0;
  std::map<std::string, Array<T>, std::less<>> buffers;

  // The buffer called `name`, with the shape of `like`; it is created with `fill` in every cell.
  Array<T>& buffer(std::string_view name, const Array<T>& like, T fill = T(0));
};

// Changes parameters by their gradients. T is the precision of the parameters.
template <typename T>
class Optimizer {
 public:
  // The states of the parameters of one Parameters or Graph, by name.
  using States = std::map<std::string, OptimizerState<T>, std::less<>>;

  // Shapes by name; and the shapes of the buffers of every state, by the name of its parameter.
  using Shapes = std::map<std::string, Shape, std::less<>>;
  using StateShapes = std::map<std::string, Shapes, std::less<>>;

  // `kind` is the optimizer's name in error messages, such as "sgd".
  Optimizer(std::string_view kind, double lr, double weight_decay);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  std::string_view kind() const { return kind_; }
  double lr() const { return lr_; }
  void set_lr(double lr);  // throws InputError unless it is at least 0 and finite

  // The parameters that do not decay: those whose name is one of `names` or ends in a dot and one of them, such as
  // "bias" and "norm1.weight". Initially none. Throws InputError for an empty name.
  void set_no_decay(std::vector<std::string> names);

  // The weight decay of a parameter of this name: that of the optimizer, or 0.
  double weight_decay_of(std::string_view name) const;

  // Changes every parameter that has a gradient. Their origin becomes literal, since no random draw reproduces these
  // numbers. Throws InputError, and changes nothing, when no parameter has a gradient, or when a gradient or a stored
  // buffer does not have the shape of its parameter.
  void step(Parameters<T>& parameters);

  // The same for the leaves of a graph that hold parameters, in place. The graph is then stale, and the next replay()
  // computes with the new numbers. From the second step on, nothing is allocated.
  void step(Graph<T>& graph);

  // The states of these parameters; there is none for a parameter that never had a gradient. Parameters of the same
  // names in another owner have states of their own. The states of an owner that no longer exists are removed at the
  // next step.
  const States& state(const Parameters<T>& parameters) const { return states_of(parameters.identity()); }
  const States& state(const Graph<T>& graph) const { return states_of(graph.identity()); }

  // Replaces all states of these parameters by `states`, so that training continues after the step at which another
  // optimizer with the same settings returned them. Throws InputError, and changes nothing, for a name that no
  // parameter has, for buffers that these settings do not use, and for a buffer that does not have the shape of its
  // parameter.
  void load_state(const Parameters<T>& parameters, States states);
  void load_state(Graph<T>& graph, States states);

  // To be called before states are read. Throws what load_state() throws for states of these shapes, and MemoryError
  // naming `operation` unless their buffers fit beside the memory held by `parameters` or `graph` and the present
  // states, which stay until the new ones are read.
  void check_load(const Parameters<T>& parameters, const StateShapes& states, std::string_view operation) const;
  void check_load(Graph<T>& graph, const StateShapes& states, std::string_view operation) const;

 protected:
  // `weight_decay` is that of this parameter: the optimizer's, or 0.
  virtual void update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state,
                      double weight_decay) const = 0;

  // The buffers that update() keeps for every parameter, in alphabetical order.
  virtual std::vector<std::string> buffer_names() const = 0;

 private:
  using Identity = std::shared_ptr<const char>;

  const States& states_of(const Identity& identity) const;
  States& states_to_change(const Identity& identity);
  void load_state(const Identity& identity, const Shapes& parameters, States states);
  void check_states(const Shapes& parameters, const StateShapes& states) const;
  void check_shapes(const States& states, const std::string& name, const Array<T>& value,
                    const Array<T>& gradient) const;
  void change(States& states, const std::string& name, Array<T>& value, const Array<T>& gradient);

  std::string_view kind_;
  double lr_ = 0;
  double weight_decay_ = 0;
  std::vector<std::string> no_decay_;
  std::map<std::weak_ptr<const char>, States, std::owner_less<>> states_;
};

// Throws the InputError "operation: argument is -1, expected ..." unless `fits`.
void check_setting(bool fits, std::string_view operation, std::string_view argument, double value,
                   std::string_view expected);

// Throws the InputError "operation: argument is -1, expected a number from 0 up" for a negative or infinite one.
void check_not_negative(std::string_view operation, std::string_view argument, double value);

extern template class Optimizer<float>;
extern template class Optimizer<double>;

}  // namespace attn
