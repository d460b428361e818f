// The parameters of every layer and model by its name.
#include "wasm/transformer/model_parameters.hpp"

#include "nn/additive_attention.hpp"
#include "nn/bert.hpp"
#include "nn/convolution.hpp"
#include "nn/embedding.hpp"
#include "nn/gpt2.hpp"
#include "nn/layer_norm.hpp"
#include "nn/linear.hpp"
#include "nn/recurrent.hpp"
#include "nn/seq2seq.hpp"
#include "nn/vision_transformer.hpp"
#include "nn/word2vec.hpp"
#include "wasm/transformer/layer_settings.hpp"

namespace attn {
namespace {

// The numbers of layers of a model: of one stack, or of an encoder and a decoder.
struct Depths {
  std::size_t first = 0;
  std::size_t second = 0;
};

struct Layer {
  std::string_view name;
  ParameterSpecs (*parameters)(const Arguments&, const Depths&);
};

Depths depths_of(const Arguments& arguments) {
  if (arguments.has("numLayers")) return {arguments.size("numLayers")};
  if (arguments.has("numEncoderLayers"))
    return {arguments.size("numEncoderLayers"), arguments.size("numDecoderLayers")};
  return {};
}

// The settings that the parameters of a stack depend on; heads and activation do not matter.
StackOptions stack(const Arguments& arguments, const Depths& depths) {
  return {.num_layers = depths.first, .final_norm = arguments.flag("finalNorm"), .layer = {}};
}

TransformerOptions both_stacks(const Depths& depths) {
  return {.num_encoder_layers = depths.first, .num_decoder_layers = depths.second, .layer = {}};
}

ParameterSpecs vision_transformer(const Arguments& arguments, const Depths& depths) {
  const std::vector<std::size_t> image = arguments.sizes("imageSize");
  if (image.size() != 2)
    refuse_option(arguments.operation(), "imageSize", std::to_string(image.size()) + " sizes", "a height and a width");
  const VisionTransformerSizes sizes{.layer = layer_sizes_of(arguments),
                                     .channels = arguments.size("channels"),
                                     .image_height = image[0],
                                     .image_width = image[1],
                                     .patch = arguments.size("patchSize"),
                                     .num_classes = arguments.size("numClasses")};
  return vision_transformer_parameters(sizes, stack(arguments, depths));
}

ParameterSpecs bert(const Arguments& arguments, const Depths& depths) {
  const BertSizes sizes{.layer = layer_sizes_of(arguments),
                        .vocabulary = arguments.size("vocabulary"),
                        .positions = arguments.size("positions"),
                        .segments = arguments.size("segments")};
  return bert_parameters(sizes, stack(arguments, depths));
}

constexpr Layer kLayers[] = {
    {"linear",
     [](const Arguments& arguments, const Depths&) {
       return linear_parameters(arguments.size("inFeatures"), arguments.size("outFeatures"), arguments.flag("bias"));
     }},
    {"embedding",
     [](const Arguments& arguments, const Depths&) {
       return embedding_parameters(arguments.size("numEmbeddings"), arguments.size("embeddingDim"));
     }},
    {"layerNorm",
     [](const Arguments& arguments, const Depths&) { return layer_norm_parameters(arguments.size("dim")); }},
    {"multiHeadAttention", [](const Arguments& arguments,
                              const Depths&) { return multi_head_attention_parameters(arguments.size("embedDim")); }},
    {"additiveAttention",
     [](const Arguments& arguments, const Depths&) {
       return additive_attention_parameters(arguments.size("queryDim"), arguments.size("keyDim"),
                                            arguments.size("hiddenDim"));
     }},
    {"feedForward",
     [](const Arguments& arguments, const Depths&) {
       return feed_forward_parameters(arguments.size("dModel"), arguments.size("dFf"));
     }},
    {"encoderLayer",
     [](const Arguments& arguments, const Depths&) { return encoder_layer_parameters(layer_sizes_of(arguments)); }},
    {"decoderLayer",
     [](const Arguments& arguments, const Depths&) { return decoder_layer_parameters(layer_sizes_of(arguments)); }},
    {"encoder",
     [](const Arguments& arguments, const Depths& depths) {
       return encoder_parameters(layer_sizes_of(arguments), stack(arguments, depths));
     }},
    {"decoder",
     [](const Arguments& arguments, const Depths& depths) {
       return decoder_parameters(layer_sizes_of(arguments), stack(arguments, depths));
     }},
    {"transformer",
     [](const Arguments& arguments, const Depths& depths) {
       return transformer_parameters(layer_sizes_of(arguments), both_stacks(depths));
     }},
    {"seq2seq",
     [](const Arguments& arguments, const Depths& depths) {
       return seq2seq_parameters(layer_sizes_of(arguments), arguments.size("vocabulary"),
                                 {.transformer = both_stacks(depths)});
     }},
    {"visionTransformer", vision_transformer},
    {"bert", bert},
#ifndef PLAYGROUND_FLOAT64_ALONE  // no lab uses it
    {"gpt2",
     [](const Arguments& arguments, const Depths& depths) {
       return gpt2_parameters({.layer = layer_sizes_of(arguments),
                               .vocabulary = arguments.size("vocabulary"),
                               .positions = arguments.size("positions")},
                              stack(arguments, depths));
     }},
#endif
    {"word2vec",
     [](const Arguments& arguments, const Depths&) {
       return word2vec_parameters(arguments.size("vocabulary"), arguments.size("dim"));
     }},
    {"recurrent",
     [](const Arguments& arguments, const Depths&) {
       return recurrent_parameters(arguments.size("inputSize"), arguments.size("hiddenSize"));
     }},
    {"convolution",
     [](const Arguments& arguments, const Depths&) {
       return convolution_parameters(arguments.size("inChannels"), arguments.size("outChannels"),
                                     arguments.size("kernelSize"));
     }},
};

}  // namespace

template <typename T>
ParameterSpecs parameters_of(std::string_view layer, const Arguments& sizes, const Parameters<T>& existing) {
  for (const Layer& candidate : kLayers) {
    if (candidate.name != layer) continue;
    // Every layer of a stack takes as much memory as the first, so the total is known before the parameters are
    // listed.
    const auto bytes_of_depths = [&](const Depths& depths) {
      return total_bytes<T>(candidate.parameters(sizes, depths));
    };
    const Depths depths = depths_of(sizes);
    const double other_bytes = bytes_of_depths({});
    existing.check_memory(other_bytes + static_cast<double>(depths.first) * (bytes_of_depths({1, 0}) - other_bytes) +
                              static_cast<double>(depths.second) * (bytes_of_depths({0, 1}) - other_bytes),
                          sizes.operation());
    return candidate.parameters(sizes, depths);
  }
  refuse_option(sizes.operation(), "layer", layer, "the name of a layer");
}

template ParameterSpecs parameters_of(std::string_view, const Arguments&, const Parameters<float>&);
template ParameterSpecs parameters_of(std::string_view, const Arguments&, const Parameters<double>&);

}  // namespace attn
