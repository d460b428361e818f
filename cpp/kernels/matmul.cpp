// Matrix products: a tile of the output is kept in registers while k runs.
#include "kernels/matmul.hpp"

#include <cstring>

#ifdef __wasm_relaxed_simd__
#include <wasm_simd128.h>
#endif

namespace attn::kernels {
namespace {

// 16 bytes of T: the width that WebAssembly has, and every 64-bit processor.
template <typename T>
struct Vector {
  typedef T Type __attribute__((vector_size(16)));
  static constexpr std::size_t kLanes = 16 / sizeof(T);
};

template <typename T>
using Lanes = typename Vector<T>::Type;

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

// sum + a b in every lane. Only float may fuse the two: every build and engine gives the same double.
inline Lanes<double> multiply_add(double a, const Lanes<double>& b, const Lanes<double>& sum) { return sum + a * b; }

inline Lanes<float> multiply_add(float a, const Lanes<float>& b, const Lanes<float>& sum) {
#ifdef __wasm_relaxed_simd__
  return (Lanes<float>)wasm_f32x4_relaxed_madd(wasm_f32x4_splat(a), (v128_t)b, (v128_t)sum);
#else
  return sum + a * b;
#endif
}

constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileVectors = 2;  // 4 x 2 sums and 2 vectors of b fit in 16 registers

template <typename T, std::size_t kRows, std::size_t kVectors>
void tile(const T* a, std::size_t a_row, std::size_t a_column, const T* b, T* out, std::size_t m, std::size_t p) {
  constexpr std::size_t kLanes = Vector<T>::kLanes;
  Lanes<T> sum[kRows][kVectors];
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = load(out + i * p + v * kLanes);
  for (std::size_t k = 0; k < m; ++k) {
    Lanes<T> row[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = load(b + k * p + v * kLanes);
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t v = 0; v < kVectors; ++v)
        sum[i][v] = multiply_add(a[i * a_row + k * a_column], row[v], sum[i][v]);
  }
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t v = 0; v < kVectors; ++v) store(out + i * p + v * kLanes, sum[i][v]);
}

template <typename T, std::size_t kRows>
void rows_of_tiles(const T* a, std::size_t a_row, std::size_t a_column, const T* b, T* out, std::size_t m,
                   std::size_t p) {
  constexpr std::size_t kLanes = Vector<T>::kLanes;
  std::size_t j = 0;
  for (; j + kTileVectors * kLanes <= p; j += kTileVectors * kLanes)
    tile<T, kRows, kTileVectors>(a, a_row, a_column, b + j, out + j, m, p);
  for (; j + kLanes <= p; j += kLanes) tile<T, kRows, 1>(a, a_row, a_column, b + j, out + j, m, p);
  for (; j < p; ++j) {
    for (std::size_t i = 0; i < kRows; ++i) {
      T sum = out[i * p + j];
      for (std::size_t k = 0; k < m; ++k) sum += a[i * a_row + k * a_column] * b[k * p + j];
      out[i * p + j] = sum;
    }
  }
}

}  // namespace

template <typename T>
void matmul_add(const T* a, std::size_t a_row, std::size_t a_column, const T* b, T* out, std::size_t n, std::size_t m,
                std::size_t p) {
  std::size_t i = 0;
  for (; i + kTileRows <= n; i += kTileRows)
    rows_of_tiles<T, kTileRows>(a + i * a_row, a_row, a_column, b, out + i * p, m, p);
  for (; i < n; ++i) rows_of_tiles<T, 1>(a + i * a_row, a_row, a_column, b, out + i * p, m, p);
}

template <typename T>
void transpose(const T* in, T* out, std::size_t rows, std::size_t columns) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) out[j * rows + i] = in[i * columns + j];
}

template void matmul_add<float>(const float*, std::size_t, std::size_t, const float*, float*, std::size_t, std::size_t,
                                std::size_t);
template void matmul_add<double>(const double*, std::size_t, std::size_t, const double*, double*, std::size_t,
                                 std::size_t, std::size_t);
template void transpose<float>(const float*, float*, std::size_t, std::size_t);
template void transpose<double>(const double*, double*, std::size_t, std::size_t);

}  // namespace attn::kernels
