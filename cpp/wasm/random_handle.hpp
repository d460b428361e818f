// NumPy's legacy generator as JavaScript holds it, and the vectors of words.
#pragma once

#include <vector>

#include "tensor/random.hpp"
#include "wasm/values.hpp"

namespace attn {

// Owned by JavaScript, which ends it with delete(). Draws are Float64Arrays, exact for integers.
class RandomHandle {
 public:
  // A draw may take `max_bytes`, in doubles.
  RandomHandle(const RandomState& state, double max_bytes);
  ~RandomHandle();
  RandomHandle(const RandomHandle&) = delete;
  RandomHandle& operator=(const RandomHandle&) = delete;

  // `count` draws of "uint32", "random_sample", "uniform" (a, b), "randn", "normal" (a, b) or "randint" (a, b), each divided
  // by `divisor`, or by its square root. Throws InputError, also for an empty range, and MemoryError.
  js::Cells draw(js::Text method, double count, double a, double b, double divisor, bool by_root);
  js::Cells permutation(double count);
  double words();
  bool has_gauss();

  // Throws MemoryError when a draw of `count` takes more than this generator may.
  void check_room(double count) const;
  RandomState& state() { return state_; }

 private:
  std::vector<double> room_for(double count) const;

  RandomState state_;
  double max_bytes_;
};

// One vector per token, each randn(dim) of a generator seeded with its token_seed. Tokens are UTF-8 bytes in NFC. The graph
// that keeps the vectors has granted their memory.
js::Cells token_vectors(js::Given tokens, double seed, double dim);
double token_seed_of(js::Text token, double seed);

}  // namespace attn
