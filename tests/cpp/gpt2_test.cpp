// GPT-2: PyTorch's numbers, the cache, and texts continued by the likeliest or by drawn tokens.
#include "nn/gpt2.hpp"

#include <set>

#include "golden_layers.hpp"
#include "model_numbers.hpp"
#include "ops/cross_entropy.hpp"
#include "recombine.hpp"
#include "refused_call.hpp"

using attn::Array;
using attn::Continuation;
using attn::ContinuationOptions;
using attn::DecoderCache;
using attn::Gpt2Decoder;
using attn::Graph;
using attn::IdLists;
using attn::OptionalTensor;
using attn::Parameters;
using attn::SamplingOptions;
using attn::Shape;
using attn::StackOptions;
using attn::StateDict;
using attn::Tensor;
using golden::Json;
using golden::Leaves;

namespace {

const attn::Gpt2Sizes kSizes = {.layer = {.d_model = 8, .d_ff = 16}, .vocabulary = 9, .positions = 10};
const StackOptions kOptions = attn::gpt2_options(2, 2);
constexpr SamplingOptions kGreedy = {.temperature = 0};

// A model with weights large enough that different texts continue differently.
template <typename T = double>
Parameters<T> lively_model(std::uint32_t seed, const StackOptions& options = kOptions) {
  Parameters<T> parameters;
  parameters.draw(attn::gpt2_parameters(kSizes, options), seed);
  for (attn::Parameter<T>& parameter : parameters.list()) {
    const bool is_weight = attn::shape_of(parameter.value).size() == 2;
    for (T& cell : parameter.value) cell *= is_weight ? T(40) : T(1);
  }
  return parameters;
}

Tensor<double> ids_of(Graph<double>& graph, const IdLists& ids) {
  std::vector<double> flat;
  for (const auto& sample : ids) flat.insert(flat.end(), sample.begin(), sample.end());
  return ids_leaf(graph, {ids.size(), ids[0].size()}, flat);
}

StackOptions options_of(const Json& params) {
  StackOptions options = attn::gpt2_options(params["layers"].get<std::size_t>(), params["heads"].get<std::size_t>());
  options.layer.norm = params.value("norm", true);
  options.layer.residual = params.value("residual", true);
  options.layer.norm_first = params.value("norm_first", true);
  return options;
}

template <typename T>
Array<T> lists_as_array(const IdLists& ids, const Shape& shape) {
  Array<T> array = attn::full<T>(shape, T(0));
  std::size_t at = 0;
  for (const auto& sample : ids)
    for (const std::size_t id : sample) array.data()[at++] = static_cast<T>(id);
  REQUIRE(at == array.size());
  return array;
}

template <typename T>
void check_sampling_case(const Json& test) {
  const Json& params = test["params"];
  SamplingOptions options{.temperature = params["temperature"].get<double>(), .top_p = params.value("top_p", 1.0)};
  if (params.contains("top_k")) options.top_k = params["top_k"].get<std::size_t>();
  const Array<T> logits = golden::array<T>(test["inputs"]["logits"]);
  const std::vector<double> left =
      attn::next_probabilities(std::span<const T>(logits.data(), logits.size()), options, "test");
  Array<double> probabilities = attn::full<double>({left.size()}, 0);
  std::copy(left.begin(), left.end(), probabilities.begin());
  golden::check<double>(test, "probabilities", probabilities);
  attn::RandomState random(params["seed"].get<std::uint32_t>());
  const IdLists drawn = {attn::draw_ids(left, params["number"].get<std::size_t>(), random)};
  golden::check<T>(test, "drawn", lists_as_array<T>(drawn, {drawn[0].size()}));
}

}  // namespace

