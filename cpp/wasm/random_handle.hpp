// NumPy's legacy generator as a JavaScript object, and the vectors of tokens.
#pragma once

#include <vector>

#include "tensor/random.hpp"
#include "wasm/values.hpp"

namespace attn {

// Owned by JavaScript, which must call delete(). Draws are returned as Float64Arrays, which are exact for integers.
class RandomHandle {
 public:
  // Each draw may take up to `max_bytes`, in doubles.
  RandomHandle(const RandomState& state, double max_bytes);
  ~RandomHandle();
  RandomHandle(const RandomHandle&) = delete;
  RandomHandle& operator=(const RandomHandle&) = delete;

  // `count` draws of "uint32", "random_sample", "uniform" (a, b), "randn", "normal" (a, b) or "randint" (a, b), each
  // divided by `divisor`, or by its square root. Throws InputError, also for an empty range, and MemoryError.
  js::Cells draw(js::Text method, double count, double a, double b, double divisor, bool divide_by_root);
  js::Cells permutation(double count);
  double words();
  bool has_gauss();

  // Throws MemoryError when a draw of `count` numbers takes more memory than this generator may use.
  void check_size(double count) const;
  RandomState& state() { return state_; }

 private:
  std::vector<double> checked_buffer(double count) const;

  RandomState state_;
  double max_bytes_;
};

// One vector per token, each drawn as randn(dim) with the generator's seed set to its token_seed. Tokens are UTF-8
// bytes in NFC. The caller has checked the memory with the graph that stores the vectors.
js::Cells token_vectors(js::Object tokens, double seed, double dim);

// The seed of a token's vector; see token_seed.
double token_seed_of(js::Text token, double seed);

}  // namespace attn
