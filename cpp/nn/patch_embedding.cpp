// An image as a sequence of tokens: "An Image is Worth 16x16 Words", section 3.1, equation 1.
#include "nn/patch_embedding.hpp"

#include <algorithm>

#include "ops/add.hpp"
#include "ops/concat.hpp"
#include "ops/linear.hpp"
#include "ops/matmul.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {
namespace {

// Throws unless `shape` is `expected`, possibly with leading axes of size 1: torchvision stores the class token as
// (1, 1, D) and the positions as (1, N, D).
void check(const std::string& argument, const Shape& shape, const Shape& expected, std::size_t most_axes) {
  const std::size_t more = shape.size() - std::min(shape.size(), expected.size());
  const bool fits = shape.size() <= most_axes &&
                    std::equal(shape.begin() + more, shape.end(), expected.begin(), expected.end()) &&
                    std::all_of(shape.begin(), shape.begin() + more, [](std::size_t size) { return size == 1; });
  if (!fits) refuse_shape("patch_embedding", argument, shape, to_string(expected));
}

// Puts the class token before the tokens of every sample. Adding it to a leaf of zeros repeats it over the batch.
template <typename T>
Tensor<T> with_class_token(const Tensor<T>& cls, const Tensor<T>& tokens, std::string name) {
  Shape row = tokens.shape();
  row[row.size() - 2] = 1;
  Tensor<T> repeated = cls;
  if (row.size() == 3) {
    repeated = add(filled_leaf(*tokens.graph, row, T{0}, "patch_embedding"), cls);
  } else if (cls.shape() != row) {
    repeated = reshape(cls, row);
  }
  return concat<T>({repeated, tokens}, -2, std::move(name));
}

// Returns the size of a patch, after checking that image and weight fit together.
template <typename T>
PatchSize patch_size(const Tensor<T>& image, const Tensor<T>& weight, const std::optional<PatchSize>& option) {
  const Shape& kernel = weight.shape();
  const Shape& size = image.shape();
  const std::size_t rank = option ? 2 : 4;
  if (kernel.size() != rank) {
    refuse_shape("patch_embedding", "weight", kernel, option ? "(C ph pw, D)" : "(D, C, ph, pw)");
  }
  const bool is_image = size.size() == 3 || size.size() == 4;
  if (!is_image || (!option && size[size.size() - 3] != kernel[1])) {
    const std::string channels =
        option ? "" : " with the " + std::to_string(kernel[1]) + " channels of weight " + to_string(kernel);
    refuse_shape("patch_embedding", "image", size,
                 "(batch, channels, height, width) or (channels, height, width)" + channels);
  }
  if (!option) return {kernel[2], kernel[3]};
  if (kernel[0] != size[size.size() - 3] * option->height * option->width) {
    refuse_shape("patch_embedding", "weight", kernel,
                 "as many rows as a patch of image " + to_string(size) + " has numbers");
  }
  return *option;
}

}  // namespace

template <typename T>
PatchEmbedding<T> patch_embedding(const Tensor<T>& image, const PatchEmbeddingParameters<T>& parameters,
                                  const PatchEmbeddingOptions& options) {
  const PatchSize patch = patch_size(image, parameters.weight, options.patch);
  const Shape& weight = parameters.weight.shape();
  const std::size_t width = options.patch ? weight[1] : weight[0];
  if (parameters.bias) check("bias", parameters.bias->shape(), {width}, 1);
  if (parameters.cls) check("cls", parameters.cls->shape(), {width}, 3);

  const bool has_names = image.graph->observe() || !options.name.empty();
  const auto step = [&](const std::string& last) { return has_names ? options.name + last : std::string(); };
  PatchEmbedding<T> steps;
  steps.patches =
      patchify(image, {.patch_height = patch.height, .patch_width = patch.width, .order = "c p1 p2"}, step("patches"));
  if (!options.patch) {
    const Tensor<T> flat = reshape(parameters.weight, {width, weight[1] * weight[2] * weight[3]});
    steps.tokens = linear(steps.patches, flat, parameters.bias, step("tokens"));
  } else if (parameters.bias) {
    steps.projected = matmul(steps.patches, parameters.weight, step("projected"));
    steps.tokens = add(*steps.projected, *parameters.bias, step("tokens"));
  } else {
    steps.tokens = matmul(steps.patches, parameters.weight, step("tokens"));
  }
  steps.output = steps.tokens;
  if (parameters.cls) {
    const std::string name = step(parameters.position ? "joined" : options.output_name);
    steps.output = with_class_token(*parameters.cls, steps.tokens, name);
  }
  if (parameters.position) {
    if (parameters.cls) steps.joined = steps.output;
    const Shape& sequence = steps.output.shape();
    const Shape rows{sequence[sequence.size() - 2], width};
    Tensor<T> position = *parameters.position;
    check("position", position.shape(), rows, 3);
    if (position.shape().size() > sequence.size()) position = reshape(position, rows);
    steps.output = add(steps.output, position, step(options.output_name));
  }
  return steps;
}

template PatchEmbedding<float> patch_embedding(const Tensor<float>&, const PatchEmbeddingParameters<float>&,
                                               const PatchEmbeddingOptions&);
template PatchEmbedding<double> patch_embedding(const Tensor<double>&, const PatchEmbeddingParameters<double>&,
                                                const PatchEmbeddingOptions&);

}  // namespace attn
