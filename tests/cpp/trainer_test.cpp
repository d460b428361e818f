// The trainer: steps that depend on the seed alone, checkpoints that go on bit for bit, evaluation, and what is refused.
#include "training/trainer.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "nn/bert.hpp"
#include "refused_call.hpp"
#include "training/presets.hpp"

namespace {

using attn::Example;
using attn::Metadata;
using attn::Trainer;
using attn::trainer_options;

// A model that is small enough for many steps, of the given task and kind.
Metadata small(const std::string& task, const std::string& kind, const Metadata& more = {}) {
  Metadata texts{{"task.name", task},       {"model.kind", kind},        {"model.d_model", "16"},  {"model.d_ff", "32"},
                 {"model.num_heads", "2"},  {"batch_size", "8"},         {"optimizer.lr", "0.01"}, {"warmup", "5"},
                 {"model.num_layers", "1"}, {"model.norm_first", "true"}};
  for (const auto& [name, text] : more) texts.insert_or_assign(name, text);
  return texts;
}

std::vector<double> losses(Trainer& trainer, std::size_t count) {
  std::vector<double> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(trainer.step().loss);
  return made;
}

// The message of the error with which a trainer is refused.
std::string refused(const Metadata& texts) {
  return refusal([&] { Trainer(trainer_options(texts, "trainer")); });
}

const std::vector<std::pair<std::string, std::string>> kModels{
    {"reverse", "encoder"},     {"copy", "decoder"},        {"translation", "encoderDecoder"},
    {"parentheses", "encoder"}, {"parentheses", "decoder"}, {"masked-token", "encoder"},
    {"masked-token", "bert"},   {"text", "decoder"},        {"shapes", "visionTransformer"},
    {"shapes", "convolution"}};

}  // namespace

TEST_CASE("every kind of model learns its task in part") {
  for (const auto& [task, kind] : kModels) {
    INFO(task << " with " << kind);
    Trainer trainer(trainer_options(small(task, kind), "trainer"));
    const auto mean = [&] {
      const std::vector<double> made = losses(trainer, 10);
      return std::accumulate(made.begin(), made.end(), 0.0) / 10;
    };
    const double before = mean();
    losses(trainer, 60);
    CHECK(mean() < 0.98 * before);
    CHECK(trainer.steps() == 80);
  }
}

TEST_CASE("an observed model shows the loss of the next step and the answers of this moment") {
  for (const auto& [task, kind] : kModels) {
    INFO(task << " with " << kind);
    Trainer trainer(trainer_options(small(task, kind, {{"label_smoothing", "0.1"}, {"accumulate", "1"}}), "trainer"));
    losses(trainer, 3);
    std::vector<Example> asked{trainer.task().held_out[0], trainer.task().held_out[1]};
    // A text would go on from its target.
    for (Example& example : asked) example.target.clear();
    attn::Graph<double> graph({.observe = true});
    const attn::Observed observed = trainer.observe(graph, asked);
    REQUIRE(observed.examples.size() == 2);
    CHECK(observed.model.logits.shape()[0] == 2 + 8);
    for (std::size_t at = 0; at < 2; ++at) {
      const std::vector<std::size_t> answer = trainer.predict(asked[at]);
      const std::vector<std::int64_t>& target = observed.examples[at].target;
      const std::size_t length = std::min(answer.size(), std::max<std::size_t>(trainer.task().target_length, 1));
      CHECK(target == std::vector<std::int64_t>(answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(length)));
    }
    const std::string name = graph.node(graph.parameters()[0]).name;
    CHECK(graph.at(name, "test").value().data()[0] == trainer.parameter(name).value().data()[0]);
    const double loss = observed.model.loss.value().data()[0];
    CHECK(loss == Catch::Approx(trainer.step().loss).epsilon(1e-5));
    CHECK(refusal([&] { trainer.observe(graph, {}); }).starts_with("trainer: graph is "));
  }
}

