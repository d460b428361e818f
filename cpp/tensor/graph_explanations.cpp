// The explanations of a graph: how a cell was computed, which cells depend on it, how a cell of a gradient was
// computed.
#include <algorithm>
#include <limits>
#include <utility>

#include "tensor/graph.hpp"

namespace attn {
template <typename T>
std::vector<CellView> Graph<T>::views_of(const Node<T>& node) {
  std::vector<CellView> views;
  for (const Array<T>* value : node.input_values) views.emplace_back(*value);
  return views;
}

template <typename T>
Explanation Graph<T>::explain(std::size_t id, const Index& index, ExplainOptions options) const {
  check_evaluated(id, "explain");
  const Node<T>& node = this->node(id);
  const std::size_t offset = offset_of(node.shape, index);
  if (node.op) {
    node.op->check(node.input_values);
    Explanation explanation = node.op->explain(views_of(node), CellView(node.value), index);
    explanation.attributes = node.op->attributes();
    explanation.compare_with_rounding(std::numeric_limits<T>::epsilon());
    explanation.shorten(options.full);
    return explanation;
  }
  const char* role = "typed";
  const bool is_edited =
      std::any_of(node.edited.begin(), node.edited.end(), [&](const Edit<T>& edit) { return edit.offset == offset; });
  if (const auto kind = node.origin.find("kind"); kind != node.origin.end() && !is_edited) {
    if (kind->second == Attribute("draw")) role = "drawn";
    if (kind->second == Attribute("token_vectors")) role = "looked_up";
  }
  const double value = node.value.data()[offset];
  Explanation explanation;
  explanation.row(role).term({kNoTensor, index, value}).gives(value);
  explanation.attributes = node.origin;
  return explanation;
}

template <typename T>
std::vector<CellUse> Graph<T>::uses(std::size_t id, const Index& index) const {
  check_evaluated("uses");
  offset_of(node(id).shape, index);
  std::vector<CellUse> uses;
  for (std::size_t consumer = id + 1; consumer < nodes_.size(); ++consumer) {
    const Node<T>& reader = nodes_[consumer];
    UsedCells used(reader.shape);
    for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
      if (reader.inputs[input] != id) continue;
      reader.op->check(reader.input_values);
      reader.op->add_uses(views_of(reader), CellView(reader.value), input, index, used);
    }
    for (Block& cells : used.blocks()) uses.push_back({consumer, std::move(cells)});
  }
  return uses;
}

template <typename T>
GradientExplanation Graph<T>::explain_gradient(std::size_t id, const Index& index, ExplainOptions options) const {
  check_evaluated(id, "explain_gradient");
  const Node<T>& node = this->node(id);
  const std::size_t offset = offset_of(node.shape, index);
  check_gradient(id, "explain_gradient");
  if (are_gradients_summed_ && is_parameter(node))
    refuse_option("explain_gradient", "node", "\"" + node.name + "\", whose gradient is a sum over several backwards",
                  "a backward that does not accumulate first");
  GradientExplanation explanation;
  if (!node.gradient) {
    explanation.sum.role = "unreached";
    explanation.sum.gives(0);
    return explanation;
  }
  TermList terms;
  double rounding_units = 0;  // of the terms themselves
  bool used = false;
  for (std::size_t consumer = id + 1; consumer < nodes_.size(); ++consumer) {
    const Node<T>& reader = nodes_[consumer];
    if (!reader.gradient) continue;
    for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
      if (reader.inputs[input] != id || !reader.op->differentiable(input)) continue;
      reader.op->check(reader.input_values);
      Explanation use = reader.op->explain_gradient(views_of(reader), CellView(reader.value),
                                                    CellView(*reader.gradient), input, index);
      used = true;
      terms.add({kNoTensor, {}, *use.rows.back().value});
      use.attributes = reader.op->attributes();
      rounding_units += use.rows.back().rounding_units;
      use.compare_with_rounding(std::numeric_limits<T>::epsilon());
      use.shorten(options.full);
      explanation.uses.push_back({consumer, input, std::move(use)});
    }
  }
  const double gradient = node.gradient->data()[offset];
  // Only the node that backward started from has a gradient without being used.
  explanation.sum.role = used ? "sum_over_uses" : "seed";
  if (!used) terms.add({kOutputGradient, index, gradient});
  terms.move_into(explanation.sum, used);
  explanation.sum.rounding_units += rounding_units;
  explanation.sum.gives(gradient).compare_with_rounding(std::numeric_limits<T>::epsilon());
  explanation.sum.shorten(options.full);
  return explanation;
}

template std::vector<CellView> Graph<float>::views_of(const Node<float>&);
template Explanation Graph<float>::explain(std::size_t, const Index&, ExplainOptions) const;
template std::vector<CellUse> Graph<float>::uses(std::size_t, const Index&) const;
template GradientExplanation Graph<float>::explain_gradient(std::size_t, const Index&, ExplainOptions) const;
template std::vector<CellView> Graph<double>::views_of(const Node<double>&);
template Explanation Graph<double>::explain(std::size_t, const Index&, ExplainOptions) const;
template std::vector<CellUse> Graph<double>::uses(std::size_t, const Index&) const;
template GradientExplanation Graph<double>::explain_gradient(std::size_t, const Index&, ExplainOptions) const;

}  // namespace attn
