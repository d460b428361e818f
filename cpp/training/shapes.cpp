// Shapes and places: a picture of one of four shapes in one of four quarters.
#include <array>

#include "training/families.hpp"
#include "training/held_out.hpp"

namespace attn {
namespace {

constexpr std::size_t kSide = 16;
constexpr std::size_t kQuarter = kSide / 2;
constexpr std::size_t kShape = 5;
constexpr std::size_t kShifts = kQuarter - kShape + 1;  // places of a shape in a quarter, along each axis
constexpr std::size_t kHeldOutShifts = 2;               // of the kShifts^2 of a class
constexpr std::size_t kDrawings = 8;                    // of each held-out item

struct Drawing {
  const char* name;
  std::array<const char*, kShape> rows;
};
constexpr Drawing kDrawnShapes[] = {
    {"square", {"#####", "#...#", "#...#", "#...#", "#####"}},
    {"plus", {"..#..", "..#..", "#####", "..#..", "..#.."}},
    {"cross", {"#...#", ".#.#.", "..#..", ".#.#.", "#...#"}},
    {"triangle", {"..#..", "..#..", ".#.#.", ".#.#.", "#####"}},
};
constexpr const char* kPlaces[] = {"top left", "top right", "bottom left", "bottom right"};

// A shape at a place, without noise.
struct Item {
  std::size_t shape, place, row, column;  // the last two are the shape's corner in its quarter
};

// The ink is from 0.7 to 1 and every pixel has noise of up to 0.3: no pixel of the shape is as dark as one beside it.
Example drawn(const Item& item, RandomState& random) {
  Example example{.target = {static_cast<std::int64_t>(item.shape * std::size(kPlaces) + item.place)}};
  example.image.resize(kSide * kSide);
  const double ink = random.uniform(0.7, 1);
  for (double& pixel : example.image) pixel = random.uniform(-0.3, 0.3);
  const std::size_t top = item.place / 2 * kQuarter + item.row;
  const std::size_t left = item.place % 2 * kQuarter + item.column;
  for (std::size_t row = 0; row < kShape; ++row) {
    for (std::size_t column = 0; column < kShape; ++column) {
      if (kDrawnShapes[item.shape].rows[row][column] == '#') example.image[(top + row) * kSide + left + column] += ink;
    }
  }
  return example;
}

}  // namespace

Task shapes_task(const TaskOptions& options) {
  Task task;
  task.answer = Answer::image_class;
  task.target_length = 1;
  task.image = {1, kSide, kSide};
  task.models = {ModelKind::vision_transformer, ModelKind::convolution};

  // Some shifts of every class are held out: a class is then asked where its shape was never drawn.
  std::vector<Item> training;
  std::vector<Item> held_out;
  RandomState random(options.seed);
  for (std::size_t shape = 0; shape < std::size(kDrawnShapes); ++shape) {
    for (std::size_t place = 0; place < std::size(kPlaces); ++place) {
      task.vocabulary.push_back(std::string(kDrawnShapes[shape].name) + ", " + kPlaces[place]);
      const std::vector<std::int64_t> shifts = random.permutation(kShifts * kShifts);
      for (std::size_t i = 0; i < shifts.size(); ++i) {
        const auto shift = static_cast<std::size_t>(shifts[i]);
        (i < kHeldOutShifts ? held_out : training).push_back({shape, place, shift / kShifts, shift % kShifts});
      }
    }
  }
  for (std::size_t drawing = 0; drawing < kDrawings; ++drawing) {
    for (const Item& item : held_out) task.held_out.push_back(drawn(item, random));
  }
  task.training_items = training.size();
  task.draw = [training](RandomState& stream) { return drawn(drawn_from(training, stream), stream); };
  return task;
}

}  // namespace attn