TEST_CASE("an observed move is what the next step adds to a parameter") {
  for (const std::string kind : {"sgd", "adam", "adamw"})
    for (const std::string clip : {"0", "0.05"})
      for (const std::uint64_t made : {0, 3}) {
        INFO(kind << ", clipped at " << clip << ", after " << made << " steps");
        Trainer trainer(trainer_options(small("reverse", "encoder",
                                              {{"optimizer.kind", kind},
                                               {"clip_norm", clip},
                                               {"optimizer.weight_decay", "0.1"},
                                               {"optimizer.no_decay", "bias"},
                                               {"accumulate", "1"},
                                               {"model.dropout", "0"}}),
                                        "trainer"));
        if (made > 0) losses(trainer, static_cast<int>(made));
        std::map<std::string, attn::Array<double>> next;
        for (const std::string name : {"encoder.layers.0.self_attn.in_proj_weight", "encoder.layers.0.linear1.bias"}) {
          attn::Graph<double> graph({.observe = true});
          trainer.observe(graph, {});
          const attn::Tensor<double> move = trainer.observe_move(graph, name);
          CHECK(graph.node(move.id).name == name + ".move");
          CHECK(move.shape() == trainer.parameter(name).shape());
          next.emplace(name, graph.at(name + ".next", "test").value());
        }
        trainer.step();
        for (const auto& [name, expected] : next) {
          const attn::Array<float>& value = trainer.parameter(name).value();
          for (std::size_t at = 0; at < value.size(); ++at)
            CHECK_THAT(value.data()[at], Catch::Matchers::WithinAbs(expected.data()[at], 2e-6));
        }
      }
  Trainer trainer(trainer_options(small("reverse", "encoder", {{"accumulate", "2"}}), "trainer"));
  attn::Graph<double> graph({.observe = true});
  trainer.observe(graph, {});
  CHECK(refusal([&] {
          trainer.observe_move(graph, "encoder.norm.weight");
        }).starts_with("observe_move: accumulate is 2"));
}

TEST_CASE("an answer that is observed as it is written with a cache has the logits of the whole answer") {
  for (const auto& [task, kind] : kModels) {
    INFO(task << " with " << kind);
    Trainer trainer(trainer_options(small(task, kind, {{"model.num_layers", "2"}}), "trainer"));
    losses(trainer, 5);
    Example asked = trainer.task().held_out[0];
    asked.target.clear();
    const bool is_text = trainer.task().answer == attn::Answer::next;
    const std::vector<std::size_t> begun = trainer.predict(asked);
    if (is_text) asked.target.assign(begun.begin(), begun.begin() + 3);
    attn::Graph<double> graph({.observe = true});
    const attn::Observed observed = trainer.observe(graph, {asked}, {.temperature = 1, .seed = 3});
    const std::vector<std::int64_t>& target = observed.examples[0].target;
    const std::vector<std::size_t> answer(target.begin(), target.end());
    if (kind != "decoder" && kind != "encoderDecoder") {
      CHECK(refusal([&] { trainer.observe_cached(graph, asked, answer); }) ==
            "observe_cached: model is " + kind +
                ", expected decoder or encoderDecoder, which write an answer token by token");
      continue;
    }
    REQUIRE(!answer.empty());
    const attn::Array<double>& whole = observed.model.logits.value();
    const attn::Array<double>& cached = trainer.observe_cached(graph, asked, answer).value();
    const std::size_t vocabulary = trainer.task().vocabulary.size();
    const std::size_t given = asked.target.size();
    REQUIRE(cached.shape() == attn::Shape{answer.size() - given, vocabulary});
    const std::size_t first = (kind == "decoder" ? asked.source.size() : 0) + given;
    double largest = 0;
    for (std::size_t token = 0; token + given < answer.size(); ++token)
      for (std::size_t id = 0; id < vocabulary; ++id)
        largest = std::max(largest, std::abs(cached(token, id) - whole(0, first + token, id)));
    CHECK(largest <= 1e-12);
    // Every call but the first reads one token.
    const std::string layer = kind == "decoder" ? "h.1.attn.K" : "decoder.layers.1.self_attn.K";
    for (std::size_t token = 0; token + given < answer.size(); ++token) {
      const attn::Shape keys = graph.at("cached.step_" + std::to_string(token) + "." + layer, "test").shape();
      CHECK(keys.front() == (token > 0 ? 1 : first + 1));
    }
    const std::size_t nodes = graph.size();
    const auto refused_answer = [&](const std::vector<std::size_t>& other) {
      return refusal([&] { trainer.observe_cached(graph, asked, other); });
    };
    CHECK(refused_answer({}).starts_with("observe_cached: answer is 0 ids, expected more than"));
    std::vector<std::size_t> wrong = answer;
    wrong.back() = 9999;
    CHECK(refused_answer(wrong).starts_with("observe_cached: answer is 9999, expected an id below"));
    CHECK(
        refused_answer(std::vector<std::size_t>(100, 3)).starts_with("observe_cached: answer is 100 ids, expected at"));
    wrong = answer;
    wrong.front() = answer.front() == 3 ? 4 : 3;
    if (is_text) CHECK(refused_answer(wrong).starts_with("observe_cached: answer at 0 is "));
    CHECK(graph.size() == nodes);
    attn::Graph<double> empty({.observe = true});
    CHECK(refusal([&] { trainer.observe_cached(empty, asked, answer); }).starts_with("observe_cached: "));
  }
}

