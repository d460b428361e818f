// Shapes and places: an image with one of four shapes in one of four quarters, and a dot in each of the others.
#include <array>

#include "training/families.hpp"
#include "training/held_out.hpp"

namespace attn {
namespace {

constexpr std::size_t kSide = 16;
constexpr std::size_t kQuarter = kSide / 2;
constexpr std::size_t kShape = 5;
constexpr std::size_t kHeldOut = 256;

struct Drawing {
  const char* name;
  std::array<const char*, kShape> rows;
};
constexpr Drawing kDrawings[] = {
    {"square", {"#####", "#...#", "#...#", "#...#", "#####"}},
    {"plus", {"..#..", "..#..", "#####", "..#..", "..#.."}},
    {"cross", {"#...#", ".#.#.", "..#..", ".#.#.", "#...#"}},
    {"triangle", {"..#..", "..#..", ".#.#.", ".#.#.", "#####"}},
};
constexpr const char* kPlaces[] = {"top left", "top right", "bottom left", "bottom right"};

// The ink is from 0.7 to 1, and every pixel has noise of up to 0.3: a pixel with ink is above 0.35, and no other is.
constexpr double kThreshold = 0.35;

Example draw_image(RandomState& random) {
  const std::size_t shape = below(std::size(kDrawings), random);
  const std::size_t place = below(std::size(kPlaces), random);
  const double ink = random.uniform(0.7, 1);
  Example example{.target = {static_cast<std::int64_t>(shape * std::size(kPlaces) + place)}};
  for (std::size_t pixel = 0; pixel < kSide * kSide; ++pixel) example.image.push_back(random.uniform(-0.3, 0.3));
  for (std::size_t quarter = 0; quarter < std::size(kPlaces); ++quarter) {
    const std::size_t size = quarter == place ? kShape : 1;
    const std::size_t top = quarter / 2 * kQuarter + below(kQuarter - size + 1, random);
    const std::size_t left = quarter % 2 * kQuarter + below(kQuarter - size + 1, random);
    for (std::size_t row = 0; row < size; ++row) {
      for (std::size_t column = 0; column < size; ++column) {
        if (size == 1 || kDrawings[shape].rows[row][column] == '#')
          example.image[(top + row) * kSide + left + column] += ink;
      }
    }
  }
  return example;
}

// The pixels with ink.
std::string image_item(const Example& example) {
  std::string item;
  for (const double pixel : example.image) item += pixel > kThreshold ? '#' : '.';
  return item;
}

}  // namespace

Task shapes_task(const TaskOptions& options) {
  Task task;
  task.answer = Answer::image_class;
  for (const Drawing& drawing : kDrawings)
    for (const char* place : kPlaces) task.vocabulary.push_back(std::string(drawing.name) + ", " + place);
  task.target_length = 1;
  task.image = {1, kSide, kSide};
  task.models = {ModelKind::vision_transformer, ModelKind::convolution};
  split_by_hash(task, options.seed, kHeldOut, draw_image, image_item);
  return task;
}

}  // namespace attn