TEMPLATE_TEST_CASE("GPT-2 and the sampler give the numbers of PyTorch and NumPy", "", float, double) {
  using T = TestType;
  std::size_t gradients = 0, texts = 0, samplings = 0;
  for (const Json& test : golden::cases("gpt2")) {
    const Json& params = test["params"];
    if (params.value("op", "gpt2") == "sampling") {
      check_sampling_case<T>(test);
      ++samplings;
      continue;
    }
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      Leaves<T> leaves(graph, test);
      const StateDict<T> parameters = leaves.parameters();
      OptionalTensor<T> positions;
      if (leaves.has("position_ids")) positions = leaves.at("position_ids");
      const auto steps = attn::gpt2(leaves.at("ids"), parameters, options_of(params),
                                    leaves.masks("", "key_padding_mask").key_mask, {}, positions);
      golden::check<T>(test, "embedded", steps.embedded.value());
      golden::check<T>(test, "output", steps.blocks.output.value());
      golden::check<T>(test, "logits", steps.logits.value());
      if (leaves.has("targets")) {
        const Tensor<T> loss = attn::cross_entropy(steps.logits, leaves.at("targets"));
        golden::check<T>(test, "loss", loss.value());
        graph.backward(loss.id);
        gradients += leaves.check_gradients(test);
      }
      if (!params.contains("steps")) continue;
      ++texts;
      const ContinuationOptions how{.steps = params["steps"].get<std::size_t>(), .sampling = kGreedy};
      const Shape shape = golden::shape(test["expected"]["greedy"]);
      for (const bool cache : {true, false}) {
        const auto text = attn::gpt2_continuation(leaves.at("ids"), parameters, options_of(params), how, cache,
                                                  cache ? "cached." : "again.");
        golden::check<T>(test, "greedy", lists_as_array<T>(text.ids, shape));
      }
    }
  }
  CHECK(gradients == 2 * 28);
  CHECK(texts == 4);
  CHECK(samplings >= 10);
}

TEST_CASE("GPT-2 draws its initial values as GPT-2") {
  Parameters<double> parameters;
  const attn::Gpt2Sizes sizes{.layer = {.d_model = 64, .d_ff = 256}, .vocabulary = 300, .positions = 50};
  parameters.draw(attn::gpt2_parameters(sizes, attn::gpt2_options(3, 4)), 5);
  const auto deviation = [&](const std::string& name) {
    double sum = 0;
    const Array<double>& value = parameters.at(name).value;
    for (const double cell : value) sum += cell * cell;
    return std::sqrt(sum / static_cast<double>(value.size()));
  };
  for (const char* name : {"wte.weight", "wpe.weight", "h.0.attn.c_attn.weight", "h.2.mlp.c_fc.weight"})
    CHECK(std::abs(deviation(name) / 0.02 - 1) < 0.05);
  for (const char* name : {"h.0.attn.c_proj.weight", "h.2.mlp.c_proj.weight"})
    CHECK(std::abs(deviation(name) / (0.02 / std::sqrt(6)) - 1) < 0.05);
  CHECK(deviation("h.1.attn.c_attn.bias") == 0);
  CHECK(deviation("ln_f.weight") == 1);
  CHECK(attn::shape_of(parameters.at("h.0.attn.c_attn.weight").value) == Shape{64, 192});
  CHECK(attn::shape_of(parameters.at("h.0.mlp.c_proj.weight").value) == Shape{256, 64});
  CHECK(parameters.size() == 2 + 3 * 12 + 2);
}