TEST_CASE("norms are those of parameters, gradients and moves taken together") {
  Trainer trainer(trainer_options(small("reverse", "encoder"), "trainer"));
  std::vector<std::string> names;
  for (const std::size_t id : trainer.graph().parameters()) names.push_back(trainer.graph().node(id).name);
  CHECK(trainer.norms(names).gradient == 0);
  CHECK(trainer.norms(names).update == 0);
  const auto numbers = [&] {
    std::vector<double> all;
    for (const std::string& name : names)
      for (const float cell : trainer.parameter(name).value()) all.push_back(cell);
    return all;
  };
  const std::vector<double> before = numbers();
  const double gradient_norm = trainer.step().gradient_norm;
  const std::vector<double> after = numbers();
  double value = 0;
  double update = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    value += after[i] * after[i];
    update += (after[i] - before[i]) * (after[i] - before[i]);
  }
  const attn::Norms norms = trainer.norms(names);
  CHECK(norms.value == Catch::Approx(std::sqrt(value)));
  CHECK(norms.gradient == Catch::Approx(gradient_norm));
  CHECK(norms.update == Catch::Approx(std::sqrt(update)));
  const attn::Norms first = trainer.norms({names[0]});
  CHECK((first.gradient > 0 && first.gradient < norms.gradient));
  CHECK(refusal([&] { trainer.norms({"none"}); }).starts_with("trainer: "));
  trainer.reset();
  CHECK(trainer.norms(names).gradient == 0);
}

TEST_CASE("the same seed trains the same model, and another seed another") {
  const Metadata texts = small("copy", "encoderDecoder", {{"model.dropout", "0.1"}, {"accumulate", "2"}});
  Trainer first(trainer_options(texts, "trainer"));
  Trainer second(trainer_options(texts, "trainer"));
  const std::vector<double> made = losses(first, 6);
  second.step();
  second.evaluate();  // leaves the training as it is
  second.predict(second.task().held_out[0]);
  std::vector<double> rest = losses(second, 5);
  rest.insert(rest.begin(), made[0]);
  CHECK(rest == made);
  first.reset();
  CHECK(first.steps() == 0);
  CHECK(losses(first, 6) == made);
  Metadata other = texts;
  other.insert_or_assign("seed", "1");
  Trainer third(trainer_options(other, "trainer"));
  CHECK(losses(third, 6) != made);
}

TEST_CASE("a checkpoint goes on bit for bit") {
  for (const char* optimizer : {"sgd", "adam", "adamw"}) {
    const Metadata texts = small("reverse", "encoder",
                                 {{"optimizer.kind", optimizer},
                                  {"model.dropout", "0.2"},
                                  {"optimizer.weight_decay", "0.1"},
                                  {"optimizer.no_decay", "bias norm1.weight"},
                                  {"clip_norm", "1"},
                                  {"schedule", "cosine"},
                                  {"steps", "40"}});
    Trainer whole(trainer_options(texts, "trainer"));
    losses(whole, 7);
    const attn::Bytes file = whole.save();
    const std::vector<double> expected = losses(whole, 5);
    Trainer resumed(trainer_options(attn::described(attn::options_of_checkpoint(file)), "trainer"));
    losses(resumed, 3);
    resumed.load(file);
    CHECK(resumed.steps() == 7);
    CHECK(losses(resumed, 5) == expected);
    CHECK(resumed.save() == whole.save());
  }
}

