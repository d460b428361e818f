// Writes programs of graphs for the Python of this machine, and the names of all operations: `write_programs FOLDER`.
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "../cpp/op_cases.hpp"
#include "../cpp/op_draws.hpp"
#include "nn/bert.hpp"
#include "nn/gpt2.hpp"
#include "nn/seq2seq.hpp"
#include "nn/vision_transformer.hpp"
#include "program/operations.hpp"
#include "program/program.hpp"

namespace {

using attn::Graph;
using attn::Parameters;
using attn::StateDict;
using attn::Tensor;

std::filesystem::path folder;

std::string decimal(double value) {
  char text[32];
  const auto end = std::to_chars(text, std::end(text), value).ptr;
  return {text, end};
}

// FOLDER/numpy/NAME.py and FOLDER/pytorch/NAME.py
template <typename T>
void write(const std::string& name, const Graph<T>& graph, const std::vector<std::size_t>& nodes = {}) {
  const auto write_in = [&](const char* kind, const attn::Language& language) {
    std::filesystem::create_directories(folder / kind);
    std::ofstream(folder / kind / (name + ".py"))
        << attn::program(graph, {.language = language, .nodes = nodes, .decimal = decimal});
  };
  write_in("numpy", attn::numpy_language());
  write_in("pytorch", attn::torch_language());
}

// Every use of every operation, over shapes and numbers drawn with two seeds.
template <typename T>
void write_operations(const std::string& precision) {
  std::size_t count = 0;
  for (const op_cases::OpCase<T>& use : op_cases::all<T>()) {
    for (std::uint32_t seed = 1; seed <= 2; ++seed) {
      op_cases::Draws random(seed);
      Graph<T> graph;
      const Tensor<T> result = use.build(graph, random);
      write(precision + "-" + use.op + "-" + std::to_string(++count), graph, {result.id});
    }
  }
}

template <typename T>
Tensor<T> ids(Graph<T>& graph, const std::string& name, const attn::Shape& shape, std::size_t below) {
  attn::Array<T> array = attn::full<T>(shape, T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<T>((7 * i + 3) % below);
  return graph.leaf(name, std::move(array));
}

// From ids to log probabilities, post-norm and pre-norm, while training and not, step by step and fused.
template <typename T>
void write_seq2seq(const std::string& precision) {
  const attn::LayerSizes sizes = {.d_model = 8, .d_ff = 16};
  for (const bool observe : {true, false}) {
    for (const bool norm_first : {false, true}) {
      attn::Seq2SeqOptions options;
      options.transformer = {.num_encoder_layers = 2, .num_decoder_layers = 2, .layer = {.num_heads = 2}};
      options.transformer.layer.norm_first = norm_first;
      if (norm_first) options.transformer.layer.dropout = {.p = 0.1, .seed = 5};
      Parameters<T> parameters;
      parameters.draw(attn::seq2seq_parameters(sizes, 9, options), 42);
      Graph<T> graph({.observe = observe});
      attn::TransformerMasks<T> masks;
      masks.target.causal = attn::Causal::top_left;
      const auto steps = attn::seq2seq(ids(graph, "src", {2, 5}, 9), ids(graph, "tgt", {2, 4}, 9),
                                       StateDict<T>(graph, parameters), options, masks, "model.");
      write(precision + "-seq2seq-" + (observe ? "observed-" : "fused-") + (norm_first ? "pre" : "post"), graph,
            {steps.log_probs.id});
    }
  }
}

template <typename T>
void write_vision_transformer(const std::string& precision) {
  const attn::StackOptions options = attn::vision_transformer_options(2, 2);
  Parameters<T> parameters;
  parameters.draw(attn::vision_transformer_parameters({.layer = {.d_model = 8, .d_ff = 16},
                                                       .channels = 3,
                                                       .image_height = 8,
                                                       .image_width = 12,
                                                       .patch = 4,
                                                       .num_classes = 3},
                                                      options),
                  7);
  Graph<T> graph({.observe = true});
  attn::Array<T> image = attn::full<T>({2, 3, 8, 12}, T(0));
  for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = static_cast<T>(static_cast<double>(i % 255) / 255);
  const auto steps = attn::vision_transformer(graph.leaf("image", image), StateDict<T>(graph, parameters), options);
  write(precision + "-vision-transformer", graph, {steps.cls.id, steps.logits.id});
}

template <typename T>
void write_bert(const std::string& precision) {
  const attn::StackOptions options = attn::bert_options(1, 2);
  Parameters<T> parameters;
  parameters.draw(
      attn::bert_parameters({.layer = {.d_model = 8, .d_ff = 16}, .vocabulary = 11, .positions = 6}, options), 3);
  Graph<T> graph;
  const auto steps = attn::bert(ids(graph, "ids", {6}, 11), attn::OptionalTensor<T>(ids(graph, "segments", {6}, 2)),
                                StateDict<T>(graph, parameters), options);
  write(precision + "-bert", graph, {steps.logits.id});
}

// GPT-2 with every part, without norms and residual connections, and a text that it continues with a cache.
template <typename T>
void write_gpt2(const std::string& precision) {
  const auto write_model = [&](const std::string& name, const attn::StackOptions& options) {
    Parameters<T> parameters;
    parameters.draw(
        attn::gpt2_parameters({.layer = {.d_model = 8, .d_ff = 16}, .vocabulary = 11, .positions = 9}, options), 3);
    // Larger weights: those that GPT-2 begins with leave logits near 0 where there are no norms.
    for (const attn::Parameter<T>& parameter : parameters.list()) {
      attn::Array<T> value = parameter.value;
      if (attn::shape_of(value).size() != 2) continue;
      for (T& cell : value) cell *= T(20);
      parameters.set(parameter.name, value);
    }
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      const StateDict<T> state(graph, parameters);
      const auto steps = attn::gpt2(ids(graph, "ids", {2, 6}, 11), state, options);
      std::vector<std::size_t> nodes = {steps.logits.id};
      if (options.layer.dropout.p == 0) {
        const auto text =
            attn::gpt2_continuation(ids(graph, "prompt", {2, 3}, 11), state, options, {.steps = 3}, true, "text.");
        for (const Tensor<T>& row : text.logits) nodes.push_back(row.id);
      }
      write(precision + "-gpt2-" + name + (observe ? "-observed" : "-fused"), graph, nodes);
    }
  };
  attn::StackOptions options = attn::gpt2_options(2, 2);
  write_model("whole", options);
  options.layer.norm = options.layer.residual = false;
  write_model("bare", options);
  options = attn::gpt2_options(1, 2);
  options.layer.dropout = {.p = 0.1, .seed = 5};
  write_model("training", options);
}

// Layers that PyTorch has as modules, each by itself.
template <typename T>
void write_layers(const std::string& precision) {
  const attn::LayerOptions options{.num_heads = 2, .activation = attn::Activation::gelu_erf};
  const attn::AttentionMasks<T> causal{.causal = attn::Causal::top_left};
  Parameters<T> parameters;
  parameters.draw(attn::within("attention", attn::multi_head_attention_parameters(8)), 1);
  parameters.draw(attn::within("encoder", attn::encoder_layer_parameters({.d_model = 8, .d_ff = 16})), 1);
  parameters.draw(attn::within("decoder", attn::decoder_layer_parameters({.d_model = 8, .d_ff = 16})), 1);
  Parameters<T> without_bias;
  for (const char* name : {"q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj.weight"}) {
    const std::size_t width = std::string(name) == "k_proj_weight" ? 6 : std::string(name) == "v_proj_weight" ? 4 : 8;
    without_bias.draw({{name, {8, width}, {attn::Initial::Kind::normal}}}, 1);
  }
  Graph<T> graph;
  const StateDict<T> state(graph, parameters);
  const StateDict<T> mixed_state(graph, without_bias, "mixed.");
  attn::RandomState random(3);
  const Tensor<T> x = op_cases::normal(graph, random, {2, 5, 8});
  const Tensor<T> memory = op_cases::normal(graph, random, {2, 3, 8});
  const Tensor<T> key = op_cases::normal(graph, random, {2, 3, 6});
  const Tensor<T> value = op_cases::normal(graph, random, {2, 3, 4});
  attn::MultiHeadAttentionOptions<T> heads{.num_heads = 2, .causal = attn::Causal::top_left};
  const auto self = attn::multi_head_attention(x, x, x, attn::torch_parameters(state.within("attention")), heads);
  heads.causal = attn::Causal::none;
  const auto mixed = attn::multi_head_attention(x, key, value, attn::torch_parameters(mixed_state), heads);
  const auto encoded = attn::encoder_layer(x, state.within("encoder"), options, causal);
  const auto decoded = attn::decoder_layer(x, memory, state.within("decoder"), options, causal);
  // PyTorch's modules always have the residual connection and the norm: these are written as steps.
  const auto replaced = attn::encoder_layer(x, state.within("encoder"), {.num_heads = 2, .residual = false});
  const auto bare = attn::decoder_layer(x, memory, state.within("decoder"), {.num_heads = 2, .norm = false}, causal);
  write(precision + "-layers", graph,
        {self.output.id, mixed.output.id, encoded.output.id, decoded.output.id, replaced.output.id, bare.output.id});
}

template <typename T>
void write_all(const std::string& precision) {
  write_operations<T>(precision);
  write_seq2seq<T>(precision);
  write_vision_transformer<T>(precision);
  write_bert<T>(precision);
  write_gpt2<T>(precision);
  write_layers<T>(precision);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "write_programs FOLDER\n";
    return 1;
  }
  folder = arguments[1];
  write_all<double>("float64");
  write_all<float>("float32");
  std::ofstream operations(folder / "operations.txt");
  for (const attn::OperationText& operation : attn::operations()) operations << operation.name << '\n';
}
