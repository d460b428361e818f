// Two tensors cell by cell, each read through strides.
#include "kernels/arithmetic.hpp"

#include <vector>

namespace attn::kernels {
namespace {

// Calls visit(place in the output, place in a, place in b) for every cell in row-major order.
template <typename Visit>
void each_pair(const PairView& view, Visit visit) {
  const std::size_t rank = view.sizes.size();
  for (std::size_t size : view.sizes)
    if (size == 0) return;
  const std::size_t length = rank == 0 ? 1 : view.sizes[rank - 1];
  const std::size_t a_step = rank == 0 ? 0 : view.a_strides[rank - 1];
  const std::size_t b_step = rank == 0 ? 0 : view.b_strides[rank - 1];
  std::vector<std::size_t> index(rank, 0);
  std::size_t place = 0;
  std::size_t a = 0;
  std::size_t b = 0;
  while (true) {
    if (a_step == 1 && b_step == 1) {  // the common case, in a form that compilers make wide
      for (std::size_t i = 0; i < length; ++i) visit(place + i, a + i, b + i);
    } else {
      for (std::size_t i = 0; i < length; ++i) visit(place + i, a + i * a_step, b + i * b_step);
    }
    place += length;
    // To the next row, carrying into the outer axes.
    std::size_t axis = rank;
    while (true) {
      if (axis <= 1) return;
      --axis;
      a += view.a_strides[axis - 1];
      b += view.b_strides[axis - 1];
      if (++index[axis - 1] < view.sizes[axis - 1]) break;
      index[axis - 1] = 0;
      a -= view.a_strides[axis - 1] * view.sizes[axis - 1];
      b -= view.b_strides[axis - 1] * view.sizes[axis - 1];
    }
  }
}

// Calls visit with the three functions that `operation` names: of a and b, and its derivatives by both.
template <typename T, typename Visit>
void with(Arithmetic operation, Visit visit) {
  const auto one = [](T, T) { return T(1); };
  switch (operation) {
    case Arithmetic::add:
      return visit([](T a, T b) { return a + b; }, one, one);
    case Arithmetic::subtract:
      return visit([](T a, T b) { return a - b; }, one, [](T, T) { return T(-1); });
    case Arithmetic::multiply:
      return visit([](T a, T b) { return a * b; }, [](T, T b) { return b; }, [](T a, T) { return a; });
    case Arithmetic::divide:
      return visit([](T a, T b) { return a / b; }, [](T, T b) { return 1 / b; }, [](T a, T b) { return -a / b / b; });
  }
}

}  // namespace

template <typename T>
void arithmetic(Arithmetic operation, const T* a, const T* b, PairView view, T* out) {
  with<T>(operation, [&](auto value, auto, auto) {
    each_pair(view,
              [&](std::size_t place, std::size_t in_a, std::size_t in_b) { out[place] = value(a[in_a], b[in_b]); });
  });
}

template <typename T>
void arithmetic_backward(Arithmetic operation, const T* a, const T* b, PairView view, const T* out_gradient,
                         T* a_gradient, T* b_gradient) {
  with<T>(operation, [&](auto, auto by_a, auto by_b) {
    each_pair(view, [&](std::size_t place, std::size_t in_a, std::size_t in_b) {
      const T upstream = out_gradient[place];
      if (a_gradient) a_gradient[in_a] += upstream * by_a(a[in_a], b[in_b]);
      if (b_gradient) b_gradient[in_b] += upstream * by_b(a[in_a], b[in_b]);
    });
  });
}

template void arithmetic<float>(Arithmetic, const float*, const float*, PairView, float*);
template void arithmetic<double>(Arithmetic, const double*, const double*, PairView, double*);
template void arithmetic_backward<float>(Arithmetic, const float*, const float*, PairView, const float*, float*,
                                         float*);
template void arithmetic_backward<double>(Arithmetic, const double*, const double*, PairView, const double*, double*,
                                          double*);

}  // namespace attn::kernels