TEST_CASE("a model without a part is trained, saved and continued like a whole one") {
  const std::vector<std::pair<std::string, std::string>> models{{"reverse", "encoder"},
                                                                {"copy", "decoder"},
                                                                {"copy", "encoderDecoder"},
                                                                {"shapes", "visionTransformer"},
                                                                {"masked-token", "bert"}};
  for (const auto& [task, kind] : models) {
    for (const auto& [name, text] : Metadata{{"model.norm", "false"},
                                             {"model.residual", "false"},
                                             {"model.unscaled", "true"},
                                             {"model.positions", "false"},
                                             {"model.scale_embedding", "false"}}) {
      INFO(task << " with " << kind << ", " << name);
      const Metadata texts = small(task, kind, {{name, text}, {"accumulate", "2"}});
      if (kind != "encoder" && kind != "encoderDecoder" &&
          (name == "model.positions" || name == "model.scale_embedding")) {
        CHECK(refused(texts).find(name + " is false, expected true with the model ") != std::string::npos);
        continue;
      }
      Trainer whole(trainer_options(small(task, kind, {{"accumulate", "2"}}), "trainer"));
      Trainer trainer(trainer_options(texts, "trainer"));
      losses(trainer, 2);
      CHECK(losses(whole, 3).back() != losses(trainer, 1).back());
      const attn::Bytes file = trainer.save();
      const std::vector<double> expected = losses(trainer, 2);
      trainer.load(file);
      CHECK(losses(trainer, 2) == expected);
    }
  }
}

TEST_CASE("a BERT reads a sentence between begin and end, as bert does") {
  for (const std::string norm_first : {"false", "true"}) {
    const Metadata texts = small("masked-token", "bert",
                                 {{"model.norm_first", norm_first}, {"model.num_layers", "2"}, {"accumulate", "1"}});
    Trainer trainer(trainer_options(texts, "trainer"));
    losses(trainer, 3);
    const std::size_t vocabulary = trainer.task().vocabulary.size();
    const std::size_t length = trainer.task().source_length + 2;
    std::size_t count = 0;
    for (const std::size_t id : trainer.graph().parameters()) count += trainer.graph().node(id).value.size();
    // Three tables, whose norm and those of the head and of the end are 32 numbers each; two layers; the head.
    const std::size_t layer = 3 * 16 * 16 + 3 * 16 + 16 * 16 + 16 + 2 * 16 * 32 + 32 + 16 + 4 * 16;
    const std::size_t norms = norm_first == "true" ? 3 : 2;
    CHECK(count == 16 * (vocabulary + length + 2) + norms * 32 + 2 * layer + 16 * 16 + 16 + vocabulary);

    // The second sentence is shorter, so that padding follows it.
    std::vector<Example> asked{trainer.task().held_out[0], trainer.task().held_out[1]};
    asked[1].source.resize(5);
    attn::Graph<double> graph({.observe = true});
    const attn::Observed observed = trainer.observe(graph, asked);
    const attn::Array<double>& logits = observed.model.logits.value();
    attn::StackOptions options = attn::bert_options(2, 2);
    options.layer.norm_first = options.final_norm = norm_first == "true";
    for (std::size_t row = 0; row < 2; ++row) {
      std::vector<double> read{attn::kBegin};
      read.insert(read.end(), asked[row].source.begin(), asked[row].source.end());
      read.push_back(attn::kEnd);
      attn::Graph<double> plain({.observe = true});
      attn::Parameters<double> parameters;
      for (const std::size_t id : graph.parameters()) parameters.add(graph.node(id).name, graph.node(id).value);
      attn::Array<double> ids = attn::full<double>({read.size()}, 0);
      std::copy(read.begin(), read.end(), ids.begin());
      const attn::Tensor<double> leaf =
          plain.leaf("ids", std::move(ids), {{"kind", "literal"}}, {.kind = attn::Content::Kind::ids});
      const attn::Array<double>& expected =
          attn::bert<double>(leaf, {}, attn::StateDict<double>(plain, parameters), options).logits.value();
      double largest = 0;
      for (std::size_t place = 0; place < read.size(); ++place)
        for (std::size_t id = 0; id < vocabulary; ++id)
          largest = std::max(largest, std::abs(expected(place, id) - logits(row, place, id)));
      CHECK(largest <= 1e-12);
      // The answer of a place is its likeliest word.
      const std::vector<std::size_t> answer = trainer.predict(asked[row]);
      REQUIRE(answer.size() == asked[row].source.size());
      for (std::size_t place = 0; place < answer.size(); ++place)
        for (std::size_t id = 0; id < vocabulary; ++id)
          CHECK(expected(place + 1, id) <= expected(place + 1, answer[place]) + 1e-5);
    }
  }
}

TEST_CASE("a BERT learns most of the words that follow from the others") {
  Trainer trainer(trainer_options(small("masked-token", "bert", {{"model.norm_first", "false"}}), "trainer"));
  losses(trainer, 300);
  CHECK(trainer.evaluate().accuracy > 0.4);
}

