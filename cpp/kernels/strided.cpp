// Numbers read through strides, a run of cells at a time.
#include "kernels/strided.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"
#include "kernels/runs.hpp"

namespace attn::kernels {
namespace {

// Calls visit(place, place in the view, step there, count) for all cells.
template <typename Visit>
void each_stretch(const View& view, Visit visit) {
  each_run<1>(view.sizes, {view.strides},
              [&](const Run<1>& run) { visit(run.place, run.start[0], run.step[0], run.count); });
}

template <typename T>
void add(const T* in, T* out, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kLanes<T>)
    store_some(out + i, load_some(out + i, count - i) + load_some(in + i, count - i), count - i);
}

}  // namespace

template <typename T>
void gather(const T* in, View view, T* out) {
  each_stretch(view, [&](std::size_t place, std::size_t seen, std::size_t step, std::size_t count) {
    if (step == 1) {
      std::copy_n(in + seen, count, out + place);
    } else {
      for (std::size_t i = 0; i < count; ++i) out[place + i] = in[seen + i * step];
    }
  });
}

template <typename T>
void gather_add(const T* in, View view, T* out) {
  each_stretch(view, [&](std::size_t place, std::size_t seen, std::size_t step, std::size_t count) {
    if (step == 1) return add(in + seen, out + place, count);
    for (std::size_t i = 0; i < count; ++i) out[place + i] += in[seen + i * step];
  });
}

template <typename T>
void scatter_add(const T* in, T* out, View view) {
  each_stretch(view, [&](std::size_t place, std::size_t seen, std::size_t step, std::size_t count) {
    if (step == 1) return add(in + place, out + seen, count);
    for (std::size_t i = 0; i < count; ++i) out[seen + i * step] += in[place + i];
  });
}

template <typename T>
void select(const T* keep, View view, const T* x, T fill, T* out) {
  each_stretch(view, [&](std::size_t place, std::size_t seen, std::size_t step, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[place + i] = keep[seen + i * step] != T(0) ? x[place + i] : fill;
  });
}

template <typename T>
void select_add(const T* keep, View view, const T* in, T* out) {
  each_stretch(view, [&](std::size_t place, std::size_t seen, std::size_t step, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (keep[seen + i * step] != T(0)) out[place + i] += in[place + i];
  });
}

template void gather<float>(const float*, View, float*);
template void gather<double>(const double*, View, double*);
template void gather_add<float>(const float*, View, float*);
template void gather_add<double>(const double*, View, double*);
template void scatter_add<float>(const float*, float*, View);
template void scatter_add<double>(const double*, double*, View);
template void select<float>(const float*, View, const float*, float, float*);
template void select<double>(const double*, View, const double*, double, double*);
template void select_add<float>(const float*, View, const float*, float*);
template void select_add<double>(const double*, View, const double*, double*);

}  // namespace attn::kernels
