// Compares gather, gather_add and scatter_add with a loop over cells, for axes of many sizes, permuted axes and
// repeated axes.
#include <catch_amalgamated.hpp>

#include "kernels/strided.hpp"
#include "tensor/random.hpp"
#include "tensor/shape.hpp"

using attn::Index;
using attn::RandomState;
using attn::Shape;

namespace {

template <typename T>
std::vector<T> random_integers(RandomState& random, std::size_t count) {
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.randint(-8, 8));  // small integers, whose sums are exact
  return numbers;
}

// Compares the kernels with a loop over cells, for a view with these sizes and strides of an array of `count` numbers.
template <typename T>
void check(const Shape& sizes, const Shape& strides, std::size_t count, RandomState& random) {
  INFO(attn::to_string(sizes) << " with strides " << attn::to_string(strides));
  const std::size_t cells = attn::size_of(sizes);
  const std::vector<T> array = random_integers<T>(random, count);
  const std::vector<T> flat = random_integers<T>(random, cells);
  std::vector<T> gathered(cells, T(77)), added = flat, scattered = array;
  std::vector<T> expected_gathered(cells), expected_added = flat, expected_scattered = array;
  for (std::size_t i = 0; i < cells; ++i) {
    const Index index = attn::index_at(sizes, i);
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * strides[axis];
    expected_gathered[i] = array[offset];
    expected_added[i] += array[offset];
    expected_scattered[offset] += flat[i];
  }
  attn::kernels::gather(array.data(), {sizes, strides}, gathered.data());
  attn::kernels::gather_add(array.data(), {sizes, strides}, added.data());
  attn::kernels::scatter_add(flat.data(), scattered.data(), {sizes, strides});
  CHECK(gathered == expected_gathered);
  CHECK(added == expected_added);
  CHECK(scattered == expected_scattered);
}

}  // namespace

TEMPLATE_TEST_CASE("gather and scatter with permuted axes equal a loop over cells", "", float, double) {
  RandomState random(2);
  for (int round = 0; round < 200; ++round) {
    Shape shape(static_cast<std::size_t>(random.randint(0, 5)));
    for (std::size_t& size : shape) size = static_cast<std::size_t>(random.randint(1, round % 2 ? 7 : 23));
    const Shape contiguous = attn::strides_of(shape);
    Shape sizes, strides;
    for (const std::int64_t axis : random.permutation(shape.size())) {
      sizes.push_back(shape[static_cast<std::size_t>(axis)]);
      strides.push_back(contiguous[static_cast<std::size_t>(axis)]);
    }
    check<TestType>(sizes, strides, attn::size_of(shape), random);
  }
}

TEMPLATE_TEST_CASE("gather and scatter with repeated axes equal a loop over cells", "", float, double) {
  RandomState random(3);
  for (int round = 0; round < 200; ++round) {
    Shape sizes(static_cast<std::size_t>(random.randint(1, 5)));
    Shape shape;
    for (std::size_t& size : sizes) {
      size = static_cast<std::size_t>(random.randint(1, 9));
      shape.push_back(random.randint(0, 2) ? size : 1);
    }
    check<TestType>(sizes, attn::broadcast_strides(shape, sizes), attn::size_of(shape), random);
  }
}

TEST_CASE("gather and scatter with an axis of size 0 change nothing") {
  RandomState random(4);
  check<float>({3, 0, 2}, {2, 2, 1}, 6, random);
}

TEST_CASE("A view may have many axes of size 1") {
  RandomState random(5);
  Shape sizes(100, 1), strides(100, 5);
  sizes[20] = 4;
  strides[20] = 3;
  sizes[80] = 3;
  strides[80] = 1;
  check<double>(sizes, strides, 12, random);
}
