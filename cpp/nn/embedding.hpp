// A table of token vectors, read by the name of its parameter: "Attention Is All You Need", section 3.4.
#pragma once

#include "nn/tied_embedding.hpp"
#include "ops/embedding.hpp"
#include "tensor/state_dict.hpp"

namespace attn {

// weight (V, D): normal, divided by sqrt(D). PyTorch starts with variance 1, but a table that also predicts
// (tied_logits) needs rows of length about 1. The factor sqrt(D) then brings them to the scale of the positional
// encoding.
ParameterSpecs embedding_parameters(std::size_t num_embeddings, std::size_t embedding_dim);

// output[...] = weight[ids[...]], times sqrt(D) if requested
//
//   ids  (...)
//   ->   (..., D)
//
// Throws InputError when "weight" is missing, or an id is not a row of it.
template <typename T>
Tensor<T> embedding(const Tensor<T>& ids, const StateDict<T>& parameters, bool scale_by_sqrt_dim = false,
                    std::string name = {});

// The positions start, start + 1, ... of `length` tokens as a leaf of ids (length). Throws MemoryError naming
// `operation` unless they fit.
template <typename T>
Tensor<T> position_ids(Graph<T>& graph, std::size_t start, std::size_t length, std::string_view operation,
                       std::string name);

}  // namespace attn