TEST_CASE("GPT-2 with cached keys and values gives the numbers of a whole pass") {
  double largest = 0;
  for (const bool norm_first : {true, false}) {
    for (const bool observe : {true, false}) {
      StackOptions options = kOptions;
      options.layer.norm_first = norm_first;
      const Parameters<double> parameters = lively_model(norm_first ? 3 : 4);
      Graph<double> graph({.observe = observe});
      const StateDict<double> state(graph, parameters);
      const Array<double> whole =
          attn::gpt2(ids_leaf(graph, {2, 6}, {1, 2, 3, 4, 5, 6, 8, 7, 6, 5, 4, 0}), state, options, {}, "whole.")
              .logits.value();
      DecoderCache<double> cache;
      const auto part = [&](std::size_t from, const Shape& shape, const std::vector<double>& ids) {
        const Array<double> logits = attn::gpt2(ids_leaf(graph, shape, ids), state, options, {},
                                                "from_" + std::to_string(from) + ".", {}, &cache)
                                         .logits.value();
        for (std::size_t sample = 0; sample < 2; ++sample)
          for (std::size_t place = 0; place < shape[1]; ++place)
            for (std::size_t id = 0; id < 9; ++id)
              largest = std::max(largest, std::abs(logits(sample, place, id) - whole(sample, from + place, id)));
      };
      part(0, {2, 3}, {1, 2, 3, 8, 7, 6});
      part(3, {2, 1}, {4, 5});
      // A refused call leaves the cache as it was.
      CHECK(refusal([&] { attn::gpt2(ids_leaf(graph, {2, 1}, {4, 99}), state, options, {}, {}, {}, &cache); }) ==
            "embedding: id at (1, 0) is 99, expected a row of a table of 9");
      part(4, {2, 2}, {5, 6, 4, 0});
      CHECK(refusal([&] {
              attn::gpt2(ids_leaf(graph, {2, 5}, std::vector<double>(10, 1)), state, options, {}, {}, {}, &cache);
            }) == "gpt2: ids has shape (2, 5), expected at most 10 positions, 6 of them cached");
    }
  }
  INFO("largest difference " << largest);
  CHECK(largest <= 1e-12);
}

TEST_CASE("Parts of GPT-2 can be switched off, and no token sees a later one") {
  const auto logits = [](const StackOptions& options, const std::vector<double>& ids) {
    const Parameters<double> parameters = lively_model(7);
    Graph<double> graph({.observe = true});
    return attn::gpt2(ids_leaf(graph, {ids.size()}, ids), StateDict<double>(graph, parameters), options).logits.value();
  };
  for (const bool norm : {true, false}) {
    for (const bool residual : {true, false}) {
      StackOptions options = kOptions;
      options.layer.norm = norm;
      options.layer.residual = residual;
      const Array<double> numbers = logits(options, {1, 2, 3, 4});
      if (!norm || !residual) CHECK(largest_difference(numbers, logits(kOptions, {1, 2, 3, 4})) > 1e-3);
      const Array<double> changed = logits(options, {1, 2, 3, 5});
      for (std::size_t place = 0; place < 3; ++place)
        for (std::size_t id = 0; id < 9; ++id) CHECK(numbers(place, id) == changed(place, id));
    }
  }
}

TEST_CASE("The steps of GPT-2 have GPT-2's names, and every cell can be explained") {
  StackOptions options = attn::gpt2_options(1, 2);
  options.layer.dropout = {.p = 0.2, .seed = 3};
  const Parameters<double> parameters = lively_model(2, options);
  Graph<double> graph({.observe = true});
  const auto steps = attn::gpt2(ids_leaf(graph, {2, 3}, {1, 2, 3, 8, 0, 4}), StateDict<double>(graph, parameters),
                                options, ids_leaf(graph, {2, 3}, {1, 1, 1, 1, 1, 0}), "lm.");
  for (const char* name : {"wte",
                           "wpe",
                           "position_ids",
                           "embedded",
                           "drop",
                           "h.0.ln_1",
                           "h.0.attn.c_attn",
                           "h.0.attn.Q",
                           "h.0.attn.K",
                           "h.0.attn.V",
                           "h.0.attn.Q_heads",
                           "h.0.attn.scores",
                           "h.0.attn.weights",
                           "h.0.attn.heads",
                           "h.0.attn.concat",
                           "h.0.attn.c_proj",
                           "h.0.attn.resid_dropout",
                           "h.0.residual1",
                           "h.0.ln_2",
                           "h.0.mlp.c_fc",
                           "h.0.mlp.activation",
                           "h.0.mlp.c_proj",
                           "h.0.mlp.dropout",
                           "h.0.residual2",
                           "ln_f",
                           "logits"})
    CHECK_NOTHROW(graph.at(std::string("lm.") + name));
  CHECK(graph.at("lm.logits").id == steps.logits.id);
  std::size_t checked = 0;
  for (std::size_t id = 0; id < graph.size(); ++id) {
    const attn::Node<double>& node = graph.node(id);
    if (!node.op) continue;
    INFO(node.name << ", " << node.op->name());
    for (const std::size_t offset : {std::size_t{0}, node.value.size() / 2, node.value.size() - 1}) {
      const attn::Index index = attn::index_at(node.shape, offset);
      const double value = op_cases::recombine(std::string(node.op->name()), index, graph.explain(id, index));
      CHECK(value == Catch::Approx(node.value.data()[offset]).margin(1e-12));
      ++checked;
    }
  }
  CHECK(checked > 90);
}

