// An image as a sequence of tokens: "An Image is Worth 16x16 Words", section 3.1, equation 1.
#include "nn/patch_embedding.hpp"

#include "ops/add.hpp"
#include "ops/concat.hpp"
#include "ops/linear.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"

namespace attn {
namespace {

void check(const std::string& argument, const Shape& shape, const Shape& expected) {
  if (shape != expected) refuse_shape("patch_embedding", argument, shape, to_string(expected));
}

// The class token before the tokens of every sample. Adding it to a leaf of zeros repeats it over the batch.
template <typename T>
Tensor<T> with_class_token(const Tensor<T>& cls, const Tensor<T>& tokens, std::string name) {
  Shape row = tokens.shape();
  row[row.size() - 2] = 1;
  const Tensor<T> repeated = row.size() == 2 ? reshape(cls, row) : add(tokens.graph->leaf({}, full<T>(row, T{0})), cls);
  return concat<T>({repeated, tokens}, -2, std::move(name));
}

}  // namespace

template <typename T>
PatchEmbedding<T> patch_embedding(const Tensor<T>& image, const PatchEmbeddingParameters<T>& parameters,
                                  const std::string& name) {
  const Shape& kernel = parameters.weight.shape();
  if (kernel.size() != 4) {
    refuse_shape("patch_embedding", "weight", kernel, "(D, C, ph, pw)");
  }
  const Shape& size = image.shape();
  if (size.size() < 3 || size.size() > 4 || size[size.size() - 3] != kernel[1]) {
    refuse_shape("patch_embedding", "image", size,
                 "(batch, channels, height, width) or (channels, height, width) with the " + std::to_string(kernel[1]) +
                     " channels of weight " + to_string(kernel));
  }
  const std::size_t width = kernel[0];
  if (parameters.bias) check("bias", parameters.bias->shape(), {width});
  if (parameters.cls) check("cls", parameters.cls->shape(), {width});

  const bool named = image.graph->observe() || !name.empty();
  const auto step = [&](const char* last) { return named ? name + last : std::string(); };
  PatchEmbedding<T> steps;
  steps.patches =
      patchify(image, {.patch_height = kernel[2], .patch_width = kernel[3], .order = "c p1 p2"}, step("patches"));
  const Tensor<T> flat = reshape(parameters.weight, {width, kernel[1] * kernel[2] * kernel[3]});
  steps.tokens = linear(steps.patches, flat, parameters.bias, step("tokens"));
  steps.output = steps.tokens;
  if (parameters.cls) {
    steps.output = with_class_token(*parameters.cls, steps.tokens, step(parameters.position ? "with_cls" : "output"));
  }
  if (parameters.position) {
    const Shape& sequence = steps.output.shape();
    check("position", parameters.position->shape(), {sequence[sequence.size() - 2], width});
    steps.output = add(steps.output, *parameters.position, step("output"));
  }
  return steps;
}

template PatchEmbedding<float> patch_embedding(const Tensor<float>&, const PatchEmbeddingParameters<float>&,
                                               const std::string&);
template PatchEmbedding<double> patch_embedding(const Tensor<double>&, const PatchEmbeddingParameters<double>&,
                                                const std::string&);

}  // namespace attn
