// The loss of a model that knows only how frequent each token is.
#include "training/unigram.hpp"

#include <cmath>
#include <numeric>

namespace attn {

double unigram_loss(const std::vector<Example>& held_out, const std::vector<std::uint64_t>& counts, std::size_t first) {
  const auto from = counts.begin() + static_cast<std::ptrdiff_t>(first);
  const auto total = static_cast<double>(std::accumulate(from, counts.end(), std::uint64_t(counts.size() - first)));
  double loss = 0;
  double asked = 0;
  for (const Example& example : held_out) {
    for (const std::int64_t id : example.target) {
      if (id == kNotAsked) continue;
      loss -= std::log(static_cast<double>(counts[static_cast<std::size_t>(id)] + 1) / total);
      ++asked;
    }
  }
  return loss / asked;
}

}  // namespace attn