TEST_CASE("A text is continued by the likeliest id of whole passes") {
  std::size_t different = 0;
  for (const std::uint32_t seed : {1, 2, 3}) {
    const Parameters<double> parameters = lively_model(seed);
    Graph<double> graph;
    const StateDict<double> state(graph, parameters);
    const IdLists prompts = {{1, 2, 3}, {8, 0, 4}};
    const ContinuationOptions how{.steps = 8, .sampling = kGreedy};
    const Continuation<double> text = attn::gpt2_continuation(ids_of(graph, prompts), state, kOptions, how);
    const Continuation<double> uncached = attn::gpt2_continuation(ids_of(graph, prompts), state, kOptions, how, false);
    CHECK(text.ids == uncached.ids);
    REQUIRE(text.probabilities.size() == 8);
    REQUIRE(text.ids[0].size() == 11);
    IdLists read = text.ids;
    for (auto& sample : read) sample.pop_back();
    const Array<double> whole = attn::gpt2(ids_of(graph, read), state, kOptions).logits.value();
    for (std::size_t sample = 0; sample < 2; ++sample) {
      for (std::size_t step = 0; step < 8; ++step) {
        const double* row = &whole(sample, 2 + step, 0);
        const auto best = static_cast<std::size_t>(std::max_element(row, row + 9) - row);
        CHECK(text.ids[sample][3 + step] == best);
        CHECK(text.probabilities[step](sample, best) == 1);
        different += text.ids[sample][3 + step] != text.ids[sample][3];
        for (std::size_t id = 0; id < 9; ++id) {
          CHECK(std::abs(text.logits[step].value()(sample, id) - row[id]) <= 1e-12);
          CHECK(std::abs(uncached.logits[step].value()(sample, id) - row[id]) <= 1e-12);
        }
      }
    }
    // Leaving one id to choose from is greedy decoding, whatever the seed.
    for (const SamplingOptions& one :
         {SamplingOptions{.top_k = 1}, SamplingOptions{.top_p = 1e-9}, SamplingOptions{.temperature = 1e-300}}) {
      const ContinuationOptions drawn{.steps = 8, .sampling = one, .seed = seed};
      CHECK(attn::gpt2_continuation(ids_of(graph, prompts), state, kOptions, drawn).ids == text.ids);
    }
  }
  CHECK(different > 0);
}

TEMPLATE_TEST_CASE("A decoder built once continues every text as a graph does", "", float, double) {
  using T = TestType;
  const Parameters<T> parameters = lively_model<T>(5);
  std::set<IdLists> texts;
  for (const bool batched : {false, true}) {
    Gpt2Decoder<T> decoder(parameters, kOptions, 10, batched ? std::optional<std::size_t>(2) : std::nullopt);
    for (const std::size_t length : {1, 2, 6}) {
      for (const std::size_t steps : {std::size_t{1}, std::size_t{4}, 11 - length}) {
        for (const std::uint32_t seed : {0, 1}) {
          ContinuationOptions how{
              .steps = steps, .sampling = {.temperature = 1.5, .top_k = 7, .top_p = 0.95}, .seed = seed};
          if (seed == 1) how.end = 4;
          IdLists prompts(batched ? 2 : 1);
          for (std::size_t i = 0; i < length; ++i)
            for (std::size_t sample = 0; sample < prompts.size(); ++sample)
              prompts[sample].push_back((5 * i + 3 * sample + i * i) % 9);
          Graph<T> graph;
          const Shape shape = batched ? Shape{2, length} : Shape{length};
          const auto expected = attn::gpt2_continuation(graph.leaf("", lists_as_array<T>(prompts, shape)),
                                                        StateDict<T>(graph, parameters), kOptions, how);
          const auto text = decoder.continue_texts(prompts, how);
          CHECK(text.ids == expected.ids);
          REQUIRE(text.probabilities.size() == expected.probabilities.size());
          for (std::size_t step = 0; step < text.probabilities.size(); ++step) {
            CHECK(largest_difference(text.probabilities[step], expected.probabilities[step]) <=
                  (sizeof(T) == 8 ? 1e-12 : 1e-4));
            CHECK(std::abs(xt::sum(text.probabilities[step])() - static_cast<double>(prompts.size())) < 1e-12);
          }
          CHECK(decoder.continue_texts(prompts, how).ids == text.ids);
          texts.insert(text.ids);
        }
      }
    }
  }
  CHECK(texts.size() > 15);
}

