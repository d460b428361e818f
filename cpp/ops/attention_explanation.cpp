// The arithmetic of one cell of the fused attention, step by step for one query.
#include "ops/attention_explanation.hpp"

#include <algorithm>
#include <limits>

#include "kernels/softmax.hpp"

namespace attn {
namespace {

// The matrix of one head in an input. Leading axes may broadcast; both axes of the matrix may do so for a bias or
// mask.
class HeadMatrix {
 public:
  // `rows` and `columns` are the size of the matrix; `index` is any cell of the head in the output.
  HeadMatrix(const CellView& view, const Shape& output, const Index& index, std::size_t rows, std::size_t columns)
      : view_(&view) {
    Shape full = output;
    full.end()[-2] = rows;
    full.back() = columns;
    const Shape strides = broadcast_strides(view.shape(), full);
    for (std::size_t axis = 0; axis + 2 < full.size(); ++axis) start_ += index[axis] * strides[axis];
    row_ = strides.end()[-2];
    column_ = strides.back();
  }

  double at(std::size_t row, std::size_t column) const { return view_->at(start_ + row * row_ + column * column_); }

  // The dot product of a row with a row of another matrix; neither matrix may broadcast along its columns.
  double dot(std::size_t row, const HeadMatrix& other, std::size_t other_row, std::size_t count) const {
    return view_->dot(start_ + row * row_, *other.view_, other.start_ + other_row * other.row_, count);
  }

 private:
  const CellView* view_;
  std::size_t start_ = 0, row_ = 0, column_ = 0;
};

// One query of one head, in the precision of the output.
class OneQuery {
 public:
  OneQuery(const AttentionSettings& settings, CellViews inputs, const CellView& output, const Index& index)
      : settings_(settings), inputs_(inputs), precision_(output), index_(index) {
    const std::size_t queries = output.shape().end()[-2];
    const auto add = [&](int input, std::size_t rows, std::size_t columns) {
      matrices_.emplace_back(inputs[static_cast<std::size_t>(input)], output.shape(), index, rows, columns);
    };
    add(kQuery, queries, key_width());
    add(kKey, keys(), key_width());
    add(kValue, keys(), output.shape().back());
    for (int input = kBias; input < static_cast<int>(inputs.size()); ++input) add(input, queries, keys());
  }

  std::size_t query() const { return index_.end()[-2]; }
  std::size_t keys() const { return inputs_[kKey].shape().end()[-2]; }
  std::size_t key_width() const { return inputs_[kKey].shape().back(); }

  // The index in an input of cell [row, column] of this head; an axis of size 1 is repeated.
  Index index_in(int input, std::size_t row, std::size_t column) const {
    Index full = index_;
    full.end()[-2] = row;
    full.back() = column;
    return broadcast_index(inputs_[static_cast<std::size_t>(input)].shape(), full);
  }

  double number(int input, std::size_t row, std::size_t column) const {
    return matrices_[static_cast<std::size_t>(input)].at(row, column);
  }

  // The scaled, biased and masked score of a key.
  double score(std::size_t key) const {
    if (is_hidden_by_causal(key)) return -std::numeric_limits<double>::infinity();
    if (is_hidden_by_mask(key)) return rounded(settings_.fill);
    double sum = matrices_[kQuery].dot(query(), matrices_[kKey], key, key_width());
    const double scale = rounded(settings_.scale);
    sum = rounded(settings_.divide ? sum / scale : sum * scale);
    if (settings_.temperature) sum = rounded(sum / rounded(*settings_.temperature));
    if (settings_.has_bias) sum = rounded(sum + number(kBias, query(), key));
    return sum;
  }

  // Whether the score of a key is replaced by the causal rule or a mask.
  bool is_hidden(std::size_t key) const { return is_hidden_by_causal(key) || is_hidden_by_mask(key); }

  // softmax of the scores, rounded to the output's precision.
  std::vector<double> weights() const {
    return precision_.from(0, [&]<typename T>(const T*) {
      std::vector<T> numbers(keys());
      for (std::size_t j = 0; j < keys(); ++j) numbers[j] = static_cast<T>(score(j));
      kernels::softmax(numbers.data(), numbers.data(), {numbers.size(), 1}, true);
      return std::vector<double>(numbers.begin(), numbers.end());
    });
  }

 private:
  bool is_hidden_by_causal(std::size_t key) const {
    return settings_.causal != Causal::none &&
           static_cast<std::ptrdiff_t>(key) > static_cast<std::ptrdiff_t>(query()) +
                                                  diagonal_of(settings_.causal, precision_.shape().end()[-2], keys());
  }

