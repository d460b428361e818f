// Attention masks and the causal rule, and how they are applied to the scores.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "ops/causal.hpp"
#include "tensor/graph.hpp"

namespace attn {

// A mask of attention scores. Every convention used in the documents is one of these:
//   keep, fill -infinity   1 = may be attended       F.scaled_dot_product_attention; document 003
//   keep, finite fill      1 = may be attended       document 000 (NumPy half), document 001 (PyTorch half)
//   add                    numbers added to scores   document 001 (NumPy half) and document 004, as mask * -1e9
//
// Document 000 contradicts itself: its NumPy half keeps a key where the mask is true, its PyTorch half masks it
// there. Document 001 does the reverse. Here 1 means that a key is kept; masks of other conventions are converted
// first.
template <typename T>
struct AttentionMask {
  enum class Kind { keep, add };
  Tensor<T> tensor = {};
  Kind kind = Kind::keep;
  double fill = -std::numeric_limits<double>::infinity();  // the score of a hidden key; kind keep only
  std::string name = {};                                   // name of the node with the masked scores
};

// The causal rule as a leaf: (L, S), 1 where query i may see key j.
template <typename T>
Tensor<T> causal_keep(Graph<T>& graph, Causal causal, std::size_t queries, std::size_t keys, std::string name = {});

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