TEST_CASE("a step of several batches has their mean loss and gradient") {
  const Metadata texts =
      small("sort", "encoder", {{"optimizer.kind", "sgd"}, {"optimizer.beta1", "0"}, {"warmup", "0"}});
  // Without a change of the parameters, two steps of one batch see the batches that one step of two sees.
  Metadata still = texts;
  still.insert_or_assign("optimizer.lr", "0");
  Trainer single(trainer_options(still, "trainer"));
  Metadata summed = still;
  summed.insert_or_assign("accumulate", "2");
  Trainer twofold(trainer_options(summed, "trainer"));
  const double first = single.step().loss;
  const attn::Array<float> first_gradient = *single.gradient("embedding.weight");
  const double second = single.step().loss;
  const attn::Array<float> second_gradient = *single.gradient("embedding.weight");
  CHECK(twofold.step().loss == Catch::Approx((first + second) / 2));
  const attn::Array<float>& mean = *twofold.gradient("embedding.weight");
  for (std::size_t cell = 0; cell < mean.size(); ++cell) {
    const double expected = (first_gradient.data()[cell] + second_gradient.data()[cell]) / 2.0;
    CHECK(mean.data()[cell] == Catch::Approx(expected).margin(1e-6));
  }
}

TEST_CASE("the learning rate follows its schedule") {
  const auto rates = [](Metadata more) {
    more.insert_or_assign("warmup", "2");
    Trainer trainer(trainer_options(small("sort", "encoder", more), "trainer"));
    std::vector<double> lr;
    for (int i = 0; i < 5; ++i) lr.push_back(trainer.step().lr);
    return lr;
  };
  CHECK(rates({}) == std::vector<double>{0.005, 0.01, 0.01, 0.01, 0.01});
  const std::vector<double> cosine = rates({{"schedule", "cosine"}, {"steps", "6"}});
  CHECK(cosine[0] == 0.005);
  CHECK(cosine[2] == 0.01);
  CHECK(cosine[4] == Catch::Approx(0.005));
  const std::vector<double> noam = rates({{"schedule", "noam"}, {"optimizer.lr", "1"}});
  CHECK(noam[0] == Catch::Approx(1 / 4.0 / std::sqrt(8)));
  CHECK(noam[3] == Catch::Approx(1 / 8.0));
}

TEST_CASE("only the parameters that are not named decay") {
  Metadata texts = small("sort", "encoder",
                         {{"optimizer.kind", "adamw"},
                          {"optimizer.weight_decay", "1"},
                          {"warmup", "0"},
                          {"optimizer.lr", "0.5"},
                          {"optimizer.beta1", "0"},
                          {"optimizer.eps", "1e30"}});
  texts.insert_or_assign("optimizer.no_decay", "bias norm1.weight");
  Trainer trainer(trainer_options(texts, "trainer"));
  const std::string layer = "encoder.layers.0.";
  const auto first = [&](const std::string& name) { return trainer.parameter(layer + name).value().data()[0]; };
  const float linear = first("linear1.weight");
  const float bias = first("linear1.bias");
  trainer.step();  // eps keeps the gradients from changing anything
  CHECK(first("linear1.weight") == linear / 2);
  CHECK(first("norm2.weight") == 0.5F);
  CHECK(first("norm1.weight") == 1);
  CHECK(first("linear1.bias") == bias);
}

