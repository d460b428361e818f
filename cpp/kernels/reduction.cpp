// Numbers added up along axes, in double.
#include "kernels/reduction.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/axes.hpp"
#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// sums[c] += from[c step] for `count` sums.
template <typename T>
void add_to_sums(const T* from, std::size_t step, double* sums, std::size_t count) {
  std::size_t c = 0;
  for (; step == 1 && c + kLanes<T> <= count; c += kLanes<T>) {
    const Lanes<T> lanes = load(from + c);
    if constexpr (std::is_same_v<T, float>) {
      store(sums + c, load(sums + c) + low_half(lanes));
      store(sums + c + 2, load(sums + c + 2) + high_half(lanes));
    } else {
      store(sums + c, load(sums + c) + lanes);
    }
  }
  for (; c < count; ++c) sums[c] += from[c * step];
}

}  // namespace

template <typename T>
void sum_add(const T* in, View view, T* out) {
  constexpr std::size_t kSums = 64;  // neighbours in out that are added to together
  // Of rows that are each added up to one number only a few are read side by side: they stay in the cache wherever they begin.
  constexpr std::size_t kRows = 8;
  Axes<1> cells(view.sizes, {view.strides});
  if (cells.empty()) return;
  Axes<1> terms = cells;  // of one cell
  for (std::size_t axis = cells.count(); axis-- > 0;) (cells[axis].seen[0] == 0 ? cells : terms).remove(axis);
  const Axis<1> neighbours = cells.pop();
  const Axis<1> run = terms.pop();
  const std::size_t most = run.place == 1 ? kRows : kSums;
  do {
    for (std::size_t first = 0; first < neighbours.size; first += most) {
      const std::size_t count = std::min(most, neighbours.size - first);
      T* to = out + cells.seen[0] + first * neighbours.seen[0];
      double sums[kSums];
      for (std::size_t c = 0; c < count; ++c) sums[c] = to[c * neighbours.seen[0]];
      do {
        const T* from = in + cells.place + first * neighbours.place + terms.place;
        if (count == 1) {
          double sum = sums[0];  // in a register
          for (std::size_t i = 0; i < run.size; ++i) sum += from[i * run.place];
          sums[0] = sum;
        } else {
          for (std::size_t i = 0; i < run.size; ++i) add_to_sums(from + i * run.place, neighbours.place, sums, count);
        }
      } while (terms.next());
      for (std::size_t c = 0; c < count; ++c) to[c * neighbours.seen[0]] = static_cast<T>(sums[c]);
    }
  } while (cells.next());
}

template void sum_add<float>(const float*, View, float*);
template void sum_add<double>(const double*, View, double*);

}  // namespace attn::kernels