  bool is_hidden_by_mask(std::size_t key) const {
    return settings_.has_keep && number(settings_.has_bias ? kBias + 1 : kBias, query(), key) == 0;
  }

  double rounded(double number) const { return precision_.rounded(number); }

  const AttentionSettings& settings_;
  CellViews inputs_;
  const CellView& precision_;
  const Index& index_;
  std::vector<HeadMatrix> matrices_;  // one per input
};

}  // namespace

Explanation explain_attention(const AttentionSettings& settings, CellViews inputs, const CellView& output,
                              const Index& index) {
  Explanation explanation;
  const OneQuery head(settings, inputs, output, index);
  const std::size_t column = index.back();
  ProductTerms terms(output);
  std::size_t key = 0;
  for (double weight : head.weights()) {
    const Index in_value = head.index_in(kValue, key++, column);
    terms.add(kNoTensor, {}, weight, kValue, in_value, inputs[kValue][in_value]);
  }
  terms.move_left_into(explanation.row("weights"));
  terms.move_right_into(explanation.row("value"));
  terms.move_products_into(explanation.row("products").gives(output[index]));

  if (head.keys() == 0) return explanation;
  const std::size_t last_key = head.keys() - 1;
  if (head.key_width() > 0) {
    const std::size_t last = head.key_width() - 1;
    explanation.source(kQuery, head.index_in(kQuery, head.query(), 0), head.index_in(kQuery, head.query(), last));
    explanation.source(kKey, head.index_in(kKey, 0, 0), head.index_in(kKey, last_key, last));
  }
  explanation.source(kValue, head.index_in(kValue, 0, column), head.index_in(kValue, last_key, column));
  for (int input = kBias; input < static_cast<int>(inputs.size()); ++input)
    explanation.source(input, head.index_in(input, head.query(), 0), head.index_in(input, head.query(), last_key));
  return explanation;
}

void differentiate_attention(const AttentionSettings& settings, CellViews inputs, const CellView& output,
                             std::size_t input, const Index& index, Contributions& contributions) {
  const Shape& own = inputs[input].shape();
  const std::size_t inner = std::min<std::size_t>(2, own.size());
  const Index leading(index.begin(), index.end() - static_cast<std::ptrdiff_t>(inner));
  // The queries that depend on the cell, and the keys whose scores or values depend on it: one of them, or all where
  // the input has no such axis or broadcasts along it.
  struct Range {
    std::size_t first, last;
  };
  const auto range = [&](std::size_t from_back, bool has_own, std::size_t count) {
    const bool repeated =
        !has_own || from_back > own.size() || own.end()[-static_cast<std::ptrdiff_t>(from_back)] != count;
    if (repeated) return Range{0, count};
    const std::size_t position = index.end()[-static_cast<std::ptrdiff_t>(from_back)];
    return Range{position, position + 1};
  };
  const std::size_t all_keys = inputs[kKey].shape().end()[-2];
  const bool of_scores = input == kBias;
  const Range queries = range(2, input == kQuery || of_scores, output.shape().end()[-2]);
  const Range keys = of_scores ? range(1, true, all_keys) : range(2, input != kQuery, all_keys);
  double factor = settings.divide ? 1 / output.rounded(settings.scale) : output.rounded(settings.scale);
  if (settings.temperature) factor /= output.rounded(*settings.temperature);
  const auto add = [&](Index cell) {
    const OneQuery head(settings, inputs, output, cell);
    const std::vector<double> weights = head.weights();
    if (input == kValue) {
      cell.back() = index.back();
      contributions.add(cell, weights[keys.first]);
      return;
    }
    // d(score of key j) / d(the cell)
    const auto slope = [&](std::size_t j) {
      if (head.is_hidden(j)) return 0.0;
      if (of_scores) return 1.0;
      return factor *
             (input == kQuery ? head.number(kKey, j, index.back()) : head.number(kQuery, head.query(), index.back()));
    };
    for (cell.back() = 0; cell.back() < output.shape().back(); ++cell.back()) {
      const double mixed = output[cell];
      double sum = 0;
      for (std::size_t j = keys.first; j < keys.last; ++j)
        sum += weights[j] * (head.number(kValue, j, cell.back()) - mixed) * slope(j);
      contributions.add(cell, sum);
    }
  };
  const Shape own_leading(own.begin(), own.end() - static_cast<std::ptrdiff_t>(inner));
  for (Index head : BroadcastReaders(own_leading, leading, leading_axes(output.shape()))) {
    head.insert(head.end(), {queries.first, 0});
    for (; head.end()[-2] < queries.last; ++head.end()[-2]) add(head);
  }
}

}  // namespace attn
