// An image cut into patches, each flattened into a row.
#include "ops/patchify.hpp"

#include "ops/rearrangement.hpp"

namespace attn {
namespace {

template <typename T>
class Patchify final : public Rearrangement<T> {
 public:
  explicit Patchify(PatchifyOptions options)
      : options_(std::move(options)), pixel_first_(options_.order != "c p1 p2") {}

  std::string_view name() const override { return "patchify"; }
  Attributes attributes() const override {
    return {{"patch_height", static_cast<double>(options_.patch_height)},
            {"patch_width", static_cast<double>(options_.patch_width)},
            {"order", options_.order}};
  }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& image = inputs[0];
    const std::size_t height = options_.patch_height;
    const std::size_t width = options_.patch_width;
    if (image.size() != 3 && image.size() != 4) refuse_shape("patchify", "image", image, "(C, H, W) or (B, C, H, W)");
    if (height == 0 || width == 0 || image.end()[-2] % height != 0 || image.back() % width != 0)
      refuse_shape("patchify", "image", image,
                   "a height and width that patches of " + to_string({height, width}) + " divide");
    Shape output;
    if (image.size() == 4) output.push_back(image[0]);
    output.push_back(image.end()[-2] / height * (image.back() / width));
    // An image without rows or columns can be divided by any patch, so the width of an output row may overflow.
    output.push_back(size_of({height, width, image.end()[-3]}));
    return output;
  }

 protected:
  Walk walk(const Shape& input) const override {
    const std::size_t height = options_.patch_height;
    const std::size_t width = options_.patch_width;
    const std::size_t channels = input.end()[-3];
    const std::size_t across = input.back();
    const std::size_t plane = input.end()[-2] * across;
    Walk order;
    if (input.size() == 4) order = {{input[0]}, {channels * plane}};
    order.sizes.insert(order.sizes.end(), {input.end()[-2] / height, across / width});
    order.strides.insert(order.strides.end(), {height * across, width});
    if (!pixel_first_) {
      order.sizes.push_back(channels);
      order.strides.push_back(plane);
    }
    order.sizes.insert(order.sizes.end(), {height, width});
    order.strides.insert(order.strides.end(), {across, 1});
    if (pixel_first_) {
      order.sizes.push_back(channels);
      order.strides.push_back(plane);
    }
    return order;
  }

  // The patch, the row and column inside it, and the channel.
  std::vector<std::size_t> index_numbers(const Shape& input, const Index& from, const Index&) const override {
    const std::size_t row = from.end()[-2];
    const std::size_t column = from.back();
    const std::size_t patches_across = input.back() / options_.patch_width;
    const std::size_t patch = row / options_.patch_height * patches_across + column / options_.patch_width;
    return {patch, row % options_.patch_height, column % options_.patch_width, from.end()[-3]};
  }

 private:
  PatchifyOptions options_;
  bool pixel_first_;
};

}  // namespace

template <typename T>
Tensor<T> patchify(const Tensor<T>& image, const PatchifyOptions& options, std::string name) {
  if (options.order != "c p1 p2" && options.order != "p1 p2 c")
    refuse_option("patchify", "order", "\"" + options.order + "\"", "\"c p1 p2\" or \"p1 p2 c\"");
  return image.graph->apply(std::make_unique<Patchify<T>>(options), {image}, std::move(name));
}

template Tensor<float> patchify(const Tensor<float>&, const PatchifyOptions&, std::string);
template Tensor<double> patchify(const Tensor<double>&, const PatchifyOptions&, std::string);

}  // namespace attn
