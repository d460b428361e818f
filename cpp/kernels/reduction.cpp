// Sums along axes, accumulated in double.
#include "kernels/reduction.hpp"

#include "kernels/sum_terms.hpp"

namespace attn::kernels {

template <typename T>
void sum_add(const T* in, View view, T* out) {
  sum_terms<1>(view.sizes, {view.strides}, out,
               [in](const CellOffsets<1>& cell, const Axis<1>& axis, std::size_t count) {
                 return load_strided(in + cell.offset, axis.stride, count);
               });
}

template void sum_add<float>(const float*, View, float*);
template void sum_add<double>(const double*, View, double*);

}  // namespace attn::kernels
