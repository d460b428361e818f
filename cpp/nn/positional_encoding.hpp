// Positional encodings of the positions of a sequence: "Attention Is All You Need", section 3.5; RoFormer; ALiBi.
#pragma once

#include <string_view>
#include <vector>

#include "ops/alibi.hpp"
#include "ops/rotary.hpp"
#include "tensor/graph.hpp"

namespace attn {

// Positions 0, 1, ..., length - 1. Throws MemoryError naming `operation` unless they fit into `graph`.
template <typename T>
std::vector<double> first_positions(Graph<T>& graph, std::size_t length, std::string_view operation);

// All functions below make the positions a leaf called `name`.positions, unnamed when name is empty; editing that
// leaf moves a position. Each throws InputError as the op it uses.
//
// Self-attention without positions is permutation equivariant: permuting the tokens permutes the outputs. An
// odd dim has one cosine fewer than sines.

// PE[p, 2i] = sin(p / base^(2i / dim)), PE[p, 2i + 1] = cos(p / base^(2i / dim))      -> (N, dim)
template <typename T>
Tensor<T> sinusoidal_encoding(Graph<T>& graph, const std::vector<double>& positions, std::size_t dim, double base,
                              const std::string& name = {});

// Every row is its position                                                           -> (N, dim)
template <typename T>
Tensor<T> absolute_index_encoding(Graph<T>& graph, const std::vector<double>& positions, std::size_t dim,
                                  const std::string& name = {});

// M with PE(p + offset) = M PE(p); the offset is a leaf called `name`.offset          -> (dim, dim)
template <typename T>
Tensor<T> sinusoidal_shift(Graph<T>& graph, double offset, std::size_t dim, double base, const std::string& name = {});

// RoPE: every row of x rotated by its position                                        -> (..., L, d)
template <typename T>
Tensor<T> rotary_encoding(const Tensor<T>& x, const std::vector<double>& positions, const RotaryOptions& options,
                          const std::string& name = {});

// ALiBi: slopes (H), called `name`.slopes, and the bias (H, L, S) computed from them.
template <typename T>
struct AlibiBias {
  Tensor<T> slopes;
  Tensor<T> bias;
};
template <typename T>
AlibiBias<T> alibi_bias(Graph<T>& graph, std::size_t num_heads, const AlibiOptions& options,
                        const std::string& name = {});

}  // namespace attn
