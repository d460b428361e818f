// The Vision Transformer: "An Image is Worth 16x16 Words", section 3.1, equations 1 to 4.
#include "nn/vision_transformer.hpp"

#include <cmath>

#include "nn/linear.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"

namespace attn {

StackOptions vision_transformer_options(std::size_t num_layers, std::size_t num_heads) {
  return {.num_layers = num_layers,
          .final_norm = true,
          .layer = {.num_heads = num_heads, .activation = Activation::gelu_erf, .norm_first = true, .eps = 1e-6}};
}

ParameterSpecs vision_transformer_parameters(const VisionTransformerSizes& sizes, const StackOptions& options) {
  constexpr const char* kName = "vision_transformer";
  const std::size_t patch = sizes.patch;
  if (patch == 0 || sizes.image_height == 0 || sizes.image_width == 0 || sizes.image_height % patch != 0 ||
      sizes.image_width % patch != 0) {
    refuse_option(kName, "patch", std::to_string(patch),
                  "a divisor of height " + std::to_string(sizes.image_height) + " and width " +
                      std::to_string(sizes.image_width));
  }
  if (sizes.channels == 0) refuse_option(kName, "channels", "0", "at least 1");
  if (sizes.num_classes == 0) refuse_option(kName, "num_classes", "0", "at least 1");
  const std::size_t width = sizes.layer.d_model;
  const std::size_t tokens = (sizes.image_height / patch) * (sizes.image_width / patch) + 1;
  const Initial projection{Initial::Kind::uniform,
                           1 / std::sqrt(static_cast<double>(sizes.channels) * static_cast<double>(patch * patch))};
  // 0.02 is the initial standard deviation of positions in the paper's code.
  const Initial small{.kind = Initial::Kind::normal, .divisor = 50};
  return join({{{"conv_proj.weight", {width, sizes.channels, patch, patch}, projection},
                {"conv_proj.bias", {width}, projection},
                {"class_token", {width}},
                {"pos_embedding", {tokens, width}, small}},
               encoder_parameters(sizes.layer, options),
               within("head", linear_parameters(width, sizes.num_classes))});
}

template <typename T>
VisionTransformer<T> vision_transformer(const Tensor<T>& image, const StateDict<T>& parameters,
                                        const StackOptions& options, const std::string& name) {
  const bool observe = image.graph->observe();
  const PatchEmbeddingParameters<T> patches{.weight = parameters.at("conv_proj.weight"),
                                            .bias = parameters.bias("conv_proj.bias"),
                                            .cls = parameters.at("class_token"),
                                            .position = parameters.at("pos_embedding")};
  VisionTransformer<T> steps;
  steps.embedding = patch_embedding(image, patches, {.name = step_prefix(*image.graph, name, "embedding.")});
  steps.encoder = encoder(steps.embedding.output, parameters, options, {}, name);
  Shape row = steps.encoder.output.shape();
  row.erase(row.end() - 2);
  const Tensor<T> first = slice(steps.encoder.output, -2, 0, 1, observe ? name + "first" : std::string());
  steps.cls = reshape(first, row, observe ? name + "cls" : std::string());
  steps.logits = linear(steps.cls, parameters.within("head"), step_prefix(*image.graph, name, "logits"));
  return steps;
}

template VisionTransformer<float> vision_transformer(const Tensor<float>&, const StateDict<float>&, const StackOptions&,
                                                     const std::string&);
template VisionTransformer<double> vision_transformer(const Tensor<double>&, const StateDict<double>&,
                                                      const StackOptions&, const std::string&);

}  // namespace attn
