// The axes along which one or several strided views of memory are traversed in row-major order.
#include "kernels/axes.hpp"

#include <algorithm>

namespace attn::kernels {
namespace {

template <std::size_t kViews>
bool joins(const Axis<kViews>& outer, const Axis<kViews>& inner) {
  for (std::size_t view = 0; view < kViews; ++view)
    if (outer.seen[view] != inner.seen[view] * inner.size) return false;
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
    for (std::size_t view = 0; view < kViews; ++view) axis.seen[view] = strides[view][i];
    if (count_ > 0 && joins(list_[count_ - 1], axis)) axis.size *= list_[--count_].size;
    list_[count_] = axis;
    index_[count_++] = 0;
  }
}

template <std::size_t kViews>
void Axes<kViews>::remove(std::size_t axis) {
  std::copy(list_.begin() + axis + 1, list_.begin() + count_, list_.begin() + axis);
  --count_;
}

template <std::size_t kViews>
bool Axes<kViews>::next() {
  for (std::size_t axis = count_; axis-- > 0;) {
    const Axis<kViews>& along = list_[axis];
    const bool carries = ++index_[axis] == along.size;
    const std::size_t back = carries ? along.size : 0;
    place += along.place - along.place * back;
    for (std::size_t view = 0; view < kViews; ++view) seen[view] += along.seen[view] - along.seen[view] * back;
    if (!carries) return true;
    index_[axis] = 0;
  }
  return false;
}

template class Axes<1>;
template class Axes<2>;

}  // namespace attn::kernels
