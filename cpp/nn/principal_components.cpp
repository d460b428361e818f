// Principal component analysis: the directions in which vectors vary most (Pearson, 1901).
#include "nn/principal_components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ops/linear.hpp"
#include "ops/mean.hpp"
#include "ops/subtract.hpp"

namespace attn {
namespace {

constexpr std::size_t kLargest = 512;

// A square matrix in row-major order.
struct Square {
  std::size_t size;
  std::vector<double> cells;
  double& at(std::size_t i, std::size_t j) { return cells[i * size + j]; }
};

// Diagonalises the symmetric `matrix` by Jacobi rotations in a fixed order. Its diagonal then holds the eigenvalues;
// returns the eigenvectors as columns.
Square diagonalise(Square& matrix) {
  const std::size_t size = matrix.size;
  Square vectors{size, std::vector<double>(size * size, 0)};
  for (std::size_t i = 0; i < size; ++i) vectors.at(i, i) = 1;
  constexpr int kSweeps = 60;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool rotated = false;
    for (std::size_t p = 0; p + 1 < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        const double apq = matrix.at(p, q);
        const double scale = std::abs(matrix.at(p, p)) + std::abs(matrix.at(q, q));
        if (scale + std::abs(apq) == scale) continue;
        rotated = true;
        const double theta = (matrix.at(q, q) - matrix.at(p, p)) / (2 * apq);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        const auto rotate = [&](double& x, double& y) {
          const double before = x;
          x = c * before - s * y;
          y = s * before + c * y;
        };
        for (std::size_t k = 0; k < size; ++k) rotate(matrix.at(k, p), matrix.at(k, q));
        for (std::size_t k = 0; k < size; ++k) rotate(matrix.at(p, k), matrix.at(q, k));
        for (std::size_t k = 0; k < size; ++k) rotate(vectors.at(k, p), vectors.at(k, q));
        matrix.at(p, q) = matrix.at(q, p) = 0;
      }
    }
    if (!rotated) break;
  }
  return vectors;
}

// Makes row `k` of `rows` orthogonal to the rows before it and of length 1. If the points lie in fewer dimensions
// than requested, so that the rest of the row is 0, it becomes a unit vector orthogonal to the rows before.
void orthonormalise(std::vector<std::vector<double>>& rows, std::size_t k) {
  std::vector<double>& row = rows[k];
  const auto length = [&] { return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0)); };
  const auto remove_earlier = [&] {
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < k; ++j) {
        const double along = std::inner_product(row.begin(), row.end(), rows[j].begin(), 0.0);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] -= along * rows[j][i];
      }
    }
  };
  const double before = length();
  remove_earlier();
  for (std::size_t axis = 0; !(length() > 1e-6 * before) && axis < row.size(); ++axis) {
    std::fill(row.begin(), row.end(), 0.0);
    row[axis] = 1;
    remove_earlier();
    if (length() > 0.5 / std::sqrt(static_cast<double>(row.size()))) break;
  }
  const double size = length();
  const auto largest =
      std::max_element(row.begin(), row.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const double sign = *largest < 0 ? -1 : 1;
  for (double& cell : row) cell *= sign / size;
}

struct Components {
  std::vector<std::vector<double>> rows;  // (k, D)
  std::vector<double> variance;           // (k)
};

// The `count` directions of largest variance of the centred points (N, D).
Components components_of(const std::vector<double>& points, std::size_t number, std::size_t width, std::size_t count) {
  // Uses the smaller of X^T X (D, D) and X X^T (N, N), which have the same positive eigenvalues.
  const bool by_width = width <= number;
  const std::size_t size = by_width ? width : number;
  const std::size_t length = by_width ? number : width;
  const auto cell = [&](std::size_t i, std::size_t along) {
    return by_width ? points[along * width + i] : points[i * width + along];
  };
  Square products{size, std::vector<double>(size * size, 0)};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t along = 0; along < length; ++along) sum += cell(i, along) * cell(j, along);
      products.at(i, j) = products.at(j, i) = sum;
    }
  }
  Square vectors = diagonalise(products);
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return products.at(a, a) > products.at(b, b); });
  Components components;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> row(width, 0);
    for (std::size_t i = 0; i < size; ++i) {
      const double part = vectors.at(i, order[k]);
      if (by_width) {
        row[i] = part;
      } else {
        for (std::size_t column = 0; column < width; ++column) row[column] += part * points[i * width + column];
      }
    }
    components.rows.push_back(std::move(row));
    orthonormalise(components.rows, k);
    const double eigenvalue = std::max(products.at(order[k], order[k]), 0.0);
    components.variance.push_back(eigenvalue / static_cast<double>(number - 1));
  }
  return components;
}

}  // namespace

template <typename T>
PrincipalComponents<T> principal_components(const Tensor<T>& x, std::size_t count, const std::string& name) {
  constexpr const char* kName = "principal_components";
  const Shape& shape = x.shape();
  if (shape.size() != 2 || shape[0] < 2) refuse_shape(kName, "x", shape, "(N, D) with at least 2 rows");
  const std::size_t most = std::min(shape[0], shape[1]);
  if (count == 0 || count > most) {
    refuse_option(kName, "count", std::to_string(count), "from 1 to " + std::to_string(most));
  }
  if (most > kLargest) {
    refuse_shape(kName, "x", shape, "at most " + std::to_string(kLargest) + " rows or columns");
  }
  for (const T number : x.value()) {
    if (!std::isfinite(number)) refuse_option(kName, "x", format_number(static_cast<double>(number)), "finite numbers");
  }
  Graph<T>& graph = *x.graph;
  // The points and components as doubles, the components once more as a node, and two square matrices.
  graph.check_memory(cell_count(shape) * sizeof(double) +
                         std::uint64_t{count} * shape[1] * (sizeof(double) + sizeof(T)) +
                         std::uint64_t{2} * most * most * sizeof(double),
                     kName);
  const auto step_name = [&](const char* step) { return graph.observe() ? name + step : std::string(); };
  PrincipalComponents<T> steps;
  steps.mean = mean(x, {.axes = std::vector<int>{0}, .keepdim = true}, step_name("mean"));
  steps.centred = subtract(x, steps.mean, step_name("centred"));
  const Array<T>& centred = steps.centred.value();
  const Components directions = components_of({centred.begin(), centred.end()}, shape[0], shape[1], count);
  Array<T> components = full<T>({count, shape[1]}, T(0));
  Array<T> variance = full<T>({count}, T(0));
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < shape[1]; ++i) {
      components.data()[k * shape[1] + i] = static_cast<T>(directions.rows[k][i]);
    }
    variance.data()[k] = static_cast<T>(directions.variance[k]);
  }
  steps.components = graph.leaf(step_name("components"), std::move(components));
  steps.explained_variance = graph.leaf(step_name("explained_variance"), std::move(variance));
  steps.output =
      linear(steps.centred, steps.components, {}, graph.observe() || !name.empty() ? name + "output" : std::string());
  return steps;
}

template PrincipalComponents<float> principal_components(const Tensor<float>&, std::size_t, const std::string&);
template PrincipalComponents<double> principal_components(const Tensor<double>&, std::size_t, const std::string&);

}  // namespace attn
