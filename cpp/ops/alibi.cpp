// Attention with linear biases.
#include "ops/alibi.hpp"

#include <cmath>
#include <limits>

namespace attn {
namespace {

template <typename T>
class Alibi final : public Op<T> {
 public:
  explicit Alibi(AlibiOptions options) : options_(options) {}

  std::string_view name() const override { return "alibi"; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 2 * cell_count(output); }
  Attributes attributes() const override {
    return {{"query_length", static_cast<double>(options_.query_length)},
            {"key_length", static_cast<double>(options_.key_length)},
            {"causal", options_.causal}};
  }

  Shape shape(std::span<const Shape> inputs) const override {
    if (inputs[0].size() != 1) refuse_shape("alibi", "slopes", inputs[0], "one axis, (H)");
    return {inputs[0][0], options_.query_length, options_.key_length};
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    T* to = output.data();
    for (std::size_t head = 0; head < inputs[0]->size(); ++head)
      each_cell_of_head([&](double distance) {
        *to++ = is_hidden(distance) ? -std::numeric_limits<T>::infinity()
                                    : -inputs[0]->data()[head] * static_cast<T>(std::abs(distance));
      });
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    const T* upstream = output_gradient.data();
    for (std::size_t head = 0; head < inputs[0]->size(); ++head) {
      double sum = input_gradients[0]->data()[head];
      each_cell_of_head([&](double distance) {
        if (!is_hidden(distance)) sum -= *upstream * std::abs(distance);
        ++upstream;
      });
      input_gradients[0]->data()[head] = static_cast<T>(sum);
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const double distance = distance_back(index[1], index[2]);
    if (!is_hidden(distance)) add_cell(explanation, "slope", inputs, 0, {index[0]});
    explanation.row("distance").term(distance).gives(std::abs(distance));
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    for (std::size_t i = 0; i < options_.query_length; ++i) {
      for (std::size_t j = 0; j < options_.key_length; ++j) {
        const double distance = distance_back(i, j);
        contributions.add({index[0], i, j}, is_hidden(distance) ? 0 : -std::abs(distance));
      }
    }
  }

 private:
  // The distance from query i, which is at position i + S - L, back to key j; negative for a key after the query.
  double distance_back(std::size_t i, std::size_t j) const {
    return static_cast<double>(i) + static_cast<double>(options_.key_length) -
           static_cast<double>(options_.query_length) - static_cast<double>(j);
  }

  bool is_hidden(double distance) const { return options_.causal && distance < 0; }

  // Calls visit(distance) for every cell of a head.
  template <typename Visit>
  void each_cell_of_head(Visit visit) const {
    for (std::size_t i = 0; i < options_.query_length; ++i)
      for (std::size_t j = 0; j < options_.key_length; ++j) visit(distance_back(i, j));
  }

  AlibiOptions options_;
};

}  // namespace

template <typename T>
Tensor<T> alibi(const Tensor<T>& slopes, const AlibiOptions& options, std::string name) {
  return slopes.graph->apply(std::make_unique<Alibi<T>>(options), {slopes}, std::move(name));
}

template Tensor<float> alibi(const Tensor<float>&, const AlibiOptions&, std::string);
template Tensor<double> alibi(const Tensor<double>&, const AlibiOptions&, std::string);

}  // namespace attn
