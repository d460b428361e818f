// Dropout of numbers by a uniform draw. Both sides of a choice are computed, so that compilers use vectors.
#include "kernels/dropout.hpp"

namespace attn::kernels {

template <typename T>
void dropout(T p, T keep, const T* x, const T* u, T* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const T kept = x[i] / keep;
    y[i] = u[i] > p ? kept : T(0);
  }
}

template <typename T>
void dropout_backward_add(T p, T keep, const T* dy, const T* u, T* dx, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const T before = dx[i], added = before + dy[i] / keep;
    dx[i] = u[i] > p ? added : before;
  }
}

template void dropout(float, float, const float*, const float*, float*, std::size_t);
template void dropout(double, double, const double*, const double*, double*, std::size_t);
template void dropout_backward_add(float, float, const float*, const float*, float*, std::size_t);
template void dropout_backward_add(double, double, const double*, const double*, double*, std::size_t);

}  // namespace attn::kernels
