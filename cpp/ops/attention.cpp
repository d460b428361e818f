// Fused scaled dot-product attention, which never stores the L x S matrix of scores.
#include "ops/attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/attention.hpp"
#include "ops/attention_explanation.hpp"

namespace attn {
namespace {

// (..., L, S): the shape of the scores.
Shape scores_shape(std::span<const Shape> inputs) {
  Shape scores = broadcast(leading_axes(inputs[kQuery]), leading_axes(inputs[kKey]), "attention", "batch of key");
  scores = broadcast(scores, leading_axes(inputs[kValue]), "attention", "batch of value");
  scores.insert(scores.end(), {inputs[kQuery].end()[-2], inputs[kKey].end()[-2]});
  return scores;
}

template <typename T>
class FusedAttention final : public Op<T> {
 public:
  explicit FusedAttention(AttentionSettings settings) : settings_(settings) {}

  std::string_view name() const override { return "attention"; }

  // The operations of the unfused attention: Q K^T, scale, temperature, bias, softmax, product with V.
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    const std::uint64_t keys = inputs[kKey].end()[-2];
    const std::uint64_t scores = output.back() ? cell_count(output) / output.back() * keys : 0;
    const bool is_scaled = settings_.divide || settings_.scale != 1;
    const std::uint64_t steps = 5 + is_scaled + settings_.temperature.has_value() + settings_.has_bias;
    return scores * (2 * inputs[kQuery].back() + steps) + 2 * keys * cell_count(output);
  }

  Attributes attributes() const override {
    Attributes attributes{{"has_bias", settings_.has_bias},
                          {"has_keep", settings_.has_keep},
                          {"fill", settings_.fill},
                          {settings_.divide ? "divisor" : "factor", settings_.scale}};
    if (settings_.temperature) attributes.emplace("temperature", *settings_.temperature);
    if (settings_.causal != Causal::none) attributes.emplace("causal", name_of(settings_.causal));
    return attributes;
  }

  bool differentiable(std::size_t input) const override {
    return input <= kValue || (input == 3 && settings_.has_bias);
  }

  Shape shape(std::span<const Shape> inputs) const override {
    static constexpr const char* kNames[] = {"query", "key", "value"};
    const Shape& query = inputs[kQuery];
    const Shape& key = inputs[kKey];
    const Shape& value = inputs[kValue];
    for (std::size_t i = 0; i < 3; ++i)
      if (inputs[i].size() < 2) refuse_shape("attention", kNames[i], inputs[i], "at least two axes");
    if (key.back() != query.back())
      refuse_shape("attention", "key", key,
                   std::to_string(query.back()) + " columns to match query " + to_string(query));
    if (value.end()[-2] != key.end()[-2])
      refuse_shape("attention", "value", value, std::to_string(key.end()[-2]) + " rows to match key " + to_string(key));
    const Shape scores = scores_shape(inputs);
    for (std::size_t i = 3; i < inputs.size(); ++i)
      if (!broadcasts_to(inputs[i], scores))
        refuse_shape("attention", i == 3 && settings_.has_bias ? "bias" : "keep", inputs[i],
                     "one that broadcasts to the scores " + to_string(scores));
    Shape output = scores;
    output.back() = value.back();
    return output;
  }

  std::uint64_t scratch_bytes(std::span<const Shape> inputs) const override {
    const std::uint64_t forward = kernels::attention_scratch(sizes(inputs));
    const std::uint64_t backward = kernels::attention_backward_scratch(sizes(inputs));
    return std::max(forward, backward) * sizeof(T);
  }

  void prepare(std::span<const Shape> inputs, const Shape&) override { heads_ = Heads(inputs, settings_); }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T> scratch) const override {
    for (std::size_t item = 0; item < heads_.count; ++item) {
      const kernels::AttentionHead<T> head = heads_.at(inputs, item);
      kernels::attention(head, output.data() + item * head.queries * head.value_width, scratch.data());
    }
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T> scratch) const override {
    for (std::size_t item = 0; item < heads_.count; ++item) {
      const kernels::AttentionHead<T> head = heads_.at(inputs, item);
      auto gradient = [&](std::size_t input) {
        return input_gradients[input] ? input_gradients[input]->data() + heads_.starts[input][item] : nullptr;
      };
      kernels::AttentionGradients<T> gradients{gradient(kQuery), gradient(kKey), gradient(kValue), {}};
      if (settings_.has_bias) gradients.bias = {gradient(3), head.bias.row_stride, head.bias.column_stride};
      kernels::attention_backward(head, output_gradient.data() + item * head.queries * head.value_width, gradients,
                                  scratch.data());
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    return explain_attention(settings_, inputs, output, index);
  }

  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    differentiate_attention(settings_, inputs, output, input, index, contributions);
  }

