// The weights that resize a grid, as a matrix.
#include "ops/interpolation_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr std::size_t kLargestSide = 65535;  // so that the number of cells of a grid fits 32 bits

// The resizing of one axis from `original_size` to `new_size` points.
struct ResizedAxis {
  std::size_t original_size, new_size;
  bool cubic;

  // The coordinate of point `i` of the resized axis on the original axis.
  double position(std::size_t i) const {
    return (static_cast<double>(i) + 0.5) * (static_cast<double>(original_size) / static_cast<double>(new_size)) - 0.5;
  }

  // The weight of an original point at this distance.
  double kernel(double distance) const {
    constexpr double a = -0.75;
    const double t = std::abs(distance);
    if (!cubic) return t < 1 ? 1 - t : 0;
    if (t <= 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
    return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
  }

  // Calls visit(original point, weight) for the original points around point `i`, in order. At the border one point
  // occurs several times.
  template <typename Visit>
  void each_neighbour(std::size_t i, Visit visit) const {
    const double position = this->position(i);
    const int reach = cubic ? 2 : 1;
    const int first = static_cast<int>(std::floor(position)) - reach + 1;
    for (int neighbour = first; neighbour < first + 2 * reach; ++neighbour)
      visit(static_cast<std::size_t>(std::clamp(neighbour, 0, static_cast<int>(original_size) - 1)),
            kernel(position - neighbour));
  }

  // The weight of original point `j` in point `i`.
  double weight(std::size_t i, std::size_t j) const {
    double sum = 0;
    each_neighbour(i, [&](std::size_t neighbour, double weight) { sum += neighbour == j ? weight : 0; });
    return sum;
  }
};

template <typename T>
class InterpolationMatrix final : public Op<T> {
 public:
  explicit InterpolationMatrix(InterpolationOptions options)
      : options_(std::move(options)),
        rows_{options_.from[0], options_.to[0], options_.mode == "bicubic"},
        columns_{options_.from[1], options_.to[1], options_.mode == "bicubic"} {}

  std::string_view name() const override { return "interpolation_matrix"; }
  Attributes attributes() const override {
    return {{"from", std::vector<double>(options_.from.begin(), options_.from.end())},
            {"to", std::vector<double>(options_.to.begin(), options_.to.end())},
            {"mode", options_.mode}};
  }

  // Each row of the matrix has at most 4 (bilinear) or 16 (bicubic) numbers that are not 0; each is a product.
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override {
    return std::uint64_t{output[0]} * (rows_.cubic ? 16 : 4);
  }

  Shape shape(std::span<const Shape>) const override {
    return {rows_.new_size * columns_.new_size, rows_.original_size * columns_.original_size};
  }

  void forward(Inputs<T>, Array<T>& output, Scratch<T>) const override {
    std::fill_n(output.data(), output.size(), T(0));
    T* to = output.data();
    for (std::size_t row = 0; row < rows_.new_size; ++row) {
      for (std::size_t column = 0; column < columns_.new_size;
           ++column, to += rows_.original_size * columns_.original_size) {
        rows_.each_neighbour(row, [&](std::size_t i, double) {
          const double row_weight = rows_.weight(row, i);
          columns_.each_neighbour(column, [&](std::size_t j, double) {
            to[i * columns_.original_size + j] = static_cast<T>(row_weight * columns_.weight(column, j));
          });
        });
      }
    }
  }

  void backward(Inputs<T>, const Array<T>&, const Array<T>&, Gradients<T>, Scratch<T>) const override {}

  Explanation explain(CellViews, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const double row_weight = add_axis(explanation, rows_, index[0] / columns_.new_size,
                                       index[1] / columns_.original_size, "row_position", "row_weight");
    const double column_weight = add_axis(explanation, columns_, index[0] % columns_.new_size,
                                          index[1] % columns_.original_size, "column_position", "column_weight");
    explanation.row("product").term(row_weight).term(column_weight).gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index&, Contributions&) const override {}

 private:
  // Adds the rows of the coordinate of point `i` and of the weight of original point `j`; returns the weight.
  static double add_axis(Explanation& explanation, const ResizedAxis& axis, std::size_t i, std::size_t j,
                         const char* position_role, const char* weight_role) {
    const double position = axis.position(i);
    explanation.row(position_role)
        .term(static_cast<double>(i))
        .term(static_cast<double>(axis.original_size))
        .term(static_cast<double>(axis.new_size))
        .gives(position);
    explanation.row(weight_role).term(position).term(static_cast<double>(j)).gives(axis.weight(i, j));
    return axis.weight(i, j);
  }

  InterpolationOptions options_;
  ResizedAxis rows_, columns_;
};

void check_grid(const Shape& grid, const char* argument) {
  const bool fits =
      grid.size() == 2 && std::ranges::all_of(grid, [](std::size_t side) { return side >= 1 && side <= kLargestSide; });
  if (!fits)
    refuse_option("interpolation_matrix", argument, to_string(grid),
                  "two sizes from 1 to " + std::to_string(kLargestSide));
}

}  // namespace

template <typename T>
Tensor<T> interpolation_matrix(Graph<T>& graph, const InterpolationOptions& options, std::string name) {
  check_grid(options.from, "from");
  check_grid(options.to, "to");
  if (options.mode != "bilinear" && options.mode != "bicubic")
    refuse_option("interpolation_matrix", "mode", '"' + options.mode + '"', "\"bilinear\" or \"bicubic\"");
  return graph.apply(std::make_unique<InterpolationMatrix<T>>(options), {}, std::move(name));
}

template Tensor<float> interpolation_matrix(Graph<float>&, const InterpolationOptions&, std::string);
template Tensor<double> interpolation_matrix(Graph<double>&, const InterpolationOptions&, std::string);

}  // namespace attn
