// Elementwise arithmetic on two tensors read through strides, one vector of lanes at a time.
#include "kernels/arithmetic.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/lanes.hpp"
#include "kernels/runs.hpp"
#include "kernels/strided.hpp"
#include "kernels/sum_terms.hpp"

namespace attn::kernels {
namespace {

// d(min(a, b)) / d(a): 0 where a > b, 1/2 where a = b, else 1. With exchanged arguments, minimum_derivative(b, a) is
// d(max(a, b)) / d(a).
template <typename V>
V minimum_derivative(const V& a, const V& b) {
  const V one = V{} + 1;
  return b < a ? V{} : (a == b ? one / 2 : one);
}

// Calls visit(f, df_da, df_db) with three functions of (a, b): the operation and its two partial derivatives.
template <Arithmetic kOperation, typename T, typename Visit>
void visit_functions(Visit visit) {
  using V = Lanes<T>;
  const auto one = [](const V&, const V&) { return splat(T(1)); };
  if constexpr (kOperation == Arithmetic::add) {
    visit([](const V& a, const V& b) { return a + b; }, one, one);
  } else if constexpr (kOperation == Arithmetic::subtract) {
    visit([](const V& a, const V& b) { return a - b; }, one, [](const V&, const V&) { return splat(T(-1)); });
  } else if constexpr (kOperation == Arithmetic::multiply) {
    visit([](const V& a, const V& b) { return a * b; }, [](const V&, const V& b) { return b; },
          [](const V& a, const V&) { return a; });
  } else if constexpr (kOperation == Arithmetic::divide) {
    visit([](const V& a, const V& b) { return a / b; }, [](const V&, const V& b) { return splat(T(1)) / b; },
          [](const V& a, const V& b) { return -a / b / b; });
  } else if constexpr (kOperation == Arithmetic::minimum) {
    visit([](const V& a, const V& b) { return ((a < b) | (a != a)) ? a : b; },
          [](const V& a, const V& b) { return minimum_derivative(a, b); },
          [](const V& a, const V& b) { return minimum_derivative(b, a); });
  } else {
    visit([](const V& a, const V& b) { return ((b < a) | (a != a)) ? a : b; },
          [](const V& a, const V& b) { return minimum_derivative(b, a); },
          [](const V& a, const V& b) { return minimum_derivative(a, b); });
  }
}

// Calls visit(i, count, stride in a, stride in b) for the cells of a run, one vector of lanes at a time. Where both
// inputs are contiguous, count and strides are constants, which pays off when `visit` is inlined.
template <typename T, typename Visit>
void for_each_vector(const Run<2>& run, Visit visit) {
  std::size_t i = 0;
  if (run.view_strides[0] == 1 && run.view_strides[1] == 1)
    for (; i + kLanes<T> <= run.count; i += kLanes<T>) visit(i, kLanes<T>, 1, 1);
  for (; i < run.count; i += kLanes<T>) visit(i, run.count - i, run.view_strides[0], run.view_strides[1]);
}

// Loads up to kLanes numbers that are `stride` apart. A stride of 0 loads one number into every lane.
template <typename T>
Lanes<T> load_or_splat(const T* from, std::size_t stride, std::size_t count) {
  return stride == 0 ? splat(*from) : load_strided(from, stride, count);
}

// to[i stride] += lanes[i] for i < count. With a stride of 0 the lanes are added to one cell, one after another.
template <typename T>
void add_strided(T* to, std::size_t stride, const Lanes<T>& lanes, std::size_t count) {
  if (stride == 1) return store_partial(to, load_partial(to, count) + lanes, count);
  for (std::size_t i = 0; i < std::min(count, kLanes<T>); ++i) to[i * stride] += lanes[i];
}

// Whether the view repeats cells, so that several cells of the output read the same cell.
bool is_broadcast(View view) {
  for (std::size_t axis = 0; axis < view.sizes.size(); ++axis)
    if (view.sizes[axis] > 1 && view.strides[axis] == 0) return true;
  return false;
}

// Adds d(loss)/d(a), or d(loss)/d(b) if `for_b`, for an input that is broadcast. The sum is accumulated in double,
// because a running sum of floats would lose digits.
template <Arithmetic kOperation>
void add_broadcast_gradient(bool for_b, const float* a, const float* b, PairView view, const float* out_gradient,
                            float* gradient) {
  const std::size_t a_view = for_b ? 1 : 0;  // the input with the gradient is the first view, to which sum_terms() adds
  const std::size_t b_view = 1 - a_view;
  Axes<2>::Strides strides;
  strides[a_view] = view.a_strides;
  strides[b_view] = view.b_strides;
  sum_terms<2>(view.sizes, strides, gradient, [&](const CellOffsets<2>& cell, const Axis<2>& axis, std::size_t count) {
    const Lanes<float> x = load_or_splat(a + cell.view_offsets[a_view], axis.view_strides[a_view], count);
    const Lanes<float> y = load_or_splat(b + cell.view_offsets[b_view], axis.view_strides[b_view], count);
    Lanes<float> terms = load_strided(out_gradient + cell.offset, axis.stride, count);
    visit_functions<kOperation, float>(
        [&](auto, auto df_da, auto df_db) { terms *= for_b ? df_db(x, y) : df_da(x, y); });
    return terms;
  });
}

}  // namespace

template <Arithmetic kOperation, typename T>
void arithmetic(const T* a, const T* b, PairView view, T* out) {
  visit_functions<kOperation, T>([&](auto value, auto, auto) {
    for_each_run<2>(view.sizes, {view.a_strides, view.b_strides}, [&](const Run<2>& run) {
      for_each_vector<T>(run, [&](std::size_t i, std::size_t count, std::size_t stride_a,
                                  std::size_t stride_b) __attribute__((always_inline)) {
        store_partial(out + run.offset + i,
                      value(load_or_splat(a + run.view_offsets[0] + i * stride_a, stride_a, count),
                            load_or_splat(b + run.view_offsets[1] + i * stride_b, stride_b, count)),
                      count);
      });
    });
  });
}

template <Arithmetic kOperation, typename T>
void arithmetic_backward(const T* a, const T* b, PairView view, const T* out_gradient, T* a_gradient, T* b_gradient) {
  // Doubles are always added in the order of the loop below.
  if constexpr (std::is_same_v<T, float>) {
    if (a_gradient && is_broadcast({view.sizes, view.a_strides})) {
      add_broadcast_gradient<kOperation>(false, a, b, view, out_gradient, a_gradient);
      a_gradient = nullptr;
    }
    if (b_gradient && is_broadcast({view.sizes, view.b_strides})) {
      add_broadcast_gradient<kOperation>(true, a, b, view, out_gradient, b_gradient);
      b_gradient = nullptr;
    }
    if (!a_gradient && !b_gradient) return;
  }
  visit_functions<kOperation, T>([&](auto, auto df_da, auto df_db) {
    for_each_run<2>(view.sizes, {view.a_strides, view.b_strides}, [&](const Run<2>& run) {
      for_each_vector<T>(run, [&](std::size_t i, std::size_t count, std::size_t stride_a, std::size_t stride_b)
                                  __attribute__((always_inline)) {
                                    const std::size_t a_offset = run.view_offsets[0] + i * stride_a;
                                    const std::size_t b_offset = run.view_offsets[1] + i * stride_b;
                                    const Lanes<T> upstream = load_partial(out_gradient + run.offset + i, count);
                                    const Lanes<T> x = load_or_splat(a + a_offset, stride_a, count);
                                    const Lanes<T> y = load_or_splat(b + b_offset, stride_b, count);
                                    if (a_gradient)
                                      add_strided(a_gradient + a_offset, stride_a, upstream * df_da(x, y), count);
                                    if (b_gradient)
                                      add_strided(b_gradient + b_offset, stride_b, upstream * df_db(x, y), count);
                                  });
    });
  });
}

template void arithmetic<Arithmetic::add>(const float*, const float*, PairView, float*);
template void arithmetic_backward<Arithmetic::add>(const float*, const float*, PairView, const float*, float*, float*);
template void arithmetic<Arithmetic::add>(const double*, const double*, PairView, double*);
template void arithmetic_backward<Arithmetic::add>(const double*, const double*, PairView, const double*, double*,
                                                   double*);
template void arithmetic<Arithmetic::subtract>(const float*, const float*, PairView, float*);
template void arithmetic_backward<Arithmetic::subtract>(const float*, const float*, PairView, const float*, float*,
                                                        float*);
template void arithmetic<Arithmetic::subtract>(const double*, const double*, PairView, double*);
template void arithmetic_backward<Arithmetic::subtract>(const double*, const double*, PairView, const double*, double*,
                                                        double*);
template void arithmetic<Arithmetic::multiply>(const float*, const float*, PairView, float*);
template void arithmetic_backward<Arithmetic::multiply>(const float*, const float*, PairView, const float*, float*,
                                                        float*);
template void arithmetic<Arithmetic::multiply>(const double*, const double*, PairView, double*);
template void arithmetic_backward<Arithmetic::multiply>(const double*, const double*, PairView, const double*, double*,
                                                        double*);
template void arithmetic<Arithmetic::divide>(const float*, const float*, PairView, float*);
template void arithmetic_backward<Arithmetic::divide>(const float*, const float*, PairView, const float*, float*,
                                                      float*);
template void arithmetic<Arithmetic::divide>(const double*, const double*, PairView, double*);
template void arithmetic_backward<Arithmetic::divide>(const double*, const double*, PairView, const double*, double*,
                                                      double*);
template void arithmetic<Arithmetic::minimum>(const float*, const float*, PairView, float*);
template void arithmetic_backward<Arithmetic::minimum>(const float*, const float*, PairView, const float*, float*,
                                                       float*);
template void arithmetic<Arithmetic::minimum>(const double*, const double*, PairView, double*);
template void arithmetic_backward<Arithmetic::minimum>(const double*, const double*, PairView, const double*, double*,
                                                       double*);
template void arithmetic<Arithmetic::maximum>(const float*, const float*, PairView, float*);
template void arithmetic_backward<Arithmetic::maximum>(const float*, const float*, PairView, const float*, float*,
                                                       float*);
template void arithmetic<Arithmetic::maximum>(const double*, const double*, PairView, double*);
template void arithmetic_backward<Arithmetic::maximum>(const double*, const double*, PairView, const double*, double*,
                                                       double*);

}  // namespace attn::kernels
