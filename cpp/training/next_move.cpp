// How the next step of an optimizer moves a parameter, in double precision, each step of the arithmetic a node.
#include "training/next_move.hpp"

#include <cmath>
#include <limits>

#include "ops/add.hpp"
#include "ops/divide.hpp"
#include "ops/multiply.hpp"
#include "ops/scale.hpp"
#include "ops/sqrt.hpp"
#include "optim/clip_grad_norm.hpp"

namespace attn {
namespace {

using Node = Tensor<double>;

// The nodes of one parameter.
class Move {
 public:
  Move(const Node& value, const OptimizerState<float>* state, const NextMoveOptions& options)
      : graph_(*value.graph),
        value_(value),
        prefix_(graph_.node(value.id).name + "."),
        state_(state),
        options_(options) {}

  Node add_nodes() {
    Node gradient = clipped(graph_.leaf(prefix_ + "gradient", *graph_.gradient(value_.id)));
    const bool decays = options_.weight_decay > 0;
    const bool is_decoupled = options_.kind == "adamw";
    if (decays && !is_decoupled) {
      const Node decay = scale(value_, {.factor = options_.weight_decay}, prefix_ + "decay");
      gradient = add(gradient, decay, prefix_ + "decayed");
    }
    const Node along = options_.kind == "sgd" ? momentum(gradient) : direction(gradient);
    const bool has_decay = decays && is_decoupled;
    Node move = scale(along, {.factor = -options_.lr}, prefix_ + (has_decay ? "step" : "move"));
    if (has_decay) {
      const double factor = -options_.lr * options_.weight_decay;
      move = add(move, scale(value_, {.factor = factor}, prefix_ + "decay"), prefix_ + "move");
    }
    add(value_, move, prefix_ + "next");
    return move;
  }

 private:
  Node number(const std::string& name, double value) { return graph_.leaf(prefix_ + name, full<double>({1}, value)); }

  // The gradient, shortened as clip_grad_norm does.
  Node clipped(const Node& gradient) {
    if (options_.clip_norm <= 0) return gradient;
    const double norm = clip_grad_norm(graph_, std::numeric_limits<double>::max());
    if (options_.clip_norm >= norm + kClipEpsilon) return gradient;
    const Node longest = number("clip_norm", options_.clip_norm);
    const Node share = divide(longest, number("gradient_norm", norm + kClipEpsilon), prefix_ + "clip_factor");
    return multiply(gradient, share, prefix_ + "clipped");
  }

  // A buffer of the optimizer before the step.
  Node before(const std::string& name, const std::string& buffer) {
    const Shape& shape = value_.shape();
    if (state_ != nullptr) {
      const auto found = state_->buffers.find(buffer);
      if (found != state_->buffers.end()) return graph_.leaf(prefix_ + name, converted<double>(found->second));
    }
    return graph_.leaf(prefix_ + name, full<double>(shape, 0));
  }

  // beta before + (1 - beta) x
  Node running_mean(const std::string& name, const std::string& buffer, double beta, const Node& x) {
    const Node kept = scale(before(name + "_before", buffer), {.factor = beta}, prefix_ + name + "_kept");
    return add(kept, scale(x, {.factor = 1 - beta}, prefix_ + name + "_new"), prefix_ + name);
  }

  Node momentum(const Node& gradient) {
    if (options_.beta1 == 0) return gradient;
    const Node kept =
        scale(before("momentum_before", "momentum_buffer"), {.factor = options_.beta1}, prefix_ + "momentum_kept");
    return add(kept, gradient, prefix_ + "momentum");
  }

  // m_hat / (sqrt(v_hat) + eps)
  Node direction(const Node& gradient) {
    const double step = 1 + (state_ != nullptr ? static_cast<double>(state_->step) : 0.0);
    const Node square = multiply(gradient, gradient, prefix_ + "square");
    const Node m = running_mean("m", "exp_avg", options_.beta1, gradient);
    const Node v = running_mean("v", "exp_avg_sq", options_.beta2, square);
    const Node m_hat = scale(m, {.divisor = 1 - std::pow(options_.beta1, step)}, prefix_ + "m_hat");
    const Node v_hat = scale(v, {.divisor = 1 - std::pow(options_.beta2, step)}, prefix_ + "v_hat");
    const Node root = sqrt(v_hat, prefix_ + "root");
    const Node below = add(root, number("eps", options_.eps), prefix_ + "root_eps");
    return divide(m_hat, below, prefix_ + "direction");
  }

  Graph<double>& graph_;
  Node value_;
  std::string prefix_;
  const OptimizerState<float>* state_;
  const NextMoveOptions& options_;
};

}  // namespace

Tensor<double> add_next_move(const Tensor<double>& value, const OptimizerState<float>* state,
                             const NextMoveOptions& options) {
  value.graph->check_gradient(value.id, "next_move");
  return Move(value, state, options).add_nodes();
}

}  // namespace attn
