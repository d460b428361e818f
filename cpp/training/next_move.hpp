// How the next step of an optimizer moves a parameter, in double precision, each step of the arithmetic a node.
#pragma once

#include "optim/optimizer.hpp"
#include "tensor/graph.hpp"

namespace attn {

struct NextMoveOptions {
  std::string kind = "adamw";  // "sgd", "adam" or "adamw"
  double lr = 0.001;           // of this step
  double beta1 = 0.9;          // of "sgd" the momentum
  double beta2 = 0.98;
  double eps = 1e-8;
  double weight_decay = 0;  // of this parameter
  double clip_norm = 0;     // the largest norm of all gradients together; 0: any
};

// Adds to the graph how one step moves the leaf `value`, by the equations of Sgd and Adam, from the gradients that the
// last backward left and from the optimizer's state, which is null before the first step. Every step of the arithmetic
// is a node whose name begins with that of `value` and a dot. These have the shape of `value`:
//   gradient   the gradient as a leaf, and "clipped" where the gradients together are longer than clip_norm
//   m_before, v_before, m, v, m_hat, v_hat, direction     of "sgd": momentum_before, momentum
//   decay      what the weight decay adds, if there is any
//   move       what is added to the parameter: -lr direction, and the decay of "adamw"
//   next       the parameter after the step
// Returns the node of the move. Throws InputError when the parameter has no gradient, or when a name is taken.
Tensor<double> add_next_move(const Tensor<double>& value, const OptimizerState<float>* state,
                             const NextMoveOptions& options);

}  // namespace attn
