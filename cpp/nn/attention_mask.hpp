// Attention masks and the causal rule, and how they are applied to the scores.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "ops/causal.hpp"
#include "tensor/graph.hpp"

namespace attn {

// A mask of attention scores, in one of the three usual conventions:
//   keep, fill -infinity   1 = may be attended       torch.nn.functional.scaled_dot_product_attention
//   keep, finite fill      1 = may be attended       masked_fill(mask == 0, -1e9)
//   add                    numbers added to scores   scores + mask * -1e9
//
// Programs differ in whether 1 keeps a key or hides it. Here 1 keeps it; a mask of the other convention must be
// inverted first.
template <typename T>
struct AttentionMask {
  enum class Kind { keep, add };
  Tensor<T> tensor = {};
  Kind kind = Kind::keep;
  double fill = -std::numeric_limits<double>::infinity();  // the score of a hidden key; kind keep only
  std::string name = {};                                   // name of the node with the masked scores
};

// A leaf (L, S) that is 1 where the causal rule lets query i attend to key j, and 0 elsewhere. Throws MemoryError
// unless it fits.
template <typename T>
Tensor<T> causal_mask(Graph<T>& graph, Causal causal, std::size_t queries, std::size_t keys, std::string name = {});

// Applies masks to scaled scores one after another, each as a node, and returns the last. Throws InputError when a
// mask does not broadcast to the scores.
template <typename T>
Tensor<T> apply_masks(Tensor<T> scores, const std::vector<AttentionMask<T>>& masks);

// The masks in the form of the fused kernel: at most one tensor to add and one to keep by. Masks that hide keys with
// -infinity can be merged into the added tensor. Returns nothing when one of several masks has a finite fill.
template <typename T>
struct FusedMask {
  std::optional<Tensor<T>> bias = {};
  std::optional<Tensor<T>> keep = {};
  double fill = -std::numeric_limits<double>::infinity();
};
template <typename T>
std::optional<FusedMask<T>> fuse_masks(const std::vector<AttentionMask<T>>& masks);

}  // namespace attn