 private:
  // The sizes of one head, without pointers to its numbers.
  static kernels::AttentionHead<T> sizes(std::span<const Shape> inputs) {
    kernels::AttentionHead<T> head;
    head.queries = inputs[kQuery].end()[-2];
    head.keys = inputs[kKey].end()[-2];
    head.key_width = inputs[kQuery].back();
    head.value_width = inputs[kValue].back();
    return head;
  }

  // Visits every head of every sample: the leading axes, broadcast.
  struct Heads {
    Heads() = default;
    Heads(std::span<const Shape> shapes, const AttentionSettings& settings) : has_bias(settings.has_bias) {
      const Shape batch = leading_axes(scores_shape(shapes));
      count = size_of(batch);
      common = sizes(shapes);
      common.fill = static_cast<T>(settings.fill);
      common.factor =
          static_cast<T>((settings.divide ? 1 / settings.scale : settings.scale) / settings.temperature.value_or(1));
      if (settings.causal != Causal::none) common.diagonal = diagonal_of(settings.causal, common.queries, common.keys);
      const Shape per_head = {common.queries, common.keys};
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto own = static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, shapes[i].size()));
        const Shape inner(shapes[i].end() - own, shapes[i].end());
        starts.emplace_back(Shape(shapes[i].begin(), shapes[i].end() - own), batch, size_of(inner));
        if (i < 3) continue;
        const Shape strides = broadcast_strides(inner, per_head);
        kernels::ScoreMatrix<const T>& matrix = i == 3 && has_bias ? common.bias : common.keep;
        matrix.row_stride = strides[0];
        matrix.column_stride = strides[1];
      }
    }

    kernels::AttentionHead<T> at(Inputs<T> inputs, std::size_t item) const {
      const auto numbers = [&](std::size_t input) { return inputs[input]->data() + starts[input][item]; };
      kernels::AttentionHead<T> head = common;
      head.query = numbers(kQuery);
      head.key = numbers(kKey);
      head.value = numbers(kValue);
      if (has_bias) head.bias.data = numbers(3);
      if (inputs.size() > (has_bias ? 4 : 3)) head.keep.data = numbers(inputs.size() - 1);
      return head;
    }

    bool has_bias = false;
    std::size_t count = 0;
    kernels::AttentionHead<T> common;  // the sizes and settings, without pointers to numbers
    std::vector<BatchOffsets> starts;  // of the heads in every input
  };

  AttentionSettings settings_;
  Heads heads_;
};

}  // namespace

template <typename T>
Tensor<T> attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                    const AttentionOptions<T>& options, std::string name) {
  if (options.factor && options.divisor)
    throw InputError("attention: factor and divisor are both given, expected at most one of the two");
  if (options.divisor && static_cast<T>(*options.divisor) == T(0))
    refuse_option("attention", "divisor", "0", "another number");
  if (options.temperature && static_cast<T>(*options.temperature) == T(0))
    refuse_option("attention", "temperature", "0", "another number");
  AttentionSettings settings{options.bias.has_value(), options.keep.has_value(), options.fill,  1,
                             !options.factor,          options.temperature,      options.causal};
  if (options.factor) {
    settings.scale = *options.factor;
  } else if (options.divisor) {
    settings.scale = *options.divisor;
  } else if (!query.shape().empty()) {
    settings.scale = std::sqrt(static_cast<double>(query.shape().back()));
  }
  std::vector<Tensor<T>> inputs = {query, key, value};
  if (options.bias) inputs.push_back(*options.bias);
  if (options.keep) inputs.push_back(*options.keep);
  return query.graph->apply(std::make_unique<FusedAttention<T>>(settings), inputs, std::move(name));
}

template Tensor<float> attention(const Tensor<float>&, const Tensor<float>&, const Tensor<float>&,
                                 const AttentionOptions<float>&, std::string);
template Tensor<double> attention(const Tensor<double>&, const Tensor<double>&, const Tensor<double>&,
                                  const AttentionOptions<double>&, std::string);

}  // namespace attn
