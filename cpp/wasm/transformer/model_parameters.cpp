// The parameters of every layer and model by its name.
#include "wasm/transformer/model_parameters.hpp"

#include "nn/additive_attention.hpp"
#include "nn/bert.hpp"
#include "nn/convolution.hpp"
#include "nn/embedding.hpp"
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

Depths depths_of(const Arguments& given) {
  if (given.has("numLayers")) return {given.size("numLayers")};
  if (given.has("numEncoderLayers")) return {given.size("numEncoderLayers"), given.size("numDecoderLayers")};
  return {};
}

// The settings that the parameters of a stack depend on; heads and activation do not matter.
StackOptions stack(const Arguments& given, const Depths& depths) {
  return {.num_layers = depths.first, .final_norm = given.flag("finalNorm"), .layer = {}};
}

TransformerOptions both_stacks(const Depths& depths) {
  return {.num_encoder_layers = depths.first, .num_decoder_layers = depths.second, .layer = {}};
}

ParameterSpecs vision_transformer(const Arguments& given, const Depths& depths) {
  const std::vector<std::size_t> image = given.sizes("imageSize");
  if (image.size() != 2)
    refuse_option(given.operation(), "imageSize", std::to_string(image.size()) + " sizes", "a height and a width");
  const VisionTransformerSizes sizes{.layer = layer_sizes_of(given),
                                     .channels = given.size("channels"),
                                     .image_height = image[0],
                                     .image_width = image[1],
                                     .patch = given.size("patchSize"),
                                     .num_classes = given.size("numClasses")};
  return vision_transformer_parameters(sizes, stack(given, depths));
}

ParameterSpecs bert(const Arguments& given, const Depths& depths) {
  const BertSizes sizes{.layer = layer_sizes_of(given),
                        .vocabulary = given.size("vocabulary"),
                        .positions = given.size("positions"),
                        .segments = given.size("segments")};
  return bert_parameters(sizes, stack(given, depths));
}

constexpr Layer kLayers[] = {
    {"linear",
     [](const Arguments& given, const Depths&) {
       return linear_parameters(given.size("inFeatures"), given.size("outFeatures"), given.flag("bias"));
     }},
    {"embedding",
     [](const Arguments& given, const Depths&) {
       return embedding_parameters(given.size("numEmbeddings"), given.size("embeddingDim"));
     }},
    {"layerNorm", [](const Arguments& given, const Depths&) { return layer_norm_parameters(given.size("dim")); }},
    {"multiHeadAttention",
     [](const Arguments& given, const Depths&) { return multi_head_attention_parameters(given.size("embedDim")); }},
    {"additiveAttention",
     [](const Arguments& given, const Depths&) {
       return additive_attention_parameters(given.size("queryDim"), given.size("keyDim"), given.size("hiddenDim"));
     }},
    {"feedForward", [](const Arguments& given,
                       const Depths&) { return feed_forward_parameters(given.size("dModel"), given.size("dFf")); }},
    {"encoderLayer",
     [](const Arguments& given, const Depths&) { return encoder_layer_parameters(layer_sizes_of(given)); }},
    {"decoderLayer",
     [](const Arguments& given, const Depths&) { return decoder_layer_parameters(layer_sizes_of(given)); }},
    {"encoder", [](const Arguments& given,
                   const Depths& depths) { return encoder_parameters(layer_sizes_of(given), stack(given, depths)); }},
    {"decoder", [](const Arguments& given,
                   const Depths& depths) { return decoder_parameters(layer_sizes_of(given), stack(given, depths)); }},
    {"transformer",
     [](const Arguments& given, const Depths& depths) {
       return transformer_parameters(layer_sizes_of(given), both_stacks(depths));
     }},
    {"seq2seq",
     [](const Arguments& given, const Depths& depths) {
       return seq2seq_parameters(layer_sizes_of(given), given.size("vocabulary"), {.transformer = both_stacks(depths)});
     }},
    {"visionTransformer", vision_transformer},
    {"bert", bert},
    {"word2vec", [](const Arguments& given,
                    const Depths&) { return word2vec_parameters(given.size("vocabulary"), given.size("dim")); }},
    {"recurrent",
     [](const Arguments& given, const Depths&) {
       return recurrent_parameters(given.size("inputSize"), given.size("hiddenSize"));
     }},
    {"convolution",
     [](const Arguments& given, const Depths&) {
       return convolution_parameters(given.size("inChannels"), given.size("outChannels"), given.size("kernelSize"));
     }},
};

}  // namespace

template <typename T>
ParameterSpecs parameters_of(std::string_view layer, const Arguments& sizes, const Parameters<T>& kept) {
  for (const Layer& candidate : kLayers) {
    if (candidate.name != layer) continue;
    // Every layer of a stack takes as much memory as the first, so the total is known before the parameters are
    // listed.
    const auto room = [&](const Depths& depths) { return room_of<T>(candidate.parameters(sizes, depths)); };
    const Depths depths = depths_of(sizes);
    const double beside = room({});
    kept.check_memory(beside + static_cast<double>(depths.first) * (room({1, 0}) - beside) +
                          static_cast<double>(depths.second) * (room({0, 1}) - beside),
                      sizes.operation());
    return candidate.parameters(sizes, depths);
  }
  refuse_option(sizes.operation(), "layer", layer, "the name of a layer");
}

template ParameterSpecs parameters_of(std::string_view, const Arguments&, const Parameters<float>&);
template ParameterSpecs parameters_of(std::string_view, const Arguments&, const Parameters<double>&);

}  // namespace attn
