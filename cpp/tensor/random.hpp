// NumPy's legacy generator: numpy.random.RandomState, bit for bit (MT19937; Matsumoto and Nishimura, 1998).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attn {

// One stream of random numbers. Gaussians are generated in pairs by Marsaglia's polar method; the second of a pair is
// kept across draws of other kinds.
class RandomState {
 public:
  explicit RandomState(std::uint32_t seed);                   // np.random.seed(n): the Knuth recurrence
  explicit RandomState(std::span<const std::uint32_t> seed);  // np.random.seed([...]): init_by_array; throws when empty

  std::uint32_t uint32();
  double random_sample();  // [0, 1), 53 bits
  template <typename T>
  void fill_random_sample(std::span<T> numbers);  // the same numbers as calls of random_sample(), in T
  double uniform(double low, double high);        // low + (high - low) * random_sample()
  double randn();
  double normal(double loc, double scale);                    // loc + scale * randn()
  std::int64_t randint(std::int64_t low, std::int64_t high);  // [low, high), masked rejection; throws when empty
  std::vector<std::int64_t> permutation(std::size_t n);       // Fisher-Yates from the end

  // The position in the stream: the 32-bit words drawn since seeding, and whether a gaussian is kept for the next
  // randn.
  std::uint64_t words() const { return words_; }
  bool has_gauss() const { return gauss_.has_value(); }

 private:
  void twist();
  std::uint64_t interval(std::uint64_t max);

  std::array<std::uint32_t, 624> state_;
  std::size_t next_ = 624;
  std::uint64_t words_ = 0;
  std::optional<double> gauss_;
};

// crc32 (IEEE 802.3, reflected) of `bytes`.
std::uint32_t crc32(std::string_view bytes);

// The seed of a token's vector: crc32 of its UTF-8 XOR `seed`. The token is assumed to be in NFC.
std::uint32_t token_seed(std::string_view token, std::uint32_t seed);

}  // namespace attn
