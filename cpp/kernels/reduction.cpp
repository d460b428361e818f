// Numbers added up along axes, in double.
#include "kernels/reduction.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/axes.hpp"
#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// Numbers of rows that lie side by side in memory are added up in registers, as many as make a line of the cache.
constexpr std::size_t kColumns = 16;

// sums[c] += from[i row + c] for all rows i, one row after another, and kColumns columns c.
template <typename T>
void add_columns(const T* from, std::size_t row, std::size_t rows, double* sums) {
  constexpr std::size_t kVectors = kColumns / kLanes<double>;
  Lanes<double> own[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) own[v] = load(sums + v * kLanes<double>);
  for (std::size_t i = 0; i < rows; ++i, from += row) {
    if constexpr (std::is_same_v<T, float>) {
      for (std::size_t v = 0; v < kVectors; v += 2) {
        const Lanes<float> lanes = load(from + v * kLanes<double>);
        own[v] += low_half(lanes);
        own[v + 1] += high_half(lanes);
      }
    } else {
      for (std::size_t v = 0; v < kVectors; ++v) own[v] += load(from + v * kLanes<double>);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) store(sums + v * kLanes<double>, own[v]);
}

}  // namespace

template <typename T>
void sum_add(const T* in, View view, T* out) {
  constexpr std::size_t kSums = 4 * kColumns;  // neighbours in out that are added to together
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
        std::size_t c = 0;
        if (neighbours.place == 1)
          for (; c + kColumns <= count; c += kColumns) add_columns(from + c, run.place, run.size, sums + c);
        if (count == 1) {
          double sum = sums[0];  // in a register
          for (std::size_t i = 0; i < run.size; ++i) sum += from[i * run.place];
          sums[0] = sum;
        } else if (c < count) {
          for (std::size_t i = 0; i < run.size; ++i)
            for (std::size_t other = c; other < count; ++other)
              sums[other] += from[i * run.place + other * neighbours.place];
        }
      } while (terms.next());
      for (std::size_t c = 0; c < count; ++c) to[c * neighbours.seen[0]] = static_cast<T>(sums[c]);
    }
  } while (cells.next());
}

template void sum_add<float>(const float*, View, float*);
template void sum_add<double>(const double*, View, double*);

}  // namespace attn::kernels
