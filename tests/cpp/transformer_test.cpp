// The whole Transformer, from ids to words: PyTorch's numbers, and greedy decoding with and without a cache.
#include "nn/greedy_decoding.hpp"

#include "golden_layers.hpp"
#include "model_numbers.hpp"
#include "refused_call.hpp"

using attn::Array;
using attn::Graph;
using attn::GreedyDecoding;
using attn::GreedyOptions;
using attn::Parameters;
using attn::Seq2SeqOptions;
using attn::Shape;
using attn::StateDict;
using attn::Tensor;
using attn::TransformerOptions;
using golden::Json;
using golden::Leaves;

namespace {

TransformerOptions options_of(const Json& params) {
  return {.num_encoder_layers = params["encoder_layers"].get<std::size_t>(),
          .num_decoder_layers = params["decoder_layers"].get<std::size_t>(),
          .layer = golden::layer_options(params)};
}

// A model with weights large enough that different sources give different words.
Parameters<double> lively_model(const Seq2SeqOptions& options, std::uint32_t seed) {
  Parameters<double> parameters;
  parameters.draw(attn::seq2seq_parameters({.d_model = 8, .d_ff = 16}, 9, options), seed);
  for (attn::Parameter<double>& parameter : parameters.list())
    for (double& cell : parameter.value) cell *= 3;
  return parameters;
}

}  // namespace

TEMPLATE_TEST_CASE("The Transformer gives PyTorch's numbers", "", float, double) {
  using T = TestType;
  std::size_t sequences = 0;
  for (const Json& test : golden::cases("transformer")) {
    const Json& params = test["params"];
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      Leaves<T> leaves(graph, test);
      if (params["op"] == "transformer") {
        const attn::TransformerMasks<T> masks{.source = leaves.masks("src_mask", "src_key_padding_mask"),
                                              .target = leaves.masks("tgt_mask", "tgt_key_padding_mask"),
                                              .memory = leaves.masks("memory_mask", "memory_key_padding_mask")};
        const auto steps =
            attn::transformer(leaves.at("src"), leaves.at("tgt"), leaves.parameters(), options_of(params), masks);
        golden::check<T>(test, "memory", steps.memory.value());
        golden::check<T>(test, "output", steps.output.value());
        continue;
      }
      ++sequences;
      const StateDict<T> parameters = leaves.parameters({{"table", "embedding.weight"}});
      const Seq2SeqOptions options{.transformer = options_of(params)};
      const auto steps = attn::seq2seq(leaves.at("src_ids"), leaves.at("tgt_ids"), parameters, options);
      golden::check<T>(test, "memory", steps.transformer.memory.value());
      golden::check<T>(test, "decoded", steps.transformer.output.value());
      golden::check<T>(test, "logits", steps.logits.value());
      golden::check<T>(test, "log_probs", steps.log_probs.value());
      for (const bool cache : {true, false}) {
        const GreedyOptions greedy{
            .begin = params["bos"].get<std::size_t>(), .steps = params["steps"].get<std::size_t>(), .cache = cache};
        const auto decoded =
            attn::greedy_decoding(leaves.at("src_ids"), parameters, options, greedy, {}, cache ? "cached." : "again.");
        Array<T> ids = attn::full<T>({decoded.ids.size(), decoded.ids[0].size()}, T(0));
        for (std::size_t i = 0; i < ids.size(); ++i)
          ids.data()[i] = static_cast<T>(decoded.ids[i / decoded.ids[0].size()][i % decoded.ids[0].size()]);
        golden::check<T>(test, "greedy", ids);
      }
    }
  }
  CHECK(sequences > 0);
}

