// The words of the generator MT19937, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn::kernels {

inline constexpr std::size_t kTwisterWords = 624;

// Replaces the words of a state by those of the next one.
void twist(std::uint32_t* state);

// The number that the generator gives for a word of its state.
inline std::uint32_t tempered(std::uint32_t word) {
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680u;
  word ^= (word << 15) & 0xefc60000u;
  return word ^ (word >> 18);
}

// The number in [0, 1) of two tempered words, of which it takes 53 bits.
inline double random_sample(std::uint32_t high, std::uint32_t low) {
  return ((high >> 5) * 67108864.0 + (low >> 6)) / 9007199254740992.0;
}

// The numbers in [0, 1) of 2 count words of a state.
template <typename T>
void random_samples(const std::uint32_t* words, T* numbers, std::size_t count);

}  // namespace attn::kernels
