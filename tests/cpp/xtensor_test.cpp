// Operations that move, select, sum or broadcast, against xtensor's, with random shapes that include axes of 0 and 1.
// The numbers are integers, so that a sum is exact in any order and every cell must be equal.
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include <catch_amalgamated.hpp>

#include <xtensor/containers/xarray.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/misc/xmanipulation.hpp>
#include <xtensor/views/xbroadcast.hpp>
#include <xtensor/views/xstrided_view.hpp>

#include "ops/add.hpp"
#include "ops/concat.hpp"
#include "ops/divide.hpp"
#include "ops/mask.hpp"
#include "ops/mean.hpp"
#include "ops/merge_heads.hpp"
#include "ops/multiply.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/split_heads.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"
#include "ops/transpose.hpp"
#include "tensor/random.hpp"

using attn::Graph;
using attn::RandomState;
using attn::Shape;
using attn::Tensor;

namespace {

using Oracle = xt::xarray<double>;

constexpr int kRounds = 150;

std::size_t below(RandomState& random, std::size_t count) {
  return static_cast<std::size_t>(random.randint(0, static_cast<std::int64_t>(count)));
}

// Up to `most` axes of 0 to 6, and one in eight as long as several vectors of lanes.
Shape shape_of_any_size(RandomState& random, std::size_t least = 0, std::size_t most = 4) {
  Shape shape(least + below(random, most - least + 1));
  for (std::size_t& size : shape) size = below(random, 8) ? below(random, 7) : 9 + below(random, 30);
  return shape;
}

// `shape` with some axes set to 1 and some leading ones removed.
Shape one_that_broadcasts(RandomState& random, Shape shape) {
  for (std::size_t& size : shape)
    if (below(random, 3) == 0) size = 1;
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(below(random, shape.size() + 1)));
  return shape;
}

Oracle whole_numbers(RandomState& random, const Shape& shape, std::int64_t low = -9, std::int64_t high = 10) {
  Oracle numbers = Oracle::from_shape(shape);
  for (double& number : numbers) number = static_cast<double>(random.randint(low, high));
  return numbers;
}

template <typename T>
Tensor<T> leaf(Graph<T>& graph, const Oracle& numbers) {
  attn::Array<T> array = attn::full<T>(Shape(numbers.shape().begin(), numbers.shape().end()), T(0));
  std::transform(numbers.begin(), numbers.end(), array.data(), [](double number) { return static_cast<T>(number); });
  return graph.leaf("", std::move(array));
}

// How many cells were compared, so that a test that compares none fails.
template <typename T>
std::size_t check_same(const attn::Array<T>& got, const Oracle& expected) {
  REQUIRE(attn::shape_of(got) == Shape(expected.shape().begin(), expected.shape().end()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const T expected_number = static_cast<T>(expected.data()[i]);
    if (got.data()[i] == expected_number || (std::isnan(got.data()[i]) && std::isnan(expected_number))) continue;
    FAIL_CHECK("cell " << attn::to_string(attn::index_at(attn::shape_of(got), i)) << " is " << got.data()[i]
                       << ", expected " << expected_number);
  }
  return got.size();
}

template <typename T>
std::size_t check_same(const Tensor<T>& got, const Oracle& expected) {
  return check_same<T>(got.value(), expected);
}

std::vector<int> as_axes(const std::vector<std::size_t>& axes) { return {axes.begin(), axes.end()}; }

std::vector<std::size_t> some_axes(RandomState& random, std::size_t rank) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < rank; ++axis)
    if (below(random, 2)) axes.push_back(axis);
  return axes;
}

// The axes along which a tensor of shape `own` broadcasts to `shape`.
std::vector<std::size_t> repeated_axes(const Shape& own, const Shape& shape) {
  std::vector<std::size_t> axes;
  const std::size_t missing = shape.size() - own.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (axis < missing || own[axis - missing] != shape[axis]) axes.push_back(axis);
  return axes;
}

