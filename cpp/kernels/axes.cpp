// Traversal of one or several strided views of memory in row-major order.
#include "kernels/axes.hpp"

#include <algorithm>

namespace attn::kernels {
namespace {

// Whether two adjacent axes are contiguous in every view, so that one axis can replace them.
template <std::size_t kViews>
bool can_merge(const Axis<kViews>& outer, const Axis<kViews>& inner) {
  for (std::size_t view = 0; view < kViews; ++view)
    if (outer.view_strides[view] != inner.view_strides[view] * inner.size) return false;
  return true;
}

}  // namespace

template <std::size_t kViews>
Axes<kViews>::Axes(std::span<const std::size_t> sizes, const Strides& strides) {
  std::size_t cells = 1;
  for (std::size_t size : sizes) cells *= size;
  empty_ = cells == 0;
  for (std::size_t i = 0; i < sizes.size() && !empty_; ++i) {
    cells /= sizes[i];
    if (sizes[i] == 1) continue;
    Axis<kViews> axis{sizes[i], cells, {}};
    for (std::size_t view = 0; view < kViews; ++view) axis.view_strides[view] = strides[view][i];
    if (count_ > 0 && can_merge(axes_[count_ - 1], axis)) axis.size *= axes_[--count_].size;
    axes_[count_] = axis;
    index_[count_++] = 0;
  }
}

template <std::size_t kViews>
void Axes<kViews>::remove(std::size_t axis) {
  std::copy(axes_.begin() + axis + 1, axes_.begin() + count_, axes_.begin() + axis);
  --count_;
}

template <std::size_t kViews>
bool Axes<kViews>::next() {
  for (std::size_t i = count_; i-- > 0;) {
    const Axis<kViews>& axis = axes_[i];
    const bool wraps = ++index_[i] == axis.size;
    const std::size_t wrapped = wraps ? axis.size : 0;
    offset += axis.stride - axis.stride * wrapped;
    for (std::size_t view = 0; view < kViews; ++view)
      view_offsets[view] += axis.view_strides[view] - axis.view_strides[view] * wrapped;
    if (!wraps) return true;
    index_[i] = 0;
  }
  return false;
}

template class Axes<1>;
template class Axes<2>;

}  // namespace attn::kernels