TEST_CASE("A text that has ended stays ended; decoding stops when all have ended") {
  const Parameters<double> parameters = lively_model(1);
  Graph<double> graph;
  const StateDict<double> state(graph, parameters);
  const IdLists prompts = {{1, 2, 3}, {8, 0, 4}};
  ContinuationOptions how{.steps = 8, .sampling = {.temperature = 2}, .seed = 3};
  const auto free = attn::gpt2_continuation(ids_of(graph, prompts), state, kOptions, how);
  how.end = free.ids[0][5];
  const auto ended = attn::gpt2_continuation(ids_of(graph, prompts), state, kOptions, how);
  const auto end_of = [&](const std::vector<std::size_t>& sample) {
    return static_cast<std::size_t>(std::find(sample.begin() + 3, sample.end(), *how.end) - sample.begin());
  };
  REQUIRE(end_of(free.ids[0]) < 11);
  const std::size_t length = std::min<std::size_t>(11, 1 + std::max(end_of(free.ids[0]), end_of(free.ids[1])));
  for (std::size_t sample = 0; sample < 2; ++sample) {
    REQUIRE(ended.ids[sample].size() == length);
    // Up to its end a text is the same; after it, the end repeats.
    for (std::size_t i = 3; i < length; ++i)
      CHECK(ended.ids[sample][i] == (i <= end_of(free.ids[sample]) ? free.ids[sample][i] : *how.end));
  }
}

