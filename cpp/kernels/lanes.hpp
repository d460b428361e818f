// Vectors of 16 bytes: the width of WebAssembly's SIMD registers, which every 64-bit processor has too. This is the
// only file that names SIMD instructions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace attn::kernels {

template <typename T>
struct Vector {
  typedef T Type __attribute__((vector_size(16)));
};

// A vector of floats or doubles, and the number of its lanes.
template <typename T>
using Lanes = typename Vector<T>::Type;

template <typename T>
inline constexpr std::size_t kLanes = 16 / sizeof(T);

// Loads and stores need no alignment.
template <typename T>
Lanes<T> load(const T* from) {
  Lanes<T> lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

template <typename T>
void store(T* to, const Lanes<T>& lanes) {
  std::memcpy(to, &lanes, sizeof(lanes));
}

// A vector with x in every lane.
inline Lanes<float> splat(float x) { return Lanes<float>{x, x, x, x}; }
inline Lanes<double> splat(double x) { return Lanes<double>{x, x}; }

// Whether multiply_add compiles to a single instruction for floats.
#ifdef __wasm_relaxed_simd__
inline constexpr bool kFusedMultiplyAdd = true;
#else
inline constexpr bool kFusedMultiplyAdd = false;
#endif

// a b + sum in every lane. Only the float version may fuse the multiplication and the addition: doubles give the same
// bits in every build and engine.
inline Lanes<double> multiply_add(const Lanes<double>& a, const Lanes<double>& b, const Lanes<double>& sum) {
  return sum + a * b;
}

inline Lanes<float> multiply_add(const Lanes<float>& a, const Lanes<float>& b, const Lanes<float>& sum) {
#ifdef __wasm_relaxed_simd__
  return (Lanes<float>)wasm_f32x4_relaxed_madd((v128_t)a, (v128_t)b, (v128_t)sum);
#else
  return sum + a * b;
#endif
}

#ifdef __wasm_simd128__
inline Lanes<float> sqrt(const Lanes<float>& x) { return (Lanes<float>)wasm_f32x4_sqrt((v128_t)x); }
inline Lanes<double> sqrt(const Lanes<double>& x) { return (Lanes<double>)wasm_f64x2_sqrt((v128_t)x); }
#else
inline Lanes<float> sqrt(const Lanes<float>& x) {
  return Lanes<float>{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
}
inline Lanes<double> sqrt(const Lanes<double>& x) { return Lanes<double>{std::sqrt(x[0]), std::sqrt(x[1])}; }
#endif

// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
template <typename T, std::size_t kCount>
Lanes<T> polynomial(const Lanes<T>& x, const T (&c)[kCount]) {
  Lanes<T> sum = splat(c[kCount - 1]);
  for (std::size_t k = kCount - 1; k-- > 0;) sum = multiply_add(sum, x, splat(c[k]));
  return sum;
}

// The bits of the lanes as unsigned integers of the same width, and the inverse.
template <typename T>
using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

inline Lanes<std::uint32_t> bits(const Lanes<float>& x) { return (Lanes<std::uint32_t>)x; }
inline Lanes<std::uint64_t> bits(const Lanes<double>& x) { return (Lanes<std::uint64_t>)x; }
inline Lanes<float> from_bits(const Lanes<std::uint32_t>& x) { return (Lanes<float>)x; }
inline Lanes<double> from_bits(const Lanes<std::uint64_t>& x) { return (Lanes<double>)x; }

// absolute(x) = |x|; with_sign(magnitude, x) = the non-negative `magnitude` with the sign of x.
template <typename T>
inline constexpr Word<T> kSignBit = Word<T>(1) << (8 * sizeof(T) - 1);

inline Lanes<float> absolute(const Lanes<float>& x) { return from_bits(bits(x) & ~kSignBit<float>); }
inline Lanes<double> absolute(const Lanes<double>& x) { return from_bits(bits(x) & ~kSignBit<double>); }
inline Lanes<float> with_sign(const Lanes<float>& magnitude, const Lanes<float>& x) {
  return from_bits(bits(magnitude) | (bits(x) & kSignBit<float>));
}
inline Lanes<double> with_sign(const Lanes<double>& magnitude, const Lanes<double>& x) {
  return from_bits(bits(magnitude) | (bits(x) & kSignBit<double>));
}

// at_most is min(x, bound) and at_least is max(x, bound); a NaN in x stays NaN. Each compiles to one instruction.
inline Lanes<float> at_most(const Lanes<float>& x, float bound) { return splat(bound) < x ? splat(bound) : x; }
inline Lanes<double> at_most(const Lanes<double>& x, double bound) { return splat(bound) < x ? splat(bound) : x; }
inline Lanes<float> at_least(const Lanes<float>& x, float bound) { return x < splat(bound) ? splat(bound) : x; }
inline Lanes<double> at_least(const Lanes<double>& x, double bound) { return x < splat(bound) ? splat(bound) : x; }

// load_partial reads the first `count` lanes from memory and sets the other lanes to `fill`; store_partial writes the
// first `count` lanes. A count of kLanes or more means all lanes.
template <typename T>
Lanes<T> load_partial(const T* from, std::size_t count, T fill = 0) {
  if (count >= kLanes<T>) return load(from);
  Lanes<T> lanes = splat(fill);
  // There is no loop, because a lane with a constant index is accessed in one instruction.
  if (count > 0) lanes[0] = from[0];
  if constexpr (kLanes<T> > 2) {
    if (count > 1) lanes[1] = from[1];
    if (count > 2) lanes[2] = from[2];
  }
  return lanes;
}

template <typename T>
void store_partial(T* to, const Lanes<T>& lanes, std::size_t count) {
  if (count >= kLanes<T>) return store(to, lanes);
  if (count > 0) to[0] = lanes[0];
  if constexpr (kLanes<T> > 2) {
    if (count > 1) to[1] = lanes[1];
    if (count > 2) to[2] = lanes[2];
  }
}

// The same for numbers that are `stride` apart in memory.
template <typename T>
Lanes<T> load_strided(const T* from, std::size_t stride, std::size_t count, T fill = 0) {
  if (stride == 1) return load_partial(from, count, fill);
  Lanes<T> lanes = splat(fill);
  if (count > 0) lanes[0] = from[0];
  if (count > 1) lanes[1] = from[stride];
  if constexpr (kLanes<T> > 2) {
    if (count > 2) lanes[2] = from[2 * stride];
    if (count > 3) lanes[3] = from[3 * stride];
  }
  return lanes;
}

template <typename T>
void store_strided(T* to, std::size_t stride, const Lanes<T>& lanes, std::size_t count) {
  if (stride == 1) return store_partial(to, lanes, count);
  if (count > 0) to[0] = lanes[0];
  if (count > 1) to[stride] = lanes[1];
  if constexpr (kLanes<T> > 2) {
    if (count > 2) to[2 * stride] = lanes[2];
    if (count > 3) to[3 * stride] = lanes[3];
  }
}

// Sets all lanes after the first `count` to 0.
template <typename T>
void zero_after(Lanes<T>& lanes, std::size_t count) {
  for (std::size_t i = count; i < kLanes<T>; ++i) lanes[i] = 0;
}

// The lower and the upper half of the lanes, converted to double.
inline Lanes<double> low_half(const Lanes<float>& x) {
  return __builtin_convertvector(__builtin_shufflevector(x, x, 0, 1), Lanes<double>);
}
inline Lanes<double> high_half(const Lanes<float>& x) {
  return __builtin_convertvector(__builtin_shufflevector(x, x, 2, 3), Lanes<double>);
}

// The sum of all lanes.
inline float total(const Lanes<float>& x) { return (x[0] + x[2]) + (x[1] + x[3]); }
inline double total(const Lanes<double>& x) { return x[0] + x[1]; }

// The largest of all lanes, none of which may be NaN.
inline float largest_lane(const Lanes<float>& x) {
  const float a = x[1] > x[0] ? x[1] : x[0];
  const float b = x[3] > x[2] ? x[3] : x[2];
  return b > a ? b : a;
}
inline double largest_lane(const Lanes<double>& x) { return x[1] > x[0] ? x[1] : x[0]; }

// Transposes a square block in place: rows[i][j] and rows[j][i] are exchanged.
inline void transpose(Lanes<double> (&rows)[2]) {
  const Lanes<double> first = __builtin_shufflevector(rows[0], rows[1], 0, 2);
  rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 3);
  rows[0] = first;
}

inline void transpose(Lanes<float> (&rows)[4]) {
  const Lanes<float> a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
  const Lanes<float> b = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
  const Lanes<float> c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const Lanes<float> d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  rows[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

}  // namespace attn::kernels
