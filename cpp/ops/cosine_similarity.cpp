// Cosine of the angle between rows.
#include "ops/cosine_similarity.hpp"

#include <cmath>
#include <type_traits>

#include "kernels/gradient_sums.hpp"

namespace attn {
namespace {

// The dot product of two rows, and their lengths.
struct Angle {
  double dot = 0, a_length = 0, b_length = 0;

  template <typename A, typename B>
  Angle(const A& a, const B& b, std::size_t width) {
    for (std::size_t k = 0; k < width; ++k) {
      dot += static_cast<double>(a(k)) * b(k);
      a_length += static_cast<double>(a(k)) * a(k);
      b_length += static_cast<double>(b(k)) * b(k);
    }
    a_length = std::sqrt(a_length);
    b_length = std::sqrt(b_length);
  }

  bool has_zero_row() const { return a_length == 0 || b_length == 0; }
  double cosine() const { return has_zero_row() ? 0 : dot / (a_length * b_length); }

  // d(cosine) / d(a[k]); exchange the two rows for the derivative with respect to b.
  double slope(double own, double other, bool with_respect_to_a) const {
    if (has_zero_row()) return 0;
    const double length = with_respect_to_a ? a_length : b_length;
    return other / (a_length * b_length) - cosine() * own / (length * length);
  }
};

// The row of a or b from which a cell of the output is computed.
struct CellRow {
  CellRow(const CellView& view, const Index& index)
      : cells(view), first(broadcast_index(leading_axes(view.shape(), 1), index)) {
    const std::size_t width = view.shape().back();
    start = offset_of(leading_axes(view.shape(), 1), first) * width;
    first.push_back(0);
  }

  double operator()(std::size_t k) const { return cells.at(start + k); }

  const CellView& cells;
  Index first;
  std::size_t start = 0;
};

template <typename T>
class CosineSimilarity final : public Op<T> {
 public:
  std::string_view name() const override { return "cosine_similarity"; }

  // Counts the dot products, the lengths of all rows, and for each cell a product of two lengths and a division.
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    return 2 * (cell_count(output) * (inputs[0].back() + 1) + cell_count(inputs[0]) + cell_count(inputs[1]));
  }

  Shape shape(std::span<const Shape> inputs) const override {
    static constexpr const char* kNames[] = {"a", "b"};
    for (std::size_t i = 0; i < 2; ++i)
      if (inputs[i].empty()) refuse_shape("cosine_similarity", kNames[i], inputs[i], "at least one axis");
    if (inputs[1].back() != inputs[0].back())
      refuse_shape("cosine_similarity", "b", inputs[1],
                   std::to_string(inputs[0].back()) + " columns to match a " + to_string(inputs[0]));
    return broadcast(leading_axes(inputs[0], 1), leading_axes(inputs[1], 1), "cosine_similarity", "rows of b");
  }

  void prepare(std::span<const Shape> inputs, const Shape& rows) override {
    a_rows_ = BatchOffsets(leading_axes(inputs[0], 1), rows, inputs[0].back());
    b_rows_ = BatchOffsets(leading_axes(inputs[1], 1), rows, inputs[1].back());
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    each_pair(inputs, output.size(),
              [&](std::size_t row, const T*, const T*, std::size_t, std::size_t, const Angle& angle) {
                output.data()[row] = static_cast<T>(angle.cosine());
              });
  }

