// The choice of the next token from its logits: temperature, top-k (Fan et al., 2018) and top-p ("The Curious Case of
// Neural Text Degeneration", section 3.1).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tensor/random.hpp"

namespace attn {

struct SamplingOptions {
  double temperature = 1;                 // divides the logits; 0: the most likely id
  std::optional<std::size_t> top_k = {};  // only the k most likely ids
  double top_p = 1;                       // of these, only the most likely, until their probabilities sum to p
};

// Throws InputError naming `operation` for a temperature that is negative or not finite, for k = 0, and for a p
// outside (0, 1].
void check_sampling(const SamplingOptions& options, std::string_view operation);

// softmax(logits / temperature) over the ids that top-k and then top-p leave, 0 for the others
//
// Of equal logits that of the smaller id counts as larger, so exactly k ids are left, and k = 1, a temperature of 0 and
// a very small p all leave the id that greedy decoding chooses. Computed in float64, with the same bits on every build
// for the same logits. Throws InputError naming `operation` for NaN, for a largest logit that is infinite, and as
// check_sampling does.
template <typename T>
std::vector<double> next_probabilities(std::span<const T> logits, const SamplingOptions& options,
                                       std::string_view operation);

// `number` ids drawn with a probability proportional to their weight, as numpy.random.choice draws them with p, each
// by one random_sample. The weights are not negative, and one is above 0.
std::vector<std::size_t> draw_ids(std::span<const double> weights, std::size_t number, RandomState& random);

}  // namespace attn