TEST_CASE("Decoding with cached keys and values gives the same words and numbers") {
  double largest = 0;
  std::size_t different_words = 0;
  for (const bool norm_first : {false, true}) {
    for (const bool observe : {false, true}) {
      Seq2SeqOptions options;
      options.transformer = {
          .num_encoder_layers = 1, .num_decoder_layers = 2, .layer = {.num_heads = 2, .norm_first = norm_first}};
      const Parameters<double> parameters = lively_model(options, norm_first ? 3 : 5);
      Graph<double> graph({.observe = observe});
      const StateDict<double> state(graph, parameters);
      const auto source = ids_leaf(graph, {3, 4}, {1, 2, 3, 4, 8, 7, 6, 5, 0, 0, 2, 2});
      const auto keys = ids_leaf(graph, {3, 4}, {1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0});
      const auto decode = [&](bool cache, const std::string& name) {
        return attn::greedy_decoding(source, state, options, {.begin = 1, .steps = 7, .cache = cache}, keys, name);
      };
      const GreedyDecoding<double> cached = decode(true, "kept.");
      const GreedyDecoding<double> uncached = decode(false, "whole.");
      CHECK(cached.ids == uncached.ids);
      REQUIRE(cached.logits.size() == 7);
      for (std::size_t step = 0; step < 7; ++step)
        largest = std::max(largest, largest_difference(cached.logits[step].value(), uncached.logits[step].value()));

      // The decoded words, given all at once, have the same logits.
      std::vector<double> target_ids;
      for (const auto& row : cached.ids) {
        target_ids.insert(target_ids.end(), row.begin(), row.end() - 1);
        different_words += row != cached.ids[0];
      }
      const attn::TransformerMasks<double> masks{.source = {.key_mask = keys}};
      const Array<double> logits =
          attn::seq2seq(source, ids_leaf(graph, {3, 7}, target_ids), state, options, masks, "forced.").logits.value();
      for (std::size_t step = 0; step < 7; ++step)
        for (std::size_t sample = 0; sample < 3; ++sample)
          for (std::size_t word = 0; word < 9; ++word)
            largest =
                std::max(largest, std::abs(logits(sample, step, word) - cached.logits[step].value()(sample, word)));
    }
  }
  INFO("largest difference " << largest);
  CHECK(largest <= 1e-12);
  CHECK(different_words > 0);
}

TEST_CASE("A target that has ended stays ended; decoding stops when all have ended") {
  Seq2SeqOptions options;
  options.transformer = {.num_encoder_layers = 1, .num_decoder_layers = 1, .layer = {.num_heads = 2}};
  const Parameters<double> parameters = lively_model(options, 11);
  Graph<double> graph;
  const StateDict<double> state(graph, parameters);
  const auto source = ids_leaf(graph, {4}, {1, 2, 3, 4});
  const auto free = attn::greedy_decoding(source, state, options, {.begin = 0, .steps = 6});
  REQUIRE(free.ids.size() == 1);
  REQUIRE(free.ids[0].size() == 7);
  CHECK(free.logits[0].shape() == Shape{9});
  const std::size_t end = free.ids[0][3];
  const auto first = std::find(free.ids[0].begin() + 1, free.ids[0].end(), end) - free.ids[0].begin();
  const auto ended = attn::greedy_decoding(source, state, options, {.begin = 0, .steps = 6, .end = end});
  CHECK(ended.ids[0] == std::vector<std::size_t>(free.ids[0].begin(), free.ids[0].begin() + first + 1));
}

