// Similarity of vectors: dot product, cosine and distance of every pair; neighbours; analogies; bags of words.
#pragma once

#include <vector>

#include "tensor/graph.hpp"

namespace attn {

// The nodes of one comparison, with the names of the steps.
template <typename T>
struct Similarity {
  Tensor<T> dot = {};       // (N, N)  dot
  Tensor<T> cosine = {};    // (N, N)  cosine: a . b / (|a| |b|), 0 if either vector is zero
  Tensor<T> distance = {};  // (N, N)  distance: |a - b|
};

// Compares every row of `vectors` with every other; the results are nodes, so that they can be explained.
//
//   vectors  (N, D)
//
// Throws InputError when `vectors` has another rank.
template <typename T>
Similarity<T> similarity(const Tensor<T>& vectors, const std::string& name = {});

// The other rows by descending cosine to row `query`; among equal ones the smaller index comes first. Throws
// InputError when there is no such row.
template <typename T>
std::vector<std::size_t> nearest(const Array<T>& vectors, std::size_t query);

// Completes the analogy "a is to b as c is to ?": returns the row with the largest cosine to v[b] - v[a] + v[c],
// excluding a, b and c. Throws InputError when a row does not exist or there is no fourth.
template <typename T>
std::size_t analogy(const Array<T>& vectors, std::size_t a, std::size_t b, std::size_t c);

// The count of each id: a bag of words, which is a sentence without its order
//
//   ids  (L)
//   ->   (vocabulary)   a node: the sum of one-hot rows
//
// Throws InputError for an id outside the vocabulary.
template <typename T>
Tensor<T> bag_of_words(const Tensor<T>& ids, std::size_t vocabulary, const std::string& name = {});

}  // namespace attn
