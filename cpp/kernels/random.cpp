// The words of the generator MT19937, many at a time.
#include "kernels/random.hpp"

namespace attn::kernels {
namespace {

constexpr std::size_t kMiddle = 397;

std::uint32_t twisted(std::uint32_t word, std::uint32_t next, std::uint32_t middle) {
  const std::uint32_t joined = (word & 0x80000000u) | (next & 0x7fffffffu);
  return middle ^ (joined >> 1) ^ ((0u - (joined & 1u)) & 0x9908b0dfu);
}

}  // namespace

// Two loops whose index needs no division: no word depends on one of the 226 before it, so compilers use vectors.
void twist(std::uint32_t* state) {
  std::size_t i = 0;
  for (; i < kTwisterWords - kMiddle; ++i) state[i] = twisted(state[i], state[i + 1], state[i + kMiddle]);
  for (; i < kTwisterWords - 1; ++i) state[i] = twisted(state[i], state[i + 1], state[i + kMiddle - kTwisterWords]);
  state[i] = twisted(state[i], state[0], state[kMiddle - 1]);
}

template <typename T>
void random_samples(const std::uint32_t* words, T* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<T>(random_sample(tempered(words[2 * i]), tempered(words[2 * i + 1])));
}

template void random_samples(const std::uint32_t*, float*, std::size_t);
template void random_samples(const std::uint32_t*, double*, std::size_t);

}  // namespace attn::kernels