// The sum over axes. xtensor's reducers read a cell even over an axis without cells, where the sum is 0 by
// definition.
Oracle sum_over(const Oracle& x, const std::vector<std::size_t>& axes) {
  if (axes.empty()) return x;
  if (x.size() > 0) return xt::sum(x, axes, xt::evaluation_strategy::immediate);
  Shape shape;
  for (std::size_t axis = 0; axis < x.dimension(); ++axis)
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) shape.push_back(x.shape(axis));
  Oracle zeros = Oracle::from_shape(shape);
  zeros.fill(0);
  return zeros;
}

}  // namespace

TEMPLATE_TEST_CASE("transpose equals xtensor's", "", float, double) {
  RandomState random(1);
  std::size_t compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Oracle x = whole_numbers(random, shape_of_any_size(random));
    INFO(attn::to_string(Shape(x.shape().begin(), x.shape().end())));
    std::vector<std::size_t> order;
    for (const std::int64_t axis : random.permutation(x.dimension())) order.push_back(static_cast<std::size_t>(axis));
    if (order.empty()) continue;
    Graph<TestType> graph;
    const Oracle expected = xt::transpose(x, order);
    compared += check_same(attn::transpose(leaf(graph, x), as_axes(order)), expected);
  }
  CHECK(compared > 1000);
}

TEMPLATE_TEST_CASE("slice equals a view of xtensor", "", float, double) {
  RandomState random(2);
  std::size_t compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Oracle x = whole_numbers(random, shape_of_any_size(random, 1));
    const std::size_t axis = below(random, x.dimension());
    if (x.shape(axis) == 0) continue;
    const std::size_t start = below(random, x.shape(axis));
    const std::size_t stop = start + 1 + below(random, x.shape(axis) - start);
    xt::xstrided_slice_vector part(x.dimension(), xt::all());
    part[axis] = xt::range(start, stop);
    Graph<TestType> graph;
    const Oracle expected = xt::strided_view(x, part);
    compared += check_same(attn::slice(leaf(graph, x), static_cast<int>(axis), start, stop), expected);
  }
  CHECK(compared > 1000);
}

TEMPLATE_TEST_CASE("concat equals xtensor's concatenate", "", float, double) {
  RandomState random(3);
  std::size_t compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    Shape shape = shape_of_any_size(random, 1);
    const std::size_t axis = below(random, shape.size());
    std::vector<Oracle> parts;
    for (int part = 0; part < 3; ++part) {
      shape[axis] = below(random, 6);
      parts.push_back(whole_numbers(random, shape));
    }
    Graph<TestType> graph;
    const Oracle expected = xt::concatenate(xt::xtuple(parts[0], parts[1], parts[2]), axis);
    compared += check_same(attn::concat<TestType>({leaf(graph, parts[0]), leaf(graph, parts[1]), leaf(graph, parts[2])},
                                                  static_cast<int>(axis)),
                           expected);
  }
  CHECK(compared > 1000);
}

TEMPLATE_TEST_CASE("reshape, split_heads and merge_heads equal xtensor's", "", float, double) {
  RandomState random(4);
  std::size_t compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t batch = below(random, 4), heads = 1 + below(random, 4), length = below(random, 6);
    const std::size_t width = below(random, 9);
    const Oracle x = whole_numbers(random, {batch, length, heads * width});
    Graph<TestType> graph;
    const Tensor<TestType> own = leaf(graph, x);
    Oracle expected = x;
    expected.reshape(Shape{batch, length, heads, width});
    compared += check_same(attn::reshape(own, {batch, length, heads, width}), expected);
    const Oracle split = xt::transpose(expected, std::vector<std::size_t>{0, 2, 1, 3});
    const Tensor<TestType> own_split = attn::split_heads(own, heads);
    compared += check_same(own_split, split);
    compared += check_same(attn::merge_heads(own_split), x);
  }
  CHECK(compared > 1000);
}

