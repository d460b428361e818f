// NumPy's legacy generator: MT19937, "Mersenne Twister", Matsumoto and Nishimura, 1998.
#include "tensor/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "kernels/random.hpp"
#include "tensor/shape.hpp"

namespace attn {
namespace {

constexpr std::size_t kWords = kernels::kTwisterWords;

}  // namespace

RandomState::RandomState(std::uint32_t seed) {
  state_[0] = seed;
  for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

RandomState::RandomState(std::span<const std::uint32_t> seed) : RandomState(19650218u) {
  if (seed.empty()) throw InputError("random_state: seed has no numbers, expected at least one");
  std::size_t i = 1;
  std::size_t j = 0;
  for (std::size_t step = std::max(kWords, seed.size()); step > 0; --step) {
    state_[i] =
        (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525u)) + seed[j] + static_cast<std::uint32_t>(j);
    if (++i >= kWords) {
      state_[0] = state_[kWords - 1];
      i = 1;
    }
    if (++j >= seed.size()) j = 0;
  }
  for (std::size_t step = kWords - 1; step > 0; --step) {
    state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941u)) - static_cast<std::uint32_t>(i);
    if (++i >= kWords) {
      state_[0] = state_[kWords - 1];
      i = 1;
    }
  }
  state_[0] = 0x80000000u;
}

void RandomState::twist() {
  kernels::twist(state_.data());
  next_ = 0;
}

std::uint32_t RandomState::uint32() {
  if (next_ == kWords) twist();
  ++words_;
  return kernels::tempered(state_[next_++]);
}

double RandomState::random_sample() {
  const std::uint32_t high = uint32();
  return kernels::random_sample(high, uint32());
}

template <typename T>
void RandomState::fill_random_sample(std::span<T> numbers) {
  std::size_t i = 0;
  while (i < numbers.size()) {
    if (next_ == kWords) twist();
    const std::size_t pairs = std::min((kWords - next_) / 2, numbers.size() - i);
    if (pairs == 0) {  // the two words of the number are in different states
      numbers[i++] = static_cast<T>(random_sample());
      continue;
    }
    kernels::random_samples(state_.data() + next_, numbers.data() + i, pairs);
    next_ += 2 * pairs;
    words_ += 2 * pairs;
    i += pairs;
  }
}

template void RandomState::fill_random_sample(std::span<float>);
template void RandomState::fill_random_sample(std::span<double>);

double RandomState::uniform(double low, double high) { return low + (high - low) * random_sample(); }

double RandomState::randn() {
  if (gauss_) return *std::exchange(gauss_, std::nullopt);
  while (true) {
    const double x1 = 2 * random_sample() - 1;
    const double x2 = 2 * random_sample() - 1;
    const double r2 = x1 * x1 + x2 * x2;
    if (r2 >= 1 || r2 == 0) continue;
    const double f = std::sqrt(-2 * std::log(r2) / r2);
    gauss_ = f * x1;
    return f * x2;
  }
}

double RandomState::normal(double loc, double scale) { return loc + scale * randn(); }

// A uniform integer from 0 to max, both inclusive.
std::uint64_t RandomState::interval(std::uint64_t max) {
  if (max == 0) return 0;
  const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> std::countl_zero(max);
  while (true) {
    std::uint64_t word = 0;
    if (max > 0xffffffffu) word = std::uint64_t(uint32()) << 32;
    word = (word | uint32()) & mask;
    if (word <= max) return word;
  }
}

std::int64_t RandomState::randint(std::int64_t low, std::int64_t high) {
  if (low >= high)
    throw InputError("randint: high is " + std::to_string(high) + ", expected above low, " + std::to_string(low));
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) - 1;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + interval(range));
}

std::vector<std::int64_t> RandomState::permutation(std::size_t n) {
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), std::int64_t(0));
  for (std::size_t i = n; i-- > 1;) std::swap(order[i], order[static_cast<std::size_t>(interval(i))]);
  return order;
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t remainder = 0xffffffffu;
  for (char byte : bytes) {
    remainder ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1u) ? 0xedb88320u : 0u);
  }
  return ~remainder;
}

std::uint32_t token_seed(std::string_view token, std::uint32_t seed) { return crc32(token) ^ seed; }

}  // namespace attn
