// Similarity of vectors: dot product, cosine and distance of every pair; neighbours; analogies; bags of words.
#include "nn/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/cosine_similarity.hpp"
#include "ops/matmul.hpp"
#include "ops/multiply.hpp"
#include "ops/one_hot.hpp"
#include "ops/reshape.hpp"
#include "ops/sqrt.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"
#include "ops/transpose.hpp"

namespace attn {
namespace {

// a . b / (|a| |b|) in double; 0 if either vector is zero.
double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  const auto dot = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  const double lengths = std::sqrt(dot(a, a)) * std::sqrt(dot(b, b));
  return lengths == 0 ? 0 : dot(a, b) / lengths;
}

template <typename T>
std::vector<std::vector<double>> rows_of(const Array<T>& vectors, const char* operation) {
  const Shape shape = shape_of(vectors);
  if (shape.size() != 2) refuse_shape(operation, "vectors", shape, "(N, D)");
  std::vector<std::vector<double>> rows(shape[0], std::vector<double>(shape[1]));
  for (std::size_t i = 0; i < shape[0]; ++i) {
    for (std::size_t j = 0; j < shape[1]; ++j) rows[i][j] = vectors.data()[i * shape[1] + j];
  }
  return rows;
}

void check_row(const char* operation, const char* argument, std::size_t row, std::size_t rows) {
  if (row >= rows) {
    refuse_option(operation, argument, std::to_string(row), "a row below " + std::to_string(rows));
  }
}

}  // namespace

template <typename T>
Similarity<T> similarity(const Tensor<T>& vectors, const std::string& name) {
  const Shape& shape = vectors.shape();
  if (shape.size() != 2) refuse_shape("similarity", "vectors", shape, "(N, D)");
  const bool observe = vectors.graph->observe();
  const auto step_name = [&](const char* step) { return observe ? name + step : std::string(); };
  Similarity<T> steps;
  steps.dot = matmul(vectors, transpose(vectors, {}, step_name("transposed")), step_name("dot"));
  const Tensor<T> as_rows = reshape(vectors, {shape[0], 1, shape[1]}, step_name("rows"));
  steps.cosine = cosine_similarity(as_rows, vectors, step_name("cosine"));
  const Tensor<T> difference = subtract(as_rows, vectors, step_name("difference"));
  const Tensor<T> squares = multiply(difference, difference, step_name("squares"));
  const Tensor<T> sums = sum(squares, {.axes = std::vector<int>{-1}, .keepdim = false}, step_name("squared_distance"));
  steps.distance = sqrt(sums, step_name("distance"));
  return steps;
}

template <typename T>
std::vector<std::size_t> nearest(const Array<T>& vectors, std::size_t query) {
  const std::vector<std::vector<double>> rows = rows_of(vectors, "nearest");
  check_row("nearest", "query", query, rows.size());
  std::vector<double> closeness;
  for (const std::vector<double>& row : rows) closeness.push_back(cosine(rows[query], row));
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i != query) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return closeness[a] > closeness[b]; });
  return order;
}

template <typename T>
std::size_t analogy(const Array<T>& vectors, std::size_t a, std::size_t b, std::size_t c) {
  const std::vector<std::vector<double>> rows = rows_of(vectors, "analogy");
  check_row("analogy", "a", a, rows.size());
  check_row("analogy", "b", b, rows.size());
  check_row("analogy", "c", c, rows.size());
  std::vector<double> target(rows[a].size());
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = rows[b][i] - rows[a][i] + rows[c][i];
  std::size_t best = rows.size();
  double closest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == a || i == b || i == c) continue;
    const double closeness = cosine(target, rows[i]);
    if (best == rows.size() || closeness > closest) {
      best = i;
      closest = closeness;
    }
  }
  if (best == rows.size()) refuse_shape("analogy", "vectors", shape_of(vectors), "a row beside a, b and c");
  return best;
}

template <typename T>
Tensor<T> bag_of_words(const Tensor<T>& ids, std::size_t vocabulary, const std::string& name) {
  if (ids.shape().size() != 1) refuse_shape("bag_of_words", "ids", ids.shape(), "(length)");
  const bool observe = ids.graph->observe();
  const Tensor<T> rows = one_hot(ids, vocabulary, observe ? name + "one_hot" : std::string());
  return sum(rows, {.axes = std::vector<int>{0}, .keepdim = false},
             observe || !name.empty() ? name + "counts" : std::string());
}

#define INSTANTIATE(T)                                                                  \
  template Similarity<T> similarity(const Tensor<T>&, const std::string&);              \
  template std::vector<std::size_t> nearest(const Array<T>&, std::size_t);              \
  template std::size_t analogy(const Array<T>&, std::size_t, std::size_t, std::size_t); \
  template Tensor<T> bag_of_words(const Tensor<T>&, std::size_t, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
