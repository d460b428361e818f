// Dropout of numbers by a uniform draw, one vector of lanes at a time.
#include "kernels/dropout.hpp"

#include "kernels/lanes.hpp"

namespace attn::kernels {

template <typename T>
void dropout(T p, T keep, const T* x, const T* u, T* y, std::size_t count) {
  const Lanes<T> limit = splat(p), divisor = splat(keep);
  for (std::size_t i = 0; i < count; i += kLanes<T>) {
    const Lanes<T> kept = load_partial(x + i, count - i) / divisor;
    store_partial(y + i, load_partial(u + i, count - i) > limit ? kept : Lanes<T>{}, count - i);
  }
}

template <typename T>
void dropout_backward_add(T p, T keep, const T* dy, const T* u, T* dx, std::size_t count) {
  const Lanes<T> limit = splat(p), divisor = splat(keep);
  for (std::size_t i = 0; i < count; i += kLanes<T>) {
    const Lanes<T> before = load_partial(dx + i, count - i);
    const Lanes<T> added = before + load_partial(dy + i, count - i) / divisor;
    store_partial(dx + i, load_partial(u + i, count - i) > limit ? added : before, count - i);
  }
}

template void dropout(float, float, const float*, const float*, float*, std::size_t);
template void dropout(double, double, const double*, const double*, double*, std::size_t);
template void dropout_backward_add(float, float, const float*, const float*, float*, std::size_t);
template void dropout_backward_add(double, double, const double*, const double*, double*, std::size_t);

}  // namespace attn::kernels