TEST_CASE("a file that is no checkpoint of the trainer is refused and changes nothing") {
  const Metadata texts = small("reverse", "encoder");
  Trainer trainer(trainer_options(texts, "trainer"));
  losses(trainer, 3);
  const attn::Bytes file = trainer.save();
  const auto refused_load = [&](const attn::Bytes& bytes) { return refusal([&] { trainer.load(bytes); }); };
  Metadata wider = texts;
  wider.insert_or_assign("model.d_model", "32");
  CHECK(refused_load(Trainer(trainer_options(wider, "trainer")).save()) ==
        "trainer: model.d_model of the file is 32, expected 16");
  Metadata sort = texts;
  sort.insert_or_assign("task.name", "sort");
  CHECK(refused_load(Trainer(trainer_options(sort, "trainer")).save()) ==
        "trainer: task.name of the file is sort, expected reverse");
  CHECK(refused_load(attn::write_safetensors(std::vector<attn::NamedArray>{})) ==
        "trainer: file is no checkpoint, expected a file that a trainer has saved");
  CHECK_FALSE(refused_load({}).empty());
  CHECK_FALSE(refused_load(attn::Bytes(file.begin(), file.end() - 1)).empty());
  const auto with = [&](auto change) {
    std::vector<attn::NamedArray> arrays = attn::read_safetensors(file);
    Metadata metadata = attn::read_safetensors_metadata(file);
    change(arrays, metadata);
    return refused_load(attn::write_safetensors(arrays, attn::Precision::float32, metadata));
  };
  CHECK_FALSE(with([](auto& arrays, auto&) { arrays.erase(arrays.begin()); }).empty());
  CHECK_FALSE(with([](auto& arrays, auto&) { arrays.pop_back(); }).empty());
  CHECK_FALSE(with([](auto& arrays, auto&) { arrays[0].value = attn::full<double>({2, 2}, 0); }).empty());
  CHECK_FALSE(with([](auto& arrays, auto&) { arrays[0].name = "optimizer"; }).empty());
  CHECK_FALSE(with([](auto& arrays, auto&) { arrays.back().name = "optimizer.momentum.x"; }).empty());
  CHECK(with([](auto& arrays, auto&) {
          std::erase_if(arrays, [](const auto& array) { return array.name.ends_with(".embedding.weight"); });
        }).starts_with("trainer: optimizer of the file is the state of "));
  CHECK(with([](auto&, auto& metadata) { metadata["trained_steps"] = "-1"; }) ==
        "trainer: number of steps of the file is \"-1\", expected a whole number");
  CHECK(with([](auto&, auto& metadata) { metadata.erase("seed"); }) ==
        "trainer: seed of the file is absent, expected 0");
  CHECK(trainer.save() == file);
}

TEST_CASE("a loss that is not finite stops the training and changes no parameter") {
  Trainer trainer(trainer_options(
      small("sort", "encoder", {{"optimizer.kind", "sgd"}, {"optimizer.lr", "1e30"}, {"warmup", "0"}}), "trainer"));
  attn::Bytes before;
  std::string message;
  while (message.empty()) {
    before = trainer.save();
    message = refusal([&] { trainer.step(); });
    REQUIRE(trainer.steps() < 50);
  }
  CHECK(message.starts_with("trainer: "));
  CHECK(message.ends_with("expected a finite number; no parameter was changed"));
  CHECK(trainer.save() == before);
  CHECK(refusal([&] { trainer.step(); }) == message);
  trainer.reset();
  CHECK(trainer.steps() == 0);
}

TEST_CASE("an example counts as right exactly when the model answers its target token by token") {
  for (const auto& [task, kind] : kModels) {
    INFO(task << " with " << kind);
    if (task == "text") continue;  // its examples have no source
    Trainer trainer(trainer_options(small(task, kind, {{"task.seed", "3"}}), "trainer"));
    for (int i = 0; i < 80; ++i) trainer.step();
    double right = 0;
    std::size_t asked = 0;
    for (const Example& example : trainer.task().held_out) {
      const std::vector<std::size_t> answer = trainer.predict(example);
      if (task == "masked-token") {
        for (std::size_t place = 0; place < answer.size(); ++place) {
          if (example.target[place] == attn::kNotAsked) continue;
          ++asked;
          right += static_cast<std::int64_t>(answer[place]) == example.target[place] ? 1 : 0;
        }
      } else {
        ++asked;
        right += std::equal(answer.begin(), answer.end(), example.target.begin(), example.target.end(),
                            [](std::size_t a, std::int64_t b) { return static_cast<std::int64_t>(a) == b; })
                     ? 1
                     : 0;
      }
    }
    const attn::Evaluation evaluation = trainer.evaluate();
    CHECK(evaluation.examples == asked);
    CHECK(evaluation.accuracy == right / static_cast<double>(asked));
  }
}

TEST_CASE("options are read as they are written") {
  for (const attn::Preset& preset : attn::presets()) {
    const Metadata texts = attn::described(trainer_options(preset.options, "trainer"));
    CHECK(attn::described(trainer_options(texts, "trainer")) == texts);
    for (const auto& [name, text] : preset.options) CHECK(texts.at(name) == text);
  }
  CHECK(
      refusal([] { attn::preset_options("swim"); }).starts_with("trainer: preset is \"swim\", expected one of copy, "));
}