TEST_CASE("A decoder built once gives for every source the result of greedy decoding") {
  std::size_t different_words = 0;
  for (const bool norm_first : {false, true}) {
    for (const std::size_t steps : {1, 2, 7}) {
      for (const bool batched : {false, true}) {
        Seq2SeqOptions options;
        options.transformer = {
            .num_encoder_layers = 1, .num_decoder_layers = 2, .layer = {.num_heads = 2, .norm_first = norm_first}};
        const Parameters<double> parameters = lively_model(options, norm_first ? 3 : 5);
        const Shape shape = batched ? Shape{3, 4} : Shape{4};
        const std::size_t count = attn::size_of(shape);
        for (const bool ends : {false, true}) {
          GreedyOptions greedy{.begin = 1, .steps = steps};
          if (ends) greedy.end = 4;
          attn::GreedyDecoder<double> decoder(parameters, shape, options, greedy);
          for (std::size_t round = 0; round < 4; ++round) {
            std::vector<double> words(count), keys(count, 1);
            for (std::size_t i = 0; i < count; ++i) {
              words[i] = static_cast<double>((5 * i + 3 * round + i * i) % 9);
              if (round > 1 && i % 4 > 1) keys[i] = static_cast<double>((i + round) % 2);
            }
            std::copy(words.begin(), words.end(), decoder.source().begin());
            std::copy(keys.begin(), keys.end(), decoder.source_key_mask().begin());
            Graph<double> graph;
            const auto expected =
                attn::greedy_decoding(ids_leaf(graph, shape, words), StateDict<double>(graph, parameters), options,
                                      greedy, ids_leaf(graph, shape, keys));
            CHECK(decoder.decode() == expected.ids);
            if (steps == 7 && !ends) different_words += expected.ids[0] != decoder.decode().back();
          }
        }
      }
    }
  }
  CHECK(different_words > 0);

  Seq2SeqOptions options;
  options.transformer = {.num_encoder_layers = 1, .num_decoder_layers = 1, .layer = {.num_heads = 2}};
  const Parameters<double> parameters = lively_model(options, 2);
  attn::GreedyDecoder<double> decoder(parameters, {2}, options, {.begin = 1, .steps = 3});
  decoder.source().data()[1] = 9;
  CHECK(refusal([&] { decoder.decode(); }) == "embedding: id at (1,) is 9, expected a row of a table of 9");
  decoder.source().data()[1] = 8;
  CHECK(decoder.decode()[0].size() == 4);
  CHECK(refusal([&] { attn::GreedyDecoder<double>(parameters, {2}, options, {.begin = 1, .cache = false}); }) ==
        "greedy_decoding: cache is false, expected true: GreedyDecoder always caches keys and values");
  CHECK(refusal([&] { attn::GreedyDecoder<double>(parameters, {2, 0}, options, {.begin = 1}); }) ==
        "greedy_decoding: src_ids has shape (2, 0), expected (length) or (batch, length), with at least one id");
}

TEST_CASE("A refused call leaves the cached keys and the parameters usable") {
  Seq2SeqOptions options;
  options.transformer = {.num_encoder_layers = 1, .num_decoder_layers = 1, .layer = {.num_heads = 2}};
  const Parameters<double> parameters = lively_model(options, 2);
  Graph<double> graph;
  const StateDict<double> state(graph, parameters);
  const std::size_t size = graph.size();
  const auto source = [&](double id) { return ids_leaf(graph, {2}, {1, id}); };
  CHECK_FALSE(refusal([&] { attn::seq2seq(source(1), source(9), state, options); }).empty());
  graph.truncate(size);
  CHECK_NOTHROW(attn::seq2seq(source(1), source(2), state, options));
  CHECK(refusal([&] { attn::greedy_decoding(source(1), state, options, {.begin = 9}); }) ==
        "greedy_decoding: begin is 9, expected an id below 9, the size of the vocabulary");
  CHECK(refusal([&] { attn::greedy_decoding(source(1), state, options, {.steps = 0}); }) ==
        "greedy_decoding: steps is 0, expected at least 1");
  Seq2SeqOptions training = options;
  training.transformer.layer.dropout = {.p = 0.5, .seed = 1};
  CHECK(refusal([&] { attn::greedy_decoding(source(1), state, training, {.steps = 2}); }) ==
        "greedy_decoding: dropout is 0.5, expected 0 when cache is true: a cache would draw for the new token alone");
  CHECK_NOTHROW(attn::greedy_decoding(source(1), state, training, {.steps = 2, .cache = false}));
  CHECK(refusal([&] { attn::seq2seq_parameters({.d_model = 8, .d_ff = 8}, 0, options); }) ==
        "seq2seq: vocabulary is 0, expected at least 1");
  const auto empty = graph.leaf("", attn::full<double>({0}, 0));
  CHECK(refusal([&] { attn::seq2seq(empty, empty, state, options); }) ==
        "embed_sequence: ids has shape (0,), expected (length) or (batch, length), with at least one id");
}

TEST_CASE("No word is chosen when logits are NaN") {
  Seq2SeqOptions options;
  options.transformer = {.num_encoder_layers = 1, .num_decoder_layers = 1, .layer = {.num_heads = 2}};
  Parameters<double> parameters = lively_model(options, 2);
  Array<double> bias = parameters.at("decoder.norm.bias").value;
  bias(0) = std::nan("");
  parameters.set("decoder.norm.bias", bias);
  Graph<double> graph;
  const StateDict<double> state(graph, parameters);
  CHECK(refusal([&] { attn::greedy_decoding(ids_leaf(graph, {2}, {1, 2}), state, options, {.steps = 2}); }) ==
        "greedy_decoding: logits of step 0 is nan, expected numbers to choose from");
}