TEST_CASE("GPT-2 and its decoding refuse what they cannot compute") {
  const Parameters<double> parameters = lively_model(1);
  Graph<double> graph;
  const StateDict<double> state(graph, parameters);
  const auto ids = [&](std::size_t length) { return ids_leaf(graph, {length}, std::vector<double>(length, 1)); };
  const auto model = [&](const Tensor<double>& given, const StackOptions& options,
                         const OptionalTensor<double>& positions = {}) {
    return refusal([&] { attn::gpt2(given, state, options, {}, {}, positions); });
  };
  CHECK(model(ids(11), kOptions) == "gpt2: ids has shape (11,), expected at most 10 positions");
  CHECK(model(ids(2), attn::gpt2_options(0, 2)) == "gpt2: num_layers is 0, expected at least 1");
  CHECK(model(ids(2), attn::gpt2_options(2, 3)) ==
        "multi_head_attention: width of query is 8, expected a multiple of num_heads 3");
  CHECK(model(ids(2), kOptions, ids(3)) == "gpt2: position_ids has shape (3,), expected (2,) or the shape of ids");
  CHECK(refusal([&] { attn::gpt2_parameters({.layer = {8, 8}, .vocabulary = 0}, kOptions); }) ==
        "gpt2: vocabulary is 0, expected at least 1");
  CHECK(refusal([&] { attn::gpt2_parameters({.layer = {8, 0}, .vocabulary = 3}, kOptions); }) ==
        "gpt2: d_ff is 0, expected at least 1");
  DecoderCache<double> other;
  other.layers.resize(3);
  CHECK(refusal([&] { attn::gpt2(ids(2), state, kOptions, {}, {}, {}, &other); }) ==
        "gpt2: cache is 3 layers, expected 2");

  const auto continuation = [&](std::size_t prompt, const ContinuationOptions& how,
                                const StackOptions& options = kOptions) {
    return refusal([&] { attn::gpt2_continuation(ids(prompt), state, options, how); });
  };
  const std::string name = "gpt2_continuation: ";
  CHECK(continuation(2, {.steps = 0}) == name + "steps is 0, expected at least 1");
  CHECK(continuation(2, {.steps = 9}).empty());
  CHECK(continuation(2, {.steps = 10}) == name + "steps is 10, expected at most 9 after a prompt of 2");
  CHECK(continuation(2, {.end = 9}) == name + "end is 9, expected an id below 9, the size of the vocabulary");
  CHECK(continuation(2, {.sampling = {.temperature = -1}}) ==
        name + "temperature is -1, expected a finite number from 0 up");
  CHECK(continuation(2, {.sampling = {.top_k = 0}}) == name + "top_k is 0, expected at least 1");
  CHECK(continuation(2, {.sampling = {.top_p = 0}}) == name + "top_p is 0, expected a number above 0, at most 1");
  CHECK(continuation(2, {.sampling = {.top_p = 1.5}}) == name + "top_p is 1.5, expected a number above 0, at most 1");
  StackOptions training = kOptions;
  training.layer.dropout = {.p = 0.5, .seed = 1};
  CHECK(continuation(2, {}, training) ==
        name + "dropout is 0.5, expected 0 when cache is true: a cache would draw for the new token alone");
  CHECK_NOTHROW(attn::gpt2_continuation(ids(2), state, training, {}, false));

  Gpt2Decoder<double> decoder(parameters, kOptions, 4);
  const auto decoding = [&](const IdLists& prompts, const ContinuationOptions& how = {}) {
    return refusal([&] { decoder.continue_texts(prompts, how); });
  };
  CHECK(decoding({{1, 2}, {3, 4}}) == name + "prompts is 2, expected 1");
  CHECK(decoding({{}}) == name + "prompt is 0 ids, expected at least 1");
  CHECK(decoding({{9}}) == name + "id of the prompt is 9, expected an id below 9, the size of the vocabulary");
  CHECK(decoding({{1, 2}}, {.steps = 4}) == name + "steps is 4, expected at most 3 after a prompt of 2");
  CHECK(decoding({{1, 2, 3, 4, 5}}) == name + "steps is 1, expected a prompt of at most 4 ids, not 5");
  CHECK(decoding({{1, 2}}, {.steps = 3}).empty());
  CHECK(refusal([&] { Gpt2Decoder<double>(parameters, kOptions, 11); }) ==
        name + "length is 11, expected from 1 to 10, the number of positions");
  CHECK(refusal([&] { Gpt2Decoder<double>(parameters, training, 4); }) ==
        name + "dropout is 0.5, expected 0: a decoder draws no dropout");
  CHECK(refusal([&] { Gpt2Decoder<double>(parameters, kOptions, 4, 0); }) == name + "batch is 0, expected at least 1");
  Gpt2Decoder<double> pair(parameters, kOptions, 4, 2);
  CHECK(refusal([&] { pair.continue_texts({{1, 2}, {3}}, {}); }) ==
        name + "prompt is 1 ids, expected 2, as the first prompt");
}

TEST_CASE("No token is chosen when logits are NaN") {
  Parameters<double> parameters = lively_model(1);
  Array<double> bias = parameters.at("ln_f.bias").value;
  bias(0) = std::nan("");
  parameters.set("ln_f.bias", bias);
  Gpt2Decoder<double> decoder(parameters, kOptions, 4);
  CHECK(refusal([&] { decoder.continue_texts({{1}}, {}); }) ==
        "gpt2_continuation: logits of step 0 is nan, expected numbers to choose from");
  const std::vector<double> infinite = {1, std::numeric_limits<double>::infinity()};
  CHECK(refusal([&] { attn::next_probabilities<double>(infinite, {}, "sampler"); }) ==
        "sampler: largest logit is inf, expected a finite number");
  CHECK(refusal([&] { attn::next_probabilities<double>({}, {}, "sampler"); }) ==
        "sampler: logits is empty, expected at least one");
}