TEST_CASE("a trainer refuses options that are out of range or do not fit together") {
  const Metadata texts = small("reverse", "encoder");
  const auto with = [&](const std::string& name, const std::string& text) {
    Metadata changed = texts;
    changed.insert_or_assign(name, text);
    return refused(changed);
  };
  CHECK(with("task.name", "swim").starts_with("task: name is"));
  CHECK(with("task.shortest", "0").starts_with("task: shortest is 0, expected"));
  CHECK(with("task.longest", "100000").starts_with("task: longest is 100000, expected"));
  CHECK_FALSE(with("task.prime", "7").empty());
  CHECK_FALSE(with("task.text", "abc").empty());
  CHECK(with("task.seed", "-1") == "trainer: task.seed is \"-1\", expected a whole number from 0 to 4294967295");
  CHECK(with("model.kind", "visionTransformer") ==
        "trainer: model is visionTransformer, expected a model that fits the task reverse: encoder, decoder, "
        "encoderDecoder");
  CHECK(with("model.kind", "lstm") ==
        "trainer: model.kind is \"lstm\", expected one of encoder, decoder, encoderDecoder, visionTransformer, "
        "convolution, bert");
  CHECK(with("model.kind", "bert").starts_with("trainer: model is bert, expected a model that fits the task reverse"));
  CHECK(with("model.d_model", "0").ends_with("expected at least 1"));
  CHECK(with("model.d_ff", "0").ends_with("expected at least 1"));
  CHECK(with("model.num_layers", "0") == "trainer: model.num_layers is 0, expected at least 1");
  CHECK(with("model.num_heads", "3").find("num_heads is 3, expected a divisor of d_model 16") != std::string::npos);
  CHECK(with("model.num_heads", "1.5") == "trainer: model.num_heads is \"1.5\", expected a whole number from 0 to " +
                                              std::to_string(std::numeric_limits<std::size_t>::max()));
  CHECK(with("model.activation", "swish") ==
        "trainer: model.activation is \"swish\", expected one of relu, gelu_erf, gelu_tanh");
  CHECK(with("model.norm_first", "yes") == "trainer: model.norm_first is \"yes\", expected true or false");
  CHECK(with("model.dropout", "1") == "trainer: model.dropout is 1, expected a number from 0 to below 1");
  CHECK(with("model.dropout", "-0.1") == "trainer: model.dropout is -0.1, expected a number from 0 to below 1");
  CHECK(with("model.dropout", "nan") == "trainer: model.dropout is nan, expected a number from 0 to below 1");
  CHECK(with("optimizer.kind", "lion") == "trainer: optimizer.kind is \"lion\", expected sgd, adam or adamw");
  CHECK(with("optimizer.lr", "-1") == "adamw: lr is -1, expected a number from 0 up");
  CHECK(with("optimizer.lr", "fast") == "trainer: optimizer.lr is \"fast\", expected a number");
  CHECK(with("optimizer.lr", "") == "trainer: optimizer.lr is \"\", expected a number");
  CHECK(with("optimizer.lr", "inf") == "adamw: lr is inf, expected a number from 0 up");
  CHECK(with("optimizer.beta1", "1") == "adamw: beta1 is 1, expected a number from 0 to below 1");
  CHECK(with("optimizer.beta2", "-1") == "adamw: beta2 is -1, expected a number from 0 to below 1");
  CHECK(with("optimizer.eps", "-1") == "adamw: eps is -1, expected a number from 0 up");
  CHECK(with("optimizer.weight_decay", "-1") == "adamw: weight_decay is -1, expected a number from 0 up");
  CHECK(with("schedule", "linear") == "trainer: schedule is \"linear\", expected one of constant, cosine, noam");
  CHECK(with("schedule", "cosine") ==
        "trainer: steps is 0, expected more than the steps of the warm-up with schedule cosine");
  CHECK(with("min_lr", "-1") == "trainer: min_lr is -1, expected a number from 0 up");
  CHECK(with("batch_size", "0") == "trainer: batch_size is 0, expected a number from 1 to 65536");
  CHECK(with("batch_size", "65537") == "trainer: batch_size is 65537, expected a number from 1 to 65536");
  CHECK(with("accumulate", "0") == "trainer: accumulate is 0, expected at least 1");
  CHECK(with("label_smoothing", "2") == "trainer: label_smoothing is 2, expected a number from 0 to 1");
  CHECK(with("clip_norm", "-1") == "trainer: clip_norm is -1, expected a number from 0 up");
  CHECK(with("clip_norm", "nan") == "trainer: clip_norm is nan, expected a number from 0 up");
  CHECK(with("seed", "4294967296") == "trainer: seed is \"4294967296\", expected a whole number from 0 to 4294967295");
  CHECK(with("speed", "1").starts_with("trainer: option is \"speed\", expected one of task.name, "));
  Metadata noam = texts;
  noam.insert_or_assign("schedule", "noam");
  noam.insert_or_assign("warmup", "0");
  CHECK(refused(noam) == "trainer: warmup is 0, expected at least 1 with schedule noam");
  CHECK(refused(small("shapes", "visionTransformer", {{"model.patch", "5"}})).find("patch is 5") != std::string::npos);
  CHECK(refused(small("shapes", "convolution", {{"model.patch", "0"}})).find("patch is 0") != std::string::npos);
  CHECK(refused(small("text", "decoder", {{"task.text", ""}})).starts_with("task: text"));
  CHECK_THROWS_AS(Trainer(trainer_options(texts, "trainer"), 10'000), attn::MemoryError);
}

TEST_CASE("a text goes on from its beginning, by the likeliest token or by draws") {
  Trainer trainer(trainer_options(small("text", "decoder"), "trainer"));
  for (int i = 0; i < 10; ++i) trainer.step();
  const std::vector<std::size_t> greedy = trainer.predict({});
  CHECK(greedy.size() == trainer.task().target_length);
  // The likeliest continuation of its own beginning is the same text.
  const Example begun{.target = {greedy.begin(), greedy.begin() + 3}};
  CHECK(trainer.predict(begun) == greedy);
  CHECK(trainer.predict(begun, {.temperature = 1e-6, .seed = 5}) == greedy);
  const std::vector<std::size_t> drawn = trainer.predict(begun, {.temperature = 1.5, .seed = 5});
  CHECK(std::equal(begun.target.begin(), begun.target.end(), drawn.begin()));
  CHECK(drawn == trainer.predict(begun, {.temperature = 1.5, .seed = 5}));
  CHECK(drawn != trainer.predict(begun, {.temperature = 1.5, .seed = 6}));
  CHECK(drawn != greedy);
  attn::Graph<double> graph({.observe = true});
  const attn::Observed seen = trainer.observe(graph, {begun}, {.temperature = 1.5, .seed = 5});
  CHECK(std::equal(drawn.begin(), drawn.end(), seen.examples[0].target.begin(), seen.examples[0].target.end()));
  const auto refused = [&](const Example& example, double temperature) {
    return refusal([&] { trainer.predict(example, {.temperature = temperature}); });
  };
  const std::size_t length = trainer.task().target_length;
  CHECK(refused({.target = std::vector<std::int64_t>(length, 3)}, 0) == "trainer: start is " + std::to_string(length) +
                                                                            " ids, expected at most " +
                                                                            std::to_string(length - 1) + " ids");
  CHECK(refused({.target = {9999}}, 0).starts_with("trainer: start is 9999, expected ids below"));
  CHECK(refused({.target = {-1}}, 0).starts_with("trainer: start is -1, expected ids below"));
  CHECK(refused({}, -1).starts_with("trainer: temperature is -1"));
}

TEST_CASE("a source that the model cannot read is refused") {
  Trainer trainer(trainer_options(small("reverse", "encoder"), "trainer"));
  const auto refused_source = [&](const Example& example) { return refusal([&] { trainer.predict(example); }); };
  CHECK(refused_source({}) == "trainer: source is 0 ids, expected 1 to 8 ids");
  CHECK(refused_source({.source = std::vector<std::size_t>(9, 3)}) == "trainer: source is 9 ids, expected 1 to 8 ids");
  CHECK(refused_source({.source = {3, 99}}) ==
        "trainer: source is 99, expected ids below 13, the size of the vocabulary");
  CHECK(refused_source({.source = {3}, .image = {1}}) == "trainer: image is 1 pixels, expected none");
  Trainer text(trainer_options(small("text", "decoder"), "trainer"));
  CHECK(refusal([&] { text.predict({.source = {3}}); }) ==
        "trainer: source is 1 ids, expected none: the task has no source");
  Trainer vision(trainer_options(small("shapes", "visionTransformer"), "trainer"));
  CHECK(
      refusal([&] { vision.predict({.image = {1, 2}}); }).starts_with("trainer: image is 2 pixels, expected those of"));
}
