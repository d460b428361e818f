// The loss of a model that knows only how frequent each token is.
#pragma once

#include <vector>

#include "training/task.hpp"

namespace attn {

// The mean cross entropy of what the held-out examples ask. `counts` are how often each id of the vocabulary occurs in
// the training data, and the ids from `first` on can be asked. Every count is taken one higher.
double unigram_loss(const std::vector<Example>& held_out, const std::vector<std::uint64_t>& counts, std::size_t first);

}  // namespace attn