  std::uint64_t scratch_bytes(std::span<const Shape> inputs) const override {
    if (std::is_same_v<T, double>) return 0;
    std::uint64_t floats = 0;
    for (const Shape& input : inputs) floats += kernels::floats_of_sums(cell_count(input));
    return floats * sizeof(T);
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T> scratch) const override {
    // The accumulators of a gradient: a row is in as many pairs as the other input has rows.
    T* sums[] = {nullptr, nullptr};
    for (std::size_t input = 0; input < 2; ++input) {
      if (!input_gradients[input]) continue;
      if constexpr (std::is_same_v<T, double>) {
        sums[input] = input_gradients[input]->data();
      } else {
        sums[input] = input == 0 ? scratch.data() : scratch.data() + kernels::floats_of_sums(inputs[0]->size());
        kernels::begin_sums(input_gradients[input]->data(), inputs[input]->size(), sums[input]);
      }
    }
    const std::size_t width = inputs[0]->shape().back();
    each_pair(inputs, output_gradient.size(),
              [&](std::size_t row, const T* a, const T* b, std::size_t in_a, std::size_t in_b, const Angle& angle) {
                const T upstream = output_gradient.data()[row];
                const auto add = [&](std::size_t input, std::size_t cell, double slope) {
                  if (sums[input]) kernels::add_to_sum(sums[input], cell, static_cast<T>(upstream * slope));
                };
                for (std::size_t k = 0; k < width; ++k) {
                  add(0, in_a + k, angle.slope(a[k], b[k], true));
                  add(1, in_b + k, angle.slope(b[k], a[k], false));
                }
              });
    if constexpr (std::is_same_v<T, float>)
      for (std::size_t input = 0; input < 2; ++input)
        if (sums[input]) kernels::end_sums(sums[input], inputs[input]->size(), input_gradients[input]->data());
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const CellRow a(inputs[0], index);
    const CellRow b(inputs[1], index);
    const std::size_t width = inputs[0].shape().back();
    const Angle angle(a, b, width);
    TermList a_terms, b_terms, products;
    Index in_a = a.first, in_b = b.first;
    for (std::size_t k = 0; k < width; ++k) {
      in_a.back() = in_b.back() = k;
      a_terms.add(0, in_a, a(k));
      b_terms.add(1, in_b, b(k));
      products.add(a(k) * b(k));
    }
    if (width > 0) {
      explanation.source(0, a.first, in_a);
      explanation.source(1, b.first, in_b);
    }
    a_terms.move_into(explanation.row("row").gives(angle.a_length), false);
    b_terms.move_into(explanation.row("column").gives(angle.b_length), false);
    products.move_into(explanation.row("products").gives(angle.dot), true);
    explanation.row("lengths").term(angle.a_length).term(angle.b_length).gives(angle.a_length * angle.b_length);
    explanation.row(angle.has_zero_row() ? "zero" : "quotient").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    for (const Index& cell :
         BroadcastReaders(leading_axes(inputs[input].shape(), 1), leading_axes(index, 1), output.shape())) {
      const CellRow a(inputs[0], cell);
      const CellRow b(inputs[1], cell);
      const double in_a = a(index.back());
      const double in_b = b(index.back());
      const bool with_respect_to_a = input == 0;
      const Angle angle(a, b, inputs[0].shape().back());
      contributions.add(
          cell, angle.slope(with_respect_to_a ? in_a : in_b, with_respect_to_a ? in_b : in_a, with_respect_to_a));
    }
  }

 private:
  // Calls visit(row of the output, row of a, row of b, their offsets, their angle) for every cell of the output.
  template <typename Visit>
  void each_pair(Inputs<T> inputs, std::size_t rows, Visit visit) const {
    const std::size_t width = inputs[0]->shape().back();
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t in_a = a_rows_[row];
      const std::size_t in_b = b_rows_[row];
      const T* a = inputs[0]->data() + in_a;
      const T* b = inputs[1]->data() + in_b;
      visit(row, a, b, in_a, in_b,
            Angle([&](std::size_t k) { return a[k]; }, [&](std::size_t k) { return b[k]; }, width));
    }
  }

  BatchOffsets a_rows_, b_rows_;
};

}  // namespace

template <typename T>
Tensor<T> cosine_similarity(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<CosineSimilarity<T>>(), {a, b}, std::move(name));
}

template Tensor<float> cosine_similarity(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> cosine_similarity(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