TEMPLATE_TEST_CASE("sum and mean equal xtensor's", "", float, double) {
  RandomState random(5);
  std::size_t compared = 0, of_nothing = 0;
  for (int round = 0; round < 3 * kRounds; ++round) {
    const Oracle x = whole_numbers(random, shape_of_any_size(random));
    const std::vector<std::size_t> axes = some_axes(random, x.dimension());
    const bool keepdim = below(random, 2);
    double count = 1;
    for (const std::size_t axis : axes) count *= static_cast<double>(x.shape(axis));
    Oracle sum = sum_over(x, axes);
    Oracle mean = sum / count;
    if (x.size() > 0 && !axes.empty()) mean = xt::mean(x, axes, xt::evaluation_strategy::immediate);
    if (keepdim) {
      Shape keepdim_shape(x.shape().begin(), x.shape().end());
      for (const std::size_t axis : axes) keepdim_shape[axis] = 1;
      sum.reshape(keepdim_shape);
      mean.reshape(keepdim_shape);
    }
    INFO(attn::to_string(Shape(x.shape().begin(), x.shape().end())) << " over " << attn::to_string(axes));
    Graph<TestType> graph;
    const Tensor<TestType> own = leaf(graph, x);
    const attn::ReductionOptions options{.axes = as_axes(axes), .keepdim = keepdim};
    const std::size_t cells = check_same(attn::sum(own, options), sum);
    check_same(attn::mean(own, options), mean);
    compared += cells;
    if (x.size() == 0) of_nothing += cells;
  }
  CHECK(compared > 1000);
  CHECK(of_nothing > 10);
}

TEMPLATE_TEST_CASE("mask equals xtensor's where", "", float, double) {
  RandomState random(6);
  std::size_t compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Shape shape = shape_of_any_size(random);
    const Oracle x = whole_numbers(random, shape);
    const Oracle keep = whole_numbers(random, one_that_broadcasts(random, shape), 0, 2);
    Graph<TestType> graph;
    const Oracle expected = xt::where(xt::not_equal(xt::broadcast(keep, shape), 0.0), x, -77.0);
    compared += check_same(attn::mask(leaf(graph, x), leaf(graph, keep), -77), expected);
  }
  CHECK(compared > 1000);
}

TEMPLATE_TEST_CASE("Arithmetic broadcasts as xtensor's does, and gradients of repeated cells are summed", "", float,
                   double) {
  RandomState random(7);
  std::size_t compared = 0;
  for (int round = 0; round < 2 * kRounds; ++round) {
    const Shape shape = shape_of_any_size(random);
    const Shape one = one_that_broadcasts(random, shape), other = one_that_broadcasts(random, shape);
    const Oracle a = whole_numbers(random, one);
    const Oracle b = whole_numbers(random, other, 1, 9);
    const Oracle sum = a + b, difference = a - b, product = a * b, quotient = a / b;
    INFO(attn::to_string(one) << " and " << attn::to_string(other));
    Graph<TestType> graph;
    const Tensor<TestType> left = leaf(graph, a), right = leaf(graph, b);
    compared += check_same(attn::add(left, right), sum);
    compared += check_same(attn::subtract(left, right), difference);
    compared += check_same(attn::divide(left, right), quotient);
    const Tensor<TestType> own = attn::multiply(left, right);
    compared += check_same(own, product);

    const Oracle upstream = whole_numbers(random, own.shape());
    Graph<TestType> same_shape;
    graph.backward(own.id, leaf(same_shape, upstream).value());
    const Oracle to_left = sum_over(upstream * xt::broadcast(b, own.shape()), repeated_axes(one, own.shape()));
    const Oracle to_right = sum_over(upstream * xt::broadcast(a, own.shape()), repeated_axes(other, own.shape()));
    Oracle left_gradient = to_left, right_gradient = to_right;
    left_gradient.reshape(one);
    right_gradient.reshape(other);
    compared += check_same(*graph.node(left.id).gradient, left_gradient);
    compared += check_same(*graph.node(right.id).gradient, right_gradient);
  }
  CHECK(compared > 1000);
}
