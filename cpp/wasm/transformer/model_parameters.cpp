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

struct Layer {
  std::string_view name;
  ParameterSpecs (*parameters)(const Arguments&);
};

// What a stack's parameters depend on: neither heads nor activation.
StackOptions stack(const Arguments& given) {
  return {.num_layers = given.size("numLayers"), .final_norm = given.flag("finalNorm"), .layer = {}};
}

TransformerOptions both_stacks(const Arguments& given) {
  return {.num_encoder_layers = given.size("numEncoderLayers"),
          .num_decoder_layers = given.size("numDecoderLayers"),
          .layer = {}};
}

ParameterSpecs vision_transformer(const Arguments& given) {
  const std::vector<std::size_t> image = given.sizes("imageSize");
  if (image.size() != 2)
    refuse_option(given.operation(), "imageSize", std::to_string(image.size()) + " sizes", "a height and a width");
  const VisionTransformerSizes sizes{.layer = layer_sizes_of(given),
                                     .channels = given.size("channels"),
                                     .image_height = image[0],
                                     .image_width = image[1],
                                     .patch = given.size("patchSize"),
                                     .num_classes = given.size("numClasses")};
  return vision_transformer_parameters(sizes, stack(given));
}

ParameterSpecs bert(const Arguments& given) {
  const BertSizes sizes{.layer = layer_sizes_of(given),
                        .vocabulary = given.size("vocabulary"),
                        .positions = given.size("positions"),
                        .segments = given.size("segments")};
  return bert_parameters(sizes, stack(given));
}

constexpr Layer kLayers[] = {
    {"linear",
     [](const Arguments& given) {
       return linear_parameters(given.size("inFeatures"), given.size("outFeatures"), given.flag("bias"));
     }},
    {"embedding",
     [](const Arguments& given) {
       return embedding_parameters(given.size("numEmbeddings"), given.size("embeddingDim"));
     }},
    {"layerNorm", [](const Arguments& given) { return layer_norm_parameters(given.size("dim")); }},
    {"multiHeadAttention",
     [](const Arguments& given) { return multi_head_attention_parameters(given.size("embedDim")); }},
    {"additiveAttention",
     [](const Arguments& given) {
       return additive_attention_parameters(given.size("queryDim"), given.size("keyDim"), given.size("hiddenDim"));
     }},
    {"feedForward",
     [](const Arguments& given) { return feed_forward_parameters(given.size("dModel"), given.size("dFf")); }},
    {"encoderLayer", [](const Arguments& given) { return encoder_layer_parameters(layer_sizes_of(given)); }},
    {"decoderLayer", [](const Arguments& given) { return decoder_layer_parameters(layer_sizes_of(given)); }},
    {"encoder", [](const Arguments& given) { return encoder_parameters(layer_sizes_of(given), stack(given)); }},
    {"decoder", [](const Arguments& given) { return decoder_parameters(layer_sizes_of(given), stack(given)); }},
    {"transformer",
     [](const Arguments& given) { return transformer_parameters(layer_sizes_of(given), both_stacks(given)); }},
    {"seq2seq",
     [](const Arguments& given) {
       return seq2seq_parameters(layer_sizes_of(given), given.size("vocabulary"), {.transformer = both_stacks(given)});
     }},
    {"visionTransformer", vision_transformer},
    {"bert", bert},
    {"word2vec",
     [](const Arguments& given) { return word2vec_parameters(given.size("vocabulary"), given.size("dim")); }},
    {"recurrent",
     [](const Arguments& given) { return recurrent_parameters(given.size("inputSize"), given.size("hiddenSize")); }},
    {"convolution",
     [](const Arguments& given) {
       return convolution_parameters(given.size("inChannels"), given.size("outChannels"), given.size("kernelSize"));
     }},
};

}  // namespace

ParameterSpecs parameters_of(std::string_view layer, const Arguments& sizes) {
  for (const Layer& candidate : kLayers)
    if (candidate.name == layer) return candidate.parameters(sizes);
  refuse_option(sizes.operation(), "layer", layer, "the name of a layer");
}

}  // namespace attn
