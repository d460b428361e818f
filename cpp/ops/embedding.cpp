// Rows of a table looked up by id.
#include "ops/embedding.hpp"

#include <algorithm>
#include <cmath>

#include "tensor/scratch_counts.hpp"

namespace attn {
namespace {

// For each row of a table, a linked list of the positions whose id selects it, ascending. Stored in scratch memory.
class PositionLists {
 public:
  static std::uint64_t bytes(std::uint64_t rows, std::uint64_t positions) {
    return ScratchCounts::bytes(rows + positions);
  }

  template <typename RowOf>
  PositionLists(ScratchCounts memory, std::size_t rows, std::size_t positions, RowOf row_of)
      : lists_(memory), rows_(rows) {
    for (std::size_t row = 0; row < rows; ++row) lists_.set(row, kNone);
    for (std::size_t position = positions; position-- > 0;) {
      const std::size_t row = row_of(position);
      lists_.set(rows + position, lists_[row]);
      lists_.set(row, position);
    }
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);  // ends a list
  std::size_t first(std::size_t row) const { return static_cast<std::size_t>(lists_[row]); }
  std::size_t next(std::size_t position) const { return static_cast<std::size_t>(lists_[rows_ + position]); }

 private:
  ScratchCounts lists_;
  std::size_t rows_;
};

template <typename T>
class Embedding final : public Op<T> {
 public:
  explicit Embedding(bool scale_by_sqrt_dim) : scale_by_sqrt_dim_(scale_by_sqrt_dim) {}

  std::string_view name() const override { return "embedding"; }
  Attributes attributes() const override { return {{"scale_by_sqrt_dim", scale_by_sqrt_dim_}}; }
  bool differentiable(std::size_t input) const override { return input == 1; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override {
    return scale_by_sqrt_dim_ ? cell_count(output) : 0;
  }

  Shape shape(std::span<const Shape> inputs) const override {
    if (inputs[1].size() != 2) refuse_shape("embedding", "table", inputs[1], "two axes, (V, D)");
    Shape output = inputs[0];
    output.push_back(inputs[1][1]);
    return output;
  }

  void check(Inputs<T> inputs) const override {
    const std::size_t rows = inputs[1]->shape()[0];
    for (std::size_t i = 0; i < inputs[0]->size(); ++i) {
      const T id = inputs[0]->data()[i];
      if (!(id >= T(0) && id < static_cast<T>(rows) && id == std::floor(id)))
        refuse_option("embedding", "id at " + to_string(index_at(shape_of(*inputs[0]), i)), format_number(id),
                      "a row of a table of " + std::to_string(rows));
    }
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const std::size_t dim = inputs[1]->shape()[1];
    const T factor = this->factor(dim);
    for (std::size_t i = 0; i < inputs[0]->size(); ++i) {
      const T* row = inputs[1]->data() + row_of(inputs, i) * dim;
      for (std::size_t j = 0; j < dim; ++j) output.data()[i * dim + j] = scale_by_sqrt_dim_ ? row[j] * factor : row[j];
    }
  }

  std::uint64_t scratch_bytes(std::span<const Shape> inputs) const override {
    return inputs[1][1] == 0 ? 0 : PositionLists::bytes(inputs[1][0], cell_count(inputs[0]));
  }

  // Accumulated in double, because a running sum of floats would lose digits.
  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T> scratch) const override {
    constexpr std::size_t kSums = 64;  // adjacent numbers of a row that are accumulated together
    const std::size_t rows = inputs[1]->shape()[0];
    const std::size_t dim = inputs[1]->shape()[1];
    if (!input_gradients[1] || dim == 0) return;
    const T factor = this->factor(dim);
    const PositionLists lists(ScratchCounts(scratch), rows, inputs[0]->size(),
                              [&](std::size_t position) { return row_of(inputs, position); });
    for (std::size_t row = 0; row < rows; ++row) {
      if (lists.first(row) == PositionLists::kNone) continue;
      for (std::size_t start = 0; start < dim; start += kSums) {
        const std::size_t count = std::min(kSums, dim - start);
        T* to = input_gradients[1]->data() + row * dim + start;
        double sums[kSums];
        std::copy_n(to, count, sums);
        for (std::size_t i = lists.first(row); i != PositionLists::kNone; i = lists.next(i)) {
          const T* upstream = output_gradient.data() + i * dim + start;
          for (std::size_t j = 0; j < count; ++j) sums[j] += upstream[j] * factor;
        }
        for (std::size_t j = 0; j < count; ++j) to[j] = static_cast<T>(sums[j]);
      }
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const Index in_ids(index.begin(), index.end() - 1);
    const double id = add_cell(explanation, "id", inputs, 0, in_ids);
    add_cell(explanation, "from", inputs, 1, {static_cast<std::size_t>(id), index.back()});
    if (scale_by_sqrt_dim_) {
      const std::size_t dim = inputs[1].shape()[1];
      const double factor = this->factor(dim);
      explanation.row("factor").term({-1, {}, factor, static_cast<double>(dim)}).gives(factor);
    }
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    const double factor = this->factor(inputs[1].shape()[1]);
    for (std::size_t i = 0; i < size_of(inputs[0].shape()); ++i) {
      Index cell = index_at(inputs[0].shape(), i);
      if (inputs[0][cell] != static_cast<double>(index[0])) continue;
      cell.push_back(index[1]);
      contributions.add(cell, factor);
    }
  }

 private:
  T factor(std::size_t dim) const {
    return scale_by_sqrt_dim_ ? static_cast<T>(std::sqrt(static_cast<double>(dim))) : T(1);
  }

  static std::size_t row_of(Inputs<T> inputs, std::size_t position) {
    return static_cast<std::size_t>(inputs[0]->data()[position]);
  }

  bool scale_by_sqrt_dim_;
};

}  // namespace

template <typename T>
Tensor<T> embedding(const Tensor<T>& ids, const Tensor<T>& table, bool scale_by_sqrt_dim, std::string name) {
  return table.graph->apply(std::make_unique<Embedding<T>>(scale_by_sqrt_dim), {ids, table}, std::move(name));
}

template Tensor<float> embedding(const Tensor<float>&, const Tensor<float>&, bool, std::string);
template Tensor<double> embedding(const Tensor<double>&, const Tensor<double>&, bool, std::string);

}  // namespace attn
