// Word vectors learned from neighbours: "Efficient Estimation of Word Representations in Vector Space", section 3;
// "Distributed Representations of Words and Phrases and their Compositionality", section 2.2.
#pragma once

#include <cstdint>
#include <vector>

#include "tensor/random.hpp"
#include "tensor/state_dict.hpp"

namespace attn {

// w_in (V, d): the input vector of each word; w_out (V, d): its output vector, whose product with the hidden vector is
// the score of the word.
ParameterSpecs word2vec_parameters(std::size_t vocabulary, std::size_t dim);

// The nodes of one model. The losses of several words at once are added.
template <typename T>
struct Word2Vec {
  Tensor<T> hidden = {};                // (N?, d)
  Tensor<T> scores = {};                // (N?, V) with a full softmax, (N?, 1 + K) with negative sampling
  std::optional<Tensor<T>> probs = {};  // (N?, V) with a full softmax
  Tensor<T> loss = {};                  // ()
};

// CBOW and skip-gram are alternative objectives: a model is trained with one of them. All four functions call their
// steps hidden, scores, probs and loss after the prefix `name`, and throw InputError when the shapes disagree or an id
// is outside the tables.

// CBOW: h = mean of w_in[context], p = softmax(w_out h), loss = -log p[word]
//
//   word     (N?)
//   context  (N?, C)
template <typename T>
Word2Vec<T> cbow(const Tensor<T>& word, const Tensor<T>& context, const StateDict<T>& parameters,
                 const std::string& name = {});

// Skip-gram: h = w_in[word], p = softmax(w_out h), loss = -sum over the context words of log p
//
//   word     (N?)
//   context  (N?, C)
template <typename T>
Word2Vec<T> skip_gram(const Tensor<T>& word, const Tensor<T>& context, const StateDict<T>& parameters,
                      const std::string& name = {});

// Negative sampling: a few binary decisions replace the softmax over all words
//   loss = -log sigmoid(h . w_out[positive]) - sum over the negatives of log sigmoid(-h . w_out[negative])
//
//   word       (N?)
//   positive   (N?)
//   negatives  (N?, K)
template <typename T>
Word2Vec<T> skip_gram_negative_sampling(const Tensor<T>& word, const Tensor<T>& positive, const Tensor<T>& negatives,
                                        const StateDict<T>& parameters, const std::string& name = {});

// The same with h = mean of w_in[context], and the word as the positive.
template <typename T>
Word2Vec<T> cbow_negative_sampling(const Tensor<T>& word, const Tensor<T>& context, const Tensor<T>& negatives,
                                   const StateDict<T>& parameters, const std::string& name = {});

// Pairs each word of a text with every neighbour at most `window` away, in the order of the text. Throws MemoryError
// when the pairs take more than `max_bytes`.
struct WordPair {
  std::size_t word = 0;
  std::size_t context = 0;
};
std::vector<WordPair> skip_gram_pairs(const std::vector<std::size_t>& ids, std::size_t window,
                                      std::uint64_t max_bytes = kMaxBytes);

// Draws `number` ids with probability proportional to count^0.75, each by one random_sample in the cumulative
// distribution, as numpy.random.choice with p. Throws InputError when no count is positive or one is negative.
std::vector<std::size_t> negative_samples(const std::vector<double>& counts, std::size_t number, RandomState& random);

}  // namespace attn
